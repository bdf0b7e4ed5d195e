// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/number_formats.h"

// As in kernels.cpp: compiled once for every instruction set, and the order of the includes counts.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/number_formats.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Calls body(d, offset) for whole vectors of floats, then for the rest one by one.
template <class Body>
HWY_INLINE void overFloats(size_t n, Body body) {
    const hn::ScalableTag<float> wide;
    const size_t lanes = hn::Lanes(wide);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes)
        body(wide, i);
    const hn::CappedTag<float, 1> one;
    for (; i < n; ++i)
        body(one, i);
}

/// With whole numbers alone: the fraction is moved to its place, and a power of two sets the exponent right. So numbers
/// without a leading one come out exactly, and every instruction set gives the same bits.
void FloatsFromHalf(size_t n, const uint16_t* half, float* out) {
    overFloats(n, [=](auto d, size_t i) HWY_ATTR {
        const hn::RebindToUnsigned<decltype(d)> du;
        const hn::Rebind<uint16_t, decltype(d)> dh;
        const auto bits = hn::PromoteTo(du, hn::LoadU(dh, half + i));
        const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
        const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFFu)));
        const auto scaled = hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f));
        // What was infinite or no number has all bits of its exponent set, and must have them again.
        const auto special = hn::Ge(scaled, hn::Set(d, 65536.0f));
        const auto exponent = hn::IfThenElseZero(special, hn::BitCast(d, hn::Set(du, 0x7F800000u)));
        hn::StoreU(hn::Or(hn::Or(scaled, exponent), hn::BitCast(d, sign)), d, out + i);
    });
}

/// With whole numbers too, for the same bits on every instruction set: rounding is a sum that carries into the
/// exponent.
void HalvesFromFloats(size_t n, const float* x, uint16_t* half) {
    overFloats(n, [=](auto d, size_t i) HWY_ATTR {
        const hn::RebindToSigned<decltype(d)> di;
        const hn::Rebind<uint16_t, decltype(d)> dh;
        const auto bits = hn::BitCast(di, hn::LoadU(d, x + i));
        const auto magnitude = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
        const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
        const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(di, 1));
        constexpr int32_t rebias = (127 - 15) << 23;
        const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, odd), hn::Set(di, 0xFFF - rebias)));
        // The last bit of 0.5 is worth as much as that of a half without a leading one.
        const auto shifted = hn::BitCast(di, hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5f)));
        const auto small = hn::Sub(shifted, hn::Set(di, 0x3F000000));
        const auto finite = hn::IfThenElse(hn::Lt(magnitude, hn::Set(di, 113 << 23)), small, normal);
        const auto special =
            hn::IfThenElse(hn::Gt(magnitude, hn::Set(di, 0x7F800000)), hn::Set(di, 0x7E00), hn::Set(di, 0x7C00));
        const auto large = hn::Gt(magnitude, hn::Set(di, (143 << 23) - 1));  // from 65536 on
        hn::StoreU(hn::DemoteTo(dh, hn::Or(hn::IfThenElse(large, special, finite), sign)), dh, half + i);
    });
}

void FloatsFromBrain(size_t n, const uint16_t* brain, float* out) {
    overFloats(n, [=](auto d, size_t i) HWY_ATTR {
        const hn::RebindToUnsigned<decltype(d)> du;
        const hn::Rebind<uint16_t, decltype(d)> dh;
        hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(dh, brain + i)))), d, out + i);
    });
}

bool AllFinite(size_t n, const float* x) {
    const hn::ScalableTag<float> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const size_t lanes = hn::Lanes(d);
    const auto exponent = hn::Set(du, 0x7F800000u);
    auto found = hn::Zero(du);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto bits = hn::And(hn::BitCast(du, hn::LoadU(d, x + i)), exponent);
        found = hn::Or(found, hn::VecFromMask(du, hn::Eq(bits, exponent)));
    }
    bool finite = hn::AllTrue(du, hn::Eq(found, hn::Zero(du)));
    for (; i < n; ++i) {
        const hn::CappedTag<uint32_t, 1> one;
        const auto bits = hn::BitCast(one, hn::LoadU(hn::CappedTag<float, 1>(), x + i));
        finite &= (hn::GetLane(bits) & 0x7F800000u) != 0x7F800000u;
    }
    return finite;
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headlight {

HWY_EXPORT(FloatsFromHalf);
HWY_EXPORT(HalvesFromFloats);
HWY_EXPORT(FloatsFromBrain);
HWY_EXPORT(AllFinite);

void floatsFromHalf(size_t n, const uint16_t* half, float* out) {
    HWY_DYNAMIC_DISPATCH(FloatsFromHalf)(n, half, out);
}

void halvesFromFloats(size_t n, const float* x, uint16_t* half) {
    HWY_DYNAMIC_DISPATCH(HalvesFromFloats)(n, x, half);
}

void floatsFromBrain(size_t n, const uint16_t* brain, float* out) {
    HWY_DYNAMIC_DISPATCH(FloatsFromBrain)(n, brain, out);
}

bool allFinite(size_t n, const float* x) {
    return HWY_DYNAMIC_DISPATCH(AllFinite)(n, x);
}

}  // namespace headlight
#endif

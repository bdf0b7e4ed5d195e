// SPDX-License-Identifier: GPL-3.0-or-later
// Dropout's part of kernels.cpp and attention_kernels.cpp, which include this file once for every instruction set.
// clang-format off
#if defined(HEADLIGHT_CORE_TENSOR_DROPOUT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_CORE_TENSOR_DROPOUT_INL_H
#undef HEADLIGHT_CORE_TENSOR_DROPOUT_INL_H
#else
#define HEADLIGHT_CORE_TENSOR_DROPOUT_INL_H
#endif
// clang-format on

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Random bits of dropout: Wellons' "lowbias32" finaliser of a counter. One hash decides for two elements, 16 bits
/// each: of every 64 elements number p takes the low half of hash p, for p < 32, or the high half of hash p − 32. So
/// the decisions do not depend on how wide the vectors are.
constexpr size_t dropoutBlock = 64, hashesInBlock = 32;

template <class D, class V>
HWY_INLINE V DropoutHash(D du, V counter) {
    auto h = hn::Mul(hn::Xor(counter, hn::ShiftRight<16>(counter)), hn::Set(du, 0x7FEB352Du));
    h = hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(du, 0x846CA68Bu));
    return hn::Xor(h, hn::ShiftRight<16>(h));
}

struct DropoutPlan {
    uint32_t seed;
    int32_t threshold;  ///< 16 bits at least as large keep
    float factor;

    DropoutPlan(double rate, uint64_t longSeed)
        : seed(static_cast<uint32_t>(longSeed ^ (longSeed >> 32))),
          threshold(static_cast<int32_t>(rate * 65536.0)),
          factor(static_cast<float>(1.0 / (1.0 - rate))) {}

    bool keeps(size_t index) const {
        const hn::CappedTag<uint32_t, 1> du;
        const size_t place = index % dropoutBlock;
        const size_t counter = index / dropoutBlock * hashesInBlock + place % hashesInBlock;
        const uint32_t hash = hn::GetLane(DropoutHash(du, hn::Set(du, static_cast<uint32_t>(counter) + seed)));
        return static_cast<int32_t>(place < hashesInBlock ? hash & 0xFFFFu : hash >> 16) >= threshold;
    }
};

template <bool accumulate>
void DropoutFloat(size_t n, float rate, uint64_t seed, const float* x, float* y) {
    const DropoutPlan plan(static_cast<double>(rate), seed);
    const hn::CappedTag<float, hashesInBlock> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::RebindToSigned<decltype(d)> di;
    const size_t lanes = hn::Lanes(d);
    // Only signed numbers compare on every instruction set; 16 bits are never negative.
    const auto below = hn::Set(di, plan.threshold - 1);
    const auto factor = hn::Set(d, plan.factor);
    const auto store = [&](size_t at, auto bits) HWY_ATTR {
        const auto keep = hn::RebindMask(d, hn::Gt(hn::BitCast(di, bits), below));
        auto value = hn::IfThenElseZero(keep, hn::Mul(hn::LoadU(d, x + at), factor));
        if constexpr (accumulate) value = hn::Add(hn::LoadU(d, y + at), value);
        hn::StoreU(value, d, y + at);
    };
    size_t block = 0;
    for (; block + dropoutBlock <= n; block += dropoutBlock) {
        const auto first = static_cast<uint32_t>(block / dropoutBlock * hashesInBlock) + plan.seed;
        for (size_t p = 0; p < hashesInBlock; p += lanes) {
            const auto hash = DropoutHash(du, hn::Iota(du, first + static_cast<uint32_t>(p)));
            store(block + p, hn::And(hash, hn::Set(du, 0xFFFFu)));
            store(block + hashesInBlock + p, hn::ShiftRight<16>(hash));
        }
    }
    for (size_t i = block; i < n; ++i) {
        const float value = plan.keeps(i) ? x[i] * plan.factor : 0.0f;
        y[i] = accumulate ? y[i] + value : value;
    }
}

/// The decisions for n elements from number `first` on, as signs: negative, −0, is what is dropped. They are written to
/// `room`, of n + 2 · dropoutBlock numbers, and begin where the result points to.
inline const float* DropoutSigns(const DropoutPlan& plan, size_t first, size_t n, float* room) {
    const hn::CappedTag<float, hashesInBlock> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::RebindToSigned<decltype(d)> di;
    const size_t lanes = hn::Lanes(d);
    const auto below = hn::Set(di, plan.threshold - 1);
    const auto store = [&](float* to, auto bits) HWY_ATTR {
        const auto keep = hn::RebindMask(d, hn::Gt(hn::BitCast(di, bits), below));
        hn::StoreU(hn::IfThenZeroElse(keep, hn::Set(d, -0.0f)), d, to);
    };
    const size_t start = first / dropoutBlock * dropoutBlock;
    float* to = room;
    for (size_t block = start; block < first + n; block += dropoutBlock, to += dropoutBlock) {
        const auto counter = static_cast<uint32_t>(block / dropoutBlock * hashesInBlock) + plan.seed;
        for (size_t p = 0; p < hashesInBlock; p += lanes) {
            const auto hash = DropoutHash(du, hn::Iota(du, counter + static_cast<uint32_t>(p)));
            store(to + p, hn::And(hash, hn::Set(du, 0xFFFFu)));
            store(to + hashesInBlock + p, hn::ShiftRight<16>(hash));
        }
    }
    return room + (first - start);
}

inline const double* DropoutSigns(const DropoutPlan& plan, size_t first, size_t n, double* room) {
    for (size_t i = 0; i < n; ++i)
        room[i] = plan.keeps(first + i) ? 0.0 : -0.0;
    return room;
}

template <bool accumulate>
void DropoutDouble(size_t n, double rate, uint64_t seed, const double* x, double* y) {
    const DropoutPlan plan(rate, seed);
    for (size_t i = 0; i < n; ++i) {
        const double value = plan.keeps(i) ? x[i] / (1 - rate) : 0.0;
        y[i] = accumulate ? y[i] + value : value;
    }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

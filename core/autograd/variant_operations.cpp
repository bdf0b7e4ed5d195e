// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/autograd/variant_operations.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/kernels.h"
#include "core/tensor/variant_kernels.h"

namespace headlight::ops {

namespace {

template <class T>
void copyRows(const Tensor<T>& from, const Tensor<T>& to) {
    for (int r = 0; r < from.rows(); ++r)
        std::copy_n(from.row(r), from.cols(), to.row(r));
}

template <class T>
void addRows(const Tensor<T>& from, const Tensor<T>& to) {
    for (int r = 0; r < from.rows(); ++r)
        kernels<T>().add(static_cast<size_t>(from.cols()), to.row(r), from.row(r), to.row(r));
}

}  // namespace

template <class T>
Variable<T> rmsNorm(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, T epsilon) {
    const int width = static_cast<int>(weight.value.count());
    assert(width > 0 && x.cols() % width == 0);
    const int parts = x.rows() * (x.cols() / width);
    const bool apart = !x.value.packed();
    const Variable<T> y = tape.variable({x.rows(), x.cols()});
    const Tensor<T> inverse = tape.allocate({parts}), in = apart ? tape.allocate({x.rows(), x.cols()}) : x.value;
    if (apart) copyRows(x.value, in);
    variantKernels<T>().rmsNorm(parts, width, in.data, weight.value.data, epsilon, y.value.data, inverse.data);
    if (!tape.training()) return y;
    const Tensor<T> slope = apart ? tape.allocate({x.rows(), x.cols()}) : Tensor<T>();
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x, &weight})
            variable->prepareGradient();
        if (apart) std::fill_n(slope.data, slope.count(), T(0));
        variantKernels<T>().rmsNormBackward(parts, width, in.data, weight.value.data, inverse.data, y.gradient().data,
                                            apart ? slope.data : x.gradient().data, weight.gradient().data);
        if (apart) addRows(slope, x.gradient());
    });
    return y;
}

template <class T>
Variable<T> multiply(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y) {
    assert(x.shape() == y.shape() && x.value.packed() && y.value.packed());
    const size_t n = x.value.count();
    const Variable<T> z = tape.variable(x.shape());
    variantKernels<T>().multiply(n, x.value.data, y.value.data, z.value.data);
    tape.onBackward([=] {
        z.prepareGradient();
        const auto back = [&](const Variable<T>& to, const Variable<T>& other) {
            const auto received = to.receiveGradient();
            const auto pass = received.sets() ? variantKernels<T>().multiply : variantKernels<T>().multiplyAdd;
            pass(n, z.gradient().data, other.value.data, received.gradient.data);
        };
        back(x, y);
        back(y, x);
    });
    return z;
}

template <class T>
Variable<T> scale(Tape<T>& tape, const Variable<T>& x, T factor) {
    assert(x.value.packed());
    const size_t n = x.value.count();
    const Variable<T> y = tape.variable(x.shape());
    kernels<T>().scale(n, factor, x.value.data, y.value.data);
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x})
            variable->prepareGradient();
        kernels<T>().axpy(n, factor, y.gradient().data, x.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> addNumber(Tape<T>& tape, const Variable<T>& x, T number) {
    assert(x.value.packed());
    const size_t n = x.value.count();
    const Variable<T> y = tape.variable(x.shape());
    for (size_t i = 0; i < n; ++i)
        y.value.data[i] = x.value.data[i] + number;
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x})
            variable->prepareGradient();
        kernels<T>().add(n, x.gradient().data, y.gradient().data, x.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> softCap(Tape<T>& tape, const Variable<T>& x, T cap) {
    assert(x.value.packed() && cap > 0);
    const size_t n = x.value.count();
    const Variable<T> y = tape.variable(x.shape());
    for (size_t i = 0; i < n; ++i)
        y.value.data[i] = cap * std::tanh(x.value.data[i] / cap);
    if (!tape.training()) return y;
    // Who reads y last may put its gradient where y was.
    const Tensor<T> slope = tape.allocate(x.shape());
    for (size_t i = 0; i < n; ++i) {
        const T bent = y.value.data[i] / cap;
        slope.data[i] = 1 - bent * bent;
    }
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x})
            variable->prepareGradient();
        variantKernels<T>().multiplyAdd(n, y.gradient().data, slope.data, x.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> rotate(Tape<T>& tape, const Variable<T>& x, const Rotation<T>& by) {
    const int rows = x.rows(), length = by.cosines.rows(), half = by.cosines.cols();
    const int width = by.headWidth > 0 ? by.headWidth : 2 * half, kept = width - 2 * half;
    assert(kept >= 0 && x.cols() % width == 0 && rows % length == 0);
    const size_t n = static_cast<size_t>(half);
    const int heads = x.cols() / width;
    const Variable<T> y = tape.variable({rows, x.cols()});
    const auto turn = [=](auto kernel, auto rest, const Tensor<T>& from, const Tensor<T>& to) {
        for (int r = 0; r < rows; ++r)
            for (int h = 0; h < heads; ++h) {
                const T* const in = from.row(r) + h * width;
                T* const out = to.row(r) + h * width;
                kernel(n, by.cosines.row(r % length), by.sines.row(r % length), in, out);
                if (kept > 0) rest(in + 2 * half, out + 2 * half);
            }
    };
    turn(
        variantKernels<T>().rotate, [=](const T* in, T* out) { std::copy_n(in, kept, out); }, x.value, y.value);
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x})
            variable->prepareGradient();
        const auto add = [=](const T* in, T* out) { kernels<T>().add(static_cast<size_t>(kept), out, in, out); };
        turn(variantKernels<T>().rotateBackAdd, add, y.gradient(), x.gradient());
    });
    return y;
}

template <class T>
Variable<T> relativeBias(Tape<T>& tape, const Variable<T>& table, std::span<const int> buckets, int queries) {
    const int pairs = static_cast<int>(buckets.size()), heads = table.cols();
    assert(queries > 0 && pairs % queries == 0);
    const int* kept = tape.keep(buckets);
    const Variable<T> bias = tape.variable({heads, queries, pairs / queries});
    T* out = bias.value.data;
    for (int h = 0; h < heads; ++h)
        for (int i = 0; i < pairs; ++i)
            *out++ = table.value.at(kept[i], h);
    if (!table.wantsGradient()) return bias;
    tape.onBackward([=] {
        bias.prepareGradient();
        table.prepareGradient();
        const T* gradient = bias.gradient().data;
        for (int h = 0; h < heads; ++h)
            for (int i = 0; i < pairs; ++i)
                table.gradient().at(kept[i], h) += *gradient++;
    });
    return bias;
}

#define HEADLIGHT_INSTANTIATE(T)                                                       \
    template Variable<T> rmsNorm(Tape<T>&, const Variable<T>&, const Variable<T>&, T); \
    template Variable<T> multiply(Tape<T>&, const Variable<T>&, const Variable<T>&);   \
    template Variable<T> scale(Tape<T>&, const Variable<T>&, T);                       \
    template Variable<T> addNumber(Tape<T>&, const Variable<T>&, T);                   \
    template Variable<T> softCap(Tape<T>&, const Variable<T>&, T);                     \
    template Variable<T> rotate(Tape<T>&, const Variable<T>&, const Rotation<T>&);     \
    template Variable<T> relativeBias(Tape<T>&, const Variable<T>&, std::span<const int>, int);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/autograd/variant_operations.h"

#include "core/tensor/kernels.h"
#include "core/tensor/variant_kernels.h"

namespace headlight::ops {

template <class T>
Variable<T> rmsNorm(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, T epsilon) {
    assert(x.value.packed() && weight.value.count() == static_cast<size_t>(x.cols()));
    const int rows = x.rows(), cols = x.cols();
    const Variable<T> y = tape.variable(x.shape());
    const Tensor<T> inverse = tape.allocate({rows});
    variantKernels<T>().rmsNorm(rows, cols, x.value.data, weight.value.data, epsilon, y.value.data, inverse.data);
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x, &weight})
            variable->prepareGradient();
        variantKernels<T>().rmsNormBackward(rows, cols, x.value.data, weight.value.data, inverse.data,
                                            y.gradient().data, x.gradient().data, weight.gradient().data);
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
Variable<T> rotate(Tape<T>& tape, const Variable<T>& x, const Rotation<T>& by) {
    const int rows = x.rows(), length = by.cosines.rows(), half = by.cosines.cols(), width = 2 * half;
    assert(x.cols() % width == 0 && rows % length == 0);
    const size_t n = static_cast<size_t>(half);
    const int heads = x.cols() / width;
    const Variable<T> y = tape.variable({rows, x.cols()});
    const auto turn = [=](auto kernel, const Tensor<T>& from, const Tensor<T>& to) {
        for (int r = 0; r < rows; ++r)
            for (int h = 0; h < heads; ++h)
                kernel(n, by.cosines.row(r % length), by.sines.row(r % length), from.row(r) + h * width,
                       to.row(r) + h * width);
    };
    turn(variantKernels<T>().rotate, x.value, y.value);
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &x})
            variable->prepareGradient();
        turn(variantKernels<T>().rotateBackAdd, y.gradient(), x.gradient());
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
    template Variable<T> rotate(Tape<T>&, const Variable<T>&, const Rotation<T>&);     \
    template Variable<T> relativeBias(Tape<T>&, const Variable<T>&, std::span<const int>, int);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/autograd/operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/packed_weights.h"
#include "core/tensor/variant_kernels.h"
#include "core/tensor/weight_products.h"

namespace headlight::ops {

using blas::gemm;
using enum blas::Transpose;

namespace {

constexpr double quickGeluSlope = 1.702;  // x·σ(1.702x) ≈ x·Φ(x) (Hendrycks, Gimpel 2016)

/// y = x Wᵀ, of which nobody wants the way back.
template <class T>
void multiplyForward(const Tape<T>& tape, const Tensor<T>& x, const Tensor<T>& weights, const Tensor<T>& y) {
    if constexpr (std::is_same_v<T, float>)
        if (PackedWeights* packed = tape.packedWeights()) return packed->multiply(x, weights, y);
    multiplyByWeights(x, weights, y);
}

}  // namespace

template <class T>
Variable<T> linear(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, const Variable<T>& bias) {
    assert(x.cols() == weight.cols());
    const int rows = x.rows(), out = weight.rows();
    const Variable<T> y = tape.variable({rows, out});
    if (tape.training())
        gemm(No, Yes, T(1), x.value, weight.value, T(0), y.value);
    else
        multiplyForward(tape, x.value, weight.value, y.value);
    if (bias.value) kernels<T>().addToRows(rows, out, bias.value.data, y.value.data);

    tape.onBackward([=] {
        // y = x Wᵀ + b: dx = dy W, dW = dyᵀ x, db = Σ dy
        y.prepareGradient();
        if (x.wantsGradient()) {
            const auto [factor, dx] = x.receiveGradient();
            gemm(No, No, T(1), y.gradient(), weight.value, factor, dx);
        }
        if (weight.wantsGradient()) {
            const auto [factor, dWeight] = weight.receiveGradient();
            gemm(Yes, No, T(1), y.gradient(), x.value, factor, dWeight);
        }
        bias.prepareGradient();
        if (bias.wantsGradient()) kernels<T>().addColumnSums(rows, out, y.gradient().data, bias.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> embedding(Tape<T>& tape, std::span<const int> ids, const Variable<T>& table, T scale) {
    const int count = static_cast<int>(ids.size()), width = table.cols();
    const size_t n = static_cast<size_t>(width);
    const Variable<T> y = tape.variable({count, width});
    for (int i = 0; i < count; ++i) {
        assert(ids[static_cast<size_t>(i)] >= 0 && ids[static_cast<size_t>(i)] < table.rows());
        kernels<T>().scale(n, scale, table.value.row(ids[static_cast<size_t>(i)]), y.value.row(i));
    }
    if (!table.wantsGradient()) return y;
    const int* kept = tape.keep(ids);
    tape.onBackward([=] {
        y.prepareGradient();
        table.prepareGradient();
        for (int i = 0; i < count; ++i)
            kernels<T>().axpy(n, scale, y.gradient().row(i), table.gradient().row(kept[i]));
    });
    return y;
}

template <class T>
Variable<T> addInPlace(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y) {
    assert(x.shape() == y.shape() && x.value.packed() && y.value.packed());
    const size_t n = x.value.count();
    kernels<T>().add(n, x.value.data, y.value.data, y.value.data);
    if (x.wantsGradient())
        tape.onBackward([=] {
            y.prepareGradient();
            const auto received = x.receiveGradient();
            T* const dx = received.gradient.data;
            if (received.sets())
                std::copy_n(y.gradient().data, n, dx);
            else
                kernels<T>().add(n, dx, y.gradient().data, dx);
        });
    return y;
}

template <class T>
Variable<T> concatColumns(Tape<T>& tape, const Variable<T>& x, const Variable<T>& y) {
    assert(x.rows() == y.rows());
    const int rows = x.rows();
    const Variable<T> z = tape.variable({rows, x.cols() + y.cols()});
    const Variable<T> left = z.columns(0, x.cols()), right = z.columns(x.cols(), y.cols());
    const size_t nx = static_cast<size_t>(x.cols()), ny = static_cast<size_t>(y.cols());
    for (int r = 0; r < rows; ++r) {
        std::copy_n(x.value.row(r), nx, left.value.row(r));
        std::copy_n(y.value.row(r), ny, right.value.row(r));
    }
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&z, &x, &y})
            variable->prepareGradient();
        for (int r = 0; r < rows; ++r) {
            if (x.wantsGradient()) kernels<T>().axpy(nx, T(1), left.gradient().row(r), x.gradient().row(r));
            if (y.wantsGradient()) kernels<T>().axpy(ny, T(1), right.gradient().row(r), y.gradient().row(r));
        }
    });
    return z;
}

template <class T>
Variable<T> layerNorm(Tape<T>& tape, const Variable<T>& x, const Variable<T>& weight, const Variable<T>& bias,
                      T epsilon) {
    assert(x.value.packed() && weight.value.count() == static_cast<size_t>(x.cols()));
    const int rows = x.rows(), cols = x.cols();
    const Variable<T> y = tape.variable(x.shape());
    const Tensor<T> mean = tape.allocate({rows}), inverse = tape.allocate({rows});
    // Zeros where there is no bias, whose gradient nobody asks for.
    const Variable<T> shift = bias.value ? bias : tape.variable({cols});
    if (!bias.value) std::fill_n(shift.value.data, cols, T(0));
    kernels<T>().layerNorm(rows, cols, x.value.data, weight.value.data, shift.value.data, epsilon, y.value.data,
                           mean.data, inverse.data);
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&y, &weight, &shift})
            variable->prepareGradient();
        const auto received = x.receiveGradient();
        const auto back = received.sets() ? kernels<T>().layerNormBackward : kernels<T>().layerNormBackwardAdd;
        back(rows, cols, x.value.data, weight.value.data, mean.data, inverse.data, y.gradient().data,
             received.gradient.data, weight.gradient().data, shift.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> dropout(Tape<T>& tape, const Variable<T>& x, T rate, uint64_t seed) {
    if (rate <= 0 || !tape.training()) return x;
    const size_t n = x.value.count();
    const Variable<T> y = tape.variable(x.shape());
    kernels<T>().dropout(n, rate, seed, x.value.data, y.value.data);
    tape.onBackward([=] {
        y.prepareGradient();
        const auto received = x.receiveGradient();
        const auto back = received.sets() ? kernels<T>().dropout : kernels<T>().dropoutAdd;
        back(n, rate, seed, y.gradient().data, received.gradient.data);
    });
    return y;
}

template <class T>
Variable<T> dropoutInPlace(Tape<T>& tape, const Variable<T>& x, T rate, uint64_t seed) {
    if (rate <= 0 || !tape.training()) return x;
    const size_t n = x.value.count();
    kernels<T>().dropout(n, rate, seed, x.value.data, x.value.data);
    tape.onBackward([=] {
        x.prepareGradient();
        kernels<T>().dropout(n, rate, seed, x.gradient().data, x.gradient().data);
    });
    return x;
}

namespace {

/// f(x) of n numbers; and dx = dy · f′(x), where dx may be dy.
template <class T>
void activate(Activation kind, size_t n, const T* x, T* y) {
    switch (kind) {
        case Activation::Relu:
            return kernels<T>().relu(n, x, y);
        case Activation::Gelu:
            return kernels<T>().gelu(n, x, y);
        case Activation::GeluTanh:
            return kernels<T>().geluTanh(n, x, y);
        case Activation::Silu:
            return variantKernels<T>().sigmoidUnit(n, T(1), x, y);
        case Activation::QuickGelu:
            return variantKernels<T>().sigmoidUnit(n, T(quickGeluSlope), x, y);
    }
}

template <class T>
void activateBackward(Activation kind, size_t n, const T* x, const T* dy, T* dx) {
    switch (kind) {
        case Activation::Relu:
            return kernels<T>().reluBackward(n, x, dy, dx);
        case Activation::Gelu:
            return kernels<T>().geluBackward(n, x, dy, dx);
        case Activation::GeluTanh:
            return kernels<T>().geluTanhBackward(n, x, dy, dx);
        case Activation::Silu:
            return variantKernels<T>().sigmoidUnitBackward(n, T(1), x, dy, dx);
        case Activation::QuickGelu:
            return variantKernels<T>().sigmoidUnitBackward(n, T(quickGeluSlope), x, dy, dx);
    }
}

}  // namespace

template <class T>
Variable<T> activationInPlace(Tape<T>& tape, Activation kind, const Variable<T>& x) {
    const size_t n = x.value.count();
    // The way back needs x, or, of ReLU, only its sign: there y serves as well, even after dropout, whose zeros have no
    // gradient either.
    const bool keepsInput = tape.training() && kind != Activation::Relu;
    const Variable<T> y{keepsInput ? tape.allocate(x.shape()) : x.value, x.memory, x.first};
    const Tensor<T> read = keepsInput ? x.value : y.value;
    activate(kind, n, x.value.data, y.value.data);
    tape.onBackward([=] {
        y.prepareGradient();
        activateBackward(kind, n, read.data, y.gradient().data, y.gradient().data);
    });
    return y;
}

template <class T>
CrossEntropyResult crossEntropy(Tape<T>& tape, const Variable<T>& logits, std::span<const int> targets,
                                const CrossEntropyOptions& options) {
    const int rows = logits.rows(), vocabulary = logits.cols();
    assert(static_cast<size_t>(rows) == targets.size() && logits.value.packed());
    const Tensor<T> logSumExp = tape.allocate({rows});

    CrossEntropyResult result;
    const double smoothing = options.labelSmoothing;
    for (int r = 0; r < rows; ++r) {
        const int target = targets[static_cast<size_t>(r)];
        if (target == options.ignore) continue;
        const T* row = logits.value.row(r);
        RowSummary<T> summary;
        kernels<T>().rowSummary(vocabulary, row, &summary);
        logSumExp.data[r] = summary.logSumExp;
        // log p(j) = x(j) − log Σ exp(x)
        const double shift = static_cast<double>(summary.logSumExp);
        const double plain = shift - static_cast<double>(row[target]);
        const double meanLogP = static_cast<double>(summary.sum) / vocabulary - shift;
        result.plain += plain;
        result.smoothed += (1 - smoothing) * plain - smoothing * meanLogP;
        result.correct += row[target] == summary.largest && std::find(row, row + target, row[target]) == row + target;
        ++result.tokens;
    }
    if (!logits.wantsGradient()) return result;
    const int* kept = tape.keep(targets);
    tape.onBackward([=] {
        // d/dlogits = softmax − target distribution.
        const T share = T(smoothing / vocabulary), scale = T(options.lossScale);
        logits.overwriteWithGradient();
        const auto received = logits.receiveGradient();
        const auto pass = received.sets() ? kernels<T>().softmaxGradient : kernels<T>().softmaxGradientAdd;
        for (int r = 0; r < rows; ++r) {
            T* gradient = received.gradient.row(r);
            if (kept[r] == options.ignore) {
                if (received.sets()) std::fill_n(gradient, vocabulary, T(0));
                continue;
            }
            pass(vocabulary, logits.value.row(r), logSumExp.data[r], scale, share, gradient);
            gradient[kept[r]] -= scale * T(1 - smoothing);
        }
    });
    return result;
}

#define HEADLIGHT_INSTANTIATE(T)                                                                             \
    template Variable<T> linear(Tape<T>&, const Variable<T>&, const Variable<T>&, const Variable<T>&);       \
    template Variable<T> embedding(Tape<T>&, std::span<const int>, const Variable<T>&, T);                   \
    template Variable<T> addInPlace(Tape<T>&, const Variable<T>&, const Variable<T>&);                       \
    template Variable<T> concatColumns(Tape<T>&, const Variable<T>&, const Variable<T>&);                    \
    template Variable<T> layerNorm(Tape<T>&, const Variable<T>&, const Variable<T>&, const Variable<T>&, T); \
    template Variable<T> dropout(Tape<T>&, const Variable<T>&, T, uint64_t);                                 \
    template Variable<T> dropoutInPlace(Tape<T>&, const Variable<T>&, T, uint64_t);                          \
    template Variable<T> activationInPlace(Tape<T>&, Activation, const Variable<T>&);                        \
    template CrossEntropyResult crossEntropy(Tape<T>&, const Variable<T>&, std::span<const int>,             \
                                             const CrossEntropyOptions&);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::ops

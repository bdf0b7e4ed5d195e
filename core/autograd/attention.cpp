// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/autograd/operations.h"
#include "core/platform/shared_work.h"
#include "core/tensor/attention_kernels.h"
#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/scattered_attention.h"

namespace headlight::ops {

using blas::gemm;
using enum blas::Transpose;

namespace {

/// One head of one sentence as views: its slices of query, key, value and context, and its [queries, keys] matrix.
template <class T>
struct HeadView {
    const AttentionInput<T>& in;
    int dk;

    Tensor<T> queryRows(const Tensor<T>& all, int b, int h) const {
        return all.rowRange(b * in.queries, in.queries).columns(h * dk, dk);
    }
    /// Of the key or value that the head shares with its neighbours.
    Tensor<T> keyRows(const Tensor<T>& all, int b, int h) const {
        const int own = in.numKeyHeads > 0 ? h * in.numKeyHeads / in.numHeads : h;
        return all.rowRange(b * in.keyStride, in.keys).columns(own * dk, dk);
    }
    Tensor<T> matrix(const Tensor<T>& all, int b, int h) const {
        const size_t size = static_cast<size_t>(in.queries) * static_cast<size_t>(in.keys);
        return {all.data + static_cast<size_t>(b * in.numHeads + h) * size, {in.queries, in.keys}};
    }
};

/// job(sentence, head) for every head of every sentence. Where nobody wants a way back, the heads of long sentences are
/// divided among the processors.
template <class T, class Job>
void forHeads(const Tape<T>& tape, const AttentionInput<T>& in, Job job) {
    constexpr double worthIt = 1 << 24;  // multiplications
    const bool shared =
        !tape.training() && static_cast<double>(in.batch) * in.queries * in.keys * in.query.cols() > worthIt;
    const auto one = [&](int i) { job(i / in.numHeads, i % in.numHeads); };
    const int heads = in.batch * in.numHeads;
    if (shared) return SharedWork::run(heads, one);
    for (int i = 0; i < heads; ++i)
        one(i);
}

/// Query by query, all heads at once, where keys and values lie apart: job(its row, its keys, where its weights begin).
template <class T, class Job>
void forScattered(const AttentionInput<T>& in, const Tensor<T>& all, const Tensor<T>& weights, Job job) {
    const HeadView<T> view{in, 0};
    for (int b = 0; b < in.batch; ++b) {
        const ScatteredRows<T> rows{all.data, static_cast<size_t>(all.ld),
                                    in.keyRows + static_cast<size_t>(b) * static_cast<size_t>(in.keyStride),
                                    static_cast<size_t>(in.keys)};
        for (int q = 0; q < in.queries; ++q)
            job(b * in.queries + q, rows, view.matrix(weights, b, 0).row(q));
    }
}

template <class T>
QueryHeads queryHeads(const AttentionInput<T>& in) {
    const int heads = in.numHeads;
    return {static_cast<size_t>(heads), static_cast<size_t>(in.numKeyHeads > 0 ? in.numKeyHeads : heads),
            static_cast<size_t>(in.query.cols() / heads),
            static_cast<size_t>(in.queries) * static_cast<size_t>(in.keys)};
}

/// scores = Q Kᵀ / √d_k + bias for every head of every sentence.
template <class T>
void computeScores(const Tape<T>& tape, const AttentionInput<T>& in, T scale, const Tensor<T>& scores) {
    const HeadView<T> view{in, in.query.cols() / in.numHeads};
    if (in.keyRows)
        forScattered(in, in.key.value, scores, [&](int row, const ScatteredRows<T>& keys, T* to) {
            scatteredAttention<T>().scores(queryHeads(in), scale, in.query.value.row(row), keys, to);
        });
    else
        forHeads(tape, in, [&](int b, int h) {
            gemm(No, Yes, scale, view.queryRows(in.query.value, b, h), view.keyRows(in.key.value, b, h), T(0),
                 view.matrix(scores, b, h));
        });
    if (!in.bias.value) return;
    const size_t count = in.bias.value.count();
    for (int b = 0; b < in.batch; ++b) {
        T* const own = view.matrix(scores, b, 0).data;
        kernels<T>().add(count, own, in.bias.value.data, own);
    }
}

template <class T>
void capScores(const AttentionInput<T>& in, const Tensor<T>& scores) {
    for (size_t i = 0; i < scores.count(); ++i)
        scores.data[i] = in.scoreCap * std::tanh(scores.data[i] / in.scoreCap);
}

/// The gradient by capped scores becomes that by scores.
template <class T>
void uncapGradient(const AttentionInput<T>& in, const Tensor<T>& capped, const Tensor<T>& gradient) {
    for (size_t i = 0; i < capped.count(); ++i) {
        const T bent = capped.data[i] / in.scoreCap;
        gradient.data[i] *= 1 - bent * bent;
    }
}

/// scores → weights, in place; the mask of a sentence serves all its heads.
template <class T>
void softmaxScores(const Tape<T>& tape, const AttentionInput<T>& in, const Tensor<T>& scores) {
    const HeadView<T> view{in, 0};
    const size_t size = static_cast<size_t>(in.queries) * static_cast<size_t>(in.keys);
    forHeads(tape, in, [&](int b, int h) {
        const T* mask = in.mask ? in.mask.data + static_cast<size_t>(b) * size : nullptr;
        kernels<T>().softmaxRows(in.queries, in.keys, mask, view.matrix(scores, b, h).data);
    });
}

/// context = weights · V for every head of every sentence.
template <class T>
void mixValues(const Tape<T>& tape, const AttentionInput<T>& in, const Tensor<T>& weights, const Tensor<T>& context) {
    if (in.keyRows)
        return forScattered(in, in.value.value, weights, [&](int row, const ScatteredRows<T>& values, T* own) {
            scatteredAttention<T>().mix(queryHeads(in), own, values, context.row(row));
        });
    const HeadView<T> view{in, in.query.cols() / in.numHeads};
    forHeads(tape, in, [&](int b, int h) {
        gemm(No, No, T(1), view.matrix(weights, b, h), view.keyRows(in.value.value, b, h), T(0),
             view.queryRows(context, b, h));
    });
}

template <class T>
void zeroHeads(const AttentionInput<T>& in, const Tensor<T>& context) {
    const HeadView<T> view{in, in.query.cols() / in.numHeads};
    for (int head : in.mutedHeads)
        for (int r = 0; r < context.rows(); ++r)
            std::fill_n(context.row(r) + head * view.dk, view.dk, T(0));
}

/// What the way forward leaves for the way back, all [batch, heads, queries, keys].
template <class T>
struct AttentionKept {
    Tensor<T> weights;
    Tensor<T> dropped;  ///< the same, where some are left out
    Tensor<T> capped;   ///< scores; null where they are not capped
    Tensor<T> scratch;
};

template <class T>
void attentionBackward(const AttentionInput<T>& in, T scale, const AttentionKept<T>& kept,
                       const Tensor<T>& contextGradient) {
    const auto& [weights, dropped, capped, scratch] = kept;
    const HeadView<T> view{in, in.query.cols() / in.numHeads};
    const size_t count = weights.count();
    // context = D V: dD = dC Vᵀ, dV = Dᵀ dC
    for (int b = 0; b < in.batch; ++b)
        for (int h = 0; h < in.numHeads; ++h) {
            const Tensor<T> dC = view.queryRows(contextGradient, b, h);
            gemm(No, Yes, T(1), dC, view.keyRows(in.value.value, b, h), T(0), view.matrix(scratch, b, h));
            gemm(Yes, No, T(1), view.matrix(dropped, b, h), dC, T(1), view.keyRows(in.value.gradient(), b, h));
        }
    if (in.dropout > 0) kernels<T>().dropout(count, in.dropout, in.seed, scratch.data, scratch.data);
    kernels<T>().softmaxRowsBackward(in.batch * in.numHeads * in.queries, in.keys, weights.data, scratch.data,
                                     scratch.data);
    if (capped) uncapGradient(in, capped, scratch);
    if (in.bias.wantsGradient())
        for (int b = 0; b < in.batch; ++b)
            kernels<T>().add(in.bias.value.count(), in.bias.gradient().data, view.matrix(scratch, b, 0).data,
                             in.bias.gradient().data);
    // scores = scale · Q Kᵀ: dQ = scale · dS K, dK = scale · dSᵀ Q
    for (int b = 0; b < in.batch; ++b)
        for (int h = 0; h < in.numHeads; ++h) {
            const Tensor<T> dS = view.matrix(scratch, b, h);
            gemm(No, No, scale, dS, view.keyRows(in.key.value, b, h), T(1), view.queryRows(in.query.gradient(), b, h));
            gemm(Yes, No, scale, dS, view.queryRows(in.query.value, b, h), T(1), view.keyRows(in.key.gradient(), b, h));
        }
}

/// Short sentences in training, of which nobody watches the scores: each head in one go, in the cache.
template <class T>
bool suitsHeadKernel(const Tape<T>& tape, const AttentionInput<T>& in) {
    return tape.training() && !in.onScores && !in.onWeights && !in.bias.value && in.scoreCap == 0 &&
           in.mutedHeads.empty() && attentionKernels<T>().suits(in.queries, in.keys, in.query.cols() / in.numHeads);
}

/// Attention of all heads of all sentences by the kernel for one of them.
template <class T>
struct HeadByHead {
    AttentionInput<T> in;
    T scale;
    Variable<T> context;
    Tensor<T> mask;     ///< [queries, padded keys]: a sentence's
    Tensor<T> weights;  ///< [batch·heads, queries, padded keys]
    Tensor<T> scratch;

    HeadByHead(Tape<T>& tape, const AttentionInput<T>& input, T factor)
        : in(input), scale(factor), context(tape.variable({in.batch * in.queries, in.query.cols()})) {
        const int padded = attentionKernels<T>().paddedKeys(in.keys);
        mask = tape.allocate({in.queries, padded});
        weights = tape.allocate({in.batch * in.numHeads, in.queries, padded});
        scratch = tape.allocate(
            {static_cast<int>(attentionKernels<T>().scratch(in.queries, in.keys, in.query.cols() / in.numHeads))});
    }

    AttentionHead<T> head(int b, int h) const {
        const HeadView<T> view{in, in.query.cols() / in.numHeads};
        const size_t place = static_cast<size_t>(b) * static_cast<size_t>(in.numHeads) + static_cast<size_t>(h);
        AttentionHead<T> result;
        result.query = view.queryRows(in.query.value, b, h);
        result.key = view.keyRows(in.key.value, b, h);
        result.value = view.keyRows(in.value.value, b, h);
        result.mask = mask.data;
        result.scale = scale;
        result.dropout = in.dropout;
        result.seed = in.seed;
        result.firstWeight = place * static_cast<size_t>(in.queries) * static_cast<size_t>(in.keys);
        result.weights = weights.data + place * mask.count();
        result.scratch = scratch.data;
        return result;
    }

    void forward() const {
        const HeadView<T> view{in, in.query.cols() / in.numHeads};
        const size_t size = static_cast<size_t>(in.queries) * static_cast<size_t>(in.keys);
        for (int b = 0; b < in.batch; ++b) {
            const T* own = in.mask ? in.mask.data + static_cast<size_t>(b) * size : nullptr;
            attentionKernels<T>().padMask(in.queries, in.keys, own, mask.data);
            for (int h = 0; h < in.numHeads; ++h) {
                AttentionHead<T> each = head(b, h);
                each.context = view.queryRows(context.value, b, h);
                attentionKernels<T>().forward(each);
            }
        }
    }

    /// Queries, keys and values are columns of one gradient or of several. Where the heads' parts fill it and nothing
    /// was added yet, they are set and need no zeros.
    bool fills(const Variable<T>& variable) const {
        if (!variable.memory->fresh || in.keyStride != in.keys) return false;
        if (in.numKeyHeads > 0 && in.numKeyHeads != in.numHeads) return false;
        size_t filled = 0;
        for (const Variable<T>* part : {&in.query, &in.key, &in.value})
            if (part->memory == variable.memory) filled += part->value.count();
        return filled == variable.memory->count && in.query.value.data != in.key.value.data;
    }

    void backward() const {
        const HeadView<T> view{in, in.query.cols() / in.numHeads};
        context.prepareGradient();
        const std::array<const Variable<T>*, 3> inputs{&in.query, &in.key, &in.value};
        std::array<bool, 3> adds{};
        std::ranges::transform(inputs, adds.begin(), [&](const Variable<T>* each) { return !fills(*each); });
        for (size_t i = 0; i < inputs.size(); ++i)
            adds[i] ? inputs[i]->prepareGradient() : inputs[i]->takeGradient();
        for (int b = 0; b < in.batch; ++b)
            for (int h = 0; h < in.numHeads; ++h) {
                AttentionHead<T> each = head(b, h);
                each.context = view.queryRows(context.gradient(), b, h);
                each.dQuery = {view.queryRows(in.query.gradient(), b, h), adds[0]};
                each.dKey = {view.keyRows(in.key.gradient(), b, h), adds[1]};
                each.dValue = {view.keyRows(in.value.gradient(), b, h), adds[2]};
                attentionKernels<T>().backward(each);
            }
    }
};

}  // namespace

template <class T>
AttentionOutput<T> attention(Tape<T>& tape, const AttentionInput<T>& in) {
    assert(in.query.cols() % in.numHeads == 0 && in.keyStride >= in.keys);
    assert(!in.keyRows || !tape.training());
    assert(in.numKeyHeads == 0 || in.numHeads % in.numKeyHeads == 0);
    const HeadView<T> view{in, in.query.cols() / in.numHeads};
    const T scale = (in.scaled ? T(1) / std::sqrt(static_cast<T>(view.dk)) : T(1)) * in.scoreFactor;
    if (suitsHeadKernel(tape, in)) {
        const HeadByHead<T> heads(tape, in, scale);
        heads.forward();
        tape.onBackward([heads] { heads.backward(); });
        return {heads.context, {}};
    }
    const Tensor<T> weights = tape.allocate({in.batch, in.numHeads, in.queries, in.keys});

    computeScores(tape, in, scale, weights);
    if (in.onScores) in.onScores(in.observer, weights);
    Tensor<T> capped;
    if (in.scoreCap > 0) {
        capScores(in, weights);
        if (in.onCapped) in.onCapped(in.observer, weights);
        if (tape.training()) {
            capped = tape.allocate(weights.shape);
            std::copy_n(weights.data, weights.count(), capped.data);
        }
    }
    softmaxScores(tape, in, weights);
    if (in.onWeights) in.onWeights(in.observer, weights);

    Tensor<T> dropped = weights;
    const bool drops = tape.training() && in.dropout > 0;
    if (drops) {
        dropped = tape.allocate(weights.shape);
        kernels<T>().dropout(weights.count(), in.dropout, in.seed, weights.data, dropped.data);
    }
    const Variable<T> context = tape.variable({in.batch * in.queries, in.query.cols()});
    mixValues(tape, in, dropped, context.value);
    zeroHeads(in, context.value);

    if (tape.training()) {
        const AttentionKept<T> kept{weights, dropped, capped, tape.allocate(weights.shape)};
        tape.onBackward([=] {
            for (const Variable<T>* variable : {&context, &in.query, &in.key, &in.value, &in.bias})
                variable->prepareGradient();
            attentionBackward(in, scale, kept, context.gradient());
        });
    }
    return {context, weights};
}

template AttentionOutput<float> attention(Tape<float>&, const AttentionInput<float>&);
template AttentionOutput<double> attention(Tape<double>&, const AttentionInput<double>&);

}  // namespace headlight::ops

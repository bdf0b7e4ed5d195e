// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/autograd/recurrent.h"

#include "core/tensor/blas.h"
#include "core/tensor/kernels.h"
#include "core/tensor/recurrent_kernels.h"

namespace headlight {

int gatesOf(Cell cell) {
    return cell == Cell::Rnn ? 1 : cell == Cell::Gru ? 3 : 4;
}

namespace ops {

using blas::gemm;
using enum blas::Transpose;

namespace {

/// One step's rows of everything that the cells read and write. A null tensor stays null.
template <class T>
struct Run {
    RecurrentInput<T> in;
    Variable<T> hidden, cell;
    Tensor<T> tanhCell;   ///< [steps·batch, h], LSTM
    Tensor<T> state;      ///< [steps·batch, 3h], GRU: h₋₁ W_hhᵀ + b_hh
    Tensor<T> dState;     ///< its gradient
    Tensor<T> candidate;  ///< [batch, h], GRU: x_n of the step, where somebody may change its gates
    int width = 0;        ///< h

    Tensor<T> step(const Tensor<T>& all, int t) const {
        return all ? all.rowRange(t * in.batch, in.batch) : Tensor<T>();
    }
    Tensor<T> previous(const Tensor<T>& all, const Tensor<T>& start, int t) const {
        return t > 0 ? step(all, t - 1) : start;
    }

    void forwardLstm(int t) const {
        recurrentKernels<T>().lstm(in.batch, width, step(in.gates.value, t).data,
                                   previous(cell.value, in.cell0.value, t).data, step(cell.value, t).data,
                                   step(tanhCell, t).data, step(hidden.value, t).data);
    }

    void forward() const {
        for (int t = 0; t < in.steps; ++t) {
            const Tensor<T> before = previous(hidden.value, in.hidden0.value, t), gates = step(in.gates.value, t);
            if (in.cell == Cell::Gru) {
                const Tensor<T> sum = step(state, t);
                for (int row = 0; row < in.batch; ++row)
                    std::copy_n(in.stateBias.value.data, 3 * width, sum.row(row));
                if (before) gemm(No, Yes, T(1), before, in.weight.value, T(1), sum);
            } else if (before) {
                gemm(No, Yes, T(1), before, in.weight.value, T(1), gates);
            }
            if (in.onStep && in.cell == Cell::Gru)  // the kernel takes what the candidate is made of
                for (int row = 0; row < in.batch; ++row)
                    std::copy_n(gates.row(row) + 2 * width, width, candidate.row(row));
            forwardCell(t);
            if (in.onStep) changeStep(t);
        }
    }

    void forwardCell(int t) const {
        const Tensor<T> gates = step(in.gates.value, t);
        if (in.cell == Cell::Lstm)
            forwardLstm(t);
        else if (in.cell == Cell::Gru)
            recurrentKernels<T>().gru(in.batch, width, gates.data, step(state, t).data,
                                      previous(hidden.value, in.hidden0.value, t).data, step(hidden.value, t).data);
        else
            recurrentKernels<T>().elman(in.batch, width, gates.data, step(hidden.value, t).data);
    }

    bool isChanged(RecurrentValue value, int t, const Tensor<T>& numbers) const {
        return in.onStep(in.observer, value, t, numbers);
    }
    bool isGateChanged(int gate, int t) const {
        return isChanged({RecurrentValue::Kind::Gate, gate}, t, step(in.gates.value, t).columns(gate * width, width));
    }

    /// Shows what the step has made, and makes the rest of it anew behind a change.
    void changeStep(int t) const {
        if (in.cell == Cell::Lstm) changeLstm(t);
        if (in.cell == Cell::Gru) changeGru(t);
        isChanged({RecurrentValue::Kind::Hidden}, t, step(hidden.value, t));
    }

    /// set(row, unit) for all of a step.
    template <class Set>
    void forUnits(Set set) const {
        for (int row = 0; row < in.batch; ++row)
            for (int unit = 0; unit < width; ++unit)
                set(row, unit);
    }

    void changeLstm(int t) const {
        const Tensor<T> gates = step(in.gates.value, t), c = step(cell.value, t), squashed = step(tanhCell, t);
        const Tensor<T> before = previous(cell.value, in.cell0.value, t), h = step(hidden.value, t);
        bool anew = false;
        for (int gate = 0; gate < 4; ++gate)
            anew = isGateChanged(gate, t) || anew;
        if (anew)
            forUnits([&](int row, int u) {
                const T* const gate = gates.row(row);
                c.at(row, u) = (before ? gate[width + u] * before.at(row, u) : T(0)) + gate[u] * gate[2 * width + u];
            });
        anew = isChanged({RecurrentValue::Kind::Cell}, t, c) || anew;
        if (!anew) return;
        recurrentKernels<T>().tanh(c.count(), c.data, squashed.data);
        forUnits([&](int row, int u) { h.at(row, u) = gates.row(row)[3 * width + u] * squashed.at(row, u); });
    }

    void changeGru(int t) const {
        const Tensor<T> gates = step(in.gates.value, t), sum = step(state, t), h = step(hidden.value, t);
        const Tensor<T> before = previous(hidden.value, in.hidden0.value, t);
        const bool reset = isGateChanged(0, t);
        bool anew = isGateChanged(1, t) || reset;
        if (reset)
            for (int row = 0; row < in.batch; ++row) {
                T* const n = gates.row(row) + 2 * width;
                for (int u = 0; u < width; ++u)
                    n[u] = candidate.at(row, u) + gates.row(row)[u] * sum.row(row)[2 * width + u];
                recurrentKernels<T>().tanh(static_cast<size_t>(width), n, n);
            }
        anew = isGateChanged(2, t) || anew;
        if (!anew) return;
        forUnits([&](int row, int u) {
            const T z = gates.row(row)[width + u];
            h.at(row, u) = (T(1) - z) * gates.row(row)[2 * width + u] + (before ? z * before.at(row, u) : T(0));
        });
    }

    /// Gradients of the gates before their activation, of the state's product (GRU), and of c₋₁.
    void backwardCell(int t) const {
        const Tensor<T> before = previous(hidden.value, in.hidden0.value, t);
        const Tensor<T> gates = step(in.gates.value, t), dGates = step(in.gates.gradient(), t);
        const Tensor<T> dHidden = step(hidden.gradient(), t);
        const RecurrentKernels<T>& kernel = recurrentKernels<T>();
        if (in.cell == Cell::Lstm)
            kernel.lstmBackward(in.batch, width, gates.data, previous(cell.value, in.cell0.value, t).data,
                                step(tanhCell, t).data, dHidden.data, step(cell.gradient(), t).data, dGates.data,
                                previous(cell.gradient(), in.cell0.gradient(), t).data);
        else if (in.cell == Cell::Gru)
            kernel.gruBackward(in.batch, width, gates.data, step(state, t).data, before.data, dHidden.data, dGates.data,
                               step(dState, t).data, previous(hidden.gradient(), in.hidden0.gradient(), t).data);
        else
            kernel.elmanBackward(in.batch, width, gates.data, dHidden.data, dGates.data);
    }

    void backward() const {
        for (const Variable<T>* variable : {&hidden, &cell, &in.hidden0, &in.cell0, &in.stateBias})
            variable->prepareGradient();
        in.gates.receiveGradient();  // nothing else reads the gates: their gradient is set
        const Tensor<T> dProduct = in.cell == Cell::Gru ? dState : in.gates.gradient();
        for (int t = in.steps - 1; t >= 0; --t) {
            backwardCell(t);
            const Tensor<T> dBefore = previous(hidden.gradient(), in.hidden0.gradient(), t);
            if (dBefore) gemm(No, No, T(1), step(dProduct, t), in.weight.value, T(1), dBefore);
        }
        if (!in.weight.wantsGradient()) return;
        const auto toWeight = [&](const Tensor<T>& from, const Tensor<T>& by) {
            const auto [factor, dWeight] = in.weight.receiveGradient();
            gemm(Yes, No, T(1), from, by, factor, dWeight);
        };
        const int rest = (in.steps - 1) * in.batch;
        if (rest > 0) toWeight(dProduct.rowRange(in.batch, rest), hidden.value.rowRange(0, rest));
        if (in.hidden0.value) toWeight(dProduct.rowRange(0, in.batch), in.hidden0.value);
        if (in.cell == Cell::Gru)
            kernels<T>().addColumnSums(in.steps * in.batch, 3 * width, dProduct.data, in.stateBias.gradient().data);
    }
};

/// Sentence b's part of queries, keys and their matrix.
template <class T>
Tensor<T> part(const Tensor<T>& all, int b, int rows) {
    return all.rowRange(b * rows, rows);
}

}  // namespace

template <class T>
RecurrentOutput<T> recurrent(Tape<T>& tape, const RecurrentInput<T>& input) {
    const int rows = input.steps * input.batch;
    Run<T> run;
    run.in = input;
    run.width = input.weight.cols();
    assert(input.gates.rows() == rows && input.gates.cols() == gatesOf(input.cell) * run.width);
    run.hidden = tape.variable({rows, run.width});
    if (input.cell == Cell::Lstm) {
        run.cell = tape.variable({rows, run.width});
        run.tanhCell = tape.allocate({rows, run.width});
    }
    if (input.cell == Cell::Gru) {
        run.state = tape.allocate({rows, 3 * run.width});
        if (tape.training()) run.dState = tape.allocate({rows, 3 * run.width});
        if (input.onStep) run.candidate = tape.allocate({input.batch, run.width});
    }
    run.forward();
    tape.onBackward([run] { run.backward(); });
    return {run.hidden, run.cell, input.gates.value};
}

template <class T>
Variable<T> tanh(Tape<T>& tape, const Variable<T>& x) {
    assert(x.value.packed());
    const Variable<T> y = tape.variable(x.shape());
    const size_t n = x.value.count();
    recurrentKernels<T>().tanh(n, x.value.data, y.value.data);
    tape.onBackward([=] {
        y.prepareGradient();
        x.prepareGradient();
        recurrentKernels<T>().tanhBackward(n, y.value.data, y.gradient().data, x.gradient().data);
    });
    return y;
}

template <class T>
Variable<T> gatherRows(Tape<T>& tape, const Variable<T>& x, std::span<const int> rows) {
    const int count = static_cast<int>(rows.size());
    const size_t width = static_cast<size_t>(x.cols());
    const Variable<T> y = tape.variable({count, x.cols()});
    const int* kept = tape.keep(rows);
    for (int i = 0; i < count; ++i)
        std::copy_n(x.value.row(kept[i]), width, y.value.row(i));
    if (!x.wantsGradient()) return y;
    tape.onBackward([=] {
        y.prepareGradient();
        x.prepareGradient();
        for (int i = 0; i < count; ++i)
            kernels<T>().axpy(width, T(1), y.gradient().row(i), x.gradient().row(kept[i]));
    });
    return y;
}

template <class T>
Variable<T> dotScores(Tape<T>& tape, const Variable<T>& query, const Variable<T>& key, T scale,
                      const AlignmentShape& shape) {
    assert(query.cols() == key.cols());
    const Variable<T> scores = tape.variable({shape.batch * shape.queries, shape.keys});
    for (int b = 0; b < shape.batch; ++b)
        gemm(No, Yes, scale, part(query.value, b, shape.queries), part(key.value, b, shape.keys), T(0),
             part(scores.value, b, shape.queries));
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&scores, &query, &key})
            variable->prepareGradient();
        for (int b = 0; b < shape.batch; ++b) {
            const Tensor<T> dScores = part(scores.gradient(), b, shape.queries);
            gemm(No, No, scale, dScores, part(key.value, b, shape.keys), T(1),
                 part(query.gradient(), b, shape.queries));
            gemm(Yes, No, scale, dScores, part(query.value, b, shape.queries), T(1),
                 part(key.gradient(), b, shape.keys));
        }
    });
    return scores;
}

template <class T>
Variable<T> additiveScores(Tape<T>& tape, const Variable<T>& query, const Variable<T>& key, const Variable<T>& v,
                           const AlignmentShape& shape) {
    assert(query.cols() == key.cols() && v.value.count() == static_cast<size_t>(key.cols()));
    const size_t width = static_cast<size_t>(query.cols());
    const int rows = shape.batch * shape.queries;
    const Variable<T> scores = tape.variable({rows, shape.keys});
    // tanh(q + k) of every pair: row (b·queries + t)·keys + s.
    const Tensor<T> squashed = tape.allocate({rows * shape.keys, query.cols()});
    const auto keyRow = [=](int row, int s) { return row / shape.queries * shape.keys + s; };
    for (int row = 0; row < rows; ++row)
        for (int s = 0; s < shape.keys; ++s)
            kernels<T>().add(width, query.value.row(row), key.value.row(keyRow(row, s)),
                             squashed.row(row * shape.keys + s));
    recurrentKernels<T>().tanh(squashed.count(), squashed.data, squashed.data);
    for (int row = 0; row < rows; ++row)
        for (int s = 0; s < shape.keys; ++s)
            scores.value.at(row, s) = kernels<T>().dot(width, squashed.row(row * shape.keys + s), v.value.data);
    if (!tape.training()) return scores;

    const Tensor<T> slope = tape.allocate({1, query.cols()});
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&scores, &query, &key, &v})
            variable->prepareGradient();
        for (int row = 0; row < rows; ++row)
            for (int s = 0; s < shape.keys; ++s) {
                const T gradient = scores.gradient().at(row, s);
                const T* y = squashed.row(row * shape.keys + s);
                kernels<T>().axpy(width, gradient, y, v.gradient().data);
                std::fill_n(slope.data, width, T(0));
                recurrentKernels<T>().tanhBackward(width, y, v.value.data, slope.data);
                kernels<T>().axpy(width, gradient, slope.data, query.gradient().row(row));
                kernels<T>().axpy(width, gradient, slope.data, key.gradient().row(keyRow(row, s)));
            }
    });
    return scores;
}

template <class T>
AlignmentOutput<T> attend(Tape<T>& tape, const Variable<T>& scores, const Variable<T>& values, const Tensor<T>& mask,
                          const AlignmentShape& shape, void (*onWeights)(void*, const Tensor<T>&), void* observer) {
    const int rows = shape.batch * shape.queries;
    const Variable<T> weights = tape.variable({rows, shape.keys});
    std::copy_n(scores.value.data, scores.value.count(), weights.value.data);
    kernels<T>().softmaxRows(rows, shape.keys, mask.data, weights.value.data);
    if (onWeights) onWeights(observer, weights.value);
    const Variable<T> context = tape.variable({rows, values.cols()});
    for (int b = 0; b < shape.batch; ++b)
        gemm(No, No, T(1), part(weights.value, b, shape.queries), part(values.value, b, shape.keys), T(0),
             part(context.value, b, shape.queries));
    tape.onBackward([=] {
        for (const Variable<T>* variable : {&context, &weights, &values, &scores})
            variable->prepareGradient();
        for (int b = 0; b < shape.batch; ++b) {
            const Tensor<T> dContext = part(context.gradient(), b, shape.queries);
            gemm(No, Yes, T(1), dContext, part(values.value, b, shape.keys), T(1),
                 part(weights.gradient(), b, shape.queries));
            gemm(Yes, No, T(1), part(weights.value, b, shape.queries), dContext, T(1),
                 part(values.gradient(), b, shape.keys));
        }
        kernels<T>().softmaxRowsBackward(rows, shape.keys, weights.value.data, weights.gradient().data,
                                         weights.gradient().data);
        kernels<T>().add(scores.gradient().count(), scores.gradient().data, weights.gradient().data,
                         scores.gradient().data);
    });
    return {context, weights};
}

#define HEADLIGHT_INSTANTIATE(T)                                                                                \
    template RecurrentOutput<T> recurrent(Tape<T>&, const RecurrentInput<T>&);                                  \
    template Variable<T> tanh(Tape<T>&, const Variable<T>&);                                                    \
    template Variable<T> gatherRows(Tape<T>&, const Variable<T>&, std::span<const int>);                        \
    template Variable<T> dotScores(Tape<T>&, const Variable<T>&, const Variable<T>&, T, const AlignmentShape&); \
    template Variable<T> additiveScores(Tape<T>&, const Variable<T>&, const Variable<T>&, const Variable<T>&,   \
                                        const AlignmentShape&);                                                 \
    template AlignmentOutput<T> attend(Tape<T>&, const Variable<T>&, const Variable<T>&, const Tensor<T>&,      \
                                       const AlignmentShape&, void (*)(void*, const Tensor<T>&), void*);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace ops
}  // namespace headlight

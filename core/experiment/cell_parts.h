// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// What a recurrent layer's cell read at a word: c or h of the word before, or what the layer began with (zeros; or in
/// a decoder what the encoder's layer of that number ended with). `part` is Part::Cell or Part::State, [width].
std::vector<float> stateBefore(const TrainedModel& model, const Trace& trace, const Module& layer, Part part, int word);

/// One value of every unit of a cell at one word.
struct CellColumn {
    enum class Kind {
        Before,       ///< c₋₁ of an LSTM, h₋₁ of the others
        Forget,       ///< f
        Kept,         ///< f ⊙ c₋₁, z ⊙ h₋₁
        Input,        ///< i
        Candidate,    ///< g of an LSTM, n of a GRU
        Written,      ///< i ⊙ g, (1 − z) ⊙ n
        Memory,       ///< c
        Squashed,     ///< tanh c
        Output,       ///< o
        State,        ///< h
        Reset,        ///< r
        Recall,       ///< U_n h₋₁ + b_n, which the reset gate multiplies
        ResetRecall,  ///< the product
        Update,       ///< z
        Complement,   ///< 1 − z
        Word,         ///< W x, of a plain network as what follows
        Past,         ///< U h₋₁
        Bias,         ///< b
        Sum,          ///< W x + U h₋₁ + b
    };
    enum class Range {
        Share,     ///< 0 to 1: a gate
        Squashed,  ///< −1 to 1
        Open,      ///< any number
    };
    Kind kind = Kind::State;
    Range range = Range::Squashed;
    std::vector<double> values;  ///< of each unit
};

/// How one gate (or candidate, or a plain network's state) of one unit comes about. Its sum is
/// word + reset · (past + pastBias) + bias; `reset` is 1 wherever no reset gate stands before the bracket.
struct GateSum {
    Part gate = Part::State;
    bool isTanh = false;  ///< else σ
    double word = 0;      ///< W x
    double past = 0;      ///< U h₋₁
    double bias = 0;      ///< of a GRU's gates both biases
    double pastBias = 0;  ///< in the bracket of a GRU's candidate
    double reset = 1;
    double sum = 0;
    double value = 0;  ///< σ or tanh of the sum
};

/// One layer of a recurrent model in one direction, unit by unit (Elman 1990; Hochreiter and Schmidhuber 1997, with the
/// forget gate of Gers, Schmidhuber and Cummins 2000; Cho et al. 2014). Everything is computed in double precision from
/// what the trace and the weights hold. Points at both; whoever keeps it keeps them.
class CellParts {
public:
    /// `layer` is a recurrent module of the trace.
    CellParts(const TrainedModel& model, const Trace& trace, const Module& layer);

    Cell cell() const { return m_layer->cell; }
    int words() const;
    int units() const { return m_layer->width; }

    /// What stands side by side in the cell at a word (from 0), in the order of computation.
    std::vector<CellColumn> columns(int word) const;
    /// Of one unit, in the order f i g o, r z n, or h alone.
    std::vector<GateSum> sums(int word, int unit) const;

    /// What one unit does at a word: f or z (of a plain network nothing: 0), i·g or (1 − z)·n (of a plain network h),
    /// and what it keeps, c or h.
    struct Moment {
        double share = 0, written = 0, memory = 0;
    };
    std::vector<Moment> story(int unit) const;
    /// The share of what was there that each unit keeps at a word, f or z; empty where there is no such gate.
    std::vector<double> shares(int word) const;

private:
    std::vector<double> row(Part part, int word) const;
    double at(Part part, int word, int unit) const;
    std::vector<double> read(int word) const;
    Tensor<const float> weight(const TraceRecord& record, UsedWeight::As as) const;
    GateSum sum(Part part, const std::vector<double>& x, const std::vector<double>& before, int word, int unit) const;
    std::vector<CellColumn> lstm(int word) const;
    std::vector<CellColumn> gru(int word) const;
    std::vector<CellColumn> plain(int word) const;

    const TrainedModel* m_model;
    const Trace* m_trace;
    const Module* m_layer;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

/// What an axis of a traced value counts; a view labels the axis from it.
enum class Axis {
    Head,         ///< attention heads
    SourceToken,  ///< positions of the source sentence
    TargetToken,  ///< positions of the decoder's input
    Feature,      ///< dimensions of a vector: d_model, d_k, d_ff
    Vocabulary,   ///< entries of the target vocabulary
};

/// The operation that made a value. Its name, formula and inputs: see describe().
enum class Operation {
    Input,               ///< token ids
    Embedding,           ///< rows of the embedding matrix, times sqrt(d_model) where the model scales them
    PositionalEncoding,  ///< rows of the positional table
    Add,                 ///< sum of its two inputs
    Linear,              ///< x W^T + b
    AttentionScores,     ///< Q K^T / sqrt(d_k)
    Mask,                ///< 0 where a key may be looked at, -inf where not
    Softmax,             ///< of scores + mask, along the keys
    WeightedSum,         ///< weights V
    Concat,              ///< the heads side by side
    LayerNorm,
    Activation,  ///< ReLU or GELU
    LogSoftmax,
    Gate,            ///< σ of a linear map of input and state
    Candidate,       ///< tanh of one
    CellState,       ///< f ⊙ c₋₁ + i ⊙ g
    HiddenState,     ///< what the gates make of it
    Tanh,            ///< tanh(x W^T + b)
    DotScores,       ///< s · h, or s · W h
    AdditiveScores,  ///< v · tanh(W_k h + W_q s)
    Identity,        ///< its input, passed on under another name: all of it, or its last row
};

/// Name, formula (TeX) and one sentence for an operation, for captions and tool tips.
struct OperationDescription {
    std::string_view name;
    std::string_view formula;
    std::string_view sentence;
};
OperationDescription describe(Operation operation);

/// One named value of a forward pass. `values` is row-major in `shape`; integer values (ids) are held as floats, exact
/// up to 2^24.
struct TraceRecord {
    std::string name;  ///< CONTRACTS, section 3: `decoder.layers.1.cross_attn.weights`
    Operation operation = Operation::Input;
    std::vector<Axis> axes;  ///< one for each dimension
    std::vector<int> shape;  ///< no batch dimension: one sentence
    std::vector<float> values;
    std::vector<std::string> inputs;  ///< names of the records it was computed from, in the formula's order

    int dim(int axis) const { return shape[static_cast<size_t>(axis)]; }
    /// The matrix [rows, columns] of one head of a [H, rows, columns] value.
    std::span<const float> head(int index) const;
};

/// Every intermediate value of one forward pass of one sentence, in the order of computation. Immutable once made:
/// views share it through `std::shared_ptr<const Trace>`.
class Trace {
public:
    void append(TraceRecord record);

    const std::vector<TraceRecord>& records() const { return m_records; }
    bool empty() const { return m_records.empty(); }
    /// The record of that name, or nullptr.
    const TraceRecord* find(std::string_view name) const;
    /// The record of that name; throws Error where there is none.
    const TraceRecord& at(std::string_view name) const;
    /// Its place in records(), or -1.
    int indexOf(std::string_view name) const;

    /// What the rows and columns stand for: source words, and decoder-input words (from <bos> on).
    std::vector<std::string> sourceTokens;
    std::vector<std::string> targetTokens;

private:
    std::vector<TraceRecord> m_records;
    std::unordered_map<std::string, int> m_index;
};

}  // namespace headlight

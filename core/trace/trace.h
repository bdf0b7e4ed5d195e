// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/module.h"

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
    Add,                 ///< sum of its inputs
    Linear,              ///< x W^T + b
    AttentionScores,     ///< Q K^T / sqrt(d_k), and the third input where there is one
    Mask,                ///< 0 where a key may be looked at, -inf where not
    Softmax,             ///< of scores + mask, along the keys
    WeightedSum,         ///< weights V
    Concat,              ///< the heads side by side
    LayerNorm,
    RmsNorm,
    Activation,    ///< ReLU, GELU or SiLU
    Multiply,      ///< its two inputs, number by number
    Rotation,      ///< pairs of numbers turned by an angle that grows with the position
    RelativeBias,  ///< a learned number for the distance from query to key
    SoftCap,       ///< c tanh(x / c)
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

/// Which of its module's values a record is.
enum class Part {
    Ids,        ///< of the tokens that are read
    Embedding,  ///< of each token
    TypeIds,    ///< of the segments that the tokens stand in
    TypeEmbedding,
    Positions,  ///< of each position
    Sum,        ///< of what tells word and place, before its norm
    Input,      ///< what the first layer reads
    Query,
    Key,
    Value,
    NormedQuery,  ///< each head's divided by its size
    NormedKey,
    RotatedQuery,  ///< turned by its position
    RotatedKey,
    RelativeBias,  ///< of each query and key
    Scores,
    CappedScores,
    Mask,
    Weights,
    Heads,    ///< what each head mixes
    Concat,   ///< the heads side by side
    Context,  ///< what a recurrent decoder's attention mixes
    Hidden,   ///< inside of a feed-forward network, before its activation
    Activation,
    Up,     ///< what the activation is multiplied by
    Gated,  ///< the product
    InputGate,
    ForgetGate,
    OutputGate,
    ResetGate,
    UpdateGate,
    Candidate,
    Cell,
    State,
    Thought,   ///< what an encoder hands on of a whole sentence
    Residual,  ///< the sum of a sublayer and what went around it
    Norm,
    NormedOutput,  ///< norm of what a sublayer makes, which is added then
    Output,        ///< what the module hands on, where no part above is it
    UncappedLogits,
    Logits,
    LogProbs,
};

/// A weight that a value was made with, and what it does there.
struct UsedWeight {
    enum class As {
        Matrix,  ///< of the value's input; row firstRow + c makes column c, of head h row firstRow + h·columns + c
        Bias,    ///< likewise
        StateMatrix,  ///< of the recurrent state before
        StateBias,
        Table,  ///< looked up row by row, from firstRow on
        Scale,  ///< γ of a norm
        Shift,  ///< β
        QueryMap,
        KeyMap,
        Energy,  ///< v of additive scores
    };
    As as = As::Matrix;
    int parameter = -1;  ///< its ParameterId in the model that made the trace
    int firstRow = 0;
    double plus = 0;  ///< added to each of its numbers: a norm's scale may be 1 + γ
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

    // Not in a trace file, which has names and numbers: what the module itself told when it recorded.
    ModuleRef module = {};  ///< that made it; every value that a model records has one
    Part part = Part::Output;
    std::vector<UsedWeight> weights = {};  ///< of the model
    double factor = 1;                     ///< in the formula: √d_model of an embedding, 1/√d_k of scores, the cap

    /// `module`; of a record that was made by hand and has none, one that says nothing.
    const Module& owner() const;
    /// Is it this part of a module of that kind?
    bool is(ModuleKind kind, Part which) const { return part == which && owner().kind == kind; }
    /// The weight that is used so, or nullptr.
    const UsedWeight* weight(UsedWeight::As as) const;
    int dim(int axis) const { return shape[static_cast<size_t>(axis)]; }
    /// The values of a record of ids.
    std::vector<int> ids() const { return {values.begin(), values.end()}; }
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
    /// That part of a module's values, or nullptr.
    const TraceRecord* find(const Module& module, Part part) const;

    /// What the rows and columns stand for, as it is drawn (Tokenizer::display()): source words, and decoder-input
    /// words (from <bos> on).
    std::vector<std::string> sourceTokens;
    std::vector<std::string> targetTokens;
    /// The same as the vocabulary writes it (Tokenizer::written()): what files say, and by what tokens are told apart.
    /// May be left empty where they are drawn as they are written.
    std::vector<std::string> sourceWritten;
    std::vector<std::string> targetWritten;
    const std::vector<std::string>& writtenSource() const {
        return sourceWritten.empty() ? sourceTokens : sourceWritten;
    }
    const std::vector<std::string>& writtenTarget() const {
        return targetWritten.empty() ? targetTokens : targetWritten;
    }
    /// What a decoder writes behind the last of them: the end, or the last word of a translation that was cut off.
    struct LastWord {
        int id = -1;
        std::string token = "<eos>";
    } lastWritten;
    /// What a decoder writes at a row.
    const std::string& written(size_t row) const {
        return row + 1 < targetTokens.size() ? targetTokens[row + 1] : lastWritten.token;
    }

private:
    std::vector<TraceRecord> m_records;
    std::unordered_map<std::string, int> m_index;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/nn/layers.h"

namespace headlight {

/// How a model learns where a word stands. The last two tell it to attention alone, not to the words' vectors.
enum class PositionalKind {
    Sinusoidal,
    Learned,
    None,
    Rotary,    ///< queries and keys turned by an angle that grows with the position (Su et al. 2021)
    Relative,  ///< a learned number for each distance, added to the scores (Raffel et al. 2020: T5)
};
enum class PositionalCombine { Add, Concat };

/// Where the cosines of a sinusoidal table stand.
enum class SinusoidLayout {
    Interleaved,  ///< sine, cosine, sine, …: the paper's
    Halves,       ///< all sines, then all cosines: Marian's
};

/// PE(pos, 2i) = sin(pos / base^(2i/width)), PE(pos, 2i+1) = cos of the same (Vaswani et al. 2017, section 3.5); in
/// halves the same numbers, all sines first. → [length, width], row-major.
std::vector<float> sinusoidalTable(int length, int width, double base,
                                   SinusoidLayout layout = SinusoidLayout::Interleaved);

/// Tells the model where each word stands. Shape: embeddings [batch·length, e] → [batch·length, d_model]; with `Add`
/// e = d_model, with `Concat` the embedding and the encoding are d_model/2 wide each and stand side by side.
/// Kinds without rows for positions hand the embeddings on. Traced: positional_encoding (where there is one),
/// embedding_sum (where a norm follows it), input.
class PositionalEncoding {
public:
    struct Options {
        PositionalKind kind = PositionalKind::Sinusoidal;
        PositionalCombine combine = PositionalCombine::Add;
        double base = 10000;
        int width = 0;      ///< of the encoding
        int maxLength = 0;  ///< positions that there are
        SinusoidLayout layout = SinusoidLayout::Interleaved;
        int offset = 0;  ///< row of the first position, of a learned table
    };
    /// Which rows of the table are asked for.
    struct Rows {
        Stack stack = Stack::Only;  ///< that reads
        int length = 0;             ///< of each sentence
        int first = 0;              ///< position of its first word
        Axis tokens = Axis::SourceToken;
    };
    /// What else becomes part of the layers' input.
    struct Beside {
        Value types = {};            ///< vectors of the words' types, added
        const Norm* norm = nullptr;  ///< of the sum
    };

    /// Makes a weight `name` [maxLength + offset, width] where positions are learned. `stacks`: those that read with
    /// it, and their scopes in the trace.
    PositionalEncoding(ParameterSet& parameters, const std::string& name, const Options& options,
                       const std::vector<std::pair<Stack, std::string>>& stacks);

    Value forward(ForwardContext& context, const Value& embedded, const Rows& rows, const Beside& beside) const;
    Value forward(ForwardContext& context, const Value& embedded, const Rows& rows) const {
        return forward(context, embedded, rows, {});
    }

private:
    struct Reader {
        std::string scope;
        ModuleRef module;
    };
    /// What goes on to the layers, and how it was made.
    struct Sum {
        Variable<float> variable;
        Operation operation = Operation::Identity;
    };
    const Reader& reader(Stack stack) const;
    Value encode(ForwardContext& context, int rows, const Rows& asked) const;
    Sum combine(ForwardContext& context, const Value& embedded, const Value& encoding, const Value& types) const;
    void copyRow(int position, float* to) const;

    std::vector<Reader> m_readers;
    Options m_options;
    std::vector<float> m_table;  ///< the first rows of the sinusoids: see copyRow()
    std::optional<ParameterId> m_weight;
};

}  // namespace headlight

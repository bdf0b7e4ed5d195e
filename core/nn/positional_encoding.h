// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/nn/kinds.h"
#include "core/nn/layers.h"

namespace headlight {

/// Tells the model where each word stands. Shape: embeddings [batch·length, e] → [batch·length, d_model]; with `Add`
/// e = d_model, with `Concat` the embedding and the encoding are d_model/2 wide each and stand side by side.
/// Kinds without rows for positions hand the embeddings on. Traced: positional_encoding (where there is one),
/// embedding_sum (where a norm follows it), embedding_norm (where a map follows that), input.
class PositionalEncoding {
public:
    using Options = PositionOptions;
    /// Which rows of the table are asked for.
    struct Rows {
        Stack stack = Stack::Only;  ///< that reads
        int length = 0;             ///< of each sentence
        int first = 0;              ///< position of its first word
        Axis tokens = Axis::SourceToken;
    };
    /// What else becomes part of the layers' input.
    struct Beside {
        Value types = {};             ///< vectors of the words' types, added
        const Norm* norm = nullptr;   ///< of the sum
        const Linear* map = nullptr;  ///< of the norm, to the width of the layers
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
    Value mapped(ForwardContext& context, const Value& sum, const Rows& asked, const Beside& beside) const;
    Sum combine(ForwardContext& context, const Value& embedded, const Value& encoding, const Value& types) const;
    void copyRow(int position, float* to) const;

    std::vector<Reader> m_readers;
    Options m_options;
    std::vector<float> m_table;  ///< the first rows of the sinusoids: see copyRow()
    std::optional<ParameterId> m_weight;
};

}  // namespace headlight

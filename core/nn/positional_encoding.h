// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/nn/context.h"

namespace headlight {

enum class PositionalKind { Sinusoidal, Learned, None };
enum class PositionalCombine { Add, Concat };

/// PE(pos, 2i) = sin(pos / base^(2i/width)), PE(pos, 2i+1) = cos of the same (Vaswani et al. 2017, section 3.5).
/// → [length, width], row-major.
std::vector<float> sinusoidalTable(int length, int width, double base);

/// Tells the model where each word stands. Shape: embeddings [batch·length, e] → [batch·length, d_model]; with `Add`
/// e = d_model, with `Concat` the embedding and the encoding are d_model/2 wide each and stand side by side.
/// `None` hands the embeddings on as they are. Traced: positional_encoding (where there is one), input.
class PositionalEncoding {
public:
    struct Options {
        PositionalKind kind = PositionalKind::Sinusoidal;
        PositionalCombine combine = PositionalCombine::Add;
        double base = 10000;
        int width = 0;      ///< of the encoding
        int maxLength = 0;  ///< positions that there are
    };

    /// Makes a weight `name` [maxLength, width] where positions are learned.
    PositionalEncoding(ParameterSet& parameters, const std::string& name, const Options& options);

    /// Rows are `length` positions of each sentence from `firstPosition` on.
    Value forward(ForwardContext& context, const Value& embedded, const std::string& scope, int length,
                  int firstPosition, Axis tokens) const;

private:
    Options m_options;
    std::vector<float> m_table;  ///< sinusoidal only
    std::optional<ParameterId> m_weight;
};

}  // namespace headlight

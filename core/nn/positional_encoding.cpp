// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/positional_encoding.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::vector<float> sinusoidalTable(int length, int width, double base) {
    std::vector<float> table(static_cast<size_t>(length) * static_cast<size_t>(width));
    for (int pos = 0; pos < length; ++pos)
        for (int dim = 0; dim < width; ++dim) {
            const double angle = pos / std::pow(base, static_cast<double>(dim - dim % 2) / width);
            table[static_cast<size_t>(pos) * static_cast<size_t>(width) + static_cast<size_t>(dim)] =
                static_cast<float>(dim % 2 ? std::cos(angle) : std::sin(angle));
        }
    return table;
}

PositionalEncoding::PositionalEncoding(ParameterSet& parameters, const std::string& name, const Options& options)
    : m_options(options) {
    if (options.kind == PositionalKind::Learned)
        m_weight = parameters.add(name, {options.maxLength, options.width}, Init::EmbeddingNormal);
    if (options.kind == PositionalKind::Sinusoidal)
        m_table = sinusoidalTable(options.maxLength, options.width, options.base);
}

Value PositionalEncoding::forward(ForwardContext& context, const Value& embedded, const std::string& scope, int length,
                                  int firstPosition, Axis tokens) const {
    const int rows = embedded.variable.rows(), width = m_options.width;
    assert(length > 0 && rows % length == 0 && firstPosition + length <= m_options.maxLength);

    Value encoding;
    if (m_options.kind == PositionalKind::None) {
        Value input = embedded;
        if (context.tracing()) context.record(input, scope, "input", Operation::Embedding, tokens, {embedded.name});
        return input;
    }
    if (m_weight) {
        std::pmr::vector<int> ids(static_cast<size_t>(rows), context.memory());
        for (int r = 0; r < rows; ++r)
            ids[static_cast<size_t>(r)] = firstPosition + r % length;
        encoding.variable = ops::embedding(context.tape, ids, context.parameter(*m_weight), 1.0f);
    } else {
        encoding.variable.value = context.tape.allocate({rows, width});
        for (int r = 0; r < rows; ++r) {
            const size_t position = static_cast<size_t>(firstPosition) + static_cast<size_t>(r % length);
            std::copy_n(m_table.data() + position * static_cast<size_t>(width), width, encoding.variable.value.row(r));
        }
    }
    if (context.tracing())
        context.record(encoding, scope, "positional_encoding", Operation::PositionalEncoding, tokens, {});

    const bool concat = m_options.combine == PositionalCombine::Concat;
    Value input{concat ? ops::concatColumns(context.tape, embedded.variable, encoding.variable)
                       : ops::addInPlace(context.tape, encoding.variable, embedded.variable)};
    if (context.tracing())
        context.record(input, scope, "input", concat ? Operation::Concat : Operation::Add, tokens,
                       {embedded.name, encoding.name});
    return input;
}

}  // namespace headlight

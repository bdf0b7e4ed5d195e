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

PositionalEncoding::PositionalEncoding(ParameterSet& parameters, const std::string& name, const Options& options,
                                       const std::vector<std::pair<Stack, std::string>>& stacks)
    : m_options(options) {
    for (const auto& [stack, scope] : stacks)
        m_readers.push_back(
            {scope, parameters.addModule(
                        {ModuleKind::Positions, join(scope, "positional_encoding"), {stack, Section::Start}})});
    if (options.kind == PositionalKind::Learned) {
        // One table serves all stacks, and is then none's own.
        const ModuleRef owner =
            stacks.size() == 1
                ? m_readers.front().module
                : parameters.addModule({ModuleKind::Positions, "positional_encoding", {Stack::Shared, Section::Start}});
        m_weight = parameters.add(owner, name, {options.maxLength, options.width}, Init::EmbeddingNormal);
    }
    if (options.kind == PositionalKind::Sinusoidal)
        m_table = sinusoidalTable(options.maxLength, options.width, options.base);
}

const PositionalEncoding::Reader& PositionalEncoding::reader(Stack stack) const {
    return *std::ranges::find_if(m_readers, [&](const Reader& each) { return each.module->place.stack == stack; });
}

Value PositionalEncoding::forward(ForwardContext& context, const Value& embedded, const Rows& asked) const {
    const int rows = embedded.variable.rows(), width = m_options.width;
    assert(asked.length > 0 && rows % asked.length == 0 && asked.first + asked.length <= m_options.maxLength);
    const Reader& in = reader(asked.stack);

    Value encoding;
    if (m_options.kind == PositionalKind::None) {
        Value input = embedded;
        if (context.tracing())
            context.record(input, join(in.scope, "input"), {in.module, Part::Input, Operation::Identity}, asked.tokens,
                           {embedded.name});
        return input;
    }
    if (m_weight) {
        std::pmr::vector<int> ids(static_cast<size_t>(rows), context.memory());
        for (int r = 0; r < rows; ++r)
            ids[static_cast<size_t>(r)] = asked.first + r % asked.length;
        encoding.variable = ops::embedding(context.tape, ids, context.parameter(*m_weight), 1.0f);
    } else {
        encoding.variable.value = context.tape.allocate({rows, width});
        for (int r = 0; r < rows; ++r) {
            const size_t position = static_cast<size_t>(asked.first) + static_cast<size_t>(r % asked.length);
            std::copy_n(m_table.data() + position * static_cast<size_t>(width), width, encoding.variable.value.row(r));
        }
    }
    if (context.tracing()) {
        Origin origin{in.module, Part::Positions, Operation::PositionalEncoding};
        if (m_weight) origin.weights = {{UsedWeight::As::Table, *m_weight}};
        context.record(encoding, in.module->scope, std::move(origin), asked.tokens, {});
    }

    const bool concat = m_options.combine == PositionalCombine::Concat;
    Value input{concat ? ops::concatColumns(context.tape, embedded.variable, encoding.variable)
                       : ops::addInPlace(context.tape, encoding.variable, embedded.variable)};
    if (context.tracing())
        context.record(input, join(in.scope, "input"),
                       {in.module, Part::Input, concat ? Operation::Concat : Operation::Add}, asked.tokens,
                       {embedded.name, encoding.name});
    return input;
}

}  // namespace headlight

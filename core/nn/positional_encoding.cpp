// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nn/positional_encoding.h"

#include <algorithm>

#include "core/nn/sinusoids.h"

namespace headlight {

namespace {

/// Numbers of a sinusoidal table that are kept: what max_length asks for may be far more than any sentence needs, and
/// is not held by the model's file.
constexpr size_t mostKept = size_t{1} << 22;

}  // namespace

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
        m_weight =
            parameters.add(owner, name, {options.maxLength + options.offset, options.width}, Init::EmbeddingNormal);
    }
    if (options.kind == PositionalKind::Sinusoidal) {
        const size_t kept = std::min(static_cast<size_t>(options.maxLength),
                                     std::max<size_t>(1, mostKept / static_cast<size_t>(options.width)));
        m_table = sinusoidalTable(static_cast<int>(kept), options.width, options.base, options.layout);
    }
}

const PositionalEncoding::Reader& PositionalEncoding::reader(Stack stack) const {
    return *std::ranges::find_if(m_readers, [&](const Reader& each) { return each.module->place.stack == stack; });
}

void PositionalEncoding::copyRow(int position, float* to) const {
    const size_t width = static_cast<size_t>(m_options.width), first = static_cast<size_t>(position) * width;
    if (first < m_table.size())
        std::copy_n(m_table.data() + first, width, to);
    else
        writeSinusoids(position, m_options.width, m_options.base, m_options.layout, to);
}

/// The rows of so many words' positions; nothing where the kind has none.
Value PositionalEncoding::encode(ForwardContext& context, int rows, const Rows& asked) const {
    assert(asked.length > 0 && rows % asked.length == 0 && asked.first + asked.length <= m_options.maxLength);
    Value encoding;
    if (m_weight) {
        std::pmr::vector<int> ids(static_cast<size_t>(rows), context.memory());
        for (int r = 0; r < rows; ++r)
            ids[static_cast<size_t>(r)] = m_options.offset + asked.first + r % asked.length;
        encoding.variable = ops::embedding(context.tape, ids, context.parameter(*m_weight), 1.0f);
    } else if (m_options.kind == PositionalKind::Sinusoidal) {
        encoding.variable.value = context.tape.allocate({rows, m_options.width});
        for (int r = 0; r < rows; ++r)
            copyRow(m_options.offset + asked.first + r % asked.length, encoding.variable.value.row(r));
    } else {
        return encoding;
    }
    if (context.tracing()) {
        const ModuleRef& module = reader(asked.stack).module;
        Origin origin{module, Part::Positions, Operation::PositionalEncoding};
        if (m_weight) origin.weights = {{UsedWeight::As::Table, *m_weight, m_options.offset}};
        context.record(encoding, module->scope, std::move(origin), asked.tokens, {});
    }
    return encoding;
}

PositionalEncoding::Sum PositionalEncoding::combine(ForwardContext& context, const Value& embedded,
                                                    const Value& encoding, const Value& types) const {
    Sum sum{embedded.variable};
    if (types.variable.value) sum = {ops::addInPlace(context.tape, types.variable, sum.variable), Operation::Add};
    if (!encoding.variable.value) return sum;
    if (m_options.combine == PositionalCombine::Concat)
        return {ops::concatColumns(context.tape, sum.variable, encoding.variable), Operation::Concat};
    return {ops::addInPlace(context.tape, encoding.variable, sum.variable), Operation::Add};
}

/// Narrow words on their way to the layers: through the norm, where there is one, and the map.
Value PositionalEncoding::mapped(ForwardContext& context, const Value& sum, const Rows& asked,
                                 const Beside& beside) const {
    const Reader& in = reader(asked.stack);
    Value narrow = sum;
    if (beside.norm != nullptr) {
        narrow = {beside.norm->forward(context, sum.variable)};
        if (context.tracing())
            context.record(narrow, join(in.scope, "embedding_norm"), beside.norm->made(Part::Norm), asked.tokens,
                           {sum.name});
    }
    Value input{beside.map->forward(context, narrow.variable)};
    if (context.tracing())
        context.record(input, join(in.scope, "input"), beside.map->made(Part::Input), asked.tokens, {narrow.name});
    return input;
}

Value PositionalEncoding::forward(ForwardContext& context, const Value& embedded, const Rows& asked,
                                  const Beside& beside) const {
    const Reader& in = reader(asked.stack);
    const Value encoding = encode(context, embedded.variable.rows(), asked);
    const auto [variable, operation] = combine(context, embedded, encoding, beside.types);
    Value sum{variable, embedded.name};
    const bool normed = beside.norm != nullptr || beside.map != nullptr;
    if (context.tracing() && (operation != Operation::Identity || !normed)) {
        std::vector<std::string> inputs;
        for (const Value* part : {&embedded, &beside.types, &encoding})
            if (part->variable.value) inputs.push_back(part->name);
        context.record(sum, join(in.scope, normed ? "embedding_sum" : "input"),
                       {in.module, normed ? Part::Sum : Part::Input, operation}, asked.tokens, std::move(inputs));
    }
    if (beside.map != nullptr) return mapped(context, sum, asked, beside);
    if (!normed) return sum;
    Value input{beside.norm->forward(context, sum.variable)};
    if (context.tracing())
        context.record(input, join(in.scope, "input"), beside.norm->made(Part::Input), asked.tokens, {sum.name});
    return input;
}

}  // namespace headlight

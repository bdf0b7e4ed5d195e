// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/masked_language_model.h"

#include <algorithm>
#include <cmath>

#include "core/autograd/recurrent.h"

namespace headlight {

namespace {

/// Of the norm before the words, which are as wide as their embeddings.
Norm::Options wordNormOptions(const ModelConfig& config) {
    Norm::Options options = normOptions(config);
    options.width = config.embeddingWidth();
    return options;
}

constexpr double askedFor = 0.15, masked = 0.8, replaced = 0.1;

long countAskedFor(long words) {
    return std::max(1L, std::lround(askedFor * static_cast<double>(words)));
}

}  // namespace

MaskedLanguageModel::MaskedLanguageModel(const ModelConfig& config)
    : Model(config),
      m_stack(m_parameters, config),
      m_transformModule(m_parameters.addModule({ModuleKind::Head, "head", {Stack::Shared, Section::Head}})),
      m_transform(m_parameters, m_transformModule, "transform", config.dModel, config.embeddingWidth(),
                  Init::XavierUniform, config.bias),
      m_transformNorm(m_parameters,
                      m_parameters.addModule({ModuleKind::Norm, "head.norm", {Stack::Shared, Section::Head}}),
                      "transform_norm", wordNormOptions(config)),
      m_head(m_parameters, config, m_stack.embeddingWeight()) {}

Value MaskedLanguageModel::transform(ForwardContext& context, const Value& x) const {
    Value hidden{m_transform.forward(context, x.variable)};
    if (context.tracing())
        context.record(hidden, "head.hidden", m_transform.made(Part::Hidden), Axis::SourceToken, {x.name});
    Value active{ops::activationInPlace(context.tape, m_config.activation, hidden.variable)};
    if (context.tracing())
        context.record(active, "head.activation", {m_transformModule, Part::Activation, Operation::Activation},
                       Axis::SourceToken, {hidden.name});
    Value normed{m_transformNorm.forward(context, active.variable)};
    if (context.tracing())
        context.record(normed, "head.norm", m_transformNorm.made(Part::Norm), Axis::SourceToken, {active.name});
    return normed;
}

Value MaskedLanguageModel::forward(ForwardContext& context, const TokenBatch& ids) const {
    const Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    return m_head.forward(context, transform(context, output), Axis::SourceToken);
}

/// No special token.
bool MaskedLanguageModel::isWord(int id) const {
    return id != m_config.padId && id != m_config.bosId && id != m_config.eosId && id != m_config.separatorId &&
           id != m_config.mask();
}

long MaskedLanguageModel::targetTokens(const Example& example) const {
    return countAskedFor(std::ranges::count_if(example.target, [&](int id) { return isWord(id); }));
}

/// Places of the words that are asked for, in their order.
std::pmr::vector<int> MaskedLanguageModel::choose(ForwardContext& context, const Example& example,
                                                  Random& random) const {
    std::pmr::vector<int> places(context.memory());
    for (size_t i = 0; i < example.target.size(); ++i)
        if (isWord(example.target[i])) places.push_back(static_cast<int>(i));
    const size_t wanted = static_cast<size_t>(targetTokens(example));
    if (places.empty()) places.push_back(0);  // a window of special tokens alone: one of them, then
    for (size_t i = 0; i < wanted; ++i)
        std::swap(places[i], places[i + static_cast<size_t>(random.below(places.size() - i))]);
    places.resize(wanted);
    std::ranges::sort(places);
    return places;
}

int MaskedLanguageModel::replacement(int word, Random& random) const {
    const double ticket = random.uniform();
    if (ticket < masked) return m_config.mask();
    if (ticket >= masked + replaced) return word;
    return static_cast<int>(random.below(static_cast<uint64_t>(m_config.sourceVocabSize)));
}

ops::CrossEntropyResult MaskedLanguageModel::loss(ForwardContext& context, std::span<const Example* const> examples,
                                                  ops::CrossEntropyOptions options) const {
    if (oneByOne(context, examples)) return lossOneByOne(context, examples, options);
    Random random(context.nextSeed());
    std::pmr::vector<std::span<const int>> windows(context.memory());
    for (const Example* example : examples)
        windows.emplace_back(example->target);
    TokenBatch ids = TokenBatch::pad(windows, m_config.padId, context.memory());
    std::pmr::vector<int> rows(context.memory()), wanted(context.memory());
    for (size_t b = 0; b < examples.size(); ++b)
        for (const int place : choose(context, *examples[b], random)) {
            rows.push_back(static_cast<int>(b) * ids.length + place);
            int& word = ids.ids[static_cast<size_t>(rows.back())];
            wanted.push_back(word);
            word = replacement(word, random);
        }
    const Value output = m_stack.forward(context, ids, TransformerStack::Sight::Everywhere);
    options.ignore = -1;  // every one of them counts
    if (context.intervening()) {
        // Changes tell places of the sentence, of which the head is asked for some.
        const Value all = m_head.forward(context, transform(context, output), Axis::SourceToken);
        return ops::crossEntropy(context.tape, ops::gatherRows(context.tape, all.variable, rows), wanted, options);
    }
    const Value asked = transform(context, {ops::gatherRows(context.tape, output.variable, rows), output.name});
    return ops::crossEntropy(context.tape, m_head.forward(context, asked.variable), wanted, options);
}

}  // namespace headlight

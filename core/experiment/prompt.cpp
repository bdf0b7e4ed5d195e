// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/prompt.h"

#include <algorithm>

#include "core/data/translate.h"
#include "core/models/classifier.h"
#include "core/models/encoder.h"
#include "core/models/language_model.h"
#include "core/models/masked_language_model.h"
#include "core/models/seq2seq.h"

namespace headlight {

namespace {

/// A classifier puts <bos> before what it reads by itself.
bool beginsByItself(const ModelConfig& config) {
    return config.corpusKind() == CorpusKind::Labels && config.startsAtBos;
}

}  // namespace

Prompt Prompt::of(const Trace& trace) {
    if (const TraceRecord* const ids = trace.find("ids")) return {ids->ids()};
    return {trace.at("source.ids").ids(), trace.at("target.ids").ids()};
}

Value forwardOf(const TrainedModel& model, ForwardContext& context, const Prompt& prompt) {
    const ModelConfig& config = model.network->config();
    if (config.headless()) refuseWithoutHead();
    if (config.corpusKind() == CorpusKind::Labels) {
        const std::span<const int> words = std::span(prompt.source).subspan(beginsByItself(config) ? 1 : 0);
        return model.classifier().forward(context, std::span(&words, 1));
    }
    const TokenBatch source = TokenBatch::pad(std::span(&prompt.source, 1), config.padId);
    if (config.masked()) return model.maskedLanguageModel().forward(context, source);
    if (!config.encoderDecoder()) return model.languageModel().forward(context, source);
    return model.seq2seq().forward(context, source, TokenBatch::pad(std::span(&prompt.target, 1), config.padId));
}

std::vector<float> logitsOf(const TrainedModel& model, const Prompt& prompt,
                            std::span<const Intervention> interventions) {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, std::as_const(*model.network).parameters());
    context.interventions = interventions;
    const Tensor<float> logits = forwardOf(model, context, prompt).variable.value;
    return {logits.data, logits.data + logits.count()};
}

Trace tracePrompt(const TrainedModel& model, const Prompt& prompt, const std::vector<MutedHead>& muted,
                  std::span<const Intervention> interventions) {
    const ModelConfig& config = model.network->config();
    if (config.encoderDecoder()) return traceIds(model, prompt.source, prompt.target, muted, nullptr, interventions);
    std::vector<int> ids = prompt.source;
    if (beginsByItself(config)) ids.erase(ids.begin());
    return traceIds(model, std::move(ids), muted, nullptr, interventions);
}

int answerRow(const TrainedModel& model, const Prompt& prompt) {
    const ModelConfig& config = model.network->config();
    if (config.corpusKind() == CorpusKind::Labels) return 0;
    if (config.masked()) {
        const auto mask = std::ranges::find(prompt.source, config.mask());
        if (mask != prompt.source.end()) return static_cast<int>(mask - prompt.source.begin());
    }
    return static_cast<int>((config.encoderDecoder() ? prompt.target : prompt.source).size()) - 1;
}

int likeliest(std::span<const float> row) {
    return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

int wordOfColumn(const TrainedModel& model, int column) {
    const ModelConfig& config = model.network->config();
    return config.corpusKind() == CorpusKind::Labels ? config.firstLabel() + column : column;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/feed_forward_units.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/prompt.h"
#include "core/trace/record_row.h"

namespace headlight {

namespace {

using As = UsedWeight::As;

const ParameterSet& parametersOf(const TrainedModel& model) {
    return std::as_const(*model.network).parameters();
}

Tensor<const float> weightOf(const TrainedModel& model, const TraceRecord& record, As as) {
    const UsedWeight* const used = record.weight(as);
    return used ? parametersOf(model).value(used->parameter) : Tensor<const float>();
}

/// The scales of the norms between a layer's sum and the head, multiplied; nothing where something else than a norm
/// stands there.
std::optional<std::vector<double>> scalesOnTheWay(const TrainedModel& model, const Trace& trace,
                                                  const FeedForwardLayer& layer) {
    const bool post = model.network->config().normOrder == NormOrder::Post;
    std::vector<double> scales(static_cast<size_t>(trace.at(layer.output).dim(1)), 1);
    const auto output = static_cast<size_t>(trace.indexOf(layer.output));
    for (size_t i = output + 1; i < trace.records().size(); ++i) {
        const TraceRecord& record = trace.records()[i];
        const Module& module = record.owner();
        const bool inHead = module.place.section == Section::Head;
        if (inHead && record.part != Part::Logits && record.part != Part::LogProbs) {
            if (record.operation != Operation::Identity) return {};
            continue;
        }
        const bool isNorm = record.operation == Operation::LayerNorm || record.operation == Operation::RmsNorm;
        if (!isNorm || module.place.stack != layer.stack) continue;
        // A norm before its sublayer stands beside the stream, not on it.
        const bool isOwn = record.part == Part::NormedOutput && record.inputs.front() == layer.output;
        if (module.place.section == Section::Layer && !post && !isOwn) continue;
        const Tensor<const float> scale = weightOf(model, record, As::Scale);
        const double plus = record.weight(As::Scale)->plus;
        for (size_t d = 0; d < scales.size(); ++d)
            scales[d] *= plus + static_cast<double>(scale.data[d]);
    }
    return scales;
}

/// A corpus's pair as the model is made to read it.
Trace tracePair(const TrainedModel& model, const SentencePair& pair) {
    const ModelConfig& config = model.network->config();
    const bool text = config.corpusKind() == CorpusKind::Text && pair.source.empty();
    return traceSentence(model, text ? pair.target : pair.source,
                         config.encoderDecoder() ? std::optional(pair.target) : std::nullopt);
}

FiringSurvey::Sentence wordsOf(const Trace& trace, const FeedForwardLayer& layer, bool continues) {
    if (layer.stack == Stack::Encoder) return {trace.sourceTokens, {}};
    const bool decodes = layer.stack == Stack::Decoder;
    FiringSurvey::Sentence sentence{decodes ? trace.targetTokens : trace.sourceTokens, {}};
    if (decodes)
        for (size_t row = 0; row < sentence.words.size(); ++row)
            sentence.written.push_back(trace.written(row));
    else if (continues)
        sentence.written.assign(sentence.words.begin() + 1, sentence.words.end());
    return sentence;
}

}  // namespace

std::vector<FeedForwardLayer> feedForwardLayers(const Trace& trace) {
    std::vector<FeedForwardLayer> layers;
    for (const TraceRecord& record : trace.records()) {
        if (!record.is(ModuleKind::FeedForward, Part::Output)) continue;
        const Module& module = record.owner();
        FeedForwardLayer layer;
        layer.stack = module.place.stack;
        layer.layer = module.place.layer;
        layer.output = record.name;
        if (const TraceRecord* const hidden = trace.find(module, Part::Hidden)) {
            layer.hidden = hidden->name;
            layer.x = hidden->inputs.front();
        }
        if (const TraceRecord* const active = trace.find(module, Part::Activation)) {
            layer.activation = active->name;
            layer.units = active->dim(1);
        }
        layer.gated = trace.find(module, Part::Gated) != nullptr;
        layers.push_back(std::move(layer));
    }
    return layers;
}

double activated(ops::Activation kind, double x) {
    constexpr double toTanh = 0.7978845608028654;  // √(2/π) (Hendrycks, Gimpel 2016)
    switch (kind) {
        case ops::Activation::Relu:
            return std::max(0.0, x);
        case ops::Activation::Gelu:
            return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
        case ops::Activation::GeluTanh:
            return 0.5 * x * (1 + std::tanh(toTanh * (x + 0.044715 * x * x * x)));
        case ops::Activation::Silu:
            return x / (1 + std::exp(-x));
        case ops::Activation::QuickGelu:
            return x / (1 + std::exp(-1.702 * x));
    }
    return x;
}

UnitWeights unitWeights(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit) {
    if (layer.hidden.empty()) throw Error("the values of this layer's units were left out of so long a text");
    if (unit < 0 || unit >= layer.units) throw Error("there are " + std::to_string(layer.units) + " units");
    const TraceRecord &hidden = trace.at(layer.hidden), &output = trace.at(layer.output);
    UnitWeights weights;
    const Tensor<const float> in = weightOf(model, hidden, As::Matrix), bias = weightOf(model, hidden, As::Bias);
    const auto width = static_cast<size_t>(in.cols());
    weights.in.assign(in.row(unit), in.row(unit) + width);
    if (bias) weights.bias = static_cast<double>(bias.data[unit]);
    const Tensor<const float> out = weightOf(model, output, As::Matrix);  // [d_model, d_ff], as torch.nn.Linear has it
    for (int d = 0; d < out.rows(); ++d)
        weights.out.push_back(out.row(d)[unit]);
    return weights;
}

std::vector<double> outputWith(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int row,
                               ops::Activation kind) {
    const TraceRecord& output = trace.at(layer.output);
    const std::span<const float> hidden = rowOf(trace.at(layer.hidden), row);
    const Tensor<const float> out = weightOf(model, output, As::Matrix), bias = weightOf(model, output, As::Bias);
    std::vector<double> active;
    std::ranges::transform(hidden, std::back_inserter(active),
                           [&](float h) { return activated(kind, static_cast<double>(h)); });
    std::vector<double> result;
    for (int d = 0; d < out.rows(); ++d) {
        double sum = bias ? static_cast<double>(bias.data[d]) : 0;
        for (size_t u = 0; u < active.size(); ++u)
            sum += active[u] * static_cast<double>(out.row(d)[u]);
        result.push_back(sum);
    }
    return result;
}

std::vector<double> unitWords(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit) {
    const ModelConfig& config = model.network->config();
    if (config.headless() || layer.gated || layer.hidden.empty() ||
        (config.encoderDecoder() && layer.stack == Stack::Encoder))
        return {};
    const std::optional<std::vector<double>> scales = scalesOnTheWay(model, trace, layer);
    const TraceRecord* const logits = trace.find("logits");
    if (!scales || !logits) return {};
    const Tensor<const float> head = weightOf(model, *logits, As::Matrix);
    const UnitWeights weights = unitWeights(model, trace, layer, unit);
    if (!head || static_cast<size_t>(head.cols()) != weights.out.size()) return {};
    std::vector<double> words;
    for (int word = 0; word < head.rows(); ++word) {
        double sum = 0;
        for (size_t d = 0; d < weights.out.size(); ++d)
            sum += static_cast<double>(weights.out[d]) * (*scales)[d] * static_cast<double>(head.row(word)[d]);
        words.push_back(sum * logits->factor);
    }
    const double mean = std::accumulate(words.begin(), words.end(), 0.0) / static_cast<double>(words.size());
    for (double& word : words)
        word -= mean;
    return words;
}

long FiringSurvey::fired(int unit) const {
    long count = 0;
    for (size_t word = 0; word < words.size(); ++word)
        count += at(word, unit) > 0;
    return count;
}

std::vector<size_t> FiringSurvey::strongest(int unit, size_t count) const {
    std::vector<size_t> best(sentences.size(), words.size());  // of each sentence
    for (size_t word = 0; word < words.size(); ++word) {
        size_t& kept = best[static_cast<size_t>(words[word].sentence)];
        if (at(word, unit) > 0 && (kept == words.size() || at(word, unit) > at(kept, unit))) kept = word;
    }
    std::erase(best, words.size());
    std::ranges::stable_sort(best, [&](size_t a, size_t b) { return at(a, unit) > at(b, unit); });
    best.resize(std::min(best.size(), count));
    return best;
}

FiringSurvey surveyFiring(const TrainedModel& model, const Corpus& corpus, size_t layer,
                          const std::function<bool()>& wanted, size_t mostNumbers) {
    FiringSurvey survey;
    for (const SentencePair& pair : corpus) {
        if (survey.activations.size() >= mostNumbers || (wanted && !wanted())) break;
        std::optional<Trace> trace;
        try {
            trace = tracePair(model, pair);
        } catch (const Error&) {
            continue;  // too long for the model, or without a word
        }
        const std::vector<FeedForwardLayer> layers = feedForwardLayers(*trace);
        if (layer >= layers.size()) throw Error("this model has no such feed-forward network");
        const TraceRecord& active = trace->at(layers[layer].activation);
        survey.units = layers[layer].units;
        survey.activations.insert(survey.activations.end(), active.values.begin(), active.values.end());
        for (int position = 0; position < active.dim(0); ++position)
            survey.words.push_back({static_cast<int>(survey.sentences.size()), position});
        survey.sentences.push_back(wordsOf(*trace, layers[layer], model.network->config().continuesTexts()));
    }
    return survey;
}

Trace traceWithoutUnit(const TrainedModel& model, const Trace& trace, const FeedForwardLayer& layer, int unit,
                       const std::vector<MutedHead>& muted) {
    if (unit < 0 || unit >= layer.units) throw Error("there are " + std::to_string(layer.units) + " units");
    TrainedModel without = model;
    without.network = model.network->clone();
    ParameterSet& parameters = without.network->parameters();
    const Tensor<float> out = parameters.value(trace.at(layer.output).weight(As::Matrix)->parameter);
    for (int d = 0; d < out.rows(); ++d)
        out.row(d)[unit] = 0;
    return tracePrompt(without, Prompt::of(trace), muted);
}

}  // namespace headlight

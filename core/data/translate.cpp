// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/translate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/models/classifier.h"
#include "core/models/encoder.h"
#include "core/models/language_model.h"
#include "core/models/masked_language_model.h"
#include "core/models/seq2seq.h"
#include "core/text/id_tokenizer.h"

namespace headlight {

namespace {

/// What the model reads of a text: with the special tokens that its tokenizer puts around it, which Headlight's own do
/// not.
std::vector<int> inputIds(const TrainedModel& model, const std::string& text) {
    return model.source->encodeInput(text).ids;
}

Translation written(const TrainedModel& model, const std::string& text, const std::vector<int>& source,
                    const std::vector<Hypothesis>& hypotheses) {
    Translation result{text, model.source->display(source), model.source->written(source), {}};
    for (const Hypothesis& hypothesis : hypotheses)
        result.hypotheses.push_back({.text = model.target->decode(hypothesis.tokens),
                                     .tokens = model.target->display(hypothesis.tokens),
                                     .written = model.target->written(hypothesis.tokens),
                                     .tokenLogProbs = hypothesis.tokenLogProbs,
                                     .logProb = hypothesis.logProb,
                                     .score = hypothesis.score,
                                     .finished = hypothesis.finished});
    return result;
}

void checkLength(const std::vector<int>& ids, const char* side, int maxLength) {
    if (ids.empty()) throw Error(std::string("the ") + side + " has no words: give at least one");
    if (static_cast<int>(ids.size()) > maxLength)
        throw Error(std::string("the ") + side + " has " + std::to_string(ids.size()) +
                    " tokens, and this model reads at most " + std::to_string(maxLength) + " (max_length): shorten it");
}

/// A classifier puts <bos> before what it reads by itself.
int longestInput(const ModelConfig& config) {
    return config.corpusKind() == CorpusKind::Labels && config.startsAtBos ? config.maxLength - 1 : config.maxLength;
}

/// log P of each label.
std::vector<double> labelLogProbs(const Classifier& model, const std::vector<int>& ids, Arena& arena,
                                  const BeamOptions& changes) {
    arena.reset();
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.parameters());
    context.mutedHeads = changes.mutedHeads;
    context.interventions = changes.interventions;
    const std::span<const int> sentence(ids);
    const Value logits = model.forward(context, std::span(&sentence, 1));
    const float* numbers = logits.variable.value.data;
    std::vector<double> result(numbers, numbers + model.labels());
    const double most = std::ranges::max(result);
    double sum = 0;
    for (const double logit : result)
        sum += std::exp(logit - most);
    for (double& logit : result)
        logit -= most + std::log(sum);
    return result;
}

/// The likeliest labels of a text, as hypotheses.
Translation labelled(const TrainedModel& model, const std::string& text, const BeamOptions& options, Arena& arena) {
    const std::vector<int> ids = inputIds(model, text);
    checkLength(ids, "source", longestInput(model.network->config()));
    const Classifier& classifier = model.classifier();
    const std::vector<double> logProbs = labelLogProbs(classifier, ids, arena, options);
    std::vector<int> order(logProbs.size());
    std::iota(order.begin(), order.end(), 0);
    const auto logProbOf = [&](int label) { return logProbs[static_cast<size_t>(label)]; };
    std::ranges::stable_sort(order, std::greater<>(), logProbOf);
    order.resize(std::min(order.size(), static_cast<size_t>(std::max(1, options.nBest))));
    Translation result{text, model.source->display(ids), model.source->written(ids), {}};
    for (const int label : order) {
        const std::string& name = model.target->vocabulary().token(classifier.firstLabel() + label);
        const double logProb = logProbOf(label);
        result.hypotheses.push_back({.text = name,
                                     .tokens = {name},
                                     .written = {name},
                                     .tokenLogProbs = {logProb},
                                     .logProb = logProb,
                                     .score = logProb,
                                     .finished = true});
    }
    return result;
}

}  // namespace

std::vector<std::string> textsAroundGaps(const TrainedModel& model, const std::string& text) {
    const ModelConfig& config = model.network->config();
    // Other programs' tokenizers find a mask themselves; and of ids as text "10" has none in it, even where that is 0.
    if (!config.masked() || model.source->specials().mask || dynamic_cast<const IdTokenizer*>(model.source.get()))
        return {text};
    const std::vector<int> ids = inputIds(model, text);
    if (std::ranges::count(ids, config.mask()) > 0) return {text};
    const std::string& written = model.source->vocabulary().token(config.mask());
    std::vector<std::string> parts;
    for (size_t from = 0;;) {
        const size_t to = std::min(text.find(written, from), text.size());
        parts.push_back(text.substr(from, to - from));
        if (to == text.size()) return parts;
        from = to + written.size();
    }
}

std::vector<Translation> translate(const TrainedModel& model, const std::vector<std::string>& texts,
                                   const BeamOptions& options) {
    if (model.network->config().corpusKind() == CorpusKind::Labels) {
        Arena arena;
        std::vector<Translation> result;
        result.reserve(texts.size());
        for (const std::string& text : texts)
            result.push_back(labelled(model, text, options, arena));
        return result;
    }
    std::vector<std::vector<int>> sources;
    sources.reserve(texts.size());
    for (const std::string& text : texts)
        sources.push_back(inputIds(model, text));
    const std::vector<std::vector<Hypothesis>> found = beamSearch(model.seq2seq(), sources, options);
    std::vector<Translation> result;
    for (size_t i = 0; i < texts.size(); ++i)
        result.push_back(written(model, texts[i], sources[i], found[i]));
    return result;
}

std::optional<BeamOptions> ownSearch(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    const auto asked = nlohmann::json::json_pointer("/imported/decoding");
    if (!story.contains(asked)) return {};
    try {
        BeamOptions own;
        own.beam = story.at(asked).at("beam").get<int>();
        own.lengthPenalty = LengthPenalty::parse(story.at(asked).at("length_penalty").get<std::string>());
        own.validate();
        return own;
    } catch (const nlohmann::json::exception&) {
        throw Error(
            "the model's file says in headlight.training how it is searched, and not as it should: import it anew");
    }
}

std::vector<std::string> searchLeftOut(const TrainedModel& model) {
    const nlohmann::json& story = model.training.json();
    const auto leftOut = nlohmann::json::json_pointer("/imported/decoding/left_out");
    std::vector<std::string> all;
    if (!story.contains(leftOut) || !story.at(leftOut).is_array()) return all;
    for (const nlohmann::json& setting : story.at(leftOut))
        if (setting.is_string()) all.push_back(setting.get<std::string>());
    return all;
}

BeamOptions ownBeam(const TrainedModel& model, std::span<const MutedHead> muted,
                    std::span<const Intervention> interventions) {
    BeamOptions options = ownSearch(model).value_or(BeamOptions{});
    options.mutedHeads = muted;
    options.interventions = interventions;
    return options;
}

RecordedTranslation recordTranslation(const TrainedModel& model, const std::string& text, const BeamOptions& options) {
    const std::vector<int> source = inputIds(model, text);
    RecordedSearch search = recordBeamSearch(model.seq2seq(), source, options);
    return {written(model, text, source, search.hypotheses), std::move(search.tree)};
}

MutedHead parseMutedHead(const std::string& text, const Model& model) {
    const size_t dot = text.rfind('.');
    const std::vector<std::string> blocks = model.attentionBlocks();
    int head = -1;
    if (dot != std::string::npos) {
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + dot + 1, end, head);
        if (error != std::errc() || stop != end) head = -1;
    }
    const std::string block = text.substr(0, dot);
    if (head >= 0 && head < model.attentionHeads() && std::ranges::find(blocks, block) != blocks.end())
        return {block, head};
    std::string known;
    for (const std::string& name : blocks)
        known += (known.empty() ? "" : ", ") + name;
    throw Error("there is no head \"" + text + "\": write BLOCK.HEAD with a head from 0 to " +
                std::to_string(model.attentionHeads() - 1) + " and a block of " + known);
}

std::vector<MutedHead> parseMutedHeads(const std::vector<std::string>& texts, const Model& model) {
    std::vector<MutedHead> heads;
    heads.reserve(texts.size());
    for (const std::string& text : texts)
        heads.push_back(parseMutedHead(text, model));
    return heads;
}

namespace {

/// What is done to the model.
struct Changes {
    std::span<const MutedHead> muted;
    std::span<const Intervention> interventions;
};

/// What the decoder is fed, and what it writes behind it.
struct DecoderInput {
    std::vector<int> ids;
    int lastWritten = 0;
};

/// <bos> and the target, or what the model itself writes.
DecoderInput decoderInput(const TrainedModel& model, const std::vector<int>& source,
                          const std::optional<std::string>& target, const Changes& changes) {
    const ModelConfig& config = model.network->config();
    DecoderInput input{{config.decoderStart()}, config.eosId};
    std::vector<int>& ids = input.ids;
    if (target) {
        const std::vector<int> given = model.target->encode(*target);
        ids.insert(ids.end(), given.begin(), given.end());
        return input;
    }
    const std::vector<std::vector<int>> sources{source};
    const std::vector<Hypothesis> written =
        beamSearch(model.seq2seq(), sources, ownBeam(model, changes.muted, changes.interventions)).front();
    for (int id : written.front().tokens)
        if (config.ends(id))
            input.lastWritten = id;
        else
            ids.push_back(id);
    // A translation cut off at the limit has a last word that nothing follows: there is no position to read it at.
    if (static_cast<int>(ids.size()) > config.maxLength) {
        input.lastWritten = ids.back();
        ids.pop_back();
    }
    return input;
}

/// What `run`, a forward pass, computes in the context that it is given.
template <class Run>
Trace record(const TrainedModel& model, const Changes& changes, TraceBound* bound, Run run) {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.network->parameters());
    TraceRecorder recorder(bound ? bound->mostBytes : TraceRecorder::usualBytes);
    context.tracer = &recorder;
    context.mutedHeads = changes.muted;
    context.interventions = changes.interventions;
    run(context);
    if (bound) bound->leftOut = recorder.leftOut();
    return recorder.take();
}

TokenBatch alone(const std::vector<int>& ids, const ModelConfig& config) {
    return TokenBatch::pad(std::span(&ids, 1), config.padId);
}

Trace traceTranslation(const TrainedModel& model, const std::vector<int>& source, const DecoderInput& input,
                       const Changes& changes, TraceBound* bound) {
    const ModelConfig& config = model.network->config();
    const std::vector<int>& target = input.ids;
    checkLength(source, "source", config.maxLength);
    checkLength(target, "target", config.maxLength);
    Trace trace = record(model, changes, bound, [&](ForwardContext& context) {
        model.seq2seq().forward(context, alone(source, config), alone(target, config));
    });
    trace.sourceTokens = model.source->display(source);
    trace.targetTokens = model.target->display(target);
    trace.sourceWritten = model.source->written(source);
    trace.targetWritten = model.target->written(target);
    std::vector<int> ending{target.back(), input.lastWritten};
    trace.lastWritten = {input.lastWritten, model.target->display(ending).back()};
    return trace;
}

}  // namespace

Trace traceIds(const TrainedModel& model, const std::vector<int>& source, const std::vector<int>& target,
               const std::vector<MutedHead>& muted, TraceBound* bound, std::span<const Intervention> interventions) {
    return traceTranslation(model, source, {target, model.network->config().eosId}, {muted, interventions}, bound);
}

namespace {

Written goOn(const TrainedModel& model, const std::string& text, const Changes& changes) {
    constexpr int mostWords = 20;
    const GeneratedText more =
        generate(model.languageModel(), inputIds(model, text), mostWords,
                 {.temperature = 0, .mutedHeads = changes.muted, .interventions = changes.interventions});
    Written result{.text = model.target->decode(more.words),
                   .tokens = model.target->display(more.words),
                   .written = model.target->written(more.words),
                   .tokenLogProbs = more.logProbs,
                   .finished = more.finished};
    result.logProb = std::accumulate(more.logProbs.begin(), more.logProbs.end(), 0.0);
    return result;
}

/// A text whose words to fill in are written as the vocabulary writes its mask, whatever the tokenizer makes of that.
std::vector<int> encodeMasked(const TrainedModel& model, const std::string& text) {
    const std::vector<std::string> parts = textsAroundGaps(model, text);
    if (parts.size() == 1) return inputIds(model, text);
    std::vector<int> ids;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) ids.push_back(model.network->config().mask());
        std::ranges::copy(model.source->encode(parts[i]), std::back_inserter(ids));
    }
    return ids;
}

/// The likeliest word for each mask.
Written fillIn(const TrainedModel& model, const std::string& text, const Changes& changes) {
    const ModelConfig& config = model.network->config();
    const Trace trace =
        traceSentence(model, text, {}, {changes.muted.begin(), changes.muted.end()}, nullptr, changes.interventions);
    const TraceRecord& logProbs = trace.at("log_probs");
    const auto width = static_cast<std::ptrdiff_t>(logProbs.shape.back());
    Written result;
    result.finished = true;
    std::vector<int> ids;  // of the text: without what the tokenizer put around it
    std::ptrdiff_t position = 0;
    for (const int id : trace.at("ids").ids()) {
        const auto row = logProbs.values.begin() + width * position++;
        const auto best = std::max_element(row, row + width);
        if (id != config.mask()) {
            if (!model.target->isSpecial(id)) ids.push_back(id);
            continue;
        }
        ids.push_back(static_cast<int>(best - row));
        result.tokens.push_back(model.target->displayOne(ids.back()));
        result.written.push_back(model.target->writtenOne(ids.back()));
        result.tokenLogProbs.push_back(static_cast<double>(*best));
        result.logProb += result.tokenLogProbs.back();
    }
    // A model may fill in a special token: then that is what it says.
    result.text = model.target->decode(ids, Tokenizer::Specials::Written);
    return result;
}

}  // namespace

Written respond(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted,
                std::span<const Intervention> interventions) {
    if (model.network->config().headless()) return {};
    if (model.network->config().masked()) return fillIn(model, text, {muted, interventions});
    if (model.network->config().corpusKind() == CorpusKind::Text) return goOn(model, text, {muted, interventions});
    return translate(model, {text}, ownBeam(model, muted, interventions)).front().best();
}

std::string continued(const TrainedModel& model, const std::string& text, int word) {
    std::vector<int> ids = model.source->encode(text);
    const std::string before = model.source->decode(ids);
    ids.push_back(word);
    const std::string after = model.source->decode(ids);
    return text + (after.starts_with(before) ? after.substr(before.size()) : " " + model.source->writtenOne(word));
}

Trace traceIds(const TrainedModel& model, std::vector<int> ids, const std::vector<MutedHead>& muted, TraceBound* bound,
               std::span<const Intervention> interventions) {
    const ModelConfig& config = model.network->config();
    const bool labels = config.corpusKind() == CorpusKind::Labels;
    const bool putsBos = labels && config.startsAtBos;
    checkLength(ids, "source", longestInput(config));
    Trace trace = record(model, {muted, interventions}, bound, [&](ForwardContext& context) {
        const std::span<const int> sentence(ids);
        if (config.headless())
            model.encoder().forward(context, alone(ids, config));
        else if (labels)
            model.classifier().forward(context, std::span(&sentence, 1));
        else if (config.masked())
            model.maskedLanguageModel().forward(context, alone(ids, config));
        else
            model.languageModel().forward(context, alone(ids, config));
    });
    if (putsBos) ids.insert(ids.begin(), config.bosId);
    trace.sourceTokens = model.source->display(ids);
    trace.sourceWritten = model.source->written(ids);
    return trace;
}

Trace traceSentence(const TrainedModel& model, const std::string& source, const std::optional<std::string>& target,
                    const std::vector<MutedHead>& muted, TraceBound* bound,
                    std::span<const Intervention> interventions) {
    const ModelConfig& config = model.network->config();
    std::vector<int> ids = config.masked() ? encodeMasked(model, source) : inputIds(model, source);
    if (ids.empty()) throw Error("the source has no words: give at least one");
    if (config.encoderDecoder()) {
        const Changes changes{muted, interventions};
        return traceTranslation(model, ids, decoderInput(model, ids, target, changes), changes, bound);
    }
    if (target) throw Error("a model of architecture " + config.architecture + " has no target: leave --target out");
    // A text goes on where a sentence ended.
    if (config.continuesTexts() && config.startsAtEnd) ids.insert(ids.begin(), config.eosId);
    return traceIds(model, std::move(ids), muted, bound, interventions);
}

}  // namespace headlight

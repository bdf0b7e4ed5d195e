// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/translate.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/models/classifier.h"
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
    Translation result{text, model.source->display(source), {}};
    for (const Hypothesis& hypothesis : hypotheses)
        result.hypotheses.push_back({.text = model.target->decode(hypothesis.tokens),
                                     .tokens = model.target->display(hypothesis.tokens),
                                     .tokenLogProbs = hypothesis.tokenLogProbs,
                                     .logProb = hypothesis.logProb,
                                     .score = hypothesis.score,
                                     .finished = hypothesis.finished});
    return result;
}

}  // namespace

std::vector<Translation> translate(const TrainedModel& model, const std::vector<std::string>& texts,
                                   const BeamOptions& options) {
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

BeamOptions ownBeam(const TrainedModel& model) {
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

void checkLength(const std::vector<int>& ids, const char* side, int maxLength) {
    if (ids.empty()) throw Error(std::string("the ") + side + " has no words: give at least one");
    if (static_cast<int>(ids.size()) > maxLength)
        throw Error(std::string("the ") + side + " has " + std::to_string(ids.size()) +
                    " tokens, and this model reads at most " + std::to_string(maxLength) + " (max_length): shorten it");
}

/// What the decoder is fed: <bos> and the target, or what the model itself writes.
std::vector<int> decoderInput(const TrainedModel& model, const std::vector<int>& source,
                              const std::optional<std::string>& target, const std::vector<MutedHead>& muted) {
    const ModelConfig& config = model.network->config();
    std::vector<int> ids{config.decoderStart()};
    if (target) {
        const std::vector<int> given = model.target->encode(*target);
        ids.insert(ids.end(), given.begin(), given.end());
        return ids;
    }
    const std::vector<std::vector<int>> sources{source};
    const std::vector<Hypothesis> written = decodeGreedily(model.seq2seq(), sources, {.mutedHeads = muted});
    for (int id : written.front().tokens)
        if (id != config.eosId) ids.push_back(id);
    // A translation cut off at the limit has a last word that nothing follows: there is no position to read it at.
    if (static_cast<int>(ids.size()) > config.maxLength) ids.pop_back();
    return ids;
}

/// What `run`, a forward pass, computes in the context that it is given.
template <class Run>
Trace record(const TrainedModel& model, const std::vector<MutedHead>& muted, TraceBound* bound, Run run) {
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.network->parameters());
    TraceRecorder recorder(bound ? bound->mostBytes : TraceRecorder::usualBytes);
    context.tracer = &recorder;
    context.mutedHeads = muted;
    run(context);
    if (bound) bound->leftOut = recorder.leftOut();
    return recorder.take();
}

TokenBatch alone(const std::vector<int>& ids, const ModelConfig& config) {
    return TokenBatch::pad(std::span(&ids, 1), config.padId);
}

}  // namespace

Trace traceIds(const TrainedModel& model, const std::vector<int>& source, const std::vector<int>& target,
               const std::vector<MutedHead>& muted, TraceBound* bound) {
    const ModelConfig& config = model.network->config();
    checkLength(source, "source", config.maxLength);
    checkLength(target, "target", config.maxLength);
    Trace trace = record(model, muted, bound, [&](ForwardContext& context) {
        model.seq2seq().forward(context, alone(source, config), alone(target, config));
    });
    trace.sourceTokens = model.source->display(source);
    trace.targetTokens = model.target->display(target);
    return trace;
}

namespace {

Written goOn(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted) {
    constexpr int mostWords = 20;
    const GeneratedText more =
        generate(model.languageModel(), inputIds(model, text), mostWords, {.temperature = 0, .mutedHeads = muted});
    Written result{.text = model.target->decode(more.words),
                   .tokens = model.target->display(more.words),
                   .tokenLogProbs = more.logProbs,
                   .finished = more.finished};
    result.logProb = std::accumulate(more.logProbs.begin(), more.logProbs.end(), 0.0);
    return result;
}

/// A text whose words to fill in are written as the vocabulary writes its mask, whatever the tokenizer makes of that.
std::vector<int> encodeMasked(const TrainedModel& model, const std::string& text) {
    const int mask = model.network->config().mask();
    const std::string& written = model.source->vocabulary().token(mask);
    std::vector<int> ids = inputIds(model, text);
    // Other programs' tokenizers find a mask themselves; and of ids as text "10" has none in it, even where that is 0.
    const bool readsMasks = model.source->specials().mask || dynamic_cast<const IdTokenizer*>(model.source.get());
    if (readsMasks || std::ranges::count(ids, mask) > 0) return ids;
    ids.clear();
    for (size_t from = 0;;) {
        const size_t to = std::min(text.find(written, from), text.size());
        std::ranges::copy(model.source->encode(text.substr(from, to - from)), std::back_inserter(ids));
        if (to == text.size()) return ids;
        ids.push_back(mask);
        from = to + written.size();
    }
}

/// The likeliest word for each mask.
Written fillIn(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted) {
    const ModelConfig& config = model.network->config();
    const Trace trace = traceSentence(model, text, {}, muted);
    const TraceRecord& logProbs = trace.at("log_probs");
    const auto width = static_cast<std::ptrdiff_t>(logProbs.shape.back());
    Written result;
    result.finished = true;
    std::vector<int> ids;
    for (const float read : trace.at("ids").values) {
        const int id = static_cast<int>(read);
        const auto row = logProbs.values.begin() + static_cast<std::ptrdiff_t>(ids.size()) * width;
        const auto best = std::max_element(row, row + width);
        ids.push_back(id == config.mask() ? static_cast<int>(best - row) : id);
        if (id != config.mask()) continue;
        result.tokens.push_back(model.target->displayOne(ids.back()));
        result.tokenLogProbs.push_back(static_cast<double>(*best));
        result.logProb += result.tokenLogProbs.back();
    }
    result.text = model.target->decode(ids);
    return result;
}

Written label(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted) {
    const Trace trace = traceSentence(model, text, {}, muted);
    const std::vector<float>& logProbs = trace.at("log_probs").values;
    const auto best = std::ranges::max_element(logProbs);
    const int id = model.classifier().firstLabel() + static_cast<int>(best - logProbs.begin());
    const std::string& name = model.target->vocabulary().token(id);
    const auto logProb = static_cast<double>(*best);
    return {.text = name, .tokens = {name}, .tokenLogProbs = {logProb}, .logProb = logProb, .finished = true};
}

}  // namespace

Written respond(const TrainedModel& model, const std::string& text, const std::vector<MutedHead>& muted) {
    if (model.network->config().masked()) return fillIn(model, text, muted);
    switch (model.network->config().corpusKind()) {
        case CorpusKind::Translation:
            break;
        case CorpusKind::Text:
            return goOn(model, text, muted);
        case CorpusKind::Labels:
            return label(model, text, muted);
    }
    return translate(model, {text}, {.mutedHeads = muted}).front().best();
}

std::string continued(const TrainedModel& model, const std::string& text, int word) {
    std::vector<int> ids = model.source->encode(text);
    const std::string before = model.source->decode(ids);
    ids.push_back(word);
    const std::string after = model.source->decode(ids);
    return text + (after.starts_with(before) ? after.substr(before.size()) : " " + model.source->displayOne(word));
}

Trace traceIds(const TrainedModel& model, std::vector<int> ids, const std::vector<MutedHead>& muted,
               TraceBound* bound) {
    const ModelConfig& config = model.network->config();
    const bool labels = config.corpusKind() == CorpusKind::Labels;
    checkLength(ids, "source", labels ? config.maxLength - 1 : config.maxLength);
    Trace trace = record(model, muted, bound, [&](ForwardContext& context) {
        const std::span<const int> sentence(ids);
        if (labels)
            model.classifier().forward(context, std::span(&sentence, 1));
        else if (config.masked())
            model.maskedLanguageModel().forward(context, alone(ids, config));
        else
            model.languageModel().forward(context, alone(ids, config));
    });
    // A classifier puts <bos> before what it reads by itself.
    if (labels) ids.insert(ids.begin(), config.bosId);
    trace.sourceTokens = model.source->display(ids);
    return trace;
}

Trace traceSentence(const TrainedModel& model, const std::string& source, const std::optional<std::string>& target,
                    const std::vector<MutedHead>& muted, TraceBound* bound) {
    const ModelConfig& config = model.network->config();
    std::vector<int> ids = config.masked() ? encodeMasked(model, source) : inputIds(model, source);
    if (ids.empty()) throw Error("the source has no words: give at least one");
    if (config.encoderDecoder()) return traceIds(model, ids, decoderInput(model, ids, target, muted), muted, bound);
    if (target) throw Error("a model of architecture " + config.architecture + " has no target: leave --target out");
    // A text goes on where a sentence ended.
    if (config.corpusKind() == CorpusKind::Text && !config.masked() && config.startsAtEnd)
        ids.insert(ids.begin(), config.eosId);
    return traceIds(model, std::move(ids), muted, bound);
}

}  // namespace headlight

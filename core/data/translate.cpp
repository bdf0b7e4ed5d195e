// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/translate.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/train/bleu.h"

namespace headlight {

namespace {

std::vector<std::string> words(const std::vector<int>& ids, const Vocabulary& vocabulary) {
    std::vector<std::string> result;
    result.reserve(ids.size());
    for (int id : ids)
        result.push_back(vocabulary.token(id));
    return result;
}

constexpr int evaluationBatch = 64;

}  // namespace

std::vector<Translation> translate(const TrainedModel& model, const std::vector<std::string>& texts,
                                   const GreedyOptions& options) {
    std::vector<std::vector<int>> sources;
    sources.reserve(texts.size());
    for (const std::string& text : texts)
        sources.push_back(model.source->encode(text));
    const std::vector<Hypothesis> hypotheses = decodeGreedily(model.seq2seq(), sources, options);
    std::vector<Translation> result(texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
        const Hypothesis& hypothesis = hypotheses[i];
        result[i] = {.source = texts[i],
                     .sourceTokens = words(sources[i], model.source->vocabulary()),
                     .text = model.target->decode(hypothesis.tokens),
                     .tokens = words(hypothesis.tokens, model.target->vocabulary()),
                     .tokenLogProbs = hypothesis.tokenLogProbs,
                     .logProb = hypothesis.logProb,
                     .finished = hypothesis.finished};
    }
    return result;
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

Trace traceSentence(const TrainedModel& model, const std::string& source, const std::optional<std::string>& target,
                    const std::vector<MutedHead>& muted) {
    const Seq2Seq& network = model.seq2seq();
    const ModelConfig& config = network.config();
    const std::vector<int> sourceIds = model.source->encode(source);
    std::vector<int> targetIds{config.bosId};
    if (target) {
        const std::vector<int> given = model.target->encode(*target);
        targetIds.insert(targetIds.end(), given.begin(), given.end());
    } else {
        const std::vector<std::vector<int>> sources{sourceIds};
        const std::vector<Hypothesis> written = decodeGreedily(network, sources, {.mutedHeads = muted});
        for (int id : written.front().tokens)
            if (id != config.eosId) targetIds.push_back(id);
        // A translation cut off at the limit has a last word that nothing follows: there is no position to read it at.
        if (static_cast<int>(targetIds.size()) > config.maxLength) targetIds.pop_back();
    }
    const std::vector<int>& targetSide = targetIds;
    for (const auto& [ids, side] : {std::pair{&sourceIds, "source"}, std::pair{&targetSide, "target"}}) {
        if (ids->empty()) throw Error(std::string("the ") + side + " has no words: give at least one");
        if (static_cast<int>(ids->size()) > config.maxLength)
            throw Error(std::string("the ") + side + " has " + std::to_string(ids->size()) +
                        " tokens, and this model reads at most " + std::to_string(config.maxLength) +
                        " (max_length): shorten it");
    }

    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, network.parameters());
    TraceRecorder recorder;
    context.tracer = &recorder;
    context.mutedHeads = muted;
    const TokenBatch sourceBatch = TokenBatch::pad(std::span(&sourceIds, 1), config.padId);
    const TokenBatch targetBatch = TokenBatch::pad(std::span(&targetIds, 1), config.padId);
    network.forward(context, sourceBatch, targetBatch);

    Trace trace = recorder.take();
    trace.sourceTokens = words(sourceIds, model.source->vocabulary());
    trace.targetTokens = words(targetIds, model.target->vocabulary());
    return trace;
}

EncodedCorpus encode(const Corpus& corpus, const Tokenizer& source, const Tokenizer& target, int maxLength) {
    EncodedCorpus result;
    for (size_t i = 0; i < corpus.size(); ++i) {
        Example encoded{source.encode(corpus[i].source), target.encode(corpus[i].target)};
        // The decoder's input is one longer than the target: it begins with <bos>.
        const bool fits = !encoded.source.empty() && static_cast<int>(encoded.source.size()) <= maxLength &&
                          static_cast<int>(encoded.target.size()) < maxLength;
        if (!fits) {
            ++result.skipped;
            continue;
        }
        result.pairs.push_back(std::move(encoded));
        result.kept.push_back(i);
    }
    return result;
}

Evaluation evaluate(const TrainedModel& model, const Corpus& corpus) {
    const EncodedCorpus encoded = encode(corpus, *model.source, *model.target, model.network->config().maxLength);
    if (encoded.pairs.empty())
        throw Error("there is no sentence to evaluate on that the model can read: see max_length");
    const LossReport loss = evaluateLoss(*model.network, encoded.pairs, evaluationBatch);

    std::vector<std::vector<int>> sources;
    for (const Example& pair : encoded.pairs)
        sources.push_back(pair.source);
    const std::vector<Hypothesis> hypotheses = decodeGreedily(model.seq2seq(), sources);
    std::vector<std::string> texts, references;
    long right = 0;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
        std::vector<int> tokens = hypotheses[i].tokens;
        if (hypotheses[i].finished) tokens.pop_back();
        texts.push_back(model.target->decode(tokens));
        references.push_back(corpus[encoded.kept[i]].target);
        right += hypotheses[i].finished && tokens == encoded.pairs[i].target;
    }
    Evaluation result;
    result.loss = loss.loss;
    result.perplexity = std::exp(loss.loss);
    result.tokenAccuracy = loss.tokenAccuracy;
    result.sentences = static_cast<long>(texts.size());
    result.sequenceAccuracy = static_cast<double>(right) / static_cast<double>(std::max(1L, result.sentences));
    result.bleu = corpusBleu(texts, references).score;
    result.skipped = encoded.skipped;
    return result;
}

}  // namespace headlight

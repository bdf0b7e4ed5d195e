// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/evaluation.h"

#include <algorithm>
#include <cmath>

#include "core/data/text_windows.h"
#include "core/decode/beam_search.h"
#include "core/error.h"
#include "core/models/seq2seq.h"
#include "core/train/bleu.h"
#include "core/train/trainer.h"

namespace headlight {

namespace {

constexpr int evaluationBatch = 64;

EncodedCorpus encodePairs(const Corpus& corpus, const TrainedModel& model) {
    const int maxLength = model.network->config().maxLength;
    EncodedCorpus result;
    for (size_t i = 0; i < corpus.size(); ++i) {
        Example encoded{model.source->encode(corpus[i].source), model.target->encode(corpus[i].target)};
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

EncodedCorpus encodeText(const Corpus& corpus, const TrainedModel& model, Purpose purpose) {
    std::vector<std::string> lines;
    lines.reserve(corpus.size());
    for (const SentencePair& pair : corpus)
        lines.push_back(pair.target);
    const ModelConfig& config = model.network->config();
    // What is to be filled in stands in the window itself; what comes next may stand one behind it.
    const int window = config.masked() ? std::max(1, config.maxLength - 1) : config.maxLength;
    const int stride = purpose == Purpose::Training ? std::max(1, window / 2) : window;
    return {slidingWindows(runningText(lines, *model.target, config.eosId), window, stride), {}, 0};
}

/// <bos> stands before the words.
EncodedCorpus encodeLabels(const Corpus& corpus, const TrainedModel& model) {
    EncodedCorpus result = encodePairs(corpus, model);
    const size_t limit = static_cast<size_t>(model.network->config().maxLength);
    for (size_t i = 0; i < result.pairs.size(); ++i) {
        const Example& example = result.pairs[i];
        if (example.source.size() >= limit) throw Error("a sentence has more words than max_length allows: raise it");
        if (example.target.size() != 1 || example.target[0] == SpecialIds::unk)
            throw Error("\"" + corpus[result.kept[i]].target + "\" is no label that the model knows");
    }
    return result;
}

/// Translations against the references.
void measureTranslations(const TrainedModel& model, const Corpus& corpus, const EncodedCorpus& encoded,
                         const BeamOptions& options, Evaluation& result) {
    std::vector<std::vector<int>> sources;
    for (const Example& pair : encoded.pairs)
        sources.push_back(pair.source);
    const std::vector<std::vector<Hypothesis>> found = beamSearch(model.seq2seq(), sources, options);
    std::vector<std::string> texts, references;
    long right = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        const Hypothesis& best = found[i].front();
        std::vector<int> tokens = best.tokens;
        if (best.finished) tokens.pop_back();
        texts.push_back(model.target->decode(tokens));
        references.push_back(corpus[encoded.kept[i]].target);
        right += best.finished && tokens == encoded.pairs[i].target;
    }
    result.sequenceAccuracy = static_cast<double>(right) / static_cast<double>(std::max(1L, result.sentences));
    result.bleu = corpusBleu(texts, references).score;
}

}  // namespace

EncodedCorpus encode(const Corpus& corpus, const TrainedModel& model, Purpose purpose) {
    switch (model.network->config().corpusKind()) {
        case CorpusKind::Translation:
            return encodePairs(corpus, model);
        case CorpusKind::Text:
            return encodeText(corpus, model, purpose);
        case CorpusKind::Labels:
            return encodeLabels(corpus, model);
    }
    return {};
}

Evaluation evaluate(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options) {
    const EncodedCorpus encoded = encode(corpus, model, Purpose::Evaluation);
    if (encoded.pairs.empty())
        throw Error("there is no sentence to evaluate on that the model can read: see max_length");
    const LossReport loss = evaluateLoss(*model.network, encoded.pairs, evaluationBatch, options.mutedHeads);
    Evaluation result;
    result.loss = loss.loss;
    result.perplexity = std::exp(loss.loss);
    result.tokenAccuracy = loss.tokenAccuracy;
    result.skipped = encoded.skipped;
    switch (model.network->config().corpusKind()) {
        case CorpusKind::Translation:
            result.sentences = static_cast<long>(encoded.pairs.size());
            measureTranslations(model, corpus, encoded, options, result);
            break;
        case CorpusKind::Text:
            result.sentences = static_cast<long>(corpus.size());
            break;
        case CorpusKind::Labels:
            result.sentences = static_cast<long>(encoded.pairs.size());
            result.sequenceAccuracy = loss.tokenAccuracy;
            break;
    }
    return result;
}

}  // namespace headlight

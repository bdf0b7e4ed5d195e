// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "core/data/text_windows.h"
#include "core/decode/beam_search.h"
#include "core/error.h"
#include "core/models/encoder.h"
#include "core/models/seq2seq.h"
#include "core/train/sentence_bleu.h"
#include "core/train/trainer.h"

namespace headlight {

namespace {

constexpr int evaluationBatch = 64;

/// A model that puts nothing before a sentence by itself reads what its tokenizer puts around it.
std::vector<int> sourceIds(const std::string& text, const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    const bool asItStands = config.corpusKind() == CorpusKind::Labels && !config.startsAtBos;
    return asItStands ? model.source->encodeInput(text).ids : model.source->encode(text);
}

/// A corpus that is gone through once.
class Passage {
public:
    /// `mine`: the same, where its sentences are to be given back on the way.
    Passage(const Corpus& corpus, Corpus* mine, const WorkProgress& progress)
        : m_corpus(corpus), m_mine(mine), m_progress(progress) {}

    std::size_t size() const { return m_corpus.size(); }
    bool isRunningText() const { return !m_corpus.empty() && m_corpus.front().joint != Joint::End; }
    template <typename Use>
    void each(Use use) const {
        for (std::size_t i = 0; i < m_corpus.size(); ++i) {
            tellNowAndThen(m_progress, i, m_corpus.size());
            use(i, m_corpus[i]);
            if (m_mine) std::exchange((*m_mine)[i], {});  // an assignment alone would keep the memory
        }
    }

private:
    const Corpus& m_corpus;
    Corpus* m_mine;
    const WorkProgress& m_progress;
};

/// <bos> may stand before the words.
void checkLabel(const Example& example, const std::string& label, const ModelConfig& config) {
    const size_t limit = static_cast<size_t>(config.startsAtBos ? config.maxLength - 1 : config.maxLength);
    if (example.source.size() > limit) throw Error("a sentence has more words than max_length allows: raise it");
    if (example.target.size() != 1 || example.target[0] == SpecialIds::unk)
        throw Error("\"" + label + "\" is no label that the model knows");
}

EncodedCorpus encodePairs(const Passage& passage, const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    EncodedCorpus result;
    result.pairs.reserve(passage.size());
    passage.each([&](size_t i, const SentencePair& pair) {
        Example encoded{sourceIds(pair.source, model), model.target->encode(pair.target)};
        // The decoder's input is one longer than the target: it begins with <bos>.
        const bool fits = !encoded.source.empty() && static_cast<int>(encoded.source.size()) <= config.maxLength &&
                          static_cast<int>(encoded.target.size()) < config.maxLength;
        if (!fits) {
            ++result.skipped;
            return;
        }
        if (config.corpusKind() == CorpusKind::Labels) checkLabel(encoded, pair.target, config);
        result.pairs.push_back(std::move(encoded));
        result.kept.push_back(i);
    });
    return result;
}

EncodedCorpus encodeText(const Passage& passage, const TrainedModel& model, Purpose purpose) {
    const ModelConfig& config = model.network->config();
    // What is to be filled in stands in the window itself; what comes next may stand one behind it.
    const int window = config.masked() ? std::max(1, config.maxLength - 1) : config.maxLength;
    // Sentences of a few words are short of context; running text has enough, and is learned from once an epoch.
    const bool overlaps = purpose == Purpose::Training && !passage.isRunningText();
    TextWindows text(window, overlaps ? std::max(1, window / 2) : window);
    passage.each([&](size_t, const SentencePair& pair) { text.add(pair, *model.target, config.eosId); });
    return {text.take(), {}, 0};
}

EncodedCorpus encodePassage(const Passage& passage, const TrainedModel& model, Purpose purpose) {
    if (model.network->config().headless()) refuseWithoutHead();
    return model.network->config().corpusKind() == CorpusKind::Text ? encodeText(passage, model, purpose)
                                                                    : encodePairs(passage, model);
}

/// `texts` are the translations of those pairs that were `kept`.
std::optional<Evaluation::AllReferences> againstAllReferences(const Corpus& corpus, const std::vector<size_t>& kept,
                                                              const std::vector<std::string>& texts) {
    struct Source {
        size_t first;  ///< of `texts`; a source is translated alike wherever it stands
        std::vector<std::string> references;
    };
    std::map<std::string_view, Source> sources;
    for (size_t i = 0; i < kept.size(); ++i) {
        const SentencePair& pair = corpus[kept[i]];
        sources.try_emplace(pair.source, Source{i, {}}).first->second.references.push_back(pair.target);
    }
    if (sources.size() == kept.size()) return {};
    std::vector<Bleu> each;
    long exact = 0;
    for (const auto& [text, source] : sources) {
        each.push_back(sentenceBleu(texts[source.first], source.references).bleu);
        exact += std::ranges::count(source.references, texts[source.first]) > 0;
    }
    const auto count = static_cast<long>(sources.size());
    return Evaluation::AllReferences{summedBleu(each), count, static_cast<double>(exact) / static_cast<double>(count)};
}

/// Translations against the references.
void measureTranslations(const TrainedModel& model, const Corpus& corpus, const EncodedCorpus& encoded,
                         const BeamOptions& options, Evaluation& result) {
    // One that recurs is translated once.
    std::vector<std::vector<int>> sources;
    std::vector<size_t> placeOf;
    std::map<std::vector<int>, size_t> known;
    for (const Example& pair : encoded.pairs) {
        const auto [at, isNew] = known.try_emplace(pair.source, sources.size());
        if (isNew) sources.push_back(pair.source);
        placeOf.push_back(at->second);
    }
    const std::vector<std::vector<Hypothesis>> found = beamSearch(model.seq2seq(), sources, options);
    std::vector<std::string> texts, references;
    long right = 0;
    for (size_t i = 0; i < placeOf.size(); ++i) {
        const Hypothesis& best = found[placeOf[i]].front();
        std::vector<int> tokens = best.tokens;
        if (best.finished) tokens.pop_back();
        texts.push_back(model.target->decode(tokens));
        references.push_back(corpus[encoded.kept[i]].target);
        right += best.finished && tokens == encoded.pairs[i].target;
    }
    result.sequenceAccuracy = static_cast<double>(right) / static_cast<double>(std::max(1L, result.sentences));
    result.bleuParts = corpusBleu(texts, references);
    result.bleu = result.bleuParts->score;
    result.allReferences = againstAllReferences(corpus, encoded.kept, texts);
}

Evaluation evaluateEncoded(const TrainedModel& model, const Corpus& corpus, const EncodedCorpus& encoded,
                           const BeamOptions& options) {
    if (encoded.pairs.empty())
        throw Error("there is no sentence to evaluate on that the model can read: see max_length");
    const LossReport loss = lossOn(model, encoded.pairs, options.mutedHeads, options.interventions);
    Evaluation result;
    result.loss = loss.loss;
    result.perplexity = std::exp(loss.loss);
    result.tokenAccuracy = loss.tokenAccuracy;
    result.tokens = loss.tokens;
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

}  // namespace

EncodedCorpus encode(const Corpus& corpus, const TrainedModel& model, Purpose purpose, const WorkProgress& progress) {
    return encodePassage({corpus, nullptr, progress}, model, purpose);
}

EncodedCorpus encode(Corpus&& corpus, const TrainedModel& model, Purpose purpose, const WorkProgress& progress) {
    Corpus mine = std::move(corpus);
    return encodePassage({mine, &mine, progress}, model, purpose);
}

std::vector<Example> keepReadable(Corpus& heldOut, const TrainedModel& model) {
    EncodedCorpus encoded = encode(heldOut, model, Purpose::Evaluation);
    if (model.network->config().corpusKind() == CorpusKind::Text) return std::move(encoded.pairs);
    Corpus kept;
    for (const size_t place : encoded.kept)
        kept.push_back(std::move(heldOut[place]));
    heldOut = std::move(kept);
    return std::move(encoded.pairs);
}

LossReport lossOn(const TrainedModel& model, const std::vector<Example>& pairs, std::span<const MutedHead> muted,
                  std::span<const Intervention> interventions) {
    return evaluateLoss(*model.network, pairs, evaluationBatch, muted, interventions);
}

Evaluation evaluate(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options) {
    return evaluateEncoded(model, corpus, encode(corpus, model, Purpose::Evaluation), options);
}

Evaluation evaluateInTraining(const TrainedModel& model, const Corpus& corpus) {
    const EncodedCorpus encoded = encode(corpus, model, Purpose::Evaluation);
    size_t longest = 0;
    for (const Example& pair : encoded.pairs)
        longest = std::max(longest, pair.target.size());
    return evaluateEncoded(model, corpus, encoded, {.maxLength = static_cast<int>(2 * longest + 10)});
}

}  // namespace headlight

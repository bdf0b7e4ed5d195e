// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/new_model.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/data/corpus_readers.h"
#include "core/data/text_reading.h"
#include "core/error.h"
#include "core/models/encoder.h"
#include "core/text/line_tokenizer.h"
#include "core/train/training_memory.h"

namespace headlight {

namespace {

using Kind = TokenizerOptions::Kind;
using TokenizerPointer = std::shared_ptr<const Tokenizer>;

/// With one more token, behind all others.
TokenizerPointer withToken(const Tokenizer& tokenizer, std::string_view token) {
    nlohmann::json json = tokenizer.toJson();
    json["tokens"].push_back(std::string(token));
    return tokenizerFromJson(json);
}

/// A label is a word whatever the sentences are cut into, however seldom it stands.
TokenizerOptions forLabels(TokenizerOptions how) {
    how.kind = how.kind == Kind::Word ? Kind::Word : Kind::Whitespace;
    how.minCount = 1;
    return how;
}

std::vector<Merge> readMerges(const std::string& path) {
    const Bpe bpe = Bpe::fromCodes(readLines(path), path);
    if (bpe.wordEnd() == Bpe::WordEnd::Apart)
        throw Error(path +
                    " is of version 0.1, whose merges treat the end of a word apart; learn codes of version 0.2");
    return bpe.merges();
}

/// The words of both sides on their way to tokenizers.
class WordLearner {
public:
    WordLearner(const TokenizerOptions& how, nlohmann::json& config)
        : m_config(config),
          m_wanted(ModelConfig::fromJson(config)),
          m_sourceHow(how),
          m_targetHow(m_wanted.corpusKind() == CorpusKind::Labels ? forLabels(how) : how),
          m_source(m_sourceHow),
          m_target(m_targetHow) {}

    void count(const Corpus& train, const WorkProgress& progress) {
        const bool one = m_wanted.hasOneVocabulary(), readsSource = !one || m_wanted.shareEmbeddings;
        for (std::size_t i = 0; i < train.size(); ++i) {
            tellNowAndThen(progress, i, train.size());
            m_target.add(withJoint(train[i]));
            if (readsSource) (one ? m_target : m_source).add(train[i].source);
        }
    }

    void learn(TrainedModel& model, const WorkProgress& progress) {
        WordCounts targets = m_target.take();
        targets.erase(std::string(LineTokenizer::lineBreak));  // it gets its place however seldom it stands
        const bool needsMask = m_wanted.masked() && m_wanted.maskId < 0;
        const bool one = m_wanted.hasOneVocabulary();
        WordCounts sources = one ? WordCounts() : m_source.take();
        const std::vector<Merge> joint =
            m_sourceHow.jointBpe && !one ? jointMerges(sources, targets, progress) : std::vector<Merge>();
        const std::vector<Merge>* merges = joint.empty() ? nullptr : &joint;
        model.target =
            learnSide(std::move(targets), m_targetHow, "target_vocab_size",
                      (needsMask ? 1 : 0) + (m_targetHow.lineBreaks ? 1 : 0),
                      one && m_targetHow.targetCodes.empty() ? m_targetHow.sourceCodes : m_targetHow.targetCodes,
                      merges, partOf(progress, 0, one ? 1 : 0.5));
        if (m_targetHow.lineBreaks) model.target = withToken(*model.target, LineTokenizer::lineBreak);
        if (needsMask) {
            model.target = withToken(*model.target, "<mask>");
            m_config["mask_id"] = model.target->vocabulary().size() - 1;
        }
        model.source = one ? model.target  // it reads what it writes
                           : learnSide(std::move(sources), m_sourceHow, "source_vocab_size", 0, m_sourceHow.sourceCodes,
                                       merges, partOf(progress, 0.5, 1));
        m_config["source_vocab_size"] = model.source->vocabulary().size();
        m_config["target_vocab_size"] = model.target->vocabulary().size();
    }

private:
    std::vector<Merge> jointMerges(const WordCounts& sources, const WordCounts& targets,
                                   const WorkProgress& progress) const {
        WordCounts both = sources;
        for (const auto& [word, count] : targets)
            both[word] += count;
        both.erase("<unk>");
        return learnMerges(both, m_sourceHow.merges, progress);
    }

    /// `more`: words that are to be added, and leave room for.
    TokenizerPointer learnSide(WordCounts counts, TokenizerOptions how, const char* sizeKey, int more,
                               const std::string& codes, const std::vector<Merge>* merges,
                               const WorkProgress& progress) const {
        how.maxVocabulary = m_config.value(sizeKey, 0);
        if (how.maxVocabulary != 0 && how.maxVocabulary < 5 + more)
            throw Error(std::string(sizeKey) + " " + std::to_string(how.maxVocabulary) +
                        " leaves no room for words: " + std::to_string(4 + more) + " places go to special tokens");
        if (how.maxVocabulary != 0) how.maxVocabulary -= more;
        const std::vector<Merge> read = codes.empty() ? std::vector<Merge>() : readMerges(codes);
        TokenizerPointer learned = learnTokenizer(std::move(counts), how, codes.empty() ? merges : &read, progress);
        if (how.minCount > 1 && learned->vocabulary().size() == Vocabulary().size())
            throw Error("no word stands " + std::to_string(how.minCount) + " times: lower --min-count");
        return learned;
    }

    nlohmann::json& m_config;
    ModelConfig m_wanted;
    TokenizerOptions m_sourceHow, m_targetHow;
    TokenCounter m_source, m_target;
};

}  // namespace

void checkTokenizer(const TokenizerOptions& tokenizer, const ModelConfig& config) {
    const auto refuse = [](bool condition, const std::string& why) {
        if (condition) throw Error(why);
    };
    const bool codes = !tokenizer.sourceCodes.empty() || !tokenizer.targetCodes.empty();
    const bool cutsWords = tokenizer.kind == Kind::Word || tokenizer.kind == Kind::Whitespace;
    refuse(tokenizer.minCount < 1, "--min-count must be at least 1 (every word)");
    refuse(tokenizer.jointBpe && tokenizer.kind != Kind::Bpe,
           "--joint-bpe says from what merges are learned: give --tokenizer bpe:N");
    refuse(tokenizer.jointBpe && config.corpusKind() != CorpusKind::Translation,
           "--joint-bpe learns from a source and a target, and a model of architecture " + config.architecture +
               " has one text: leave it out");
    refuse(codes && !cutsWords,
           "codes of a file cut words, and take the place of learned merges: give them with "
           "--tokenizer word, or whitespace for text whose words stand apart already");
    refuse(config.corpusKind() == CorpusKind::Labels && !tokenizer.targetCodes.empty(),
           "labels are not cut: leave --target-codes out");
    refuse(config.hasOneVocabulary() && !tokenizer.sourceCodes.empty() && !tokenizer.targetCodes.empty() &&
               tokenizer.sourceCodes != tokenizer.targetCodes,
           "source and target have one vocabulary: give the same file as --source-codes and --target-codes");
}

TrainedModel newModel(nlohmann::json config, const TokenizerOptions& tokenizer, const Corpus& train, uint64_t seed,
                      const WorkProgress& progress) {
    if (train.empty()) throw Error("there are no sentences to train on: give at least 3 pairs");
    const ModelConfig wanted = ModelConfig::fromJson(config);
    if (wanted.headless()) refuseWithoutHead();
    checkTokenizer(tokenizer, wanted);
    if (tokenizer.lineBreaks && wanted.continuesTexts()) {
        // A window of running text begins anywhere, and nothing in it ends: an <eos> is never learned.
        config["starts_at_end"] = false;
        config["forbidden_ids"] = {SpecialIds::eos};
    }
    TrainedModel model;
    {
        WordLearner words(tokenizer, config);
        words.count(train, partOf(progress, 0, 0.6));
        words.learn(model, partOf(progress, 0.6, 1));
    }
    // What the least of trainings would take: the caller's may take more, and Trainer looks again.
    refuseWhatMemoryCannotHold(ModelConfig::fromJson(config), {.batchSize = 1, .optimizer = OptimizerKind::Sgd});
    model.network = Model::make(ModelConfig::fromJson(config));
    model.network->initialize(seed);
    return model;
}

}  // namespace headlight

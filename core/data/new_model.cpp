// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/new_model.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/train/training_memory.h"

namespace headlight {

namespace {

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

std::vector<std::string> linesOf(const Corpus& corpus, std::string SentencePair::*side) {
    std::vector<std::string> lines;
    lines.reserve(corpus.size());
    for (const SentencePair& pair : corpus)
        lines.push_back(pair.*side);
    return lines;
}

/// `more`: words that are to be added, and leave room for.
TokenizerPointer learnTokenizer(TokenizerOptions how, const nlohmann::json& config, const char* sizeKey,
                                const std::vector<std::string>& lines, int more = 0) {
    how.maxVocabulary = config.value(sizeKey, 0);
    if (how.maxVocabulary != 0 && how.maxVocabulary < 5 + more)
        throw Error(std::string(sizeKey) + " " + std::to_string(how.maxVocabulary) +
                    " leaves no room for words: " + (more ? "five" : "four") + " places go to special tokens");
    if (how.maxVocabulary != 0) how.maxVocabulary -= more;
    return trainTokenizer(lines, how);
}

/// With a word that stands for one that was taken out, behind all others.
TokenizerPointer withMask(const Tokenizer& tokenizer) {
    nlohmann::json json = tokenizer.toJson();
    json["tokens"].push_back("<mask>");
    return tokenizerFromJson(json);
}

void learnTokenizers(TrainedModel& model, nlohmann::json& config, const TokenizerOptions& how, const Corpus& train) {
    const ModelConfig wanted = ModelConfig::fromJson(config);
    std::vector<std::string> lines = linesOf(train, &SentencePair::target);
    if (wanted.shareEmbeddings) std::ranges::move(linesOf(train, &SentencePair::source), std::back_inserter(lines));
    const bool needsMask = wanted.masked() && wanted.maskId < 0;
    model.target = learnTokenizer(how, config, "target_vocab_size", lines, needsMask ? 1 : 0);
    if (needsMask) {
        model.target = withMask(*model.target);
        config["mask_id"] = model.target->vocabulary().size() - 1;
    }
    const bool one = wanted.corpusKind() == CorpusKind::Text || wanted.shareEmbeddings;
    model.source = one ? model.target  // it reads what it writes
                       : learnTokenizer(how, config, "source_vocab_size", linesOf(train, &SentencePair::source));
    config["source_vocab_size"] = model.source->vocabulary().size();
    config["target_vocab_size"] = model.target->vocabulary().size();
}

}  // namespace

TrainedModel newModel(nlohmann::json config, TokenizerOptions tokenizer, const Corpus& train, uint64_t seed) {
    if (train.empty()) throw Error("there are no sentences to train on: give at least 3 pairs");
    TrainedModel model;
    learnTokenizers(model, config, tokenizer, train);
    // What the least of trainings would take: the caller's may take more, and Trainer looks again.
    refuseWhatMemoryCannotHold(ModelConfig::fromJson(config), {.batchSize = 1, .optimizer = OptimizerKind::Sgd});
    model.network = Model::make(ModelConfig::fromJson(config));
    model.network->initialize(seed);
    return model;
}

}  // namespace headlight

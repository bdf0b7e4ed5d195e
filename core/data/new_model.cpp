// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/new_model.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/train/training_memory.h"

namespace headlight {

namespace {

std::shared_ptr<const Tokenizer> learnTokenizer(TokenizerOptions how, const nlohmann::json& config, const char* sizeKey,
                                                const Corpus& corpus, std::string SentencePair::*side) {
    how.maxVocabulary = config.value(sizeKey, 0);
    if (how.maxVocabulary != 0 && how.maxVocabulary < 5)
        throw Error(std::string(sizeKey) + " " + std::to_string(how.maxVocabulary) +
                    " leaves no room for words: four places go to special tokens");
    std::vector<std::string> lines;
    lines.reserve(corpus.size());
    for (const SentencePair& pair : corpus)
        lines.push_back(pair.*side);
    return trainTokenizer(lines, how);
}

}  // namespace

TrainedModel newModel(nlohmann::json config, TokenizerOptions tokenizer, const Corpus& train, uint64_t seed) {
    if (train.empty()) throw Error("there are no sentences to train on: give at least 3 pairs");
    TrainedModel model;
    model.target = learnTokenizer(tokenizer, config, "target_vocab_size", train, &SentencePair::target);
    model.source = ModelConfig::fromJson(config).corpusKind() == CorpusKind::Text
                       ? model.target  // it reads what it writes
                       : learnTokenizer(tokenizer, config, "source_vocab_size", train, &SentencePair::source);
    config["source_vocab_size"] = model.source->vocabulary().size();
    config["target_vocab_size"] = model.target->vocabulary().size();
    // What the least of trainings would take: the caller's may take more, and Trainer looks again.
    refuseWhatMemoryCannotHold(ModelConfig::fromJson(config), {.batchSize = 1, .optimizer = OptimizerKind::Sgd});
    model.network = Model::make(ModelConfig::fromJson(config));
    model.network->initialize(seed);
    return model;
}

}  // namespace headlight

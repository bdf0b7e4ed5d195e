// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_config.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

using Words = std::initializer_list<const char*>;

struct ToJson {
    nlohmann::json& json;

    template <class Field>
    void operator()(const char* name, const Field& field) const {
        json[name] = field;
    }
    template <class Enum>
    void operator()(const char* name, const Enum& field, Words words) const {
        json[name] = words.begin()[static_cast<size_t>(field)];
    }
};

struct FromJson {
    const nlohmann::json& json;
    std::set<std::string>& known;

    template <class Field>
    void operator()(const char* name, Field& field) const {
        known.insert(name);
        if (!json.contains(name)) return;
        const nlohmann::json& value = json[name];
        const bool fits = std::is_same_v<Field, std::string> ? value.is_string()
                          : std::is_same_v<Field, bool>      ? value.is_boolean()
                          : std::is_same_v<Field, int>       ? value.is_number_integer()
                                                             : value.is_number();
        if (!fits) throw Error("the model's configuration has " + value.dump() + " for " + name + ": a wrong type");
        if constexpr (std::is_same_v<Field, int>) {
            const auto number = value.get<int64_t>();
            if (number < -1 || number > (1 << 30))
                throw Error("the model's configuration has " + value.dump() + " for " + name + ": out of range");
        }
        field = value.get<Field>();
    }
    template <class Enum>
    void operator()(const char* name, Enum& field, Words words) const {
        known.insert(name);
        if (!json.contains(name)) return;
        const std::string text = json[name].is_string() ? json[name].get<std::string>() : json[name].dump();
        const auto found = std::find(words.begin(), words.end(), std::string_view(text));
        if (found == words.end()) {
            std::string choices;
            for (const char* word : words)
                choices += std::string(choices.empty() ? "" : ", ") + word;
            throw Error("the model's configuration has \"" + text + "\" for " + name + ": it must be one of " +
                        choices);
        }
        field = static_cast<Enum>(found - words.begin());
    }
};

void require(bool condition, const std::string& what) {
    if (!condition) throw Error(what);
}

}  // namespace

const std::vector<std::string>& architectures() {
    static const std::vector<std::string> names{"transformer", "rnn", "language-model", "rnn-language-model",
                                                "encoder-classifier"};
    return names;
}

CorpusKind ModelConfig::corpusKind() const {
    if (encoderDecoder()) return CorpusKind::Translation;
    return architecture == "encoder-classifier" ? CorpusKind::Labels : CorpusKind::Text;
}

int ModelConfig::embeddingWidth() const {
    const bool halved = positionalCombine == PositionalCombine::Concat && positionalEncoding != PositionalKind::None;
    return halved ? dModel / 2 : dModel;
}

float ModelConfig::embeddingScale() const {
    return scaleEmbeddings ? std::sqrt(static_cast<float>(dModel)) : 1.0f;
}

PositionalEncoding::Options ModelConfig::positionOptions() const {
    return {positionalEncoding, positionalCombine, positionalBase, embeddingWidth(), maxLength};
}

size_t ModelConfig::leastWeights() const {
    const auto of = [](int rows, int columns) { return static_cast<size_t>(rows) * static_cast<size_t>(columns); };
    const int embedding = recurrent() ? embeddingSize : embeddingWidth();
    size_t count = of(sourceVocabSize, embedding) + (encoderDecoder() ? of(targetVocabSize, embedding) : 0);
    const int special = 4, written = corpusKind() == CorpusKind::Labels ? targetVocabSize - special : targetVocabSize;
    if (!tieEmbeddings) count += of(written, width());
    if (!recurrent()) {
        if (positionalEncoding == PositionalKind::Learned) count += of(maxLength, embedding);
        const size_t oneAttention = 4 * of(dModel, dModel), oneNetwork = 2 * of(dModel, dFf);
        if (!encoderDecoder()) return count + static_cast<size_t>(numLayers) * (oneAttention + oneNetwork);
        return count + static_cast<size_t>(numEncoderLayers) * (oneAttention + oneNetwork) +
               static_cast<size_t>(numDecoderLayers) * (2 * oneAttention + oneNetwork);
    }
    const int h = hiddenSize, gates = cell == Cell::Rnn ? 1 : cell == Cell::Gru ? 3 : 4;
    const auto stack = [&](int in, int between, int directions) {
        const auto layer = [&](int from) { return static_cast<size_t>(directions * gates) * (of(h, from) + of(h, h)); };
        return layer(in) + static_cast<size_t>(numLayers - 1) * layer(between);
    };
    if (!encoderDecoder()) return count + stack(embedding, h, 1);
    const int directions = bidirectional ? 2 : 1;
    count += stack(embedding, directions * h, directions);
    count += stack(embedding + (context == ContextUse::EveryInput ? h : 0), h, 1);
    if (bidirectional) count += of(2 * h, h);
    if (attention != AttentionKind::None) count += of(2 * h, h);
    if (attention == AttentionKind::General) count += of(h, h);
    if (attention == AttentionKind::Additive) count += of(2 * h + 1, h);
    return count;
}

namespace {

void between(const char* name, int value, int low, int high) {
    require(value >= low && value <= high, std::string(name) + " is " + std::to_string(value) +
                                               ": it must be between " + std::to_string(low) + " and " +
                                               std::to_string(high));
}

void validateTransformer(const ModelConfig& config) {
    const int dModel = config.dModel, numHeads = config.numHeads;
    between("d_model", dModel, 1, 16384);
    between("num_heads", numHeads, 1, 256);
    if (config.encoderDecoder()) {
        between("num_encoder_layers", config.numEncoderLayers, 1, 64);
        between("num_decoder_layers", config.numDecoderLayers, 1, 64);
    } else {
        between("num_layers", config.numLayers, 1, 64);
    }
    between("d_ff", config.dFf, 1, 1 << 17);
    require(dModel % numHeads == 0, "d_model " + std::to_string(dModel) + " cannot be shared out among num_heads " +
                                        std::to_string(numHeads) +
                                        ": choose a d_model that is a multiple of num_heads");
    const bool adds = config.positionalCombine == PositionalCombine::Add;
    require(adds || dModel % 2 == 0,
            "d_model " + std::to_string(dModel) + " is odd: positional_combine concat needs two equal halves");
    require(adds || !config.tieEmbeddings,
            "tie_embeddings needs embeddings of width d_model: use positional_combine add with it");
    require(config.layerNormEps > 0, "layer_norm_eps must be above 0");
    require(config.positionalBase > 1, "positional_base must be above 1");
    require(static_cast<size_t>(config.maxLength) * static_cast<size_t>(dModel) <= (size_t{1} << 28),
            "max_length is too large for its d_model");
}

void checkArchitecture(const std::string& architecture) {
    const std::vector<std::string>& known = architectures();
    if (std::ranges::find(known, architecture) != known.end()) return;
    std::string choices;
    for (const std::string& name : known)
        choices += (choices.empty() ? "" : " or ") + name;
    throw Error("architecture \"" + architecture + "\" is not known to this version: use " + choices);
}

void validateRecurrent(const ModelConfig& config) {
    between("embedding_size", config.embeddingSize, 1, 16384);
    between("hidden_size", config.hiddenSize, 1, 16384);
    between("num_layers", config.numLayers, 1, 64);
}

}  // namespace

void ModelConfig::validate() const {
    checkArchitecture(architecture);
    between("max_length", maxLength, 1, 1 << 16);
    if (recurrent())
        validateRecurrent(*this);
    else
        validateTransformer(*this);
    require(dropout >= 0 && dropout < 1,
            "dropout is " + shortestNumber(dropout) + ": it must be at least 0 and below 1");
    between("source_vocab_size", sourceVocabSize, 4, 1 << 24);
    between("target_vocab_size", targetVocabSize, 4, 1 << 24);
    if (corpusKind() == CorpusKind::Text)
        require(sourceVocabSize == targetVocabSize,
                "a language model reads and writes one vocabulary: source_vocab_size and target_vocab_size must agree");
    if (architecture == "encoder-classifier")
        require(targetVocabSize > 5, "target_vocab_size " + std::to_string(targetVocabSize) +
                                         " leaves no two labels: four places go to special tokens");
    for (const int id : {padId, bosId, eosId, unkId})
        require(id >= 0 && id < std::min(sourceVocabSize, targetVocabSize),
                "a special token's id stands outside the vocabulary");
}

nlohmann::json ModelConfig::toJson() const {
    nlohmann::json json = nlohmann::json::object();
    visitFields(*this, ToJson{json});
    return json;
}

ModelConfig ModelConfig::fromJson(const nlohmann::json& json) {
    require(json.is_object(), "the model's configuration is not a JSON object");
    ModelConfig config;
    std::set<std::string> known;
    FromJson{json, known}("architecture", config.architecture);
    checkArchitecture(config.architecture);
    visitFields(config, FromJson{json, known});  // the fields that this architecture has
    if (!json.contains("max_length") && config.corpusKind() == CorpusKind::Text) config.maxLength = 64;
    if (!json.contains("num_layers") && !config.recurrent() && !config.encoderDecoder()) config.numLayers = 2;
    if (!json.contains("final_norm")) config.finalNorm = config.normOrder == NormOrder::Pre;
    for (const auto& [key, value] : json.items())
        require(known.count(key) != 0, key + " is no setting of architecture " + config.architecture +
                                           " in this version of Headlight: leave it out");
    return config;
}

}  // namespace headlight

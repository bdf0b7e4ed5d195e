// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_config.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"
#include "core/number_text.h"

namespace headlight {

namespace {

using Words = std::initializer_list<const char*>;

constexpr size_t mostIds = 65536;  ///< in a list of a configuration

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
        if (!fits) throw Error("the model's configuration has " + jsonText(value) + " for " + name + ": a wrong type");
        if constexpr (std::is_same_v<Field, int>) {
            // What is above every signed number would come to be a negative one.
            constexpr int64_t largest = 1 << 30;
            const bool huge = value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(largest);
            if (huge || value.get<int64_t>() < -1 || value.get<int64_t>() > largest)
                throw Error("the model's configuration has " + jsonText(value) + " for " + name + ": out of range");
        }
        field = value.get<Field>();
    }
    void operator()(const char* name, std::vector<int>& field) const {
        known.insert(name);
        if (!json.contains(name)) return;
        const nlohmann::json& value = json[name];
        const auto fits = [](const nlohmann::json& each) {
            return each.is_number_integer() && each.get<int64_t>() >= 0 && each.get<int64_t>() <= (1 << 30);
        };
        if (!value.is_array() || value.size() > mostIds || !std::ranges::all_of(value, fits))
            throw Error(std::string("the model's configuration has no list of ids for ") + name);
        field = value.get<std::vector<int>>();
    }
    template <class Enum>
    void operator()(const char* name, Enum& field, Words words) const {
        known.insert(name);
        if (!json.contains(name)) return;
        const std::string text = json[name].is_string() ? json[name].get<std::string>() : jsonText(json[name]);
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
    static const std::vector<std::string> names{
        "transformer",           "rnn",    "language-model", "rnn-language-model", "encoder-classifier",
        "masked-language-model", "encoder"};
    return names;
}

CorpusKind ModelConfig::corpusKind() const {
    if (encoderDecoder()) return CorpusKind::Translation;
    return architecture == "encoder-classifier" ? CorpusKind::Labels : CorpusKind::Text;
}

int ModelConfig::embeddingWidth() const {
    if (wordWidth > 0) return wordWidth;
    const bool hasRows =
        positionalEncoding == PositionalKind::Sinusoidal || positionalEncoding == PositionalKind::Learned;
    return positionalCombine == PositionalCombine::Concat && hasRows ? dModel / 2 : dModel;
}

int ModelConfig::firstLabel() const {
    return std::max({padId, bosId, eosId, unkId}) + 1;
}

bool ModelConfig::ends(int id) const {
    return id == eosId || std::ranges::find(moreEndIds, id) != moreEndIds.end();
}

bool ModelConfig::isWindowed(int layer) const {
    return slidingWindow > 0 && (windowLayers.empty() || std::ranges::find(windowLayers, layer) != windowLayers.end());
}

RotarySpeeds ModelConfig::rotarySpeeds(bool windowed) const {
    const int width = rotarySize > 0 ? rotarySize : headWidth();
    if (windowed && windowBase > 0) return {.base = windowBase, .width = width};
    return {positionalBase,      width, rotaryScaling, rotaryFactor, rotaryLowFactor, rotaryHighFactor,
            rotaryOriginalLength};
}

float ModelConfig::embeddingScale() const {
    return scaleEmbeddings ? std::sqrt(static_cast<float>(dModel)) : 1.0f;
}

PositionOptions ModelConfig::positionOptions() const {
    return {positionalEncoding, positionalCombine, positionalBase, embeddingWidth(),
            maxLength,          sinusoidLayout,    positionOffset};
}

namespace {

void between(const char* name, int value, int low, int high) {
    require(value >= low && value <= high, std::string(name) + " is " + std::to_string(value) +
                                               ": it must be between " + std::to_string(low) + " and " +
                                               std::to_string(high));
}

void validateRotary(const ModelConfig& config) {
    if (config.positionalEncoding != PositionalKind::Rotary) return;
    const RotarySpeeds speeds = config.rotarySpeeds(false);
    require(speeds.width % 2 == 0,
            "positional_encoding rotary turns pairs of numbers: choose an even width of a head, not " +
                std::to_string(speeds.width));
    between("rotary_size", config.rotarySize, 0, config.headWidth());
    require(config.rotaryFactor > 0, "rotary_factor must be above 0");
    require(config.rotaryHighFactor > config.rotaryLowFactor && config.rotaryLowFactor > 0,
            "rotary_high_factor must be above rotary_low_factor, and that above 0");
    between("rotary_original_length", config.rotaryOriginalLength, 1, 1 << 30);
    require(config.windowBase == 0 || config.windowBase > 1, "window_base must be above 1, or 0");
}

/// What is told to attention alone, and the table of a learned encoding.
void validatePositions(const ModelConfig& config) {
    require(config.positionalBase > 1, "positional_base must be above 1");
    validateRotary(config);
    between("relative_buckets", config.relativeBuckets, 4, 1 << 12);
    between("relative_max_distance", config.relativeMaxDistance, 2, 1 << 20);
    require(config.relativeBuckets % 4 == 0 && config.relativeMaxDistance > config.relativeBuckets / 2,
            "relative_buckets must be a multiple of 4, and relative_max_distance above half of it");
    between("position_offset", config.positionOffset, 0, 1 << 10);
    require(config.positionOffset == 0 || config.positionalEncoding == PositionalKind::Learned ||
                config.positionalEncoding == PositionalKind::Sinusoidal,
            "position_offset counts rows of a table: use positional_encoding learned or sinusoidal with it");
    require(static_cast<size_t>(config.maxLength) * static_cast<size_t>(config.dModel) <= (size_t{1} << 28),
            "max_length is too large for its d_model");
}

/// What sublayers, scores and norms do otherwise than the paper's.
void validateSublayers(const ModelConfig& config) {
    const bool adds = config.normOrder == NormOrder::Pre && config.residuals;
    require(adds || config.parallel == Parallel::None,
            "parallel sublayers read one input and are added to it: use norm_order pre with it, and residuals");
    require(adds || !config.outputNorms,
            "output_norms are of what is added to the stream: use norm_order pre with them, and residuals");
    require(config.firstNorm || (adds && config.parallel == Parallel::None),
            "first_norm false leaves out a norm that stands before attention: use norm_order pre with it, and no "
            "parallel sublayers");
    require(!config.outputNorms || config.parallel == Parallel::None,
            "output_norms and parallel sublayers do not go together: choose one");
    require(!config.normFromOne || config.norm == NormKind::Rms,
            "norm_from_one is of norms without a mean: use norm rms with it");
    require(config.queryScale >= 0 && config.scoreCap >= 0 && config.logitCap >= 0,
            "query_scale, score_cap and logit_cap must not be below 0");
    require(config.queryScale == 0 || config.scaleScores,
            "query_scale says what scores are divided by: use scale_scores with it");
    between("sliding_window", config.slidingWindow, 0, 1 << 30);
    for (const int layer : config.windowLayers)
        require(layer < config.numLayers, "window_layers names layer " + std::to_string(layer) +
                                              ", and the last one is " + std::to_string(config.numLayers - 1));
    require(config.windowLayers.empty() || config.slidingWindow > 0,
            "window_layers have a sliding_window: say how many words it has");
}

/// What decoding is told of single tokens.
void validateIds(const ModelConfig& config) {
    const auto inside = [](const char* name, int id, int lowest, int size) {
        require(id >= lowest && id < size, std::string(name) + " is " + std::to_string(id) +
                                               ", and the vocabulary has no such word: its ids end at " +
                                               std::to_string(size - 1));
    };
    inside("decoder_start_id", config.decoderStartId, -1, config.targetVocabSize);
    inside("forced_first_id", config.forcedFirstId, -1, config.targetVocabSize);
    inside("mask_id", config.maskId, -1, config.sourceVocabSize);
    inside("separator_id", config.separatorId, -1, config.sourceVocabSize);
    for (const int id : config.forbiddenIds) {
        inside("forbidden_ids", id, 0, config.targetVocabSize);
        // What goes on with running text never ends by itself.
        require(id != config.eosId || (config.continuesTexts() && !config.startsAtEnd),
                "forbidden_ids has eos_id among it: no text would ever end");
    }
    for (const int id : config.moreEndIds)
        inside("more_end_ids", id, 0, config.targetVocabSize);
    require(config.forbiddenIds.size() < static_cast<size_t>(config.targetVocabSize),
            "forbidden_ids leaves no word to write");
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
    between("head_size", config.headSize, 0, 16384);
    require(config.headSize > 0 || dModel % numHeads == 0,
            "d_model " + std::to_string(dModel) + " cannot be shared out among num_heads " + std::to_string(numHeads) +
                ": choose a d_model that is a multiple of num_heads");
    require(config.numKvHeads >= 0 && config.numKvHeads <= numHeads && numHeads % config.keyHeads() == 0,
            "num_kv_heads " + std::to_string(config.numKvHeads) + " does not divide num_heads " +
                std::to_string(numHeads) + ": as many queries share each key");
    const bool adds = config.positionalCombine == PositionalCombine::Add;
    require(adds || dModel % 2 == 0,
            "d_model " + std::to_string(dModel) + " is odd: positional_combine concat needs two equal halves");
    require(adds || !config.tieEmbeddings,
            "tie_embeddings needs embeddings of width d_model: use positional_combine add with it");
    require(config.layerNormEps > 0, "layer_norm_eps must be above 0");
    validatePositions(config);
    validateSublayers(config);
    between("token_types", config.tokenTypes, 0, 1 << 10);
    require(adds || config.tokenTypes == 0,
            "token_types needs embeddings of width d_model: use positional_combine add with it");
    between("word_width", config.wordWidth, 0, 16384);
    require(adds || config.wordWidth == 0,
            "word_width is that of word and position together: use positional_combine add with it");
    require(config.separatorId < 0 || config.tokenTypes > 1,
            "separator_id parts two types of words: use token_types 2 with it");
    require(!config.shareEmbeddings || config.sourceVocabSize == config.targetVocabSize,
            "share_embeddings needs one vocabulary: source_vocab_size and target_vocab_size must agree");
    require(!config.scaleOutput || config.tieEmbeddings,
            "scale_output is for a head that is the embedding: use tie_embeddings with it");
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
    // Of words that are as narrow as a number a small file can hold more than there is memory for their names.
    constexpr int mostWords = 1 << 20;
    between("source_vocab_size", sourceVocabSize, 1, mostWords);
    between("target_vocab_size", targetVocabSize, 1, mostWords);
    if (corpusKind() == CorpusKind::Text)
        require(sourceVocabSize == targetVocabSize,
                "a language model reads and writes one vocabulary: source_vocab_size and target_vocab_size must agree");
    if (architecture == "encoder-classifier")
        require(targetVocabSize >= firstLabel() + 2, "target_vocab_size " + std::to_string(targetVocabSize) +
                                                         " leaves no two labels: four places go to special tokens");
    for (const int id : {padId, bosId, eosId, unkId})
        require(id >= 0 && id < std::min(sourceVocabSize, targetVocabSize),
                "a special token's id stands outside the vocabulary");
    validateIds(*this);
}

nlohmann::json ModelConfig::toJson() const {
    nlohmann::json json = nlohmann::json::object(), variant = json, plain = json;
    const ModelConfig defaults{.architecture = architecture};
    visitPlainFields(*this, ToJson{json});
    visitVariantFields(*this, ToJson{variant});
    visitVariantFields(defaults, ToJson{plain});
    for (const auto& [key, value] : variant.items())
        if (value != plain[key]) json[key] = value;
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

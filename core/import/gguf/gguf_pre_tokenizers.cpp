// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gguf/gguf_pre_tokenizers.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/io/safetensors_header.h"
#include "core/text/pipeline/pre_tokenizer.h"

namespace headlight {

namespace {

/// How a text is put into its normal form before it is split.
enum class Form { AsItIs, Composed };
/// What is split off before GPT-2's expression, or in its place.
enum class Way { Gpt2, SingleDigits, Expression };

struct KnownPreTokenizer {
    std::string_view name;
    Form form;
    Way way;
    std::string_view expression = {};  ///< of Expression
    bool takesWholeWords = false, beginsTexts = false;
};

// The expressions of these models' own tokenizer.json: Llama 3's (and GPT-4's), Qwen 2's, Mistral Nemo's, GPT-4o's.
constexpr std::string_view
    llama3Words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
                  R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
    qwen2Words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
                 R"(|\s*[\r\n]+|\s+(?!\S)|\s+)",
    tekkenWords = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
                  R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
                  R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    gpt4oWords =
        R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
        R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
        R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

constexpr std::array known{
    KnownPreTokenizer{"gpt-2", Form::AsItIs, Way::Gpt2},
    KnownPreTokenizer{"phi-2", Form::AsItIs, Way::Gpt2},
    // GPT-NeoX's, which MPT, OLMo and Pythia share: the converter tells none from another.
    KnownPreTokenizer{"mpt", Form::Composed, Way::Gpt2},
    KnownPreTokenizer{"olmo", Form::Composed, Way::Gpt2},
    KnownPreTokenizer{"smollm", Form::AsItIs, Way::SingleDigits},
    KnownPreTokenizer{"starcoder", Form::AsItIs, Way::SingleDigits},
    KnownPreTokenizer{"llama-bpe", Form::AsItIs, Way::Expression, llama3Words, true, true},
    KnownPreTokenizer{"llama3", Form::AsItIs, Way::Expression, llama3Words, true, true},
    KnownPreTokenizer{"llama-v3", Form::AsItIs, Way::Expression, llama3Words, true, true},
    KnownPreTokenizer{"smaug-bpe", Form::AsItIs, Way::Expression, llama3Words},
    KnownPreTokenizer{"dbrx", Form::AsItIs, Way::Expression, llama3Words},
    KnownPreTokenizer{"qwen2", Form::Composed, Way::Expression, qwen2Words},
    KnownPreTokenizer{"deepseek-r1-qwen", Form::AsItIs, Way::Expression, qwen2Words},
    KnownPreTokenizer{"tekken", Form::AsItIs, Way::Expression, tekkenWords, true, true},
    KnownPreTokenizer{"gpt-4o", Form::AsItIs, Way::Expression, gpt4oWords},
};

nlohmann::json byteLevel(bool splits) {
    return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", splits}};
}

nlohmann::json preTokenizerOf(const KnownPreTokenizer& each) {
    if (each.way == Way::Gpt2) return byteLevel(true);
    const nlohmann::json first = each.way == Way::SingleDigits
                                     ? nlohmann::json{{"type", "Digits"}, {"individual_digits", true}}
                                     : nlohmann::json{{"type", "Split"},
                                                      {"pattern", {{"Regex", std::string(each.expression)}}},
                                                      {"behavior", "Isolated"},
                                                      {"invert", false}};
    return {{"type", "Sequence"},
            {"pretokenizers", nlohmann::json::array({first, byteLevel(each.way == Way::SingleDigits)})}};
}

/// Files of before May 2024 name none, or "default"; of these architectures all models have the same.
std::string usualOf(const std::string& architecture) {
    if (architecture == "gpt2" || architecture == "phi2") return "gpt-2";
    if (architecture == "gptneox") return "olmo";
    if (architecture == "qwen2" || architecture == "qwen3") return "qwen2";
    return {};
}

}  // namespace

GgufPreTokenizer ggufPreTokenizer(const GgufKeys& keys) {
    constexpr const char* key = "tokenizer.ggml.pre";
    std::string name = keys.file().text(key).value_or("default");
    if (name == "default") name = usualOf(keys.architecture());
    if (name.empty())
        throw keys.file().fault(std::string("it does not say how its tokenizer splits a text (") + key +
                                "): convert the model again with a newer llama.cpp");
    const auto found = std::ranges::find(known, name, &KnownPreTokenizer::name);
    if (found == known.end()) {
        std::string names;
        for (const KnownPreTokenizer& each : known)
            names += (names.empty() ? "" : ", ") + std::string(each.name);
        throw keys.file().fault(std::string("the key ") + key + " is " + safetensors::quotedName(name) +
                                ", and Headlight knows how texts are split as " + names +
                                ": open the folder that the file was converted from");
    }
    GgufPreTokenizer result{nullptr, preTokenizerOf(*found), found->takesWholeWords, found->beginsTexts};
    if (found->form == Form::Composed) result.normalizer = {{"type", "NFC"}};
    return result;
}

}  // namespace headlight

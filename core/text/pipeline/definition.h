// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/text/pipeline/added_tokens.h"
#include "core/text/pipeline/subword_model.h"
#include "core/text/tokenizer.h"

namespace headlight::pipeline {

/// What a tokenizer.json says, or what a vocabulary's own files come to. The parts are as that format spells them; null
/// where there is none.
struct Definition {
    Definition();  // not inline, where it would promise not to throw: a null of JSON may

    std::string file;        ///< begins messages
    std::string mergesFile;  ///< begins messages about merges
    nlohmann::json normalizer, preTokenizer, postProcessor, decoder;
    nlohmann::json model;             ///< without vocab and merges
    std::vector<std::string> tokens;  ///< the model's own, by id; "" where the id is not its own
    std::vector<double> scores;       ///< of Unigram, by id
    MergeList merges;
    std::vector<AddedToken> added;
    SpecialTokens specials;
    int size = 0;  ///< rows of the model that it is for, where these are more than its tokens
};

/// Collects a vocabulary that comes as tokens and their ids. Every message begins with the file's name.
class VocabularyReader {
public:
    /// `what` the ids belong to, for messages: a file.
    explicit VocabularyReader(std::string file) : m_file(std::move(file)) {}

    /// From `{"token": id, …}`. Throws Error for what is no such object, an id over 2^20, and an id given twice.
    std::vector<std::string> fromJson(const nlohmann::json& json) const;
    /// From a file of one token a line. Throws Error for invalid UTF-8, and for a token that stands there twice.
    std::vector<std::string> fromLines(std::string_view text) const;

    static constexpr int mostTokens = 1 << 20;
    static constexpr std::size_t mostMerges = std::size_t{1} << 21;
    static constexpr std::size_t mostAdded = std::size_t{1} << 14;
    static constexpr std::size_t longestToken = 2048;  ///< bytes; there are runs of zeros that long

private:
    const std::string& checked(const std::string& token) const;

    std::string m_file;
};

/// All tokens by id: the model's own and those that were added. GPT-4's added tokens leave ids free between them: such
/// get a name. Throws Error where an id or a token is given twice, and where an id before those of added tokens has no
/// token.
std::vector<std::string> allTokens(const Definition& definition);

/// From a tokenizer.json of version "1.0". Throws Error, which begins with `file`, for what is not one. Its special
/// tokens are told by their usual names: `[CLS]`, `<s>`, `<|endoftext|>`, …
Definition definitionFromTokenizerJson(nlohmann::json json, const std::string& file);
/// The reverse: what other programs read as well.
nlohmann::json toTokenizerJson(const Definition& definition);

/// One of tokenizer.json's `added_tokens`. Throws Error, which begins with `file`, for what is none.
AddedToken addedTokenFromJson(const nlohmann::json& json, const std::string& file);
nlohmann::json toJson(const AddedToken& token);

/// The special tokens among `added`, by their usual names.
SpecialTokens specialsByName(const std::vector<AddedToken>& added);

}  // namespace headlight::pipeline

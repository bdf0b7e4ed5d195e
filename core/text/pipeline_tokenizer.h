// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/text/pipeline/definition.h"
#include "core/text/pipeline/normalizer.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/pipeline/sentence_template.h"
#include "core/text/pipeline/token_decoder.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// The tokenizers of GPT-2, BART, BERT, Llama and what is like them, in the steps of a tokenizer.json: added tokens are
/// found, what is between them is normalised, split, and cut by byte-pair encoding or WordPiece.
///
/// Where tokens are bytes (GPT-2), any bytes become tokens and these the same bytes again; a byte that is not UTF-8 is
/// split from its neighbours as a character that is neither letter, number nor space. Otherwise broken UTF-8 is read as
/// U+FFFD.
class PipelineTokenizer : public Tokenizer {
public:
    static constexpr std::string_view kindName = "pipeline";

    /// Throws Error where the parts do not fit together; it names file and fault.
    explicit PipelineTokenizer(pipeline::Definition definition);
    /// The reverse of toJson().
    static std::shared_ptr<const Tokenizer> fromJson(const nlohmann::json& json);

    /// Tokens of the vocabulary; where it has none, the text itself.
    std::vector<std::string> split(std::string_view text) const override;
    std::string join(const std::vector<std::string>& tokens) const override;
    std::vector<int> encode(std::string_view text) const override;
    std::vector<std::string> written(const std::vector<int>& ids) const override;
    /// `{"kind": "pipeline", "tokenizer": {…}, "specials": {…}, "size": …}`; the tokenizer is a tokenizer.json.
    nlohmann::json toJson() const override;
    const pipeline::Definition& definition() const { return m_definition; }

protected:
    EncodedInput surround(std::vector<int> first, const std::vector<int>* second) const override;

private:
    /// How a token's bytes are written.
    enum class Bytes { AsText, ByteLevel, Fallback };

    std::vector<pipeline::ModelToken> tokensOf(std::string_view text) const;
    void addTokensOf(pipeline::TextPiece piece, std::vector<pipeline::ModelToken>& tokens) const;
    std::string normalized(std::string_view text) const;

    pipeline::Definition m_definition;
    std::unique_ptr<const pipeline::Normalizer> m_normalizer;      // null: none
    std::unique_ptr<const pipeline::PreTokenizer> m_preTokenizer;  // null: none
    std::unique_ptr<const pipeline::SubwordModel> m_model;
    pipeline::SentenceTemplate m_template;
    std::unique_ptr<const pipeline::TokenDecoder> m_decoder;
    pipeline::AddedTokens m_rawAdded, m_normalizedAdded;
    Bytes m_bytes = Bytes::AsText;
    bool m_keepsBytes = false;  // of a text that is not UTF-8
    int m_unknownId = -1;
};

}  // namespace headlight

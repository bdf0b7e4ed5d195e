// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/text/pipeline/added_tokens.h"
#include "core/text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace headlight {

/// The tokenizers of T5, Llama and Marian: pieces as the SentencePiece library cuts them (Kudo, Richardson:
/// SentencePiece, EMNLP 2018). A space is part of the piece that follows it: `▁`. A text is put into its normal form,
/// so that not every one comes back as it was; broken UTF-8 is read as the library reads it, as U+FFFD.
class SentencePieceTokenizer : public Tokenizer {
public:
    static constexpr std::string_view kindName = "sentencepiece";

    struct Parts {
        std::string file;   ///< begins messages
        std::string model;  ///< bytes of the library's file
        std::vector<std::string> tokens =
            {};  ///< by id, where the model's pieces have ids of their own (Marian); else empty
        std::vector<pipeline::AddedToken> added = {};  ///< found in a text before it is cut; ids may follow the pieces'
        std::vector<int> before = {}, after = {};      ///< special tokens around a text
        SpecialTokens specials = {};
        /// Is `>>xx<<` at the head of a text one token, as models that translate into several languages have it?
        enum class Language { PlainText, OneToken } language = Language::PlainText;
        int size = 0;  ///< rows of the model that it is for, where these are more than its tokens
    };
    /// Throws Error for a file that is not the library's, and for ids and tokens that are given twice or leave holes.
    explicit SentencePieceTokenizer(Parts parts);
    ~SentencePieceTokenizer() override;
    static std::shared_ptr<const Tokenizer> fromJson(const nlohmann::json& json);
    /// The pieces of a model, by id. Throws Error.
    static std::vector<std::string> piecesOf(std::string_view model, const std::string& file);

    std::vector<std::string> split(std::string_view text) const override;
    std::string join(const std::vector<std::string>& tokens) const override;
    std::vector<std::string> written(const std::vector<int>& ids) const override;
    std::vector<int> encode(std::string_view text) const override;
    /// `{"kind": "sentencepiece", "model": base64, "tokens": […], "added": […], …}`
    nlohmann::json toJson() const override;

protected:
    /// Two texts stand behind one another, each with what goes around it; all of type 0.
    EncodedInput surround(std::vector<int> first, const std::vector<int>* second) const override;

private:
    void addPieces(std::string_view text, std::vector<std::string>& pieces) const;

    Parts m_parts;
    std::unique_ptr<sentencepiece::SentencePieceProcessor> m_processor;
    pipeline::AddedTokens m_added;
};

}  // namespace headlight

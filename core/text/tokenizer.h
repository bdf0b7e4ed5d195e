// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/text/piece.h"
#include "core/text/vocabulary.h"

namespace headlight {

/// The ids of the tokens that stand for no text; those that a tokenizer does not have are empty.
struct SpecialTokens {
    std::optional<int> pad = {}, bos = {}, eos = {}, unk = {}, cls = {}, sep = {}, mask = {};
};

/// What a model is fed: a text, or two, with the special tokens that its tokenizer puts around them.
struct EncodedInput {
    std::vector<int> ids;
    std::vector<int> types;   ///< of each token: 0 first text, 1 second (BERT's token types)
    std::vector<bool> added;  ///< of each token: was it put around the text, or does it stand for a part of it?
};

/// Text <-> token ids, one a language side of a model.
///
/// Headlight's own tokenizers (word, char, bpe) take UTF-8 in any normal form and have tokens in NFC; encode() never
/// emits <pad>, <bos> or <eos>. Those of other people's models do what their authors' programs do: broken UTF-8 is read
/// (as the bytes that it is where the scheme knows bytes, else as U+FFFD), and a special token that a text spells out,
/// as in `Paris is [MASK].`, is that token.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    /// The token strings of a text, before the vocabulary is asked. Headlight's own throw Error for invalid UTF-8.
    virtual std::vector<std::string> split(std::string_view text) const = 0;
    /// Token strings back to readable text. Where tokens are bytes, whatever bytes these are.
    virtual std::string join(const std::vector<std::string>& tokens) const = 0;
    /// Everything needed to make the same tokenizer again (headlight.tokenizer.* in a model file).
    virtual nlohmann::json toJson() const = 0;

    /// The ids of a text alone.
    virtual std::vector<int> encode(std::string_view text) const;
    /// The ids of a text, or of two for a model that reads pairs, as the model wants them: `[CLS] A [SEP] B [SEP]`,
    /// `A </s>`. Headlight's own models add what they need themselves; their tokenizers add nothing, and throw Error
    /// for a pair.
    EncodedInput encodeInput(std::string_view text) const;
    EncodedInput encodeInput(std::string_view first, std::string_view second) const;

    /// What decode() does with the tokens that stand for no text.
    enum class Specials { LeftOut, Written };
    /// The text of some ids. Throws Error for ids that the vocabulary does not have.
    std::string decode(const std::vector<int>& ids, Specials specials = Specials::LeftOut) const;
    /// Each of these ids as the vocabulary writes it, in this order, with the marks of its scheme (`nu@@`, `##ing`,
    /// `▁the`): always UTF-8, one text an id. A token that is part of a character (bytes of it) is that character and
    /// which part it is, as `ế₁` `ế₂`; so the whole sequence must be given. Bytes that belong to no character are
    /// written as `<0xE1>`, a space as `▁`, other characters that one cannot see by their picture (`␊`). Throws Error
    /// as decode().
    virtual std::vector<std::string> written(const std::vector<int>& ids) const;
    std::string writtenOne(int id) const { return written({id}).front(); }
    /// Each of these ids as a reader sees it, in this order, from the beginning of a text or sentence on.
    std::vector<Piece> pieces(const std::vector<int>& ids, Before before = Before::Nothing) const;
    /// What to draw for each of these ids: the pieces, with a mark where they touch (`nu‿` `‿lle`).
    std::vector<std::string> display(const std::vector<int>& ids) const;
    /// The same of a token that may stand behind any other: `‿ing` where it goes on with a word.
    std::string displayOne(int id) const;

    const Vocabulary& vocabulary() const { return m_vocabulary; }
    const PieceMarks& marks() const { return m_marks; }
    const SpecialTokens& specials() const { return m_specials; }
    /// Does the token stand for no text? The unknown token does not count: it stands for a text that is not known.
    bool isSpecial(int id) const;

protected:
    /// Puts the special tokens around a text, or around two.
    virtual EncodedInput surround(std::vector<int> first, const std::vector<int>* second) const;
    /// `ids`: all that stand for no text, in any order.
    void setSpecials(const SpecialTokens& specials, std::vector<int> ids);

    Vocabulary m_vocabulary;
    PieceMarks m_marks;

private:
    SpecialTokens m_specials{SpecialIds::pad, SpecialIds::bos, SpecialIds::eos, SpecialIds::unk, {}, {}, {}};
    std::vector<int> m_specialIds{SpecialIds::pad, SpecialIds::bos, SpecialIds::eos};  ///< sorted
};

/// The reverse of toJson(); throws Error where the JSON is not a tokenizer's.
std::shared_ptr<const Tokenizer> tokenizerFromJson(const nlohmann::json& json);

}  // namespace headlight

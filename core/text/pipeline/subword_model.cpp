// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/subword_model.h"

#include <algorithm>
#include <optional>

#include <unicode/utf8.h>

#include "core/error.h"
#include "core/text/pipeline/byte_tokens.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/merge_table.h"
#include "core/text/pipeline/token_index.h"
#include "core/text/pipeline/unigram.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

std::size_t endOfCodePoint(std::string_view text, std::size_t begin) {
    U8_FWD_1(text.data(), begin, text.size());
    return begin;
}

/// Byte-pair encoding over characters (Sennrich, Haddow, Birch 2016), as GPT-2 and Llama have it.
class BytePairs : public SubwordModel {
public:
    BytePairs(const ModelSource& source, const ComponentJson& json)
        : m_index(source.tokens),
          m_unknown(json.text("unk_token", "")),
          m_unknownId(m_index.find(m_unknown)),
          m_prefix(json.shortText("continuing_subword_prefix", "")),
          m_suffix(json.shortText("end_of_word_suffix", "")),
          m_fusesUnknown(json.flag("fuse_unk", false)),
          m_wholeWordsFirst(json.flag("ignore_merges", false)) {
        if (!m_unknown.empty() && m_unknownId < 0) json.refuse("unk_token", "is not in the vocabulary");
        if (json.json().contains("dropout") && !json.json()["dropout"].is_null() && json.json()["dropout"] != 0)
            json.refuse("dropout", "makes the same text different tokens each time: set it to null");
        if (json.flag("byte_fallback", false)) m_bytes.emplace(m_index);
        m_merges.reserve(source.merges.size());
        std::string whole;
        for (std::size_t rank = 0; rank < source.merges.size(); ++rank)
            addMerge(source.merges[rank], static_cast<int>(rank), source.mergesFile, whole);
    }

    void cut(std::string_view piece, std::vector<ModelToken>& tokens) const override {
        if (m_wholeWordsFirst) {
            if (const int id = m_index.find(piece); id >= 0) {
                tokens.push_back({id});
                return;
            }
        }
        std::vector<std::string_view> unknown;
        std::vector<int> symbols = symbolsOf(piece, unknown);
        m_merges.apply(symbols);
        std::size_t unknownAt = 0;
        for (const int symbol : symbols) {
            if (symbol >= 0)
                tokens.push_back({symbol});
            else
                tokens.push_back({-1, std::string(unknown[unknownAt++])});
        }
    }

    const std::string& unknownToken() const override { return m_unknown; }
    bool fallsBackToBytes() const override { return m_bytes.has_value(); }

private:
    static constexpr int unknownSymbol = -1;

    /// `whole` is room for the merged token, the same for all.
    void addMerge(const std::pair<std::string, std::string>& merge, int rank, const std::string& file,
                  std::string& whole) {
        const auto& [left, right] = merge;
        std::string_view rest = right;
        if (!m_prefix.empty() && rest.starts_with(m_prefix)) rest.remove_prefix(m_prefix.size());
        const auto idOf = [&](const std::string& token) {
            const int id = m_index.find(token);
            if (id < 0)
                throw Error(file + ": merge " + std::to_string(rank + 1) + " names '" + token.substr(0, 100) +
                            "', which the vocabulary does not have: the two do not belong together");
            return id;
        };
        const int leftId = idOf(left), rightId = idOf(right);
        m_merges.add(leftId, rightId, rank, idOf(whole.assign(left).append(rest)));
    }

    /// `unknown`: the text of each symbol that is unknown, in order.
    std::vector<int> symbolsOf(std::string_view piece, std::vector<std::string_view>& unknown) const {
        std::vector<int> symbols;
        symbols.reserve(piece.size());
        std::string decorated;
        for (std::size_t begin = 0; begin < piece.size();) {
            const std::size_t end = endOfCodePoint(piece, begin);
            std::string_view character = piece.substr(begin, end - begin);
            const bool prefixed = begin > 0 && !m_prefix.empty(), suffixed = end == piece.size() && !m_suffix.empty();
            if (prefixed || suffixed) {
                decorated = (prefixed ? m_prefix : "") + std::string(character) + (suffixed ? m_suffix : "");
                character = decorated;
            }
            if (const int id = m_index.find(character); id >= 0)
                symbols.push_back(id);
            else if (m_bytes && m_bytes->hasAll(character))
                for (const char byte : character)
                    symbols.push_back(m_bytes->id(byte));
            else if (m_unknownId >= 0)
                addUnknown(symbols, piece.substr(begin, end - begin), unknown);
            begin = end;
        }
        return symbols;
    }

    void addUnknown(std::vector<int>& symbols, std::string_view text, std::vector<std::string_view>& unknown) const {
        if (m_fusesUnknown && !symbols.empty() && symbols.back() == unknownSymbol) {
            unknown.back() = {unknown.back().data(), unknown.back().size() + text.size()};
            return;
        }
        symbols.push_back(unknownSymbol);
        unknown.push_back(text);
    }

    TokenIndex m_index;
    std::string m_unknown;
    int m_unknownId;
    std::string m_prefix, m_suffix;
    bool m_fusesUnknown, m_wholeWordsFirst;
    std::optional<ByteTokens> m_bytes;  // only with byte fallback
    MergeTable m_merges;
};

/// The longest piece of the vocabulary that the rest of the word begins with, again and again (Devlin et al. 2019).
class WordPiece : public SubwordModel {
public:
    WordPiece(const ModelSource& source, const ComponentJson& json)
        : m_index(source.tokens),
          m_unknown(json.text("unk_token", "[UNK]")),
          m_prefix(json.shortText("continuing_subword_prefix", "##")),
          m_longestWord(static_cast<std::size_t>(json.number("max_input_chars_per_word", 100, 1000))) {
        if (m_index.find(m_unknown) < 0)
            json.refuse("unk_token", "is '" + m_unknown.substr(0, 100) + "', which the vocabulary does not have");
        for (const std::string& token : source.tokens)
            m_longestToken = std::max(m_longestToken, token.size());
    }

    void cut(std::string_view piece, std::vector<ModelToken>& tokens) const override {
        const std::size_t before = tokens.size();
        if (codePoints(piece).size() <= m_longestWord && cutKnown(piece, tokens)) return;
        tokens.resize(before);
        tokens.push_back({-1, std::string(piece)});
    }

    const std::string& unknownToken() const override { return m_unknown; }

private:
    bool cutKnown(std::string_view piece, std::vector<ModelToken>& tokens) const {
        std::string candidate;
        for (std::size_t begin = 0; begin < piece.size();) {
            const std::string_view prefix = begin == 0 ? std::string_view() : std::string_view(m_prefix);
            const std::size_t longest = std::min(piece.size() - begin, m_longestToken);
            std::size_t length = longest;
            int id = -1;
            for (candidate.assign(prefix).append(piece.substr(begin, longest)); length > 0; --length) {
                id = isWhole(piece, begin + length) ? m_index.find(candidate) : -1;
                if (id >= 0) break;
                candidate.pop_back();
            }
            if (id < 0) return false;
            tokens.push_back({id});
            begin += length;
        }
        return true;
    }

    /// Does a code point end here?
    static bool isWhole(std::string_view text, std::size_t at) {
        return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    }

    TokenIndex m_index;
    std::string m_unknown, m_prefix;
    std::size_t m_longestWord;
    std::size_t m_longestToken = 0;
};

/// Whole words.
class WordLevel : public SubwordModel {
public:
    WordLevel(const ModelSource& source, const ComponentJson& json)
        : m_index(source.tokens), m_unknown(json.text("unk_token", "<unk>")) {
        if (m_index.find(m_unknown) < 0) m_unknown.clear();
    }

    void cut(std::string_view piece, std::vector<ModelToken>& tokens) const override {
        const int id = m_index.find(piece);
        tokens.push_back({id, id < 0 ? std::string(piece) : ""});
    }

    const std::string& unknownToken() const override { return m_unknown; }

private:
    TokenIndex m_index;
    std::string m_unknown;
};

}  // namespace

std::string modelType(const nlohmann::json& options) {
    if (!options.is_object()) return {};
    if (const auto type = options.find("type"); type != options.end())
        return type->is_string() ? type->get<std::string>() : "";
    // GPT-2's own file, among others, was written before models said what they are.
    if (options.contains("merges")) return "BPE";
    if (options.contains("max_input_chars_per_word")) return "WordPiece";
    return options.contains("vocab") && options["vocab"].is_array() ? "Unigram" : "";
}

std::unique_ptr<const SubwordModel> readModel(const ModelSource& source) {
    const ComponentJson json(source.options, "model", source.file);
    const std::string type = modelType(source.options);
    if (type == "BPE") return std::make_unique<BytePairs>(source, json);
    if (type == "WordPiece") return std::make_unique<WordPiece>(source, json);
    if (type == "WordLevel") return std::make_unique<WordLevel>(source, json);
    if (type == "Unigram") return makeUnigram(source, json);
    json.refuseType();
}

}  // namespace headlight::pipeline

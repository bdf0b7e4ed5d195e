// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/token_decoder.h"

#include <algorithm>
#include <array>

#include "core/text/pipeline/component.h"
#include "core/text/pipeline/pattern.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/token_bytes.h"

namespace headlight::pipeline {
namespace {

using Tokens = std::vector<std::string>;

class Spaces : public TokenDecoder {
public:
    Tokens apply(Tokens tokens) const override {
        for (std::size_t i = 1; i < tokens.size(); ++i)
            tokens[i].insert(0, " ");
        return tokens;
    }
};

class ByteLevelDecoder : public TokenDecoder {
public:
    Tokens apply(Tokens tokens) const override {
        // A token with a character that stands for no byte was added to the vocabulary: it is text as it is.
        for (std::string& token : tokens)
            if (auto bytes = fromByteLevel(token)) token = std::move(*bytes);
        return tokens;
    }
};

/// English punctuation back to the word before it.
void cleanUp(std::string& token) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> changes = {{{" .", "."},
                                                                                               {" ?", "?"},
                                                                                               {" !", "!"},
                                                                                               {" ,", ","},
                                                                                               {" ' ", "'"},
                                                                                               {" n't", "n't"},
                                                                                               {" 'm", "'m"},
                                                                                               {" do not", " don't"},
                                                                                               {" 's", "'s"},
                                                                                               {" 've", "'ve"},
                                                                                               {" 're", "'re"}}};
    for (const auto& [from, to] : changes)
        for (std::size_t at = token.find(from); at != std::string::npos; at = token.find(from, at + to.size()))
            token.replace(at, from.size(), to);
}

class WordPieceDecoder : public TokenDecoder {
public:
    explicit WordPieceDecoder(const ComponentJson& json)
        : m_prefix(json.shortText("prefix", "##")), m_cleansUp(json.flag("cleanup", true)) {}

    Tokens apply(Tokens tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string& token = tokens[i];
            if (i > 0 && !m_prefix.empty() && token.starts_with(m_prefix))
                token.erase(0, m_prefix.size());
            else if (i > 0)
                token.insert(0, " ");
            if (m_cleansUp) cleanUp(token);
        }
        return tokens;
    }

private:
    std::string m_prefix;
    bool m_cleansUp;
};

class MetaspaceDecoder : public TokenDecoder {
public:
    explicit MetaspaceDecoder(const ComponentJson& json)
        : m_mark(Pattern::literal(json.shortText("replacement", "▁"))),
          m_strips(json.text("prepend_scheme", json.flag("add_prefix_space", true) ? "always" : "never") != "never") {}

    Tokens apply(Tokens tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = m_mark.replace(tokens[i], i == 0 && m_strips ? "" : " ");
        return tokens;
    }

private:
    Pattern m_mark;
    bool m_strips;
};

class ByteFallback : public TokenDecoder {
public:
    Tokens apply(Tokens tokens) const override {
        for (std::string& token : tokens)
            if (const auto byte = fromByteFallback(token)) token = std::string(1, static_cast<char>(*byte));
        return tokens;
    }
};

class Fuse : public TokenDecoder {
public:
    Tokens apply(Tokens tokens) const override {
        std::string whole;
        for (const std::string& token : tokens)
            whole += token;
        return {whole};
    }
};

class StripDecoder : public TokenDecoder {
public:
    explicit StripDecoder(const ComponentJson& json)
        : m_content(json.shortText("content", " ")),
          m_start(json.number("start", 0, 1 << 16)),
          m_stop(json.number("stop", 0, 1 << 16)) {
        if (m_content.empty()) json.refuse("content", "is empty");
    }

    Tokens apply(Tokens tokens) const override {
        for (std::string& token : tokens) {
            std::string_view rest = token;
            for (int i = 0; i < m_start && rest.starts_with(m_content); ++i)
                rest.remove_prefix(m_content.size());
            for (int i = 0; i < m_stop && rest.ends_with(m_content); ++i)
                rest.remove_suffix(m_content.size());
            token = std::string(rest);
        }
        return tokens;
    }

private:
    std::string m_content;
    int m_start, m_stop;
};

class ReplaceDecoder : public TokenDecoder {
public:
    explicit ReplaceDecoder(const ComponentJson& json)
        : m_pattern(readPattern(json, "pattern")), m_content(json.shortText("content", "")) {}

    Tokens apply(Tokens tokens) const override {
        for (std::string& token : tokens)
            token = m_pattern.replace(token, m_content);
        return tokens;
    }

private:
    Pattern m_pattern;
    std::string m_content;
};

/// Of vocabularies that mark the end of a word.
class WordEnds : public TokenDecoder {
public:
    explicit WordEnds(const ComponentJson& json) : m_suffix(Pattern::literal(json.shortText("suffix", "</w>"))) {}

    Tokens apply(Tokens tokens) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = m_suffix.replace(tokens[i], i + 1 == tokens.size() ? "" : " ");
        return tokens;
    }

private:
    Pattern m_suffix;
};

/// Of models that write a token for every moment of a recording (Graves et al. 2006): what repeats is one.
class Ctc : public TokenDecoder {
public:
    explicit Ctc(const ComponentJson& json)
        : m_pad(Pattern::literal(json.shortText("pad_token", "<pad>"))),
          m_delimiter(Pattern::literal(json.shortText("word_delimiter_token", "|"))),
          m_cleansUp(json.flag("cleanup", true)) {}

    Tokens apply(Tokens tokens) const override {
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
        for (std::string& token : tokens) {
            token = m_pad.replace(token, "");
            if (!m_cleansUp) continue;
            cleanUp(token);
            token = m_delimiter.replace(token, " ");
        }
        std::erase(tokens, "");
        return tokens;
    }

private:
    Pattern m_pad, m_delimiter;
    bool m_cleansUp;
};

class DecoderSequence : public TokenDecoder {
public:
    explicit DecoderSequence(const ComponentJson& json) : m_file(json.file()) {
        for (const nlohmann::json* each : partsOfSequence(json, "decoders"))
            if (!isAbsent(*each)) m_parts.push_back(readDecoder(*each, json.file()));
    }

    Tokens apply(Tokens tokens) const override {
        const std::size_t before = bytesOf(tokens);
        for (const auto& part : m_parts) {
            tokens = part->apply(std::move(tokens));
            requireBounded(before, bytesOf(tokens), m_file);
        }
        return tokens;
    }

private:
    static std::size_t bytesOf(const Tokens& tokens) {
        std::size_t bytes = 0;
        for (const std::string& token : tokens)
            bytes += token.size();
        return bytes;
    }

    std::string m_file;
    std::vector<std::unique_ptr<const TokenDecoder>> m_parts;
};

}  // namespace

std::unique_ptr<const TokenDecoder> readDecoder(const nlohmann::json& json, const std::string& file) {
    if (isAbsent(json)) return std::make_unique<Spaces>();
    const ComponentJson part(json, "decoder", file);
    const std::string& type = part.type();
    if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
    if (type == "WordPiece") return std::make_unique<WordPieceDecoder>(part);
    if (type == "Metaspace") return std::make_unique<MetaspaceDecoder>(part);
    if (type == "ByteFallback") return std::make_unique<ByteFallback>();
    if (type == "Fuse") return std::make_unique<Fuse>();
    if (type == "Strip") return std::make_unique<StripDecoder>(part);
    if (type == "Replace") return std::make_unique<ReplaceDecoder>(part);
    if (type == "CTC") return std::make_unique<Ctc>(part);
    if (type == "BPEDecoder") return std::make_unique<WordEnds>(part);
    if (type == "Sequence") return std::make_unique<DecoderSequence>(part);
    part.refuseType();
}

}  // namespace headlight::pipeline

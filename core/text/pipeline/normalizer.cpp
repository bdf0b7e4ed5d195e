// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include <vector>

#include "core/text/base64.h"
#include "core/text/character_table.h"
#include "core/text/pipeline/bert_characters.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/pattern.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/token_bytes.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

/// The text less the characters of a kind.
std::string without(const std::string& text, bool (*isOfKind)(std::string_view)) {
    std::string result;
    result.reserve(text.size());
    for (const std::string_view character : codePoints(text))
        if (!isOfKind(character)) result += character;
    return result;
}

class UnicodeForm : public Normalizer {
public:
    explicit UnicodeForm(NormalForm form) : m_form(form) {}
    std::string apply(const std::string& text) const override { return toNormalForm(text, m_form); }

private:
    NormalForm m_form;
};

class Lowercase : public Normalizer {
public:
    std::string apply(const std::string& text) const override { return lowercasedEach(text); }
};

class StripAccents : public Normalizer {
public:
    std::string apply(const std::string& text) const override { return without(text, isMark); }

private:
    static bool isMark(std::string_view character) {
        constexpr int version = 9;
        return isMarkCharacter(character) && isInUnicode(character, version);
    }
};

/// Each byte becomes a character that one can see.
class ByteLevelNormalizer : public Normalizer {
public:
    std::string apply(const std::string& text) const override { return toByteLevel(text); }
};

/// SentencePiece's rules of translation: control characters out, and a space for what looks like none or like one.
class Nmt : public Normalizer {
public:
    std::string apply(const std::string& text) const override {
        static const Pattern controls = Pattern::regex(R"([\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f])", "Nmt");
        static const Pattern spaces =
            Pattern::regex(R"([\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd])", "Nmt");
        return spaces.replace(controls.replace(text, ""), " ");
    }
};

/// SentencePiece's table of normal forms.
class Precompiled : public Normalizer {
public:
    explicit Precompiled(const ComponentJson& json) : m_file(json.file()), m_table(read(json)) {}

    std::string apply(const std::string& text) const override {
        std::string result;
        result.reserve(text.size());
        for (const std::string_view grapheme : graphemes(std::string_view(text))) {
            if (const auto whole = grapheme.size() <= longestEntry ? m_table.find(grapheme) : std::nullopt) {
                result += *whole;
                continue;
            }
            for (const std::string_view character : codePoints(grapheme))
                result += m_table.find(character).value_or(character);
        }
        requireBounded(text.size(), result.size(), m_file);
        return result;
    }

private:
    /// Longer ones the library cuts into characters.
    static constexpr std::size_t longestEntry = 5;

    static CharacterTable read(const ComponentJson& json) {
        const auto bytes = fromBase64(json.text("precompiled_charsmap", ""));
        auto table = bytes ? CharacterTable::read(*bytes) : std::nullopt;
        if (!table) json.refuse("precompiled_charsmap", "is damaged: copy or download the file again");
        return *table;
    }

    std::string m_file;
    CharacterTable m_table;
};

class StripNormalizer : public Normalizer {
public:
    explicit StripNormalizer(const ComponentJson& json)
        : m_left(json.flag("strip_left", true)), m_right(json.flag("strip_right", true)) {}

    std::string apply(const std::string& text) const override {
        const std::string_view inner = trimmed(text);
        const auto before = static_cast<std::size_t>(inner.data() - text.data());
        const std::size_t begin = m_left ? before : 0;
        const std::size_t end = m_right ? before + inner.size() : text.size();
        // Of a text that is all white space nothing is left, whichever end it is taken from.
        return inner.empty() && (m_left || m_right) ? "" : text.substr(begin, end - begin);
    }

private:
    bool m_left, m_right;
};

class Prepend : public Normalizer {
public:
    explicit Prepend(const ComponentJson& json) : m_prefix(json.shortText("prepend", "")) {}
    std::string apply(const std::string& text) const override { return text.empty() ? text : m_prefix + text; }

private:
    std::string m_prefix;
};

class ReplaceNormalizer : public Normalizer {
public:
    explicit ReplaceNormalizer(const ComponentJson& json)
        : m_pattern(readPattern(json, "pattern")), m_content(json.shortText("content", "")) {}
    std::string apply(const std::string& text) const override { return m_pattern.replace(text, m_content); }

private:
    Pattern m_pattern;
    std::string m_content;
};

/// BERT's own cleaning: control characters out, every white space a space, spaces around Chinese characters, and in
/// uncased models lower case without marks.
class BertNormalizer : public Normalizer {
public:
    explicit BertNormalizer(const ComponentJson& json)
        : m_clean(json.flag("clean_text", true)),
          m_partChinese(json.flag("handle_chinese_chars", true)),
          m_lowercase(json.flag("lowercase", true)),
          m_stripAccents(json.flag("strip_accents", m_lowercase)) {}

    std::string apply(const std::string& text) const override {
        std::string result;
        result.reserve(text.size());
        for (const std::string_view character : codePoints(text)) {
            const BertCharacter kind = bertCharacter(character);
            if (m_clean && kind == BertCharacter::Control) continue;
            if (m_clean && kind == BertCharacter::Space)
                result += ' ';
            else if (m_partChinese && kind == BertCharacter::Chinese)
                result.append(" ").append(character).append(" ");
            else
                result += character;
        }
        if (m_stripAccents) result = without(toNormalForm(result, NormalForm::D), isBertMark);
        return m_lowercase ? lowercasedEach(result) : result;
    }

private:
    bool m_clean, m_partChinese, m_lowercase, m_stripAccents;
};

class NormalizerSequence : public Normalizer {
public:
    explicit NormalizerSequence(const ComponentJson& json) : m_file(json.file()) {
        for (const nlohmann::json* each : partsOfSequence(json, "normalizers"))
            m_parts.push_back(readNormalizer(*each, json.file()));
    }

    std::string apply(const std::string& text) const override {
        std::string result = text;
        for (const auto& part : m_parts) {
            if (part) result = part->apply(result);
            requireBounded(text.size(), result.size(), m_file);
        }
        return result;
    }

private:
    std::string m_file;
    std::vector<std::unique_ptr<const Normalizer>> m_parts;
};

}  // namespace

std::unique_ptr<const Normalizer> readNormalizer(const nlohmann::json& json, const std::string& file) {
    if (isAbsent(json)) return nullptr;
    const ComponentJson part(json, "normalizer", file);
    const std::string& type = part.type();
    if (type == "BertNormalizer") return std::make_unique<BertNormalizer>(part);
    if (type == "NFC") return std::make_unique<UnicodeForm>(NormalForm::C);
    if (type == "NFD") return std::make_unique<UnicodeForm>(NormalForm::D);
    if (type == "NFKC") return std::make_unique<UnicodeForm>(NormalForm::KC);
    if (type == "NFKD") return std::make_unique<UnicodeForm>(NormalForm::KD);
    if (type == "Lowercase") return std::make_unique<Lowercase>();
    if (type == "ByteLevel") return std::make_unique<ByteLevelNormalizer>();
    if (type == "Nmt") return std::make_unique<Nmt>();
    if (type == "Precompiled") return std::make_unique<Precompiled>(part);
    if (type == "StripAccents") return std::make_unique<StripAccents>();
    if (type == "Strip") return std::make_unique<StripNormalizer>(part);
    if (type == "Prepend") return std::make_unique<Prepend>(part);
    if (type == "Replace") return std::make_unique<ReplaceNormalizer>(part);
    if (type == "Sequence") return std::make_unique<NormalizerSequence>(part);
    part.refuseType();
}

}  // namespace headlight::pipeline

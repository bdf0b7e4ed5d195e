// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include <vector>

#include "core/text/pipeline/bert_characters.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/pattern.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {
namespace {

class UnicodeForm : public Normalizer {
public:
    explicit UnicodeForm(NormalForm form) : m_form(form) {}
    std::string apply(const std::string& text) const override { return toNormalForm(text, m_form); }

private:
    NormalForm m_form;
};

class Lowercase : public Normalizer {
public:
    std::string apply(const std::string& text) const override { return lowercased(text); }
};

class StripAccents : public Normalizer {
public:
    std::string apply(const std::string& text) const override { return withoutMarks(text); }
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
        if (m_lowercase) result = lowercased(result);
        return m_stripAccents ? withoutMarks(result) : result;
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
    if (type == "StripAccents") return std::make_unique<StripAccents>();
    if (type == "Strip") return std::make_unique<StripNormalizer>(part);
    if (type == "Prepend") return std::make_unique<Prepend>(part);
    if (type == "Replace") return std::make_unique<ReplaceNormalizer>(part);
    if (type == "Sequence") return std::make_unique<NormalizerSequence>(part);
    part.refuseType();
}

}  // namespace headlight::pipeline

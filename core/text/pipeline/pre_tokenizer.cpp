// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pre_tokenizer.h"

#include <array>
#include <optional>

#include <unicode/uscript.h>

#include "core/text/pipeline/bert_characters.h"
#include "core/text/pipeline/component.h"
#include "core/text/token_bytes.h"
#include "core/text/unicode.h"

namespace headlight::pipeline {

const char* const gpt2Expression = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

using Pieces = std::vector<TextPiece>;

/// Splits each piece by a pattern.
Pieces splitEach(const Pieces& pieces, const Pattern& pattern, SplitBehavior behavior,
                 Pattern::Matches matches = Pattern::Matches::AsTheyAre) {
    Pieces result;
    for (const TextPiece& piece : pieces)
        for (const std::string_view part : pattern.split(piece.text, behavior, matches))
            result.push_back({std::string(part), piece.opensText && part.data() == piece.text.data()});
    return result;
}

/// Each byte becomes a character that one can see, so that the model's tokens are text.
class ByteLevelPreTokenizer : public PreTokenizer {
public:
    explicit ByteLevelPreTokenizer(const ComponentJson& json)
        : m_prefixesSpace(json.flag("add_prefix_space", true)),
          m_splits(json.flag("use_regex", true)),
          m_pattern(Pattern::regex(gpt2Expression, json.file())) {}

    Pieces apply(Pieces pieces) const override {
        for (TextPiece& piece : pieces)
            if (m_prefixesSpace && !piece.text.starts_with(' ')) piece.text.insert(0, " ");
        if (m_splits) pieces = splitEach(pieces, m_pattern, SplitBehavior::Isolated);
        for (TextPiece& piece : pieces)
            piece.text = toByteLevel(piece.text);
        return pieces;
    }

private:
    bool m_prefixesSpace, m_splits;
    Pattern m_pattern;
};

/// White space parts and goes; each punctuation mark stands alone.
class BertPreTokenizer : public PreTokenizer {
public:
    Pieces apply(Pieces pieces) const override {
        Pieces result;
        for (const TextPiece& piece : pieces) {
            std::string word;
            const auto endWord = [&] {
                if (!word.empty()) result.push_back({std::move(word)});
                word.clear();
            };
            for (const std::string_view character : codePoints(piece.text)) {
                if (isWhiteSpace(character)) {
                    endWord();
                } else if (isBertPunctuation(character)) {
                    endWord();
                    result.push_back({std::string(character)});
                } else {
                    word += character;
                }
            }
            endWord();
        }
        return result;
    }
};

/// SentencePiece's: a space is a mark that stays, and one is put before the text.
class MetaspacePreTokenizer : public PreTokenizer {
public:
    explicit MetaspacePreTokenizer(const ComponentJson& json)
        : m_mark(json.shortText("replacement", "▁")),
          m_splits(json.flag("split", true)),
          m_marks(Pattern::literal(m_mark)) {
        // Files written before 2024 say it by add_prefix_space.
        const std::string scheme =
            json.text("prepend_scheme", json.flag("add_prefix_space", true) ? "always" : "never");
        if (scheme == "always")
            m_prepends = Prepends::Always;
        else if (scheme == "first")
            m_prepends = Prepends::First;
        else if (scheme != "never")
            json.refuse("prepend_scheme", "is none of always, first, never");
        if (m_mark.empty()) json.refuse("replacement", "is empty");
    }

    Pieces apply(Pieces pieces) const override {
        static const Pattern space = Pattern::literal(" ");
        for (TextPiece& piece : pieces) {
            piece.text = space.replace(piece.text, m_mark);
            const bool prepends = m_prepends == Prepends::Always || (m_prepends == Prepends::First && piece.opensText);
            if (prepends && !piece.text.starts_with(m_mark)) piece.text.insert(0, m_mark);
        }
        return m_splits ? splitEach(pieces, m_marks, SplitBehavior::MergedWithNext) : pieces;
    }

private:
    enum class Prepends { Always, First, Never };

    std::string m_mark;
    bool m_splits;
    Pattern m_marks;
    Prepends m_prepends = Prepends::Never;
};

/// Splits where one script follows another; Japanese counts as one.
class UnicodeScripts : public PreTokenizer {
public:
    Pieces apply(Pieces pieces) const override {
        Pieces result;
        for (const TextPiece& piece : pieces)
            addParts(piece, result);
        return result;
    }

private:
    static constexpr UScriptCode any = USCRIPT_UNKNOWN;

    static void addParts(const TextPiece& piece, Pieces& result) {
        const std::string_view text = piece.text;
        std::optional<UScriptCode> last;
        // What stands before the first script is lost, in the library too.
        std::optional<std::size_t> begin;
        const auto endPart = [&](std::size_t end) {
            if (begin) result.push_back({piece.text.substr(*begin, end - *begin), piece.opensText && *begin == 0});
        };
        for (std::int32_t next = 0; static_cast<std::size_t>(next) < text.size();) {
            const auto at = static_cast<std::size_t>(next);
            nextCodePoint(text, next);
            const UScriptCode script = scriptOf(text.substr(at, static_cast<std::size_t>(next) - at));
            if (script == any) continue;
            if (last != script) {
                endPart(at);
                begin = at;
            }
            last = script;
        }
        endPart(text.size());
    }

    static UScriptCode scriptOf(std::string_view bytes) {
        constexpr std::int32_t longVowelMark = 0x30fc;
        constexpr int version = 9;
        std::int32_t at = 0;
        const std::int32_t character = nextCodePoint(bytes, at);
        if (character < 0 || character == ' ' || !isInUnicode(bytes, version)) return any;
        UErrorCode status = U_ZERO_ERROR;
        const UScriptCode script = uscript_getScript(character, &status);
        if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || character == longVowelMark) return USCRIPT_HAN;
        return script;
    }
};

/// One that is a pattern alone.
class Split : public PreTokenizer {
public:
    Split(Pattern pattern, SplitBehavior behavior, Pattern::Matches matches = Pattern::Matches::AsTheyAre)
        : m_pattern(std::move(pattern)), m_behavior(behavior), m_matches(matches) {}

    Pieces apply(Pieces pieces) const override { return splitEach(pieces, m_pattern, m_behavior, m_matches); }

private:
    Pattern m_pattern;
    SplitBehavior m_behavior;
    Pattern::Matches m_matches;
};

class PreTokenizerSequence : public PreTokenizer {
public:
    explicit PreTokenizerSequence(const ComponentJson& json) : m_file(json.file()) {
        for (const nlohmann::json* each : partsOfSequence(json, "pretokenizers"))
            m_parts.push_back(readPreTokenizer(*each, json.file()));
    }

    Pieces apply(Pieces pieces) const override {
        const std::size_t before = bytesOf(pieces);
        for (const auto& part : m_parts) {
            if (part) pieces = part->apply(std::move(pieces));
            requireBounded(before, bytesOf(pieces), m_file);
        }
        return pieces;
    }

private:
    static std::size_t bytesOf(const Pieces& pieces) {
        std::size_t bytes = 0;
        for (const TextPiece& piece : pieces)
            bytes += piece.text.size();
        return bytes;
    }

    std::string m_file;
    std::vector<std::unique_ptr<const PreTokenizer>> m_parts;
};

SplitBehavior behaviorOf(const ComponentJson& json, const std::string& fallback) {
    struct Named {
        const char* name;
        SplitBehavior behavior;
    };
    static constexpr std::array all = {
        Named{"Removed", SplitBehavior::Removed}, Named{"Isolated", SplitBehavior::Isolated},
        Named{"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
        Named{"MergedWithNext", SplitBehavior::MergedWithNext}, Named{"Contiguous", SplitBehavior::Contiguous}};
    const std::string name = json.text("behavior", fallback);
    for (const Named& each : all)
        if (name == each.name) return each.behavior;
    json.refuse("behavior", "is not known");
}

std::unique_ptr<const PreTokenizer> splitAt(const std::string& expression, const ComponentJson& json,
                                            SplitBehavior behavior,
                                            Pattern::Matches matches = Pattern::Matches::AsTheyAre) {
    return std::make_unique<Split>(Pattern::regex(expression, json.file()), behavior, matches);
}

Pattern delimiter(const ComponentJson& json) {
    const std::string text = json.shortText("delimiter", "");
    if (findInvalidUtf8(text) || codePoints(std::string_view(text)).size() != 1)
        json.refuse("delimiter", "is not one character");
    return Pattern::literal(text);
}

/// Of FixedLength.
int length(const ComponentJson& json) {
    const int characters = json.number("length", 5, 1000);
    if (characters == 0) json.refuse("length", "is 0: a piece has at least one character");
    return characters;
}

}  // namespace

Pattern readPattern(const ComponentJson& json, const char* key) {
    const nlohmann::json& pattern = json.at(key);
    if (pattern.is_object() && pattern.size() == 1 && pattern.begin()->is_string()) {
        if (pattern.begin().key() == "String")
            return Pattern::literal(ComponentJson(pattern, json.role(), json.file()).shortText("String", ""));
        if (pattern.begin().key() == "Regex") return Pattern::regex(pattern.begin()->get<std::string>(), json.file());
    }
    json.refuse(key, "is neither a String nor a Regex");
}

std::unique_ptr<const PreTokenizer> readPreTokenizer(const nlohmann::json& json, const std::string& file) {
    if (isAbsent(json)) return nullptr;
    const ComponentJson part(json, "pre_tokenizer", file);
    const std::string& type = part.type();
    if (type == "ByteLevel") return std::make_unique<ByteLevelPreTokenizer>(part);
    if (type == "BertPreTokenizer") return std::make_unique<BertPreTokenizer>();
    if (type == "Metaspace") return std::make_unique<MetaspacePreTokenizer>(part);
    // Rust's \w: letters, marks, decimal digits and what joins words or letters.
    if (type == "Whitespace")
        return splitAt(
            R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d\s]+)", part,
            SplitBehavior::Removed, Pattern::Matches::Inverted);
    if (type == "WhitespaceSplit") return splitAt(R"(\s)", part, SplitBehavior::Removed);
    if (type == "Punctuation")
        return splitAt(R"([[\p{P}&&\p{Age=8.0}]!-/:-@\[-`{-~])", part, behaviorOf(part, "Isolated"));
    if (type == "Digits")
        return splitAt(R"(\p{N})", part,
                       part.flag("individual_digits", false) ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
    if (type == "CharDelimiterSplit") return std::make_unique<Split>(delimiter(part), SplitBehavior::Removed);
    if (type == "FixedLength")
        return splitAt("[\\s\\S]{1," + std::to_string(length(part)) + '}', part, SplitBehavior::Isolated);
    if (type == "UnicodeScripts") return std::make_unique<UnicodeScripts>();
    if (type == "Split")
        return std::make_unique<Split>(
            readPattern(part, "pattern"), behaviorOf(part, "Isolated"),
            part.flag("invert", false) ? Pattern::Matches::Inverted : Pattern::Matches::AsTheyAre);
    if (type == "Sequence") return std::make_unique<PreTokenizerSequence>(part);
    part.refuseType();
}

}  // namespace headlight::pipeline

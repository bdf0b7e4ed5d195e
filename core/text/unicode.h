// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The byte at which the text stops being UTF-8; nothing where it is UTF-8 throughout.
std::optional<std::size_t> findInvalidUtf8(std::string_view text);

/// The text with U+FFFD in the place of every byte that is not UTF-8.
std::string repairedUtf8(std::string_view text);

/// The code point that starts at byte `at`, which moves behind it; negative where the bytes there are not UTF-8.
std::int32_t nextCodePoint(std::string_view text, std::int32_t& at);

/// Normal form C: `e` + combining acute and `é` become the same bytes. Throws Error for invalid UTF-8.
std::string toNfc(std::string_view text);

/// Lower case by Unicode's rules without regard to language, in NFC. Throws Error for invalid UTF-8.
std::string toLowercase(std::string_view text);

enum class NormalForm { C, D, KC, KD };
std::string toNormalForm(std::string_view text, NormalForm form);

/// Lower case as toLowercase(), without a normal form. Throws Error for invalid UTF-8.
std::string lowercased(std::string_view text);

/// Lower case character by character, as Rust's char::to_lowercase(): an `Σ` that ends a word becomes `σ`. Throws Error
/// for invalid UTF-8.
std::string lowercasedEach(std::string_view text);

/// The text without white space of any kind at its ends. `text` must be UTF-8.
std::string_view trimmed(std::string_view text);

/// The pieces between `separator`s, trimmed, empty ones kept. `text` must be UTF-8.
std::vector<std::string> cut(std::string_view text, char separator);

/// The code points of a text, each as its bytes. Throws Error for invalid UTF-8.
std::vector<std::string_view> codePoints(std::string_view text);
/// The views would outlive a temporary text.
std::vector<std::string_view> codePoints(std::same_as<std::string> auto&& text) = delete;

/// Is a code point a mark of any kind (Mark)?
bool isMarkCharacter(std::string_view codePoint);

/// Is a code point white space to Unicode (White_Space)?
bool isWhiteSpace(std::string_view codePoint);

/// Bytes of white space at an end of a text, which may be broken UTF-8.
std::size_t whiteSpaceAtBegin(std::string_view text);
std::size_t whiteSpaceAtEnd(std::string_view text);

/// Is the first, the last character one that words are made of: a letter, mark, digit or `_`? `text` may be broken
/// UTF-8.
bool beginsWithWordCharacter(std::string_view text);
bool endsInWordCharacter(std::string_view text);

/// Is a code point white space to Python (str.isspace(), `\s`)? Beside Unicode's white space U+001C to U+001F are.
bool isPythonSpace(std::string_view codePoint);

/// What a reader takes for single characters (extended grapheme clusters): a letter with its marks, an emoji with its
/// modifiers. Their concatenation is `text`, which must be UTF-8.
std::vector<std::string_view> graphemes(std::string_view text);
std::vector<std::string_view> graphemes(std::same_as<std::string> auto&& text) = delete;

/// What a grapheme is to a tokenizer.
enum class CharacterClass {
    Space,        ///< white space of any kind, and control characters
    Letter,       ///< letters, marks, and all else that makes up words
    Digit,        ///< decimal digits of any script
    Opening,      ///< ( [ { “ ‘ « ¿ ¡: belongs to what follows
    Closing,      ///< ) ] } ” ’ » and . , ! ? ; : … %: belongs to what goes before
    Punctuation,  ///< other punctuation and symbols
};

/// The class of a grapheme's first code point; `grapheme` must be UTF-8 and not empty.
CharacterClass classify(std::string_view grapheme);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Tokens that are bytes. Byte-level vocabularies (Radford et al.: Language Models are Unsupervised Multitask Learners,
// 2019) write each byte as a character that one can see: `!` to `~`, `¡` to `¬` and `®` to `ÿ` stand for themselves,
// the other bytes in order for U+0100 and what follows; so a space is `Ġ`. SentencePiece's byte fallback writes
// `<0xE1>`.

/// The character that a byte-level vocabulary writes for a byte, as UTF-8.
const std::string& byteLevelCharacter(unsigned char byte);
/// `bytes` as a byte-level vocabulary writes them.
std::string toByteLevel(std::string_view bytes);
/// The reverse; nothing where a character stands for no byte. `token` must be UTF-8.
std::optional<std::string> fromByteLevel(std::string_view token);

/// `<0xE1>`
std::string byteFallbackName(unsigned char byte);
/// The reverse; nothing where the token is not such a name.
std::optional<unsigned char> fromByteFallback(std::string_view token);

/// A token as Tokenizer::written() sees it.
struct ShownToken {
    enum class Kind {
        Bytes,  ///< `text` is bytes of the text: characters may reach over into the next token
        Name    ///< `text` is what to show, valid UTF-8
    };
    Kind kind = Kind::Bytes;
    std::string text;
};

/// What to show for each token, by the rules of Tokenizer::written(). A name between two tokens parts their bytes.
std::vector<std::string> displayTokens(const std::vector<ShownToken>& tokens);

/// `text` with U+FFFD in the place of what is not UTF-8, one for each sequence that breaks off, as Unicode recommends
/// and Python's errors="replace" does.
std::string replaceBrokenUtf8(std::string_view text);

}  // namespace headlight

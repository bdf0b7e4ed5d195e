// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace headlight::pipeline {

/// Turns tokens back into text. May be used by several threads at once.
class TokenDecoder {
public:
    virtual ~TokenDecoder() = default;
    /// The pieces of text that the tokens stand for; put together they are the text.
    virtual std::vector<std::string> apply(std::vector<std::string> tokens) const = 0;
};

/// From tokenizer.json's `decoder`: BPEDecoder, ByteFallback, ByteLevel, CTC, Fuse, Metaspace, Replace, Sequence,
/// Strip, WordPiece. Where the file has none, tokens are words with spaces between. Bytes come out as they are, UTF-8
/// or not. Throws Error, which begins with `file`, for another type.
std::unique_ptr<const TokenDecoder> readDecoder(const nlohmann::json& json, const std::string& file);

}  // namespace headlight::pipeline

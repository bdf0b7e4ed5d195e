// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace headlight::pipeline {

/// Changes a text before it is split. `text` is UTF-8. May be used by several threads at once.
class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual std::string apply(const std::string& text) const = 0;
};

/// From tokenizer.json's `normalizer`: BertNormalizer, ByteLevel, Lowercase, NFC, NFD, NFKC, NFKD, Nmt, Precompiled,
/// Prepend, Replace, Sequence, Strip, StripAccents. Null where the file has none. Throws Error, which begins with
/// `file`, for another type.
std::unique_ptr<const Normalizer> readNormalizer(const nlohmann::json& json, const std::string& file);

}  // namespace headlight::pipeline

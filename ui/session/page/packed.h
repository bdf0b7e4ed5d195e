// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <bit>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "core/text/base64.h"

namespace headlight {

/// Little-endian float32 as base64: every bit of the engine's number, in a third of its digits' room.
inline std::string packed(std::span<const float> values) {
    static_assert(std::endian::native == std::endian::little, "the page reads little-endian floats");
    return toBase64({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

inline nlohmann::json wordsOf(const QStringList& list) {
    nlohmann::json result = nlohmann::json::array();
    for (const QString& word : list)
        result.push_back(word.toStdString());
    return result;
}

}  // namespace headlight

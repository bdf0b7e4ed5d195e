// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/io/gguf.h"

namespace headlight {

/// The keys of a GGUF file that begin with the name of its architecture: `llama.block_count`. Messages name the key.
class GgufKeys {
public:
    /// Throws Error for a file that says no architecture.
    explicit GgufKeys(const gguf::File& file);

    const gguf::File& file() const { return m_file; }
    const std::string& architecture() const { return m_architecture; }
    /// `block_count` with the architecture before it.
    std::string full(const char* key) const { return m_architecture + "." + key; }
    bool has(const char* key) const { return m_file.has(full(key)); }

    /// A whole number from 1 that must be there; also where it is given for each layer and is the same in all. Throws
    /// Error otherwise.
    int size(const char* key) const;
    /// From 0; nothing where the file does not have it.
    std::optional<int> sizeOrNone(const char* key) const;
    /// A number that must be there.
    double number(const char* key) const;
    double number(const char* key, double fallback) const;
    std::optional<std::string> text(const char* key) const { return m_file.text(full(key)); }

    /// A token's id, `tokenizer.ggml.NAME_token_id`; nothing where the file does not have it.
    std::optional<int> token(const char* name) const;

private:
    std::optional<int> checked(const std::string& key, std::optional<int64_t> value) const;

    const gguf::File& m_file;
    std::string m_architecture;
};

}  // namespace headlight

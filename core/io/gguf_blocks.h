// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight::gguf {

/// A type of a GGUF file's numbers: they stand in blocks, of which each has scales of its own and a few bits a number.
/// The types, their layouts and what a block means are those of ggml (https://github.com/ggml-org/ggml,
/// gguf-py/gguf/constants.py and ggml-quants.c in llama.cpp).
struct BlockType {
    uint32_t id;
    const char* name;  ///< as ggml spells it: "Q4_K"
    size_t numbers;    ///< of a block; 0 where blocks of this type are not read
    size_t bytes;      ///< of a block
    /// `blocks` blocks as float32, to the last bit as ggml's own reference widens them: each product and each sum is
    /// rounded for itself. `out` has room for numbers · blocks.
    void (*widen)(const unsigned char* bytes, size_t blocks, float* out);

    bool isRead() const { return widen != nullptr; }
    /// Has it fewer bits than a half, a number together with others?
    bool isQuantized() const { return numbers > 1; }
};

/// Null for an id that ggml gives to no type, or gave to one that it has dropped.
const BlockType* blockType(uint32_t id);

}  // namespace headlight::gguf

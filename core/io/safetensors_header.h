// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/io/safetensors.h"

namespace headlight::safetensors {

/// The length of the header stands in the first bytes of the file.
inline constexpr size_t kPrefixBytes = 8;
/// The longest header that is read or written. The format allows 100 MB; no model of ours comes near.
inline constexpr size_t kMaxHeaderBytes = 16u << 20;
/// The most tensors in a file that is read.
inline constexpr size_t kMaxTensors = 100'000;
/// The most entries of its metadata, and dimensions of a tensor: a list of either takes many times the memory of its
/// text.
inline constexpr size_t kMaxMetadata = 10'000;
inline constexpr size_t kMaxRank = 64;
inline constexpr const char* kMetadataKey = "__metadata__";

struct Header {
    std::map<std::string, std::string> metadata;
    std::map<std::string, Entry> entries;
};

/// Bytes of one value, which is also the alignment of the type.
size_t sizeOf(DType dtype);

/// A name that came out of a file, quoted, short and without line breaks: for a message of one line.
std::string quotedName(std::string_view name);

/// The header's length from the first bytes of the file, checked against the size of the whole file. Throws Error.
size_t headerLength(std::string_view firstBytes, size_t fileSize, const std::string& file);

/// Reads and checks the header `json` of a file of `fileSize` bytes: every entry lies in the data, without holes or
/// overlaps, and is as large as its shape says. Throws Error that begins with `file`.
Header parseHeader(std::string_view json, size_t fileSize, const std::string& file);

}  // namespace headlight::safetensors

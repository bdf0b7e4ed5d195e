// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace headlight {

/// Writes to a temporary name in the same folder, syncs, renames over `path`, syncs the folder: afterwards there is the
/// old file or the whole new one, never a part. Throws Error with the path and the system's reason; the temporary file
/// is gone then.
void atomicWrite(const std::string& path, std::span<const char> bytes);
/// The same for a file whose bytes lie in pieces, one behind another.
void atomicWritePieces(const std::string& path, std::span<const std::span<const char>> pieces);

}  // namespace headlight

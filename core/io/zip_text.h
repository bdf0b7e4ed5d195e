// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace headlight {

/// What became of a zip whose text was asked for. But for Whole nothing was written that stays.
enum class UnpackedText : unsigned char {
    Whole,
    Damaged,      ///< no zip, or one that holds something else than it says
    NoText,       ///< no entry is a text
    TooMuch,      ///< it says that it holds more than the limits allow
    NotWritable,  ///< the folder cannot be written to, or the disk is full
    Stopped,
};

struct UnpackLimits {
    std::uint64_t largest = std::uint64_t{2} << 30;  ///< bytes of the unpacked text
    /// Bytes of text for one of the zip, beyond the first `always`: prose comes to five, a zip made to fill a disk to
    /// a thousand.
    std::uint64_t ratio = 64;
    std::uint64_t always = 1 << 20;
};

/// Unpacks the largest text (.txt, .tsv or .csv) of a zip by a stranger to `path`, atomically (AtomicFile). What the
/// zip says of itself is held to the limits before the first byte is written, and what comes to what it says. `wanted`
/// is asked between pieces; null: it is.
UnpackedText unpackText(const std::string& zip, const std::string& path, const UnpackLimits& limits = {},
                        const std::function<bool()>& wanted = {});

}  // namespace headlight

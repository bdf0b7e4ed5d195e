// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace headlight::cli {

/// How long some work takes, in seconds.
double secondsOf(const std::function<void()>& work);

struct ModelBench {
    std::string model;  ///< a file or a folder
    int tokens = 64;    ///< that are read, and read again one by one
    int rounds = 3;     ///< of which the best counts
    int threads = 1;
    bool json = false;
};

/// Times a language model: opening it, reading a text with every value kept, and word by word with what it remembers.
/// Prints it, and the most memory that the process had. Throws Error where it cannot be opened or read so long a text.
void benchModel(const ModelBench& bench);

}  // namespace headlight::cli

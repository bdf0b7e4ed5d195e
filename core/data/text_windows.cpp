// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_windows.h"

#include <algorithm>

namespace headlight {

void addLine(std::vector<int>& text, const std::string& line, const Tokenizer& tokenizer, int eos) {
    const std::vector<int> ids = tokenizer.encode(line);
    if (ids.empty()) return;
    text.insert(text.end(), ids.begin(), ids.end());
    text.push_back(eos);
}

std::vector<Example> slidingWindows(const std::vector<int>& text, int length, int stride) {
    std::vector<Example> windows;
    for (size_t first = 0; first + 1 < text.size(); first += static_cast<size_t>(stride)) {
        const size_t end = std::min(text.size(), first + static_cast<size_t>(length) + 1);
        windows.push_back({{}, {text.begin() + static_cast<long>(first), text.begin() + static_cast<long>(end)}});
        if (end == text.size()) break;
    }
    return windows;
}

}  // namespace headlight

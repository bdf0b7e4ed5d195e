// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_windows.h"

#include <utility>

#include "core/data/text_reading.h"

namespace headlight {

TextWindows::TextWindows(int length, int stride)
    : m_length(static_cast<size_t>(length)), m_stride(static_cast<size_t>(stride)) {}

void TextWindows::add(std::span<const int> ids) {
    for (const int id : ids) {
        m_open.push_back(id);
        ++m_fresh;
        if (m_open.size() <= m_length) continue;
        m_windows.push_back({{}, m_open});
        m_open.erase(m_open.begin(), m_open.begin() + static_cast<std::ptrdiff_t>(m_stride));
        m_fresh = 0;
    }
}

void TextWindows::add(const SentencePair& line, const Tokenizer& tokenizer, int eos) {
    std::vector<int> ids = tokenizer.encode(withJoint(line, !std::exchange(m_begun, true)));
    if (line.joint == Joint::End && !ids.empty()) ids.push_back(eos);
    add(ids);
}

std::vector<Example> TextWindows::take() {
    // What a window before has whole is not seen twice; and one word alone predicts nothing.
    if (m_fresh > 0 && m_open.size() > 1) m_windows.push_back({{}, std::move(m_open)});
    m_open.clear();
    m_fresh = 0;
    return std::exchange(m_windows, {});
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/data/corpus.h"
#include "core/models/model.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// A text as one run of ids, seen through a window of `length` predicted words that slides over it, `stride` words at a
/// time; each example holds one word more, the first, which is only read. With stride = length every word but the
/// text's first is predicted once. Of the text no more is kept than stands in the windows.
class TextWindows {
public:
    TextWindows(int length, int stride);

    void add(std::span<const int> ids);
    /// A line with what joins it to those before: of a sentence a line its words and `eos`, which a line that says
    /// nothing does without; of running text the space or the break before it, and its words.
    void add(const SentencePair& line, const Tokenizer& tokenizer, int eos);
    /// The windows; the last may be shorter.
    std::vector<Example> take();

private:
    size_t m_length, m_stride;
    bool m_begun = false;
    std::vector<int> m_open;  ///< from the beginning of the window that is not full yet
    size_t m_fresh = 0;       ///< words of it that no window before has
    std::vector<Example> m_windows;
};

}  // namespace headlight

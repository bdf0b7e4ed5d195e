// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

/// A view that can hide numbers which a lesson has the reader predict.
class Veiled {
public:
    virtual ~Veiled() = default;
    /// Numbers and rows of them: hatched in every picture here, and told nowhere; none: all are shown.
    virtual void setVeil(const std::vector<NumberName>& veiled) = 0;
};

/// Is that number, or its row, among those?
inline bool isAmong(const std::vector<NumberName>& veiled, const NumberName& number) {
    return std::ranges::any_of(veiled, [&](const NumberName& part) { return isPartOf(number, part); });
}

/// Is that row among them, or a number of it?
inline bool hasRowAmong(const std::vector<NumberName>& veiled, const NumberName& row) {
    return std::ranges::any_of(veiled,
                               [&](const NumberName& part) { return isPartOf(row, part) || isPartOf(part, row); });
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// A number of a traced value: which head (0 where the value has none), row and column.
struct ValueCell {
    int head = 0;
    int row = -1;
    int column = -1;
    bool operator==(const ValueCell&) const = default;
    bool valid() const { return row >= 0 && column >= 0; }
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// What a module hands on, and how far the second reading's is from the first's: ‖b − a‖ / ‖a‖ over the finite numbers.
/// 0 where both are the same; NaN where they cannot be held against each other: no such value in the second, another
/// shape, or (of a row) other words read there.
struct Divergence {
    const TraceRecord* value = nullptr;  ///< in the first trace
    double whole = 0;
    std::vector<double> rows;  ///< word by word
};
/// A block for every module of `a` that makes something of each word, in the order of computation; of what stands
/// before the layers of a stack only the last, which the first layer reads.
std::vector<Divergence> divergences(const Trace& a, const Trace& b);
/// A flag a cell of one head of `value`, a value of `a`: its row or its column is of a word that `b` read another one
/// in place of, or (of a decoder, which reads one after another) of a word behind such a one. Empty: there is none.
std::vector<char> incomparable(const Trace& a, const TraceRecord& value, const Trace& b);
/// How far a single value is apart; rows for a value of one row a word, else none.
Divergence divergenceOf(const Trace& a, const TraceRecord& value, const Trace& b);

}  // namespace headlight

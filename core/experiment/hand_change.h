// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/nn/intervention.h"
#include "core/trace/trace.h"

namespace headlight {

/// A number put by hand into a traced value, as lessons and links write it:
/// `decoder.layers.1.cross_attn.weights[4,2,3]=0.5` or, multiplied by it, `*=0.5`. In brackets stand the head (of what
/// has heads), the row and the column, from 1; `:` is all of them, and so is what is left out at the end. `-inf` masks
/// a cell of scores or of a mask, and `source.mask[3]=-inf` (or `target.mask`) a word from all that look at it; what a
/// mask forbids, 0 allows again.
struct HandChange {
    std::string name;
    std::vector<int> indices = {};  ///< from 1; 0: all of them
    bool multiplies = false;
    float number = 0;

    std::string text() const;
    bool operator==(const HandChange&) const = default;
};

/// Throws Error for what is none.
HandChange parseHandChange(const std::string& text);

/// The changes in a reading that would be `trace` without them. A row of attention's weights goes on summing to one:
/// what is set in it stays, and its other weights share the rest in their old proportions (where they have none the
/// rest is lost); its rows are those of `trace`. Throws Error for a place that the trace does not have, for log_probs
/// and ids, for a weight below 0 or weights that sum to more than one, for −∞ where nothing can be masked, and for a
/// mask that is to be neither 0 nor −∞.
std::vector<Intervention> interventionsOf(const std::vector<HandChange>& changes, const Trace& trace);

/// Is something in that value of a trace put in by it?
bool actsOn(const HandChange& change, const TraceRecord& record);

/// Is that number of `trace` one that is changed, itself and not only by what follows? Heads, rows and columns from 0.
bool isChanged(const std::vector<HandChange>& changes, const TraceRecord& record, int head, int row, int column);

}  // namespace headlight

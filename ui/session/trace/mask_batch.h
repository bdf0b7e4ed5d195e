// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <limits>
#include <memory>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// Sentences filled up with <pad> to one length, and one of them read as it stands in the batch.
struct MaskBatch {
    struct Row {
        QStringList tokens;
        int words = 0;  ///< of them; the others are padding
    };
    std::vector<Row> rows;
    int words = 0;       ///< of the chosen row
    int longest = 0;     ///< words of the longest sentence, before anything was left out
    bool isCut = false;  ///< sentences are longer than what is laid out: only their beginnings stand in the rows
    std::shared_ptr<const Trace> trace;
};

enum class BatchSide { Source, Target };

/// As many tokens of a sentence, with its padding, as can be laid out as rows and columns that one can read.
inline constexpr int kMostLaidOut = 16;

/// `sentences` are readings of an encoder-decoder, not empty; `side` is what the rows show and what `pads` more
/// paddings than the longest needs stand behind. Longer sentences are cut so that a row has at most `most` tokens.
MaskBatch padBatch(const TrainedModel& model, const std::vector<const Trace*>& sentences, size_t chosen, BatchSide side,
                   int pads, int most = std::numeric_limits<int>::max());
/// What a model of one stack read, as it reads no more than the first `most` tokens of it; the trace itself where it
/// has no more.
MaskBatch beginningOf(const TrainedModel& model, const std::shared_ptr<const Trace>& trace, int most);

/// A shorter sentence, to fill up beside the one that an encoder-decoder read: of the beginnings of that sentence, with
/// the mark at its end, the one that the model translates with most confidence and brings to an end. So it reads well
/// where such a beginning is a sentence by itself. Empty where there is none. Translates, so not on the window's
/// thread.
QString shorterSentence(const TrainedModel& model, const Trace& trace);

}  // namespace headlight

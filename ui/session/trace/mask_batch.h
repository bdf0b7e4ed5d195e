// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
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
    int words = 0;  ///< of the chosen row
    std::shared_ptr<const Trace> trace;
};

enum class BatchSide { Source, Target };

/// `sentences` are readings of an encoder-decoder, not empty; `side` is what the rows show and what `pads` more
/// paddings than the longest needs stand behind.
MaskBatch padBatch(const TrainedModel& model, const std::vector<const Trace*>& sentences, size_t chosen, BatchSide side,
                   int pads);

/// Half of what the model read, or less, as text that it reads so: the tokens at its beginning again, and whatever it
/// puts behind a text. Empty where it has no such text.
QString beginningOf(const TrainedModel& model, const Trace& trace);

}  // namespace headlight

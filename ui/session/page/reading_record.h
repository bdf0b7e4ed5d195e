// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "core/io/trained_model.h"
#include "core/lessons/lesson.h"
#include "core/lessons/stage_state.h"
#include "core/trace/trace.h"

namespace headlight {

/// What a web page keeps of a reading, as JSON (docs/contracts.md): every step of the computation with its words, all
/// numbers of every attention, and those of other values as long as they take less than mostOtherBytes.
struct RecordedReading {
    const TrainedModel& model;
    const Trace& trace;
    QString modelName;
    QString text = {}, says = {};  ///< what is read, and what the model makes of it
    QStringList mutedHeads = {};   ///< `decoder.layers.1.cross_attn.3`
    /// Values that are kept whatever they take, besides those of attention.
    QStringList wanted = {};
    size_t mostOtherBytes = size_t{4} << 20;
};

/// The most that all numbers of one page may take, in bytes of floats.
inline constexpr size_t mostPageBytes = size_t{48} << 20;

/// Throws Error where the numbers of attention are more than mostPageBytes.
nlohmann::json readingRecord(const RecordedReading& reading);

/// A lesson's matrices by hand as a reading of one head without a model, in the same form: Q, K, V and what attention
/// makes of them as the stage does (`scaled`, `sharpness`). Throws Error for `scores` alone, of which there is no head.
nlohmann::json exampleRecord(const LessonTensors& tensors, const StageState& by = {});

}  // namespace headlight

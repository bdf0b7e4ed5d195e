// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <utility>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// A token as it is drawn behind another one: `‿lle` behind `nu‿`. `before` below 0: it may stand behind any.
QString wordBehind(const Tokenizer& tokenizer, int before, int id);

/// The id of the target's vocabulary that stands before what a model says at a row of its answer; -1: none, as of a
/// label.
int idBefore(const TrainedModel& model, const Trace& trace, int row);

/// What a model may say at a row of its answer, as it is drawn behind what stands there.
QString wordAtRow(const TrainedModel& model, const Trace& trace, int row, int id);

/// wordAtRow() for a picture that asks for the same words again and again.
class WordsBehind {
public:
    QString at(const TrainedModel& model, const Trace& trace, int row, int id);

private:
    QHash<std::pair<int, int>, QString> m_words;  ///< by what stands before, and the id
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/trace/positions.h"

namespace headlight {

/// A table of positions and how its numbers came about.
struct ShownTable {
    enum class Kind { Interleaved, Halves, Learned };
    const PositionTable* table = nullptr;
    Kind kind = Kind::Interleaved;
    double base = 10000;  ///< of sinusoids
};

/// Sine and cosine in turn, as in the paper: a table as the sliders make them.
bool isPapersTable(const ModelConfig& config);

/// How the open model knows word order, and by what table; without a model the question.
QString howItKnowsOrder(const TrainedModel* model);
/// Of a model that adds no row of a table to a word: what it does instead.
QString whatItAddsInstead(const TrainedModel& model);
/// What becomes of the words that it read in another order, with positions and without.
struct ShuffledReading {
    QString words;              ///< in their other order
    QString reads;              ///< what the model makes of them
    bool canBeDeaf = false;     ///< its shape allows to leave positions out
    QString deaf, deafInOrder;  ///< without positions, and of the words as they stood
};
ShuffledReading readShuffled(const TrainedModel& model, const Trace& trace, unsigned shuffles);
/// In sentences.
QString textOf(const ShuffledReading& reading);

/// Rich text: the formula of a cell, and a cell worked out by it.
QString formulaOf(const ShownTable& shown);
QString cellOf(const ShownTable& shown, int position, int dimension);
QString captionOf(const ShownTable& shown);
/// "10,000".
QString baseText(double base);

}  // namespace headlight

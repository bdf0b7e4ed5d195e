// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// What a reading says at a row of its logits.
struct SaidWord {
    QString word;            ///< the likeliest
    double probability = 0;  ///< its own
};

/// A row of the logits: the word that was read last, and what two readings that were fed the same say behind it.
struct FedWord {
    QString fed;  ///< of a classifier, which says one thing of all of it, empty
    SaidWord first;
    std::optional<SaidWord> second;  ///< nothing where the other reading was fed something else until there
    std::optional<double> kept;      ///< what the second one gives to the word of the first; nothing: it has none such
    std::optional<double> apart;     ///< of the logits, as Divergence has it
    bool differs() const { return second && second->word != first.word; }
};

/// Both traces' rows, as many as the first one has; empty for a trace without words to say.
std::vector<FedWord> fedWords(const TrainedModel& one, const Trace& a, const TrainedModel& other, const Trace& b);

/// Whether a row of the value belongs to a row of the logits: what is fed, word by word.
bool hasFedRows(const Trace& trace, const TraceRecord& value);

/// log P of the words that a decoder was made to read, <eos> behind them; nothing of what has no decoder.
std::optional<double> logProbOfFed(const TrainedModel& model, const Trace& trace);

}  // namespace headlight

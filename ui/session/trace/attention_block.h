// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace headlight {

/// One attention block of a trace: where its weights and scores lie, and what its rows and columns stand for. Points
/// into the trace; whoever keeps the block keeps the trace.
struct AttentionBlock {
    enum class Kind { EncoderSelf, DecoderSelf, Cross, Self };  ///< Self: models with one stack

    QString scope;  ///< `decoder.layers.1.cross_attn`, as in Selection::block()
    Kind kind = Kind::Self;
    int layer = 0;
    int heads = 0;
    int rows = 0;
    int columns = 0;
    const TraceRecord* weights = nullptr;
    const TraceRecord* scores = nullptr;  ///< nullptr where the trace has none
    const TraceRecord* shared = nullptr;  ///< scores that become weights: capped, where they are; else `scores`
    const TraceRecord* mask = nullptr;
    const TraceRecord* query = nullptr;  ///< the projections; nullptr where it has none, as a recurrent decoder's
    const TraceRecord* key = nullptr;
    const TraceRecord* value = nullptr;

    std::span<const float> headWeights(int head) const;
    std::span<const float> headScores(int head) const;
    std::span<const float> maskValues() const {
        return mask ? std::span<const float>(mask->values) : std::span<const float>();
    }
    /// Rows write the next word, so they are labelled with it.
    bool rowsWrite() const { return kind == Kind::DecoderSelf || kind == Kind::Cross; }
};

/// Every block of the trace, in the order of computation.
std::vector<AttentionBlock> attentionBlocks(const Trace& trace);

/// What the rows are called: the word that each one writes, or (encoder) the word that looks.
QStringList rowLabels(const Trace& trace, const AttentionBlock& block);
/// "after am" under each written word; empty where rows do not write.
QStringList rowSubLabels(const Trace& trace, const AttentionBlock& block);
QStringList columnLabels(const Trace& trace, const AttentionBlock& block);

/// A head as the program names it, counted from 0: `decoder.layers.1.cross_attn.3`.
QString headName(const QString& scope, int head);

}  // namespace headlight

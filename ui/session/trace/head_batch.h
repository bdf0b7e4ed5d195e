// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <cstddef>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/trace/mask_batch.h"

namespace headlight {

/// The queries of an attention block and their scores in a batch of sentences that were filled up to one length.
struct HeadBatch {
    struct Sentence {
        QStringList rows, columns;   ///< words, and padding behind them
        int words = 0, keys = 0;     ///< of the rows and columns, those that are no padding
        std::vector<float> queries;  ///< [words, d_model]: a row a word, its heads side by side
        std::vector<float> scores;   ///< [heads, words, keys]
        std::vector<char> blocked;   ///< [words, keys]: by the mask, and what is padding
    };
    std::vector<Sentence> sentences;
    int length = 0, keys = 0, heads = 0, width = 0;  ///< `width` of a head
    QString second;                                  ///< the sentence beside the first, read or not
    QString why;                                     ///< a sentence that could not be read; empty: all could

    int model() const { return heads * width; }
    bool isEmpty() const { return sentences.empty(); }
    /// A number of the queries; all count from 0.
    float query(int sentence, int word, int head, int number) const;
    /// Where it lies in memory, as (batch, words, heads · width), and once the heads stand before the words.
    int placeBefore(int sentence, int word, int head, int number) const;
    int placeBehind(int sentence, int word, int head, int number) const;
};

/// Reads `trace`, whose model has an encoder and a decoder, beside the sentence `second`, or shorterSentence() where
/// that is empty; where it cannot be read, it says why and has one sentence. `scope` is an attention block of the
/// trace.
HeadBatch readHeadBatch(const TrainedModel& model, const Trace& trace, const QString& second, const QString& scope);

}  // namespace headlight

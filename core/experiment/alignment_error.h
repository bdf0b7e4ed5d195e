// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// How far the links that a head's attention proposes are from the gold ones.
struct AlignmentError {
    std::string block;  ///< `decoder.layers.1.cross_attn`
    int head = 0;       ///< −1: the mean of the block's heads
    long proposed = 0, gold = 0, common = 0;

    /// 1 − 2·|A ∩ G| / (|A| + |G|): the alignment error rate of Och and Ney (2003, section 5) where all gold links are
    /// sure ones. 0: perfect, 1: nothing in common.
    double rate() const;
};

/// Reads each pair under teacher forcing and links each target word to the source word on which the attention lies most
/// heavily as the decoder is about to write it (of equal weights the first). A target word without a gold link, an
/// article perhaps, gets one all the same: no head reaches 0 where there are such. For each block that looks at the
/// source: its heads, then (where there are several) their mean. Throws Error for models without such attention, for
/// tokenizers that do not read words, and for a corpus without alignments.
std::vector<AlignmentError> alignmentErrors(const TrainedModel& model, const Corpus& corpus);

/// Throws Error for a model that does not translate, and for a corpus without alignments.
void refuseUnaligned(const TrainedModel& model, const Corpus& corpus);
/// The target words of a pair that was traced, <eos> not counted. Throws Error where the model reads or writes other
/// tokens than the words that its alignment counts.
int wordsOfAligned(const Trace& trace, const SentencePair& pair);

}  // namespace headlight

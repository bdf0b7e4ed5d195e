// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/head_batch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/nn/intervention.h"
#include "ui/session/trace/attention_block.h"

namespace headlight {

namespace {

constexpr float kMasked = -1e30F;  ///< e to its power is 0

/// (heads, words, width), as the trace has it, with a word's heads side by side again.
std::vector<float> sideBySide(const TraceRecord& record) {
    const int heads = record.shape[0], words = record.shape[1], width = record.shape[2];
    std::vector<float> rows;
    rows.reserve(record.values.size());
    for (int word = 0; word < words; ++word)
        for (int head = 0; head < heads; ++head) {
            const auto from = record.values.begin() + (static_cast<std::ptrdiff_t>(head) * words + word) * width;
            rows.insert(rows.end(), from, from + width);
        }
    return rows;
}

int wordsOf(const Trace& own, bool target) {
    return static_cast<int>((target ? own.targetTokens : own.sourceTokens).size());
}

/// Of a block's columns, those that are no padding.
int keysOf(const Trace& own, const AttentionBlock& block) {
    return wordsOf(own, block.kind == AttentionBlock::Kind::DecoderSelf);
}

/// As it stands in a batch: nothing looks at its padding.
Trace readPadded(const TrainedModel& model, const Trace& padded, const Trace& own) {
    std::vector<Intervention> masks;
    for (const AttentionBlock& block : attentionBlocks(padded)) {
        if (!block.shared) continue;
        Intervention mask{.place = block.shared->name, .values = {kMasked}};
        for (int key = keysOf(own, block); key < block.columns; ++key)
            mask.columns.push_back(key);
        if (!mask.columns.empty()) masks.push_back(std::move(mask));
    }
    return traceIds(model, padded.at("source.ids").ids(), padded.at("target.ids").ids(), {}, nullptr, masks);
}

HeadBatch::Sentence sentenceOf(const Trace& padded, const Trace& own, const AttentionBlock& block) {
    HeadBatch::Sentence sentence;
    sentence.rows = rowLabels(padded, block);
    sentence.columns = columnLabels(padded, block);
    sentence.words = wordsOf(own, block.rowsWrite());
    sentence.keys = keysOf(own, block);
    sentence.queries = sideBySide(*block.query);
    sentence.scores.assign(block.shared->values.begin(), block.shared->values.end());
    const std::span<const float> mask = block.maskValues();
    for (int cell = 0; cell < block.rows * block.columns; ++cell) {
        const bool isMasked = !mask.empty() && std::isinf(mask[static_cast<size_t>(cell)]);
        sentence.blocked.push_back(isMasked || cell % block.columns >= sentence.keys ? 1 : 0);
    }
    return sentence;
}

}  // namespace

float HeadBatch::query(int sentence, int word, int head, int number) const {
    const auto at = [](int index) { return static_cast<size_t>(index); };
    return sentences[at(sentence)].queries[(at(word) * at(heads) + at(head)) * at(width) + at(number)];
}

int HeadBatch::placeBefore(int sentence, int word, int head, int number) const {
    return ((sentence * length + word) * heads + head) * width + number;
}

int HeadBatch::placeBehind(int sentence, int word, int head, int number) const {
    return ((sentence * heads + head) * length + word) * width + number;
}

HeadBatch readHeadBatch(const TrainedModel& model, const Trace& trace, const QString& second, const QString& scope) {
    HeadBatch batch;
    batch.second = second.isEmpty() ? shorterSentence(model, trace) : second;
    std::vector<const Trace*> read{&trace};
    std::optional<Trace> other;
    try {
        if (!batch.second.isEmpty()) other = traceSentence(model, batch.second.toStdString());
    } catch (const Error& error) {
        batch.why = QString::fromUtf8(error.what());
    }
    if (other) read.push_back(&*other);
    for (size_t i = 0; i < read.size(); ++i) {
        const MaskBatch padded = padBatch(model, read, i, BatchSide::Source, 0);
        const Trace inBatch = readPadded(model, *padded.trace, *read[i]);
        const std::vector<AttentionBlock> blocks = attentionBlocks(inBatch);
        const auto block = std::ranges::find(blocks, scope, &AttentionBlock::scope);
        if (block == blocks.end() || !block->query || !block->scores) return batch;
        batch.length = block->rows;
        batch.keys = block->columns;
        batch.heads = block->heads;
        batch.width = block->query->shape.back();
        batch.sentences.push_back(sentenceOf(inBatch, *read[i], *block));
    }
    return batch;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attention_block.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/trace/value_words.h"

namespace headlight {
namespace {

AttentionBlock::Kind kindOf(const Module& module) {
    if (module.over == AttentionOver::Memory) return AttentionBlock::Kind::Cross;
    switch (module.place.stack) {
        case Stack::Encoder:
            return AttentionBlock::Kind::EncoderSelf;
        case Stack::Decoder:
            return AttentionBlock::Kind::DecoderSelf;
        case Stack::Only:
        case Stack::Shared:
            break;
    }
    return AttentionBlock::Kind::Self;
}

/// A recurrent network's attention has one head and no axis for it.
std::span<const float> headOf(const TraceRecord* record, int head) {
    if (!record) return {};
    return record->shape.size() == 3 ? record->head(head) : std::span<const float>(record->values);
}

}  // namespace

std::span<const float> AttentionBlock::headWeights(int head) const {
    return headOf(weights, head);
}

std::span<const float> AttentionBlock::headScores(int head) const {
    return headOf(scores, head);
}

std::vector<AttentionBlock> attentionBlocks(const Trace& trace) {
    std::vector<AttentionBlock> blocks;
    for (const TraceRecord& record : trace.records()) {
        if (!record.is(ModuleKind::Attention, Part::Weights)) continue;
        const Module& module = record.owner();
        AttentionBlock block;
        block.scope = QString::fromStdString(module.scope);
        block.kind = kindOf(module);
        block.layer = std::max(0, module.place.layer);
        block.heads = record.shape.size() == 3 ? record.shape[0] : 1;
        block.rows = record.shape[record.shape.size() - 2];
        block.columns = record.shape.back();
        block.weights = &record;
        block.scores = trace.find(module, Part::Scores);
        const TraceRecord* const capped = trace.find(module, Part::CappedScores);
        block.shared = capped ? capped : block.scores;
        block.query = trace.find(module, Part::Query);
        block.key = trace.find(module, Part::Key);
        block.value = trace.find(module, Part::Value);
        block.mask = trace.find(module, Part::Mask);
        blocks.push_back(std::move(block));
    }
    return blocks;
}

QStringList rowLabels(const Trace& trace, const AttentionBlock& block) {
    if (!block.rowsWrite()) return wordList(trace.sourceTokens.empty() ? trace.targetTokens : trace.sourceTokens);
    return writtenWords(trace);
}

QStringList rowSubLabels(const Trace& trace, const AttentionBlock& block) {
    if (!block.rowsWrite()) return {};
    QStringList result;
    for (const QString& word : wordList(trace.targetTokens))
        result << QCoreApplication::translate("AttentionBlock", "after %1").arg(word);
    return result;
}

QStringList columnLabels(const Trace& trace, const AttentionBlock& block) {
    if (block.kind == AttentionBlock::Kind::DecoderSelf) return wordList(trace.targetTokens);
    return wordList(trace.sourceTokens.empty() ? trace.targetTokens : trace.sourceTokens);
}

QString headName(const QString& scope, int head) {
    return QStringLiteral("%1.%2").arg(scope).arg(head);
}

}  // namespace headlight

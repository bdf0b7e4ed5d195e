// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/attention_block.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/session/trace/value_words.h"

namespace headlight {
namespace {

constexpr std::string_view kWeights = ".weights";

AttentionBlock::Kind kindOf(std::string_view scope) {
    if (scope.ends_with("cross_attn") || scope.ends_with("decoder.attention")) return AttentionBlock::Kind::Cross;
    if (scope.starts_with("encoder")) return AttentionBlock::Kind::EncoderSelf;
    return scope.starts_with("decoder") ? AttentionBlock::Kind::DecoderSelf : AttentionBlock::Kind::Self;
}

int layerOf(std::string_view scope) {
    constexpr std::string_view kLayers = "layers.";
    const size_t at = scope.find(kLayers);
    return at == std::string_view::npos ? 0 : std::atoi(scope.data() + at + kLayers.size());
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
        if (!record.name.ends_with(kWeights) || record.shape.size() < 2) continue;
        const std::string scope = record.name.substr(0, record.name.size() - kWeights.size());
        AttentionBlock block;
        block.scope = QString::fromStdString(scope);
        block.kind = kindOf(scope);
        block.layer = layerOf(scope);
        block.heads = record.shape.size() == 3 ? record.shape[0] : 1;
        block.rows = record.shape[record.shape.size() - 2];
        block.columns = record.shape.back();
        block.weights = &record;
        block.scores = trace.find(scope + ".scores");
        block.mask = trace.find(scope + ".mask");
        blocks.push_back(std::move(block));
    }
    return blocks;
}

QStringList rowLabels(const Trace& trace, const AttentionBlock& block) {
    if (!block.rowsWrite()) return wordList(trace.sourceTokens.empty() ? trace.targetTokens : trace.sourceTokens);
    QStringList written = wordList(trace.targetTokens);
    if (!written.isEmpty()) written.removeFirst();
    written << QStringLiteral("<eos>");
    return written;
}

QStringList rowSubLabels(const Trace& trace, const AttentionBlock& block) {
    if (!block.rowsWrite()) return {};
    QStringList result;
    for (const QString& word : wordList(trace.targetTokens))
        result << QCoreApplication::translate("headlight", "after %1").arg(word);
    return result;
}

QStringList columnLabels(const Trace& trace, const AttentionBlock& block) {
    if (block.kind == AttentionBlock::Kind::DecoderSelf) return wordList(trace.targetTokens);
    return wordList(trace.sourceTokens.empty() ? trace.targetTokens : trace.sourceTokens);
}

double meanEntropy(std::span<const float> weights, int rows, int columns) {
    if (rows == 0 || columns == 0) return 0;
    double sum = 0;
    for (const float w : weights)
        if (w > 0) sum -= w * std::log2(static_cast<double>(w));
    return sum / rows;
}

QString headName(const QString& scope, int head) {
    return QStringLiteral("%1.%2").arg(scope).arg(head);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/model_names.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/format/plural.h"

namespace headlight {

namespace {

QString tr(const char* text, const char* comment = nullptr, int n = -1) {
    return QCoreApplication::translate("headlight", text, comment, n);
}

QString headCount(int heads) {
    return plural(tr("%n head(s)", nullptr, heads), heads);
}

QString withAttention(AttentionKind kind) {
    return kind == AttentionKind::None ? tr("no attention") : tr("%1 attention").arg(attentionName(kind));
}

QString recurrentName(const ModelConfig& config) {
    QString name = cellName(config.cell);
    if (config.numLayers > 1) name = tr("%1, %2 layers").arg(name).arg(config.numLayers);
    if (!config.encoderDecoder()) return tr("%1 language model").arg(name);
    if (config.bidirectional) name = tr("%1 that reads both ways").arg(name);
    if (config.context == ContextUse::EveryInput) name = tr("%1, fed the state at every step").arg(name);
    return QStringLiteral("%1, %2").arg(name, withAttention(config.attention));
}

}  // namespace

QString cellName(Cell cell) {
    switch (cell) {
        case Cell::Rnn:
            return tr("RNN");
        case Cell::Gru:
            return tr("GRU");
        case Cell::Lstm:
            return tr("LSTM");
    }
    return {};
}

QString attentionName(AttentionKind kind) {
    switch (kind) {
        case AttentionKind::None:
            return tr("none");
        case AttentionKind::Dot:
            return tr("dot");
        case AttentionKind::ScaledDot:
            return tr("scaled dot");
        case AttentionKind::General:
            return tr("general");
        case AttentionKind::Additive:
            return tr("additive");
    }
    return {};
}

QString describeModel(const ModelConfig& config) {
    if (config.recurrent()) return recurrentName(config);
    if (config.encoderDecoder())
        return tr("Transformer, %1 + %2 layers, %3")
            .arg(config.numEncoderLayers)
            .arg(config.numDecoderLayers)
            .arg(headCount(config.numHeads));
    const QString kind = config.headless()                           ? tr("encoder without a head")
                         : config.corpusKind() == CorpusKind::Labels ? tr("classifier")
                         : config.masked()                           ? tr("masked language model")
                                                                     : tr("language model");
    return tr("Transformer %1, %2, %3")
        .arg(kind, plural(tr("%n layer(s)", nullptr, config.numLayers), config.numLayers), headCount(config.numHeads));
}

QString taskTitle(const Task& task) {
    return QCoreApplication::translate("Task", task.title.data());
}

QString taskTitle(const TrainingStory& training) {
    const Task* task = taskOf(training);
    return task ? taskTitle(*task) : QString();
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/format/model_names.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/import/hub_model.h"
#include "ui/session/format/byte_count.h"
#include "ui/session/format/plural.h"

namespace headlight {

namespace {

struct ModelNamesText {
    Q_DECLARE_TR_FUNCTIONS(ModelNames)
};

QString headCount(int heads) {
    return plural(ModelNamesText::tr("%n head(s)", nullptr, heads), heads);
}

QString withAttention(AttentionKind kind) {
    return kind == AttentionKind::None ? ModelNamesText::tr("no attention")
                                       : ModelNamesText::tr("%1 attention").arg(attentionName(kind));
}

QString recurrentName(const ModelConfig& config) {
    QString name = cellName(config.cell);
    if (config.numLayers > 1) name = ModelNamesText::tr("%1, %2 layers").arg(name).arg(config.numLayers);
    if (!config.encoderDecoder()) return ModelNamesText::tr("%1 language model").arg(name);
    if (config.bidirectional) name = ModelNamesText::tr("%1 that reads both ways").arg(name);
    if (config.context == ContextUse::EveryInput)
        name = ModelNamesText::tr("%1, fed the state at every step").arg(name);
    return QStringLiteral("%1, %2").arg(name, withAttention(config.attention));
}

}  // namespace

QString describeOutline(const ModelOutline& outline) {
    const ModelConfig& config = outline.config;
    const QString count = ModelNamesText::tr("%1 parameters").arg(formatRoundCount(outline.parameters));
    if (outline.kind.empty()) return QStringLiteral("%1, %2").arg(describeModel(config), count);
    const QString layers =
        config.encoderDecoder() ? QStringLiteral("%1 + %1").arg(config.numLayers) : QString::number(config.numLayers);
    return ModelNamesText::tr("%1, %2 layers × %3 heads, %4")
        .arg(QString::fromStdString(outline.kind), layers, QString::number(config.numHeads), count);
}

QString cellName(Cell cell) {
    switch (cell) {
        case Cell::Rnn:
            return ModelNamesText::tr("RNN");
        case Cell::Gru:
            return ModelNamesText::tr("GRU");
        case Cell::Lstm:
            return ModelNamesText::tr("LSTM");
    }
    return {};
}

QString attentionName(AttentionKind kind) {
    switch (kind) {
        case AttentionKind::None:
            return ModelNamesText::tr("none");
        case AttentionKind::Dot:
            return ModelNamesText::tr("dot");
        case AttentionKind::ScaledDot:
            return ModelNamesText::tr("scaled dot");
        case AttentionKind::General:
            return ModelNamesText::tr("general");
        case AttentionKind::Additive:
            return ModelNamesText::tr("additive");
    }
    return {};
}

QString describeModel(const ModelConfig& config) {
    if (config.recurrent()) return recurrentName(config);
    if (config.encoderDecoder())
        return ModelNamesText::tr("Transformer, %1 + %2 layers, %3")
            .arg(config.numEncoderLayers)
            .arg(config.numDecoderLayers)
            .arg(headCount(config.numHeads));
    const QString kind = config.headless()                           ? ModelNamesText::tr("encoder without a head")
                         : config.corpusKind() == CorpusKind::Labels ? ModelNamesText::tr("classifier")
                         : config.masked()                           ? ModelNamesText::tr("masked language model")
                                                                     : ModelNamesText::tr("language model");
    return ModelNamesText::tr("Transformer %1, %2, %3")
        .arg(kind, plural(ModelNamesText::tr("%n layer(s)", nullptr, config.numLayers), config.numLayers),
             headCount(config.numHeads));
}

QString taskTitle(const Task& task) {
    return QCoreApplication::translate("Task", task.title.data());
}

QString taskTitle(const TrainingStory& training) {
    const Task* task = taskOf(training);
    return task ? taskTitle(*task) : QString();
}

}  // namespace headlight

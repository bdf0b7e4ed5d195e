// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/model_figures.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/run_record.h"

namespace headlight {

namespace {

struct ModelFiguresText {
    Q_DECLARE_TR_FUNCTIONS(ModelFigures)
};

std::optional<double> numberOf(const TrainingStory& training, const char* key) {
    const nlohmann::json& story = training.json();
    const auto at = story.find(key);
    return at != story.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

QString positionsOf(const ModelConfig& config) {
    switch (config.positionalEncoding) {
        case PositionalKind::Sinusoidal:
            return config.positionalCombine == PositionalCombine::Add
                       ? ModelFiguresText::tr("Sines and cosines added for positions")
                       : ModelFiguresText::tr("Sines and cosines beside the embedding");
        case PositionalKind::Learned:
            return ModelFiguresText::tr("Positions learned, %1 of them").arg(formatCount(config.maxLength));
        case PositionalKind::None:
            return ModelFiguresText::tr("Nothing tells it of positions");
        case PositionalKind::Rotary:
            return ModelFiguresText::tr("Rotary positions: queries and keys are turned");
        case PositionalKind::Relative:
            return ModelFiguresText::tr("Relative positions, in %1 buckets").arg(config.relativeBuckets);
    }
    return {};
}

/// What it makes of sentences that were kept for the end; empty: none were.
QString testOf(const TrainingStory& training) {
    const auto loss = numberOf(training, "test_loss");
    if (!loss) return {};
    const auto bleu = numberOf(training, "test_bleu");
    QString found =
        bleu ? ModelFiguresText::tr("test: loss %1, BLEU %2").arg(formatNumber(*loss, 3), formatNumber(*bleu, 1))
             : ModelFiguresText::tr("test: loss %1").arg(formatNumber(*loss, 3));
    const auto sentences = numberOf(training, "test_sentences");
    if (!sentences) return found;
    const QString count = formatCount(static_cast<qint64>(*sentences));
    const auto all = numberOf(training, "test_sentences_of");
    return all ? ModelFiguresText::tr("%1 (%2 of %3 sentences)")
                     .arg(found, count, formatCount(static_cast<qint64>(*all)))
               : ModelFiguresText::tr("%1 (%2 sentences)").arg(found, count);
}

QStringList transformerFacts(const ModelConfig& config) {
    QStringList facts{positionsOf(config)};
    facts << (config.normOrder == NormOrder::Pre ? ModelFiguresText::tr("Norm before each sublayer")
                                                 : ModelFiguresText::tr("Norm behind each sublayer"));
    if (config.norm == NormKind::Rms) facts.back() += ModelFiguresText::tr(", by the root mean square");
    if (config.finalNorm) facts.back() += ModelFiguresText::tr(", one more at the end");
    if (config.gatedFfn) facts << ModelFiguresText::tr("Feed-forward with a gate");
    if (config.keyHeads() != config.numHeads)
        facts << ModelFiguresText::tr("%1 heads of keys and values for %2 of queries")
                     .arg(config.keyHeads())
                     .arg(config.numHeads);
    if (!config.residuals) facts << ModelFiguresText::tr("No residual sums");
    if (config.tieEmbeddings) facts << ModelFiguresText::tr("The output shares the embedding, counted once");
    if (config.shareEmbeddings) facts << ModelFiguresText::tr("Source and target share one vocabulary");
    return facts;
}

QStringList recurrentFacts(const ModelConfig& config) {
    QStringList facts{
        ModelFiguresText::tr("Cell: %1, state of %2 numbers").arg(cellName(config.cell)).arg(config.hiddenSize)};
    if (config.encoderDecoder())
        facts << (config.attention == AttentionKind::None
                      ? ModelFiguresText::tr("All that was read goes through one vector")
                      : ModelFiguresText::tr("Attention: %1").arg(attentionName(config.attention)));
    if (config.bidirectional) facts << ModelFiguresText::tr("The encoder reads both ways");
    return facts;
}

}  // namespace

QString figuresOf(const TrainingStory& training) {
    QStringList parts;
    if (const std::optional<long> steps = training.steps()) {
        const QString count = formatCount(*steps);
        const std::optional<double> planned = numberOf(training, "planned_steps");
        parts << (planned ? ModelFiguresText::tr("step %1 of %2").arg(count, formatCount(static_cast<qint64>(*planned)))
                          : ModelFiguresText::tr("%1 steps").arg(count));
    }
    if (const auto bleu = numberOf(training, "bleu"))
        parts << ModelFiguresText::tr("BLEU %1").arg(formatNumber(*bleu, 1));
    if (const auto loss = numberOf(training, "validation_loss"))
        parts << ModelFiguresText::tr("loss %1").arg(formatNumber(*loss, 3));
    if (const QString test = testOf(training); !test.isEmpty()) parts << test;
    return parts.join(QStringLiteral(" · "));
}

QString whatFiguresAreOf(const TrainingStory& training) {
    if (!numberOf(training, "validation_loss")) return {};
    if (!numberOf(training, "bleu")) return ModelFiguresText::tr("The loss is of sentences kept aside in training.");
    return taskOf(training)
               ? ModelFiguresText::tr(
                     "BLEU and loss are of sentences kept aside in training; Decode measures BLEU on the test set.")
               : ModelFiguresText::tr("BLEU and loss are of sentences kept aside in training.");
}

QString dataOf(const TrainingStory& training) {
    if (QString task = taskTitle(training); !task.isEmpty()) return task;
    const nlohmann::json& story = training.json();
    const auto data = story.find("data");
    if (data == story.end() || !data->is_object()) return {};
    if (const std::string title = training.ofData("title"); !title.empty()) return QString::fromStdString(title);
    QStringList files;
    for (const char* key : {"pairs", "source_file", "target_file", "text_file"})
        if (const auto at = data->find(key); at != data->end() && at->is_string())
            files << QFileInfo(QString::fromStdString(at->get<std::string>())).fileName();
    return files.join(QStringLiteral(", "));
}

QString settingsOf(const ModelCard& card) {
    QStringList parts{ModelFiguresText::tr("%1 wide").arg(card.config.width())};
    if (const auto batch = numberOf(card.training, "batch_size"))
        parts << ModelFiguresText::tr("%1 a step").arg(formatCount(static_cast<qint64>(*batch)));
    parts << ModelFiguresText::tr("dropout %1").arg(formatNumber(card.config.dropout, 2));
    return parts.join(QStringLiteral(" · "));
}

std::vector<QPointF> lossCurveOf(const TrainingStory& training) {
    std::vector<QPointF> curve;
    for (const TrainingPoint& point : curvesOf(training).points)
        curve.emplace_back(point.step, point.loss);
    return curve;
}

QStringList factsOf(const ModelConfig& config, const TrainingStory& training) {
    QStringList facts = config.recurrent() ? recurrentFacts(config) : transformerFacts(config);
    const std::string quantized = training.quantizedAs(), type = training.savedAs();
    if (!quantized.empty())
        facts
            << ModelFiguresText::tr("Weights quantized as %1, computed as F32").arg(QString::fromStdString(quantized));
    else if (type != "F32")
        facts << ModelFiguresText::tr("Weights saved as %1, computed as F32").arg(QString::fromStdString(type));
    return facts;
}

}  // namespace headlight

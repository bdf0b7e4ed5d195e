// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_facts.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

struct TrainingFactsText {
    Q_DECLARE_TR_FUNCTIONS(TrainingSummary)
};

QString counted(const QString& text, qint64 n) {
    return plural(text.arg(formatCount(n)), n);
}

/// Whose bar a module's parameters are drawn in; what stands in both stacks alike is nobody's.
TrainingSummary::Role roleOf(const Module& module) {
    using Role = TrainingSummary::Role;
    if (module.kind == ModuleKind::Norm || module.kind == ModuleKind::Positions) return Role::Neutral;
    return module.place.stack == Stack::Encoder   ? Role::Encoder
           : module.place.stack == Stack::Decoder ? Role::Decoder
                                                  : Role::Neutral;
}

std::vector<TrainingSummary::Parameters> parametersByModule(const TrainingRun::Facts& facts) {
    std::vector<TrainingSummary::Parameters> rows;
    for (const auto& [module, count] : facts.parameters) {
        const QString label = groupTitle(*module);
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.label == label; });
        if (found == rows.end())
            rows.push_back({label, count, roleOf(*module)});
        else
            found->count += count;
    }
    // Along the way of a sentence: encoder first, what serves both last.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.role < b.role; });
    return rows;
}

}  // namespace

TrainingSummary summaryOf(const TrainingRun::Facts& facts) {
    const ModelConfig& config = facts.config;
    TrainingSummary summary;
    using Row = TrainingSummary::Row;
    const auto row = [&](const QString& label, const QString& value) { summary.model.push_back(Row{label, value}); };
    if (config.recurrent()) {
        row(TrainingFactsText::tr("Cell"), cellName(config.cell));
        row(TrainingFactsText::tr("Layers"), QString::number(config.numLayers));
        row(TrainingFactsText::tr("Hidden size"), QString::number(config.hiddenSize));
        row(TrainingFactsText::tr("Embedding size"), QString::number(config.embeddingSize));
        row(TrainingFactsText::tr("Attention"), attentionName(config.attention));
    } else {
        row(TrainingFactsText::tr("Layers"),
            config.encoderDecoder()
                ? QStringLiteral("%1 + %2").arg(config.numEncoderLayers).arg(config.numDecoderLayers)
                : QString::number(config.numLayers));
        row(TrainingFactsText::tr("d model"), QString::number(config.dModel));
        row(TrainingFactsText::tr("Heads"), QString::number(config.numHeads));
        row(TrainingFactsText::tr("d key"), QString::number(config.headWidth()));
        row(TrainingFactsText::tr("Feed-forward"), QString::number(config.dFf));
        row(TrainingFactsText::tr("Positions"),
            config.positionalEncoding == PositionalKind::Learned      ? TrainingFactsText::tr("learned")
            : config.positionalEncoding == PositionalKind::Sinusoidal ? TrainingFactsText::tr("sinusoid")
                                                                      : TrainingFactsText::tr("none"));
    }
    row(TrainingFactsText::tr("Label smoothing"), QString::number(facts.options.labelSmoothing));
    const auto [unit, size] = facts.options.batchSetting();
    const QString batch = facts.options.tokensPerBatch > 0
                              ? TrainingFactsText::tr("%1 tokens").arg(formatCount(size))
                              : counted(TrainingFactsText::tr("%1 pair(s)", nullptr, size), size);
    row(TrainingFactsText::tr("Batch"),
        facts.options.accumulate == 1 ? batch : QStringLiteral("%1 × %2").arg(facts.options.accumulate).arg(batch));
    if (config.encoderDecoder())
        row(TrainingFactsText::tr("Teacher forcing"),
            facts.options.teacherForcing == facts.options.teacherForcingEnd
                ? formatNumber(facts.options.teacherForcing)
                : QStringLiteral("%1 … %2").arg(formatNumber(facts.options.teacherForcing),
                                                formatNumber(facts.options.teacherForcingEnd)));
    const int warmup = facts.options.scheduleFor(config).warmupSteps;
    row(TrainingFactsText::tr("Warm-up"), counted(TrainingFactsText::tr("%1 step(s)", nullptr, warmup), warmup));
    summary.parameters = parametersByModule(facts);
    const CorpusKind kind = config.corpusKind();
    summary.data = {{kind == CorpusKind::Text     ? TrainingFactsText::tr("Training windows")
                     : kind == CorpusKind::Labels ? TrainingFactsText::tr("Training sentences")
                                                  : TrainingFactsText::tr("Training pairs"),
                     formatCount(facts.trainingPairs)},
                    {TrainingFactsText::tr("For validation"), formatCount(facts.validationPairs)},
                    {TrainingFactsText::tr("Vocabulary"),
                     config.hasOneVocabulary()
                         ? formatCount(facts.targetVocabulary)
                         : QStringLiteral("%1 / %2").arg(facts.sourceVocabulary).arg(facts.targetVocabulary)}};
    return summary;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths, parts, the model and its run.
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/model_parameters.h"
#include "ui/views/train/data/data_bar.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/data/length_chart.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/views/train/data/part_row.h"
#include "ui/views/train/training_settings.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/range_slider.h"

namespace headlight {

namespace {

QString duration(double seconds) {
    if (seconds < 90) return DataView::tr("about %1 s").arg(static_cast<int>(std::ceil(seconds)));
    if (seconds < 5400) return DataView::tr("about %1 minutes").arg(std::lround(seconds / 60));
    return DataView::tr("about %1 hours").arg(formatNumber(seconds / 3600, 1));
}

}  // namespace

void DataView::showLengths() {
    const auto& picture = m_choice.picture();
    LengthChart::Content content;
    if (picture) {
        content.counts = picture->lengths;
        if (picture->isText()) content.counts[0].clear();
        content.names = {sideName(m_choice.data().files, 0), sideName(m_choice.data().files, 1)};
        content.most = picture->longestWords;
        content.longest = m_choice.data().rules.longest;
        content.canCut = !picture->isText();
    }
    m_lengths->setContent(std::move(content));
    const double ratio = m_choice.data().rules.mostRatio;
    const QSignalBlocker quiet(m_ratio);
    m_ratio->setVisible(picture && !picture->isText() && m_choice.kind() == CorpusKind::Translation);
    m_ratio->setValue(ratio == 0 ? 0 : static_cast<int>(std::lround((ratio - 1) * kRatioUnits)));
    m_ratio->setText(ratio == 0 ? tr("any") : formatNumber(ratio, 1));
}

bool DataView::hasEntries() const {
    return m_choice.layout() && m_choice.layout()->kind == LayoutKind::JsonList;
}

/// "line 3", "lines 3 8 …"
QString DataView::placesOf(const std::vector<size_t>& lines, long all) const {
    QStringList numbers;
    for (const size_t line : lines)
        numbers << QString::number(line);
    if (all > static_cast<long>(lines.size())) numbers << QStringLiteral("…");
    const QString one = hasEntries() ? tr("entry %1") : tr("line %1"),
                  more = hasEntries() ? tr("entries %1") : tr("lines %1");
    return (numbers.size() == 1 ? one : more).arg(numbers.join(u' '));
}

void DataView::showSkipped() {
    const auto& picture = m_choice.picture();
    m_lengthsCard->setCaption(tr("by words"));
    const qint64 entities = picture ? picture->survey->entities() : 0;
    m_entities->setVisible(entities > 0);
    const QString counted = entities == 1 ? tr("1 entity") : tr("%1 entities").arg(formatCount(entities));
    m_entities->setText(
        (m_choice.data().files.undoEntities ? tr("%1 undone: leave them") : tr("Undo %1")).arg(counted));
    m_entities->updateGeometry();
    if (!picture) return m_skipped->clear();
    const PairRules& rules = m_choice.data().rules;
    const std::pair<LeftOut, QString> reasons[] = {
        {LeftOut::TooLong, plural(tr("longer than %n word(s)", nullptr, rules.longest), rules.longest)},
        {LeftOut::TooUnequal, tr("lengths beyond %1 : 1").arg(formatNumber(rules.mostRatio, 1))},
        {LeftOut::Blank, tr("blank on a side")}};
    QStringList lines;
    qint64 count = 0;
    for (const auto& [why, text] : reasons) {
        const CorpusDeal::Reason& reason = picture->deal.reason(why);
        if (reason.count == 0) continue;
        count += reason.count;
        lines << tr("%1 %2: %3").arg(formatCount(reason.count), text, placesOf(reason.lines, reason.count));
    }
    if (const Repeats& repeats = picture->survey->repeats(); repeats.count > 0)
        lines << tr("%1 repeated, and used each time: %2")
                     .arg(formatCount(repeats.count), placesOf(repeats.lines, repeats.count));
    const auto all = static_cast<qint64>(picture->survey->entries().size());
    m_lengthsCard->setCaption(count == 0 ? tr("by words; none is left out")
                                         : tr("%1 of %2 left out").arg(formatCount(count), formatCount(all)));
    if (picture->survey->isCountBounded()) lines << tr("Of very many words those that stood once are not counted.");
    m_skipped->setText(lines.join(u'\n'));
    m_skipped->setMinimumHeight(m_skipped->fontMetrics().lineSpacing() * static_cast<int>(lines.size()) + 4);
}

void DataView::showSplit() {
    const auto& picture = m_choice.picture();
    const bool isTable = !m_choice.data().files.pairs.empty();
    m_kind->setVisible(isTable);
    {
        const QSignalBlocker quiet(m_kind);
        m_kind->setCurrentIndex(m_choice.hasLabels() ? 1 : 0);
    }
    m_split->setEnabled(picture != nullptr);
    const qint64 seed = static_cast<qint64>(m_choice.seed());
    m_splitNote->setText(!picture            ? QString()
                         : picture->isText() ? tr("in the text's order")
                                             : tr("shuffled with seed %1").arg(seed));
    for (const CorpusPart part : {CorpusPart::Training, CorpusPart::Validation, CorpusPart::Test}) {
        const CorpusFiles& own = filesForPart(m_choice.data(), part);
        m_parts[static_cast<size_t>(part)]->setPart(
            picture ? formatCount(picture->size(part)) : QString(),
            part == CorpusPart::Training || own.isEmpty() ? QString() : nameOf(TrainingData{.files = own}));
    }
    m_split->setVisible(m_choice.data().validation.isEmpty() || m_choice.data().test.isEmpty());
    if (!picture) return m_split->setRange(0, 1, 0, 1);
    const int used = static_cast<int>(picture->deal.used());
    const int training = static_cast<int>(picture->deal.size(CorpusPart::Training));
    m_split->setRange(std::min(1, used), used, training,
                      training + static_cast<int>(picture->deal.size(CorpusPart::Validation)));
}

int DataView::vocabularySize(size_t side) const {
    const DataPicture& picture = *m_choice.picture();
    const TokenizerOptions& options = m_choice.data().tokenizer;
    const int breaks = m_choice.data().files.reading == TextReading::Lines ? 0 : 1;
    if (picture.joint && options.kind == TokenizerOptions::Kind::Bpe && chosenSetup().config.shareEmbeddings)
        return static_cast<int>(picture.joint->vocabularySize(static_cast<size_t>(options.merges)));
    if (const auto& pieces = picture.pieces.at(side); pieces && options.kind == TokenizerOptions::Kind::Bpe)
        return breaks + static_cast<int>(pieces->vocabularySize(static_cast<size_t>(options.merges)));
    const int words = static_cast<int>(picture.coverage.at(side)->words());
    const int specials = Vocabulary().size() + breaks;
    if (options.kind == TokenizerOptions::Kind::Char) return specials + static_cast<int>(picture.characters.at(side));
    const int most = m_choice.vocabulary().at(side);
    const bool isLabel = side == 1 && m_choice.kind() == CorpusKind::Labels;
    return specials + (most == 0 || isLabel ? words : std::min(most, words));
}

std::optional<std::array<int, 2>> DataView::vocabularySizes() const {
    if (!m_choice.hasFiles()) return m_taskWords;
    if (!m_choice.picture()) return {};
    return std::array{m_choice.picture()->isText() ? vocabularySize(1) : vocabularySize(0), vocabularySize(1)};
}

TrainingSetup DataView::chosenSetup() const {
    TrainingSetup setup;
    m_settings.apply(setup, m_choice.kind());
    m_choice.applyTo(setup);
    return setup;
}

/// As it would run on this computer.
TrainingSetup DataView::timedSetup() const {
    TrainingSetup setup = chosenSetup();
    setup.options.threads = m_threads;
    return setup;
}

ModelConfig DataView::configWithWords() const {
    TrainingSetup setup = chosenSetup();
    const auto [source, target] = *vocabularySizes();
    setup.config.sourceVocabSize = source;
    setup.config.targetVocabSize = target;
    return setup.config;
}

void DataView::showModel() {
    {
        const QSignalBlocker quiet(m_size), quietSteps(m_steps);
        m_size->setCurrentIndex(static_cast<int>(m_settings.size()));
        m_steps->setValue(m_settings.stepsSlider()->value());
    }
    m_size->setItemDisabled(
        static_cast<int>(TrainingSettings::Size::Own),
        m_settings.size() == TrainingSettings::Size::Own ? QString() : tr("Choose it on the page Settings"));
    m_steps->setText(formatCount(m_settings.steps()));
    const bool isCounted = vocabularySizes().has_value();
    m_modelShare->setVisible(isCounted);
    m_blueprint->setVisible(isCounted);
    if (!isCounted) {
        m_modelCard->setCaption({});
        m_modelText->setText(tr("Its size depends on how many words there are. They are being counted."));
        m_modelShare->clear();
        return;
    }
    const ModelConfig config = configWithWords();
    m_modelText->setText(describeModel(config) + tr(", %1 wide.").arg(config.width()));
    try {
        const auto all = static_cast<qint64>(config.weightCount());
        ModelConfig small = config;
        small.sourceVocabSize = 0;
        if (m_choice.kind() != CorpusKind::Labels) small.targetVocabSize = 0;  // labels are no words
        const auto words = all - static_cast<qint64>(small.weightCount());
        m_modelCard->setCaption(tr("%1 parameters").arg(formatCount(all)));
        m_modelShare->setText(
            tr("Words take %2 of its parameters (%1).")
                .arg(formatCount(words), formatPercent(static_cast<double>(words) / static_cast<double>(all), 0)));
        drawModel(config);
    } catch (const Error& error) {
        m_modelShare->setText(QString::fromUtf8(error.what()));
    }
}

/// Of files a step is tried anyway, which tells the parts; until then nothing is drawn, least of all another model.
void DataView::drawModel(const ModelConfig& config) {
    if (!m_choice.picture()) return m_blueprint->setParameters(parametersOf(*Model::make(config)));
    const auto& result = m_probe.result();
    size_t all = 0;
    if (result)
        for (const auto& [module, count] : result->parameters)
            all += static_cast<size_t>(count);
    m_blueprint->setParameters(all == config.weightCount() ? result->parameters : ModelParameters());
}

void DataView::setTaskWords(const std::optional<std::array<int, 2>>& words) {
    m_taskWords = words;
    showModel();
}

void DataView::showTime() {
    const auto& picture = m_choice.picture();
    for (QLabel* each : {m_passes, m_time, m_timeMore})
        each->setVisible(picture != nullptr);
    if (!picture) {
        m_passes->clear();
        m_time->clear();
        m_timeMore->clear();
        return;
    }
    const TrainingSetup setup = timedSetup();
    const bool isTried = m_probe.isOf(configWithWords(), setup.options);
    const StepProbe::Result* const result = isTried && m_probe.result() ? &*m_probe.result() : nullptr;
    showPasses(setup.options, result);
    m_time->setText(result ? duration(result->seconds * static_cast<double>(setup.options.steps))
                    : m_probe.isBusy() || m_calm.isActive() ? tr("trying …")
                                                            : QString());
    m_timeMore->setText(result ? tr("Tried just now on this computer: %1 steps, %2 s each. Looking at the model "
                                    "between them, and other programs, take their time too.")
                                     .arg(result->steps)
                                     .arg(formatNumber(result->seconds, result->seconds < 0.1 ? 3 : 2))
                        : isTried ? m_probe.failure()
                                  : QString());
}

/// How many pairs so many tokens are is found out by trying.
void DataView::showPasses(const TrainOptions& options, const StepProbe::Result* result) {
    const auto& picture = m_choice.picture();
    const bool byTokens = options.tokensPerBatch > 0;
    if (byTokens && !result) return m_passes->clear();
    const double each = byTokens ? result->pairs : 1.0 * options.batchSize * options.accumulate;
    const QString a = (byTokens ? tr("about %1") : QStringLiteral("%1")).arg(formatCount(std::lround(each)));
    const double pairs = static_cast<double>(picture->deal.size(CorpusPart::Training));
    const double seen = static_cast<double>(options.steps) * each / std::max(1.0, pairs);
    m_passes->setText(picture->isText()
                          ? tr("%1 windows a step.").arg(a)
                          : tr("Sees every pair %1 times, %2 pairs a step.")
                                .arg(seen < 10 ? formatNumber(seen, 1) : formatCount(std::lround(seen)), a));
}

void DataView::measure() {
    const auto& picture = m_choice.picture();
    if (!picture || !isVisible()) return;
    const TrainingSetup setup = timedSetup();
    StepProbe::Lengths lengths;
    const auto& entries = picture->survey->entries();
    constexpr size_t most = 1000;
    for (size_t i = 0; i < entries.size(); i += std::max<size_t>(1, entries.size() / most))
        if (picture->deal.leftOut[i] == LeftOut::No) {
            const auto tokens = [&](size_t side, int words) {
                const auto& pieces = picture->pieces.at(side);
                return pieces ? static_cast<int>(std::lround(
                                    words * pieces->piecesPerWord(static_cast<size_t>(setup.data.tokenizer.merges))))
                              : words;
            };
            lengths.emplace_back(tokens(0, entries[i].sourceWords), tokens(1, entries[i].targetWords));
        }
    if (picture->isText()) lengths = {{0, setup.config.maxLength}};
    m_probe.measure(configWithWords(), setup.options, lengths);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/settings_picture.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/error.h"
#include "ui/session/format/model_names.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/model_parameters.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

constexpr int kLeastHeight = 190;  ///< so that charts have numbers

}  // namespace

SettingsPicture::SettingsPicture(QWidget* parent)
    : QWidget(parent),
      m_modelCard(new Card(tr("The model these settings make"))),
      m_rateCard(new Card(tr("Learning rate"))),
      m_blueprint(new ModelBlueprint),
      m_says(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_rate(new PlainChart),
      m_forcing(new PlainChart) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    m_blueprint->setMinimumHeight(kLeastHeight);
    m_blueprint->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    m_says->setWordWrap(true);
    m_modelCard->body()->addWidget(m_blueprint, 1);
    m_modelCard->body()->addWidget(m_says);
    auto* forcingCard = new Card(tr("True words"), tr("their share"));
    for (const auto& [card, chart] : {std::pair(m_rateCard, m_rate), std::pair(forcingCard, m_forcing)}) {
        chart->setMinimumHeight(kLeastHeight);
        chart->setAxisTitle(tr("step"));
        chart->setAccessibleName(card->title());
        card->body()->addWidget(chart, 1);
    }
    row->addWidget(m_modelCard, 4);
    row->addWidget(m_rateCard, 3);
    row->addWidget(forcingCard, 3);
}

QString SettingsPicture::says() const {
    return m_says->text();
}

void SettingsPicture::setSetup(const TrainingSetup& setup, const std::optional<std::array<int, 2>>& words) {
    showModel(setup.config, words);
    const TrainOptions& options = setup.options;
    showRate(options.scheduleFor(setup.config), options.steps);
    const auto last = static_cast<double>(options.steps);
    m_forcing->setLines({{{1, options.teacherForcing}, {last, options.teacherForcingEnd}}}, {1, last, 0, 1}, -1);
}

void SettingsPicture::showModel(ModelConfig config, const std::optional<std::array<int, 2>>& words) {
    m_modelCard->setCaption(describeModel(config));
    try {
        if (!words)
            throw Error(tr("How many parameters it has depends on the words, which are counted when the data "
                           "are read.")
                            .toStdString());
        config.sourceVocabSize = (*words)[0];
        config.targetVocabSize = (*words)[1];
        const ModelParameters parameters = parametersOf(*Model::make(config));
        m_blueprint->setParameters(parameters);
        long all = 0, ofWords = 0;
        for (const auto& [module, count] : parameters) {
            all += count;
            if (module->kind == ModuleKind::Embedding || module->kind == ModuleKind::Head) ofWords += count;
        }
        const QString share = formatPercent(static_cast<double>(ofWords) / static_cast<double>(all), 0);
        const QString source = formatCount(config.sourceVocabSize), target = formatCount(config.targetVocabSize);
        m_says->setText(config.corpusKind() == CorpusKind::Translation
                            ? tr("%1 parameters, as areas. %2 of them are of the words, read and written: %3 source "
                                 "and %4 target words.")
                                  .arg(formatCount(all), share, source, target)
                        : config.corpusKind() == CorpusKind::Labels
                            ? tr("%1 parameters, as areas. %2 of them are of the words, %3, and the %4 labels.")
                                  .arg(formatCount(all), share, source, target)
                            : tr("%1 parameters, as areas. %2 of them are of the words, read and written: %3.")
                                  .arg(formatCount(all), share, target));
        if (!config.recurrent()) m_says->setText(m_says->text() + tr(" Strong: attention; weak: feed-forward."));
    } catch (const Error& error) {
        m_blueprint->setParameters({});
        m_says->setText(QString::fromUtf8(error.what()));
    }
}

void SettingsPicture::showRate(const Schedule& schedule, long steps) {
    constexpr long kPoints = 300;
    PlainChart::Line line;
    for (long step = 1; step < steps; step += std::max(1L, steps / kPoints))
        line.emplace_back(static_cast<double>(step), schedule.at(step));
    line.emplace_back(static_cast<double>(steps), schedule.at(steps));
    const double most = std::ranges::max(line, {}, &QPointF::y).y();
    m_rateCard->setCaption(tr("at most %1").arg(formatPrecise(most)));
    m_rate->setLines({std::move(line)}, {1, static_cast<double>(steps), 0, most}, -1);
}

}  // namespace headlight

#include "moc_settings_picture.cpp"

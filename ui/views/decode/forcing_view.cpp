// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/decode/forcing/forcing_curves.h"
#include "ui/views/decode/forcing/forcing_runs.h"
#include "ui/views/decode/forcing/forcing_side.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/views/decode/forcing/place_curve.h"
#include "ui/widgets/controls/card_row.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/progress_line.h"

namespace headlight {

namespace {

QStringList shares() {
    QStringList all;
    for (const ForcingRun& run : forcingRuns())
        all << formatNumber(run.forcing, 1);
    return all;
}

}  // namespace

ForcingView::ForcingView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_run(new SegmentedControl(shares())),
      m_stage(new ForcingStage),
      m_progress(new ProgressLine),
      m_curve(new PlaceCurve),
      m_curves(new ForcingCurves),
      m_runs(new ForcingRuns),
      m_runsStory(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_failure(new FailureBox),
      m_side(new ForcingSide) {
    auto* none = new EmptyPage(
        tr("No model is open. Open a translator to feed its decoder the truth and its own words."), tr("Open a model"));
    auto* other = new EmptyPage(tr("This model has no decoder that is handed a translation word by word: there is no "
                                   "truth to feed it. Open a translator."),
                                tr("Open a model"));
    m_noTruth = new EmptyPage(tr("Nobody has said what this sentence should be in the other language, so there is no "
                                 "truth to feed. Type a good translation of it."),
                              tr("Take a test sentence"));
    m_noTruth->addInput(tr("A translation by somebody, then Enter"));
    m_pages->addWidget(none);
    m_pages->addWidget(other);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see it translated both ways."), {}));
    m_pages->addWidget(m_noTruth);
    m_pages->addWidget(makeRoom());
    for (EmptyPage* page : {none, other})
        connect(page, &EmptyPage::activated, this, &ForcingView::openModelRequested);
    connect(m_noTruth, &EmptyPage::activated, this,
            [this] { emit sourceWanted(QString::fromStdString(m_set->sentences().front().source)); });
    connect(m_noTruth, &EmptyPage::typed, this, &ForcingView::targetWanted);
    connect(m_stage, &ForcingStage::stepChosen, this, &ForcingView::choose);
    connect(m_curve, &PlaceCurve::placeChosen, this, &ForcingView::choose);
    connect(m_stage, &ForcingStage::truthToggled, this, &ForcingView::toggleTruth);
    connect(m_side, &ForcingSide::handWanted, this, [this] { toggleTruth(m_word - 1); });
    connect(m_run, &SegmentedControl::currentChanged, this, [this](int run) {
        if (run >= 0) emit runWanted(QString::fromLatin1(forcingRuns()[static_cast<size_t>(run)].model));
    });
    connect(m_runs, &ForcingRuns::measured, this, &ForcingView::sayRuns);
    connect(m_runs, &ForcingRuns::failed, this, &ForcingView::fail);
}

void ForcingView::setSettling(Settling* settling) {
    m_reads.setSettling(settling);
    m_measures.setSettling(settling);
    m_runs->setSettling(settling);
}

bool ForcingView::isBusy() const {
    return m_reads.isBusy() || m_measures.isBusy() || m_runs->isBusy();
}

QWidget* ForcingView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* content = new QWidget;
    auto* stage = new QVBoxLayout(content);
    stage->setContentsMargins(12, 8, 20, 16);
    stage->setSpacing(14);
    m_failure->hide();
    stage->addWidget(m_failure);
    stage->addWidget(m_stage);
    constexpr int kBeside = 700;
    auto* cards = new CardRow(kBeside);
    cards->row()->setContentsMargins(8, 0, 0, 0);
    cards->row()->setSpacing(16);
    cards->add(makeCurveCard());
    cards->add(makeRunsCard());
    stage->addWidget(cards, 1);
    m_area = scrolling(content);
    content->installEventFilter(this);
    columns->addWidget(m_area, 1);
    columns->addWidget(m_side);
    m_side->setPanelName("side");
    return room;
}

Card* ForcingView::makeCurveCard() {
    m_curveCard = new Card(tr("Right word, place by place"));
    m_curveCard->setPanelName("places");
    m_curveCard->body()->addWidget(m_progress);
    m_curveCard->body()->addWidget(m_curve, 1);
    auto* note =
        new Caption(tr("Right: the word of the reference in the same place."), 12, QFont::Normal, Caption::Tone::Faint);
    note->setWordWrap(true);
    m_curveCard->body()->addWidget(note);
    return m_curveCard;
}

Card* ForcingView::makeRunsCard() {
    m_runsCard = new Card(tr("Trained on its own words"));
    m_runsCard->setPanelName("runs");
    m_run->setAccessibleName(tr("In training, probability of being fed the truth"));
    m_run->setToolTip(
        tr("In training, probability of being fed the truth: opens one of three models that differ in "
           "nothing else"));
    // Not in the header: at 1024 px both have not the room there.
    auto* row = new QHBoxLayout;
    row->addWidget(new Caption(tr("in training fed the truth:"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_run);
    row->addStretch(1);
    m_runsCard->body()->addLayout(row);
    m_runsCard->body()->addWidget(m_runs, 1);
    m_runsStory->setWordWrap(true);
    m_runsCard->body()->addWidget(m_runsStory);
    m_runsCard->body()->addWidget(m_curves, 1);
    auto* told = new Caption(ForcingCurves::told(), 12, QFont::Normal, Caption::Tone::Faint);
    told->setWordWrap(true);
    m_runsCard->body()->addWidget(told);
    return m_runsCard;
}

void ForcingView::setReading(const std::shared_ptr<const TrainedModel>& model,
                             const std::optional<Session::Reading>& reading, const QString& modelName,
                             const QStringList& muted) {
    const bool sameModel = model == m_model && muted == m_muted;
    const bool same = sameModel && reading && m_reading && reading->trace == m_reading->trace;
    const bool sameSource = reading && m_reading && reading->source == m_reading->source;
    m_model = model;
    m_muted = muted;
    m_reading = reading;
    const bool translates = model && model->network->config().encoderDecoder() && !model->network->config().headless();
    const auto at = std::ranges::find(forcingRuns(), modelName,
                                      [](const ForcingRun& run) { return QString::fromLatin1(run.model); });
    const int run = at == forcingRuns().end() ? -1 : static_cast<int>(at - forcingRuns().begin());
    {
        const QSignalBlocker quiet(m_run);
        m_run->setCurrentIndex(run);
    }
    m_runs->setOpen(run);
    if (!sameModel) {
        m_set = nullptr;
        m_noTruth->showAction(false);  // until it is known whether the other model has sentences
        m_report = std::nullopt;
        m_measures.drop();
        m_progress->setShare(-1);
        m_failure->hide();
    }
    if (!translates || !reading) {
        m_reads.drop();
        m_pages->setCurrentIndex(!model ? NoModel : !translates ? NoTranslator : NoSentence);
        return;
    }
    if (same && m_ways) return;
    if (!sameSource && m_ways) m_truth.clear();
    findTruth();
}

/// The target that the reader gave, or the task's; then both ways of decoding.
void ForcingView::findTruth() {
    struct Found {
        std::shared_ptr<const TestSet> set;
        std::shared_ptr<const TwoWays> ways = nullptr;
        std::string truth = {};
    };
    const Session::Reading& reading = *m_reading;
    m_reads.ask<Found>(
        [model = m_model, source = reading.source.toStdString(), given = reading.target.toStdString(), truth = m_truth,
         muted = m_muted] {
            Found found{TestSet::of(*model)};
            const auto known = TestSet::referenceOf(found.set.get(), *model, source);
            const std::string target = given.empty() ? known.value_or(std::string()) : given;
            const std::vector<MutedHead> heads = parseMutedHeads(muted, *model->network);
            if (model->target->encode(target).empty()) return found;
            found.ways = std::make_shared<const TwoWays>(runTwoWays(*model, source, target, truth, heads));
            found.truth = target;
            return found;
        },
        [this](Found found) {
            m_set = std::move(found.set);
            takeWays(std::move(found.ways), std::move(found.truth));
        },
        [this](const QString& why) { fail(why); });
}

void ForcingView::takeWays(std::shared_ptr<const TwoWays> ways, std::string truth) {
    m_ways = std::move(ways);
    m_truthText = std::move(truth);
    m_waysOf = m_model;
    m_pages->setCurrentIndex(m_ways ? Room : NoTruth);
    m_noTruth->showAction(m_set != nullptr);
    m_noTruth->input()->clear();
    m_picture = m_ways ? forcingPicture(*m_model, *m_ways) : ForcingPicture();
    m_stage->setPicture(m_picture);
    showStep();
    m_curveCard->setVisible(m_set != nullptr);
    measure();
    m_runs->measure();
}

void ForcingView::measure() {
    if (!m_set || m_measures.isBusy() || m_report || !isVisible()) return;
    m_curveCard->setCaption(tr("being measured"));
    m_progress->setShare(0);
    m_measures.ask<ForcingReport>(
        [this, model = m_model, set = m_set, muted = m_muted](const Background::Wanted& wanted) {
            const std::vector<MutedHead> heads = parseMutedHeads(muted, *model->network);
            return measureForcing(*model, set->sentences(), heads, [this, &wanted](double share) {
                QMetaObject::invokeMethod(this, [this, wanted, share] {
                    if (wanted() && m_measures.isBusy()) m_progress->setShare(share);
                });
                return wanted();
            });
        },
        [this](ForcingReport report) {
            m_report = std::move(report);
            m_progress->setShare(-1);
            m_curveCard->setCaption(tr("%1 test sentences").arg(formatCount(m_report->sentences)));
            m_curve->setReport(*m_report);
            m_curve->setChosen(static_cast<size_t>(m_word - 1));
        },
        [this](const QString& why) { fail(why); });
}

void ForcingView::choose(int step) {
    if (!m_ways || step < 0) return;
    m_word = step + 1;
    showStep();
    emit optionsChanged();
}

void ForcingView::showStep() {
    if (!m_ways) return;
    const size_t step = std::min(static_cast<size_t>(std::max(1, m_word)), m_picture.steps()) - 1;
    m_stage->setChosen(step);
    m_curve->setChosen(step);
    m_side->setStep(*m_waysOf, *m_ways, m_picture, step);
}

void ForcingView::toggleTruth(int place) {
    if (place < 1) return;
    const auto at = std::ranges::find(m_truth, place);
    at == m_truth.end() ? m_truth.push_back(place) : static_cast<void>(m_truth.erase(at));
    std::ranges::sort(m_truth);
    m_word = place + 1;
    findTruth();
    emit optionsChanged();
}

/// Which of the runs has the smaller gap, and which translates best: as they come out.
void ForcingView::sayRuns() {
    const auto& reports = m_runs->reports();
    if (std::ranges::any_of(reports, [](const auto& report) { return !report; })) return;
    double least = reports.front()->gap();
    size_t best = 0;
    for (size_t run = 1; run < reports.size(); ++run) {
        least = std::min(least, reports[run]->gap());
        if (reports[run]->bleu.score > reports[best]->bleu.score) best = run;
    }
    // What is printed alike is not said to be smaller.
    QStringList narrow;
    for (size_t run = 0; run < reports.size(); ++run)
        if (ForcingRuns::points(reports[run]->gap()) == ForcingRuns::points(least))
            narrow << formatNumber(forcingRuns()[run].forcing, 1);
    const QString gap = narrow.size() == 1 ? tr("the run at %1 has the smallest gap").arg(narrow.front())
                                           : tr("the runs at %1 have the smallest gap").arg(narrow.join(tr(" and ")));
    m_runsStory->setText(tr("Over %1 test sentences %2, and the run at %3 the best BLEU when it runs free. One seed "
                            "each: a difference this small may be chance.")
                             .arg(formatCount(reports[best]->sentences), gap)
                             .arg(formatNumber(forcingRuns()[best].forcing, 1)));
}

void ForcingView::fail(const QString& why) {
    m_progress->setShare(-1);
    m_failure->setText(tr("The decoder was not run: %1").arg(why));
    m_failure->show();
    m_pages->setCurrentIndex(Room);
}

/// What nobody looks at is not computed.
void ForcingView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_measures.drop();
    m_progress->setShare(-1);
}

void ForcingView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_ways) measure();
}

/// What is laid out anew, as when a card has been measured, stands elsewhere.
bool ForcingView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && wantedCard())
        QMetaObject::invokeMethod(this, &ForcingView::bringIntoSight, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

/// Null: none.
QWidget* ForcingView::wantedCard() const {
    return m_wanted == StageSide::Places ? m_curveCard : m_wanted == StageSide::Runs ? m_runsCard : nullptr;
}

void ForcingView::bringIntoSight() {
    constexpr int kBelow = 12;
    QWidget* const card = wantedCard();
    m_area->verticalScrollBar()->setValue(0);  // from where it was before, it would stop elsewhere
    if (!card) return;
    m_area->widget()->layout()->activate();
    m_area->ensureWidgetVisible(card, 0, kBelow);
}

void ForcingView::showOptions(const StageState& state) {
    m_wanted = state.view == ViewName::Forcing ? state.side : StageSide::Auto;
    bringIntoSight();
    m_word = std::max(1, state.forcing.word);
    std::vector<int> truth;
    for (const std::string& place : state.forcing.truth)
        if (const int number = QString::fromStdString(place).toInt(); number > 0) truth.push_back(number);
    const bool changed = truth != m_truth;
    m_truth = std::move(truth);
    if (changed && m_model && m_reading && ((m_ways && m_waysOf == m_model) || m_reads.isBusy())) findTruth();
    showStep();
}

void ForcingView::tellOptions(StageState& state) const {
    if (state.view == ViewName::Forcing) state.side = m_wanted;
    state.forcing.word = m_word;
    state.forcing.truth.clear();
    for (const int place : m_truth)
        state.forcing.truth.push_back(std::to_string(place));
}

}  // namespace headlight

#include "moc_forcing_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/rate_card.h"
#include "ui/views/train/save_buttons.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_summary.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

using Line = TrainingChart::Line;

template <typename Point, typename Value>
std::vector<QPointF> against(const std::vector<Point>& points, Value value) {
    std::vector<QPointF> result;
    for (const Point& point : points)
        if (std::isfinite(point.*value)) result.emplace_back(point.step, point.*value);
    return result;
}

QString plainNumber(double value) {
    return formatNumber(value, value < 1 && value > 0 ? 2 : value == std::floor(value) ? 0 : 1);
}

QString thousands(double value) {
    return value >= 1000 ? TrainingView::tr("%1k").arg(plainNumber(value / 1000)) : plainNumber(value);
}

}  // namespace

TrainingView::TrainingView(QWidget* parent) : QWidget(parent), m_bar(new TrainingBar), m_film(new FilmStrip) {
    auto* grid = new QGridLayout;
    grid->setSpacing(16);
    m_charts = grid;
    makeCharts(grid);
    grid->addWidget(makeFilmCard(), 2, 0, 1, 3);
    grid->setRowStretch(0, 26);
    grid->setRowStretch(1, 18);
    grid->setRowStretch(2, 28);
    for (int column = 0; column < 3; ++column)
        grid->setColumnStretch(column, 1);

    auto* rooms = new QHBoxLayout;
    rooms->setContentsMargins(20, 16, 20, 20);
    rooms->setSpacing(20);
    rooms->addLayout(grid, 1);
    m_rate = new RateCard;
    m_rate->setPanelName("rate");
    m_bar->setPanelName("controls");
    m_side = new QWidget;
    m_side->setFixedWidth(324);
    auto* side = new QVBoxLayout(m_side);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(16);
    side->addWidget(m_rate);
    side->addWidget(makeSummaryCard(), 1);
    rooms->addWidget(m_side);
    m_saveButtons = new SaveButtons;
    m_bar->addTools(m_saveButtons);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(makeErrorBox());
    column->addLayout(rooms, 1);

    connect(m_bar, &TrainingBar::startRequested, this, &TrainingView::startRequested);
    connect(m_bar, &TrainingBar::pauseRequested, this, &TrainingView::pauseRequested);
    connect(m_bar, &TrainingBar::cancelRequested, this, &TrainingView::cancelRequested);
    connect(m_bar, &TrainingBar::stepRequested, this, &TrainingView::stepRequested);
    connect(m_bar, &TrainingBar::resetRequested, this, &TrainingView::resetRequested);
    connect(m_bar, &TrainingBar::seedChanged, this, &TrainingView::seedChanged);
    connect(m_bar, &TrainingBar::taskChanged, this, &TrainingView::taskChanged);
    connect(m_film, &FilmStrip::frameSelected, this, &TrainingView::frameSelected);
    connect(m_film, &FilmStrip::frameSelected, this, &TrainingView::showCaption);
}

/// The curves come first where there is little room.
void TrainingView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int roomForAll = 1100;
    m_side->setVisible(width() >= roomForAll);
}

void TrainingView::makeCharts(QGridLayout* grid) {
    const auto percent = [](double value) { return tr("%1%").arg(formatNumber(value * 100, 0)); };
    // With a decimal where two ticks would otherwise bear the same number.
    const auto rate = [](double value) {
        if (value <= 0) return QStringLiteral("0");
        const double mantissa = value / std::pow(10, std::floor(std::log10(value) + 1e-9));
        return formatScientific(value, std::abs(mantissa - std::round(mantissa)) < 0.01 ? 0 : 1);
    };
    m_loss = new TrainingChart(tr("Loss"), tr("cross-entropy"), {.format = plainNumber, .readoutLines = 2});
    m_accuracy =
        new TrainingChart(tr("Word accuracy"), tr("next word"), {.maximumY = 1, .format = percent, .readoutLines = 2});
    m_bleu = new TrainingChart(tr("BLEU"), tr("greedy, validation pairs"),
                               {.maximumY = 100, .format = plainNumber, .readoutLines = 2});
    m_learningRate = new TrainingChart(tr("Learning rate"), {}, {.format = rate});
    m_throughput = new TrainingChart(tr("Throughput"), tr("words per second"), {.format = thousands, .bars = true});
    m_gradient = new TrainingChart(tr("Gradient norm"), {}, {.format = plainNumber});
    TrainingChart* charts[] = {m_loss, m_accuracy, m_bleu, m_learningRate, m_throughput, m_gradient};
    const char* const names[] = {"loss", "accuracy", "bleu", "learning-rate", "throughput", "gradient"};
    for (int i = 0; i < 6; ++i) {
        charts[i]->setPanelName(names[i]);
        grid->addWidget(charts[i], i / 3, i % 3);
    }
}

QWidget* TrainingView::makeFilmCard() {
    m_filmCard = new Card(tr("Watch"));
    m_filmCard->setPanelName("film");
    m_sentence = new Caption({}, 12, QFont::Medium, Caption::Tone::Main);
    m_filmCard->header()->addWidget(m_sentence);
    m_explore = new Button(Button::Kind::Ghost, {}, Icon::Explore);
    m_explore->setHeight(28);
    setLookingBack(-1, -1);
    connect(m_explore, &Button::clicked, this, &TrainingView::exploreRequested);
    m_filmCard->header()->addWidget(m_explore);
    // The frame of the current picture reaches into the card's margin, so that pictures and title stand in one line.
    m_filmCard->body()->setContentsMargins(10, 14, 10, 12);
    m_filmCard->header()->setContentsMargins(10, 0, 10, 0);
    m_filmCard->body()->addWidget(m_film, 1);
    return m_filmCard;
}

QWidget* TrainingView::makeSummaryCard() {
    m_summary = new TrainingSummaryPanel;
    auto* card = new Card({});
    card->setPanelName("summary");
    card->removeHeader();  // its parts have titles of their own
    card->body()->setContentsMargins(0, 0, 1, 1);
    card->body()->addWidget(scrolling(m_summary));
    return card;
}

QWidget* TrainingView::makeErrorBox() {
    m_errorText = new FailureBox;
    m_error = new QWidget;
    auto* margins = new QVBoxLayout(m_error);
    margins->setContentsMargins(20, 16, 20, 0);
    margins->addWidget(m_errorText);
    m_error->hide();
    return m_error;
}

void TrainingView::setTasks(const std::vector<TrainingTask>& tasks) {
    m_bar->setTasks(tasks);
}

void TrainingView::setTask(const QString& name) {
    m_bar->setTask(name);
}

void TrainingView::setOwnData(const QString& title) {
    m_bar->setOwnData(title);
}

QString TrainingView::taskName() const {
    return m_bar->taskName();
}

int TrainingView::seed() const {
    return m_bar->seed();
}

void TrainingView::setSeed(int seed) {
    m_bar->setSeed(seed);
}

void TrainingView::setTotalSteps(int total) {
    m_total = total;
    showSteps();
}

void TrainingView::setSchedule(const std::vector<double>& learningRates) {
    std::vector<QPointF> points;
    for (size_t i = 0; i < learningRates.size(); ++i)
        points.emplace_back(static_cast<double>(i + 1), learningRates[i]);
    m_learningRate->replace(Line::Future, points);
}

void TrainingView::setClipNorm(double norm) {
    m_gradient->setMarker(norm);
    m_gradient->setCaption(norm > 0 ? tr("clipped at %1").arg(plainNumber(norm)) : QString());
}

void TrainingView::setKind(CorpusKind kind) {
    const bool translates = kind == CorpusKind::Translation;
    m_bleu->setVisible(translates);
    m_charts->addWidget(m_accuracy, 0, 1, 1, translates ? 1 : 2);
    m_accuracy->setTitle(kind == CorpusKind::Labels ? tr("Accuracy") : tr("Word accuracy"));
    m_accuracy->setCaption(kind == CorpusKind::Labels ? tr("of labels") : tr("next word"));
}

/// The two lines are not of the same measure: it stands above them.
void TrainingView::setLossMeasure(double dropout, double labelSmoothing) {
    QStringList only;
    if (dropout > 0) only << tr("dropout %1").arg(formatNumber(dropout));
    if (labelSmoothing > 0) only << tr("smoothing %1").arg(formatNumber(labelSmoothing));
    m_loss->setCaption(only.isEmpty() ? tr("cross-entropy") : tr("training: %1").arg(only.join(QStringLiteral(", "))));
}

void TrainingView::setSummary(const TrainingSummary& summary) {
    m_summary->setSummary(summary);
}

void TrainingView::setProbe(const QString& sentence, int row, int column) {
    m_sentence->setText(sentence);
    m_film->setCell(row, column);
    showCaption();
}

void TrainingView::showCaption() {
    m_filmCard->setCaption(m_film->caption());
}

void TrainingView::setLookingBack(int step, int left) {
    const bool busy = left >= 0;
    m_explore->setEnabled(!busy);
    m_explore->setText(busy ? tr("Look inside step %1: %2 to go").arg(formatCount(step), formatCount(left))
                            : tr("Look inside"));
    m_explore->setToolTip(busy ? tr("The model as it was then is computed again from the nearest one that was kept")
                               : tr("Open the model of the chosen picture in Explore"));
    m_explore->updateGeometry();
}

void TrainingView::setTimes(double elapsedSeconds, double remainingSeconds) {
    m_bar->setTimes(elapsedSeconds, remainingSeconds);
}

void TrainingView::setPreparing(const QStringList& texts) {
    m_bar->setPreparing(texts);
}

Button* TrainingView::cancelButton() const {
    return m_bar->cancelButton();
}

void TrainingView::setState(TrainingState state, const QString& message) {
    m_bar->setPreparing({});
    m_bar->setState(state);
    const bool early = state == TrainingState::Finished && !message.isEmpty();
    m_bar->setNote(early ? QStringList{message, tr("stopped early")} : QStringList());
    m_rate->setActive(state == TrainingState::Idle || state == TrainingState::Paused ||
                      state == TrainingState::Running);
    m_errorText->setText(message);
    m_error->setVisible(state == TrainingState::Failed);
}

void TrainingView::clear() {
    for (TrainingChart* chart : {m_loss, m_accuracy, m_bleu, m_learningRate, m_throughput, m_gradient})
        chart->clear();
    m_film->clear();
    showCaption();
    m_points.clear();
    m_validations.clear();
    showSteps();
}

void TrainingView::cutBack(int step) {
    const auto later = [step](const auto& told) { return told.step > step; };
    std::erase_if(m_points, later);
    std::erase_if(m_validations, later);
    for (TrainingChart* chart : {m_loss, m_accuracy, m_bleu, m_learningRate, m_throughput, m_gradient}) {
        chart->cutBack(step);
        chart->setReadout({});
    }
    m_film->cutBack(step);
    showCaption();
    showSteps();
    if (!m_points.empty()) showReadouts();
}

void TrainingView::appendPoints(const std::vector<TrainingPoint>& points) {
    if (points.empty()) return;
    m_points.insert(m_points.end(), points.begin(), points.end());
    m_loss->append(Line::Train, against(points, &TrainingPoint::loss));
    m_accuracy->append(Line::Train, against(points, &TrainingPoint::accuracy));
    m_learningRate->append(Line::Single, against(points, &TrainingPoint::learningRate));
    m_throughput->append(Line::Train, against(points, &TrainingPoint::tokensPerSecond));
    m_gradient->append(Line::Single, against(points, &TrainingPoint::gradientNorm));
    showSteps();
    showReadouts();
}

void TrainingView::appendValidation(const std::vector<ValidationPoint>& points) {
    if (points.empty()) return;
    m_validations.insert(m_validations.end(), points.begin(), points.end());
    m_loss->append(Line::Test, against(points, &ValidationPoint::loss));
    m_accuracy->append(Line::Test, against(points, &ValidationPoint::accuracy));
    m_bleu->append(Line::Test, against(points, &ValidationPoint::bleu));
    showReadouts();
}

void TrainingView::appendFrame(const ProbeFrame& frame) {
    m_film->append(frame);
    showCaption();
}

void TrainingView::showSteps() {
    const int now = m_points.empty() ? 0 : m_points.back().step;
    m_bar->setProgress(now, m_total);
    // The upper charts look at what has happened, with a little room ahead; the rate's chart shows the whole schedule.
    const double ahead = now * 1.25 + 1;
    const int near = std::max(40, static_cast<int>(std::ceil(ahead / 40) * 40));
    const int shown = m_total > 0 ? std::min(m_total, near) : near;
    for (TrainingChart* chart : {m_loss, m_accuracy, m_bleu, m_throughput, m_gradient})
        chart->setSteps(shown, now);
    m_learningRate->setSteps(std::max(m_total, shown), now);
}

void TrainingView::showReadouts() {
    const TrainingPoint last = m_points.empty() ? TrainingPoint{} : m_points.back();
    // What was measured at an earlier step than the line beside it says so.
    const auto measured = [&](const ValidationPoint& at, const QString& value) {
        return at.step == last.step ? tr("validation %1").arg(value)
                                    : tr("validation %1 at step %2").arg(value, formatCount(at.step));
    };
    const auto readout = [](TrainingChart* chart, const QString& validation, const QString& train) {
        chart->setReadout(validation, train.isEmpty() ? QString() : tr("train %1").arg(train));
    };
    QString loss, accuracy, bleu;
    if (!m_validations.empty()) {
        const ValidationPoint& at = m_validations.back();
        loss = measured(at, formatNumber(at.loss, 3));
        accuracy = measured(at, formatPercent(at.accuracy));
    }
    if (const ValidationPoint* whole = lastWhole(m_validations)) bleu = measured(*whole, formatNumber(whole->bleu, 1));
    readout(m_loss, loss, formatNumber(last.loss, 3));
    readout(m_accuracy, accuracy, formatPercent(last.accuracy));
    readout(m_bleu, bleu, {});
    m_learningRate->setReadout(formatScientific(last.learningRate));
    const std::vector<double> rates = m_throughput->bars();  // the last bar in digits, and no other number
    m_throughput->setReadout(rates.empty() ? QString() : formatCount(std::llround(rates.back())));
    m_gradient->setReadout(formatNumber(last.gradientNorm));
}

}  // namespace headlight

#include "moc_training_view.cpp"

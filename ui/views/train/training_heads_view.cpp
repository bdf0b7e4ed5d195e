// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_heads_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/train/born_wall.h"
#include "ui/views/train/head_film.h"
#include "ui/views/train/learnt_card.h"
#include "ui/views/train/loss_scrubber.h"
#include "ui/views/train/sharp_chart.h"
#include "ui/views/train/training_bar.h"
#include "ui/views/train/written_words.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kSideWidth = 324;
constexpr int kRoomForSide = 1080;

/// A card whose content reaches further towards its edges than text does.
Card* cardOf(const QString& title, const QString& caption, QWidget* content) {
    auto* card = new Card(title, caption);
    card->body()->setContentsMargins(20, 12, 20, 8);
    card->body()->setSpacing(4);
    card->body()->addWidget(content, 1);
    return card;
}

Caption* readout(Caption::Tone tone) {
    auto* label = new Caption({}, 12, QFont::DemiBold, tone);
    label->setFont(monoFont(12, QFont::DemiBold));
    return label;
}

Caption* wrapped(Caption::Tone tone) {
    auto* label = new Caption({}, 12, QFont::Normal, tone);
    label->setWordWrap(true);
    return label;
}

QString lossText(double loss) {
    return std::isfinite(loss) ? formatNumber(loss, 3) : QStringLiteral("–");
}

}  // namespace

TrainingHeadsView::TrainingHeadsView(QWidget* parent)
    : ViewWidget(parent),
      m_bar(new TrainingBar(nullptr, TrainingBar::Extent::Running)),
      m_failure(new FailureBox),
      m_scrubber(new LossScrubber(&m_story)),
      m_wall(new BornWall(&m_story)),
      m_film(new HeadFilm(&m_story)),
      m_words(new WrittenWords(&m_story)),
      m_chart(new SharpChart(&m_story)),
      m_learnt(new LearntCard(&m_story)),
      m_sides(new SegmentedControl({tr("Sharp heads"), tr("When learnt")})),
      m_sideCards(new QStackedWidget),
      m_side(makeSide()),
      m_explore(new Button(Button::Kind::Ghost, {}, Icon::Explore)) {
    setFocusPolicy(Qt::ClickFocus);
    setAccessibleName(tr("Heads through training"));
    m_failure->hide();
    makeCards();
    auto* left = new QVBoxLayout;
    left->setSpacing(12);
    left->addWidget(m_failure);
    left->addWidget(m_lossCard, 12);
    left->addWidget(m_wallCard, 30);
    left->addWidget(m_filmCard, 19);
    left->addWidget(m_wordsCard, 14);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(20, 12, 20, 16);
    row->setSpacing(16);
    row->addLayout(left, 1);
    row->addWidget(m_side);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addLayout(row, 1);
    connect(m_bar, &TrainingBar::startRequested, this, &TrainingHeadsView::startRequested);
    connect(m_bar, &TrainingBar::pauseRequested, this, &TrainingHeadsView::pauseRequested);
    connect(m_bar, &TrainingBar::stepRequested, this, &TrainingHeadsView::stepRequested);
    connect(m_film, &HeadFilm::lookInsideRequested, this, &TrainingHeadsView::explore);
    connect(m_explore, &Button::clicked, this, &TrainingHeadsView::explore);
    connect(&m_story, &HeadsStory::changed, this, &TrainingHeadsView::showStep);
    connect(&m_story, &HeadsStory::chosenByReader, this, &TrainingHeadsView::optionsChanged);
    showStep();
}

void TrainingHeadsView::makeCards() {
    m_lossCard = cardOf(tr("Loss"), {}, m_scrubber);
    m_train = readout(Caption::Tone::Data);
    m_validation = readout(Caption::Tone::Main);
    m_lossCard->header()->setSpacing(16);
    m_lossCard->header()->addWidget(m_train, 0, Qt::AlignTop);
    m_lossCard->header()->addWidget(m_validation, 0, Qt::AlignTop);
    m_wallCard = cardOf(tr("Heads being born"), {}, m_wall);
    m_filmCard = cardOf(tr("Film of one head"), {}, m_film);
    m_explore->setHeight(28);
    m_filmCard->header()->addWidget(m_explore, 0, Qt::AlignTop);
    m_wordsCard = cardOf(tr("What it writes"), tr("left to itself; marked: what changed"), m_words);
    for (Card* card : {m_lossCard, m_wallCard, m_filmCard, m_wordsCard})
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

QWidget* TrainingHeadsView::makeSide() {
    auto* side = new QWidget;
    side->setFixedWidth(kSideWidth);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_sideCards->addWidget(makeSharpCard());
    m_sideCards->addWidget(m_learnt);
    column->addWidget(m_sides, 0, Qt::AlignLeft);
    column->addWidget(m_sideCards, 1);
    connect(m_sides, &SegmentedControl::currentChanged, this, [this](int chosen) {
        m_learnt->setChosen(chosen == 1 ? "role" : "");
        showSide(chosen);
        emit optionsChanged();
    });
    connect(m_learnt, &LearntCard::chosenByReader, this, &TrainingHeadsView::optionsChanged);
    connect(m_learnt->learnt(), &Learnt::replayWanted, this, &TrainingHeadsView::replayRequested);
    connect(m_learnt->learnt(), &Learnt::replayStopped, this, &TrainingHeadsView::replayStopped);
    return side;
}

void TrainingHeadsView::showSide(int side) {
    const QSignalBlocker quiet(m_sides);
    m_sides->setCurrentIndex(side);
    m_sideCards->setCurrentIndex(side);
}

Card* TrainingHeadsView::makeSharpCard() {
    auto* card = new Card(tr("Sharp heads"));
    m_sharp = readout(Caption::Tone::Now);
    card->header()->addWidget(m_sharp, 0, Qt::AlignTop);
    auto* definition = wrapped(Caption::Tone::Secondary);
    definition->setText(
        tr("Sharp: the weights of its rows are less than half as spread out as they could be. (The mean "
           "entropy of a row is below half of log₂ of the number of words that it may look at.)"));
    m_sentence = wrapped(Caption::Tone::Main);
    auto* scale = wrapped(Caption::Tone::Faint);
    scale->setText(tr("weight in every matrix here"));
    card->body()->addWidget(definition);
    card->body()->addWidget(m_chart, 1);
    card->body()->addWidget(m_sentence);
    card->body()->addWidget(new WeightLegend);
    card->body()->addWidget(scale, 0, Qt::AlignHCenter);
    return card;
}

void TrainingHeadsView::follow(const TrainingRun& run) {
    const auto begin = [this, &run] {
        m_story.begin(run.setup().lastStep());
        m_bar->setProgress(run.step(), run.setup().lastStep());
    };
    connect(&run, &TrainingRun::stateChanged, this, [this, begin](TrainingState state) {
        if (state != TrainingState::Preparing) return;
        begin();
        m_learnt->learnt()->forgetReplayed();
    });
    connect(&run, &TrainingRun::headsAdded, &m_story, &HeadsStory::append);
    connect(&run, &TrainingRun::cutBack, this, [this, &run](int step) {
        m_story.cutBack(step);
        m_bar->setProgress(step, run.setup().lastStep());
    });
    Learnt* const learnt = m_learnt->learnt();
    connect(&run, &TrainingRun::cutBack, learnt, &Learnt::forgetReplayed);
    connect(&run, &TrainingRun::rateTurned, learnt, &Learnt::forgetReplayed);
    connect(&run, &TrainingRun::replayed, learnt, &Learnt::add);
    connect(&run, &TrainingRun::pointsAdded, this,
            [this, &run] { m_bar->setProgress(run.step(), run.setup().lastStep()); });
}

void TrainingHeadsView::setState(TrainingState state, const QString& message) {
    m_state = state;
    m_failure->setText(message);
    m_failure->setVisible(state == TrainingState::Failed);
    m_bar->setState(state);
}

void TrainingHeadsView::setTimes(double elapsedSeconds, double remainingSeconds) {
    m_bar->setTimes(elapsedSeconds, remainingSeconds);
}

void TrainingHeadsView::setLookingBack(int step, int left) {
    m_lookingBack = step;
    m_left = left;
    showStep();
}

/// What the cards say besides their pictures.
void TrainingHeadsView::showStep() {
    const HeadsFrame* const shown = m_story.shown();
    const bool headless = shown && m_story.heads().empty();
    const QString step = shown ? formatCount(shown->step) : QString();
    m_lossCard->setCaption(tr("log scale; sentences learned from and for validation, without dropout and smoothing"));
    m_train->setText(shown ? tr("learned from %1").arg(lossText(shown->trainLoss)) : QString());
    m_validation->setText(shown ? tr("validation %1").arg(lossText(shown->validationLoss)) : QString());
    const auto heads = static_cast<qint64>(m_story.heads().size());
    m_wallCard->setCaption(heads > 0
                               ? plural(tr("%n head(s), one sentence, step %1. Framed: sharp; below: since this step",
                                           nullptr, static_cast<int>(heads))
                                            .arg(step),
                                        heads)
                               : QString());
    m_filmCard->setVisible(!headless);
    m_filmCard->setCaption(m_film->caption());
    m_sharp->setText(m_chart->readout());
    m_sentence->setText(headless ? m_wall->sentence() : m_chart->sentence());
    const bool busy = m_left >= 0;
    m_explore->setEnabled(shown && !busy);
    m_explore->setText(busy ? tr("Look inside step %1: %2 to go").arg(formatCount(m_lookingBack), formatCount(m_left))
                            : tr("Look inside"));
    m_explore->setToolTip(tr("Open the model of the step that is looked at in Explore"));
    m_explore->updateGeometry();
}

void TrainingHeadsView::explore() {
    if (const HeadsFrame* const shown = m_story.shown(); shown && m_left < 0) emit exploreRequested(shown->step);
}

/// Space and the full stop are the run's here, though elsewhere in the window they may be others'.
bool TrainingHeadsView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Space || key == Qt::Key_Period) event->accept();
    }
    return QWidget::event(event);
}

void TrainingHeadsView::keyPressEvent(QKeyEvent* event) {
    const bool rests = m_state == TrainingState::Idle || m_state == TrainingState::Paused;
    if (event->key() == Qt::Key_Space && m_state == TrainingState::Running)
        emit pauseRequested();
    else if (event->key() == Qt::Key_Space && rests)
        emit startRequested();
    else if (event->key() == Qt::Key_Period && rests)
        emit stepRequested();
    else
        QWidget::keyPressEvent(event);
}

/// The pictures come first where there is little room.
void TrainingHeadsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_side->setVisible(width() >= kRoomForSide);
}

void TrainingHeadsView::showOptions(const StageState& state) {
    m_story.wantHead(QString::fromStdString(state.training.film));
    m_story.holdStep(state.view == ViewName::TrainingHeads ? state.training.frame : 0);
    m_learnt->setChosen(state.training.learnt);
    showSide(state.training.learnt.empty() ? 0 : 1);
}

void TrainingHeadsView::tellOptions(StageState& state) const {
    state.training.film = m_story.wantedHead().toStdString();
    state.training.frame = m_story.heldStep();
    state.training.learnt = m_learnt->chosen();
}

}  // namespace headlight

#include "moc_training_heads_view.cpp"

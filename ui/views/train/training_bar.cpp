// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/training_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSpinBox>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

QString seconds(double value, int decimals) {
    if (value < 60) return TrainingBar::tr("%1 s").arg(formatNumber(value, decimals));
    return TrainingBar::tr("%1 min").arg(formatNumber(value / 60, 1));
}

/// A hairline between groups of controls.
class Divider : public QWidget {
public:
    Divider() { setFixedSize(1, 24); }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), Theme::of(this).line); }
};

}  // namespace

TrainingBar::TrainingBar(QWidget* parent, Extent extent)
    : Panel(Qt::BottomEdge, parent),
      m_task(new ComboBox(tr("What to train on"))),
      m_start(new Button(Button::Kind::Primary, tr("Start"), Icon::Play)),
      m_step(new Button(Button::Kind::Ghost, tr("One batch"), Icon::Step)),
      m_reset(new Button(Button::Kind::Ghost, tr("Reset"), Icon::Reset)),
      m_cancel(new Button(Button::Kind::Ghost, tr("Cancel"))),
      m_seed(new QSpinBox),
      m_count(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_progress(new Slider(Slider::Fill::Now)),
      m_times(new FittingCaption(12, QFont::Normal, Caption::Tone::Secondary)) {
    setFixedHeight(56);
    m_task->setFixedHeight(32);
    m_task->setMinimumWidth(120);
    m_seed->setRange(0, 999999);
    m_seed->setValue(usualSeed);
    m_seed->setFont(monoFont(12, QFont::Medium));
    m_seed->setFixedWidth(72);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The same seed gives the same run, to the last bit"));
    m_step->setToolTip(tr("Train on one batch, then wait"));
    m_reset->setToolTip(tr("Back to the untrained model"));
    m_count->setFont(monoFont(13, QFont::DemiBold));
    // It shows how far the run is; a run cannot be dragged.
    m_progress->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_progress->setFocusPolicy(Qt::NoFocus);
    m_progress->setMinimumWidth(80);
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setValueLabel(m_count);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 0, 20, 1);
    row->setSpacing(8);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_task, m_start, m_step, m_reset})
        row->addWidget(widget);
    row->addSpacing(8);
    auto* seedDivider = new Divider;
    auto* seedLabel = new Caption(tr("Seed"), 12, QFont::Medium, Caption::Tone::Secondary);
    row->addWidget(seedDivider);
    row->addSpacing(8);
    row->addWidget(seedLabel);
    row->addWidget(m_seed);
    row->addSpacing(8);
    row->addWidget(new Divider);
    row->addSpacing(8);
    row->addWidget(new Caption(tr("Step"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_count);
    row->addSpacing(8);
    row->addWidget(m_progress, 1);
    row->addSpacing(16);
    row->addWidget(m_times, 1);
    m_cancel->setToolTip(tr("Give up what is being made ready"));
    m_cancel->hide();
    row->addWidget(m_cancel);
    connect(m_cancel, &Button::clicked, this, &TrainingBar::cancelRequested);

    if (extent == Extent::Running)
        for (QWidget* each : std::initializer_list<QWidget*>{m_task, m_reset, seedDivider, seedLabel, m_seed})
            each->hide();

    connect(m_start, &Button::clicked, this, [this] {
        if (m_state == TrainingState::Running)
            emit pauseRequested();
        else
            emit startRequested();
    });
    connect(m_step, &Button::clicked, this, &TrainingBar::stepRequested);
    connect(m_reset, &Button::clicked, this, &TrainingBar::resetRequested);
    connect(m_seed, &QSpinBox::valueChanged, this, &TrainingBar::seedChanged);
    connect(m_task, &QComboBox::activated, this, [this] { emit taskChanged(taskName()); });
    setProgress(0, 0);
    setState(TrainingState::Idle);
}

void TrainingBar::addTools(QWidget* tools) {
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->indexOf(m_reset) + 1, tools);
}

void TrainingBar::setTasks(const std::vector<TrainingTask>& tasks) {
    m_task->clear();
    for (const TrainingTask& task : tasks)
        m_task->addItem(task.title, task.name);
    m_task->updateGeometry();
}

void TrainingBar::setOwnData(const QString& title) {
    const int last = m_task->count() - 1;
    if (last >= 0 && m_task->itemData(last).toString().isEmpty()) m_task->removeItem(last);
    m_task->addItem(title.isEmpty() ? tr("Your own text …") : title, QString());
    m_task->updateGeometry();
}

void TrainingBar::setTask(const QString& name) {
    m_task->setCurrentIndex(std::max(0, m_task->findData(name)));
}

QString TrainingBar::taskName() const {
    return m_task->currentData().toString();
}

int TrainingBar::seed() const {
    return m_seed->value();
}

void TrainingBar::setSeed(int seed) {
    const QSignalBlocker quiet(m_seed);
    m_seed->setValue(seed);
}

void TrainingBar::setState(TrainingState state) {
    m_state = state;
    const bool running = state == TrainingState::Running, finished = state == TrainingState::Finished;
    m_start->setText(running                          ? tr("Pause")
                     : state == TrainingState::Paused ? tr("Go on")
                     : finished                       ? tr("Train again")
                                                      : tr("Start"));
    m_start->setToolTip(finished ? tr("From the beginning: the run is over") : QString());
    m_start->setIcon(running ? Icon::Pause : Icon::Play);
    const bool preparing = state == TrainingState::Preparing;
    m_start->setEnabled(!preparing);
    // After the last batch there is none.
    m_step->setEnabled(state == TrainingState::Idle || state == TrainingState::Paused);
    m_reset->setEnabled(state != TrainingState::Idle && !preparing);
    // A run is of one task and one seed; to change them is to begin again.
    const bool fresh = state == TrainingState::Idle || finished || state == TrainingState::Failed;
    m_task->setEnabled(fresh);
    m_seed->setEnabled(fresh);
}

void TrainingBar::setProgress(int step, int total) {
    m_count->setText(total > 0 ? tr("%1 / %2").arg(formatCount(step), formatCount(total)) : formatCount(step));
    m_progress->setRange(0, std::max(1, total));
    m_progress->setValue(step);
}

void TrainingBar::setTimes(double elapsed, double remaining) {
    m_timeTexts.clear();
    if (elapsed >= 0) {
        const QString gone = seconds(elapsed, elapsed < 10 ? 1 : 0);
        if (remaining >= 0) m_timeTexts << tr("%1 elapsed, about %2 left").arg(gone, seconds(std::ceil(remaining), 0));
        m_timeTexts << tr("%1 elapsed").arg(gone) << gone << QString();
    }
    showTimes();
}

void TrainingBar::setPreparing(const QStringList& texts) {
    const bool isPreparing = !texts.isEmpty();
    m_cancel->setVisible(isPreparing);
    m_start->setEnabled(!isPreparing);
    setNote(texts);
}

void TrainingBar::setNote(const QStringList& texts) {
    m_note = texts;
    showTimes();
}

QLabel* TrainingBar::times() const {
    return m_times;
}

void TrainingBar::showTimes() {
    m_times->setTexts(m_note.isEmpty() ? m_timeTexts : m_note);
}

void TrainingBar::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    constexpr int kRoomForLabels = 1120;
    for (Button* button : findChildren<Button*>())
        if (button != m_start) button->setIconAlone(width() < kRoomForLabels);
    // The count beside it says how far the run is.
    constexpr int kRoomForProgress = 900;
    m_progress->setVisible(m_task->isHidden() || width() >= kRoomForProgress);
}

}  // namespace headlight

#include "moc_training_bar.cpp"

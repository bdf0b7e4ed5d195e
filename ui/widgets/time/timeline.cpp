// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time/timeline.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/session/open/step_cursor.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

Button* iconButton(Button::Kind kind, Icon icon, const QString& name) {
    auto* button = new Button(kind, {}, icon);
    button->setHeight(28);
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

}  // namespace

Timeline::Timeline(StepCursor* cursor, QWidget* parent)
    : Foldable(parent), m_cursor(cursor), m_track(new TimelineTrack(cursor)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeControls());
    column->addWidget(m_track);
    column->addStretch(1);
    setFixedHeight(kHeight);
    connect(cursor, &StepCursor::changed, this, &Timeline::refresh);
    refresh();
}

QWidget* Timeline::makeControls() {
    m_start = iconButton(Button::Kind::Plain, Icon::Start, tr("To the first step"));
    m_previous = iconButton(Button::Kind::Plain, Icon::Previous, tr("Previous step (←)"));
    m_play = iconButton(Button::Kind::Primary, Icon::Play, tr("Play (Space)"));
    m_play->setFixedSize(36, 32);
    m_next = iconButton(Button::Kind::Plain, Icon::Next, tr("Next step (→)"));
    m_place = new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main);
    m_sentence = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_grain = new SegmentedControl({tr("Layer"), tr("Sublayer"), tr("Operation")});
    m_grain->setAccessibleName(tr("Step by"));
    m_speed = new ComboBox(tr("Speed"));
    m_speed->setFixedWidth(68);
    for (const double speed : {0.5, 1.0, 2.0, 4.0})
        m_speed->addItem(tr("%1×").arg(speed), speed);

    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(16, 0, 16, 0);
    row->setSpacing(4);
    for (Button* button : {m_start, m_previous, m_play, m_next})
        row->addWidget(button);
    row->addSpacing(8);
    row->addWidget(m_place);
    row->addSpacing(6);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_grainName = new Caption(tr("Step by"), 12, QFont::Medium, Caption::Tone::Faint));
    row->addSpacing(4);
    row->addWidget(m_grain);
    row->addSpacing(8);
    row->addWidget(m_speed);

    connect(m_start, &Button::clicked, m_cursor, &StepCursor::toStart);
    connect(m_previous, &Button::clicked, m_cursor, &StepCursor::previous);
    connect(m_play, &Button::clicked, m_cursor, &StepCursor::togglePlaying);
    connect(m_next, &Button::clicked, m_cursor, &StepCursor::next);
    connect(m_grain, &SegmentedControl::currentChanged, this,
            [this](int index) { m_cursor->setGrain(static_cast<StepCursor::Grain>(index)); });
    connect(m_speed, &QComboBox::activated, this,
            [this](int index) { m_cursor->setSpeed(m_speed->itemData(index).toDouble()); });
    return controls;
}

void Timeline::setTrace(std::shared_ptr<const Trace> trace) {
    m_trace = std::move(trace);
    QStringList descriptions;
    if (m_trace)
        for (const TraceRecord& record : m_trace->records())
            descriptions << tr("%1: %2").arg(QString::fromStdString(record.name), operationSentence(record.operation));
    m_track->setDescriptions(std::move(descriptions));
    m_track->rebuild();
    refresh();
}

void Timeline::refresh() {
    const int position = m_cursor->position();
    const bool any = position >= 0 && m_trace && position < static_cast<int>(m_trace->records().size());
    m_place->setText(any ? tr("Step %1 of %2").arg(position + 1).arg(m_cursor->count()) : QString());
    m_sentence->setText(any ? operationSentence(m_trace->records()[static_cast<size_t>(position)].operation)
                            : tr("The steps of the computation appear here once a sentence is read."));
    m_grain->setCurrentIndex(static_cast<int>(m_cursor->grain()));
    m_speed->setCurrentIndex(m_speed->findData(m_cursor->speed()));
    m_play->setIcon(m_cursor->playing() ? Icon::Pause : Icon::Play);
    m_play->setAccessibleName(m_cursor->playing() ? tr("Pause") : tr("Play"));
    m_play->setEnabled(any);
    m_start->setEnabled(any && position > 0);
    m_previous->setEnabled(any && position > 0);
    m_next->setEnabled(any && position < m_cursor->count() - 1);
}

/// What is computed says more than the name of the choice beside it.
void Timeline::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int kRoomForName = 900;
    m_grainName->setVisible(width() >= kRoomForName);
}

void Timeline::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.fillRect(rect(), t.surface);
    p.fillRect(QRect(0, 0, width(), 1), t.line);
}

}  // namespace headlight

#include "moc_timeline.cpp"

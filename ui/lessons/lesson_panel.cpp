// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/lessons/check_card.h"
#include "ui/lessons/code_card.h"
#include "ui/lessons/formula_box.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/lessons/more_card.h"
#include "ui/lessons/veil_card.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kPanelMargin = 28;

}  // namespace

/// Where in the lesson: a dot a step, the present one a bar of amber. A click goes there.
class StepDots : public QWidget {
public:
    explicit StepDots(LessonPlayer& player) : m_player(player) {
        setFixedHeight(24);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setAccessibleName(LessonPanel::tr("Steps"));
        setCursor(Qt::PointingHandCursor);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        for (int i = 0; i < m_player.steps(); ++i) {
            const QPointF at(x(i), height() / 2.0);
            const bool now = i == m_player.step();
            p.setPen(now || i < m_player.step() ? Qt::NoPen : QPen(t.line2, 1.5));
            p.setBrush(now ? t.now : i < m_player.step() ? t.ink : t.surface);
            // However many stand in the row, each stands clear of the next.
            const double dot = std::min(4.0, pitch() / 2 - 1), bar = std::min(9.0, pitch() - dot - 1.5);
            if (now)
                p.drawRoundedRect(QRectF(at.x() - bar, at.y() - dot, 2 * bar, 2 * dot), dot, dot);
            else
                p.drawEllipse(at, dot, dot);
        }
    }
    void mousePressEvent(QMouseEvent* event) override {
        for (int i = 0; i < m_player.steps(); ++i)
            if (std::abs(event->position().x() - x(i)) <= pitch() / 2) return m_player.goTo(i);
    }

private:
    double pitch() const { return std::min(22.0, width() / std::max(1.0, static_cast<double>(m_player.steps()))); }
    double x(int step) const { return width() / 2.0 + (step - (m_player.steps() - 1) / 2.0) * pitch(); }

    LessonPlayer& m_player;
};

LessonPanel::LessonPanel(LessonPlayer& player, QWidget* parent)
    : Panel(Qt::RightEdge, parent),
      m_player(player),
      m_lesson(new FittingCaption(12, QFont::Medium, Caption::Tone::Secondary)),
      m_area(new QScrollArea),
      m_play(new Button(Button::Kind::Ghost, tr("Let me play"))),
      m_previous(new Button(Button::Kind::Ghost, tr("Previous"), Icon::Left)),
      m_next(new Button(Button::Kind::Primary, tr("Next"), Icon::Right)),
      m_dots(new StepDots(player)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 1, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setAccessibleName(tr("The lesson's text"));
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->viewport()->setAutoFillBackground(false);
    column->addWidget(m_area, 1);
    column->addWidget(makeFoot());
    connect(&player, &LessonPlayer::stepChanged, this, &LessonPanel::showStep);
    // Later: the card that was revealed is one of those that are made anew.
    connect(&player, &LessonPlayer::veilChanged, this, &LessonPanel::showStep, Qt::QueuedConnection);
}

QWidget* LessonPanel::makeHead() {
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(kPanelMargin, 16, 16, 4);
    auto* list = new Button(Button::Kind::Plain, tr("Lessons"), Icon::Left);
    list->setHeight(28);
    connect(list, &Button::clicked, this, &LessonPanel::listWanted);
    m_play->setHeight(28);
    m_play->setToolTip(tr("The stage takes the whole window and is yours; the lesson waits"));
    connect(m_play, &Button::clicked, this, [this] { m_player.letPlay(true); });
    row->addWidget(m_lesson, 1);
    row->addWidget(list);
    row->addWidget(m_play);
    return head;
}

QWidget* LessonPanel::makeFoot() {
    auto* foot = new Panel(Qt::TopEdge);
    foot->setFixedHeight(64);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(20, 0, 20, 0);
    row->addWidget(m_previous);
    row->addWidget(m_dots, 1);
    row->addWidget(m_next);
    connect(m_previous, &Button::clicked, &m_player, &LessonPlayer::previous);
    connect(m_next, &Button::clicked, this, [this] {
        if (m_player.step() + 1 < m_player.steps())
            m_player.next();
        else
            emit listWanted();
    });
    return foot;
}

void LessonPanel::showStep() {
    if (!m_player.isOpen()) return;
    const int step = m_player.step() + 1, steps = m_player.steps();
    m_lesson->setTexts({tr("Lesson %1, step %2 of %3").arg(m_player.lesson().number).arg(step).arg(steps),
                        tr("Step %1 of %2").arg(step).arg(steps), tr("%1 of %2").arg(step).arg(steps)});
    m_content = new QWidget;
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(kPanelMargin, 8, kPanelMargin, 24);
    column->setSpacing(16);
    fill(column);
    column->addStretch();
    const int at = m_shownStep == m_player.step() ? m_area->verticalScrollBar()->value() : 0;
    m_area->setWidget(m_content);  // deletes the one before
    m_content->setAutoFillBackground(false);
    m_shownStep = m_player.step();
    m_area->verticalScrollBar()->setValue(at);
    m_previous->setEnabled(m_player.step() > 0);
    const bool last = m_player.step() + 1 == m_player.steps();
    m_next->setText(last ? tr("All lessons") : tr("Next"));
    m_next->updateGeometry();
    m_dots->update();
    m_dots->setToolTip(tr("Step %1 of %2").arg(m_player.step() + 1).arg(m_player.steps()));
}

void LessonPanel::fill(QVBoxLayout* column) {
    const QStringList formulas = m_player.library().formulaFolders();
    auto* title =
        new Caption(QString::fromStdString(m_player.current().title), 24, QFont::DemiBold, Caption::Tone::Main);
    title->setWordWrap(true);
    column->addWidget(title);
    const std::vector<LessonPart>& parts = m_player.current().parts;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (const auto* prose = std::get_if<LessonProse>(&parts[i])) {
            column->addWidget(lessonText(m_player, prose->markdown));
        } else if (const auto* formula = std::get_if<LessonFormula>(&parts[i])) {
            column->addWidget(new FormulaBox(QString::fromStdString(formula->tex), formulas));
        } else if (std::holds_alternative<LessonCheck>(parts[i])) {
            column->addWidget(new CheckCard(m_player, static_cast<int>(i)));
        } else if (const auto* code = std::get_if<LessonCode>(&parts[i])) {
            column->addWidget(new CodeCard(m_player, *code));
        } else if (const auto* more = std::get_if<LessonMore>(&parts[i])) {
            column->addWidget(new MoreCard(m_player, *more));
        } else if (std::holds_alternative<LessonVeil>(parts[i])) {
            column->addWidget(new VeilCard(m_player, static_cast<int>(i)));
        } else {
            column->addWidget(new TaskCard(m_player, static_cast<int>(i)));
        }
    }
    if (m_player.step() + 1 < m_player.steps()) return;
    const QStringList sources = wordList(m_player.lesson().sources);
    auto* from =
        new Caption(tr("Sources: %1").arg(sources.join(QStringLiteral("; "))), 12, QFont::Normal, Caption::Tone::Faint);
    from->setWordWrap(true);
    column->addWidget(from);
}

}  // namespace headlight

#include "moc_lesson_panel.cpp"

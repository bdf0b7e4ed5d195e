// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_station.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/lessons/vignette.h"
#include "ui/session/format/plural.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kAspect = 0.625;  ///< of the pictures
constexpr int kRadius = 11, kLine = 36, kTitle = 44, kBox = 20;
constexpr double kLeftOut = 0.45;  ///< how much is seen of the picture of a lesson that a course leaves out

}  // namespace

LessonStation::LessonStation(const Lesson& lesson, const QString& inWords, QWidget* parent)
    : QAbstractButton(parent),
      m_number(lesson.number),
      m_minutes(lesson.minutes),
      m_steps(static_cast<int>(lesson.steps.size())),
      m_slug(QString::fromStdString(lesson.slug)),
      m_inWords(inWords),
      m_vignette(vignetteOf(lesson)),
      m_progress(LessonProgress::load(m_slug)) {
    setText(QString::fromStdString(lesson.title));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    const QString summary = QString::fromStdString(lesson.summary);
    setAccessibleName(tr("Lesson %1, %2").arg(m_number).arg(text()));
    setAccessibleDescription(m_inWords.isEmpty() ? summary : m_inWords + QStringLiteral(". ") + summary);
    QStringList hint{summary};
    if (!lesson.needs.empty()) {
        QStringList needs;
        for (const std::string& need : lesson.needs)
            needs << QString::fromStdString(need);
        hint << tr("Builds on: %1").arg(needs.join(QStringLiteral(", ")));
    }
    if (!m_inWords.isEmpty()) hint << m_inWords;
    setToolTip(QStringLiteral("<p>%1</p>").arg(hint.join(QStringLiteral("<br>"))));
}

double LessonStation::seen() const {
    return m_steps == 0 ? 0 : static_cast<double>(std::clamp(m_progress.furthest + 1, 0, m_steps)) / m_steps;
}

void LessonStation::setCurrent(bool current) {
    m_current = current;
    update();
}

void LessonStation::setChoice(Choice choice, int steps) {
    m_choice = choice;
    m_taken = steps;
    setCheckable(choice != Choice::NotAsked);
    setChecked(choice == Choice::Some || choice == Choice::All);
    update();
}

int LessonStation::heightFor(int width) {
    return static_cast<int>(width * kAspect) + kLine + kTitle;
}

QRectF LessonStation::pictureArea() const {
    return {3, 3, width() - 6.0, width() * kAspect - 6};
}

double LessonStation::lineY() const {
    return width() * kAspect + kLine / 2.0;
}

double LessonStation::lineFrom() const {
    const double number = m_choice == Choice::NotAsked
                              ? 0
                              : paint::textWidth(QString::number(m_number), monoFont(11, QFont::DemiBold)) + 6;
    return 2 * kRadius + 10 + number + paint::textWidth(minutesText(), uiFont(12)) + 8;
}

QString LessonStation::minutesText() const {
    if (m_choice == Choice::Some) return tr("%1 of %2 steps").arg(m_taken).arg(m_steps);
    const QString minutes = plural(tr("%n minute(s)", nullptr, m_minutes), m_minutes);
    return m_inWords.isEmpty() ? minutes : QStringLiteral("%1, %2").arg(minutes, m_inWords);
}

void LessonStation::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF area = pictureArea();
    paint::box(p, area, t.surface, {}, 8);
    p.setOpacity(m_choice == Choice::None ? kLeftOut : 1);
    paintVignette(p, area, m_vignette, t);
    p.setOpacity(1);
    paint::box(p, area, {}, paint::mixed(t.line, t.text2, hoverTint(this)), 8);
    if (m_current) paint::box(p, area.adjusted(-3, -3, 3, 3), {}, t.nowLine, 10, 2);
    if (isChecked()) paint::box(p, area.adjusted(-1, -1, 1, 1), {}, t.ink, 9, 2);
    if (hasFocus()) paint::box(p, area.adjusted(3, 3, -3, -3), {}, t.ink, 6, 2);
    if (m_choice == Choice::NotAsked)
        paintPlace(p);
    else
        paintBox(p);
    p.setFont(uiFont(13, QFont::DemiBold));
    p.setPen(m_choice == Choice::None ? t.text2 : t.text);
    p.drawText(QRectF(0, width() * kAspect + kLine, width(), kTitle), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
               text());
}

/// Its number on the line, or that it is done.
void LessonStation::paintPlace(QPainter& p) {
    const Theme& t = Theme::of(this);
    const QPointF centre(kRadius, lineY());
    const QRectF disc(centre.x() - kRadius, centre.y() - kRadius, 2 * kRadius, 2 * kRadius);
    if (isDone()) {
        paint::box(p, disc, t.ink, {}, kRadius);
        drawIcon(p, Icon::Check, disc.adjusted(4, 4, -4, -4), t.onInk, 2);
    } else {
        paint::box(p, disc, m_current ? t.now : t.surface, m_current ? t.nowLine : t.line2, kRadius,
                   m_current ? 2 : 1.5);
        paint::centredText(p, centre, QString::number(m_number), monoFont(11, QFont::DemiBold),
                           m_current ? Theme::onColor(t.now) : t.text2, Anchor::Middle);
    }
    paint::centredText(p, {2 * kRadius + 8.0, lineY()}, minutesText(), uiFont(12), t.text3);
}

/// Whether it is taken: with all its steps, with some, or not.
void LessonStation::paintBox(QPainter& p) {
    const Theme& t = Theme::of(this);
    const QRectF box(1, lineY() - kBox / 2.0, kBox, kBox);
    paint::box(p, box, isChecked() ? t.ink : t.surface, isChecked() ? t.ink : t.text3, 5, 1.5);
    if (m_choice == Choice::All) drawIcon(p, Icon::Check, box.adjusted(3, 3, -3, -3), t.onInk, 2);
    if (m_choice == Choice::Some) paint::box(p, QRectF(box.left() + 5, lineY() - 1, kBox - 10, 2), t.onInk);
    const QFont mono = monoFont(11, QFont::DemiBold);
    const QString number = QString::number(m_number);
    const double x = kBox + 9;
    paint::centredText(p, {x, lineY()}, number, mono, t.text);
    paint::centredText(p, {x + paint::textWidth(number, mono) + 6, lineY()}, minutesText(), uiFont(12), t.text3);
}

void LessonStation::keyPressEvent(QKeyEvent* event) {
    if (const ArrowKey arrow(event->key()); !arrow.isNone()) return emit stepRequested(arrow.right, arrow.down);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_lesson_station.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a lesson's text that are dragged, or turned by the arrow keys.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTextCursor>
#include <algorithm>

#include "ui/lessons/lesson_text.h"

namespace headlight {

namespace {

constexpr double kWholeWayPx = 240;  ///< that the pointer goes from one end of a range to the other
constexpr int kPage = 10;            ///< steps of a page key

}  // namespace

void LessonText::setDials(std::function<double(const StageDial&)> value, std::function<void()> refill) {
    m_dialled = std::move(value);
    m_refill = std::move(refill);
}

void LessonText::followDials() {
    const auto isOther = [this](const Dial& each) { return m_dialled(each.dial) != each.value; };
    if (!m_refill || !std::ranges::any_of(m_dials, isOther)) return;
    const std::optional<size_t> focused = focusedDial();
    m_refill();
    if (!focused || *focused >= m_dials.size()) return;
    QTextCursor at(document());
    at.setPosition(m_dials[*focused].position);
    at.setPosition(at.position() + m_dials[*focused].length, QTextCursor::KeepAnchor);
    setTextCursor(at);
}

QRect LessonText::dialArea(size_t dial) const {
    QTextCursor at(document());
    at.setPosition(m_dials[dial].position);
    const QRect first = cursorRect(at);
    at.setPosition(m_dials[dial].position + m_dials[dial].length);
    return first.united(cursorRect(at));
}

std::optional<size_t> LessonText::dialAt(const QPoint& place) const {
    for (size_t i = 0; i < m_dials.size(); ++i)
        if (dialArea(i).contains(place)) return i;
    return {};
}

/// The one that Tab has led to.
std::optional<size_t> LessonText::focusedDial() const {
    const QTextCursor at = textCursor();
    if (!at.hasSelection()) return {};
    for (size_t i = 0; i < m_dials.size(); ++i)
        if (at.selectionStart() == m_dials[i].position) return i;
    return {};
}

void LessonText::turn(size_t dial, double value) {
    const Dial& turned = m_dials[dial];
    if (value != turned.value) emit dialTurned(QString::fromStdString(turned.dial.field), value);
}

void LessonText::mousePressEvent(QMouseEvent* event) {
    const std::optional<size_t> dial = dialAt(event->pos());
    if (!dial || event->button() != Qt::LeftButton) return QTextBrowser::mousePressEvent(event);
    m_drag = Drag{*dial, m_dials[*dial].value, event->pos().x()};
    event->accept();
}

void LessonText::mouseMoveEvent(QMouseEvent* event) {
    if (!m_drag) {
        QTextBrowser::mouseMoveEvent(event);
        if (parseDialTarget(anchorAt(event->pos()).toStdString())) viewport()->setCursor(Qt::SizeHorCursor);
        return;
    }
    if (m_drag->dial >= m_dials.size()) return;  // the step is another
    const StageDial& dial = m_dials[m_drag->dial].dial;
    const double way = (event->pos().x() - m_drag->x) / kWholeWayPx * (dial.most - dial.least);
    turn(m_drag->dial, dial.turned(m_drag->from, way / dial.by));
}

void LessonText::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_drag) return QTextBrowser::mouseReleaseEvent(event);
    m_drag.reset();
}

void LessonText::keyPressEvent(QKeyEvent* event) {
    const std::optional<size_t> at = focusedDial();
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;  // Alt and an arrow is a step
    if (!at || !isPlain) return QTextBrowser::keyPressEvent(event);
    const auto [dial, value, position, length] = m_dials[*at];
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Up:
            return turn(*at, dial.turned(value, 1));
        case Qt::Key_Left:
        case Qt::Key_Down:
            return turn(*at, dial.turned(value, -1));
        case Qt::Key_PageUp:
            return turn(*at, dial.turned(value, kPage));
        case Qt::Key_PageDown:
            return turn(*at, dial.turned(value, -kPage));
        case Qt::Key_Home:
            return turn(*at, dial.least);
        case Qt::Key_End:
            return turn(*at, dial.most);
        default:
            QTextBrowser::keyPressEvent(event);
    }
}

}  // namespace headlight

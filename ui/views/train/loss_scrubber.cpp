// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/loss_scrubber.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kScrubberLeft = 44, kScrubberRight = 20, kScrubberTop = 14, kScrubberBottom = 22;
constexpr double kBetweenLevels = 16, kScrubberDot = 2.5, kRoomToSay = 60;

bool isThere(double loss) {
    return std::isfinite(loss) && loss > 0;
}

}  // namespace

LossScrubber::LossScrubber(HeadsStory* story, QWidget* parent) : QWidget(parent), m_story(story) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::SizeHorCursor);
    setAccessibleName(tr("Loss, and the step that is looked at"));
    setToolTip(
        tr("Drag: everything below shows that step; let go, and it is now again. Arrow keys stay at a step, End is "
           "now."));
    connect(story, &HeadsStory::changed, this, &LossScrubber::follow);
}

void LossScrubber::follow() {
    double low = 1, high = 1;
    for (const HeadsFrame& frame : m_story->frames())
        for (const double loss : {frame.trainLoss, frame.validationLoss})
            if (isThere(loss)) {
                low = std::min(low, loss);
                high = std::max(high, loss);
            }
    constexpr double kAir = 1.15;
    m_range = {low / kAir, high * kAir};
    if (const HeadsFrame* shown = m_story->shown())
        setAccessibleDescription(tr("Step %1 of %2: sentences learned from %3, validation %4")
                                     .arg(formatCount(shown->step), formatCount(m_story->lastStep()),
                                          formatNumber(shown->trainLoss, 3), formatNumber(shown->validationLoss, 3)));
    update();
}

StepAxis LossScrubber::axis() const {
    return {{kScrubberLeft, kScrubberTop, width() - kScrubberLeft - kScrubberRight,
             height() - kScrubberTop - kScrubberBottom},
            m_story->lastStep()};
}

double LossScrubber::yOf(double loss) const {
    const QRectF plot = axis().plot;
    return plot.bottom() - plot.height() * std::log(loss / m_range.low) / std::log(m_range.high / m_range.low);
}

void LossScrubber::paintLine(QPainter& p, double HeadsFrame::*loss, const QColor& color) const {
    QPainterPath path;
    std::vector<QPointF> points;
    for (const HeadsFrame& frame : m_story->frames())
        if (isThere(frame.*loss)) points.emplace_back(xOf(frame.step), yOf(frame.*loss));
    for (size_t i = 0; i < points.size(); ++i)
        i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(color, 2));
    p.drawPath(path);
    p.setPen(Qt::NoPen);
    p.setBrush(color);
    for (const QPointF& point : points)
        p.drawEllipse(point, kScrubberDot, kScrubberDot);
}

void LossScrubber::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const StepAxis axis = this->axis();
    const HeadsFrame* const shown = m_story->shown();
    if (!shown) return axis.paint(p, 0, t);
    const double told = axis.x(m_story->frames().back().step);
    const QRectF ahead(told, axis.plot.top(), axis.plot.right() - told, axis.plot.height());
    p.fillRect(ahead, t.sunken);
    if (ahead.width() > kRoomToSay)
        paint::centredText(p, ahead.center(), tr("to come"), uiFont(11), t.text3, Anchor::Middle);
    double above = axis.plot.bottom() + kBetweenLevels;
    for (double power = 1e-4; power < m_range.high; power *= 10)
        for (const double digit : {1.0, 3.0}) {
            const double level = digit * power, y = std::round(yOf(level)) + 0.5;
            if (level < m_range.low || level > m_range.high || above - y < kBetweenLevels) continue;
            above = y;
            QPen pen(t.line, 1);
            pen.setDashPattern({2, 4});
            p.setPen(pen);
            p.drawLine(QPointF(axis.plot.left(), y), QPointF(told, y));
            paint::centredText(p, {axis.plot.left() - 8, y}, QString::number(level), monoFont(11), t.text3,
                               Anchor::End);
        }
    p.setRenderHint(QPainter::Antialiasing);
    paintLine(p, &HeadsFrame::trainLoss, t.sequentialStops[t.isDark ? 6 : 5]);
    paintLine(p, &HeadsFrame::validationLoss, t.text);
    axis.paint(p, shown->step, t);
    axis.paintNow(p, shown->step, t);
}

void LossScrubber::peekAt(double x) {
    m_story->peek(m_story->nearest(axis().step(x)));
}

void LossScrubber::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) peekAt(event->position().x());
}

void LossScrubber::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) peekAt(event->position().x());
}

void LossScrubber::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) m_story->release();
}

void LossScrubber::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return m_story->hold(m_story->current() - 1);
        case Qt::Key_Right:
            return m_story->hold(m_story->current() + 1);
        case Qt::Key_Home:
            return m_story->hold(0);
        case Qt::Key_End:
        case Qt::Key_Escape:
            return m_story->release();
        default:
            return QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_loss_scrubber.cpp"

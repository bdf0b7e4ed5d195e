// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/learnt_chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/train/step_axis.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLearntLeft = 34, kLearntRight = 16, kLearntTop = 20, kLearntBottom = 22, kLearntDot = 2.5,
                 kLearntNarrowest = 2;
constexpr int kLearntLevels = 4;

}  // namespace

LearntChart::LearntChart(Learnt* learnt, HeadsStory* story, QWidget* parent)
    : QWidget(parent), m_learnt(learnt), m_story(story) {
    setAccessibleName(tr("What was learnt, over the steps"));
    connect(learnt, &Learnt::changed, this, [this] {
        setAccessibleDescription(m_learnt->sentence());
        update();
    });
}

QRectF LearntChart::plot() const {
    return {kLearntLeft, kLearntTop, width() - kLearntLeft - kLearntRight, height() - kLearntTop - kLearntBottom};
}

QPointF LearntChart::placeOf(const Learnt::Point& point) const {
    const StepAxis axis{plot(), m_story->lastStep()};
    return {axis.x(point.step), axis.plot.bottom() - axis.plot.height() * std::clamp(point.value, 0.0, 1.0)};
}

QRectF LearntChart::momentRect() const {
    const std::optional<Learnt::Moment> moment = m_learnt->moment();
    if (!moment) return {};
    const StepAxis axis{plot(), m_story->lastStep()};
    const double right = axis.x(moment->step);
    const double left = moment->isExact() ? right : axis.x(moment->after);
    const double wide = std::max(kLearntNarrowest, right - left);
    return {right - wide, axis.plot.top(), wide, axis.plot.height()};
}

void LearntChart::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const StepAxis axis{plot(), m_story->lastStep()};
    const HeadsFrame* const shown = m_story->shown();
    for (int i = 0; i <= kLearntLevels; ++i) {
        const double value = static_cast<double>(i) / kLearntLevels, at = std::round(placeOf({0, value}).y()) + 0.5;
        QPen pen(t.line, 1);
        if (i > 0) pen.setDashPattern({2, 4});
        p.setPen(pen);
        p.drawLine(QPointF(axis.plot.left(), at), QPointF(axis.plot.right(), at));
        paint::centredText(p, {axis.plot.left() - 8, at}, formatNumber(value), monoFont(11), t.text3, Anchor::End);
    }
    if (!shown || m_learnt->points().empty()) return axis.paint(p, shown ? shown->step : 0, t);
    if (const QRectF moment = momentRect(); moment.isValid()) p.fillRect(moment, t.goodTint);
    p.setRenderHint(QPainter::Antialiasing);
    const double level = std::round(placeOf({0, m_learnt->level()}).y()) + 0.5;
    p.setPen(QPen(t.good, 1.5));
    p.drawLine(QPointF(axis.plot.left(), level), QPointF(axis.plot.right(), level));
    if (const QRectF moment = momentRect(); moment.isValid())
        p.drawLine(QPointF(moment.right(), moment.top()), QPointF(moment.right(), moment.bottom()));
    QPolygonF line;
    for (const Learnt::Point& point : m_learnt->points())
        line << placeOf(point);
    p.setPen(QPen(t.text, 2));
    p.drawPolyline(line);
    p.setPen(Qt::NoPen);
    p.setBrush(t.text);
    for (const QPointF& point : line)
        p.drawEllipse(point, kLearntDot, kLearntDot);
    axis.paint(p, shown->step, t);
    axis.paintNow(p, shown->step, t);
}

void LearntChart::mousePressEvent(QMouseEvent* event) {
    if (m_story->isEmpty()) return;
    m_story->hold(m_story->nearest(StepAxis{plot(), m_story->lastStep()}.step(event->position().x())));
}

}  // namespace headlight

#include "moc_learnt_chart.cpp"

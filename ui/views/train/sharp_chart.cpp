// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/sharp_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/train/step_axis.h"
#include "ui/views/train/training_chart.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kSharpLeft = 30, kSharpRight = 16, kSharpTop = 16, kSharpBottom = 22, kSharpDot = 2.5;
constexpr int kSharpLevels = 4, kFewest = 4;

}  // namespace

SharpChart::SharpChart(HeadsStory* story, QWidget* parent) : QWidget(parent), m_story(story) {
    setAccessibleName(tr("Sharp heads"));
    connect(story, &HeadsStory::changed, this, [this] {
        setAccessibleDescription(sentence());
        update();
    });
}

QString SharpChart::readout() const {
    if (!m_story->shown() || m_story->heads().empty()) return {};
    return tr("%1 of %2").arg(m_story->sharpHeads(m_story->current())).arg(m_story->heads().size());
}

QString SharpChart::sentence() const {
    if (m_story->heads().empty()) return {};
    const std::vector<HeadsFrame>& frames = m_story->frames();
    const int newest = m_story->newest();
    int first = 0, most = 0;
    while (first <= newest && m_story->sharpHeads(first) == 0)
        ++first;
    for (int frame = 0; frame <= newest; ++frame)
        if (m_story->sharpHeads(frame) > m_story->sharpHeads(most)) most = frame;
    const auto step = [&](int frame) { return formatCount(frames[static_cast<size_t>(frame)].step); };
    if (first > newest) return tr("None up to step %1.").arg(step(newest));
    const int count = m_story->sharpHeads(most);
    if (first == 0 || first == most)
        return plural(tr("At most %n head(s), first at step %1.", nullptr, count).arg(step(most)), count);
    const auto loss = [&](int frame) { return formatNumber(frames[static_cast<size_t>(frame)].validationLoss); };
    return tr("None up to step %1. Then, up to step %2, while the validation loss goes from %3 to %4, %5 come.")
        .arg(step(first - 1), step(most), loss(first - 1), loss(most), formatCount(count));
}

void SharpChart::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const StepAxis axis{
        {kSharpLeft, kSharpTop, width() - kSharpLeft - kSharpRight, height() - kSharpTop - kSharpBottom},
        m_story->lastStep()};
    const HeadsFrame* const shown = m_story->shown();
    if (!shown || m_story->heads().empty()) return axis.paint(p, 0, t);
    int most = kFewest;
    for (int frame = 0; frame <= m_story->newest(); ++frame)
        most = std::max(most, m_story->sharpHeads(frame));
    const int top = (most + kSharpLevels - 1) / kSharpLevels * kSharpLevels;
    const auto y = [&](int count) { return axis.plot.bottom() - axis.plot.height() * count / top; };
    for (int level = 0; level <= top; level += top / kSharpLevels) {
        QPen pen(t.line, 1);
        if (level > 0) pen.setDashPattern({2, 4});
        p.setPen(pen);
        const double at = std::round(y(level)) + 0.5;
        p.drawLine(QPointF(axis.plot.left(), at), QPointF(axis.plot.right(), at));
        paint::centredText(p, {axis.plot.left() - 8, at}, QString::number(level), monoFont(11), t.text3, Anchor::End);
    }
    p.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    for (int frame = 0; frame <= m_story->newest(); ++frame)
        line << QPointF(axis.x(m_story->frames()[static_cast<size_t>(frame)].step), y(m_story->sharpHeads(frame)));
    p.setPen(QPen(t.text, 2));
    p.drawPolyline(line);
    p.setPen(Qt::NoPen);
    p.setBrush(t.text);
    for (const QPointF& point : line)
        p.drawEllipse(point, kSharpDot, kSharpDot);
    axis.paint(p, shown->step, t);
    axis.paintNow(p, shown->step, t);
}

WeightLegend::WeightLegend(QWidget* parent) : QWidget(parent) {
    setFixedHeight(28);
    setAccessibleName(tr("The colours of weights, from 0 to 1"));
}

void WeightLegend::paintEvent(QPaintEvent*) {
    QPainter p(this);
    drawLegend(p, {1, 1, width() - 2.0, 8}, ColorScale::weights(), Theme::of(this));
}

}  // namespace headlight

#include "moc_sharp_chart.cpp"

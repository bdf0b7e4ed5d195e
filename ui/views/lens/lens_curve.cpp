// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lens/lens_curve.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/session/format/number_format.h"
#include "ui/views/lens/lens_grid.h"
#include "ui/views/lens/lens_layout.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 28, kRanks = 76;  ///< beside the plot
constexpr double kTall = 40;               ///< rows as high as that have larger dots, and a rank each

}  // namespace

LensCurve::LensCurve(const LensGrid* grid, QWidget* parent) : QWidget(parent), m_grid(grid) {
    setAccessibleName(tr("Probability of the final word at every depth"));
    connect(grid, &LensGrid::laidOut, this, qOverload<>(&QWidget::update));
}

void LensCurve::setPoints(std::vector<Point> points) {
    m_points = std::move(points);
    QStringList spoken;
    for (const Point& point : m_points)
        if (point.rank > 0) spoken << tr("%1, rank %2").arg(formatNumber(point.probability)).arg(point.rank);
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

QRectF LensCurve::row(size_t index) const {
    const QPoint shift = mapFromGlobal(m_grid->viewport()->mapToGlobal(QPoint()));
    return m_grid->cellRect({static_cast<int>(index), 0}).translated(0, shift.y());
}

QRectF LensCurve::plot() const {
    const QPoint shift = mapFromGlobal(m_grid->viewport()->mapToGlobal(QPoint()));
    const QRectF area = m_grid->cellsArea().translated(0, shift.y());
    return {kLeft, area.top(), width() - kLeft - kRanks, area.height()};
}

void LensCurve::paintEvent(QPaintEvent*) {
    if (m_points.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QRectF in = plot();
    const auto x = [&](double probability) { return in.left() + in.width() * probability; };
    const double head = in.top() - 17, ranks = width() - 20;
    for (const double share : {0.0, 0.5, 1.0})
        paint::centredText(p, {x(share), head}, formatNumber(share, share == 0.5 ? 1 : 0), monoFont(11), t.text3,
                           Anchor::Middle);
    paint::centredText(p, {ranks, head}, tr("rank"), uiFont(12, QFont::Medium), t.text3, Anchor::End);
    p.setClipRect(QRectF(0, in.top() - 1, width(), in.height() + 2));
    const int chosen = m_grid->chosen().row;
    if (chosen >= 0) {
        const QRectF at = row(static_cast<size_t>(chosen));
        p.fillRect(QRectF(1, at.top(), width() - 1, at.height()), t.nowTint);
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        p.fillRect(QRectF(std::round(x(share)), in.top(), 1, in.height()), share == 0 ? t.line2 : t.line);
    QPainterPath path;
    bool begun = false;
    for (size_t i = 0; i < m_points.size(); ++i) {
        if (m_points[i].rank == 0) continue;
        const QPointF at(x(m_points[i].probability), row(i).center().y());
        begun ? path.lineTo(at) : path.moveTo(at);
        begun = true;
    }
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text, 2));
    p.drawPath(path);
    const bool tall = !m_points.empty() && row(0).height() >= kTall;
    for (size_t i = 0; i < m_points.size(); ++i) {
        const Point& point = m_points[i];
        if (point.rank == 0) continue;
        const bool on = static_cast<int>(i) == chosen;
        const QPointF at(x(point.probability), row(i).center().y());
        const double radius = on ? 6 : tall ? 5 : 3;
        p.setPen(QPen(on ? t.nowLine : t.text, on || tall ? 2 : 1.5));
        p.setBrush(on ? t.now : t.surface);
        p.drawEllipse(at, radius, radius);
        const bool changes = i == 0 || i + 1 == m_points.size() || point.rank != m_points[i - 1].rank;
        if (!tall && !on && !changes) continue;
        const QColor ink = on ? t.nowText : point.rank == 1 ? t.text : t.text2;
        paint::centredText(p, {ranks, at.y()}, formatCount(point.rank),
                           monoFont(12, on ? QFont::DemiBold : QFont::Normal), ink, Anchor::End);
    }
}

}  // namespace headlight

#include "moc_lens_curve.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/reach_chart.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 40, kName = 50, kReachTop = 8, kReachBelow = 24;
constexpr int kSmallest = -12;      ///< what is less is nothing to learn from
constexpr double kReachApart = 14;  ///< names at the ends

}  // namespace

ReachChart::ReachChart(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    setAccessibleName(tr("Gradient norm by distance"));
}

void ReachChart::setLines(std::vector<Line> lines) {
    m_lines = std::move(lines);
    double least = 0, most = 0;
    size_t farthest = 2;
    QStringList told;
    for (const Line& line : m_lines) {
        farthest = std::max(farthest, line.share.size());
        for (const double share : line.share) {
            if (!(share > 0)) continue;
            least = std::min(least, std::log10(share));
            most = std::max(most, std::log10(share));
        }
        if (!line.share.empty())
            told << tr("%1: %2 at %3 words back")
                        .arg(line.name, formatScientific(line.share.back(), 1))
                        .arg(line.share.size() - 1);
    }
    m_lowest = std::max(kSmallest, std::min(-1, static_cast<int>(std::floor(least))));
    m_highest = static_cast<int>(std::ceil(most - 1e-9));
    m_farthest = static_cast<int>(farthest) - 1;
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    update();
}

void ReachChart::setHidden(bool hidden) {
    m_isHidden = hidden;
    update();
}

QRectF ReachChart::plot() const {
    return {kLeft, kReachTop, width() - kLeft - kName, height() - kReachTop - kReachBelow};
}

QPointF ReachChart::pointAt(size_t line, size_t back) const {
    const QRectF in = plot();
    const double share = m_lines[line].share[back];
    const double exponent = share > 0 ? std::log10(share) : -300;
    return {in.left() + in.width() * static_cast<double>(back) / m_farthest,
            in.top() + in.height() * (m_highest - exponent) / (m_highest - m_lowest)};
}

void ReachChart::paintAxes(QPainter& p, const Theme& t) const {
    const QRectF in = plot();
    const int span = m_highest - m_lowest, step = span > 8 ? 4 : span > 4 ? 2 : 1;
    for (int exponent = m_highest; exponent >= m_lowest; --exponent) {
        if (exponent % step != 0) continue;
        const double y = std::round(in.top() + in.height() * (m_highest - exponent) / span) + 0.5;
        p.setPen(QPen(exponent == 0 ? t.line2 : t.line, 1));
        p.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
        paint::centredText(p, {in.left() - 8, y}, formatPowerOfTen(exponent), uiFont(11), t.text3, Anchor::End);
    }
    const int words = m_farthest > 12 ? 5 : 2;
    for (int back = 0; back <= m_farthest - words / 2; back += words)
        paint::centredText(p, {in.left() + in.width() * back / m_farthest, in.bottom() + 14}, QString::number(back),
                           monoFont(11), t.text3, Anchor::Middle);
    paint::centredText(p, {static_cast<double>(width()), in.bottom() + 14}, tr("words back"), uiFont(11, QFont::Medium),
                       t.text3, Anchor::End);
}

/// The last place of a line that is on the axis.
QPointF ReachChart::endOf(size_t line) const {
    QPointF end = pointAt(line, 0);
    for (size_t back = 0; back < m_lines[line].share.size(); ++back) {
        const QPointF at = pointAt(line, back);
        if (at.y() > plot().bottom()) break;
        end = at;
    }
    return end;
}

void ReachChart::paintNames(QPainter& p, const Theme& t) const {
    std::vector<size_t> order(m_lines.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](size_t line) { return endOf(line).y(); });
    double free = -1e9;
    for (const size_t line : order) {
        if (m_lines[line].share.empty()) continue;
        const QRectF name = nameRect(line, free);
        free = name.center().y() + kReachApart;
        paint::centredText(p, {name.left(), name.center().y()}, m_lines[line].name, nameFont(line),
                           m_lines[line].isOpen ? t.text : t.text2);
    }
}

QFont ReachChart::nameFont(size_t line) const {
    return uiFont(12, m_lines[line].isOpen ? QFont::DemiBold : QFont::Medium);
}

/// Behind the line's end, or the nearest place above or below it that no other line goes through.
QRectF ReachChart::nameRect(size_t line, double free) const {
    const QPointF end = endOf(line);
    const QRectF beside(end.x() + 7, std::max(end.y(), free) - kReachApart / 2,
                        paint::textWidth(m_lines[line].name, nameFont(line)), kReachApart);
    for (const double away : {0.0, -1.0, 1.0, -2.0, 2.0, 3.0}) {
        const QRectF at = beside.translated(0, away * kReachApart);
        if (at.top() >= 0 && at.center().y() >= free && !isCrossed(at, line)) return at;
    }
    return beside;
}

bool ReachChart::isCrossed(const QRectF& area, size_t except) const {
    constexpr int kBetween = 8;
    for (size_t line = 0; line < m_lines.size(); ++line)
        for (size_t back = 1; line != except && back < m_lines[line].share.size(); ++back)
            for (int part = 0; part <= kBetween; ++part) {
                const double share = static_cast<double>(part) / kBetween;
                if (area.contains(paint::between(pointAt(line, back - 1), pointAt(line, back), share))) return true;
            }
    return false;
}

void ReachChart::paintEvent(QPaintEvent*) {
    if (m_lines.empty() && !m_isHidden) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    if (m_isHidden) return HiddenArea::paint(p, rect(), t);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p, t);
    p.save();
    p.setClipRect(plot().adjusted(-1, -2, 1, 1));
    p.setBrush(Qt::NoBrush);
    int others = 0;
    for (size_t line = 0; line < m_lines.size(); ++line) {
        QPainterPath path;
        for (size_t back = 0; back < m_lines[line].share.size(); ++back)
            back == 0 ? path.moveTo(pointAt(line, 0)) : path.lineTo(pointAt(line, back));
        const Qt::PenStyle style = m_lines[line].isOpen      ? Qt::SolidLine
                                   : m_lines[line].isChanged ? Qt::DashDotLine
                                   : others++ == 0           ? Qt::DashLine
                                                             : Qt::DotLine;
        const QColor color = m_lines[line].isOpen ? t.text : m_lines[line].isChanged ? t.nowLine : t.text2;
        p.setPen(QPen(color, m_lines[line].isOpen ? 2.5 : 2, style, Qt::FlatCap));
        p.drawPath(path);
    }
    p.restore();
    paintNames(p, t);
}

}  // namespace headlight

#include "moc_reach_chart.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/curve_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kCurveLeft = 48, kCurveRight = 104, kCurveTop = 12, kCurveBottom = 40;
constexpr int kLevels = 4, kTicks = 6;

/// 1, 2 or 5 times a power of ten, so that at most kTicks of them fit.
int stepOf(int most) {
    const double raw = std::max(1.0, most / static_cast<double>(kTicks));
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= raw) return static_cast<int>(factor * power);
    return most;
}

}  // namespace

CurveChart::CurveChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CurveChart::setContent(Content content) {
    m_content = std::move(content);
    QStringList spoken;
    for (const Mark& mark : m_content.marks)
        spoken << mark.text;
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

QRectF CurveChart::plot() const {
    const double right = m_content.solidName.isEmpty() ? 16 : kCurveRight;
    return QRectF(rect()).adjusted(kCurveLeft, kCurveTop, -right, -kCurveBottom);
}

double CurveChart::xOf(double size) const {
    return plot().left() + plot().width() * size / std::max(1, m_content.most);
}

double CurveChart::yOf(double value) const {
    const double span = std::max(1e-9, m_content.top - m_content.bottom);
    const double share = std::clamp((value - m_content.bottom) / span, 0.0, 1.0);
    return plot().bottom() - share * plot().height();
}

QColor CurveChart::colorOf(Role role) const {
    const Theme& t = Theme::of(this);
    return role == Role::Source ? t.encoder : role == Role::Target ? t.decoder : t.text2;
}

void CurveChart::moveTo(double x) {
    if (m_content.marks.empty()) return;
    const double share = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    emit moved(static_cast<int>(std::lround(share * m_content.most)));
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    moveTo(event->position().x());
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) moveTo(event->position().x());
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0 || m_content.marks.empty()) return QWidget::keyPressEvent(event);
    constexpr int parts = 100;
    emit moved(std::clamp(m_content.marks.front().at + by * std::max(1, m_content.most / parts), 0, m_content.most));
}

void CurveChart::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    const QFont font = monoFont(11);
    for (int level = 0; level <= kLevels; ++level) {
        const double value = m_content.bottom + (m_content.top - m_content.bottom) * level / kLevels;
        const double y = std::round(yOf(value)) + 0.5;
        p.setPen(QPen(t.line, 1, level == 0 ? Qt::SolidLine : Qt::DotLine));
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 8, y}, m_content.format(value), font, t.text2, Anchor::End);
    }
    const int step = stepOf(m_content.most);
    for (int at = 0; at <= m_content.most; at += step)
        paint::centredText(p, {xOf(at), area.bottom() + 13}, formatCount(at), font, t.text2, Anchor::Middle);
    paint::centredText(p, {area.center().x(), area.bottom() + 31}, m_content.axisTitle, uiFont(12), t.text2,
                       Anchor::Middle);
}

void CurveChart::paintCurves(QPainter& p) const {
    constexpr int points = 160;
    for (const Curve& curve : m_content.curves) {
        QPainterPath path;
        int last = -1;
        for (int i = 0; i <= points; ++i) {
            const int at = static_cast<int>(std::lround(static_cast<double>(curve.end) * i / points));
            if (std::exchange(last, at) == at) continue;
            const double value = curve.value(at);
            if (value < m_content.bottom && path.elementCount() == 0)
                continue;  // it comes into the picture further right
            const QPointF point(xOf(at), yOf(value));
            path.elementCount() == 0 ? path.moveTo(point) : path.lineTo(point);
        }
        p.setPen(QPen(colorOf(curve.role), 1.6, curve.dashed ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
        p.setBrush(Qt::NoBrush);
        p.drawPath(path);
    }
}

void CurveChart::paintMarks(QPainter& p) const {
    if (m_content.marks.empty()) return;
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    const QFont font = uiFont(12, QFont::DemiBold);
    double wide = 0;
    for (const Mark& mark : m_content.marks) {
        const double x = std::round(xOf(mark.at));
        p.fillRect(QRectF(x - 1, area.top() - 4, 2, area.height() + 4), t.nowLine);
        for (const Curve& curve : m_content.curves) {
            if (curve.dashed || curve.role != mark.role) continue;
            p.setPen(QPen(colorOf(curve.role), 2));
            p.setBrush(t.surface);
            p.drawEllipse(QPointF(x, yOf(curve.value(mark.at))), 5, 5);
        }
        wide = std::max(wide, paint::textWidth(mark.text, font));
    }
    const double right = xOf(std::ranges::max(m_content.marks, {}, &Mark::at).at) + 14;
    const double left = xOf(std::ranges::min(m_content.marks, {}, &Mark::at).at) - 14 - wide - 20;
    const double x = right + wide + 20 <= area.right() + kCurveRight - 8 || left < area.left() ? right : left;
    const double tall = 18.0 * static_cast<double>(m_content.marks.size()) + 10;
    const QRectF box(std::clamp(x, area.left(), std::max(area.left(), width() - wide - 24)), area.bottom() - tall - 12,
                     wide + 20, tall);
    paint::box(p, box, t.nowTint, t.nowLine, 5);
    double y = box.top() + 14;
    for (const Mark& mark : m_content.marks) {
        paint::centredText(p, {box.left() + 10, y}, mark.text, font, colorOf(mark.role));
        y += 18;
    }
}

/// Where the lines end, at the right.
void CurveChart::paintNames(QPainter& p) const {
    if (m_content.solidName.isEmpty()) return;
    const Theme& t = Theme::of(this);
    double solid = plot().bottom(), dashed = plot().bottom();
    for (const Curve& curve : m_content.curves)
        (curve.dashed ? dashed : solid) = std::min(curve.dashed ? dashed : solid, yOf(curve.value(curve.end)));
    if (solid - dashed < 16) solid = dashed + 16;
    const double x = plot().right() + 8;
    paint::centredText(p, {x, dashed}, m_content.dashedName, uiFont(11), t.text2);
    paint::centredText(p, {x, solid}, m_content.solidName, uiFont(11, QFont::DemiBold), t.text);
}

void CurveChart::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (!m_content.format) return;
    paintAxes(p);
    paintCurves(p);
    paintNames(p);
    paintMarks(p);
}

}  // namespace headlight

#include "moc_curve_chart.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/stream_chart.h"

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

constexpr double kLeft = 40, kTop = 10, kBelow = 46, kSlider = 14;
constexpr int kLines = 4;  ///< of the scale, at most

/// 1, 2 or 5 times a power of ten, so that a few of them reach `most`.
double stepFor(double most) {
    for (double decade = 0.1; decade < 1e12; decade *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if (step * decade * kLines >= most) return step * decade;
    return most;
}

}  // namespace

StreamChart::StreamChart(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Length of the stream by depth"));
}

void StreamChart::setLines(std::vector<Line> lines, const QStringList& places) {
    m_lines = std::move(lines);
    m_places = places;
    double most = 0;
    for (const Line& line : m_lines)
        for (const double length : line.lengths)
            if (std::isfinite(length)) most = std::max(most, length);
    m_step = stepFor(most);
    m_most = m_step * std::max(1.0, std::ceil(most / m_step));
    setChosen(m_chosen);
}

void StreamChart::setChosen(int place) {
    m_chosen = std::clamp(place, 1, std::max(1, static_cast<int>(m_places.size()) - 1));
    QStringList told{m_places.value(m_chosen)};
    for (const Line& line : m_lines)
        if (static_cast<size_t>(m_chosen) < line.lengths.size())
            told << QStringLiteral("%1 %2").arg(line.name,
                                                formatNumber(line.lengths[static_cast<size_t>(m_chosen)], 1));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

QRectF StreamChart::plot() const {
    double right = 12;
    for (const Line& line : m_lines)
        right = std::max(right, paint::textWidth(line.name, uiFont(12, QFont::DemiBold)) + 14);
    return {kLeft, kTop, std::max(40.0, width() - kLeft - std::max(right, 24.0)), height() - kTop - kBelow};
}

double StreamChart::xOf(int place) const {
    return plot().left() + plot().width() * place / std::max(1, static_cast<int>(m_places.size()) - 1);
}

double StreamChart::yOf(double length) const {
    return plot().bottom() - plot().height() * length / m_most;
}

void StreamChart::paintEvent(QPaintEvent*) {
    if (m_places.size() < 2) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxis(p, t);
    p.fillRect(QRectF(xOf(m_chosen) - 1, plot().top() - 6, 2, plot().height() + 6), t.nowLine);
    for (size_t line = m_lines.size(); line-- > 0;)
        paintLine(p, t, line);
    paintNames(p, t);
    paintReading(p, t);
    paintSlider(p, t);
}

void StreamChart::paintAxis(QPainter& p, const Theme& t) const {
    const QRectF area = plot();
    for (double length = 0; length <= m_most + 1e-9; length += m_step) {
        const double y = std::round(yOf(length)) + 0.5;
        p.setPen(length == 0 ? QPen(t.line2, 1) : QPen(t.line, 1, Qt::DashLine));
        p.drawLine(QPointF(area.left() - 6, y), QPointF(area.right() + 6, y));
        paint::centredText(p, {area.left() - 12, y}, formatNumber(length, m_step < 1 ? 1 : 0), monoFont(11), t.text3,
                           Anchor::End);
    }
}

void StreamChart::paintLine(QPainter& p, const Theme& t, size_t index) const {
    const std::vector<double>& lengths = m_lines[index].lengths;
    const bool own = index == 0;
    const QColor ink = own ? t.text : t.text2;
    QPainterPath path;
    for (size_t i = 0; i < lengths.size(); ++i) {
        const QPointF at(xOf(static_cast<int>(i)), yOf(lengths[i]));
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(ink, own ? 2.5 : 2, own ? Qt::SolidLine : Qt::DashLine));
    p.drawPath(path);
    const bool roomy = lengths.size() < 2 || xOf(1) - xOf(0) >= 10;
    for (size_t i = 0; i < lengths.size(); ++i) {
        const bool on = static_cast<int>(i) == m_chosen;
        if (!roomy && !on) continue;
        p.setPen(on && own ? QPen(t.nowLine, 1.5) : QPen(Qt::NoPen));
        p.setBrush(on && own ? t.now : ink);
        const double radius = own ? (on ? 4 : 3) : 2.5;
        p.drawEllipse(QPointF(xOf(static_cast<int>(i)), yOf(lengths[i])), radius, radius);
    }
}

/// At the lines' ends, apart where these are close.
void StreamChart::paintNames(QPainter& p, const Theme& t) const {
    std::vector<double> heights;
    for (const Line& line : m_lines)
        heights.push_back(line.lengths.empty() ? plot().bottom() : yOf(line.lengths.back()));
    if (heights.size() == 2 && std::abs(heights[0] - heights[1]) < 16) {
        const double middle = (heights[0] + heights[1]) / 2, side = heights[0] <= heights[1] ? -8 : 8;
        heights[0] = middle + side;
        heights[1] = middle - side;
    }
    for (size_t i = 0; i < m_lines.size(); ++i)
        paint::centredText(p, {plot().right() + 10, std::clamp(heights[i], 8.0, plot().bottom())}, m_lines[i].name,
                           uiFont(12, QFont::DemiBold), i == 0 ? t.text : t.text2);
}

/// The numbers at the chosen depth, beside the amber line.
void StreamChart::paintReading(QPainter& p, const Theme& t) const {
    const QFont name = uiFont(11, QFont::Medium), number = monoFont(11, QFont::DemiBold);
    double names = 0, numbers = 0;
    std::vector<std::pair<QString, QString>> rows;
    for (const Line& line : m_lines) {
        if (static_cast<size_t>(m_chosen) >= line.lengths.size()) continue;
        rows.emplace_back(line.brief, formatNumber(line.lengths[static_cast<size_t>(m_chosen)], 1));
        names = std::max(names, paint::textWidth(rows.back().first, name));
        numbers = std::max(numbers, paint::textWidth(rows.back().second, number));
    }
    const double wide = names + numbers + 8;
    const bool leftOf = xOf(m_chosen) + 10 + wide > plot().right();
    const double left = leftOf ? xOf(m_chosen) - 10 - wide : xOf(m_chosen) + 10;
    // Where the lines leave most room beside the amber one.
    const double tall = 16.0 * static_cast<double>(rows.size());
    double y = plot().top() + 4, most = -1;
    for (const double top : {plot().top() + 4, plot().center().y() - tall / 2, plot().bottom() - tall}) {
        double room = 1e9;
        for (const Line& line : m_lines)
            for (int place = m_chosen - (leftOf ? 1 : 0); place <= m_chosen + (leftOf ? 0 : 1); ++place)
                if (place >= 0 && static_cast<size_t>(place) < line.lengths.size())
                    room =
                        std::min(room, std::abs(yOf(line.lengths[static_cast<size_t>(place)]) - (top + tall / 2 - 8)));
        if (room <= most + 4) continue;
        most = room;
        y = top;
    }
    p.fillRect(QRectF(left - 3, y - 8, wide + 6, 16.0 * static_cast<double>(rows.size())), t.surface);
    for (const auto& [brief, text] : rows) {
        paint::centredText(p, {left, y}, brief, name, t.nowText);
        paint::centredText(p, {left + wide, y}, text, number, t.nowText, Anchor::End);
        y += 16;
    }
}

void StreamChart::paintSlider(QPainter& p, const Theme& t) const {
    const double y = plot().bottom() + kSlider, left = xOf(0), right = xOf(static_cast<int>(m_places.size()) - 1);
    paint::box(p, {left, y - 2, right - left, 4}, t.line, {}, 2);
    paint::box(p, {left, y - 2, xOf(m_chosen) - left, 4}, t.ink, {}, 2);
    const double pitch = xOf(1) - xOf(0);
    double widest = 0;
    for (const QString& place : m_places)
        widest = std::max(widest, paint::textWidth(place, uiFont(11, QFont::DemiBold)) + 8);
    const int every = std::max(1, static_cast<int>(std::ceil(widest / pitch)));
    for (int place = 0; place < m_places.size(); ++place) {
        if (pitch >= 4) p.fillRect(QRectF(std::round(xOf(place)), y - 4, 1, 8), t.line2);
        const bool on = place == m_chosen;
        const bool nearChosen = std::abs(place - m_chosen) < every;
        if (!on && (place % every != 0 || nearChosen)) continue;
        const QFont font = uiFont(11, on ? QFont::DemiBold : QFont::Normal);
        const double half = paint::textWidth(m_places[place], font) / 2;
        paint::centredText(p, {std::clamp(xOf(place), half, width() - half), y + 20}, m_places[place], font,
                           on ? t.nowText : t.text3, Anchor::Middle);
    }
    p.setPen(QPen(t.nowLine, 2));
    p.setBrush(t.now);
    p.drawEllipse(QPointF(xOf(m_chosen), y), 7, 7);
}

void StreamChart::choose(int place) {
    if (place < 1 || place >= m_places.size() || place == m_chosen) return;
    setChosen(place);
    emit placeChosen(place);
}

void StreamChart::mousePressEvent(QMouseEvent* event) {
    mouseMoveEvent(event);
}

void StreamChart::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton) || m_places.size() < 2) return;
    const double pitch = xOf(1) - xOf(0);
    choose(std::clamp(static_cast<int>(std::lround((event->position().x() - xOf(0)) / pitch)), 1,
                      static_cast<int>(m_places.size()) - 1));
}

void StreamChart::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_places.size()) - 1;
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(m_chosen - 1);
        case Qt::Key_Right:
            return choose(m_chosen + 1);
        case Qt::Key_Home:
            return choose(1);
        case Qt::Key_End:
            return choose(last);
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_stream_chart.cpp"

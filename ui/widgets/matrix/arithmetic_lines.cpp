// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/arithmetic_lines.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLinesNames = 40, kLinesStrip = 28, kCellHeight = 24, kReadout = 20, kLine = 24;
constexpr double kLegend = 30, kBar = 8, kWidestBar = 200;
constexpr double kNumberWidth = 36;  ///< of the narrowest cell that has its number in it

QColor inkOf(CellArithmetic::Role role, const Theme& t) {
    switch (role) {
        case CellArithmetic::Role::Query:
            return t.query;
        case CellArithmetic::Role::Key:
            return t.key;
        case CellArithmetic::Role::Value:
            return t.value;
        case CellArithmetic::Role::Plain:
            break;
    }
    return t.text;
}

}  // namespace

ArithmeticLines::ArithmeticLines(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ArithmeticLines::setArithmetic(std::optional<CellArithmetic> arithmetic) {
    m_arithmetic = std::move(arithmetic);
    m_hovered = -1;
    QStringList lines;
    std::vector<float> numbers;
    if (m_arithmetic)
        for (const CellArithmetic::Vector& vector : m_arithmetic->vectors)
            numbers.insert(numbers.end(), vector.values.begin(), vector.values.end());
    m_scale = ColorScale::scores(numbers);
    if (m_arithmetic)
        for (const CellArithmetic::Step& step : m_arithmetic->steps)
            lines << QStringLiteral("%1: %2").arg(step.text, formatNumber(step.value, 4));
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void ArithmeticLines::setSoFar(std::optional<SoFar> soFar) {
    m_soFar = soFar;
    update();
}

int ArithmeticLines::heightNeeded() const {
    if (!m_arithmetic) return 0;
    const auto strips = static_cast<double>(m_arithmetic->vectors.size());
    return static_cast<int>(strips * kLinesStrip + (strips > 0 ? kLegend + kReadout : 0) +
                            static_cast<double>(m_arithmetic->steps.size()) * kLine + 4);
}

QRectF ArithmeticLines::cellsOf(size_t vector) const {
    return {kLinesNames, static_cast<double>(vector) * kLinesStrip + 2, width() - kLinesNames - 1, kCellHeight};
}

QRectF ArithmeticLines::cellRect(size_t vector, int entry) const {
    HeadImage image;
    image.rows = 1;
    image.columns = static_cast<int>(m_arithmetic->vectors[vector].values.size());
    return headCellRect(cellsOf(vector), image, 0, entry);
}

void ArithmeticLines::mouseMoveEvent(QMouseEvent* event) {
    if (!m_arithmetic || m_arithmetic->vectors.empty()) return;
    const QRectF cells = cellsOf(0);
    const auto count = static_cast<double>(m_arithmetic->vectors[0].values.size());
    const double at = (event->position().x() - cells.left()) / cells.width() * count;
    const bool inside = at >= 0 && at < count &&
                        event->position().y() < static_cast<double>(m_arithmetic->vectors.size()) * kLinesStrip;
    m_hovered = inside ? static_cast<int>(at) : -1;
    update();
}

void ArithmeticLines::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void ArithmeticLines::paintEvent(QPaintEvent*) {
    if (!m_arithmetic) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    QStringList readout;
    const auto& vectors = m_arithmetic->vectors;
    for (size_t i = 0; i < vectors.size(); ++i) {
        const CellArithmetic::Vector& vector = vectors[i];
        const QRectF cells = cellsOf(i);
        paint::centredText(p, {0, cells.center().y()}, vector.name, uiFont(13, QFont::DemiBold), inkOf(vector.role, t));
        HeadImage image;
        image.values = vector.values;
        image.rows = 1;
        image.columns = static_cast<int>(vector.values.size());
        image.scale = m_scale;
        const int there = m_soFar && i + 1 == vectors.size() ? m_soFar->products : image.columns;
        if (there < image.columns) image.filled = there;
        drawHead(p, cells, image, t);
        const bool numbers = cells.width() / image.columns >= kNumberWidth;
        for (int c = 0; numbers && c < there; ++c) {
            const auto value = static_cast<double>(vector.values[static_cast<size_t>(c)]);
            paint::centredText(p, headCellRect(cells, image, 0, c).center(), formatNumber(value), monoFont(11),
                               Theme::onColor(image.scale.color(t, value)), Anchor::Middle);
        }
        if (m_hovered >= 0 && m_hovered < image.columns) {
            paint::outline(p, headCellRect(cells, image, 0, m_hovered), t.text, 1);
            readout << QStringLiteral("%1 %2").arg(
                vector.name, formatNumber(static_cast<double>(vector.values[static_cast<size_t>(m_hovered)]), 4));
        }
    }
    double y = static_cast<double>(vectors.size()) * kLinesStrip;
    if (!vectors.empty()) {
        drawLegend(p, {kLinesNames, y + 4, std::min(kWidestBar, width() - kLinesNames - 1), kBar}, m_scale, t);
        y += kLegend;
        const QString text = m_hovered >= 0 ? tr("%1:  %2").arg(m_hovered + 1).arg(readout.join(QStringLiteral("   ")))
                                            : tr("point at a strip to read its numbers");
        paint::centredText(p, {kLinesNames, y + 8}, text, m_hovered >= 0 ? monoFont(11) : uiFont(11), t.text3);
        y += kReadout;
    }
    for (size_t i = 0; i < m_arithmetic->steps.size(); ++i) {
        const CellArithmetic::Step& step = m_arithmetic->steps[i];
        const bool last = i + 1 == m_arithmetic->steps.size();
        // The sum grows first, what is done with it waits.
        const QString number = !m_soFar ? formatNumber(step.value, 4)
                               : i == 0 ? formatNumber(m_soFar->sum, 4)
                                        : QString();
        const QFont mono = monoFont(13, last ? QFont::Medium : QFont::Normal);
        const double room = width() - paint::textWidth(number, mono) - 12;
        const QFont font = uiFont(12);
        paint::centredText(p, {0, y + kLine / 2}, paint::elided(step.text, font, room), font, t.text2);
        paint::centredText(p, {width() - 1.0, y + kLine / 2}, number, mono, last ? t.nowText : t.text, Anchor::End);
        y += kLine;
    }
}

}  // namespace headlight

#include "moc_arithmetic_lines.cpp"

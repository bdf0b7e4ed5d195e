// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/matrix/value_strips.h"

#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kStripsNames = 100, kNumbers = 150;
constexpr double kLeastCells = 120, kFewestCells = 80;
constexpr double kNarrowNumbers = 100;  ///< as wide are the two lines
constexpr double kBesideLow = 206;      ///< of a mean and a range in one line
constexpr double kRow = 30, kLowestRow = 18;
constexpr double kTwoLines = 26;                     ///< as high is a row that has room for both
constexpr double kStripsGap = 10, kSmallestGap = 4;  ///< between two strips
}  // namespace

ValueStrips::ValueStrips(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Gates and states of the chosen step"));
}

void ValueStrips::setStrips(std::vector<Strip> strips) {
    m_strips = std::move(strips);
    m_most = 0;
    for (const Strip& strip : m_strips)
        if (!strip.isShare) m_most = std::max(m_most, ColorScale::scores(strip.values).max);
    updateGeometry();
    update();
}

QSize ValueStrips::sizeHint() const {
    return {700, static_cast<int>(kRow * static_cast<double>(std::max<size_t>(1, m_strips.size()))) + 4};
}

QSize ValueStrips::minimumSizeHint() const {
    return {320, static_cast<int>(kLowestRow * static_cast<double>(std::max<size_t>(1, m_strips.size()))) + 4};
}

double ValueStrips::rowHeight() const {
    return std::clamp((height() - 4.0) / static_cast<double>(std::max<size_t>(1, m_strips.size())), kLowestRow, kRow);
}

bool ValueStrips::isLow() const {
    return rowHeight() < kTwoLines;
}

bool ValueStrips::isNarrow() const {
    return width() < kStripsNames + (isLow() ? kBesideLow : kNumbers) + kLeastCells;
}

double ValueStrips::namesWidth() const {
    if (!isNarrow()) return kStripsNames;
    double widest = 0;
    for (const Strip& strip : m_strips)
        widest = std::max(widest, paint::textWidth(strip.name, uiFont(12, QFont::Medium)));
    return std::min(kStripsNames, widest + 14);
}

/// Colours say nothing without their scale: where it is narrow names and numbers stand closer.
double ValueStrips::besideWidth() const {
    if (!isNarrow()) return isLow() ? kBesideLow : kNumbers;
    const bool fits = !isLow() && width() >= namesWidth() + kNarrowNumbers + kFewestCells;
    return fits ? kNarrowNumbers : 0;
}

QRectF ValueStrips::cellRect(int strip, int dimension) const {
    const auto count = static_cast<double>(std::max<size_t>(1, m_strips[static_cast<size_t>(strip)].values.size()));
    const double w = (width() - namesWidth() - besideWidth()) / count, row = rowHeight();
    const double gap = isLow() ? kSmallestGap : kStripsGap;
    return {namesWidth() + dimension * w, row * strip + gap / 2, w, row - gap};
}

void ValueStrips::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = -1;
    if (!m_strips.empty()) {
        const QRectF first = cellRect(0, 0);
        const int dimension = static_cast<int>((event->position().x() - first.left()) / first.width());
        if (event->position().x() >= first.left() && dimension < static_cast<int>(m_strips[0].values.size()))
            m_hovered = dimension;
    }
    update();
}

void ValueStrips::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void ValueStrips::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    for (int i = 0; i < static_cast<int>(m_strips.size()); ++i) {
        const Strip& strip = m_strips[static_cast<size_t>(i)];
        if (strip.values.empty()) continue;
        const double middle = rowHeight() * (i + 0.5);
        paint::centredText(p, {namesWidth() - 12, middle}, strip.name, uiFont(12, QFont::Medium), t.text2, Anchor::End);
        QImage image(static_cast<int>(strip.values.size()), 1, QImage::Format_RGB32);
        for (size_t d = 0; d < strip.values.size(); ++d) {
            const double value = static_cast<double>(strip.values[d]);
            image.setPixelColor(static_cast<int>(d), 0,
                                strip.isShare ? t.sequential(value) : t.diverging(value, m_most));
        }
        const QRectF first = cellRect(i, 0), last = cellRect(i, static_cast<int>(strip.values.size()) - 1);
        const QRectF box(first.topLeft(), last.bottomRight());
        p.drawImage(box, image);
        paint::outline(p, box.adjusted(1, 1, -1, -1), t.line2, 1);
        if (besideWidth() == 0) continue;
        const double mean =
            std::accumulate(strip.values.begin(), strip.values.end(), 0.0) / static_cast<double>(strip.values.size());
        QString text = tr("mean %1").arg(formatNumber(mean, 3));
        if (m_hovered >= 0 && m_hovered < static_cast<int>(strip.values.size())) {
            paint::outline(p, cellRect(i, m_hovered), t.text, 1);
            text = tr("[%1] %2")
                       .arg(m_hovered + 1)
                       .arg(formatPrecise(static_cast<double>(strip.values[static_cast<size_t>(m_hovered)])));
        }
        const QString range = strip.isShare
                                  ? QStringLiteral("0 … 1")
                                  : QStringLiteral("%1 … %2").arg(formatNumber(-m_most, 1), formatSigned(m_most, 1));
        if (isLow()) {
            paint::centredText(p, {box.right() + 12, middle}, text, monoFont(11), t.text2);
            paint::centredText(p, {width() - 1.0, middle}, range, monoFont(11), t.text3, Anchor::End);
            continue;
        }
        paint::centredText(p, {box.right() + 12, middle - 7}, text, monoFont(11), t.text2);
        paint::centredText(p, {box.right() + 12, middle + 7}, range, monoFont(11), t.text3);
    }
}

}  // namespace headlight

#include "moc_value_strips.cpp"

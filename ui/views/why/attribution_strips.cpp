// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/why/attribution_strips.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attribution_picture.h"
#include "ui/views/why/attribution_layout.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace attribution_layout;

double scaleEnd(double most) {
    if (!(most > 0) || !std::isfinite(most)) return 1;
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double times : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (times * power >= most * (1 - 1e-9)) return times * power;
    return 10 * power;
}

int scaleDecimals(double most) {
    return most >= 0.1 ? 2 : std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(most, 1e-9)))) + 1, 2, 5);
}

AttributionStrips::AttributionStrips(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
}

void AttributionStrips::setStrips(const QStringList& words, int read, std::vector<AttributionStrip> strips,
                                  AttributionMethod chosen) {
    m_words = words;
    m_read = read;
    m_strips = std::move(strips);
    m_chosen = chosen;
    m_hovered = std::min(m_hovered, static_cast<int>(m_words.size()) - 1);
    QStringList spoken;
    for (size_t strip = 0; strip < m_strips.size(); ++strip) {
        QStringList numbers;
        for (size_t word = 0; word < m_strips[strip].numbers.size(); ++word)
            numbers << QStringLiteral("%1 %2").arg(m_words.value(static_cast<int>(word)),
                                                   written(strip, m_strips[strip].numbers[word]));
        if (!m_strips[strip].instead.isEmpty()) numbers << m_strips[strip].instead;
        spoken << QStringLiteral("%1: %2").arg(attributionTitle(m_strips[strip].method),
                                               numbers.join(QStringLiteral(", ")));
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    place();
    viewport()->update();
}

double AttributionStrips::textWidth() const {
    return std::clamp(viewport()->width() * 0.4, 200.0, 340.0);
}

/// What a method claims and where it misleads, in as many lines as it takes; their height.
double AttributionStrips::layOut(QTextLayout& text, const AttributionStrip& strip) const {
    text.setText(attributionClaim(strip.method) + u' ' + attributionWeakness(strip.method));
    text.setFont(uiFont(kTextPx));
    const Theme& t = Theme::of(this);
    const auto claim = static_cast<int>(attributionClaim(strip.method).size());
    QList<QTextLayout::FormatRange> tones(2);
    tones[0].start = 0;
    tones[0].length = tones[1].start = claim;
    tones[1].length = static_cast<int>(text.text().size()) - claim;
    tones[0].format.setForeground(t.text);
    tones[1].format.setForeground(t.text2);
    text.setFormats(tones);
    double y = 0;
    text.beginLayout();
    for (QTextLine line = text.createLine(); line.isValid(); line = text.createLine()) {
        line.setLineWidth(textWidth() - kStripMargin);
        line.setPosition({0, y});
        y += std::ceil(line.height());
    }
    text.endLayout();
    return y;
}

double AttributionStrips::leastHeight(const AttributionStrip& strip) const {
    QTextLayout text;
    // What a sum closes to has its place from the beginning.
    const double closing = strip.method == AttributionMethod::Integrated ? 18 : 0;
    return kTitle + layOut(text, strip) + closing + 2 * kAround + kApart;
}

/// Columns as wide as there is room for, strips as high; then both scroll.
void AttributionStrips::place() {
    const auto count = static_cast<double>(std::max<qsizetype>(1, m_words.size()));
    const double wide = viewport()->width() - wordsLeft() - kStripMargin - (m_read < m_words.size() ? kStripGap : 0);
    m_cell = std::clamp(wide / count, kNarrowest, kWidest);
    double widest = 0;
    for (const QString& word : m_words)
        widest = std::max(widest, paint::textWidth(word, uiFont(kWordPx, QFont::DemiBold)));
    m_turned = widest * kSmallestWordPx / kWordPx > m_cell - 2;
    m_headHeight = kGroups + (m_turned ? std::min(kTurned, widest + 14) : kWords);
    double all = 0;
    for (const AttributionStrip& strip : m_strips)
        all += leastHeight(strip);
    const double room = viewport()->height() - m_headHeight;
    const double more = m_strips.empty() ? 0 : std::max(0.0, room - all) / static_cast<double>(m_strips.size());
    m_tops.assign(1, 0);
    for (const AttributionStrip& strip : m_strips)
        m_tops.push_back(m_tops.back() + std::floor(leastHeight(strip) + std::min(more, kMostMore)));
    horizontalScrollBar()->setRange(0, static_cast<int>(std::ceil(std::max(0.0, m_cell * count - wide))));
    horizontalScrollBar()->setPageStep(static_cast<int>(std::max(1.0, wide)));
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_cell));
    verticalScrollBar()->setRange(0, static_cast<int>(std::ceil(std::max(0.0, m_tops.back() - room))));
    verticalScrollBar()->setPageStep(static_cast<int>(std::max(1.0, room)));
    verticalScrollBar()->setSingleStep(24);
}

QRectF AttributionStrips::stripRect(size_t strip) const {
    return {0, m_headHeight + m_tops[strip] - verticalScrollBar()->value(), viewport()->width() - 1.0,
            m_tops[strip + 1] - m_tops[strip] - kApart};
}

QRectF AttributionStrips::columnRect(size_t strip, size_t word) const {
    const QRectF area = stripRect(strip);
    const double gap = static_cast<int>(word) >= m_read ? kStripGap : 0;
    return {wordsLeft() + m_cell * static_cast<double>(word) + gap - horizontalScrollBar()->value(), area.top(), m_cell,
            area.height()};
}

AttributionStrips::Ends AttributionStrips::endsOf(size_t strip) const {
    const auto& numbers = m_strips[strip].numbers;
    if (isShare(m_strips[strip].method) || numbers.empty()) return {};
    const auto [low, high] = std::ranges::minmax(numbers);
    Ends ends{low < 0 ? -scaleEnd(-low) : 0, high > 0 ? scaleEnd(high) : 0};
    if (ends.low == ends.high) ends.high = 1;
    return ends;
}

double AttributionStrips::yOf(size_t strip, double value) const {
    const QRectF area = stripRect(strip);
    const Ends ends = endsOf(strip);
    const double top = area.top() + kOver, bottom = area.bottom() - (ends.low < 0 ? kOver : kUnder);
    return bottom - (bottom - top) * (value - ends.low) / (ends.high - ends.low);
}

QRectF AttributionStrips::barRect(size_t strip, size_t word) const {
    const QRectF column = columnRect(strip, word);
    const double zero = yOf(strip, 0), end = yOf(strip, m_strips[strip].numbers[word]);
    const double wide = std::clamp(m_cell * 0.62, 4.0, 40.0);
    return {column.center().x() - wide / 2, std::min(zero, end), wide, std::abs(zero - end)};
}

QString AttributionStrips::written(size_t strip, double value) const {
    if (isShare(m_strips[strip].method)) return formatNumber(value, 2);
    const Ends ends = endsOf(strip);
    return formatSigned(value, scaleDecimals(std::max(ends.high, -ends.low)));
}

bool AttributionStrips::hasNumbers(size_t strip) const {
    double widest = 0;
    for (const double number : m_strips[strip].numbers)
        widest = std::max(widest, paint::textWidth(written(strip, number), monoFont(kNumberPx)));
    return widest <= m_cell - 2;
}

int AttributionStrips::stripAt(QPointF at) const {
    for (size_t strip = 0; at.y() >= m_headHeight && strip < m_strips.size(); ++strip)
        if (stripRect(strip).contains(at)) return static_cast<int>(strip);
    return -1;
}

int AttributionStrips::wordAt(QPointF at) const {
    if (at.x() < wordsLeft() || m_strips.empty()) return -1;
    for (size_t word = 0; word < static_cast<size_t>(m_words.size()); ++word) {
        const QRectF column = columnRect(0, word);
        if (at.x() >= column.left() && at.x() < column.right()) return static_cast<int>(word);
    }
    return -1;
}

void AttributionStrips::hover(int word) {
    if (std::exchange(m_hovered, word) != word) viewport()->update();
}

void AttributionStrips::resizeEvent(QResizeEvent*) {
    place();
}

void AttributionStrips::mousePressEvent(QMouseEvent* event) {
    const int strip = stripAt(event->position());
    if (event->button() == Qt::LeftButton && strip >= 0) emit chosen(m_strips[static_cast<size_t>(strip)].method);
}

void AttributionStrips::mouseMoveEvent(QMouseEvent* event) {
    hover(wordAt(event->position()));
    viewport()->setCursor(stripAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void AttributionStrips::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    const auto at = std::ranges::find(m_strips, m_chosen, &AttributionStrip::method);
    if (arrow.down != 0 && at != m_strips.end()) {
        const auto next = (at - m_strips.begin()) + arrow.down;
        if (next >= 0 && next < static_cast<std::ptrdiff_t>(m_strips.size()))
            emit chosen(m_strips[static_cast<size_t>(next)].method);
        return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

bool AttributionStrips::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hover(-1);
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int strip = stripAt(help->pos()), word = wordAt(help->pos());
    const bool known =
        strip >= 0 && word >= 0 && static_cast<size_t>(word) < m_strips[static_cast<size_t>(strip)].numbers.size();
    if (!known) {
        QToolTip::hideText();
        return true;
    }
    const AttributionStrip& each = m_strips[static_cast<size_t>(strip)];
    QToolTip::showText(help->globalPos(),
                       tr("%1, %2: %3")
                           .arg(m_words.value(word), attributionName(each.method),
                                formatPrecise(each.numbers[static_cast<size_t>(word)])),
                       viewport());
    return true;
}

}  // namespace headlight

#include "moc_attribution_strips.cpp"

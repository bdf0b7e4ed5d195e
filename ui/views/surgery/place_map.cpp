// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/surgery/place_map.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kMapWords = 24, kGap = 10, kWidest = 168, kNarrowest = 14, kTallest = 128, kLowest = 17, kNumber = 28,
                 kWideNumber = 35;
/// Of a row; higher ones come of what is left. More, and the maps would scroll before they are low.
constexpr double kWanted = 17;

}  // namespace

PlaceMap::PlaceMap(const QString& name, ColorScale scale, QWidget* parent)
    : QWidget(parent), m_header(kMapWords), m_scale(scale) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void PlaceMap::setMap(const QStringList& depths, const QStringList& words, Numbers numbers,
                      const QStringList& spokenNames) {
    m_depths = depths;
    m_spoken = spokenNames.isEmpty() ? depths : spokenNames;
    m_words = words;
    m_numbers = std::move(numbers);
    QStringList spoken;
    for (size_t depth = 0; depth < m_numbers.size(); ++depth) {
        QStringList row;
        for (const std::optional<double>& number : m_numbers[depth])
            row << (number ? formatNumber(*number) : tr("none"));
        spoken << QStringLiteral("%1: %2").arg(m_spoken.value(static_cast<int>(depth)), row.join(u' '));
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    setVisible(!m_numbers.empty());
    boundHeight();
    update();
}

void PlaceMap::setDepths(const QStringList& depths) {
    m_depths = depths;
    updateGeometry();
    update();
}

double PlaceMap::squaresWanted(int columns) {
    return kNarrowest * columns + 2;
}

void PlaceMap::setMarked(std::vector<Place> marked, Place chosen) {
    m_marked = std::move(marked);
    m_chosen = chosen;
    update();
}

void PlaceMap::setTried(Place place) {
    if (std::exchange(m_tried, place) != place) update();
}

void PlaceMap::point(Place place) {
    if (std::exchange(m_pointed, place) != place) emit pointed(place.depth, place.position);
}

double PlaceMap::namesWanted() const {
    double widest = 0;
    for (const QString& name : m_depths)
        widest = std::max(widest, paint::textWidth(name, uiFont(12, QFont::DemiBold)));
    return widest > 0 ? widest + kGap : 0;
}

void PlaceMap::setNamesWidth(double width) {
    if (std::exchange(m_names, width) == width) return;
    updateGeometry();
    update();
}

double PlaceMap::namesWidth() const {
    return std::min(std::max(m_names, namesWanted()), width() * kMostForNames);
}

double PlaceMap::cellWidth() const {
    return std::clamp((width() - namesWidth() - 2) / std::max(1, columns()), kNarrowest, kWidest);
}

double PlaceMap::cellHeight() const {
    const double rows = static_cast<double>(std::max<size_t>(1, m_numbers.size()));
    return std::clamp((height() - m_header - 2) / rows, kLowest, kTallest);
}

/// No more than its squares take: what stands below follows them.
void PlaceMap::boundHeight() {
    setMaximumHeight(static_cast<int>(m_header + kTallest * rows()) + 4);
    updateGeometry();
}

QSize PlaceMap::sizeHint() const {
    return {static_cast<int>(130 + 44 * columns()),
            static_cast<int>(m_header + kWanted * static_cast<double>(m_numbers.size())) + 4};
}

QSize PlaceMap::minimumSizeHint() const {
    // The names take four tenths at most.
    const double squares = squaresWanted(columns());
    return {static_cast<int>(
                std::ceil(std::min(squares + std::max(m_names, namesWanted()), squares / (1 - kMostForNames)))),
            static_cast<int>(m_header + kLowest * static_cast<double>(m_numbers.size())) + 4};
}

QRectF PlaceMap::cellRect(Place place) const {
    return {namesWidth() + place.position * cellWidth(), m_header + place.depth * cellHeight(), cellWidth(),
            cellHeight()};
}

PlaceMap::Place PlaceMap::placeAt(QPointF at) const {
    const Place place{static_cast<int>(std::floor((at.y() - m_header) / cellHeight())),
                      static_cast<int>(std::floor((at.x() - namesWidth()) / cellWidth()))};
    const bool inside = place.depth >= 0 && static_cast<size_t>(place.depth) < m_numbers.size() &&
                        place.position >= 0 && place.position < columns();
    return inside ? place : Place();
}

/// Alike in the whole map: a minus takes the room of a digit.
int PlaceMap::decimalsThatFit(const QFont& font) const {
    constexpr int kUsual = 2;
    for (const auto& row : m_numbers)
        for (const std::optional<double>& number : row)
            if (number && paint::textWidth(formatNumber(*number, kUsual), font) > cellWidth() - 2) return kUsual - 1;
    return kUsual;
}

double PlaceMap::headerWanted() const {
    double longest = 0;
    for (const QString& word : m_words)
        longest = std::max(longest, paint::textWidth(word, uiFont(12, QFont::DemiBold)));
    constexpr double kMost = 96;
    return longest <= cellWidth() - 2 ? kMapWords : std::min(longest + 10, kMost);
}

void PlaceMap::setHeader(double height) {
    if (std::exchange(m_header, height) == height) return;
    boundHeight();
    update();
}

void PlaceMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    emit resized();
}

void PlaceMap::paintWords(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const double wide = cellWidth();
    const bool stand = m_header > kMapWords;
    for (int column = 0; column < columns(); ++column) {
        const bool on = m_chosen.position == column;
        const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Normal);
        const QColor color = on ? t.nowText : t.text2;
        const double x = namesWidth() + (column + 0.5) * wide;
        const QString text = paint::elided(m_words[column], font, stand ? m_header - 8 : wide - 2);
        if (!stand) {
            paint::centredText(p, {x, m_header / 2 - 2}, text, font, color, Anchor::Middle);
            continue;
        }
        p.save();
        p.translate(x, m_header - 4);
        p.rotate(-90);
        paint::centredText(p, {0, 0}, text, font, color);
        p.restore();
    }
}

void PlaceMap::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintWords(p);
    const QFont digits = monoFont(cellWidth() < kWideNumber ? 10 : 11);
    const int decimals = decimalsThatFit(digits);
    for (size_t row = 0; row < m_numbers.size(); ++row) {
        const int depth = static_cast<int>(row);
        const double middle = cellRect({depth, 0}).center().y();
        const bool on = m_chosen.depth == depth;
        const QFont font = uiFont(12, on ? QFont::DemiBold : QFont::Normal);
        const QString name = m_depths.value(depth);
        if (!name.isEmpty())
            paint::centredText(p, {0, middle}, paint::elided(name, font, namesWidth() - kGap), font,
                               on ? t.nowText : t.text2);
        for (int column = 0; column < static_cast<int>(m_numbers[row].size()); ++column) {
            const QRectF cell = cellRect({depth, column}).adjusted(0.5, 0.5, -0.5, -0.5);
            const std::optional<double>& number = m_numbers[row][static_cast<size_t>(column)];
            if (!number && m_empty == Empty::Unreached) {
                paint::box(p, cell, t.surface, t.line);
                continue;
            }
            if (!number) {
                paint::hatch(p, cell, t.hatchGround, t.hatch);
                continue;
            }
            // Nothing is as light as the ground: the frame says where the square is.
            const QColor fill = m_scale.color(t, *number);
            paint::box(p, cell, fill, t.line);
            if (cell.width() >= kNumber && cell.height() >= 15)
                paint::centredText(p, cell.center(), formatNumber(*number, decimals), digits, Theme::onColor(fill),
                                   Anchor::Middle);
        }
    }
    if (m_empty == Empty::Unreached) paintReached(p);
    for (const Place& place : m_marked)
        paint::outline(p, cellRect(place).adjusted(1, 1, -1, -1), t.nowLine, place == m_chosen ? 3 : 1.5, 3);
    if (m_tried.depth >= 0) {
        p.setPen(QPen(t.nowLine, 2, Qt::DashLine));
        p.setBrush(Qt::NoBrush);
        p.drawRoundedRect(cellRect(m_tried).adjusted(1, 1, -1, -1), 3, 3);
    }
    if (hasFocus() && m_cursor.depth >= 0) paint::outline(p, cellRect(m_cursor).adjusted(2, 2, -2, -2), t.ink, 1.5, 2);
}

bool PlaceMap::isReached(Place place) const {
    if (place.depth < 0 || place.position < 0 || static_cast<size_t>(place.depth) >= m_numbers.size()) return false;
    const auto& row = m_numbers[static_cast<size_t>(place.depth)];
    return static_cast<size_t>(place.position) < row.size() && row[static_cast<size_t>(place.position)].has_value();
}

/// A line between what was reached and what was not.
void PlaceMap::paintReached(QPainter& p) const {
    p.setPen(QPen(Theme::of(this).nowLine, 1.5));
    for (int depth = 0; static_cast<size_t>(depth) < m_numbers.size(); ++depth)
        for (int position = 0; position < columns(); ++position) {
            if (!isReached({depth, position})) continue;
            const QRectF cell = cellRect({depth, position});
            if (!isReached({depth - 1, position})) p.drawLine(cell.topLeft(), cell.topRight());
            if (!isReached({depth + 1, position})) p.drawLine(cell.bottomLeft(), cell.bottomRight());
            if (!isReached({depth, position - 1})) p.drawLine(cell.topLeft(), cell.bottomLeft());
            if (!isReached({depth, position + 1})) p.drawLine(cell.topRight(), cell.bottomRight());
        }
}

void PlaceMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) m_pressed = m_cursor = placeAt(event->position());
}

/// Let go where it was taken, it is a click.
void PlaceMap::mouseReleaseEvent(QMouseEvent* event) {
    const Place from = std::exchange(m_pressed, {});
    if (from.depth < 0 || event->button() != Qt::LeftButton) return;
    if (placeAt(event->position()) == from)
        emit chosen(from.depth, from.position);
    else if (!rect().contains(event->position().toPoint()))
        emit dropped(from.depth, from.position, event->globalPosition().toPoint());
}

/// While a square is dragged it stays the one that is meant.
void PlaceMap::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed.depth < 0) point(placeAt(event->position()));
}

void PlaceMap::leaveEvent(QEvent* event) {
    if (m_pressed.depth < 0) point({});
    QWidget::leaveEvent(event);
}

void PlaceMap::focusOutEvent(QFocusEvent* event) {
    point({});
    QWidget::focusOutEvent(event);
}

void PlaceMap::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    const int last = static_cast<int>(m_numbers.size()) - 1;
    if (!arrow.isNone() && last >= 0) {
        m_cursor.depth = std::clamp(m_cursor.depth + arrow.down, 0, last);
        m_cursor.position = std::clamp(m_cursor.position + arrow.right, 0, columns() - 1);
        update();
        point(m_cursor);
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (m_cursor.depth >= 0) emit chosen(m_cursor.depth, m_cursor.position);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool PlaceMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place place = placeAt(help->pos());
    if (place.depth < 0) {
        QToolTip::hideText();
        return true;
    }
    const std::optional<double>& number =
        m_numbers[static_cast<size_t>(place.depth)][static_cast<size_t>(place.position)];
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("%1, “%2”: %3")
                           .arg(m_spoken.value(place.depth), m_words.value(place.position),
                                number                        ? formatPrecise(*number)
                                : m_empty == Empty::Unreached ? tr("not reached")
                                                              : tr("there is no such piece")),
                       this);
    return true;
}

}  // namespace headlight

#include "moc_place_map.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/word_river.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kRiverHead = 44, kTallHead = 60, kBottom = 8, kLeft = 40, kRight = 88, kRiverWidest = 40,
                 kNarrowest = 14;
constexpr double kLine = 15;       ///< a row of text needs so much
constexpr double kFarthest = 320;  ///< columns stand no farther apart

struct Colors {
    QColor bar, ribbon, ink;
};

Colors colorsOf(const Theme& t, WordRiver::Role role) {
    switch (role) {
        case WordRiver::Role::Now:
            return {t.now, t.nowTint, t.nowText};
        case WordRiver::Role::May:
            return {t.sequentialStops[4], t.sequentialStops[2], t.text};
        case WordRiver::Role::Cut:
        case WordRiver::Role::Special:
            return {t.line2, t.line, t.text2};
    }
    return {};
}

}  // namespace

WordRiver::WordRiver(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Probabilities of the next word"));
}

void WordRiver::setColumns(std::vector<Column> columns) {
    m_columns = std::move(columns);
    m_widestTitle.reset();
    if (std::ranges::any_of(m_columns, [](const Column& of) { return !of.more.isEmpty(); }))
        for (const Column& of : m_columns)
            m_widestTitle =
                std::max({m_widestTitle.value_or(0), paint::textWidth(of.title, uiFont(12, QFont::DemiBold)),
                          paint::textWidth(of.more, uiFont(11))});
    m_hovered = {};
    m_focused = {static_cast<int>(m_columns.size()) - 1, 0};
    update();
}

void WordRiver::setEmptyText(const QString& text) {
    m_empty = text;
    update();
}

void WordRiver::setCurrent(int column) {
    m_current = column;
    update();
}

double WordRiver::apart() const {
    const auto count = static_cast<double>(std::max<size_t>(m_columns.size(), 1));
    return std::min(kFarthest, (width() - kLeft - kRight - columnWidth()) / std::max(1.0, count - 1));
}

double WordRiver::columnWidth() const {
    const auto count = static_cast<double>(std::max<size_t>(m_columns.size(), 1));
    return std::clamp((width() - kLeft - kRight) / count * 0.5, kNarrowest, kRiverWidest);
}

double WordRiver::left(int column) const {
    return kLeft + column * apart();
}

/// Columns with notes that are too narrow for what stands above them.
bool WordRiver::isNarrow() const {
    return m_widestTitle && *m_widestTitle > apart() - 6;
}

double WordRiver::top() const {
    return isNarrow() ? kTallHead : kRiverHead;
}

QRectF WordRiver::areaOf(int column, int piece) const {
    const Column& of = m_columns[static_cast<size_t>(column)];
    const double head = top(), tall = height() - head - kBottom;
    double above = 0;
    for (int i = 0; i < piece; ++i)
        above += of.pieces[static_cast<size_t>(i)].share;
    const bool isRest = piece == std::ssize(of.pieces);
    const double share = isRest ? of.rest : of.pieces[static_cast<size_t>(piece)].share;
    return {left(column), head + above * tall, columnWidth(), share * tall};
}

std::optional<int> WordRiver::pieceOf(int column, int id) const {
    if (column < 0 || column >= std::ssize(m_columns)) return {};
    const auto& pieces = m_columns[static_cast<size_t>(column)].pieces;
    const auto at = std::ranges::find(pieces, id, &Piece::id);
    return at == pieces.end() ? std::nullopt : std::optional(static_cast<int>(at - pieces.begin()));
}

/// A word is named once in each stretch of columns that have it, where it is tallest, and behind the last column.
std::vector<WordRiver::Label> WordRiver::makeLabels() const {
    std::vector<Label> labels;
    const double room = apart() - columnWidth() - 8;
    const auto columns = static_cast<int>(m_columns.size());
    const auto add = [&](int column, int piece, const QString& text, Role role, bool isRest) {
        const QRectF area = areaOf(column, piece);
        if (area.height() < kLine) return;
        const bool last = column + 1 == columns;
        double y = area.center().y();
        if (!last && !isRest) {
            // In the middle of its ribbon, where the ribbon goes on.
            const int id = m_columns[static_cast<size_t>(column)].pieces[static_cast<size_t>(piece)].id;
            if (const auto next = pieceOf(column + 1, id)) y += (areaOf(column + 1, *next).center().y() - y) * 0.2;
            // A thin ribbon that falls far would leave its word to its neighbour.
            y = std::clamp(y, area.top() + kLine / 2, area.bottom() - kLine / 2);
        }
        labels.push_back({text, {area.right() + 6, y}, last ? kRight - 8 : room, role, isRest});
    };
    for (int column = 0; column < columns; ++column) {
        const Column& of = m_columns[static_cast<size_t>(column)];
        for (int piece = 0; piece < std::ssize(of.pieces); ++piece) {
            const Piece& word = of.pieces[static_cast<size_t>(piece)];
            bool tallest = true;
            for (const int step : {-1, 1})
                for (int at = column + step; tallest; at += step) {
                    const auto other = pieceOf(at, word.id);
                    if (!other) break;
                    const double share = m_columns[static_cast<size_t>(at)].pieces[static_cast<size_t>(*other)].share;
                    tallest = step < 0 ? share <= word.share : share < word.share;
                }
            if (tallest || column + 1 == columns) add(column, piece, word.word, word.role, false);
        }
    }
    if (columns > 0) {
        const auto most = std::ranges::max_element(m_columns, {}, &Column::rest);
        add(static_cast<int>(most - m_columns.begin()), static_cast<int>(most->pieces.size()), most->restText,
            Role::Cut, true);
    }
    return labels;
}

QStringList WordRiver::labels() const {
    QStringList texts;
    for (const Label& label : makeLabels())
        texts << label.text;
    return texts;
}

void WordRiver::paintRibbons(QPainter& p, const Theme& t) const {
    const int hovered =
        m_hovered.piece >= 0 && m_hovered.piece < std::ssize(m_columns[static_cast<size_t>(m_hovered.column)].pieces)
            ? m_columns[static_cast<size_t>(m_hovered.column)].pieces[static_cast<size_t>(m_hovered.piece)].id
            : -1;
    const auto ribbon = [&](const QRectF& a, const QRectF& b, const QColor& fill) {
        const double middle = (a.right() + b.left()) / 2;
        QPainterPath path(a.topRight());
        path.cubicTo({middle, a.top()}, {middle, b.top()}, b.topLeft());
        path.lineTo(b.bottomLeft());
        path.cubicTo({middle, b.bottom()}, {middle, a.bottom()}, a.bottomRight());
        path.closeSubpath();
        p.fillPath(path, fill);
        p.setPen(QPen(t.surface, 1));
        p.setBrush(Qt::NoBrush);
        p.drawPath(path);
    };
    for (int column = 0; column + 1 < std::ssize(m_columns); ++column) {
        const Column& of = m_columns[static_cast<size_t>(column)];
        const Column& next = m_columns[static_cast<size_t>(column) + 1];
        ribbon(areaOf(column, static_cast<int>(of.pieces.size())),
               areaOf(column + 1, static_cast<int>(next.pieces.size())), t.sunken);
        for (int piece = 0; piece < std::ssize(of.pieces); ++piece) {
            const Piece& word = of.pieces[static_cast<size_t>(piece)];
            const auto other = pieceOf(column + 1, word.id);
            if (!other) continue;
            const bool both = word.role == next.pieces[static_cast<size_t>(*other)].role;
            const Role role = word.id == hovered ? Role::Now : both ? word.role : Role::May;
            ribbon(areaOf(column, piece), areaOf(column + 1, *other), colorsOf(t, role).ribbon);
        }
    }
}

void WordRiver::paintColumns(QPainter& p, const Theme& t) const {
    const bool numbers = columnWidth() >= 27;
    const QFont digits = monoFont(11, QFont::Medium);
    for (int column = 0; column < std::ssize(m_columns); ++column) {
        const Column& of = m_columns[static_cast<size_t>(column)];
        for (int piece = 0; piece <= std::ssize(of.pieces); ++piece) {
            const QRectF area = areaOf(column, piece);
            const bool isRest = piece == std::ssize(of.pieces);
            const Role role = isRest ? Role::Cut : of.pieces[static_cast<size_t>(piece)].role;
            const QColor fill = isRest ? t.line : colorsOf(t, role).bar;
            if (role == Role::Special)
                paint::hatch(p, area, t.hatchGround, t.hatch);
            else
                p.fillRect(area, fill);
            // A line between neighbours takes nothing of their heights.
            if (area.height() > 3) p.fillRect(QRectF(area.left(), area.top() - 0.5, area.width(), 1), t.surface);
            if (numbers && area.height() >= kLine) {
                const double share = isRest ? of.rest : of.pieces[static_cast<size_t>(piece)].share;
                paint::centredText(p, area.center(), formatNumber(share), digits, Theme::onColor(fill), Anchor::Middle);
            }
        }
        if (column == m_current) {
            const QRectF all(left(column), top(), columnWidth(), height() - top() - kBottom);
            paint::outline(p, all.adjusted(-2, -2, 2, 2), t.nowLine, 2, 2);
        }
    }
    if (m_hovered.column >= 0) paint::outline(p, areaOf(m_hovered.column, m_hovered.piece), t.text, 1);
    if (hasFocus() && m_focused.column >= 0 && m_focused.column < std::ssize(m_columns))
        paint::outline(p, areaOf(m_focused.column, m_focused.piece).adjusted(-1, -1, 1, 1), t.ink, 2);
}

/// Each title once over all columns that have it, a numbered one that is too wide by its number alone; every other note
/// a line lower.
void WordRiver::paintNarrowTitles(QPainter& p, const Theme& t) const {
    const QFont title = uiFont(12, QFont::DemiBold), small = uiFont(11);
    const auto centre = [&](int column) { return left(column) + columnWidth() / 2; };
    const auto columns = static_cast<int>(m_columns.size());
    // A title that is wider than its column takes room of its neighbours, which then are numbers too.
    const bool isTight = std::ranges::any_of(
        m_columns, [&](const Column& of) { return paint::textWidth(of.title, title) > apart() - 4; });
    for (int first = 0, next = 0; first < columns; first = next) {
        const QString& text = m_columns[static_cast<size_t>(first)].title;
        while (next < columns && m_columns[static_cast<size_t>(next)].title == text)
            ++next;
        const double middle = (centre(first) + centre(next - 1)) / 2;
        const double room = std::min((next - first + 0.5) * apart() - 4, 2 * middle);
        const bool now = first <= m_current && m_current < next;
        const bool isNumbered = !text.isEmpty() && text.back().isDigit();
        const bool fits =
            paint::textWidth(text, title) <= (next - first) * apart() - 4 && !(isTight && next == first + 1);
        const QString shown = isNumbered && !fits ? text.section(u' ', -1) : paint::elided(text, title, room);
        paint::centredText(p, {middle, 14}, shown, title, now ? t.nowText : t.text, Anchor::Middle);
    }
    for (int column = 0; column < columns; ++column) {
        const double room = std::min(2 * apart() - 4, 2 * centre(column));
        paint::centredText(p, {centre(column), column % 2 == 1 ? 46.0 : 30.0},
                           paint::elided(m_columns[static_cast<size_t>(column)].more, small, room), small, t.text3,
                           Anchor::Middle);
    }
}

void WordRiver::paintTitles(QPainter& p, const Theme& t) const {
    const QFont title = uiFont(12, QFont::DemiBold), small = uiFont(11);
    // Columns of words that are too narrow for them: every other word stands lower, where no note is.
    const bool isStaggered = std::ranges::all_of(m_columns, [](const Column& of) { return of.more.isEmpty(); }) &&
                             std::ranges::any_of(m_columns, [&](const Column& of) {
                                 return paint::textWidth(of.title, title) > apart() - 6;
                             });
    if (isNarrow()) paintNarrowTitles(p, t);
    for (int column = 0; !isNarrow() && column < std::ssize(m_columns); ++column) {
        const Column& of = m_columns[static_cast<size_t>(column)];
        const double centre = std::max(left(column) + columnWidth() / 2, 0.0);
        const double room = isStaggered ? 2 * apart() - 4 : std::min(apart() - 6, 2 * centre);
        const bool now = column == m_current;
        const QFont fit = paint::fitting(of.title, title, room);
        const double y = isStaggered && column % 2 == 1 ? 30 : 14;
        paint::centredText(p, {centre, y}, paint::elided(of.title, fit, room), fit, now ? t.nowText : t.text,
                           Anchor::Middle);
        paint::centredText(p, {centre, 30}, paint::elided(of.more, small, room), small, t.text3, Anchor::Middle);
    }
    const QFont word = uiFont(12, QFont::Medium);
    for (const Label& label : makeLabels()) {
        if (label.room < 24) continue;
        const bool fits = paint::textWidth(label.text, word) <= label.room;
        const QFont font = label.isRest || !fits ? paint::fitting(label.text, small, label.room) : word;
        if (paint::textWidth(label.text, font) > label.room) continue;  // the hint tells it
        paint::centredText(p, label.at, label.text, font,
                           label.role == Role::Now ? t.nowText
                           : label.isRest          ? t.text3
                                                   : t.text);
    }
}

void WordRiver::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_columns.empty()) {
        p.setFont(uiFont(13));
        p.setPen(t.text2);
        p.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
        return;
    }
    paintRibbons(p, t);
    paintColumns(p, t);
    paintTitles(p, t);
}

WordRiver::Place WordRiver::placeAt(QPointF at) const {
    for (int column = 0; column < std::ssize(m_columns); ++column)
        for (int piece = 0; piece <= std::ssize(m_columns[static_cast<size_t>(column)].pieces); ++piece) {
            const QRectF area = areaOf(column, piece);
            // Its ribbon's beginning belongs to it.
            if (area.adjusted(0, -1, (apart() - columnWidth()) / 2, 1).contains(at)) return {column, piece};
        }
    return {};
}

QString WordRiver::hintOf(const Place& place) const {
    const Column& of = m_columns[static_cast<size_t>(place.column)];
    if (place.piece == std::ssize(of.pieces)) return QStringLiteral("%1: %2").arg(of.restText, formatPrecise(of.rest));
    const Piece& piece = of.pieces[static_cast<size_t>(place.piece)];
    const QString more = piece.role == Role::Special ? tr(" (never written)") : QString();
    return QStringLiteral("%1: %2%3").arg(piece.word, formatPrecise(piece.share), more);
}

bool WordRiver::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place place = placeAt(help->pos());
    if (place.column < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), hintOf(place), this);
    return true;
}

void WordRiver::mouseMoveEvent(QMouseEvent* event) {
    const Place place = placeAt(event->position());
    if (place == m_hovered) return;
    m_hovered = place;
    update();
}

void WordRiver::leaveEvent(QEvent*) {
    m_hovered = {};
    update();
}

void WordRiver::mousePressEvent(QMouseEvent* event) {
    if (event->position().y() < top()) {
        for (int column = 0; column < std::ssize(m_columns); ++column)
            if (std::abs(event->position().x() - left(column) - columnWidth() / 2) < apart() / 2)
                return emit columnChosen(column);
        return;
    }
    const Place place = placeAt(event->position());
    if (place.column < 0) return;
    const auto& pieces = m_columns[static_cast<size_t>(place.column)].pieces;
    if (place.piece < std::ssize(pieces)) emit wordChosen(place.column, pieces[static_cast<size_t>(place.piece)].id);
}

void WordRiver::keyPressEvent(QKeyEvent* event) {
    if (m_columns.empty()) return QWidget::keyPressEvent(event);
    const auto columns = static_cast<int>(m_columns.size());
    if (const ArrowKey arrow(event->key()); !arrow.isNone()) {
        m_focused.column = std::clamp(m_focused.column + arrow.right, 0, columns - 1);
        const auto last = static_cast<int>(m_columns[static_cast<size_t>(m_focused.column)].pieces.size()) - 1;
        m_focused.piece = std::clamp(m_focused.piece + arrow.down, 0, std::max(0, last));
        setAccessibleDescription(hintOf(m_focused));
        return update();
    }
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QWidget::keyPressEvent(event);
    const auto& pieces = m_columns[static_cast<size_t>(m_focused.column)].pieces;
    if (m_focused.piece < std::ssize(pieces))
        emit wordChosen(m_focused.column, pieces[static_cast<size_t>(m_focused.piece)].id);
}

}  // namespace headlight

#include "moc_word_river.cpp"

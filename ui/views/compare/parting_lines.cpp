// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/parting_lines.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 46, kRight = 6, kAbove = 18, kBelow = 26;
constexpr double kNear = 10;  ///< a line is pointed at from that far
/// Further apart than ten times A itself is all the same far: there the scale ends, and says so.
constexpr double kMostApart = 10;

double mostOf(const DivergenceMap::Band& band) {
    double most = 0;
    for (const DivergenceMap::Column& column : band.columns)
        for (const double apart : column.of.rows)
            if (!std::isnan(apart)) most = std::max(most, apart);
    return most;
}

/// The next round share above the largest.
double topFor(double most) {
    for (const double top : {0.1, 0.2, 0.5, 1.0, 1.2, 1.6, 2.0, 3.0, 5.0, 7.5})
        if (most <= top) return top;
    return kMostApart;
}

QString percent(double value) {
    return std::isnan(value) ? QStringLiteral("–") : formatPercent(value, 0);
}

}  // namespace

PartingLines::PartingLines(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Where they part, word by word"));
}

void PartingLines::setBand(const DivergenceMap::Band& band, const std::vector<char>& lost) {
    m_band = band;
    // What is made of a whole sentence has no row for a word, and no place in its line.
    const auto isByWord = [&](const DivergenceMap::Column& column) {
        return std::ssize(column.of.rows) == m_band.words.size();
    };
    std::erase_if(m_band.columns, std::not_fn(isByWord));
    m_lost = lost;
    m_hovered = -1;
    const double most = mostOf(m_band);
    m_top = topFor(most);
    m_isCut = most > m_top;
    QStringList spoken;
    for (int word = 0; word < m_band.words.size(); ++word) {
        QStringList numbers;
        for (const DivergenceMap::Column& column : m_band.columns)
            numbers << percent(apartAt(column, word));
        spoken << QStringLiteral("%1: %2").arg(m_band.words[word], numbers.join(u' '));
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

void PartingLines::setCurrent(const QString& scope, int word) {
    m_scope = scope;
    m_word = word;
    update();
}

double PartingLines::apartAt(const DivergenceMap::Column& column, int word) const {
    return column.of.rows[static_cast<size_t>(word)];
}

QRectF PartingLines::plot() const {
    return QRectF(rect()).adjusted(kLeft, kAbove, -kRight, -kBelow);
}

double PartingLines::xOf(size_t column) const {
    const double steps = std::max<double>(1, static_cast<double>(m_band.columns.size()) - 1);
    return plot().left() + plot().width() * static_cast<double>(column) / steps;
}

double PartingLines::yOf(double apart) const {
    return plot().bottom() - plot().height() * std::min(apart, m_top) / m_top;
}

std::vector<QPolygonF> PartingLines::lineOf(int word) const {
    std::vector<QPolygonF> pieces(1);
    for (size_t column = 0; column < m_band.columns.size(); ++column) {
        const double apart = apartAt(m_band.columns[column], word);
        if (!std::isnan(apart))
            pieces.back() << QPointF(xOf(column), yOf(apart));
        else if (!pieces.back().isEmpty())
            pieces.emplace_back();
    }
    if (pieces.back().isEmpty()) pieces.pop_back();
    return pieces;
}

int PartingLines::columnOf(double x) const {
    const int last = static_cast<int>(m_band.columns.size()) - 1;
    return std::clamp(static_cast<int>(std::lround((x - plot().left()) / plot().width() * last)), 0, last);
}

int PartingLines::currentColumn() const {
    const auto at = std::ranges::find(m_band.columns, m_scope, &DivergenceMap::Column::scope);
    return at == m_band.columns.end() ? -1 : static_cast<int>(at - m_band.columns.begin());
}

bool PartingLines::isLost(int word) const {
    return word >= 0 && word < std::ssize(m_lost) && m_lost[static_cast<size_t>(word)] != 0;
}

int PartingLines::wordAt(QPointF at) const {
    int nearest = -1;
    double least = kNear;
    for (int word = 0; word < m_band.words.size(); ++word)
        for (const QPolygonF& piece : lineOf(word))
            for (qsizetype i = 0; i < piece.size(); ++i) {
                const QPointF from = piece[std::max<qsizetype>(0, i - 1)], to = piece[i];
                if (at.x() < from.x() - kNear || at.x() > to.x() + kNear) continue;
                const double along =
                    to.x() > from.x() ? std::clamp((at.x() - from.x()) / (to.x() - from.x()), 0.0, 1.0) : 0.0;
                const QPointF apart = at - paint::between(from, to, along);
                if (const double far = std::hypot(apart.x(), apart.y()); far < least) {
                    least = far;
                    nearest = word;
                }
            }
    return nearest;
}

bool PartingLines::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_band.columns.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const DivergenceMap::Column& column =
        m_band.columns[static_cast<size_t>(columnOf(static_cast<double>(help->pos().x())))];
    QString text =
        QStringLiteral("%1: %2").arg(moduleTitle(column.of.value->owner()), formatPercent(column.of.whole, 1));
    if (const int word = wordAt(help->pos()); word >= 0)
        text += QStringLiteral("\n“%1”: %2").arg(m_band.words[word], percent(apartAt(column, word)));
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void PartingLines::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = wordAt(event->position());
    setCursor(m_hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void PartingLines::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void PartingLines::mousePressEvent(QMouseEvent* event) {
    if (m_band.columns.empty()) return;
    const int word = wordAt(event->position());
    const auto column = static_cast<size_t>(columnOf(event->position().x()));
    emit chosen(QString::fromStdString(m_band.columns[column].of.value->name));
    if (word >= 0) emit wordChosen(word);
}

void PartingLines::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (arrow.isNone() || m_band.columns.empty()) return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_band.columns.size()) - 1;
    if (arrow.right != 0) {
        const int to = std::clamp(currentColumn() + arrow.right, 0, last);
        return emit chosen(QString::fromStdString(m_band.columns[static_cast<size_t>(to)].of.value->name));
    }
    emit wordChosen(std::clamp(m_word + arrow.down, 0, static_cast<int>(m_band.words.size()) - 1));
}

void PartingLines::paintScale(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = yOf(share * m_top);
        p.setPen(QPen(share > 0 ? t.line : t.line2, 1, share > 0 ? Qt::DashLine : Qt::SolidLine));
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 6, y}, share > 0 ? percent(share * m_top) : QStringLiteral("0"),
                           monoFont(11), t.text3, Anchor::End);
    }
    if (m_top == kMostApart) paint::centredText(p, {area.left(), area.top() - 10}, tr("and more"), uiFont(11), t.text3);
    if (const int at = currentColumn(); at >= 0) {
        const double x = xOf(static_cast<size_t>(at));
        p.fillRect(QRectF(x - 7, area.top(), 14, area.height()), t.beam);
        p.setPen(QPen(t.nowLine, 1));
        p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

/// Which layer the modules stand in, below them.
void PartingLines::paintLayers(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QColor color = m_band.stack == Stack::Decoder ? t.decoder : t.encoder;
    const double y = plot().bottom() + 8;
    const DivergenceMap::Column& last = m_band.columns.back();
    const double end = plot().right() + kRight;
    // What stands behind the layers is named at the end; a layer that would run into that name is a number.
    const double room = last.layer < 0 ? end - paint::textWidth(last.title.toLower(), uiFont(11)) - 6 : end;
    for (size_t from = 0; from < m_band.columns.size();) {
        size_t to = from;
        while (to + 1 < m_band.columns.size() && m_band.columns[to + 1].layer == m_band.columns[from].layer)
            ++to;
        const int layer = m_band.columns[from].layer;
        if (layer >= 0) {
            // From half of the way that leads into it to half of the way out.
            const double left = from > 0 ? (xOf(from - 1) + xOf(from)) / 2 + 2 : xOf(from) - 2;
            const double right =
                to + 1 < m_band.columns.size() ? (xOf(to) + xOf(to + 1)) / 2 - 2 : plot().right() + kRight;
            p.setPen(QPen(color, 1));
            p.drawLine(QPointF(left, y), QPointF(right, y));
            const QString whole = tr("layer %1").arg(layer + 1);
            const double width = paint::textWidth(whole, uiFont(11));
            const bool fits = width < right - left && (left + right + width) / 2 <= room;
            const bool isFew = right - left > 14 || layer % 4 == 3 || layer == 0;
            if (isFew)
                paint::centredText(p, {(left + right) / 2, y + 10}, fits ? whole : QString::number(layer + 1),
                                   uiFont(11), color, Anchor::Middle);
        } else if (to + 1 == m_band.columns.size() && from > 0) {
            paint::centredText(p, {end, y + 10}, last.title.toLower(), uiFont(11), t.text3, Anchor::End);
        }
        from = to + 1;
    }
}

void PartingLines::paintLine(QPainter& p, int word) const {
    const Theme& t = Theme::of(this);
    const bool isChosen = word == m_word, isPointed = word == m_hovered;
    QColor ink = isChosen ? (isLost(word) ? t.bad : t.ink) : isPointed ? t.text : t.text3;
    if (!isChosen && !isPointed) ink.setAlphaF(0.7F);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(ink, isChosen ? 2.5 : isPointed ? 2 : 1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    constexpr double kAlone = 3;  ///< where there is a number at one place alone
    for (const QPolygonF& piece : lineOf(word))
        if (piece.size() == 1)
            p.drawEllipse(piece.front(), kAlone, kAlone);
        else
            p.drawPolyline(piece);
}

/// Above the highest point of its line.
void PartingLines::paintName(QPainter& p, int word) const {
    const Theme& t = Theme::of(this);
    QPointF peak(0, std::numeric_limits<double>::infinity());
    for (const QPolygonF& piece : lineOf(word))
        for (const QPointF& each : piece)
            if (each.y() < peak.y()) peak = each;
    if (std::isinf(peak.y())) return;
    const QFont font = uiFont(11, QFont::DemiBold);
    const QString name = paint::elided(m_band.words[word], font, plot().width());
    const double half = paint::textWidth(name, font) / 2 + 2;
    const QPointF at(std::clamp(peak.x(), plot().left() + half, std::max(plot().left() + half, plot().right() - half)),
                     peak.y() - 9);
    paint::centredText(p, at, name, font, isLost(word) ? t.bad : t.text, Anchor::Middle);
}

void PartingLines::paintEvent(QPaintEvent*) {
    if (m_band.columns.empty()) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintScale(p);
    paintLayers(p);
    for (int word = 0; word < m_band.words.size(); ++word)
        if (word != m_word && word != m_hovered) paintLine(p, word);
    for (const int word : {m_hovered, m_word})
        if (word >= 0 && word < m_band.words.size()) paintLine(p, word);
    const int named = m_hovered >= 0 ? m_hovered : m_word;
    if (named >= 0 && named < m_band.words.size()) paintName(p, named);
}

}  // namespace headlight

#include "moc_parting_lines.cpp"

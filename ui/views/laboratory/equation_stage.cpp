// SPDX-License-Identifier: GPL-3.0-or-later
// Where the equation's parts stand, and what is done to them by mouse and keys; equation_paint.cpp draws them.
#include "ui/views/laboratory/equation_stage.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "ui/session/format/number_format.h"
#include "ui/session/open/playhead.h"
#include "ui/views/laboratory/equation_layout.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace equation;

namespace {

constexpr double kADrag = 0.01, kAShiftedDrag = 0.1;  ///< of a number, for each pixel

/// Widths of the second band without the bars of e^s and the values.
constexpr double kBandTwo = kMargin + kLabel + 2 * kScore + kDivisor + 12 + kPowerText + kWeight + 24 + kStack +
                            kFunnel + kLabelRight + kMargin;
constexpr double kTwoLines = 26;  ///< a value needs so much for its product beneath it
constexpr double kLeastPower = 56, kMostPower = 420, kShareWide = 116;

}  // namespace

EquationStage::EquationStage(QWidget* parent) : QWidget(parent), m_playhead(new Playhead(this)) {
    m_playhead->setCount(3);
    connect(m_playhead, &Playhead::moved, this, [this] {
        findMotion();
        update();
    });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Attention as one equation"));
}

void EquationStage::setEquation(const Equation& equation) {
    m_equation = equation;
    m_row = std::clamp(m_row, 0, std::max(0, equation.input.queries - 1));
    m_key = std::clamp(m_key, 0, std::max(0, equation.input.keys - 1));
    m_most = most();
    setMinimumSize(minimumSizeHint());
    arrange();
    findMotion();
    update();
}

void EquationStage::point(const Cell& cell) {
    m_pointed = cell;
    if (isOfKey(cell.matrix))
        m_key = cell.row;
    else
        m_row = cell.row;
    if (isByKey(cell.matrix)) m_key = cell.column;
    setAccessibleDescription(tr("%1: %2").arg(placeOf(cell), hintOf(cell)));
    findMotion();
    update();
}

void EquationStage::forgetPlace() {
    m_row = 0;
    m_key = std::min(1, std::max(0, m_equation.input.keys - 1));
}

/// A cell has room for its number.
double EquationStage::leastCell() const {
    qsizetype longest = 4;
    const auto look = [&](const std::vector<float>& numbers) {
        for (const float number : numbers)
            longest = std::max(longest, formatNumber(static_cast<double>(number)).size());
    };
    look(m_equation.input.query);
    look(m_equation.input.key);
    look(m_equation.input.value);
    return std::ceil(paint::textWidth(QString(longest, u'0'), monoFont(12, QFont::Medium))) + 4;
}

double EquationStage::fixedHeight(bool hasHeadings) const {
    const double title = hasHeadings ? kTitle : kBareTitle, foot = hasHeadings ? kFoot : kBareFoot;
    return 2 * (title + kHeads) + kProducts + kBetween + kAboveTotals + kTotalRow + foot;
}

void EquationStage::setInHall(bool inHall) {
    m_isInHall = inHall;
    setMinimumSize(minimumSizeHint());
    updateGeometry();
    arrange();
    update();
}

QSize EquationStage::minimumSizeHint() const {
    const QueryKeyValue& input = m_equation.input;
    const double cell = leastCell();
    const double above = kBandOne + cell * (input.width + 2 * input.keys);
    const double below = kBandTwo + kLeastPower + cell * input.width;
    const double tall =
        fixedHeight(!m_isInHall) + kLeastRow * std::max(input.queries, input.width) + kLeastRow * kTaller * input.keys;
    return {static_cast<int>(std::ceil(std::max(above, below))), static_cast<int>(std::ceil(tall))};
}

void EquationStage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void EquationStage::arrange() {
    const QueryKeyValue& input = m_equation.input;
    const double least = leastCell();
    Layout& at = m_layout;
    const int rows = std::max(input.queries, input.width);
    at.cell = std::clamp((width() - kBandOne) / std::max(1, input.width + 2 * input.keys), least, kMostCell);
    const double inRows = rows + kTaller * input.keys;
    const bool hasHeadings = !m_isInHall || height() >= fixedHeight(true) + kLeastRow * inRows;
    at.title = hasHeadings ? kTitle : 0;
    at.row = std::clamp((height() - fixedHeight(hasHeadings)) / std::max(1.0, inRows), kLeastRow, kMostRow);
    at.tall = at.row * kTaller;
    const double title = hasHeadings ? kTitle : kBareTitle, top = title + kHeads;
    at.q = {kMargin + kLabel, top};
    at.k = {at.q.x() + at.cell * input.width + kTimes + kIndex, top};
    at.s = {at.k.x() + at.cell * input.keys + kEquals + kLabel, top};
    at.products = top + at.row * rows + kProducts / 2;
    at.below = top + at.row * rows + kProducts + kBetween;
    // The second band, from left to right; what is left over is shared by the bars and the values.
    const double room = width() - kBandTwo - least * input.width;
    const bool hasShare = room >= kLeastPower + kShareWide;
    at.shareWide = hasShare ? kShareWide : 0;
    const double over = std::max(0.0, room - at.shareWide - kLeastPower);
    at.powerWide = std::min(kMostPower, kLeastPower + over / 3);
    at.wide = std::clamp(least + (room - at.shareWide - at.powerWide) / std::max(1, input.width), least, kMostCell);
    at.score = kMargin + kLabel;
    at.shift = at.score + kScore + kDivisor;
    at.power = at.shift + kScore + 12;
    at.weight = at.power + at.powerWide + kPowerText;
    at.share = at.weight + kWeight + 12;
    at.total = at.share + at.shareWide + 12;
    at.v = {at.total + kStack + kFunnel, at.below + title + kHeads};
}

std::pair<int, int> EquationStage::sizeOf(Matrix matrix) const {
    const QueryKeyValue& input = m_equation.input;
    switch (matrix) {
        case Matrix::Query:
        case Matrix::Output:
            return {input.queries, input.width};
        case Matrix::Key:
        case Matrix::Value:
            return {input.keys, input.width};
        case Matrix::Scores:
        case Matrix::Weights:
            return {input.queries, input.keys};
    }
    return {};
}

QRectF EquationStage::areaOf(const Cell& cell) const {
    const Layout& at = m_layout;
    const double y = at.v.y() + at.tall * cell.row;
    switch (cell.matrix) {
        case Matrix::Query:
            return {at.q.x() + at.cell * cell.column, at.q.y() + at.row * cell.row, at.cell, at.row};
        case Matrix::Key:
            return {at.k.x() + at.cell * cell.row, at.k.y() + at.row * cell.column, at.cell, at.row};
        case Matrix::Scores:
            return {at.s.x() + at.cell * cell.column, at.s.y() + at.row * cell.row, at.cell, at.row};
        case Matrix::Weights:
            return {at.weight, at.v.y() + at.tall * cell.column + 3, kWeight, at.tall - 6};
        case Matrix::Value:
            return {at.v.x() + at.wide * cell.column, y + 2, at.wide, at.tall - 4};
        case Matrix::Output:
            return {at.v.x() + at.wide * cell.column, at.v.y() + at.tall * m_equation.input.keys + kAboveTotals,
                    at.wide, kTotalRow};
    }
    return {};
}

bool EquationStage::isBlocked(int row, int key) const {
    const auto at = cellIndex(row, key, m_equation.input.keys);
    return at < m_equation.blocked.size() && m_equation.blocked[at] != 0;
}

bool EquationStage::isDraggable(const Cell& cell) const {
    return cell.matrix == Matrix::Query || cell.matrix == Matrix::Key || cell.matrix == Matrix::Value;
}

/// Of a score what its products add up to, before anything divides it.
double EquationStage::valueOf(const Cell& cell) const {
    const QueryKeyValue& input = m_equation.input;
    const auto number = [&](const std::vector<float>& of, int row, int column, int wide) {
        return static_cast<double>(of[cellIndex(row, column, wide)]);
    };
    switch (cell.matrix) {
        case Matrix::Query:
            return number(input.query, cell.row, cell.column, input.width);
        case Matrix::Key:
            return number(input.key, cell.row, cell.column, input.width);
        case Matrix::Value:
            return number(input.value, cell.row, cell.column, input.width);
        case Matrix::Weights:
            return number(m_equation.result.weights, cell.row, cell.column, input.keys);
        case Matrix::Output:
            return number(m_equation.result.output, cell.row, cell.column, input.width);
        case Matrix::Scores:
            break;
    }
    double sum = 0;
    for (int i = 0; i < input.width; ++i)
        sum += number(input.query, cell.row, i, input.width) * number(input.key, cell.column, i, input.width);
    return sum;
}

double EquationStage::scoreOf(int key) const {
    return static_cast<double>(m_equation.result.scores[cellIndex(m_row, key, m_equation.input.keys)]);
}

double EquationStage::powerOf(int key) const {
    return isBlocked(m_row, key) ? 0 : std::exp(scoreOf(key));
}

double EquationStage::divisor() const {
    return (m_equation.scaled ? std::sqrt(static_cast<double>(m_equation.input.width)) : 1) * m_equation.temperature;
}

QRectF EquationStage::powerBar(int key) const {
    double most = 0;
    for (int i = 0; i < m_equation.input.keys; ++i)
        most = std::max(most, powerOf(i));
    const double y = m_layout.v.y() + m_layout.tall * (key + 0.5);
    return {m_layout.power, y - 7, m_layout.powerWide * (most > 0 ? powerOf(key) / most : 0), 14};
}

QRectF EquationStage::shareBar(int key) const {
    const Layout& at = m_layout;
    double above = 0;
    for (int i = 0; i < key; ++i)
        above += valueOf({Matrix::Weights, m_row, i});
    const double tall = at.tall * m_equation.input.keys;
    return {at.total, at.v.y() + above * tall, kStack, valueOf({Matrix::Weights, m_row, key}) * tall};
}

QStringList EquationStage::products() const {
    QStringList all;
    const int count = m_score ? m_score->products : m_equation.input.width;
    for (int i = 0; i < count; ++i)
        all << QStringLiteral("%1 × %2").arg(formatNumber(valueOf({Matrix::Query, m_row, i})),
                                             formatNumber(valueOf({Matrix::Key, keyNow(), i})));
    return all;
}

QString EquationStage::sum() const {
    if (isVeiled({Matrix::Scores, m_row, keyNow()})) return QStringLiteral("?");
    return formatNumber(m_score ? m_score->sum : valueOf({Matrix::Scores, m_row, keyNow()}));
}

QString EquationStage::textOf(const Cell& cell) const {
    if (isVeiled(cell)) return {};
    if (cell.matrix == Matrix::Scores && isBlocked(cell.row, cell.column)) return QStringLiteral("−∞");
    const bool fine = cell.matrix == Matrix::Weights || cell.matrix == Matrix::Output;
    const QRectF area = areaOf(cell);
    for (const int decimals : fine ? std::vector{3, 2} : std::vector{2})
        if (QString text = formatNumber(valueOf(cell), decimals);
            paint::textWidth(text, monoFont(12, QFont::Medium)) <= area.width() - 2 && area.height() >= 16)
            return text;
    return {};
}

/// Beneath each value stands what is taken of it, where there is room for that in every cell.
bool EquationStage::hasProducts() const {
    const QueryKeyValue& input = m_equation.input;
    bool fits = m_layout.tall - 5 >= kTwoLines;
    for (int key = 0; key < input.keys && fits; ++key)
        for (int i = 0; i < input.width && fits; ++i) {
            const double product = valueOf({Matrix::Value, key, i}) * valueOf({Matrix::Weights, m_row, key});
            fits = paint::textWidth(formatNumber(product, 3), monoFont(12)) <= m_layout.wide - 3;
        }
    return fits;
}

EquationStage::Cell EquationStage::cellAt(QPointF at, bool* found) const {
    *found = true;
    for (const Matrix matrix :
         {Matrix::Query, Matrix::Key, Matrix::Scores, Matrix::Weights, Matrix::Value, Matrix::Output}) {
        const auto [rows, columns] = sizeOf(matrix);
        const bool ofRow = matrix == Matrix::Weights || matrix == Matrix::Output;
        for (int row = ofRow ? m_row : 0; row < (ofRow ? m_row + 1 : rows); ++row)
            for (int column = 0; column < columns; ++column)
                if (areaOf({matrix, row, column}).contains(at)) return {matrix, row, column};
    }
    *found = false;
    return {};
}

QString EquationStage::placeOf(const Cell& cell) const {
    const QString names[] = {tr("Q"), tr("K"), tr("V"), tr("S"), tr("Share"), tr("Z")};
    const QString row = (isOfKey(cell.matrix) ? m_equation.keys : m_equation.queries).value(cell.row);
    const QString column =
        isByKey(cell.matrix) ? tr("“%1”").arg(m_equation.keys.value(cell.column)) : formatCount(cell.column + 1);
    return tr("%1, “%2”, %3").arg(names[static_cast<size_t>(cell.matrix)], row, column);
}

QString EquationStage::hintOf(const Cell& cell) const {
    if (isVeiled(cell)) return tr("Hidden until you have predicted it");
    QString number = formatPrecise(valueOf(cell));
    if (isDraggable(cell)) return tr("%1. Drag it sideways (Shift: faster), or type").arg(number);
    if (cell.matrix == Matrix::Scores && isBlocked(cell.row, cell.column)) return tr("Masked: it may not be looked at");
    if (cell.matrix == Matrix::Scores)
        return tr("%1; divided by %2 it is %3")
            .arg(number, formatNumber(divisor(), 3), formatPrecise(valueOf(cell) / divisor()));
    return number;
}

bool EquationStage::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    bool found = false;
    const Cell cell = cellAt(help->pos(), &found);
    if (found)
        QToolTip::showText(help->globalPos(), hintOf(cell), this);
    else
        QToolTip::hideText();
    return true;
}

void EquationStage::mousePressEvent(QMouseEvent* event) {
    bool found = false;
    const Cell cell = cellAt(event->position(), &found);
    if (!found) return;
    emit cellChosen(cell);
    m_isDragging = isDraggable(cell);
    m_pointed = cell;
    m_dragFrom = event->position().x();
    m_valueFrom = valueOf(cell);
}

void EquationStage::mouseMoveEvent(QMouseEvent* event) {
    if (m_isDragging) {
        const double step = event->modifiers() & Qt::ShiftModifier ? kAShiftedDrag : kADrag;
        const double to = m_valueFrom + std::round(event->position().x() - m_dragFrom) * step;
        emit numberChanged(m_pointed, std::round(to * 1000) / 1000);
        return;
    }
    m_hovered = cellAt(event->position(), &m_isHovered);
    setCursor(m_isHovered && isDraggable(m_hovered) ? Qt::SizeHorCursor : Qt::ArrowCursor);
    update();
}

void EquationStage::mouseReleaseEvent(QMouseEvent*) {
    m_isDragging = false;
}

void EquationStage::mouseDoubleClickEvent(QMouseEvent*) {
    if (isDraggable(m_pointed)) emit typingWanted({});
}

void EquationStage::leaveEvent(QEvent*) {
    m_isHovered = false;
    update();
}

/// Arrows move from number to number as they are drawn, a page from matrix to matrix; plus and minus change it, digits
/// type another.
void EquationStage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp) {
        constexpr std::array order = {Matrix::Query,   Matrix::Key,   Matrix::Scores,
                                      Matrix::Weights, Matrix::Value, Matrix::Output};
        const auto at = std::ranges::find(order, m_pointed.matrix) - order.begin();
        const auto to =
            std::clamp<std::ptrdiff_t>(at + (event->key() == Qt::Key_PageDown ? 1 : -1), 0, order.size() - 1);
        Cell next{order[static_cast<size_t>(to)], m_row, m_pointed.column};
        if (isOfKey(next.matrix)) next.row = m_key;
        if (isByKey(next.matrix)) next.column = m_key;
        next.column = std::min(next.column, sizeOf(next.matrix).second - 1);
        return emit cellChosen(next);
    }
    if (const ArrowKey arrow(event->key()); !arrow.isNone()) {
        const bool turned = m_pointed.matrix == Matrix::Key;  // it is drawn turned over
        const bool standing = m_pointed.matrix == Matrix::Weights;
        const auto [rows, columns] = sizeOf(m_pointed.matrix);
        Cell next = m_pointed;
        next.row = std::clamp(next.row + (turned ? arrow.right : standing ? 0 : arrow.down), 0, rows - 1);
        next.column = std::clamp(next.column + (turned || standing ? arrow.down : arrow.right), 0, columns - 1);
        return emit cellChosen(next);
    }
    const QString text = event->text();
    const bool more = text == QLatin1String("+"), less = text == QLatin1String("-") || text == QStringLiteral("−");
    if (isDraggable(m_pointed) && (more || less))
        return emit numberChanged(m_pointed,
                                  std::round((valueOf(m_pointed) + (more ? kADrag : -kADrag)) * 1000) / 1000);
    const bool isTyped = !text.isEmpty() && (text[0].isDigit() || text[0] == u'.');
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isDraggable(m_pointed) && (isTyped || isEnter)) return emit typingWanted(isTyped ? text : QString());
    QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_equation_stage.cpp"

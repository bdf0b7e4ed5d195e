// SPDX-License-Identifier: GPL-3.0-or-later
// What the equation of attention looks like.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/laboratory/equation_layout.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace equation;

namespace {

/// "1.228", "125.3": as wide for large numbers as for small ones.
QString power(double value) {
    return formatNumber(value, value >= 100 ? 1 : value >= 10 ? 2 : 3);
}

}  // namespace

double EquationStage::most() const {
    double most = 0.5;
    for (const auto* numbers : {&m_equation.input.query, &m_equation.input.key, &m_equation.input.value})
        for (const float number : *numbers)
            most = std::max(most, std::abs(static_cast<double>(number)));
    for (int row = 0; row < m_equation.input.queries; ++row)
        for (int key = 0; key < m_equation.input.keys; ++key)
            most = std::max(most, std::abs(valueOf({Matrix::Scores, row, key})));
    return std::ceil(most * 2) / 2;
}

QColor EquationStage::fillOf(const Cell& cell, const Theme& t) const {
    if (cell.matrix == Matrix::Weights) return t.sequential(valueOf(cell));
    const QColor whole = t.diverging(valueOf(cell), m_most);
    if (cell.matrix != Matrix::Value) return whole;
    // As strong as what is taken of it.
    double largest = 0;
    for (int key = 0; key < m_equation.input.keys; ++key)
        largest = std::max(largest, valueOf({Matrix::Weights, m_row, key}));
    const double strength = largest > 0 ? valueOf({Matrix::Weights, m_row, cell.row}) / largest : 0;
    const double fade = isDone(Operation::Mix) ? 1 : m_mix ? m_mix->fade : 0;
    return paint::mixed(t.surface, whole, std::lerp(1.0, strength, fade));
}

void EquationStage::paintCell(QPainter& p, const Cell& cell, const QFont& font) const {
    const Theme& t = Theme::of(this);
    const QRectF area = areaOf(cell).adjusted(0, 0, -1, -1);
    if (isVeiled(cell)) return paint::hatch(p, area, t.hatchGround, t.hatch);
    if (!isThere(cell)) return paintMissing(p, cell, font);
    const QString text = textOf(cell);
    if (cell.matrix == Matrix::Scores && isBlocked(cell.row, cell.column)) {
        paint::hatch(p, area, t.hatchGround, t.hatch);
        paint::centredText(p, area.center(), text, monoFont(12), t.text2, Anchor::Middle);
        return;
    }
    const QColor fill = fillOf(cell, t), ink = Theme::onColor(fill);
    p.fillRect(area, fill);
    const bool isMixed = isDone(Operation::Mix) || (m_mix && m_mix->fade >= 0.5);
    const bool both = cell.matrix == Matrix::Value && isMixed && hasProducts();
    const QPointF at = both ? QPointF(area.center().x(), area.top() + area.height() * 0.3) : area.center();
    paint::centredText(p, at, text, font, ink, Anchor::Middle);
    if (!both) return;
    const QString product = formatNumber(valueOf(cell) * valueOf({Matrix::Weights, m_row, cell.row}), 3);
    paint::centredText(p, {area.center().x(), area.top() + area.height() * 0.74}, product, monoFont(12), ink,
                       Anchor::Middle);
}

/// All numbers of a matrix in one size.
QFont EquationStage::fontOf(Matrix matrix) const {
    const QFont largest = monoFont(16, QFont::Medium), large = monoFont(13, QFont::Medium),
                small = monoFont(12, QFont::Medium);
    bool isRoomy = true;
    const auto [rows, columns] = sizeOf(matrix);
    const bool ofRow = matrix == Matrix::Weights || matrix == Matrix::Output;
    for (int row = ofRow ? m_row : 0; row < (ofRow ? m_row + 1 : rows); ++row)
        for (int column = 0; column < columns; ++column) {
            const QRectF area = areaOf({matrix, row, column});
            const bool tight = matrix == Matrix::Value && hasProducts() && area.height() < 34;
            if (tight || area.height() < 22 ||
                paint::textWidth(textOf({matrix, row, column}), large) + 6 > area.width())
                return small;
            isRoomy = isRoomy && area.height() >= 40 &&
                      paint::textWidth(textOf({matrix, row, column}), largest) + 10 <= area.width();
        }
    return isRoomy ? largest : large;
}

void EquationStage::paintMatrix(QPainter& p, Matrix matrix) const {
    const auto [rows, columns] = sizeOf(matrix);
    const QFont font = fontOf(matrix);
    const bool ofRow = matrix == Matrix::Weights || matrix == Matrix::Output;
    for (int row = ofRow ? m_row : 0; row < (ofRow ? m_row + 1 : rows); ++row)
        for (int column = 0; column < columns; ++column)
            paintCell(p, {matrix, row, column}, font);
}

void EquationStage::paintLabels(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    const QueryKeyValue& input = m_equation.input;
    const QFont plain = uiFont(12), bold = uiFont(12, QFont::DemiBold), small = uiFont(11), index = monoFont(12),
                name = uiFont(15, QFont::Bold);
    const QFont title = uiFont(13, QFont::DemiBold);
    const auto heading = [&](QPointF place, const QString& text, const QString& more, double room) {
        paint::text(p, place, text, title, t.text);
        const double wide = paint::textWidth(text, title) + 12;
        const double left = std::max(0.0, room - wide);
        const QFont fit = paint::fitting(more, plain, left);
        paint::text(p, place + QPointF(wide, 0), paint::elided(more, fit, left), fit, t.text2);
    };
    const double middle = at.v.x() - 40;
    if (at.title > 0) {
        heading({kMargin, 22}, tr("1  Every query meets every key"), tr("a row of Q times a column of Kᵀ, added up"),
                width() - 2 * kMargin);
        heading({kMargin, at.below + 22}, tr("2  The row of “%1” becomes shares").arg(m_equation.queries.value(m_row)),
                tr("the framed row of S, through the softmax"), middle - kMargin - 20);
        heading({middle, at.below + 22}, tr("3  The shares mix the values"), {}, width() - middle - kMargin);
    }
    const double names = at.q.y() - 12;
    paint::centredText(p, {at.q.x() - 10, names}, tr("Q"), name, t.query, Anchor::End);
    paint::centredText(p, {at.k.x() - 8, names}, tr("Kᵀ"), name, t.key, Anchor::End);
    paint::centredText(p, {at.s.x() - 10, names}, tr("S"), name, t.text, Anchor::End);
    const double half = at.q.y() + at.row * std::min(input.queries, input.width) / 2;
    paint::centredText(p, {at.q.x() + at.cell * input.width + kTimes / 2, half}, QStringLiteral("×"), uiFont(20),
                       t.text2, Anchor::Middle);
    paint::centredText(p, {at.s.x() - kLabel - kEquals / 2, half}, QStringLiteral("="), uiFont(20), t.text2,
                       Anchor::Middle);
    for (int i = 0; i < input.width; ++i) {
        paint::centredText(p, {at.q.x() + at.cell * (i + 0.5), names}, QString::number(i + 1), index, t.text3,
                           Anchor::Middle);
        paint::centredText(p, {at.k.x() - 6, at.k.y() + at.row * (i + 0.5)}, QString::number(i + 1), index, t.text3,
                           Anchor::End);
        paint::centredText(p, {at.v.x() + at.wide * (i + 0.5), at.v.y() - 12}, QString::number(i + 1), index, t.text3,
                           Anchor::Middle);
    }
    for (int row = 0; row < input.queries; ++row) {
        const bool on = row == m_row;
        const double y = at.q.y() + at.row * (row + 0.5);
        const QString word = paint::elided(m_equation.queries.value(row), bold, kLabel - 14);
        for (const double x : {at.q.x(), at.s.x()})
            paint::centredText(p, {x - 8, y}, word, on ? bold : plain, on ? t.query : t.text2, Anchor::End);
    }
    for (int key = 0; key < input.keys; ++key) {
        const bool on = key == keyNow();
        const QString word = m_equation.keys.value(key);
        // A long word stands smaller before it loses its end.
        const bool fits = paint::textWidth(word, bold) <= at.cell;
        const QFont& head = !fits ? small : on ? bold : plain;
        for (const double x : {at.k.x(), at.s.x()})
            paint::centredText(p, {x + at.cell * (key + 0.5), names}, paint::elided(word, head, at.cell), head,
                               on ? t.key : t.text2, Anchor::Middle);
        const double y = at.v.y() + at.tall * (key + 0.5);
        paint::centredText(p, {at.score - 8, y}, paint::elided(word, bold, kLabel - 14), on ? bold : plain,
                           on ? t.key : t.text2, Anchor::End);
        paint::centredText(p, {at.v.x() + at.wide * input.width + 8, y}, paint::elided(word, bold, kLabelRight - 8),
                           on ? bold : plain, on ? t.key : t.text2);
    }
    paint::centredText(p, {at.v.x() + at.wide * input.width + 8, at.v.y() - 12}, tr("V"), name, t.value);
}

/// The row of Q and the column of K, number by number, and their sum in its cell.
void EquationStage::paintProducts(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QFont font = monoFont(13, QFont::Medium);
    const double y = m_layout.products;
    const QString total = sum();
    const double chip = paint::textWidth(total, font) + 20;
    double x = m_layout.q.x();
    const double end = width() - kMargin - chip - 30;
    // What has not dropped yet has its place, so that the sum stays in its own.
    bool isIn = true;
    const auto put = [&](const QString& text, const QColor& ink) {
        if (isIn) paint::centredText(p, {x, y}, text, font, ink);
        x += paint::textWidth(text, font);
    };
    const auto number = [&](Matrix matrix, int row, int i) { return formatNumber(valueOf({matrix, row, i})); };
    QPointF next;
    for (int i = 0; i < m_equation.input.width; ++i) {
        const QString q = number(Matrix::Query, m_row, i), k = number(Matrix::Key, keyNow(), i);
        isIn = !m_score || i < m_score->products;
        if (x + paint::textWidth(QStringLiteral(" + %1 × %2").arg(q, k), font) > end) {
            put(QStringLiteral(" + …"), t.text2);
            break;
        }
        if (m_score && i == m_score->products) next = {x, y};
        if (i > 0) put(QStringLiteral(" + "), t.text2);
        put(q, t.query);
        put(QStringLiteral(" × "), t.text2);
        put(k, t.key);
    }
    isIn = true;
    put(QStringLiteral(" = "), t.text2);
    const QRectF box(x + 4, y - 12, chip, 24);
    paint::box(p, box, t.nowTint, t.nowLine, 5);
    paint::centredText(p, box.center(), total, font, t.nowText, Anchor::Middle);
    // One that has no place of its own drops into the sum at once.
    if (m_score) paintDropping(p, next.isNull() ? box.center() : next);
    const QRectF cell = areaOf({Matrix::Scores, m_row, keyNow()});
    // Up to the cell itself: from below where nothing stands between, else along its column's edge, beside the numbers.
    const bool isLast = m_row + 1 == m_equation.input.queries;
    const double bottom = cell.bottom() + 3, to = isLast ? cell.center().x() : cell.left();
    p.setPen(QPen(t.nowLine, 2));
    p.setBrush(Qt::NoBrush);
    QPainterPath way;
    if (to > box.right() + 8) {
        way.moveTo(box.right(), y);
        way.lineTo(to, y);
    } else {  // over what is written
        way.moveTo(box.center().x(), box.top());
        way.lineTo(box.center().x(), box.top() - 5);
        way.lineTo(to, box.top() - 5);
    }
    way.lineTo(to, bottom);
    p.drawPath(way);
    p.drawLine(QPointF(to - 4, bottom + 5), QPointF(to, bottom));
    p.drawLine(QPointF(to + 4, bottom + 5), QPointF(to, bottom));
}

/// Score, what divides it, e to its power, its share.
void EquationStage::paintRow(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    const int keys = m_equation.input.keys;
    const QFont head = uiFont(12), small = uiFont(12), number = monoFont(12, QFont::Medium);
    const double y = at.v.y() - 12;
    const QString by = formatNumber(divisor(), std::abs(divisor() - std::round(divisor())) < 1e-9 ? 0 : 2);
    paint::centredText(p, {at.score + kScore / 2, y}, tr("score"), head, t.text2, Anchor::Middle);
    paint::centredText(p, {at.shift + kScore / 2, y}, tr("s"), head, t.text2, Anchor::Middle);
    paint::centredText(p, {at.power, y}, tr("eˢ"), head, t.text2);
    paint::centredText(p, {at.weight + kWeight / 2, y}, tr("share"), uiFont(12, QFont::DemiBold), t.text,
                       Anchor::Middle);
    paint::centredText(p, {at.total + kStack / 2, y}, tr("all = 1"), small, t.text2, Anchor::Middle);
    if (at.shareWide > 0)
        paint::centredText(p, {at.share + at.shareWide / 2, y}, tr("against %1").arg(formatNumber(1.0 / keys, 3)),
                           small, t.text3, Anchor::Middle);
    double widest = 0.001;
    for (int key = 0; key < keys; ++key)
        widest = std::max(widest, std::abs(valueOf({Matrix::Weights, m_row, key}) - 1.0 / keys));
    for (int key = 0; key < keys; ++key) {
        const QRectF line(kMargin, at.v.y() + at.tall * key + 1, at.total - kMargin - 6, at.tall - 2);
        const double middle = line.center().y();
        if (key == keyNow()) paint::box(p, line, t.nowTint, {}, 6);
        if (key == keyNow())
            paint::centredText(p, {at.score - 8, middle},
                               paint::elided(m_equation.keys.value(key), uiFont(12, QFont::DemiBold), kLabel - 14),
                               uiFont(12, QFont::DemiBold), t.key, Anchor::End);
        const bool isScored = isThere({Matrix::Scores, m_row, key});
        const auto cell = [&](double x, double value, int decimals) {
            const QRectF area(x, line.top() + 2, kScore, line.height() - 4);
            if (isVeiled({Matrix::Scores, m_row, key})) return paint::hatch(p, area, t.hatchGround, t.hatch);
            if (!isScored) return paint::box(p, area, {}, t.line);
            if (isBlocked(m_row, key)) {
                paint::hatch(p, area, t.hatchGround, t.hatch);
                paint::centredText(p, area.center(), QStringLiteral("−∞"), monoFont(12), t.text2, Anchor::Middle);
                return;
            }
            const QColor fill = t.diverging(value, m_most);
            p.fillRect(area, fill);
            paint::centredText(p, area.center(), formatNumber(value, decimals), number, Theme::onColor(fill),
                               Anchor::Middle);
        };
        cell(at.score, valueOf({Matrix::Scores, m_row, key}), 2);
        paint::centredText(p, {at.score + kScore + kDivisor / 2, middle}, QStringLiteral("/ %1").arg(by), small,
                           t.text3, Anchor::Middle);
        cell(at.shift, scoreOf(key), 3);
        p.fillRect(QRectF(at.power, middle - 7, at.powerWide, 14), key == keyNow() ? t.surface : t.sunken);
        const double rise = isDone(Operation::Softmax) ? 1 : m_softmax ? m_softmax->rise : 0;
        QRectF bar = powerBar(key);
        bar.setWidth(bar.width() * rise);
        p.fillRect(bar, t.sequentialStops[5]);
        if (rise >= 0.5)
            paint::centredText(p, {at.power + at.powerWide + 6, middle}, power(powerOf(key)), number, t.text);
        const double isShared = isDone(Operation::Softmax) ? 1 : m_softmax ? m_softmax->shrink : 0;
        if (at.shareWide <= 0 || isShared <= 0) continue;
        p.setOpacity(isShared);
        const double off = valueOf({Matrix::Weights, m_row, key}) - 1.0 / keys, centre = at.share + at.shareWide / 2;
        const double length = std::abs(off) / widest * (at.shareWide / 2 - 4);
        p.fillRect(QRectF(off < 0 ? centre - length : centre, middle - 6, length, 12),
                   off < 0 ? t.divergingStops[1] : t.divergingStops[7]);
        paint::centredText(p, {off < 0 ? centre + 5 : centre - 5, middle}, formatSigned(off, 3), monoFont(12), t.text2,
                           off < 0 ? Anchor::Start : Anchor::End);
        p.setOpacity(1);
    }
    if (at.shareWide > 0) {
        p.setPen(QPen(t.text2, 1));
        const double centre = at.share + at.shareWide / 2;
        p.drawLine(QPointF(centre, at.v.y()), QPointF(centre, at.v.y() + at.tall * keys));
    }
    paintMatrix(p, Matrix::Weights);
}

/// The shares as one bar, and from each a way to the values that it is taken of.
void EquationStage::paintMixing(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    for (int key = 0; key < m_equation.input.keys && isDone(Operation::Softmax); ++key) {
        const QRectF share = shareBar(key);
        const double top = at.v.y() + at.tall * key + 2, bottom = top + at.tall - 4;
        const bool on = key == keyNow();
        QPainterPath way(share.topRight());
        way.lineTo(at.v.x() - 3, top);
        way.lineTo(at.v.x() - 3, bottom);
        way.lineTo(share.bottomRight());
        way.closeSubpath();
        p.fillPath(way, on ? t.nowTint : t.sunken);
        p.fillRect(share, t.sequential(valueOf({Matrix::Weights, m_row, key})));
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(on ? t.nowLine : t.line2, 1));
        p.drawRect(share);
    }
    paintMatrix(p, Matrix::Value);
}

void EquationStage::paintTotals(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    const double y = areaOf({Matrix::Output, m_row, 0}).center().y();
    double powers = 0, shares = 0;
    for (int key = 0; key < m_equation.input.keys; ++key) {
        powers += powerOf(key);
        shares += valueOf({Matrix::Weights, m_row, key});
    }
    const QFont number = monoFont(12, QFont::DemiBold), small = uiFont(12);
    const bool isShared = isDone(Operation::Softmax);
    if (isShared || (m_softmax && m_softmax->counted > 0)) {
        paint::centredText(p, {at.power + at.powerWide, y}, tr("sum"), small, t.text3, Anchor::End);
        paint::centredText(p, {at.power + at.powerWide + 6, y}, power(isShared ? powers : m_softmax->sum), number,
                           t.text);
    }
    if (isShared)
        paint::centredText(p, {at.weight + kWeight / 2, y}, formatNumber(shares, 3), number, t.text, Anchor::Middle);
    paint::centredText(p, {at.v.x() - 10, y},
                       tr("Z, “%1”").arg(paint::elided(m_equation.queries.value(m_row), uiFont(12), 60)),
                       uiFont(12, QFont::DemiBold), t.text, Anchor::End);
    paintMatrix(p, Matrix::Output);
    p.setPen(QPen(t.text, 1));
    p.setBrush(Qt::NoBrush);
    const QRectF first = areaOf({Matrix::Output, m_row, 0});
    p.drawRect(QRectF(first.left() - 1, first.top() - 1, at.wide * m_equation.input.width + 1, first.height() + 1));
    if (at.title == 0) return;
    QString scale =
        tr("colours of numbers from −%1 to %1; a value is as strong as its share").arg(formatNumber(m_most, 1));
    if (hasProducts()) scale += tr("; below it in small: value × share");
    paint::text(p, {kMargin, first.bottom() + 22}, paint::elided(scale, small, width() - 2 * kMargin), small, t.text3);
}

/// Whose row, whose column, which number.
void EquationStage::paintMarks(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const Layout& at = m_layout;
    const QueryKeyValue& input = m_equation.input;
    p.setBrush(Qt::NoBrush);
    const auto frame = [&](const QRectF& area, const QColor& ink, double wide) {
        paint::outline(p, area.adjusted(-1, -1, 0, 0), ink, wide);
    };
    frame({at.q.x(), at.q.y() + at.row * m_row, at.cell * input.width, at.row}, t.query, 2);
    frame({at.k.x() + at.cell * keyNow(), at.k.y(), at.cell, at.row * input.width}, t.key, 2);
    frame({at.s.x(), at.s.y() + at.row * m_row, at.cell * input.keys, at.row}, t.text, 1);
    frame(areaOf({Matrix::Scores, m_row, keyNow()}), t.nowLine, 2);
    frame({at.v.x(), at.v.y() + at.tall * keyNow() + 2, at.wide * input.width, at.tall - 4}, t.value, 2);
    if (hasFocus() || m_pointed.matrix != Matrix::Scores) frame(areaOf(m_pointed).adjusted(2, 2, -2, -2), t.ink, 1.5);
    if (!m_isHovered) return;
    const QRectF hovered = areaOf(m_hovered);
    frame(hovered.adjusted(1, 1, -1, -1), t.text, 1);
    if (!isDraggable(m_hovered)) return;
    p.setPen(QPen(Theme::onColor(fillOf(m_hovered, t)), 1, Qt::DashLine));
    p.drawLine(hovered.bottomLeft() + QPointF(6, -4), hovered.bottomRight() + QPointF(-7, -4));
}

void EquationStage::paintEvent(QPaintEvent*) {
    if (m_equation.input.queries == 0 || m_equation.input.keys == 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double middle = m_layout.below - kBetween / 2;
    paint::box(p, QRectF(0, 0, width(), middle - 3), t.surface, t.line, 8);
    paint::box(p, QRectF(0, middle + 3, width(), height() - middle - 3), t.surface, t.line, 8);
    paintLabels(p);
    for (const Matrix matrix : {Matrix::Query, Matrix::Key, Matrix::Scores})
        paintMatrix(p, matrix);
    paintProducts(p);
    paintRow(p);
    paintMixing(p);
    paintTotals(p);
    paintMarks(p);
    if (m_score) paintSliding(p);
    if (m_softmax) paintShrinking(p);
    if (m_mix) paintFalling(p);
}

}  // namespace headlight

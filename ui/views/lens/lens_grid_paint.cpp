// SPDX-License-Identifier: GPL-3.0-or-later
// How a LensGrid looks; what it does is in lens_grid.cpp.
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/views/lens/lens_grid.h"
#include "ui/views/lens/lens_layout.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace lens_layout;

namespace {

constexpr double kIndent = 24;      ///< of a sublayer behind its layer's number
constexpr double kWithSource = 56;  ///< a cell as high as that has a second line
constexpr double kInset = 12;       ///< of a roomy cell

int wordSize(double height) {
    return height >= 30 ? 13 : height >= 22 ? 12 : 11;
}

}  // namespace

void LensGrid::paintEvent(QPaintEvent*) {
    if (rows() == 0) return;
    const Theme& t = Theme::of(this);
    QPainter p(viewport());
    paintRowLabels(p, t);
    paintHeads(p, t);
    paintText(p, t);
    const QRectF area = cellsArea();
    p.save();
    p.setClipRect(area.adjusted(-4, -4, 4, 4));
    paintCells(p, t);
    paintCoast(p, t);
    paintChosen(p, t);
    p.restore();
    paintLegend(p, t);
}

void LensGrid::paintCells(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const Cell first = cellAt(area.topLeft());
    const int lastRow = std::min(rows(), first.row + static_cast<int>(area.height() / m_cell.height()) + 2);
    const int lastColumn = std::min(columns(), first.column + static_cast<int>(area.width() / m_cell.width()) + 2);
    p.save();
    p.setClipRect(area);
    for (int row = std::max(0, first.row); row < lastRow; ++row)
        for (int column = std::max(0, first.column); column < lastColumn; ++column)
            paintCell(p, {row, column}, t);
    p.restore();
    paint::box(p, area.adjusted(-1, -1, 0, 0), {}, t.line2);
    if (m_hovered.valid()) paint::outline(p, cellRect(m_hovered), t.text, 1);
}

void LensGrid::paintCell(QPainter& p, Cell cell, const Theme& t) const {
    const QRectF at = cellRect(cell);
    const size_t depth = depthOf(cell.row);
    if (!m_picture->isRead(depth)) return paint::box(p, at, {}, t.line);
    const LensCell& said = m_picture->cell(depth, cell.column);
    const QColor fill = said.words.empty() ? t.badTint : t.sequential(said.words.front().probability);
    p.fillRect(at, fill);
    const QColor ink = said.words.empty() ? t.bad : Theme::onColor(fill);
    if (isRoomy()) return paintRoomy(p, cell, ink);
    const QString word = printedIn(cell);
    if (word.isEmpty()) return;
    const QFont font = paint::fitting(
        word, uiFont(wordSize(m_cell.height()), isBold(cell) ? QFont::DemiBold : QFont::Normal), at.width() - 6);
    paint::centredText(p, at.center(), paint::elided(word, font, at.width() - 6), font, ink, Anchor::Middle);
}

/// The word at the left and its number at the right; below them what a cross-attention reads.
void LensGrid::paintRoomy(QPainter& p, Cell cell, const QColor& ink) const {
    const QRectF at = cellRect(cell);
    const LensCell& said = m_picture->cell(depthOf(cell.row), cell.column);
    const auto line = [&](double y, const QString& word, const QFont& font, double number, const QFont& digits) {
        const QString written = formatNumber(number);
        const double room = at.width() - 2 * kInset - paint::textWidth(written, digits) - 6;
        const QFont fits = paint::fitting(word, font, room);
        paint::centredText(p, {at.left() + kInset, y}, paint::elided(word, fits, room), fits, ink);
        paint::centredText(p, {at.right() - kInset, y}, written, digits, ink, Anchor::End);
    };
    if (said.words.empty()) return paint::centredText(p, at.center(), printedIn(cell), uiFont(13), ink, Anchor::Middle);
    const bool reads = said.source >= 0 && m_cell.height() >= kWithSource;
    const double y = at.center().y();
    line(reads ? y - 10 : y, printedIn(cell), uiFont(14, isBold(cell) ? QFont::DemiBold : QFont::Medium),
         said.words.front().probability, monoFont(12, QFont::Medium));
    if (reads)
        line(y + 13, tr("reads %1").arg(m_picture->sourceWord(said.source)), uiFont(11, QFont::Medium),
             said.sourceWeight, monoFont(11));
}

void LensGrid::paintCoast(QPainter& p, const Theme& t) const {
    if (m_coast.empty()) return;
    QPainterPath path;
    for (int column = 0; column < columns(); ++column) {
        const QRectF at = cellRect({coast(column), column});
        const double y = at.top() - 0.5;
        column == 0 ? path.moveTo(at.left() - 1, y) : path.lineTo(at.left() - 0.5, y);
        path.lineTo(at.left() + m_cell.width() - 0.5, y);
    }
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    for (const auto& [color, width] : {std::pair(t.surface, 5), std::pair(t.text, 2)}) {
        p.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        p.drawPath(path);
    }
    p.restore();
}

void LensGrid::paintChosen(QPainter& p, const Theme& t) const {
    if (!m_chosen.valid()) return;
    const QRectF area = cellsArea(), at = cellRect(m_chosen);
    paint::outline(p, QRectF(at.left() - 1, area.top() - 1, at.width() + 2, area.height() + 1), t.nowLine, 2, 3);
    paint::outline(p, at, t.nowLine, 2);
}

void LensGrid::paintRowLabels(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const int size = m_cell.height() >= 30 ? 12 : 11;
    p.save();
    p.setClipRect(QRectF(0, area.top() - 1, kLabels, area.height() + 2));
    for (int row = 0; row < rows(); ++row) {
        const QRectF at = cellRect({row, 0});
        if (at.bottom() < area.top() || at.top() > area.bottom()) continue;
        const double y = at.center().y();
        const bool on = row == m_chosen.row;
        const LensDepth& depth = m_picture->lens().depths()[depthOf(row)];
        const bool begins = row > 0 && m_picture->lens().depths()[depthOf(row - 1)].layer != depth.layer;
        if (on) paint::box(p, {0, at.top(), kLabels - 4, at.height()}, t.nowTint, {}, 4);
        if (begins && !on) p.fillRect(QRectF(8, at.top() - 1, kLabels - 16, 1), t.line);
        const QColor ink = on                                                               ? t.nowText
                           : depth.after == LensDepth::After::CrossAttention && m_sublayers ? t.encoder
                                                                                            : t.text2;
        if (depth.after == LensDepth::After::Embedding) {
            paint::centredText(p, {8, y}, m_picture->sublayerTitle(depthOf(row)),
                               uiFont(12, on ? QFont::DemiBold : QFont::Medium), ink);
            continue;
        }
        if (begins)
            paint::centredText(p, {8, y}, QString::number(depth.layer + 1), uiFont(12, QFont::DemiBold),
                               on ? t.nowText : t.text);
        paint::centredText(p, {8 + kIndent, y}, m_sublayers ? m_picture->sublayerTitle(depthOf(row)) : tr("layer"),
                           uiFont(size, on ? QFont::DemiBold : QFont::Normal), ink);
    }
    p.restore();
}

void LensGrid::paintHeads(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const double y = area.top() - 17;
    paint::centredText(p, {8, y}, m_picture->isMasked() ? tr("at") : tr("after"), uiFont(11), t.text3);
    p.save();
    p.setClipRect(QRectF(area.left() - 2, 0, area.width() + 4, area.top()));
    for (int column = 0; column < columns(); ++column) {
        const QRectF at = cellRect({0, column});
        if (at.right() < area.left() || at.left() > area.right()) continue;
        const bool on = column == m_chosen.column;
        const QString whole = m_picture->heads().value(column);
        const QFont font =
            paint::fitting(whole, uiFont(isRoomy() ? 13 : 12, on ? QFont::DemiBold : QFont::Medium), at.width() - 2);
        const QString word = paint::elided(whole, font, at.width() - 2);
        const QColor ink = on ? t.nowText : m_picture->isTranslator() ? t.decoder : t.text;
        paint::centredText(p, {at.center().x(), y}, word, font, ink, Anchor::Middle);
    }
    p.restore();
}

void LensGrid::paintText(QPainter& p, const Theme& t) const {
    constexpr double kTick = 14;  // with its gap
    const QRectF area = cellsArea();
    const double y = area.bottom() + 18;
    paint::centredText(p, {8, y}, m_picture->isTranslator() ? tr("written") : tr("in the text"), uiFont(12), t.text2);
    p.save();
    p.setClipRect(QRectF(area.left() - 2, area.bottom(), area.width() + 4, kText));
    const QFont large = uiFont(12, QFont::Medium);
    for (int column = 0; column < columns(); ++column) {
        const QRectF at = cellRect({0, column});
        if (at.right() < area.left() || at.left() > area.right()) continue;
        const QString text = m_picture->inText(column);
        if (text.isEmpty()) {
            paint::centredText(p, {at.center().x(), y}, QStringLiteral("…"), large, t.text3, Anchor::Middle);
            continue;
        }
        // In a narrow column the word that is right is bold, as it is in the cells: the tick would take half of it.
        const bool isRight = m_picture->isRight(column);
        const double tick = isRight && paint::textWidth(text, large) + kTick <= at.width() - 4 ? kTick : 0;
        const QFont font =
            paint::fitting(text, isRight && tick == 0 ? uiFont(12, QFont::DemiBold) : large, at.width() - tick - 4);
        const QString word = paint::elided(text, font, at.width() - tick - 4);
        const double left = at.center().x() - (paint::textWidth(word, font) + tick) / 2;
        if (tick > 0) drawIcon(p, Icon::Check, {left - 2, y - 6, 12, 12}, t.good);
        paint::centredText(p, {left + tick, y}, word, font, isRight ? t.good : t.text2);
    }
    p.restore();
}

void LensGrid::paintLegend(QPainter& p, const Theme& t) const {
    const QRectF area = cellsArea();
    const double y = area.bottom() + kText + 8, right = viewport()->width();
    drawLegend(p, {kLabels, y, 160, 8}, ColorScale::weights(), t);
    const QFont font = uiFont(12);
    double x = kLabels + 172;
    const QString scale = tr("probability of the word in the cell");
    paint::centredText(p, {x, y + 4}, paint::elided(scale, font, right - x), font, t.text2);
    QString how = isRoomy() ? tr("Bold: already the final word.")
                            : tr("A word is printed where it changes; bold: already the final word.");
    if (!isRoomy() && paint::textWidth(how, font) > right - x)
        how = tr("Printed where it changes; bold: the final word.");
    const bool reads = isRoomy() && m_cell.height() >= kWithSource && m_picture->isTranslator() && m_sublayers;
    const QString all = reads ? how + u' ' + tr("“reads”: the source word with the most weight, mean of heads.") : how;
    paint::centredText(p, {x, y + 24}, paint::elided(all, font, right - x), font, t.text3);
    x += paint::textWidth(scale, font) + 28;
    QString coast = tr("below it the answer no longer changes");
    if (x + 38 + paint::textWidth(coast, font) > right) coast = tr("below it: settled");
    if (x + 38 + paint::textWidth(coast, font) > right) return;  // the line itself stays; its words need room
    p.setPen(QPen(t.text, 2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    p.drawPolyline(QPolygonF{{x, y + 9}, {x + 14, y + 9}, {x + 14, y - 1}, {x + 28, y - 1}});
    paint::centredText(p, {x + 38, y + 4}, coast, font, t.text2);
}

}  // namespace headlight

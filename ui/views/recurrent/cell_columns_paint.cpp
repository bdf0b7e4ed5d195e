// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using Kind = CellColumn::Kind;

constexpr double kLegend = 12, kPanelTop = 24, kTitle = 41, kLine = 58, kSymbols = 79;  ///< from the top
constexpr double kGates = 22, kInputs = 44;                                             ///< below the rows
constexpr double kNode = 9, kBarHeight = 26;
constexpr double kWideNumber = 46;  ///< a column that wide holds its number at full size

/// One scale: its name, and the ends of its colours.
struct Legend {
    QString name;
    CellColumn::Range range;
};

}  // namespace

void CellColumns::paintEvent(QPaintEvent*) {
    if (!m_picture) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintLegends(p, t);
    paintPanels(p, t);
    paintMemory(p, t);
    for (size_t column = 0; column < m_picture->columns().size(); ++column)
        paintStrip(p, t, column);
    paintBar(p, t);
    paintInputs(p, t);
}

void CellColumns::paintLegends(QPainter& p, const Theme& t) const {
    using Range = CellColumn::Range;
    std::vector<Legend> legends;
    if (m_picture->cell() == Cell::Lstm)
        legends = {{tr("gates f, i, o"), Range::Share},
                   {tr("g, tanh c, h"), Range::Squashed},
                   {tr("c and its parts"), Range::Open}};
    else if (m_picture->cell() == Cell::Gru)
        legends = {{tr("gates r, z"), Range::Share},
                   {tr("n, h and its parts"), Range::Squashed},
                   {tr("what U h + b gives"), Range::Open}};
    else
        legends = {{tr("h"), Range::Squashed}, {tr("the sum and its parts"), Range::Open}};
    double x = kPanelTop - 4;
    const QFont words = uiFont(12), numbers = monoFont(11);
    constexpr double bar = 90, tall = 8;
    for (const Legend& legend : legends) {
        const QString most = formatNumber(kMost, 0);
        const QString low = legend.range == Range::Share      ? QStringLiteral("0")
                            : legend.range == Range::Squashed ? formatNumber(-1, 0)
                                                              : QStringLiteral("≤ ") + formatNumber(-kMost, 0);
        const QString high = legend.range == Range::Share      ? QStringLiteral("1")
                             : legend.range == Range::Squashed ? QStringLiteral("+1")
                                                               : QStringLiteral("≥ +") + most;
        paint::centredText(p, {x, kLegend}, legend.name, words, t.text2);
        x += paint::textWidth(legend.name, words) + 8;
        paint::centredText(p, {x, kLegend}, low, numbers, t.text3);
        x += paint::textWidth(low, numbers) + 6;
        constexpr int stops = 9;
        for (int stop = 0; stop < stops; ++stop) {
            const double share = stop / (stops - 1.0);
            const QColor fill = legend.range == Range::Share ? t.sequential(share) : t.diverging(2 * share - 1, 1);
            p.fillRect(QRectF(std::round(x) + stop * bar / stops, kLegend - tall / 2, bar / stops, tall), fill);
        }
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(t.line2, 1));
        p.drawRect(QRectF(std::round(x) - 0.5, kLegend - tall / 2 - 0.5, bar + 1, tall + 1));
        x += bar + 6;
        paint::centredText(p, {x, kLegend}, high, numbers, t.text3);
        x += paint::textWidth(high, numbers) + 24;
    }
}

void CellColumns::paintPanels(QPainter& p, const Theme& t) const {
    const auto& panels = m_picture->panels();
    const QFont title = uiFont(13, QFont::DemiBold), caption = uiFont(12);
    for (size_t i = 0; i < panels.size(); ++i) {
        const Place place = panelPlace(i);
        paint::box(p, {place.left, kPanelTop, place.width, strips().bottom() + 8 - kPanelTop}, t.surface, t.line, 8);
        const double x = place.left + 16, after = x + paint::textWidth(panels[i].title, title) + 8;
        paint::centredText(p, {x, kTitle}, panels[i].title, title, t.text);
        const double room = place.left + place.width - 12 - after;
        if (paint::textWidth(panels[i].caption, caption) <= room)
            paint::centredText(p, {after, kTitle}, panels[i].caption, caption, t.text3);
    }
    for (size_t i = 0; i < m_picture->layout().size(); ++i) {
        const Place place = columnPlace(i);
        int size = 17;
        const QString& symbol = m_picture->layout()[i].symbol;
        while (size > 11 && paint::mathWidth(symbol, size) > place.width + 26 * scale())
            --size;
        paint::math(p, {place.left + place.width / 2, kSymbols}, symbol, size, t.text, Anchor::Middle);
    }
}

void CellColumns::paintNode(QPainter& p, const Theme& t, QPointF at, const QString& sign) const {
    const bool wide = sign.size() > 1;
    const double half = wide ? 19 : kNode;
    paint::box(p, {at.x() - half, at.y() - kNode, 2 * half, 2 * kNode}, t.surface, t.text2, kNode, 1.5);
    paint::centredText(p, at, sign, uiFont(wide ? 11 : 13, QFont::Medium), t.text, Anchor::Middle);
}

/// What is kept goes straight through, forgotten at × and written to at +; a plain network has no such way.
void CellColumns::paintMemory(QPainter& p, const Theme& t) const {
    const auto middle = [&](Kind kind) {
        const Place place = columnPlace(static_cast<size_t>(columnOf(kind)));
        return place.left + place.width / 2;
    };
    p.setPen(QPen(t.text2, 2, Qt::SolidLine, Qt::FlatCap));
    p.setBrush(Qt::NoBrush);
    const double right =
        panelPlace(m_picture->panels().size() - 1).left + panelPlace(m_picture->panels().size() - 1).width + 12;
    const auto arrow = [&] {
        p.drawPolyline(QPolygonF{{right - 6, kLine - 5}, {right, kLine}, {right - 6, kLine + 5}});
    };
    const auto tick = [&](Kind kind) { p.drawLine(QPointF(middle(kind), kLine), QPointF(middle(kind), kLine + 9)); };
    if (m_picture->cell() == Cell::Rnn) {
        p.drawPolyline(QPolygonF{{0, kLine}, {middle(Kind::Before), kLine}, {middle(Kind::Before), kLine + 9}});
        p.drawPolyline(QPolygonF{{middle(Kind::State), kLine + 9}, {middle(Kind::State), kLine}, {right, kLine}});
        arrow();
        return;
    }
    const bool lstm = m_picture->cell() == Cell::Lstm;
    p.drawLine(QPointF(lstm ? 0 : panelPlace(1).left - 12, kLine), QPointF(right, kLine));
    arrow();
    tick(Kind::Before);
    tick(Kind::Kept);
    tick(lstm ? Kind::Memory : Kind::State);
    paintNode(p, t, {middle(lstm ? Kind::Forget : Kind::Update), kLine}, QStringLiteral("×"));
    paintNode(p, t, {middle(Kind::Written), kLine}, QStringLiteral("+"));
}

void CellColumns::paintStrip(QPainter& p, const Theme& t, size_t column) const {
    const CellColumn& values = m_picture->columns()[column];
    const int units = m_picture->units(), chosen = m_picture->rowOf(m_picture->unit());
    const auto part = [&](int from, int to, double top, double bottom) {
        if (to <= from) return;
        QImage image(1, to - from, QImage::Format_RGB32);
        for (int row = from; row < to; ++row) {
            const int unit = m_picture->order()[static_cast<size_t>(row)];
            image.setPixelColor(0, row - from, colorOf(t, values, values.values[static_cast<size_t>(unit)]));
        }
        const Place place = columnPlace(column);
        const QRectF box(place.left, top, place.width, bottom - top);
        p.drawImage(box, image);
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(t.line2, 1));
        p.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    };
    p.save();
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setRenderHint(QPainter::SmoothPixmapTransform, false);
    const QRectF all = strips(), at = cellRect(column, m_picture->unit());
    part(0, chosen, all.top(), at.top() - 6);
    part(chosen + 1, units, at.bottom() + 6, all.bottom());
    p.restore();
}

void CellColumns::paintBar(QPainter& p, const Theme& t) const {
    const double y = bar();
    for (size_t panel = 0; panel < m_picture->panels().size(); ++panel) {
        const Place place = panelPlace(panel);
        const double inset = std::max(3.0, 8 * scale());
        paint::box(p, {place.left + inset, y - kBarHeight / 2, place.width - 2 * inset, kBarHeight}, t.nowTint,
                   t.nowLine, 4, 2);
    }
    const auto& layout = m_picture->layout();
    for (size_t i = 0; i < layout.size(); ++i) {
        const CellColumn& column = m_picture->columns()[i];
        const QColor fill = colorOf(t, column, column.values[static_cast<size_t>(m_picture->unit())]);
        const QRectF cell = cellRect(i, m_picture->unit());
        p.fillRect(cell, fill);
        paint::centredText(p, cell.center(), numberOf(i),
                           monoFont(cell.width() >= kWideNumber ? 12 : 11, QFont::DemiBold), Theme::onColor(fill),
                           Anchor::Middle);
        if (i == 0 || layout[i].operation.isEmpty()) continue;
        const Place before = columnPlace(i - 1);
        const bool word = layout[i].operation.size() > 1;
        const double x = layout[i].panel == layout[i - 1].panel
                             ? (before.left + before.width + cell.left()) / 2
                             : (panelPlace(static_cast<size_t>(layout[i - 1].panel)).left +
                                panelPlace(static_cast<size_t>(layout[i - 1].panel)).width +
                                panelPlace(static_cast<size_t>(layout[i].panel)).left) /
                                   2;
        paint::centredText(p, {x, y}, layout[i].operation, uiFont(word ? 12 : 15, QFont::DemiBold), t.nowText,
                           Anchor::Middle);
    }
}

/// The word and the state before it, on their way to every gate.
void CellColumns::paintInputs(QPainter& p, const Theme& t) const {
    const double gates = strips().bottom() + kGates, line = strips().bottom() + kInputs;
    const QFont font = uiFont(13, QFont::DemiBold);
    const QString word = paint::elided(m_picture->token(), font, 110);
    const double chip = paint::textWidth(word, font) + 20;
    const double state = 44, left = 20;
    double last = left + chip;
    p.setBrush(Qt::NoBrush);
    const auto& layout = m_picture->layout();
    const auto enters = [&](size_t i) {
        return !layout[i].gate.isEmpty() || layout[i].kind == Kind::Word || layout[i].kind == Kind::Past ||
               layout[i].kind == Kind::Recall;
    };
    for (size_t i = 0; i < layout.size(); ++i) {
        if (!enters(i)) continue;
        const Place place = columnPlace(i);
        const double x = place.left + place.width / 2, top = strips().bottom() + 3;
        p.setPen(QPen(t.line2, 1.5, Qt::SolidLine, Qt::FlatCap));
        p.drawLine(QPointF(x, line), QPointF(x, gates));
        p.setPen(QPen(t.text2, 1.5));
        p.drawLine(QPointF(x, gates), QPointF(x, top));
        p.drawPolyline(QPolygonF{{x - 4, top + 4.5}, {x, top}, {x + 4, top + 4.5}});
        if (!layout[i].gate.isEmpty()) paintNode(p, t, {x, gates}, layout[i].gate);
        last = x;
    }
    p.setPen(QPen(t.line2, 1.5, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(QPointF(left + chip + state, line), QPointF(last, line));
    paint::box(p, {left, line - 14, chip, 28}, t.nowTint, t.nowLine, 6, 2);
    paint::centredText(p, {left + chip / 2, line}, word, font, t.nowText, Anchor::Middle);
    paint::box(p, {left + chip + 4, line - 14, state - 4, 28}, t.surface, t.line2, 6);
    paint::math(p, {left + chip + 4 + (state - 4) / 2, line}, QStringLiteral("h_{t−1}"), 15, t.text, Anchor::Middle);
    if (m_picture->cell() == Cell::Rnn) return;
    // Where there is room for it between two ways up, or behind the last.
    const QString each = tr("for each gate its own");
    const QString sum = QStringLiteral("W x_{t} + U h_{t−1} + b");
    const double room = paint::textWidth(each, uiFont(12)) + 8 + paint::mathWidth(sum, 16);
    double from = left + chip + state;
    for (size_t i = 0; i <= layout.size(); ++i) {
        if (i < layout.size() && !enters(i)) continue;
        const double to = i == layout.size() ? width() - 8.0 : columnPlace(i).left + columnPlace(i).width / 2;
        if (to - from > room + 60) {
            const double x = i == layout.size() ? from + 30 : (from + to - room) / 2;
            paint::centredText(p, {x, line - 14}, each, uiFont(12), t.text2);
            paint::math(p, {x + paint::textWidth(each, uiFont(12)) + 8, line - 14}, sum, 16, t.text2);
            return;
        }
        from = to;
    }
}

}  // namespace headlight

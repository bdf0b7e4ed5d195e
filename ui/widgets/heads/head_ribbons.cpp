// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/head_ribbons.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/heads/line_mark.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

/// How large chips are: what there is room for.
struct ChipLook {
    int font;
    double inside, gap, tall;
};
constexpr ChipLook kLooks[] = {{15, 24, 10, 34}, {13, 18, 8, 30}, {12, 12, 6, 26}, {11, 8, 4, 24}};
constexpr double kTitles = 24, kTitlesFrom = 160, kWidestGap = 110, kWidestRibbon = 11;

/// Flat where it meets a chip.
QPen ribbonPen(double weight, bool lit, const Theme& theme) {
    QPen pen = weightPen(weight, lit, theme, kWidestRibbon);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QFont chipFont(const ChipLook& look) {
    return uiFont(look.font, QFont::Medium);
}

/// Of each chip.
std::vector<double> chipWidths(const QStringList& words, const ChipLook& look) {
    std::vector<double> widths;
    widths.reserve(static_cast<size_t>(words.size()));
    for (int i = 0; i < words.size(); ++i)
        widths.push_back(std::ceil(paint::textWidth(chipText(words, i), chipFont(look)) + look.inside));
    return widths;
}

int gapsOf(const QStringList& words) {
    int gaps = 0;
    for (int i = 1; i < words.size(); ++i)
        gaps += touchesBefore(words, i) ? 0 : 1;
    return gaps;
}

double sumOf(const std::vector<double>& widths) {
    double sum = 0;
    for (const double width : widths)
        sum += width;
    return sum;
}

double rowWidth(const QStringList& words, const ChipLook& look) {
    return sumOf(chipWidths(words, look)) + gapsOf(words) * look.gap;
}

/// Chips over the whole width, as far as they do not lose sight of one another.
std::vector<QRectF> placed(const QStringList& words, const ChipLook& look, double width, double top) {
    const std::vector<double> widths = chipWidths(words, look);
    const int gaps = gapsOf(words);
    const double spare = width - sumOf(widths);
    const double gap = gaps > 0 ? std::clamp(spare / gaps, look.gap, kWidestGap) : 0;
    double x = std::max(0.0, (spare - gaps * gap) / 2);
    std::vector<QRectF> rects;
    for (size_t i = 0; i < widths.size(); ++i) {
        if (i > 0) x += touchesBefore(words, static_cast<int>(i)) ? -kPieceOverlap : gap;
        rects.emplace_back(std::round(x), top, widths[i], look.tall);
        x += widths[i];
    }
    return rects;
}

}  // namespace

HeadRibbons::HeadRibbons(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("What one head looks at"));
}

void HeadRibbons::setData(RibbonsData data) {
    m_data = std::move(data);
    m_pointed = -1;
    std::vector<char> faint;
    for (const float weight : m_data.weights)
        faint.push_back(weight < kLeast ? 1 : 0);
    const LineWeights weights{m_data.weights, 1, static_cast<int>(m_data.below.size()),
                              static_cast<int>(m_data.above.size()), faint};
    m_ribbons = m_data.weights.empty() ? std::vector<AttentionLine>() : chooseLines(weights, 1).lines;
    const ChipLook& smallest = kLooks[std::size(kLooks) - 1];
    setMinimumWidth(
        static_cast<int>(std::ceil(std::max(rowWidth(m_data.above, smallest), rowWidth(m_data.below, smallest)))));
    tellAloud();
    place();
}

/// What the ribbons show, for whom they cannot be seen by.
void HeadRibbons::tellAloud() {
    QStringList said;
    for (int row = 0; row < m_data.below.size(); ++row) {
        const AttentionLine* strongest = nullptr;
        for (const AttentionLine& ribbon : m_ribbons)
            if (ribbon.row == row && (!strongest || ribbon.weight > strongest->weight)) strongest = &ribbon;
        if (strongest)
            said << tr("%1 looks at %2, %3")
                        .arg(spokenPiece(m_data.below[row]), spokenPiece(m_data.above[strongest->column]),
                             formatPercent(static_cast<double>(strongest->weight), 0));
    }
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

/// The room that they take above and below.
double HeadRibbons::titles() const {
    return height() < kTitlesFrom ? 0 : kTitles;
}

void HeadRibbons::place() {
    const auto fits = [this](const ChipLook& look) {
        return std::max(rowWidth(m_data.above, look), rowWidth(m_data.below, look)) <= width() &&
               2 * titles() + 3 * look.tall <= height();
    };
    m_look = 0;
    while (m_look + 1 < std::size(kLooks) && !fits(kLooks[m_look]))
        ++m_look;
    const ChipLook& look = kLooks[m_look];
    m_above = placed(m_data.above, look, width(), titles());
    m_below = placed(m_data.below, look, width(), height() - titles() - look.tall);
    update();
}

void HeadRibbons::resizeEvent(QResizeEvent*) {
    place();
}

bool HeadRibbons::isLit(const AttentionLine& ribbon) const {
    if (m_pointed >= 0) return (m_side == Side::Above ? ribbon.column : ribbon.row) == m_pointed;
    return std::ranges::find(m_data.lit, std::pair(ribbon.row, ribbon.column)) != m_data.lit.end();
}

bool HeadRibbons::isLit(Side side, int word) const {
    if (m_pointed >= 0) return side == m_side && word == m_pointed;
    return std::ranges::any_of(m_data.lit, [&](const std::pair<int, int>& cell) {
        return (side == Side::Above ? cell.second : cell.first) == word;
    });
}

void HeadRibbons::point(Side side, int word) {
    if (word == m_pointed && side == m_side) return;
    m_side = side;
    m_pointed = word;
    update();
}

void HeadRibbons::mouseMoveEvent(QMouseEvent* event) {
    for (const Side side : {Side::Above, Side::Below})
        for (size_t i = 0; i < rects(side).size(); ++i)
            if (rects(side)[i].contains(event->position())) return point(side, static_cast<int>(i));
    point(m_side, -1);
}

void HeadRibbons::leaveEvent(QEvent*) {
    point(m_side, -1);
}

void HeadRibbons::paintRibbon(QPainter& p, const AttentionLine& ribbon) const {
    const QRectF from = m_above[static_cast<size_t>(ribbon.column)], to = m_below[static_cast<size_t>(ribbon.row)];
    const QPointF a(from.center().x(), from.bottom()), b(to.center().x(), to.top());
    const double middle = (a.y() + b.y()) / 2;
    QPainterPath path(a);
    path.cubicTo({a.x(), middle}, {b.x(), middle}, b);
    p.strokePath(path, ribbonPen(static_cast<double>(ribbon.weight), isLit(ribbon), Theme::of(this)));
}

void HeadRibbons::paintChips(QPainter& p, Side side) const {
    const Theme& t = Theme::of(this);
    const QStringList& all = words(side);
    const QColor frame = side == Side::Above ? t.encoder : t.decoder;
    for (const bool lit : {false, true})  // a lit frame lies over the edges that it shares
        for (int i = 0; i < all.size(); ++i) {
            if (isLit(side, i) != lit) continue;
            const QRectF& chip = chipRect(side, i);
            const PieceBox box{chip, touchesBefore(all, i), touchesBefore(all, i + 1)};
            box.paint(p, lit ? t.nowTint : t.surface, lit ? t.nowLine : frame, 6, lit ? 2 : 1);
            paint::centredText(p, chip.center(), chipText(all, i), chipFont(kLooks[m_look]), lit ? t.nowText : t.text,
                               Anchor::Middle);
        }
}

void HeadRibbons::paintEvent(QPaintEvent*) {
    if (m_data.weights.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont title = uiFont(11, QFont::DemiBold);
    if (titles() > 0) {
        paint::text(p, {0, 12}, tr("Reads"), title, t.encoder);
        paint::text(p, {0, height() - 6.0}, tr("Writes"), title, t.decoder);
        drawWeightKey(
            p, {width() - weightKeyWidth(), 8}, [&t](double weight) { return ribbonPen(weight, false, t); }, t);
    }
    for (const bool lit : {false, true})
        for (const AttentionLine& ribbon : m_ribbons)
            if (isLit(ribbon) == lit) paintRibbon(p, ribbon);
    paintChips(p, Side::Above);
    paintChips(p, Side::Below);
}

}  // namespace headlight

#include "moc_head_ribbons.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/present/presenter_slide.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kMargin = 80, kTokenSize = 52, kGap = 26, kPadding = 34, kTokenHeight = 100, kLabels = 160;
constexpr double kFaintest = 0.03, kWidest = 20, kNowWidth = 26, kEdge = 3, kFrame = 4;

/// The words of one line that fit, the one in question among them, and where they stand.
struct Line {
    int first = 0;
    double size = kTokenSize;  ///< of the type
    std::vector<QRectF> boxes;

    bool holds(int word) const { return word >= first && word < first + static_cast<int>(boxes.size()); }
    const QRectF& box(int word) const { return boxes[static_cast<size_t>(word - first)]; }
};

double boxWidth(const QString& word, double size) {
    const double scale = size / kTokenSize;
    return std::max(110 * scale,
                    paint::textWidth(word, uiFont(static_cast<int>(size), QFont::DemiBold)) + 2 * kPadding * scale);
}

Line layLine(const QStringList& words, int now, double y, double width) {
    Line line;
    const auto count = static_cast<int>(words.size());
    const auto total = [&](int first, int last, double size) {
        double sum = 0;
        for (int i = first; i < last; ++i)
            sum += boxWidth(words[i], size) + (i > first ? kGap * size / kTokenSize : 0);
        return sum;
    };
    while (line.size > kPresenterSmallest && total(0, count, line.size) > width)
        line.size -= 2;
    int first = 0, last = count;
    // Too many even so: those around the one in question.
    while (last - first > 1 && total(first, last, line.size) > width)
        (now - first > last - 1 - now ? first : last) += now - first > last - 1 - now ? 1 : -1;
    line.first = first;
    const double scale = line.size / kTokenSize, height = kTokenHeight * std::max(0.6, scale);
    double x = kMargin + kLabels / 2 + (1440 - 2 * kMargin - kLabels / 2 - total(first, last, line.size)) / 2;
    for (int i = first; i < last; ++i) {
        const double box = boxWidth(words[i], line.size);
        line.boxes.emplace_back(x, y - height / 2, box, height);
        x += box + kGap * scale;
    }
    return line;
}

void drawWords(QPainter& p, const QStringList& words, const Line& line, int now, const HallColors& c) {
    for (int i = 0; i < static_cast<int>(line.boxes.size()); ++i) {
        const int word = line.first + i;
        const QRectF& box = line.boxes[static_cast<size_t>(i)];
        const bool on = word == now;
        paint::box(p, box, on ? c.now : c.ground, on ? c.onNow : c.ink, 12, kFrame);
        const QFont font = uiFont(static_cast<int>(line.size), on ? QFont::Bold : QFont::DemiBold);
        paint::centredText(p, box.center(), paint::elided(words[word], font, box.width() - 12), font,
                           on ? c.onNow : c.ink, Anchor::Middle);
    }
}

void drawWeight(QPainter& p, const QRectF& from, const QRectF& to, double weight, bool now, const HallColors& c) {
    const QPointF a(from.center().x(), from.bottom()), b(to.center().x(), to.top());
    const double middle = (a.y() + b.y()) / 2;
    QPainterPath path(a);
    path.cubicTo({a.x(), middle}, {b.x(), middle}, b);
    p.setBrush(Qt::NoBrush);
    const double width = now ? std::max(6.0, kNowWidth * weight) : std::max(2.0, kWidest * weight);
    if (now) {
        p.setPen(QPen(c.ink, width + 2 * kEdge, Qt::SolidLine, Qt::FlatCap));
        p.drawPath(path);
    }
    p.setPen(QPen(now ? c.now : c.weight, width, Qt::SolidLine, Qt::FlatCap));
    p.drawPath(path);
}

}  // namespace

HallColors HallColors::of(bool dark) {
    if (dark)
        return {QColor(0x0B0D11U), QColor(0xFFFFFFU), QColor(0xC9D1DCU), QColor(0x5A6472U),
                QColor(0xF2A30FU), QColor(0x000000U), QColor(0x7FB8F0U)};
    return {QColor(0xFFFFFFU), QColor(0x000000U), QColor(0x333A45U), QColor(0xB4BFD0U),
            QColor(0xF2A30FU), QColor(0x000000U), QColor(0x0B4F94U)};
}

void drawSlide(QPainter& p, const QRectF& area, const PresenterSlide& slide, const HallColors& c) {
    p.save();
    p.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    p.fillRect(area, c.ground);
    const double scale = area.width() / 1440;
    p.translate(area.topLeft());
    p.scale(scale, scale);
    const double height = area.height() / scale, room = 1440 - 2 * kMargin;
    int headline = 56;
    while (headline > 32 && paint::textWidth(slide.headline, uiFont(headline, QFont::Bold)) > room)
        headline -= 2;
    const QFont head = uiFont(headline, QFont::Bold), sub = uiFont(28, QFont::Medium);
    paint::text(p, {kMargin, 120}, paint::elided(slide.headline, head, room), head, c.ink);
    paint::text(p, {kMargin, 172}, paint::elided(slide.subline, sub, room), sub, c.quiet);

    const bool both = !slide.reads.isEmpty() && !slide.writes.isEmpty();
    const double top = both ? height * 0.375 : height * 0.5, bottom = height * 0.69;
    const double width = 1440 - 2 * kMargin - kLabels;
    const auto weight = [&](int row, int column) {
        return static_cast<double>(slide.weights[static_cast<size_t>(row) * static_cast<size_t>(slide.reads.size()) +
                                                 static_cast<size_t>(column)]);
    };
    int best = -1;
    if (!slide.weights.empty() && slide.now >= 0) {
        best = 0;
        for (int i = 1; i < slide.reads.size(); ++i)
            if (weight(slide.now, i) > weight(slide.now, best)) best = i;
    }
    const Line reads = layLine(slide.reads, std::max(0, best), top, width);
    const Line writes = layLine(slide.writes, std::max(0, slide.now), bottom, width);
    for (int row = 0; !slide.weights.empty() && row < slide.writes.size(); ++row)
        for (int column = 0; column < slide.reads.size(); ++column)
            if (row != slide.now && weight(row, column) >= kFaintest && reads.holds(column) && writes.holds(row))
                drawWeight(p, reads.box(column), writes.box(row), weight(row, column), false, c);
    for (int column = 0; slide.now >= 0 && !slide.weights.empty() && column < slide.reads.size(); ++column)
        if (weight(slide.now, column) >= kFaintest && reads.holds(column) && writes.holds(slide.now))
            drawWeight(p, reads.box(column), writes.box(slide.now), weight(slide.now, column), true, c);
    drawWords(p, slide.reads, reads, best, c);
    drawWords(p, slide.writes, writes, slide.now, c);
    const QFont label = uiFont(kPresenterSmallest, QFont::Medium);
    if (both) {
        paint::centredText(p, {kMargin, top}, slide.readsLabel, label, c.quiet);
        paint::centredText(p, {kMargin, bottom}, slide.writesLabel, label, c.quiet);
    }
    // What each written word looks at most, where there is room for it.
    for (int row = 0; !slide.weights.empty() && row < slide.writes.size(); ++row) {
        if (!writes.holds(row)) continue;
        int most = 0;
        for (int i = 1; i < slide.reads.size(); ++i)
            if (weight(row, i) > weight(row, most)) most = i;
        const bool on = row == slide.now;
        const QString text = QStringLiteral("%1 · %2").arg(formatPercent(weight(row, most), 0), slide.reads[most]);
        const QFont font = uiFont(kPresenterSmallest, on ? QFont::Bold : QFont::Normal);
        if (!on && paint::textWidth(text, font) > writes.box(row).width() + kGap * 0.6) continue;
        paint::centredText(p, {writes.box(row).center().x(), writes.box(row).bottom() + 30}, text, font,
                           on ? c.ink : c.quiet, Anchor::Middle);
    }
    p.restore();
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/present/presenter_slide.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

constexpr double kMargin = 80, kTokenSize = 52, kGap = 26, kPadding = 34, kTokenHeight = 100, kLabels = 160;
constexpr double kFaintest = 0.03, kWidest = 20, kNowWidth = 26, kEdge = 3, kFrame = 4;
constexpr double kStub = 30, kStubAside = 0.3;  ///< how long a short end is, and how far beside the middle of its word
constexpr double kMore = 60;                    ///< room for "+ 9" at the end of a line
constexpr double kShareGap = 14;                ///< between what stands below two words
constexpr qsizetype kClear = 8;  ///< from more words on each but the one in question has its strongest line only

/// The words of one line that fit, the one in question among them, and where they stand.
struct Line {
    int first = 0;
    double size = kTokenSize;  ///< of the type
    std::vector<QRectF> boxes;

    bool holds(int word) const { return word >= first && word < first + static_cast<int>(boxes.size()); }
    const QRectF& box(int word) const { return boxes[static_cast<size_t>(word - first)]; }
    bool touchesBefore(const QStringList& words, int word) const {
        return holds(word - 1) && headlight::touchesBefore(words, word);
    }
    QString text(const QStringList& words, int word) const {
        return chipText(words, word, !holds(word - 1), !holds(word + 1));
    }
};

double boxWidth(const QString& word, double size) {
    const double scale = size / kTokenSize;
    return std::max(110 * scale,
                    paint::textWidth(word, uiFont(static_cast<int>(size), QFont::DemiBold)) + 2 * kPadding * scale);
}

Line layLine(const QStringList& words, int now, double y, double width) {
    Line line;
    const auto count = static_cast<int>(words.size());
    // A piece whose neighbour is not on the slide says itself that its word goes on.
    const auto wide = [&](int word, int first, int last, double size) {
        return boxWidth(chipText(words, word, word == first, word + 1 == last), size);
    };
    const auto gapBefore = [&](int word, double size) {
        return touchesBefore(words, word) ? -kFrame : kGap * size / kTokenSize;  // pieces of a word share an edge
    };
    const auto total = [&](int first, int last, double size) {
        double sum = 0;
        for (int i = first; i < last; ++i)
            sum += wide(i, first, last, size) + (i > first ? gapBefore(i, size) : 0);
        return sum;
    };
    while (line.size > kPresenterSmallest && total(0, count, line.size) > width)
        line.size -= 2;
    int first = 0, last = count;
    // Too many even so: those around the one in question, and how many there are besides.
    const double fits = total(0, count, line.size) > width ? width - 2 * kMore : width;
    while (last - first > 1 && total(first, last, line.size) > fits)
        (now - first > last - 1 - now ? first : last) += now - first > last - 1 - now ? 1 : -1;
    line.first = first;
    const double scale = line.size / kTokenSize, height = kTokenHeight * std::max(0.6, scale);
    double x = kMargin + kLabels / 2 + (1440 - 2 * kMargin - kLabels / 2 - total(first, last, line.size)) / 2;
    for (int i = first; i < last; ++i) {
        if (i > first) x += gapBefore(i, line.size);
        const double box = wide(i, first, last, line.size);
        line.boxes.emplace_back(x, y - height / 2, box, height);
        x += box;
    }
    return line;
}

void drawWords(QPainter& p, const QStringList& words, const Line& line, int now, const HallColors& c) {
    for (int i = 0; i < static_cast<int>(line.boxes.size()); ++i) {
        const int word = line.first + i;
        const bool on = word == now;
        const PieceBox box{line.boxes[static_cast<size_t>(i)], line.touchesBefore(words, word),
                           line.holds(word + 1) && line.touchesBefore(words, word + 1)};
        box.paint(p, on ? c.now : c.ground, on ? c.onNow : c.ink, 12, kFrame);
        const QFont font = uiFont(static_cast<int>(line.size), on ? QFont::Bold : QFont::DemiBold);
        paint::centredText(p, box.rect.center(), paint::elided(line.text(words, word), font, box.rect.width() - 12),
                           font, on ? c.onNow : c.ink, Anchor::Middle);
    }
}

/// How many words there are before and behind those that fit.
void drawMore(QPainter& p, qsizetype count, const Line& line, const HallColors& c) {
    if (line.boxes.empty()) return;
    const QFont font = uiFont(kPresenterSmallest, QFont::DemiBold);
    const auto behind = static_cast<int>(count) - line.first - static_cast<int>(line.boxes.size());
    const QRectF &first = line.boxes.front(), &last = line.boxes.back();
    const auto more = [](int words) { return QStringLiteral("+ %1").arg(words); };
    if (line.first > 0)
        paint::centredText(p, {first.left() - 10, first.center().y()}, more(line.first), font, c.quiet, Anchor::End);
    if (behind > 0) paint::centredText(p, {last.right() + 10, last.center().y()}, more(behind), font, c.quiet);
}

void drawWeight(QPainter& p, const SlideLine& line, bool now, const HallColors& c) {
    QPainterPath path(line.from);
    if (line.column < 0) {
        path.lineTo(line.to);
    } else {
        const double middle = (line.from.y() + line.to.y()) / 2;
        path.cubicTo({line.from.x(), middle}, {line.to.x(), middle}, line.to);
    }
    p.setBrush(Qt::NoBrush);
    if (now) {
        p.setPen(QPen(c.ink, line.width * (1 + 2 * kEdge / kNowWidth), Qt::SolidLine, Qt::FlatCap));
        p.drawPath(path);
    }
    p.setPen(QPen(now ? c.now : c.weight, line.width, Qt::SolidLine, Qt::FlatCap));
    p.drawPath(path);
}

double weightAt(const PresenterSlide& slide, int row, int column) {
    return static_cast<double>(slide.weights[static_cast<size_t>(row) * static_cast<size_t>(slide.reads.size()) +
                                             static_cast<size_t>(column)]);
}

/// The word that is looked at most.
int mostOf(const PresenterSlide& slide, int row) {
    int most = 0;
    for (int i = 1; i < slide.reads.size(); ++i)
        if (weightAt(slide, row, i) > weightAt(slide, row, most)) most = i;
    return most;
}

/// Where the words stand.
struct Layout {
    bool both = false;
    double top = 0, bottom = 0;  ///< middles of the two lines
    int best = -1;               ///< what the word in question looks at most
    Line reads, writes;

    Layout(const PresenterSlide& slide, double height) : both(!slide.reads.isEmpty() && !slide.writes.isEmpty()) {
        top = both ? height * 0.375 : height * 0.5;
        bottom = height * 0.69;
        const double width = 1440 - 2 * kMargin - kLabels;
        if (!slide.weights.empty() && slide.now >= 0) best = mostOf(slide, slide.now);
        reads = layLine(slide.reads, std::max(0, best), top, width);
        writes = layLine(slide.writes, std::max(0, slide.now), bottom, width);
    }
};

/// Of one written word: a line for each weight that is drawn, and a short end for what the others are together.
void addRow(std::vector<SlideLine>& lines, const PresenterSlide& slide, const Layout& at, int row) {
    const double widest = row == slide.now ? kNowWidth : kWidest;
    const bool many = std::max(slide.reads.size(), slide.writes.size()) > kClear;
    const QRectF& to = at.writes.box(row);
    const int most = mostOf(slide, row);
    double left = 0;
    for (int column = 0; column < slide.reads.size(); ++column) {
        const double weight = weightAt(slide, row, column);
        const bool clear = !many || row == slide.now || column == most;
        if (weight < kFaintest || !clear || !at.reads.holds(column)) {
            left += weight;
            continue;
        }
        const QRectF& from = at.reads.box(column);
        lines.push_back(
            {row, column, widest * weight, {from.center().x(), from.bottom()}, {to.center().x(), to.top()}});
    }
    const double x = to.center().x() + kStubAside * to.width();
    if (left >= kFaintest) lines.push_back({row, -1, widest * left, {x, to.top() - kStub}, {x, to.top()}});
}

QFont shareFont(bool isNow) {
    return uiFont(kPresenterSmallest, isNow ? QFont::Bold : QFont::Normal);
}

}  // namespace

std::vector<SlideShare> sharesOf(const PresenterSlide& slide, double height) {
    std::vector<SlideShare> shares;
    if (slide.weights.empty()) return shares;
    const Layout at(slide, height);
    const auto place = [&](int row) {
        if (!at.writes.holds(row)) return;
        const int most = mostOf(slide, row);
        const QString text =
            QStringLiteral("%1 · %2").arg(formatPercent(weightAt(slide, row, most), 0), slide.reads[most]);
        const QRectF& word = at.writes.box(row);
        const double wide = paint::textWidth(text, shareFont(row == slide.now));
        const QRectF rect(word.center().x() - wide / 2, word.bottom() + 30 - kPresenterSmallest / 2.0, wide,
                          kPresenterSmallest);
        if (row != slide.now && wide > word.width() + kShareGap) return;
        // Pieces of a word stand closer than their shares can.
        if (std::ranges::none_of(shares, [&](const SlideShare& other) {
                return other.rect.adjusted(-kShareGap, 0, kShareGap, 0).intersects(rect);
            }))
            shares.push_back({row, rect, text});
    };
    // The word in question has the first room.
    if (slide.now >= 0) place(slide.now);
    for (int row = 0; row < slide.writes.size(); ++row)
        if (row != slide.now) place(row);
    return shares;
}

std::vector<SlideLine> linesOf(const PresenterSlide& slide, double height) {
    std::vector<SlideLine> lines;
    if (slide.weights.empty()) return lines;
    const Layout at(slide, height);
    for (int row = 0; row < slide.writes.size(); ++row)
        if (at.writes.holds(row) && row != slide.now) addRow(lines, slide, at, row);
    // Over the others.
    if (slide.now >= 0 && at.writes.holds(slide.now)) addRow(lines, slide, at, slide.now);
    return lines;
}

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

    const Layout at(slide, height);
    const double top = at.top, bottom = at.bottom;
    const Line& writes = at.writes;
    for (const SlideLine& line : linesOf(slide, height))
        drawWeight(p, line, line.row == slide.now, c);
    drawWords(p, slide.reads, at.reads, at.best, c);
    drawMore(p, slide.reads.size(), at.reads, c);
    drawMore(p, slide.writes.size(), writes, c);
    drawWords(p, slide.writes, writes, slide.now, c);
    const QFont label = uiFont(kPresenterSmallest, QFont::Medium);
    if (at.both) {
        paint::centredText(p, {kMargin, top}, slide.readsLabel, label, c.quiet);
        paint::centredText(p, {kMargin, bottom}, slide.writesLabel, label, c.quiet);
    }
    for (const SlideShare& share : sharesOf(slide, height)) {
        const bool on = share.row == slide.now;
        paint::centredText(p, share.rect.center(), share.text, shareFont(on), on ? c.ink : c.quiet, Anchor::Middle);
    }
    if (!slide.weights.empty())
        paint::centredText(
            p, {720, height * 0.69 + 130},
            QCoreApplication::translate("PresenterSlide", "width = weight; a short line: all other words together"),
            label, c.quiet, Anchor::Middle);
    p.restore();
}

}  // namespace headlight

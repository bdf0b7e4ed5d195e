// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/paint.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>
#include <cmath>

namespace headlight::paint {

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

QPointF between(QPointF from, QPointF to, double share) {
    return from + (to - from) * share;
}

QRectF between(const QRectF& from, const QRectF& to, double share) {
    return {between(from.topLeft(), to.topLeft(), share), between(from.bottomRight(), to.bottomRight(), share)};
}

namespace {

/// A label that was laid out: shaping its letters takes longer than drawing them, and the same labels come again with
/// every picture.
struct Label {
    QStaticText text;
    double width = 0;
};

constexpr qsizetype kMostLabels = 4096;

/// Of the fonts of theme.h, which differ in size, weight, and whether they are the numbers'.
int fontKey(const QFont& font) {
    return (font.pixelSize() * 1000 + static_cast<int>(font.weight())) * 2 +
           (font.styleHint() == QFont::Monospace ? 1 : 0);
}

const Label& labelOf(const QString& text, const QFont& font) {
    // Never taken down: it must not outlive what Qt draws with, and nothing says when that goes.
    static auto& known = *new QHash<std::pair<int, QString>, Label>;
    if (known.size() > kMostLabels) known.clear();
    Label& label = known[{fontKey(font), text}];
    if (label.text.text().isEmpty() && !text.isEmpty()) {
        label.text = QStaticText(text);
        label.text.setTextFormat(Qt::PlainText);
        label.text.setPerformanceHint(QStaticText::AggressiveCaching);
        label.text.prepare(QTransform(), font);
        label.width = QFontMetricsF(font).horizontalAdvance(text);
    }
    return label;
}

/// Heights of a font.
struct Heights {
    double ascent = 0, capitals = 0;
};

const Heights& heightsOf(const QFont& font) {
    static QHash<int, Heights> known;
    Heights& heights = known[fontKey(font)];
    if (heights.ascent == 0) {
        const QFontMetricsF metrics(font);
        heights = {metrics.ascent(), metrics.capHeight()};
    }
    return heights;
}

constexpr QChar kMinus(0x2212), kDash(0x2013);

/// In JetBrains Mono a minus is as short as a hyphen; its dash is as wide as its plus, at the height of its minus.
bool hasShortMinus(const QFont& font) {
    static const bool has = [&] {
        QFont large(font);
        large.setPixelSize(200);
        const QFontMetricsF metrics(large);
        return metrics.boundingRect(kMinus).width() <= metrics.boundingRect(QChar(u'-')).width();
    }();
    return has;
}

/// On the screen a minus is drawn as one. Where letters are kept, in a figure that is exported, it is the letter.
bool drawsDash(const QPainter& painter, const QString& text, const QFont& font) {
    return font.styleHint() == QFont::Monospace && text.contains(kMinus) &&
           painter.paintEngine()->type() == QPaintEngine::Raster && hasShortMinus(font);
}

}  // namespace

double textWidth(const QString& text, const QFont& font) {
    return labelOf(text, font).width;
}

void text(QPainter& painter, QPointF at, const QString& text, const QFont& font, const QColor& color, Anchor anchor) {
    if (text.isEmpty()) return;
    const Label& label = labelOf(drawsDash(painter, text, font) ? QString(text).replace(kMinus, kDash) : text, font);
    painter.setFont(font);
    painter.setPen(color);
    const double shift = anchor == Anchor::Start ? 0 : anchor == Anchor::Middle ? label.width / 2 : label.width;
    painter.drawStaticText(QPointF(at.x() - shift, at.y() - heightsOf(font).ascent), label.text);
}

void centredText(QPainter& painter, QPointF at, const QString& label, const QFont& font, const QColor& color,
                 Anchor anchor) {
    text(painter, {at.x(), at.y() + heightsOf(font).capitals / 2}, label, font, color, anchor);
}

QString elided(const QString& text, const QFont& font, double width, Qt::TextElideMode mode) {
    if (textWidth(text, font) <= width) return text;
    static QHash<std::pair<int, QString>, std::pair<double, QString>> known;
    if (known.size() > kMostLabels) known.clear();
    auto& [room, shortened] = known[{fontKey(font) * 4 + mode, text}];
    if (room != width || shortened.isEmpty()) {
        room = width;
        shortened = QFontMetricsF(font).elidedText(text, mode, width);
    }
    return shortened;
}

QFont fitting(const QString& text, const QFont& font, double width) {
    constexpr int kSmallest = 9;
    QFont smaller(font);
    while (smaller.pixelSize() > kSmallest && textWidth(text, smaller) > width)
        smaller.setPixelSize(smaller.pixelSize() - 1);
    return smaller;
}

void box(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& border, double radius,
         double borderWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.setPen(border.isValid() ? QPen(border, borderWidth) : QPen(Qt::NoPen));
    const double inset = border.isValid() ? borderWidth / 2 : 0;
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.restore();
}

void outline(QPainter& painter, const QRectF& cell, const QColor& color, double width, double radius) {
    const double out = width / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRoundedRect(cell.adjusted(-out, -out, out, out), radius, radius);
    painter.restore();
}

void hatch(QPainter& painter, const QRectF& cell, const QColor& ground, const QColor& lines) {
    constexpr double kSpacing = 6;
    painter.save();
    painter.fillRect(cell, ground);
    painter.setClipRect(cell, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(lines, 1));
    for (double at = kSpacing; at < cell.width() + cell.height(); at += kSpacing)
        painter.drawLine(QPointF(cell.left() + at, cell.top()),
                         QPointF(cell.left() + at - cell.height(), cell.bottom()));
    painter.restore();
}

}  // namespace headlight::paint

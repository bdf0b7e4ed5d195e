// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/paint.h"

#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <vector>

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
    const QString drawn = drawsDash(painter, text, font) ? QString(text).replace(kMinus, kDash) : text;
    const Label& label = labelOf(drawn, font);
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

namespace {

/// Where each line of a text that is wrapped begins.
std::vector<int> lineStarts(QTextLayout& layout, int width) {
    std::vector<int> starts;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        starts.push_back(line.textStart());
    }
    layout.endLayout();
    return starts;
}

}  // namespace

int widthWithoutLoneWord(const QString& text, const QFont& font, int width) {
    constexpr int kStep = 8;
    QTextLayout layout(text, font);
    layout.setCacheEnabled(true);  // letters are chosen once, not for each width
    const size_t fewest = lineStarts(layout, width).size();
    if (fewest < 2) return width;
    int best = width;  // the narrowest that will do: lines of like length read best
    for (int narrower = width; narrower > width / 2; narrower -= kStep) {
        const std::vector<int> starts = lineStarts(layout, narrower);
        if (starts.size() > fewest) break;
        if (QStringView(text).mid(starts.back()).trimmed().contains(u' ')) best = narrower;
    }
    return best;
}

namespace {

/// How a box looks, wherever it stands and however large it is.
struct BoxLook {
    QRgb fill = 0, border = 0;
    double radius = 0;
    int borderWidth = 0;
    bool operator==(const BoxLook&) const = default;
};

size_t qHash(const BoxLook& look, size_t seed) {
    return qHashMulti(seed, look.fill, look.border, look.radius, look.borderWidth);
}

void strokeBox(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& border, double radius,
               double borderWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.setPen(border.isValid() ? QPen(border, borderWidth) : QPen(Qt::NoPen));
    const double inset = border.isValid() ? borderWidth / 2 : 0;
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius);
    painter.restore();
}

/// Pixels from the corner of a box to where its edges run straight.
int cornerOf(const BoxLook& look) {
    return static_cast<int>(std::ceil(look.radius)) + look.borderWidth + 1;
}

/// The four corners of such a box, side by side.
const QImage& cornersOf(const BoxLook& look) {
    constexpr qsizetype kMostLooks = 1024;
    static QHash<BoxLook, QImage> known;
    if (known.size() > kMostLooks) known.clear();
    QImage& corners = known[look];
    if (corners.isNull()) {
        const int side = 2 * cornerOf(look);
        corners = QImage(side, side, QImage::Format_ARGB32_Premultiplied);
        corners.fill(Qt::transparent);
        QPainter painter(&corners);
        strokeBox(painter, corners.rect(), look.fill ? QColor(look.fill) : QColor(),
                  look.borderWidth > 0 ? QColor(look.border) : QColor(), look.radius, look.borderWidth);
    }
    return corners;
}

bool isWhole(double x) {
    return x == std::floor(x);
}

/// What stands on whole pixels of a picture can be copied into it.
bool isOnWholePixels(const QPainter& painter, const QRectF& box) {
    const QTransform& at = painter.deviceTransform();
    return isWhole(box.x()) && isWhole(box.y()) && isWhole(box.width()) && isWhole(box.height()) &&
           at.type() <= QTransform::TxTranslate && isWhole(at.dx()) && isWhole(at.dy()) && painter.opacity() == 1 &&
           painter.compositionMode() == QPainter::CompositionMode_SourceOver && painter.paintEngine() &&
           painter.paintEngine()->type() == QPaintEngine::Raster;
}

void fillBox(QPainter& painter, const QRect& box, const BoxLook& look) {
    const QImage& corners = cornersOf(look);
    const int side = cornerOf(look), edge = look.borderWidth;
    const int left = box.left(), top = box.top(), right = left + box.width() - side, bottom = top + box.height() - side;
    const int wide = box.width() - 2 * side, tall = box.height() - 2 * side;
    painter.drawImage(QPoint(left, top), corners, QRect(0, 0, side, side));
    painter.drawImage(QPoint(right, top), corners, QRect(side, 0, side, side));
    painter.drawImage(QPoint(left, bottom), corners, QRect(0, side, side, side));
    painter.drawImage(QPoint(right, bottom), corners, QRect(side, side, side, side));
    if (look.fill) {
        const QColor fill(look.fill);
        painter.fillRect(QRect(left + side, top + edge, wide, side - edge), fill);
        painter.fillRect(QRect(left + edge, top + side, box.width() - 2 * edge, tall), fill);
        painter.fillRect(QRect(left + side, bottom, wide, side - edge), fill);
    }
    if (edge == 0) return;
    const QColor border(look.border);
    painter.fillRect(QRect(left + side, top, wide, edge), border);
    painter.fillRect(QRect(left + side, bottom + side - edge, wide, edge), border);
    painter.fillRect(QRect(left, top + side, edge, tall), border);
    painter.fillRect(QRect(right + side - edge, top + side, edge, tall), border);
}

}  // namespace

void box(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& border, double radius,
         double borderWidth) {
    // Most boxes are opaque, with room between their corners: rectangles but for these, of which a picture is kept. A
    // path's outline takes ten times as long.
    const auto isPlain = [](const QColor& color) { return !color.isValid() || color.alpha() == 255; };
    const BoxLook look{fill.isValid() ? fill.rgb() : 0, border.isValid() ? border.rgb() : 0, std::max(0.0, radius),
                       border.isValid() ? static_cast<int>(borderWidth) : 0};
    if (isPlain(fill) && isPlain(border) && isWhole(borderWidth) && isOnWholePixels(painter, box) &&
        std::min(box.width(), box.height()) >= 2 * cornerOf(look))
        fillBox(painter, box.toRect(), look);
    else
        strokeBox(painter, box, fill, border, radius, borderWidth);
}

void outline(QPainter& painter, const QRectF& cell, const QColor& color, double width, double radius) {
    // A corner of one pixel is not drawn full.
    if (radius <= 0 && width >= 2 && color.alpha() == 255 && isWhole(width) && isOnWholePixels(painter, cell)) {
        const QRect inside = cell.toRect();
        const int edge = static_cast<int>(width), wide = inside.width() + 2 * edge;
        painter.fillRect(QRect(inside.left() - edge, inside.top() - edge, wide, edge), color);
        painter.fillRect(QRect(inside.left() - edge, inside.top() + inside.height(), wide, edge), color);
        painter.fillRect(QRect(inside.left() - edge, inside.top(), edge, inside.height()), color);
        painter.fillRect(QRect(inside.left() + inside.width(), inside.top(), edge, inside.height()), color);
        return;
    }
    const double out = width / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRoundedRect(cell.adjusted(-out, -out, out, out), radius, radius);
    painter.restore();
}

namespace {

void strokeHatch(QPainter& painter, const QRectF& cell, const QColor& ground, const QColor& lines) {
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

/// How a masked cell looks, of which a matrix has many.
struct HatchLook {
    QSize size;
    QRgb ground = 0, lines = 0;
    bool operator==(const HatchLook&) const = default;
};

size_t qHash(const HatchLook& look, size_t seed) {
    return qHashMulti(seed, look.size.width(), look.size.height(), look.ground, look.lines);
}

const QImage& hatchOf(const HatchLook& look) {
    constexpr qsizetype kMostLooks = 64;
    static QHash<HatchLook, QImage> known;
    if (known.size() > kMostLooks) known.clear();
    QImage& picture = known[look];
    if (picture.isNull()) {
        picture = QImage(look.size, QImage::Format_RGB32);
        QPainter painter(&picture);
        strokeHatch(painter, picture.rect(), QColor(look.ground), QColor(look.lines));
    }
    return picture;
}

}  // namespace

void hatch(QPainter& painter, const QRectF& cell, const QColor& ground, const QColor& lines) {
    constexpr double kLargest = 128;
    const bool isPlain = ground.alpha() == 255 && lines.alpha() == 255;
    if (isPlain && isOnWholePixels(painter, cell) && cell.width() >= 1 && cell.height() >= 1 &&
        std::max(cell.width(), cell.height()) <= kLargest)
        painter.drawImage(cell.topLeft(), hatchOf({cell.size().toSize(), ground.rgb(), lines.rgb()}));
    else
        strokeHatch(painter, cell, ground, lines);
}

}  // namespace headlight::paint

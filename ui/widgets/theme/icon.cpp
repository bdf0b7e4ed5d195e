// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme/icon.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QSvgRenderer>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>

#include "ui/widgets/theme/theme.h"

namespace headlight {
namespace {

const char* outline(Icon icon) {
    switch (icon) {
        case Icon::None:
            return "";
        case Icon::Learn:
            return "M3 5.2c2.6-.9 5-.6 7 .9 2-1.5 4.4-1.8 7-.9v10c-2.6-.9-5-.6-7 .9-2-1.5-4.4-1.8-7-.9zM10 6.1v10";
        case Icon::Explore:
            return "M3 6h5v8H3zM12 3h5v5h-5zM12 12h5v5h-5zM8 10h2M10 5.5v9M10 5.5h2M10 14.5h2";
        case Icon::Train:
            return "M3 3v14h14M5.5 6c1.5 6 4 8 11 8.5";
        case Icon::Decode:
            return "M3 10h3M6 10l4-5h3M6 10l4 5h3M13 3.5h4v3h-4zM13 13.5h4v3h-4z";
        case Icon::Compare:
            return "M3 4h6v12H3zM11 4h6v12h-6zM3 10h6M11 7.5h6";
        case Icon::Present:
            return "M2.5 4h15v9h-15zM10 13v3M6.5 16.5h7";
        case Icon::Models:
            return "M10 3l7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5l7 3.5 7-3.5";
        case Icon::Gear:
            return "M10 7.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M10 2.8v2M10 15.2v2M2.8 10h2M15.2 10h2"
                   "M4.9 4.9l1.4 1.4M13.7 13.7l1.4 1.4M15.1 4.9l-1.4 1.4M6.3 13.7l-1.4 1.4";
        case Icon::Help:
            return "M10 2.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 1 0 0-15"
                   "M7.8 8a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M10 13.8v.3";
        case Icon::Moon:
            return "M16 12.3A6.8 6.8 0 0 1 7.7 4a6.8 6.8 0 1 0 8.3 8.3z";
        case Icon::Play:
            return "M6 4l10 6-10 6z";
        case Icon::Pause:
            return "M7 4v12M13 4v12";
        case Icon::Next:
            return "M7 4l7 6-7 6M16 4v12";
        case Icon::Previous:
            return "M13 4l-7 6 7 6M4 4v12";
        case Icon::Start:
            return "M16 4l-7 6 7 6zM9 4l-6 6 6 6z";
        case Icon::Reset:
            return "M4.5 10a5.5 5.5 0 1 0 1.8-4.1M6.6 2.8L6 6.2l3.4.4";
        case Icon::Export:
            return "M10 3v9M6.5 8.5L10 12l3.5-3.5M4 13.5V16h12v-2.5";
        case Icon::Check:
            return "M4 10.5l4 4 8-9";
        case Icon::Cross:
            return "M5 5l10 10M15 5L5 15";
        case Icon::ChevronDown:
            return "M5 8l5 5 5-5";
        case Icon::Mute:
            return "M3 8h3l4-3.5v11L6 12H3zM13 8l4 4M17 8l-4 4";
        case Icon::Sound:
            return "M3 8h3l4-3.5v11L6 12H3zM13 7.5a3.5 3.5 0 0 1 0 5";
        case Icon::Warning:
            return "M10 3l7.5 13.5h-15zM10 8v4M10 14v.3";
        case Icon::Step:
            return "M5 4l8 6-8 6zM15.5 4v12";
        case Icon::Edit:
            return "M4 16l1-4 8.5-8.5 3 3L8 15z";
        case Icon::Seed:
            return "M4 4h12v12H4zM7.5 7.5v.1M12.5 12.5v.1M12.5 7.5v.1M7.5 12.5v.1";
        case Icon::Left:
            return "M12 4l-6 6 6 6";
        case Icon::Search:
            return "M8.5 3a5.5 5.5 0 1 0 .001 0zM12.6 12.6L17 17";
        case Icon::Right:
            return "M8 4l6 6-6 6";
    }
    return "";
}

std::unique_ptr<QSvgRenderer> makeRenderer(Icon icon, const QString& color, double strokeWidth) {
    const QString fill = icon == Icon::Play ? color : QStringLiteral("none");
    const QString svg =
        QStringLiteral(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="%1" fill="%2" )"
                       R"(stroke="%3" stroke-width="%4" stroke-linecap="round" stroke-linejoin="round"/></svg>)")
            .arg(QLatin1String(outline(icon)), fill, color)
            .arg(strokeWidth);
    return std::make_unique<QSvgRenderer>(svg.toUtf8());
}

void renderIcon(QPainter& painter, Icon icon, const QRectF& box, const QColor& color, double strokeWidth) {
    // The stroke is meant in pixels of the screen, not of the 20 px box.
    const double inBox = strokeWidth * 20 / box.width();
    static std::map<std::tuple<Icon, QRgb, int>, std::unique_ptr<QSvgRenderer>> renderers;
    auto& renderer = renderers[{icon, color.rgb(), static_cast<int>(inBox * 100)}];
    if (!renderer) renderer = makeRenderer(icon, color.name(), inBox);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    renderer->render(&painter, box);
    painter.restore();
}

bool isOnScreen(const QPainter& painter) {
    return painter.deviceTransform().type() <= QTransform::TxTranslate && painter.opacity() == 1 &&
           painter.compositionMode() == QPainter::CompositionMode_SourceOver && painter.paintEngine() &&
           painter.paintEngine()->type() == QPaintEngine::Raster;
}

}  // namespace

/// On the screen a picture of it is kept, for each place between two pixels: its lines take fifty times as long.
void drawIcon(QPainter& painter, Icon icon, const QRectF& box, const QColor& color, double strokeWidth) {
    if (icon == Icon::None) return;
    constexpr double kLargest = 64, kParts = 64;  // of a pixel
    constexpr int kBeside = 2;                    // round ends reach beyond the box
    constexpr size_t kMostPictures = 512;
    if (!isOnScreen(painter) || std::max(box.width(), box.height()) > kLargest || color.alpha() != 255)
        return renderIcon(painter, icon, box, color, strokeWidth);
    const QTransform& at = painter.deviceTransform();
    const QPointF corner = box.topLeft() + QPointF(at.dx(), at.dy());
    const QPoint pixel(static_cast<int>(std::floor(corner.x())), static_cast<int>(std::floor(corner.y())));
    const auto part = [](double x) { return static_cast<int>(std::lround(x * kParts)); };
    const std::tuple key{icon,
                         color.rgb(),
                         part(strokeWidth),
                         part(box.width()),
                         part(box.height()),
                         part(corner.x() - pixel.x()),
                         part(corner.y() - pixel.y())};
    static std::map<std::remove_const_t<decltype(key)>, QImage> pictures;
    if (pictures.size() > kMostPictures) pictures.clear();
    QImage& picture = pictures[key];
    if (picture.isNull()) {
        const QSize size(static_cast<int>(std::ceil(box.width())) + 1 + 2 * kBeside,
                         static_cast<int>(std::ceil(box.height())) + 1 + 2 * kBeside);
        picture = QImage(size, QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        QPainter inside(&picture);
        renderIcon(inside, icon, QRectF(corner - pixel + QPointF(kBeside, kBeside), box.size()), color, strokeWidth);
    }
    painter.drawImage(QPointF(pixel) - QPointF(at.dx(), at.dy()) - QPointF(kBeside, kBeside), picture);
}

void drawMark(QPainter& painter, QPointF topLeft, const Theme& theme) {
    painter.save();
    painter.translate(topLeft);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(QPointF(13, 24), 6, 6);
    painter.setBrush(theme.now);
    painter.drawPolygon(QPolygonF({{20, 19.5}, {36, 12}, {36, 36}, {20, 28.5}}));
    painter.restore();
}

}  // namespace headlight

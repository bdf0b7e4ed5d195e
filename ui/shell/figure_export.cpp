// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/figure_export.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "ui/session/open/step_cursor.h"

namespace headlight {

namespace {

constexpr int pngScale = 2;
constexpr int pixelsPerInch = 96;

QImage asImage(QWidget& widget) {
    QImage image(widget.size() * pngScale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pngScale);
    image.fill(Qt::transparent);
    widget.render(&image);
    return image;
}

QByteArray asPng(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    asImage(widget).save(&buffer, "PNG");
    return bytes;
}

QByteArray asSvg(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(QRect({}, widget.size()));
    generator.setTitle(widget.accessibleName());
    widget.render(&generator);
    return bytes;
}

QByteArray asPdf(QWidget& widget) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(pixelsPerInch);
        const QSizeF points = QSizeF(widget.size()) * 72.0 / pixelsPerInch;
        writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        widget.render(&writer);
    }
    return bytes;
}

}  // namespace

void exportFigure(QWidget& widget, const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("png"))
        bytes = asPng(widget);
    else if (ending == QLatin1String("svg"))
        bytes = asSvg(widget);
    else if (ending == QLatin1String("pdf"))
        bytes = asPdf(widget);
    else
        throw Error(path.toStdString() + " does not end in .png, .svg or .pdf: the ending says what to write");
    atomicWrite(path.toStdString(), std::span(bytes.constData(), static_cast<size_t>(bytes.size())));
}

std::unique_ptr<QMimeData> figureData(QWidget& widget) {
    auto figure = std::make_unique<QMimeData>();
    figure->setData(QStringLiteral("image/svg+xml"), asSvg(widget));
    figure->setData(QStringLiteral("application/pdf"), asPdf(widget));
    figure->setImageData(asImage(widget));
    return figure;
}

int exportSteps(QWidget& widget, StepCursor& cursor, const QString& path, const std::function<bool(int)>& goOn) {
    const int before = cursor.position();
    const QFileInfo file(path);
    int frames = 0;
    cursor.toStart();
    while (cursor.count() > 0) {
        const QString name = QStringLiteral("%1-%2.%3")
                                 .arg(file.completeBaseName())
                                 .arg(++frames, 3, 10, QLatin1Char('0'))
                                 .arg(file.suffix());
        exportFigure(widget, file.dir().filePath(name));
        const int at = cursor.position();
        if (goOn && !goOn(at)) break;
        cursor.next();
        if (cursor.position() == at) break;
    }
    cursor.setPosition(before);
    return frames;
}

}  // namespace headlight

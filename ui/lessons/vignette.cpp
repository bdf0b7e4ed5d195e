// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/vignette.h"

#include <QCache>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QTransform>
#include <algorithm>
#include <array>

#include "core/lessons/vignette.h"
#include "ui/lessons/sketch.h"
#include "ui/lessons/vignette_drawings.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr qsizetype kMostBytes = qsizetype{64} << 20;  ///< all signs at twice the pixels, light and dark

/// In the order of vignetteNames.
constexpr std::array kDrawings = {
    vignette::seq2seq,       vignette::cell,   vignette::handover,    vignette::forcing,       vignette::bottleneck,
    vignette::attention,     vignette::scores, vignette::byHand,      vignette::queryKeyValue, vignette::positions,
    vignette::heads,         vignette::masks,  vignette::residuals,   vignette::feedForward,   vignette::encoder,
    vignette::decoder,       vignette::loss,   vignette::training,    vignette::decoding,      vignette::subwords,
    vignette::languageModel, vignette::cost,   vignette::headsLookAt, vignette::bleu};
static_assert(kDrawings.size() == vignetteNames.size());

std::string_view vignetteOf(ViewName view) {
    switch (view) {
        case ViewName::Lessons:
        case ViewName::Recurrent:
            return "seq2seq";
        case ViewName::Attention:
            return "heads-look-at";
        case ViewName::QueryKeyValue:
            return "query-key-value";
        case ViewName::Masks:
            return "masks";
        case ViewName::Positions:
            return "positions";
        case ViewName::Cell:
            return "cell";
        case ViewName::Residuals:
        case ViewName::Lens:
            return "residuals";
        case ViewName::FeedForward:
        case ViewName::Weights:
            return "feed-forward";
        case ViewName::Loss:
        case ViewName::Why:
            return "loss";
        case ViewName::Subwords:
        case ViewName::Embeddings:
            return "subwords";
        case ViewName::Architecture:
        case ViewName::Models:
        case ViewName::ByName:
            return "encoder";
        case ViewName::Values:
            return "scores";
        case ViewName::Surgery:
            return "decoder";
        case ViewName::Training:
        case ViewName::TrainingData:
        case ViewName::TrainingSettings:
        case ViewName::Runs:
            return "training";
        case ViewName::TrainingHeads:
            return "heads";
        case ViewName::Sentences:
        case ViewName::Bleu:
            return "bleu";
        case ViewName::Decode:
            return "decoding";
        case ViewName::Forcing:
            return "forcing";
        case ViewName::Compare:
            return "handover";
        case ViewName::Cost:
            return "cost";
    }
    return "seq2seq";
}

void draw(QPainter& painter, const QRectF& area, size_t sign, const Theme& theme) {
    Sketch sketch(painter, area, theme);
    kDrawings.at(sign)(sketch);
}

/// The drawing of a sign on a screen with `ratio` pixels to a unit.
const QImage& keptSign(const QSizeF& size, size_t sign, double ratio, const Theme& theme) {
    static QCache<QString, QImage> kept(kMostBytes);
    const QString key =
        QStringLiteral("%1 %2 %3 %4 %5").arg(sign).arg(size.width()).arg(size.height()).arg(ratio).arg(theme.number);
    if (const QImage* image = kept.object(key)) return *image;
    auto* image = new QImage((size * ratio).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image->setDevicePixelRatio(ratio);
    image->fill(Qt::transparent);
    {
        QPainter painter(image);
        draw(painter, QRectF({0, 0}, size), sign, theme);
    }
    kept.insert(key, image, std::min(image->sizeInBytes(), kMostBytes));
    return *image;
}

}  // namespace

std::string_view vignetteOf(const Lesson& lesson) {
    for (const std::string& wanted : {lesson.vignette, lesson.slug})
        if (const auto name = std::ranges::find(vignetteNames, wanted); name != vignetteNames.end()) return *name;
    return vignetteOf(lesson.steps.empty() ? ViewName::Lessons : lesson.stateAt(0).view);
}

void paintVignette(QPainter& painter, const QRectF& area, std::string_view name, const Theme& theme) {
    const auto at = std::ranges::find(vignetteNames, name);
    if (at == vignetteNames.end()) return;
    const auto sign = static_cast<size_t>(at - vignetteNames.begin());
    const QTransform way = painter.deviceTransform();
    const bool hasPixels = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!hasPixels || way.type() > QTransform::TxScale || way.m11() != way.m22() || way.m11() <= 0)
        return draw(painter, area, sign, theme);
    painter.drawImage(area.topLeft(), keptSign(area.size(), sign, way.m11(), theme));
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/bleu/published_results.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kHead = 24, kPublishedRow = 21, kCost = 66, kPublishedScore = 58;

}  // namespace

const std::vector<PublishedResult>& publishedResults() {
    static const std::vector<PublishedResult> all = {
        {"ByteNet", "23.75", "", ""},
        {"Deep-Att + PosUnk", "", "39.2", "1.0e20"},
        {"GNMT + RL", "24.6", "39.92", "1.4e20"},
        {"ConvS2S", "25.16", "40.46", "1.5e20"},
        {"MoE", "26.03", "40.56", "1.2e20"},
        {"Deep-Att + PosUnk, ens.", "", "40.4", "8.0e20"},
        {"GNMT + RL, ens.", "26.30", "41.16", "1.1e21"},
        {"ConvS2S, ens.", "26.36", "41.29", "1.2e21"},
        {"Transformer, base", "27.3", "38.1", "3.3e18", true},
        {"Transformer, big", "28.4", "41.8", "2.3e19", true},
    };
    return all;
}

PublishedTable::PublishedTable(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Published results"));
    QStringList told;
    for (const PublishedResult& each : publishedResults())
        told << tr("%1: EN-DE %2, EN-FR %3, FLOPs %4")
                    .arg(QString::fromLatin1(each.model), QString::fromLatin1(each.enDe),
                         QString::fromLatin1(each.enFr), QString::fromLatin1(each.flops));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize PublishedTable::sizeHint() const {
    return {350, static_cast<int>(kHead + kPublishedRow * static_cast<double>(publishedResults().size()))};
}

void PublishedTable::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double right = width();
    const std::array<double, 3> ends = {right - kCost - kPublishedScore, right - kCost, right};
    const std::array<QString, 3> heads = {tr("EN-DE"), tr("EN-FR"), tr("FLOPs")};
    for (size_t i = 0; i < ends.size(); ++i)
        paint::centredText(p, {ends[i], 9}, heads[i], uiFont(11, QFont::Medium), t.text3, Anchor::End);
    p.fillRect(QRectF(0, kHead - 4, right, 1), t.line);
    double y = kHead + kPublishedRow / 2;
    for (const PublishedResult& each : publishedResults()) {
        if (each.isTransformer) p.fillRect(QRectF(0, y - kPublishedRow / 2, right, kPublishedRow), t.sunken);
        const int weight = each.isTransformer ? QFont::DemiBold : QFont::Normal;
        const QColor ink = each.isTransformer ? t.text : t.text2;
        // As far as the first number that there is.
        const double room = (each.enDe[0] ? ends[0] : ends[1]) - 46;
        const QString name = paint::elided(QString::fromLatin1(each.model), uiFont(12, weight), room);
        paint::centredText(p, {each.isTransformer ? 4.0 : 0.0, y}, name, uiFont(12, weight), ink);
        const std::array<const char*, 3> values = {each.enDe, each.enFr, each.flops};
        for (size_t i = 0; i < ends.size(); ++i)
            paint::centredText(p, {ends[i] - (each.isTransformer && i == 2 ? 4 : 0), y}, QString::fromLatin1(values[i]),
                               monoFont(11, weight), ink, Anchor::End);
        y += kPublishedRow;
    }
}

}  // namespace headlight

#include "moc_published_results.cpp"

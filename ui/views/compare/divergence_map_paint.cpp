// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "ui/views/compare/divergence_map.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

void DivergenceMap::paintColumn(QPainter& p, const Column& column, double from, double to) const {
    const Theme& t = Theme::of(this);
    const QRectF area = column.area;
    const double row = area.height() / std::max<double>(1, static_cast<double>(column.of.rows.size()));
    for (size_t i = 0; i < column.of.rows.size(); ++i) {
        const double top = std::round(area.top() + row * static_cast<double>(i)),
                     bottom = std::round(area.top() + row * static_cast<double>(i + 1));
        const QRectF stripe(area.left(), top, area.width(), bottom - top - (row >= 4 ? 1 : 0));
        const double apart = column.of.rows[i];
        if (std::isnan(apart))
            paint::hatch(p, stripe, t.hatchGround, t.hatch);
        else
            p.fillRect(stripe, t.sequential(std::min(1.0, apart)));
    }
    const bool current = isCurrent(column);
    if (current)
        paint::outline(p, area, t.nowLine, 2);
    else
        paint::box(p, area, {}, t.line2);
    const QStringList title = titleOf(column);
    double y = area.top() - 8 - 13.0 * static_cast<double>(title.size() - 1);
    if (!column.silent.isEmpty() || column.isChanged) {
        const QString otherwise = column.isChanged ? tr("by hand")
                                  : isInLayers()   ? tr("head muted")
                                                   : tr("without %1").arg(column.silent);
        const QFont font = uiFont(11, QFont::DemiBold);
        // Of many heads it is wider than the module: then it leans away from the frame of its layer.
        const double half = paint::textWidth(otherwise, font) / 2;
        const bool fits = from + half <= to - half;
        const double x = fits ? std::clamp(area.center().x(), from + half, to - half) : area.center().x();
        paint::centredText(p, {x, y - 13}, otherwise, font, t.bad, Anchor::Middle);
    }
    for (const QString& line : title) {
        paint::centredText(p, {area.center().x(), y}, line, uiFont(11), t.text, Anchor::Middle);
        y += 13;
    }
    paint::centredText(p, {area.center().x(), area.bottom() + 10}, percent(column.of.whole), monoFont(11),
                       column.of.whole > 0 ? t.text : t.text3, Anchor::Middle);
}

QColor DivergenceMap::colorOf(const Band& band) const {
    const Theme& t = Theme::of(this);
    return band.stack == Stack::Decoder ? t.decoder : t.encoder;
}

void DivergenceMap::paintBand(QPainter& p, const Band& band) const {
    if (band.columns.empty()) return;
    const double top = band.columns.front().area.top() - headerOf(band);
    const QString name = band.stack == Stack::Only      ? tr("Layers")
                         : band.stack == Stack::Decoder ? tr("Decoder")
                                                        : tr("Encoder");
    paint::centredText(p, {0, top + (isFlat(band) ? 10 : 12)}, name, uiFont(12, QFont::DemiBold), colorOf(band));
    paintLayers(p, band);
    if (isFlat(band)) return paintFlat(p, band);
    paintWords(p, band);
    for (const Column& column : band.columns) {
        double from = 0, to = width();
        if (column.layer >= 0) {
            from = column.area.left();
            to = column.area.right();
            for (const Column& other : band.columns) {
                if (isInLayers() ? other.layer < 0 : other.layer != column.layer) continue;
                from = std::min(from, other.area.left());
                to = std::max(to, other.area.right());
            }
        }
        paintColumn(p, column, from, to);
    }
}

/// Behind the modules of each.
void DivergenceMap::paintLayers(QPainter& p, const Band& band) const {
    const Theme& t = Theme::of(this);
    const QColor tint = band.stack == Stack::Decoder ? t.decoderTint : t.encoderTint;
    const QRectF first = band.columns.front().area;
    const double header = headerOf(band), foot = footOf(band);
    for (size_t from = 0; from < band.columns.size();) {
        size_t to = from;
        while (to + 1 < band.columns.size() &&
               (isInLayers() ? band.columns[to + 1].layer >= 0 && band.columns[from].layer >= 0
                             : band.columns[to + 1].layer == band.columns[from].layer))
            ++to;
        if (const int layer = band.columns[from].layer; layer >= 0) {
            const QRectF box(band.columns[from].area.left() - kInset + 1, first.top() - header,
                             band.columns[to].area.right() - band.columns[from].area.left() + 2 * kInset - 2,
                             first.height() + header + foot);
            paint::box(p, box, tint, {}, 6);
            const QString title = isInLayers() ? tr("Layers") : tr("Layer %1").arg(layer + 1);
            if (!isFlat(band))
                paint::centredText(p, {box.left() + 8, box.top() + 9}, title, uiFont(11, QFont::DemiBold),
                                   colorOf(band));
        }
        from = to + 1;
    }
}

/// That all of its modules agree takes no row for each word, and no number below each.
void DivergenceMap::paintFlat(QPainter& p, const Band& band) const {
    const Theme& t = Theme::of(this);
    const double top = band.columns.front().area.top() - headerOf(band);
    paint::centredText(p, {0, top + 25}, tr("nothing differs"), uiFont(11), t.text3);
    for (const Column& column : band.columns) {
        p.fillRect(column.area, t.sequential(0));
        if (isCurrent(column))
            paint::outline(p, column.area, t.nowLine, 2);
        else
            paint::box(p, column.area, {}, t.line2);
    }
}

void DivergenceMap::paintWords(QPainter& p, const Band& band) const {
    const Theme& t = Theme::of(this);
    const QRectF first = band.columns.front().area;
    const double row = first.height() / std::max(1.0, static_cast<double>(band.words.size()));
    if (band.isLow && row < kLabelRow) {
        const QStringList lines = {tr("A and B"), tr("agree here")};
        for (int i = 0; i < lines.size(); ++i)
            paint::centredText(p, {0, first.top() - header() + 28 + 14.0 * i}, lines[i], uiFont(11), t.text3);
        return;
    }
    const int every = std::max(1, static_cast<int>(std::ceil(kLabelRow / row)));
    const int word = band.stack == m_wordStack ? m_word : -1;
    for (int i = 0; i < band.words.size(); ++i) {
        const bool isChosen = i == word;
        // The chosen word is told; those whose place it takes are not.
        const bool isHidden = word >= 0 && !isChosen && std::abs(i - word) < every;
        if (isHidden || (i % every != 0 && !isChosen)) continue;
        const QFont font = uiFont(11, isChosen ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {kLabels - 6, first.top() + row * (i + 0.5)},
                           paint::elided(band.words[i], font, kLabels - 12), font, isChosen ? t.nowText : t.text2,
                           Anchor::End);
    }
}

/// From what every step of the encoder hands on to every attention that reads it, and how far it is apart there. A
/// thought vector, which stands behind it, goes elsewhere.
void DivergenceMap::paintMemory(QPainter& p) const {
    if (between() != kMemory) return;
    const Theme& t = Theme::of(this);
    const std::vector<Column>& encoder = m_bands.front().columns;
    const auto memory = std::ranges::find_if(encoder.rbegin(), encoder.rend(),
                                             [](const Column& each) { return each.of.value->part != Part::Thought; });
    if (memory == encoder.rend()) return;
    const double from = memory->area.bottom() + footOf(m_bands.front()), y = from + kMemory / 2, to = from + kMemory;
    std::vector<double> readers;
    for (const Column& column : m_bands.back().columns)
        if (column.of.value->owner().over == AttentionOver::Memory) readers.push_back(column.area.center().x());
    if (readers.empty()) return;
    p.setPen(QPen(t.encoder, 1.5));
    const auto [left, right] = std::ranges::minmax(readers);
    const double start = memory->area.center().x();
    p.drawLine(QPointF(start, from), QPointF(start, y));
    p.drawLine(QPointF(std::min(left, start), y), QPointF(std::max(right, start), y));
    for (const double x : readers) {
        p.drawLine(QPointF(x, y), QPointF(x, to));
        p.drawLine(QPointF(x - 4, to - 5), QPointF(x, to));
        p.drawLine(QPointF(x + 4, to - 5), QPointF(x, to));
    }
    const QString text = memory->of.whole == 0        ? tr("the memory, the same in A and in B")
                         : memory != encoder.rbegin() ? tr("every state, to attend to")
                                                      : tr("the memory goes in as K and V");
    const QFont font = uiFont(11, QFont::Medium);
    const double wide = paint::textWidth(text, font), beside = std::max(right, start) + 10;
    if (wide + 24 > start - left) {
        // Where the way is too short to bear it, it stands behind its end.
        if (beside + wide <= width()) paint::centredText(p, {beside, y}, text, font, t.encoder);
        return;
    }
    const double middle =
        readers.size() > 1 && readers[1] - left > wide + 24 ? (left + readers[1]) / 2 : (left + start) / 2;
    p.fillRect(QRectF(middle - wide / 2 - 6, y - 7, wide + 12, 14), t.surface);
    paint::centredText(p, {middle, y}, text, font, t.encoder, Anchor::Middle);
}

void DivergenceMap::paintEvent(QPaintEvent*) {
    QPainter p(this);
    if (m_bands.empty()) return;
    for (const Band& band : m_bands)
        paintBand(p, band);
    paintMemory(p);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost/weight_blocks.h"

#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBlocksBetween = 10, kAbove = 44, kBlocksBelow = 42, kBlocksNarrow = 40, kLine = 13;

}  // namespace

WeightBlocks::WeightBlocks(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void WeightBlocks::setBlocks(std::vector<WeightBlock> blocks) {
    m_blocks = std::move(blocks);
    QStringList told;
    for (const WeightBlock& block : m_blocks)
        told << QStringLiteral("%1 %2").arg(block.name, formatCount(block.count()));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

long WeightBlocks::total() const {
    return parametersOf(m_blocks);
}

QRectF WeightBlocks::areaOf(size_t block) const {
    long rows = 0, before = 0, most = 1;
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        rows += m_blocks[i].rows;
        if (i < block) before += m_blocks[i].rows;
        most = std::max(most, m_blocks[i].columns);
    }
    const double gaps = kBlocksBetween * static_cast<double>(m_blocks.size() - 1);
    const double across = (width() - gaps) / static_cast<double>(std::max(1L, rows));
    const double up = (height() - kAbove - kBlocksBelow) / static_cast<double>(most);
    const double tall = static_cast<double>(m_blocks[block].columns) * up;
    return {static_cast<double>(before) * across + kBlocksBetween * static_cast<double>(block),
            height() - kBlocksBelow - tall, static_cast<double>(m_blocks[block].rows) * across, tall};
}

void WeightBlocks::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QFont name = uiFont(11, QFont::DemiBold), digits = monoFont(11), number = monoFont(12, QFont::Medium);
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        const WeightBlock& block = m_blocks[i];
        const QRectF area = areaOf(i);
        const QColor color = block.decodes ? t.decoder : t.encoder;
        paint::box(p, area, block.decodes ? t.decoderTint : t.encoderTint, color, area.width() > 20 ? 2 : 0);
        const QString shape = QStringLiteral("%1×%2").arg(formatCount(block.rows), formatCount(block.columns));
        const double share = static_cast<double>(block.count()) / static_cast<double>(std::max(1L, total()));
        // What is too narrow for its words hangs them above the tallest and below the numbers of the others.
        const double middle = area.center().x();
        if (area.width() < kBlocksNarrow) {
            const QString title = block.name + QStringLiteral("  ");
            const double wide = paint::textWidth(title, name) + paint::textWidth(shape, digits);
            const double left = std::clamp(middle - wide / 2, 0.0, width() - wide);
            paint::centredText(p, {left, 8}, title, name, color);
            paint::centredText(p, {left + wide, 8}, shape, digits, t.text3, Anchor::End);
            p.fillRect(QRectF(middle, 16, 1, area.top() - 18), t.line2);
            p.fillRect(QRectF(middle, area.bottom() + 2, 1, 20), t.line2);
            paint::centredText(p, {middle, area.bottom() + 32}, formatCount(block.count()), number, t.text,
                               Anchor::Middle);
            continue;
        }
        const bool fits = paint::textWidth(block.name, name) <= area.width();
        const QStringList lines = fits ? QStringList{block.name} : block.name.split(u' ');
        double y = area.top() - 8 - kLine * static_cast<double>(lines.size());
        for (const QString& line : lines) {
            paint::centredText(p, {area.left(), y}, line, name, color);
            y += kLine;
        }
        paint::centredText(p, {area.left(), y}, shape, digits, t.text3);
        paint::centredText(p, area.center(), formatPercent(share), monoFont(12, QFont::DemiBold), t.text,
                           Anchor::Middle);
        paint::centredText(p, {middle, area.bottom() + 14}, formatCount(block.count()), number, t.text, Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_weight_blocks.cpp"

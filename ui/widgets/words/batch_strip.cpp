// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/batch_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/session/format/piece_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/piece_box.h"

namespace headlight {

namespace {

constexpr double kRow = 32, kChip = 26, kBatchNumber = 24, kBatchWidest = 92, kBatchGap = 6;

}  // namespace

BatchStrip::BatchStrip(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("The batch"));
    setAccessibleDescription(tr("Up and down choose the sentence whose masks are shown."));
}

void BatchStrip::setRows(std::vector<Row> rows) {
    m_rows = std::move(rows);
    m_chosen = std::clamp(m_chosen, 0, std::max(0, static_cast<int>(m_rows.size()) - 1));
    updateGeometry();
    update();
}

void BatchStrip::setChosen(int row) {
    m_chosen = row;
    update();
}

void BatchStrip::choose(int row) {
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || row == m_chosen) return;
    setChosen(row);
    emit rowChosen(row);
}

QSize BatchStrip::sizeHint() const {
    qsizetype columns = 0;
    for (const Row& row : m_rows)
        columns = std::max(columns, row.tokens.size());
    return {static_cast<int>(kBatchNumber + kBatchWidest * static_cast<double>(columns)),
            static_cast<int>(kRow * static_cast<double>(std::max<size_t>(1, m_rows.size())))};
}

QRectF BatchStrip::chipRect(int row, int column) const {
    const auto columns = static_cast<double>(m_rows[static_cast<size_t>(row)].tokens.size());
    const double pitch = std::min(kBatchWidest, (width() - kBatchNumber) / std::max(1.0, columns));
    return {kBatchNumber + column * pitch, row * kRow + (kRow - kChip) / 2, pitch - kBatchGap, kChip};
}

void BatchStrip::mousePressEvent(QMouseEvent* event) {
    choose(static_cast<int>(event->position().y() / kRow));
}

void BatchStrip::keyPressEvent(QKeyEvent* event) {
    const int move = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (move == 0) return QWidget::keyPressEvent(event);
    choose(m_chosen + move);
}

void BatchStrip::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont font = uiFont(12, QFont::Medium);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        const Row& it = m_rows[static_cast<size_t>(row)];
        const bool chosen = row == m_chosen;
        paint::centredText(p, {4, (row + 0.5) * kRow}, QString::number(row + 1), uiFont(12, QFont::DemiBold),
                           chosen ? t.nowText : t.text3);
        for (int column = 0; column < it.tokens.size(); ++column) {
            const QRectF chip = chipRect(row, column);
            const bool pad = column >= it.words;
            // Columns stand below one another: a piece reaches over the gap to the one that it touches.
            const PieceBox box{
                touchesBefore(it.tokens, column + 1) ? chip.adjusted(0, 0, kBatchGap + kPieceOverlap, 0) : chip,
                touchesBefore(it.tokens, column), touchesBefore(it.tokens, column + 1)};
            box.paint(p, pad ? t.sunken : chosen ? t.nowTint : t.surface, chosen && !pad ? t.nowLine : t.line2, 6);
            if (pad) paint::hatch(p, chip.adjusted(2, 2, -2, -2), t.hatchGround, t.hatch);
            paint::centredText(p, chip.center(), paint::elided(chipText(it.tokens, column), font, chip.width() - 6),
                               font, pad ? t.text3 : t.text, Anchor::Middle);
        }
    }
}

}  // namespace headlight

#include "moc_batch_strip.cpp"

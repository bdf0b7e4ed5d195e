// SPDX-License-Identifier: GPL-3.0-or-later
// What of the architecture's numbers a lesson hides until the reader has predicted them.
#include <QPainter>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/values/value_veil.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

void ArchitectureStage::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    findUnderWay();
    reroute();
}

bool ArchitectureStage::isAsked(int index, const ValueCell& cell) const {
    return !m_veiled.empty() &&
           isVeiled(m_veiled, record(index), {headOf(record(index), cell.head), cell.row, cell.column});
}

bool ArchitectureStage::hasAsked(const TraceRecord& value) const {
    return hasVeil(m_veiled, value.name) ||
           std::ranges::any_of(value.inputs, [this](const std::string& input) { return hasVeil(m_veiled, input); });
}

bool ArchitectureStage::isAsked(const ArchitectureMap::Item& item) const {
    return item.row >= 0 && isAsked(item.record, {0, item.row, item.more.toInt()});
}

QString ArchitectureStage::hintOf(int index, const ValueCell& cell) const {
    return isAsked(index, cell) ? tr("hidden until you have predicted it")
                                : formatPrecise(static_cast<double>(numberAt(record(index), cell)));
}

/// The matrix, and over it runs of hidden cells.
void ArchitectureStage::paintMatrix(QPainter& p, const QRectF& at, int index, const Theme& t) const {
    const HeadImage shown = image(index);
    drawHead(p, at, shown, t);
    if (!shown.revealed || !hasVeil(m_veiled, record(index).name)) return;
    p.save();
    if (shown.filled >= 0) p.setClipRegion(filledRegion(at, shown), Qt::IntersectClip);
    constexpr double kParted = 9;  // cells as large stand apart
    const bool isParted = at.width() / shown.columns >= kParted && at.height() / shown.rows >= kParted;
    for (int row = 0; row < shown.rows; ++row) {
        const auto isHidden = [&](int column) { return isAsked(index, {m_selection->head(), row, column}); };
        forEachHiddenRun(shown.columns, isHidden, [&](int from, int to) {
            const auto cell = [&](int column) { return headCellRect(at, shown, row, column); };
            for (int column = from; isParted && column < to; ++column)
                HiddenArea::paintCell(p, cell(column).adjusted(0, 0, -1, -1), t);
            if (isParted) return;
            // Of cells smaller than a pixel no row is left out.
            const QRectF run = cell(from).united(cell(to - 1));
            paint::hatch(p, {run.topLeft(), run.size().expandedTo({1, 1})}, t.hatchGround, t.hatch);
        });
    }
    p.restore();
}

}  // namespace headlight

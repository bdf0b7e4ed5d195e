// SPDX-License-Identifier: GPL-3.0-or-later
// The architecture while it computes: what of the record under the playhead is there, in numbers too, and the bead on
// the wire to it.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/heads/head_thumbnail.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBead = 5;          ///< its radius
constexpr double kDroplet = 8;       ///< a product on its way, at least so large
constexpr QSizeF kReadable{30, 14};  ///< a cell of this size has room for a number of its own

}  // namespace

/// From block to block of a stack the beam goes along; to the other stack, on the other side of the detail, it cuts.
void ArchitectureStage::followValue() {
    const QRectF from = beamSource();
    const ModuleTree::Place before = m_beamPlace;
    relayout();
    const int at = m_trace ? current() : -1;
    setAccessibleDescription(at < 0 ? QString()
                                    : tr("%1: %2").arg(moduleTitle(record(at).owner()), valueTitle(record(at))));
    m_beamPlace = m_trace ? m_tree.placeOf(current()) : ModuleTree::Place();
    if (m_beamPlace == before) return;
    m_beamWay.stop();
    m_beamFrom = from;
    const bool moves = isVisible() && !motion::isReduced() && m_zoom.state() != QAbstractAnimation::Running;
    if (moves && from.isValid() && m_beamPlace.stack == before.stack) m_beamWay.start();
}

QRectF ArchitectureStage::beamSource() const {
    const QRectF block = m_beamPlace.valid() ? m_map.rectOf(m_beamPlace) : QRectF();
    if (m_beamWay.state() != QAbstractAnimation::Running || !block.isValid()) return block;
    return paint::between(m_beamFrom, block, m_beamWay.currentValue().toDouble());
}

void ArchitectureStage::setRevealed(int recordIndex, double phase) {
    if (m_revealed == recordIndex && m_phase == phase) return;
    m_revealed = recordIndex;
    m_phase = phase;
    findUnderWay();
    reroute();
}

std::span<const float> ArchitectureStage::inputOf(const TraceRecord& value, size_t index) const {
    return inputValues(*m_trace, value, index, m_selection->head());
}

int ArchitectureStage::nodeOfInput(const TraceRecord& value, size_t index) const {
    return index < value.inputs.size() ? m_graph.nodeOf(m_trace->indexOf(value.inputs[index])) : -1;
}

void ArchitectureStage::findUnderWay() {
    m_underWay.reset();
    if (!m_trace || m_phase >= 1 || m_revealed < 0 || m_revealed >= static_cast<int>(m_trace->records().size())) return;
    const TraceRecord& value = record(m_revealed);
    const int rows = matrixRows(value), columns = matrixColumns(value);
    const int head = headOf(value, m_selection->head());
    const std::span<const float> first = inputOf(value, 0), second = inputOf(value, 1);
    const auto cells = static_cast<size_t>(rows) * static_cast<size_t>(columns);
    ValueUnderWay& now = m_underWay.emplace();
    const bool isShown = !hasAsked(value);  // else it comes row by row, with no number in it
    if (isShown && value.operation == Operation::AttentionScores && !first.empty() && !second.empty()) {
        now.score = ScoreMotion::at(first, second, static_cast<int>(first.size()) / rows, m_phase);
        now.row = now.score->row;
        now.column = now.score->column;
        now.filled = now.score->filled;
    } else if (isShown && value.part == Part::Weights && first.size() == cells) {
        const TraceRecord* const mask = m_trace->find(value.owner(), Part::Mask);
        now.softmax =
            SoftmaxMotion::at(first, matrixValues(value, head),
                              mask ? std::span<const float>(mask->values) : std::span<const float>(), columns, m_phase);
        now.row = now.softmax->row;
        now.filled = static_cast<long>(now.row) * columns;
    } else if (isShown && value.operation == Operation::WeightedSum &&
               second.size() % static_cast<size_t>(columns) == 0 &&
               first.size() * static_cast<size_t>(columns) == second.size() * static_cast<size_t>(rows)) {
        now.mix = MixMotion::at(first, second, static_cast<int>(first.size()) / rows, m_phase);
        now.row = now.mix->row;
        now.filled = static_cast<long>(now.row) * columns;
    } else {
        const FillMotion fill = FillMotion::at(rows, columns, m_phase);
        now.row = fill.row;
        now.travel = fill.travel;
        now.filled = fill.filled;
    }
}

void ArchitectureStage::paintBeam(QPainter& p, const Theme& t) const {
    const QRectF block = beamSource(), detail = detailRect();
    if (!block.isValid()) return;
    const bool down = block.center().y() < detail.center().y();
    double from = down ? block.bottom() : block.top();
    const double to = down ? detail.top() : detail.bottom();
    // It begins beyond what stands in the other lane, which it would hide.
    for (const ArchitectureMap::Item& item : m_map.items)
        if (item.place.stack == m_tree.placeOf(current()).stack && item.rect.left() < block.right() &&
            item.rect.right() > block.left())
            from = down ? std::max(from, item.rect.bottom()) : std::min(from, item.rect.top());
    const double neck = down ? from + (to - from) * 0.45 : from - (from - to) * 0.45;
    QPainterPath beam(QPointF(block.left() + 1, from));
    for (const QPointF& point :
         {QPointF(block.left() + 1, neck), QPointF(detail.left(), to), QPointF(detail.right(), to),
          QPointF(block.right() - 1, neck), QPointF(block.right() - 1, from)})
        beam.lineTo(point);
    p.setPen(QPen(t.nowLine, 1));
    p.setBrush(t.beam);
    p.drawPath(beam);
}

long ArchitectureStage::filledOf(int index) const {
    return m_underWay && index == m_revealed ? m_underWay->filled : -1;
}

/// The wires into a block carry the bead while its first value is computed; sums and norms have wires of their own.
std::vector<std::pair<QPainterPath, double>> ArchitectureStage::wires() const {
    if (!m_trace || m_revealed < 0) return {};
    const ModuleTree::Place place = m_tree.placeOf(m_revealed);
    if (!place.valid()) return {};
    const ModuleBlock& block = m_tree.block(place);
    const bool single = block.kind == ModuleBlock::Kind::Norm;
    const double come = single || m_revealed == block.records.front() ? m_phase : 1;
    std::vector<std::pair<QPainterPath, double>> wires;
    for (const ArchitectureMap::Line& line : m_map.lines) {
        const bool leads =
            single ? line.toRecord == m_revealed : line.toRecord >= 0 && m_tree.placeOf(line.toRecord) == place;
        if (leads) wires.emplace_back(roundedPath(line.points), come);
    }
    return wires;
}

std::optional<QPointF> ArchitectureStage::bead() const {
    const auto all = wires();
    if (all.empty()) return std::nullopt;
    return all.front().first.pointAtPercent(all.front().second);
}

void ArchitectureStage::paintBead(QPainter& p, const Theme& t) const {
    for (const auto& [wire, come] : wires()) {
        const double length = wire.length() * come;
        QPen behind(t.nowLine, 2, Qt::SolidLine, Qt::FlatCap);
        behind.setDashPattern({std::max(length, 0.01) / 2, 1e5});  // in widths of the pen
        p.setBrush(Qt::NoBrush);
        p.setPen(behind);
        p.drawPath(wire);
        p.setPen(QPen(t.nowLine, 1));
        p.setBrush(t.now);
        p.drawEllipse(wire.pointAtPercent(come), kBead, kBead);
    }
}

void ArchitectureStage::paintChip(QPainter& p, QPointF middle, const QString& text, const Theme& t) const {
    const QFont font = monoFont(11, QFont::Medium);
    const double width = paint::textWidth(text, font) + 12;
    const QRectF box(middle.x() - width / 2, middle.y() - 9, width, 18);
    paint::box(p, box, t.nowTint, t.nowLine, 5);
    paint::centredText(p, box.center(), text, font, t.nowText, Anchor::Middle);
}

void ArchitectureStage::paintRow(QPainter& p, const QRectF& at, int index, int row, const Theme& t) const {
    HeadImage shown = image(index);
    const auto columns = static_cast<size_t>(shown.columns);
    shown.values = shown.values.subspan(static_cast<size_t>(row) * columns, columns);
    shown.rows = 1;
    shown.mask = {};
    shown.filled = -1;
    drawHead(p, at, shown, t);
}

void ArchitectureStage::paintUnderWay(QPainter& p, const Theme& t) const {
    const int node = m_underWay ? m_graph.nodeOf(m_revealed) : -1;
    if (node < 0) return;
    const ValueUnderWay& now = *m_underWay;
    const int rows = matrixRows(record(m_revealed));
    if (now.row >= rows) return;
    QRectF mark = m_graph.regionRect(*m_trace, node, now.row, now.column);
    if (now.row > 0 && now.column < 0)
        mark = paint::between(m_graph.regionRect(*m_trace, node, now.row - 1, -1), mark, now.travel);
    p.save();
    p.setClipRect(detailRect().adjusted(1, 1, -1, -1));
    if (now.softmax) paintSoftmax(p, t);
    if (now.mix) paintMix(p, t);
    paint::outline(p, mark, t.nowLine, 2);
    if (now.score) paintScore(p, t);
    p.restore();
}

/// The row of Q lies on the row of K, their products drop into the cell, where their sum grows.
void ArchitectureStage::paintScore(QPainter& p, const Theme& t) const {
    const TraceRecord& value = record(m_revealed);
    const ScoreMotion& score = *m_underWay->score;
    const int at = m_graph.nodeOf(m_revealed), q = nodeOfInput(value, 0), k = nodeOfInput(value, 1);
    const QRectF cell = m_graph.regionRect(*m_trace, at, score.row, score.column);
    const int head = headOf(value, m_selection->head());
    if (score.fill > 0) {
        const auto number = static_cast<double>(numberAt(value, {head, score.row, score.column}));
        p.setOpacity(score.fill);
        p.fillRect(cell.adjusted(0, 0, -1, -1), scaleOf(value).color(t, number));
        p.setOpacity(1);
    }
    if (q < 0 || k < 0) return;
    const QRectF from = m_graph.regionRect(*m_trace, q, score.row, -1),
                 to = m_graph.regionRect(*m_trace, k, score.column, -1),
                 before = score.column == 0 ? from : m_graph.regionRect(*m_trace, k, score.column - 1, -1);
    // It comes to lie just above the key, so that number stands over number.
    const auto above = [](const QRectF& row) { return row.translated(0, -row.height()); };
    const QRectF ghost = paint::between(score.column == 0 ? from : above(before), above(to), score.slide);
    paintRow(p, ghost, m_graph.nodes[static_cast<size_t>(q)].record, score.row, t);
    paint::outline(p, ghost, t.query, 1.5);
    paint::outline(p, to, t.key, 2);
    const std::span<const float> queries = inputOf(value, 0), keys = inputOf(value, 1);
    const int width = matrixColumns(record(m_graph.nodes[static_cast<size_t>(k)].record));
    const double wide = to.width() / width;
    if (score.products < width && score.falling > 0) {
        const auto factor = [&](std::span<const float> of, int row) {
            return static_cast<double>(
                of[static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(score.products)]);
        };
        const double product = factor(queries, score.row) * factor(keys, score.column);
        const QPointF start(to.left() + (score.products + 0.5) * wide, to.center().y());
        const double side = std::max(kDroplet, std::min(wide, to.height()));
        const QPointF there = paint::between(start, cell.center(), score.falling);
        paint::box(p, {there.x() - side / 2, there.y() - side / 2, side, side}, scaleOf(value).color(t, product),
                   t.nowLine, 2);
    }
    if (score.slide >= 1 && score.fill < 1) {
        p.setOpacity(1 - score.fill);
        paintChip(p, cell.center(), formatNumber(score.sum), t);
        p.setOpacity(1);
    }
}

/// Bars in the cells of the row, and a bracket below those that are added up.
void ArchitectureStage::paintSoftmax(QPainter& p, const Theme& t) const {
    const SoftmaxMotion& softmax = *m_underWay->softmax;
    const int node = m_graph.nodeOf(m_revealed), keys = static_cast<int>(softmax.heights.size());
    const TraceRecord& value = record(m_revealed);
    const int head = headOf(value, m_selection->head());
    QRectF last;
    for (int key = 0; key < keys; ++key) {
        const QRectF cell = m_graph.regionRect(*m_trace, node, softmax.row, key).adjusted(0, 0, -1, -1);
        const double height = softmax.heights[static_cast<size_t>(key)], high = cell.height() * height;
        // The colour of the share comes as the bar shrinks.
        p.fillRect(cell, t.sunken);
        const double share = static_cast<double>(numberAt(value, {head, softmax.row, key}));
        p.setOpacity(softmax.shrink);
        p.fillRect(cell, t.sequential(share));
        p.setOpacity(1);
        p.fillRect(QRectF(cell.left(), cell.bottom() - high, cell.width(), high), t.sequentialStops[5]);
        if (key + 1 == softmax.counted) last = cell;
        if (cell.width() < kReadable.width() || cell.height() < kReadable.height() || softmax.rise <= 0) continue;
        const bool switched = softmax.shrink >= 0.5;
        const QString number = formatNumber(switched ? share : softmax.powers[static_cast<size_t>(key)]);
        const QFont font = monoFont(11, QFont::Medium);
        if (paint::textWidth(number, font) > cell.width() - 2) continue;
        const QColor ground = height > 0.5 ? t.sequentialStops[5] : switched ? t.sequential(share) : t.sunken;
        paint::centredText(p, cell.center(), number, font, Theme::onColor(ground), Anchor::Middle);
    }
    if (!last.isValid()) return;
    const QRectF first = m_graph.regionRect(*m_trace, node, softmax.row, 0);
    p.setPen(QPen(t.nowLine, 1.5));
    const double y = first.bottom() + 4;
    p.drawPolyline(QPolygonF({{first.left(), y - 4}, {first.left(), y}, {last.right(), y}, {last.right(), y - 4}}));
    const QRectF end = m_graph.regionRect(*m_trace, node, softmax.row, keys - 1);
    paintChip(p, {end.right() + 6, y + 8}, softmax.shrink < 0.5 ? tr("Σ %1").arg(formatNumber(softmax.sum)) : tr("Σ 1"),
              t);
}

/// The rows of V become as faint as their weights are small; one after another falls onto the row of the output.
void ArchitectureStage::paintMix(QPainter& p, const Theme& t) const {
    const TraceRecord& value = record(m_revealed);
    const MixMotion& mix = *m_underWay->mix;
    const int node = m_graph.nodeOf(m_revealed), weights = nodeOfInput(value, 0), values = nodeOfInput(value, 1);
    const QRectF row = m_graph.regionRect(*m_trace, node, mix.row, -1);
    HeadImage sum = image(m_revealed);
    const std::vector<float> numbers(mix.sum.begin(), mix.sum.end());
    sum.values = numbers;
    sum.rows = 1;
    sum.filled = -1;
    if (mix.added > 0) drawHead(p, row, sum, t);
    if (weights >= 0) paint::outline(p, m_graph.regionRect(*m_trace, weights, mix.row, -1), t.nowLine, 2);
    if (values < 0) return;
    const int keys = static_cast<int>(mix.strengths.size());
    for (int key = 0; key < keys; ++key) {
        QColor veil = t.surface;
        veil.setAlphaF(static_cast<float>(1 - mix.strengths[static_cast<size_t>(key)]));
        p.fillRect(m_graph.regionRect(*m_trace, values, key, -1), veil);
    }
    if (mix.added >= keys || mix.falling <= 0) return;
    p.setOpacity(std::max(0.25, mix.strengths[static_cast<size_t>(mix.added)]));
    const QRectF at = paint::between(m_graph.regionRect(*m_trace, values, mix.added, -1), row, mix.falling);
    paintRow(p, at, m_graph.nodes[static_cast<size_t>(values)].record, mix.added, t);
    paint::outline(p, at, t.value, 1.5);
    p.setOpacity(1);
}

void ArchitectureStage::paintNumbers(QPainter& p, int index, const Theme& t) const {
    const OperationGraph::Node& node = m_graph.nodes[static_cast<size_t>(index)];
    const HeadImage shown = image(node.record);
    if (node.matrix.width() / shown.columns < 34.5 || node.matrix.height() / shown.rows < 15) return;
    const bool large = node.matrix.width() / shown.columns >= 44 && node.matrix.height() / shown.rows >= 22;
    const QFont font = monoFont(large ? 12 : 11);
    const bool whole = record(node.record).operation == Operation::Input;
    for (int r = 0; r < shown.rows; ++r)
        for (int c = 0; c < shown.columns; ++c) {
            const size_t at = static_cast<size_t>(r) * static_cast<size_t>(shown.columns) + static_cast<size_t>(c);
            if (shown.filled >= 0 && static_cast<long>(at) >= shown.filled) return;
            const QRectF cell = headCellRect(node.matrix, shown, r, c);
            if (isAsked(node.record, {m_selection->head(), r, c})) continue;
            if (at < shown.mask.size() && std::isinf(shown.mask[at])) {
                paint::hatch(p, cell.adjusted(0, 0, -1, -1), t.hatchGround, t.hatch);
                continue;
            }
            const auto number = static_cast<double>(shown.values[at]);
            paint::centredText(p, cell.center(), formatNumber(number, whole ? 0 : 2), font,
                               Theme::onColor(shown.scale.color(t, number)), Anchor::Middle);
        }
}

namespace {
QString offerText() {
    return ArchitectureStage::tr("Not computed yet at this step. Go there");
}
}  // namespace

QRectF ArchitectureStage::offerRect() const {
    if (!m_trace || current() < 0 || isRevealed(current()) || !detailRect().isValid()) return {};
    const double wide = paint::textWidth(offerText(), uiFont(12, QFont::DemiBold)) + 24;
    const QRectF detail = detailRect();
    const double left = detail.left() + 12, right = detail.right() - wide - 12, middle = detail.center().x() - wide / 2;
    const double bottom = detail.bottom() - 40, top = detail.top() + 8;
    // Where no matrix stands, if there is such a place.
    for (const QPointF at : {QPointF(right, bottom), QPointF(left, bottom), QPointF(middle, bottom),
                             QPointF(right, top), QPointF(middle, top), QPointF(left, top)}) {
        const QRectF offer(at, QSizeF(wide, 28));
        if (std::ranges::none_of(m_graph.nodes,
                                 [&](const OperationGraph::Node& node) { return node.matrix.intersects(offer); }))
            return offer;
    }
    return {right, bottom, wide, 28};
}

void ArchitectureStage::paintOffer(QPainter& p, const Theme& t) const {
    const QRectF offer = offerRect();
    if (offer.isNull()) return;
    paint::box(p, offer, t.nowTint, t.nowLine, 6, 1);
    paint::centredText(p, offer.center(), offerText(), uiFont(12, QFont::DemiBold), t.nowText, Anchor::Middle);
}

}  // namespace headlight

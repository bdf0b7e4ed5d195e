// SPDX-License-Identifier: GPL-3.0-or-later
// How the architecture looks; what it does is in architecture_stage.cpp.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/values/value_veil.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// Of a name that goes on several lines: no line is longer than that.
QString longestPart(const QString& name, const QFont& font) {
    QString longest;
    const QStringList parts = QString(name).replace(u'-', QStringLiteral("- ")).split(u' ');
    for (const QString& part : parts)
        if (paint::textWidth(part, font) > paint::textWidth(longest, font)) longest = part;
    return longest;
}

using ItemKind = ArchitectureMap::ItemKind;
using Line = ArchitectureMap::Line;

void arrowHead(QPainter& p, QPointF tip, QPointF from) {
    const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
    for (const double side : {0.5, -0.5})
        p.drawLine(tip, tip - 6 * QPointF(std::cos(angle + side), std::sin(angle + side)));
}

QColor roleColor(const TraceRecord& record, const Theme& t) {
    if (record.part == Part::Query || record.part == Part::RotatedQuery) return t.query;
    if (record.part == Part::Key || record.part == Part::RotatedKey) return t.key;
    if (record.part == Part::Value) return t.value;
    return {};
}

constexpr double kWithBar = 110, kChipBesideBar = 0.46, kProbability = 40;  ///< of a word that is written
constexpr double kBehindWords = 16;                                         ///< of the stage, behind the probabilities
constexpr double kBesideWord = 5;           ///< of a token's box, at both sides together
constexpr double kBetweenNameAndRange = 6;  ///< of a strip

/// A word of a sentence is written smaller before it is cut.
QFont wordFont(const QString& word, const QRectF& box) {
    if (box.height() < 15) return uiFont(10, QFont::Medium);
    const QFont usual = uiFont(12, QFont::Medium);
    return paint::textWidth(word, usual) <= box.width() - kBesideWord ? usual : uiFont(11, QFont::Medium);
}

}  // namespace

QColor ArchitectureStage::sideColor(int stack, const Theme& t) const {
    const bool decoder = stack >= 0 && m_tree.stacks[static_cast<size_t>(stack)].side == ModuleStack::Side::Decoder;
    return decoder ? t.decoder : t.encoder;
}

HeadImage ArchitectureStage::image(int index) const {
    const TraceRecord& value = record(index);
    HeadImage image;
    const int head = headOf(value, m_selection->head());
    image.values = matrixValues(value, head);
    image.rows = matrixRows(value);
    image.columns = matrixColumns(value);
    image.scale = shownScale(m_veiled, value);
    if (value.operation == Operation::Softmax || value.part == Part::Scores)
        if (const TraceRecord* mask = m_trace->find(value.owner(), Part::Mask)) image.mask = mask->values;
    image.muted = matrixHeads(value) > 1 && value.module &&
                  m_muted.contains(headName(QString::fromStdString(value.module->scope), head));
    image.revealed = isRevealed(index);
    image.filled = filledOf(index);
    return image;
}

void ArchitectureStage::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_map.items.empty()) return;
    if (!isDetailAlone() || m_zoom.state() == QAbstractAnimation::Running) {
        paintRows(p, t);
        paintBead(p, t);
    }
    if (detailRect().isValid()) {
        if (!isDetailAlone()) {
            paintBeam(p, t);
            // What goes from stack to stack arrives in front of it.
            for (const Line& line : m_map.lines)
                if (line.kind == Line::Kind::Memory || line.kind == Line::Kind::Thought) paintLine(p, line, t);
        }
        paintDetail(p, t);
    }
    if (hasFocus()) paint::box(p, QRectF(rect()).adjusted(2, 2, -2, -2), {}, t.ink, 8, 2);
}

void ArchitectureStage::paintRows(QPainter& p, const Theme& t) const {
    for (size_t i = 0; i < m_map.stackLabels.size(); ++i)
        paint::text(p, m_map.stackLabels[i], m_tree.stacks[i].label, uiFont(12, QFont::DemiBold),
                    sideColor(static_cast<int>(i), t));
    for (const ArchitectureMap::Frame& frame : m_map.frames) {
        const bool decoder = m_tree.stacks[static_cast<size_t>(frame.stack)].side == ModuleStack::Side::Decoder;
        paint::box(p, frame.rect, decoder ? t.decoderTint : t.encoderTint, {}, 8);
    }
    for (const Line& line : m_map.lines)
        paintLine(p, line, t);
    for (const ArchitectureMap::Frame& frame : m_map.frames) {
        const bool decoder = m_tree.stacks[static_cast<size_t>(frame.stack)].side == ModuleStack::Side::Decoder;
        const QFont font = ArchitectureMap::Frame::nameFont();
        const QPointF at = frame.nameAt();
        // A way into the layer passes behind its name.
        p.fillRect(QRectF(at.x() - 2, at.y() - 11, paint::textWidth(frame.label, font) + 6, 14),
                   decoder ? t.decoderTint : t.encoderTint);
        paint::text(p, at, frame.label, font, sideColor(frame.stack, t));
    }
    for (const ArchitectureMap::Item& item : m_map.items)
        paintItem(p, item, t);
}

void ArchitectureStage::paintLine(QPainter& p, const Line& line, const Theme& t) const {
    const bool here = line.toRecord >= 0 && line.toRecord == current();
    QColor color = here ? t.nowLine : t.text3;
    const bool between = line.kind == Line::Kind::Memory || line.kind == Line::Kind::Thought;
    if (between && !here) color = sideColor(0, t);
    p.setPen(QPen(color, here ? 2 : 1.5));
    p.setBrush(Qt::NoBrush);
    p.drawPath(roundedPath(line.points));
    if (line.kind != Line::Kind::Residual) arrowHead(p, line.points.back(), line.points[line.points.size() - 2]);
    if (line.label.isEmpty()) return;
    const QFont font = uiFont(11, QFont::Medium);
    const double width = paint::textWidth(line.label, font) + 12;
    // Clear of the corner at its right.
    constexpr double kCorner = 14;
    const double lane = line.points[2].x();
    const QPointF middle(std::min(lane * 0.75 + line.points[3].x() * 0.25, lane - kCorner - width / 2),
                         line.points[2].y());
    p.fillRect(QRectF(middle.x() - width / 2, middle.y() - 8, width, 16), t.bg);
    paint::centredText(p, middle, line.label, font, color, Anchor::Middle);
}

void ArchitectureStage::paintItem(QPainter& p, const ArchitectureMap::Item& item, const Theme& t) const {
    const bool known = item.record < 0 || isRevealed(item.record);
    const ModuleTree::Place place = m_tree.placeOf(current());
    const bool here = item.place.valid() && item.place == place && item.kind == ItemKind::Block &&
                      (m_tree.block(place).kind != ModuleBlock::Kind::Norm || item.record == current());
    switch (item.kind) {
        case ItemKind::Token: {
            const bool decoder = item.rect.center().y() > height() / 2.0 && m_tree.stacks.size() > 1;
            paint::box(p, item.rect, t.surface, sideColor(decoder ? 1 : 0, t), 5);
            const QFont font = wordFont(item.text, item.rect);
            const bool fits = paint::textWidth(item.text, font) <= item.rect.width() - kBesideWord;
            const QString text = fits || item.more.isEmpty() ? item.text : item.more;
            return paint::centredText(p, item.rect.center(), paint::elided(text, font, item.rect.width() - kBesideWord),
                                      font, t.text, Anchor::Middle);
        }
        case ItemKind::Plus: {
            const bool now = item.record == current();
            p.setPen(QPen(now ? t.nowLine : t.text3, now ? 2 : 1.5));
            p.setBrush(now ? t.nowTint : t.surface);
            p.drawEllipse(item.rect.adjusted(1, 1, -1, -1));
            const QPointF c = item.rect.center();
            p.drawLine(c - QPointF(3.5, 0), c + QPointF(3.5, 0));
            p.drawLine(c - QPointF(0, 3.5), c + QPointF(0, 3.5));
            return;
        }
        case ItemKind::Strip: {
            const QRectF box(item.rect.left(), item.rect.top(), item.rect.width(), item.rect.height());
            paintMatrix(p, box, item.record, t);
            if (item.record == current()) paint::outline(p, box.adjusted(-2, -2, 2, 2), t.nowLine, 2);
            return paintStripLabel(p, item, t);
        }
        case ItemKind::Word: {
            if (!known) return paint::box(p, item.rect, {}, t.line, 5);
            if (item.share >= 0) return paintPredicted(p, item, t);
            return paint::centredText(p, {item.rect.left() + 8, item.rect.center().y()}, item.text, uiFont(11),
                                      t.text2);
        }
        case ItemKind::ClosedLayer: {
            const bool decoder =
                m_tree.stacks[static_cast<size_t>(item.place.stack)].side == ModuleStack::Side::Decoder;
            const bool holds = item.place.stack == place.stack && item.place.layer == place.layer;
            paint::box(p, item.rect, decoder ? t.decoderTint : t.encoderTint, holds ? t.nowLine : QColor(), 8, 2);
            const QPointF c = item.rect.center();
            const bool narrow = item.rect.width() < 40;
            paint::centredText(p, narrow ? c : c - QPointF(0, 8), item.text, uiFont(12, QFont::Medium),
                               known ? t.text : t.text3, Anchor::Middle);
            if (!narrow) paint::centredText(p, c + QPointF(0, 9), tr("open"), uiFont(11), t.text3, Anchor::Middle);
            return;
        }
        case ItemKind::Block:
            break;
    }
    paint::box(p, item.rect, here ? t.nowTint : t.surface, here ? t.nowLine : t.line2, 6, here ? 2 : 1);
    const QColor ink = here ? t.nowText : known ? t.text : t.text3;
    const bool two = !item.more.isEmpty() && item.rect.height() >= 44;
    const QFont largest = uiFont(item.rect.width() < 36   ? 10
                                 : item.rect.width() < 60 ? 11
                                                          : 12,
                                 here ? QFont::DemiBold : QFont::Medium);
    const QFont font = paint::fitting(longestPart(item.text, largest), largest, item.rect.width() - 4);
    p.setFont(font);
    p.setPen(ink);
    const double beside = item.rect.width() < 60 ? 1 : 5;  // a name that would touch its box goes on two lines
    const bool oneLine = paint::textWidth(item.text, font) < item.rect.width() - std::max(6.0, 2 * beside);
    const QRectF inside = item.rect.adjusted(beside, 2, -beside, two && oneLine ? -18 : -2);
    p.drawText(inside, Qt::AlignCenter | Qt::TextWordWrap, item.text);
    if (two && oneLine)
        paint::centredText(p, {item.rect.center().x(), item.rect.bottom() - 13}, item.more, uiFont(11),
                           here ? t.nowText : t.text2, Anchor::Middle);
}

/// Above it, and below the lower of two ways that have no room between them.
QRectF ArchitectureStage::stripLabel(const ArchitectureMap::Item& strip) const {
    constexpr double kHigh = 14, kAbove = 10, kBelow = 9;
    const bool input = record(strip.record).part == Part::Input;
    const QString range = isRevealed(strip.record) ? rangeText(image(strip.record).scale) : QString();
    const double gap = strip.text.isEmpty() || range.isEmpty() ? 0 : kBetweenNameAndRange;
    const double wide = paint::textWidth(strip.text, monoFont(11, input ? QFont::Normal : QFont::Medium)) + gap +
                        paint::textWidth(range, monoFont(11));
    QRectF at(0, 0, wide, kHigh);
    at.moveCenter({strip.rect.center().x(), strip.rect.top() - kAbove});
    const bool isTaken = std::ranges::any_of(m_map.items, [&](const ArchitectureMap::Item& other) {
        return other.kind == ItemKind::Strip && other.rect.intersects(at);
    });
    if (isTaken) at.moveCenter({strip.rect.center().x(), strip.rect.bottom() + kBelow});
    return at;
}

/// Its name, where it has one, and what its colours stand for.
void ArchitectureStage::paintStripLabel(QPainter& p, const ArchitectureMap::Item& item, const Theme& t) const {
    const bool input = record(item.record).part == Part::Input;
    const QFont font = monoFont(11, input ? QFont::Normal : QFont::Medium), numbers = monoFont(11);
    const QString range = isRevealed(item.record) ? rangeText(image(item.record).scale) : QString();
    const double gap = item.text.isEmpty() || range.isEmpty() ? 0 : kBetweenNameAndRange;
    const QRectF at = stripLabel(item);
    const QPointF left(at.left(), at.center().y());
    paint::centredText(p, left, item.text, font, input ? t.text3 : sideColor(0, t));
    paint::centredText(p, left + QPointF(paint::textWidth(item.text, font) + gap, 0), range, numbers, t.text3);
}

/// By how much the boxes of what the model says are wider than the map has them: a label that does not fit takes of the
/// room that is free behind them.
double ArchitectureStage::roomForWords() const {
    double more = 0;
    for (const ArchitectureMap::Item& item : m_map.items) {
        if (item.kind != ItemKind::Word || item.more.isEmpty() || item.record < 0 || !isRevealed(item.record) ||
            isAsked(item))
            continue;
        const double chip =
            item.rect.width() >= kWithBar ? item.rect.width() * kChipBesideBar : item.rect.width() - kProbability;
        const QString word = wordsOfColumns(item.record).value(item.more.toInt());
        const double wanted = paint::textWidth(word, uiFont(11, QFont::Medium)) + kBesideWord + 1 - chip;
        more = std::max(more, std::min(wanted, width() - kBehindWords - item.rect.right()));
    }
    return more;
}

/// A word that the model writes, and how probable it was.
void ArchitectureStage::paintPredicted(QPainter& p, const ArchitectureMap::Item& item, const Theme& t) const {
    const bool hidden = isAsked(item);
    const QString word = hidden ? HiddenArea::mark() : wordsOfColumns(item.record).value(item.more.toInt());
    const bool hasBar = item.rect.width() >= kWithBar;
    const double more = roomForWords();
    const double chip = (hasBar ? item.rect.width() * kChipBesideBar : item.rect.width() - kProbability) + more;
    const QRectF box(item.rect.left(), item.rect.top(), chip, item.rect.height());
    const QFont font = wordFont(word, box);
    paint::box(p, box, t.surface, sideColor(static_cast<int>(m_tree.stacks.size()) - 1, t), 5);
    paint::centredText(p, box.center(), paint::elided(word, font, chip - kBesideWord), font, t.text, Anchor::Middle);
    const QRectF bar(box.right() + 6, box.center().y() - 3, item.rect.right() + more - box.right() - 40, 6);
    if (hasBar) paint::box(p, bar, t.sunken, {}, 2);
    if (hasBar && hidden) paint::hatch(p, bar, t.hatchGround, t.hatch);
    if (hasBar && !hidden)
        paint::box(p, {bar.left(), bar.top(), bar.width() * item.share, bar.height()}, t.sequential(0.7), {}, 2);
    paint::centredText(p, {item.rect.right() + more, box.center().y()},
                       hidden ? HiddenArea::mark() : formatNumber(item.share), monoFont(11), t.text2, Anchor::End);
}

/// A muted head is struck through, whether it is the chosen one or not.
void ArchitectureStage::paintHeadChip(QPainter& p, const Chip& chip, const Theme& t) const {
    const QColor fill = chip.muted ? t.badTint : t.surface, border = chip.muted ? t.bad : t.line2;
    paint::box(p, chip.rect, chip.on ? t.ink : fill, chip.on ? t.ink : border, 5);
    const QColor ink = chip.on ? t.onInk : chip.muted ? t.bad : t.text;
    paint::centredText(p, chip.rect.center(), chip.text, uiFont(12, QFont::Medium), ink, Anchor::Middle);
    if (!chip.muted) return;
    const QRectF box = chip.rect.adjusted(4, 4, -4, -4);
    p.setPen(QPen(chip.on ? t.onInk : t.bad, 1.5));
    p.drawLine(box.bottomLeft(), box.topRight());
}

void ArchitectureStage::paintDetail(QPainter& p, const Theme& t) const {
    const QRectF detail = detailRect();
    paint::box(p, detail, t.surface, t.nowLine, 8, 1.5);
    if (m_graph.nodes.empty()) return;
    p.fillRect(QRectF(detail.left() + 1, detail.top() + 44, detail.width() - 2, 1), t.line);
    paint::centredText(p, {detail.left() + 16, detail.top() + 22}, m_detailTitle, uiFont(13, QFont::DemiBold), t.text);
    const Chip* before = nullptr;
    for (const Chip& chip : m_chips) {
        if (chip.head >= 0) {
            paintHeadChip(p, chip, t);
            continue;
        }
        if (chip.on) paint::box(p, chip.rect, t.nowTint, t.nowLine, 6);
        const bool known = isRevealed(chip.record);
        paint::centredText(p, chip.rect.center(), chip.text, uiFont(12, chip.on ? QFont::DemiBold : QFont::Medium),
                           chip.on ? t.nowText
                           : known ? t.text
                                   : t.text3,
                           Anchor::Middle);
        if (before)
            paint::centredText(p, {chip.rect.left() - 7, chip.rect.center().y()}, QStringLiteral("›"), uiFont(12),
                               t.text3, Anchor::Middle);
        before = &chip;
    }
    for (int i = 0; i < static_cast<int>(m_graph.nodes.size()); ++i)
        paintNode(p, i, t);
    for (const OperationGraph::Flow& flow : m_graph.flows)
        paintFlow(p, flow, t);
    const auto back = std::ranges::find_if(m_graph.flows, &OperationGraph::Flow::back);
    if (back != m_graph.flows.end() && isRevealed(m_graph.nodes[static_cast<size_t>(back->from)].record)) {
        const QString label = tr("the state, for the next word");
        const QPointF middle = (back->points[2] + back->points[3]) / 2;
        const double width = paint::textWidth(label, uiFont(11)) + 12;
        p.fillRect(QRectF(middle.x() - width / 2, middle.y() - 7, width, 14), t.surface);
        paint::centredText(p, middle, label, uiFont(11), t.text2, Anchor::Middle);
    }
    paintRegions(p, t);
    paintUnderWay(p, t);
    paintOffer(p, t);
}

void ArchitectureStage::paintFlow(QPainter& p, const OperationGraph::Flow& flow, const Theme& t) const {
    const int from = m_graph.nodes[static_cast<size_t>(flow.from)].record,
              to = m_graph.nodes[static_cast<size_t>(flow.to)].record;
    if (!isRevealed(from)) return;
    QColor color = roleColor(record(from), t);
    if (!color.isValid()) color = roleColor(record(to), t);
    const bool here = to == current() && !flow.back;
    if (!color.isValid()) color = here ? t.nowLine : t.text3;
    QPainterPath path(flow.points[0]);
    if (flow.points.size() == 4)
        path.cubicTo(flow.points[1], flow.points[2], flow.points[3]);
    else
        path = roundedPath(flow.points);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(isRevealed(to) ? color : t.line2, here ? 2 : 1.5, flow.back ? Qt::DashLine : Qt::SolidLine));
    p.drawPath(path);
    p.setPen(QPen(p.pen().color(), p.pen().widthF()));
    arrowHead(p, flow.points.back(), flow.points[flow.points.size() - 2]);
    if (!flow.span.isNull()) p.drawLine(flow.span);
    if (flow.row >= 0) paint::outline(p, m_graph.regionRect(*m_trace, flow.from, flow.row, -1), p.pen().color(), 2);
}

void ArchitectureStage::paintNode(QPainter& p, int index, const Theme& t) const {
    const OperationGraph::Node& node = m_graph.nodes[static_cast<size_t>(index)];
    const TraceRecord& value = record(node.record);
    const bool here = node.record == current();
    const QColor role = roleColor(value, t);
    const double above = node.matrix.top() - node.title;
    const QFont font = uiFont(12, QFont::DemiBold);
    const QString title = valueTitle(value);
    const QString range = isRevealed(node.record) ? rangeText(image(node.record).scale) : QString();
    const double apart = std::min(node.square ? 16.0 : 24.0, m_graph.gap - 8);  // clear of its neighbours
    const double named = paint::textWidth(title, font) + 4;
    const auto fits = [&](const QString& text) {
        return named + paint::textWidth(text, monoFont(11)) < node.matrix.width() + apart;
    };
    // The colours' scale before the shape, where there is no room for it below.
    const QString shape = shapeText(value), all = QStringLiteral("%1 %2").arg(shape, range).trimmed();
    const QString beside = node.ranged                ? shape
                           : node.square && fits(all) ? all
                           : fits(range)              ? range
                                                      : QString(range).remove(u' ');
    const bool isBeside = fits(beside);
    const double both = named + paint::textWidth(beside, monoFont(11));
    const double width = isBeside ? both : paint::textWidth(title, font);
    // Beside queries, keys and values their ways run upwards.
    const double furthest = role.isValid() ? node.matrix.right() + 3 - width : node.matrix.center().x();
    const double left = std::min(node.matrix.center().x() - width / 2, furthest);
    paint::centredText(p, {left, above}, title, font, role.isValid() ? role : here ? t.nowText : t.text);
    if (isBeside) paint::centredText(p, {left + width, above}, beside, monoFont(11), t.text3, Anchor::End);
    paintMatrix(p, node.matrix, node.record, t);
    if (role.isValid()) paint::box(p, node.matrix.adjusted(-1, -1, 1, 1), {}, role, 0, 1.5);
    if (here) paint::outline(p, m_glide->shown().adjusted(-2, -2, 2, 2), t.nowLine, 2);
    paintWords(p, index, t);
    if (isRevealed(node.record)) paintNumbers(p, index, t);
    const double foot = node.matrix.bottom() + 12, beyond = node.ranged ? 13 : 0;
    // Of a narrow square below it too, clear of the ways along the foot.
    const bool isBelow = node.square && !isBeside && foot + 18 < detailRect().bottom();
    if (node.ranged || isBelow)
        paint::centredText(p, {node.matrix.center().x(), foot - 1}, range, monoFont(11), t.text3, Anchor::Middle);
    else if (node.square && !isBeside)
        paintScaleAbove(p, node, QString(range).remove(u' '), t);
    const QFont small = uiFont(11);
    const QString where = node.external ? scopeTitle(value) : QString();
    if (where.isEmpty()) return;
    const double room = node.matrix.width() + 44;
    const QString told = paint::textWidth(where, small) <= room ? where : where.section(QStringLiteral(", "), 0, 0);
    const double half = paint::textWidth(told, small) / 2;
    paint::centredText(p, {std::max(node.matrix.center().x(), detailRect().left() + 6 + half), foot + beyond},
                       paint::elided(told, small, room), small, t.text3, Anchor::Middle);
}

/// In the place of the words, where columns are too narrow for any; the way of the keys comes down in the middle.
void ArchitectureStage::paintScaleAbove(QPainter& p, const OperationGraph::Node& node, const QString& range,
                                        const Theme& t) const {
    const TraceRecord& value = record(node.record);
    if (node.matrix.width() / matrixColumns(value) >= kNarrowestColumn || node.title < 32) return;
    const bool hasWay = value.part == Part::Scores;
    paint::centredText(p, {node.matrix.center().x() + (hasWay ? 6 : 0), node.matrix.top() - 15}, range, monoFont(11),
                       t.text3, hasWay ? Anchor::Start : Anchor::Middle);
}

void ArchitectureStage::paintWords(QPainter& p, int index, const Theme& t) const {
    const OperationGraph::Node& node = m_graph.nodes[static_cast<size_t>(index)];
    const bool over = m_hoveredRecord == node.record && m_hovered.valid();
    const Selection::Cell shown = scoreCell();
    const int row = over          ? m_hovered.row
                    : node.square ? shown.query
                                  : -1,
              column = over          ? m_hovered.column
                       : node.square ? shown.key
                                     : -1;
    const double height = node.matrix.height() / matrixRows(record(node.record)),
                 width = node.matrix.width() / matrixColumns(record(node.record));
    const int size = height < 15 ? 10 : 12;
    const QStringList& rows = wordsOfRows(node.record);
    for (int i = 0; node.labelled && i < rows.size(); ++i) {
        const QFont font = uiFont(size, i == row ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {node.matrix.left() - 8, node.matrix.top() + (i + 0.5) * height},
                           paint::elided(rows[i], font, 46), font, i == row ? t.query : t.text2, Anchor::End);
    }
    if (!node.square || width < kNarrowestColumn) return;
    const QStringList& columns = wordsOfColumns(node.record);
    for (int i = 0; i < columns.size(); ++i) {
        const bool upright = m_graph.words > kLyingWords;
        const QFont font = uiFont(width < 30 && !upright ? 10 : 12, i == column ? QFont::DemiBold : QFont::Normal);
        const QColor ink = i == column ? t.key : t.text2;
        if (upright) {
            p.save();
            p.translate(node.matrix.left() + (i + 0.5) * width, node.matrix.top() - 4);
            p.rotate(-90);
            paint::centredText(p, {0, 0}, paint::elided(columns[i], font, m_graph.words - 4), font, ink);
            p.restore();
            continue;
        }
        // Two letters of a word name nothing: without room only the column in question has its name.
        if (i != column && paint::textWidth(columns[i], font) > width - 2) continue;
        paint::centredText(p, {node.matrix.left() + (i + 0.5) * width, node.matrix.top() - 10}, columns[i], font, ink,
                           Anchor::Middle);
    }
}

/// The cell in question, and what of the inputs it is computed from.
void ArchitectureStage::paintRegions(QPainter& p, const Theme& t) const {
    int of = m_hoveredRecord;
    ValueCell cell = m_hovered;
    if (of < 0 || !cell.valid()) {
        of = current();
        cell = m_selection->shownNumber();
        if (of < 0 || !cell.valid()) return;
    }
    const TraceRecord& value = record(of);
    if (!isRevealed(of) || cell.row >= matrixRows(value) || cell.column >= matrixColumns(value)) return;
    if (const int node = m_graph.nodeOf(of); node >= 0)
        paint::outline(p, m_graph.regionRect(*m_trace, node, cell.row, cell.column).adjusted(-1, -1, 1, 1), t.nowLine,
                       2);
    for (size_t i = 0; i < value.inputs.size(); ++i) {
        const int node = m_graph.nodeOf(m_trace->indexOf(value.inputs[i]));
        const std::optional<InputRegion> region = inputRegion(*m_trace, value, i, cell);
        if (node < 0 || !region) continue;
        const QColor role = roleColor(record(m_graph.nodes[static_cast<size_t>(node)].record), t);
        paint::outline(p, m_graph.regionRect(*m_trace, node, region->row, region->column),
                       role.isValid() ? role : t.text, 2);
    }
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// What goes from one stack to the other; what goes on within one is in architecture_map.cpp.
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/views/architecture/architecture_map.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using Item = ArchitectureMap::Item;
using ItemKind = ArchitectureMap::ItemKind;
using Line = ArchitectureMap::Line;

constexpr double kMemoryLane = 18, kThoughtLane = 7;   ///< right of the rows
constexpr double kMemoryTurn = 18, kThoughtTurn = 36;  ///< above the second one

/// A way down beside the rows and along above the second.
struct Way {
    Line::Kind kind = Line::Kind::Memory;
    double lane = 0, turn = 0;
    QString label;
};

struct Target {
    QRectF rect;
    int record = -1;
};

/// Every block of the second stack that takes the value in, or the closed layer that hides it, from left to right.
template <typename TakesIn>
std::vector<Target> targetsOf(const ArchitectureMap& map, const ModuleTree& tree, const Trace& trace,
                              const TakesIn& takesIn) {
    std::vector<Target> targets;
    for (const Item& item : map.items) {
        if (item.place.stack != 1) continue;
        const std::vector<ModuleBlock>& blocks = tree.layer(item.place).blocks;
        const auto own = item.kind == ItemKind::Block ? blocks.begin() + item.place.block : blocks.begin();
        const auto found = item.kind == ItemKind::ClosedLayer              ? std::ranges::find_if(blocks, takesIn)
                           : item.kind == ItemKind::Block && takesIn(*own) ? own
                                                                           : blocks.end();
        if (found != blocks.end()) targets.push_back({item.rect, found->mainRecord(trace)});
    }
    std::ranges::sort(targets, {}, [](const Target& target) { return target.rect.left(); });
    return targets;
}

/// Where a way comes down into a target: in its middle, or beside the name of the layer around it.
double wayInto(const ArchitectureMap& map, const QRectF& target) {
    constexpr double kEdge = 8;
    for (const ArchitectureMap::Frame& frame : map.frames) {
        if (!frame.rect.contains(target.center())) continue;
        const double name = frame.nameAt().x() + paint::textWidth(frame.label, frame.nameFont()) + kEdge;
        if (target.center().x() < name && name < target.right() - kEdge) return name;
    }
    return target.center().x();
}

/// One way to the target that is farthest, and from it down into each of the others.
void addWay(ArchitectureMap& map, const Way& way, int record, const std::vector<Target>& targets) {
    const auto from = std::ranges::find_if(map.items, [record](const Item& item) {
        return item.place.stack == 0 && item.record == record && item.kind == ItemKind::Strip;
    });
    // Where there is no room for its matrix, from the last that makes it.
    QRectF start;
    for (const Item& item : map.items)
        if (item.place.stack == 0) start = item.rect;
    if (from != map.items.end()) start = from->rect;
    if (!start.isValid()) return;
    for (const Target& target : targets) {
        const double x = wayInto(map, target.rect);
        Line line{way.kind, {{x, way.turn}, {x, target.rect.top()}}, target.record, {}};
        if (&target == &targets.front()) {
            line.label = way.label;
            const double y = start.center().y();
            line.points.insert(line.points.begin(), {{start.right(), y}, {way.lane, y}, {way.lane, way.turn}});
        }
        map.lines.push_back(std::move(line));
    }
}

}  // namespace

QFont ArchitectureMap::Frame::nameFont() {
    return uiFont(11, QFont::DemiBold);
}

void addHandedOver(ArchitectureMap& map, const ModuleTree& tree, const Trace& trace, const std::vector<QRectF>& rows) {
    if (rows.size() < 2) return;
    const double right = rows[0].right(), above = rows[1].top();
    if (const int memory = memoryRecord(trace); memory >= 0) {
        const std::vector<Target> targets = targetsOf(
            map, tree, trace, [](const ModuleBlock& block) { return block.module && looksAtMemory(*block.module); });
        const bool isRecurrent = thoughtRecord(trace) >= 0;
        addWay(map,
               {Line::Kind::Memory, right + kMemoryLane, above - kMemoryTurn,
                isRecurrent ? ArchitectureMap::tr("every state, to attend to")
                            : ArchitectureMap::tr("memory goes in as K and V")},
               memory, targets);
    }
    if (const int thought = thoughtRecord(trace); thought >= 0) {
        const std::string& name = trace.records()[static_cast<size_t>(thought)].name;
        const auto readsIt = [&](const ModuleBlock& block) {
            return std::ranges::any_of(block.records, [&](int at) {
                return std::ranges::count(trace.records()[static_cast<size_t>(at)].inputs, name) > 0;
            });
        };
        std::vector<Target> targets = targetsOf(map, tree, trace, readsIt);
        const bool withEveryWord = !targets.empty();
        // Else each layer of the decoder begins with the last state of the encoder's layer of its number.
        if (!withEveryWord)
            targets = targetsOf(map, tree, trace,
                                [](const ModuleBlock& block) { return block.kind == ModuleBlock::Kind::Recurrent; });
        const QString label = withEveryWord        ? ArchitectureMap::tr("thought vector, with every word")
                              : targets.size() > 1 ? ArchitectureMap::tr("last states, layer by layer")
                                                   : ArchitectureMap::tr("thought vector, the first state");
        addWay(map, {Line::Kind::Thought, right + kThoughtLane, above - kThoughtTurn, label}, thought, targets);
    }
}

QPainterPath roundedPath(const std::vector<QPointF>& points) {
    constexpr double kCorner = 8;
    QPainterPath path(points.front());
    for (size_t i = 1; i + 1 < points.size(); ++i) {
        const QPointF before = points[i - 1], at = points[i], after = points[i + 1];
        const auto towards = [&](QPointF to) {
            const QPointF way = to - at;
            const double length = std::max(1e-6, std::hypot(way.x(), way.y()));
            return at + way / length * std::min(kCorner, length / 2);
        };
        path.lineTo(towards(before));
        path.quadTo(at, towards(after));
    }
    path.lineTo(points.back());
    return path;
}

}  // namespace headlight

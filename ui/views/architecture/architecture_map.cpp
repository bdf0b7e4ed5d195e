// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/architecture/architecture_map.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

namespace {

using Item = ArchitectureMap::Item;
using ItemKind = ArchitectureMap::ItemKind;
using Kind = ModuleBlock::Kind;

constexpr double kMapLargestGap = 40, kMapSmallestGap = 9, kFramePadding = 10, kFrameTop = 20;
constexpr double kLane = 34, kBetweenLanes = 8;       ///< of two blocks that read the same, one above the other
constexpr double kThought = 12, kBetweenStrips = 18;  ///< of the one row below the memory, and for its name
constexpr double kNoBar = 91;                         ///< of a word and its probability, without the bar of it
constexpr int kMostTokens = 6;

/// One row, built from left to right in widths; placed when all of them are known.
class Row {
public:
    Row(const ModuleTree& tree, const Trace& trace, int stack, const QRectF& area, ArchitectureMap& map)
        : m_tree(tree), m_trace(trace), m_stack(stack), m_area(area), m_map(map) {}

    enum class Detail { Closed, Compact, Open };
    /// `openLayer`: an index into the stack's layers, or -1.
    /// `tight`: narrower blocks.
    void build(int openLayer, Detail detail, bool strips, bool tight = false);
    double narrowest() const { return fixedWidth() + gaps() * kMapSmallestGap; }
    void place();

private:
    struct Piece {
        Item item;
        std::optional<Item> below;  ///< beside it, not behind it: both are made of what stands before
        double width = 0, height = 0;
        int frame = -1;       ///< index into m_frames, or -1
        bool tokens = false;  ///< a column of words, filled in when it is placed
        bool words = false;
    };
    const ModuleStack& stack() const { return m_tree.stacks[static_cast<size_t>(m_stack)]; }
    double fixedWidth() const;
    double gaps() const { return static_cast<double>(m_pieces.size()) - 1; }
    void addBlock(int layer, int block, bool compact, int frame);
    const TraceRecord& record(int at) const { return m_trace.records()[static_cast<size_t>(at)]; }
    bool handsOnThought(const ModuleBlock& block) const {
        return std::ranges::any_of(block.records, [this](int at) { return record(at).part == Part::Thought; });
    }
    bool isIdentity(const ModuleLayer& layer) const {
        return std::ranges::all_of(layer.blocks.front().records, [this](int record) {
            return m_trace.records()[static_cast<size_t>(record)].operation == Operation::Identity;
        });
    }
    void addStrip(const ModuleTree::Place& place, int record, int below = -1);
    QString stripLabel(int record) const;
    void placePair(Piece& piece, double x, double width) const;
    void connect(const std::vector<QRectF>& from, const std::vector<QRectF>& to, int record);
    void add(ItemKind kind, const ModuleTree::Place& place, int record, QSizeF size, const QString& text, int frame);
    void placeColumn(const Piece& piece, const QRectF& box);
    void placeResidual(const Item& plus, double from);

    const ModuleTree& m_tree;
    const Trace& m_trace;
    const int m_stack;
    const QRectF m_area;
    ArchitectureMap& m_map;
    std::vector<Piece> m_pieces;
    std::vector<QString> m_frames;
    bool m_tight = false;
};

double Row::fixedWidth() const {
    double width = 2 * kFramePadding * static_cast<double>(m_frames.size());
    for (const Piece& piece : m_pieces)
        width += piece.width;
    return width;
}

void Row::add(ItemKind kind, const ModuleTree::Place& place, int record, QSizeF size, const QString& text, int frame) {
    Piece piece;
    piece.item = {kind, {}, place, record, text, {}};
    piece.width = size.width();
    piece.height = size.height();
    piece.frame = frame;
    m_pieces.push_back(piece);
}

void Row::addBlock(int layer, int index, bool compact, int frame) {
    const ModuleTree::Place place{m_stack, layer, index};
    const ModuleBlock& block = m_tree.block(place);
    if (block.kind == Kind::Norm) {
        if (compact) return;
        for (const int at : block.records) {
            const bool sum = m_trace.records()[static_cast<size_t>(at)].operation == Operation::Add;
            add(sum ? ItemKind::Plus : ItemKind::Block, place, at, sum ? QSizeF(16, 16) : QSizeF(m_tight ? 38 : 44, 36),
                sum ? QString() : block.label, frame);
        }
        return;
    }
    // What is only handed on is its matrix.
    if (isIdentity(m_tree.layer(place))) {
        if (!m_tight && !handsOnThought(block)) addStrip(place, block.records.front());
        return;
    }
    const bool backward = block.kind == Kind::Recurrent && block.module->direction == Direction::Backward;
    if (backward && index > 0) {
        // Reads what the other direction reads.
        m_pieces.back().below = Item{ItemKind::Block, {}, place, block.mainRecord(m_trace), block.label, block.more};
        m_pieces.back().width = m_tight ? 84 : 104;
        return;
    }
    const double width = block.kind == Kind::Attention ? (m_tight ? 84 : 96) : m_tight ? 62 : 75;
    add(ItemKind::Block, place, block.mainRecord(m_trace), {width, 48}, block.label, frame);
    m_pieces.back().item.more = block.more;
}

QString Row::stripLabel(int at) const {
    const bool isLookedAt = std::ranges::any_of(
        m_trace.records(), [](const TraceRecord& each) { return each.module && looksAtMemory(*each.module); });
    if (at == memoryRecord(m_trace)) return isLookedAt ? ArchitectureMap::tr("memory") : ArchitectureMap::tr("states");
    if (record(at).part == Part::Thought) return ArchitectureMap::tr("thought");
    if (record(at).part == Part::Input) return QStringLiteral("X");
    return {};
}

void Row::addStrip(const ModuleTree::Place& place, int at, int below) {
    add(ItemKind::Strip, place, at, {56, 0}, stripLabel(at), -1);
    if (below >= 0) m_pieces.back().below = Item{ItemKind::Strip, {}, place, below, stripLabel(below), {}};
}

void Row::build(int openLayer, Detail detail, bool strips, bool tight) {
    m_tight = tight;
    m_pieces.clear();
    m_frames.clear();
    const std::vector<ModuleLayer>& layers = stack().layers;
    const auto closedLayers = std::ranges::count_if(layers, [](const ModuleLayer& each) { return each.isLayer; });
    add(ItemKind::Token, {}, -1, {m_tight ? 56.0 : 64.0, 0}, {}, -1);
    m_pieces.back().tokens = true;
    for (int l = 0; l < static_cast<int>(layers.size()); ++l) {
        const ModuleLayer& layer = layers[static_cast<size_t>(l)];
        const bool opened = layer.isLayer && l == openLayer && detail != Detail::Closed;
        if (layer.isLayer && !opened) {
            const ModuleBlock& first = layer.blocks.front();
            const bool narrow = closedLayers > 4 || (m_tight && detail == Detail::Compact);
            add(ItemKind::ClosedLayer, {m_stack, l, 0}, first.mainRecord(m_trace),
                {narrow    ? 26.0
                 : m_tight ? 54.0
                           : 72.0,
                 56},
                narrow ? QString::number(layer.label.section(u' ', -1).toInt()) : layer.label, -1);
        } else {
            if (opened) m_frames.push_back(layer.label);
            const int frame = opened ? static_cast<int>(m_frames.size()) - 1 : -1;
            for (int b = 0; b < static_cast<int>(layer.blocks.size()); ++b)
                addBlock(l, b, opened && detail == Detail::Compact, frame);
        }
        // What comes out of the embedding, of each layer, and of a stack.
        const ModuleBlock& last = layer.blocks.back();
        const ModuleTree::Place end{m_stack, l, static_cast<int>(layer.blocks.size()) - 1};
        if (handsOnThought(last)) {
            addStrip(end, last.records.front(), last.records.back());
            continue;
        }
        const bool isShown = last.module->kind == ModuleKind::Head || m_pieces.back().item.kind == ItemKind::Strip;
        const bool isHandedOn =
            l + 1 < static_cast<int>(layers.size()) && isIdentity(layers[static_cast<size_t>(l) + 1]);
        if (strips && !isShown && !isHandedOn && matrixColumns(record(last.records.back())) > 1) {
            const bool twoWays = last.module->direction == Direction::Backward && end.block > 0;
            const int backward = last.records.back();
            const int forward = twoWays ? layer.blocks[static_cast<size_t>(end.block) - 1].records.back() : -1;
            addStrip(end, twoWays ? forward : backward, twoWays ? backward : -1);
        }
    }
    if (m_trace.find("log_probs") && m_stack == static_cast<int>(m_tree.stacks.size()) - 1) {
        add(ItemKind::Word, {}, m_trace.indexOf("log_probs"), {m_tight ? kNoBar : 128.0, 0}, {}, -1);
        m_pieces.back().words = true;
    }
}

void Row::placeColumn(const Piece& piece, const QRectF& box) {
    std::vector<Item> column;
    const std::vector<int>& start = stack().layers.front().blocks.front().records;
    const auto read = std::ranges::find_if(
        start, [&](int at) { return m_trace.records()[static_cast<size_t>(at)].part == Part::Ids; });
    const int ids = read == start.end() ? -1 : *read;
    if (piece.tokens)
        for (const std::string& token : stack().tokens)
            column.push_back({ItemKind::Token, {}, {}, ids, QString::fromStdString(token), {}});
    const TraceRecord* predicted = piece.words ? m_trace.find("log_probs") : nullptr;
    for (int row = 0; predicted && row < matrixRows(*predicted); ++row) {
        const std::span<const float> numbers = matrixRow(*predicted, 0, row);
        const auto best = std::ranges::max_element(numbers);
        Item item{ItemKind::Word, {}, {}, piece.item.record, {}, {}};
        item.more = QString::number(best - numbers.begin());  // the id; the stage knows its word
        item.share = std::exp(static_cast<double>(*best));
        item.row = row;
        column.push_back(item);
    }
    const int all = static_cast<int>(column.size());
    const int shown = all > kMostTokens ? kMostTokens - 1 : all;
    const int lines = all > kMostTokens ? kMostTokens : std::max(1, all);
    const double height = std::min(20.0, box.height() / lines), top = box.center().y() - height * lines / 2;
    // Of a long sentence the end is shown: a language model writes there.
    const int hidden = all - shown;
    for (int i = 0; i < lines && i < all; ++i) {
        const bool rest = hidden > 0 && i == 0;
        Item item = rest ? Item{piece.item.kind, {}, {}, piece.item.record, {}, {}}
                         : column[static_cast<size_t>(hidden > 0 ? hidden + i - 1 : i)];
        if (rest) {
            item.text = ArchitectureMap::tr("+ %1 before").arg(hidden);
            if (item.kind == ItemKind::Token) item.more = QStringLiteral("+ %1").arg(hidden);  // where that is too long
        }
        item.rect = {box.left(), top + i * height + 1, box.width(), height - 2};
        m_map.items.push_back(item);
    }
}

/// Over the heads of what stands between, from where its first summand was made.
void Row::placeResidual(const Item& plus, double from) {
    const double y = m_area.center().y(), top = plus.rect.center().y() - 32;
    m_map.lines.push_back(
        {ArchitectureMap::Line::Kind::Residual,
         {{from, y}, {from, top}, {plus.rect.center().x(), top}, {plus.rect.center().x(), plus.rect.top()}},
         plus.record});
}

/// One above the other; the thought vector has one row, below all the states.
void Row::placePair(Piece& piece, double x, double width) const {
    const bool thought = record(piece.below->record).part == Part::Thought;
    const double top = m_area.top() + (thought ? 0 : kFrameTop), all = m_area.bottom() - top;
    if (thought) {
        piece.item.rect = {x, top, width, all - kThought - kBetweenStrips};
        piece.below->rect = {x, m_area.bottom() - kThought, width, kThought};
        return;
    }
    const double half = (all - kBetweenLanes) / 2;
    const double height = piece.item.kind == ItemKind::Block ? std::min(kLane, half) : half;
    piece.item.rect = {x, top + (half - height) / 2, width, height};
    piece.below->rect = piece.item.rect.translated(0, half + kBetweenLanes);
}

/// From each of what stands before to each of what follows: one to one, or parting, or joining.
void Row::connect(const std::vector<QRectF>& from, const std::vector<QRectF>& to, int record) {
    const double middle = m_area.center().y();
    const auto height = [&](const std::vector<QRectF>& side, size_t lane) {
        return side.size() > 1 ? side[lane].center().y() : middle;
    };
    for (size_t lane = 0; lane < std::max(from.size(), to.size()); ++lane) {
        const QPointF a(from[std::min(lane, from.size() - 1)].right(), height(from, lane)),
            b(to[std::min(lane, to.size() - 1)].left(), height(to, lane));
        const double turn = a.x() + (b.x() - a.x()) * 0.4;
        ArchitectureMap::Line line;
        if (lane == 0) line.toRecord = record;
        if (std::abs(a.y() - b.y()) < 0.5)
            line.points = {a, b};
        else
            line.points = {a, {turn, a.y()}, {turn, b.y()}, b};
        m_map.lines.push_back(std::move(line));
    }
}

void Row::place() {
    const double gap =
        std::clamp((m_area.width() - fixedWidth()) / std::max(1.0, gaps()), kMapSmallestGap, kMapLargestGap);
    // Words keep their width.
    double words = 0;
    for (const Piece& piece : m_pieces)
        if (piece.tokens || piece.words) words += piece.width;
    const double squeeze =
        std::clamp((m_area.width() - gap * gaps() - words) / std::max(1.0, fixedWidth() - words), 0.5, 1.0);
    double x = m_area.left();
    const double y = m_area.center().y();
    int frame = -1;
    QRectF frameBox;
    std::map<int, double> madeAt;  ///< right edge of what made a record
    std::vector<QRectF> before;
    const auto closeFrame = [&] {
        if (frame < 0) return;
        frameBox.setRight(x - gap + kFramePadding * squeeze);
        m_map.frames.push_back({frameBox, m_frames[static_cast<size_t>(frame)], m_stack});
        x += 2 * kFramePadding * squeeze;
        frame = -1;
    };
    for (size_t i = 0; i < m_pieces.size(); ++i) {
        Piece& piece = m_pieces[i];
        if (piece.frame != frame) {
            closeFrame();
            if (piece.frame >= 0) {
                frame = piece.frame;
                frameBox = QRectF(x, m_area.top(), 0, m_area.height());
                x += kFramePadding * squeeze;
            }
        }
        const double width = piece.width * (piece.tokens || piece.words ? 1 : squeeze);
        const double height = piece.height > 0 ? std::min(piece.height, m_area.height()) : m_area.height();
        const double centre = frame >= 0 ? y + kFrameTop / 4 : y;
        piece.item.rect = {x, (piece.height > 0 ? centre : y) - height / 2, width, height};
        if (piece.below) placePair(piece, x, width);
        std::vector<QRectF> boxes = {piece.item.rect};
        if (piece.below) boxes.push_back(piece.below->rect);
        if (i > 0) connect(before, boxes, piece.item.record);
        if (piece.tokens || piece.words) {
            placeColumn(piece, piece.item.rect);
        } else {
            m_map.items.push_back(piece.item);
            if (piece.below) m_map.items.push_back(*piece.below);
            if (piece.item.place.valid())
                for (const int at : m_tree.block(piece.item.place).records)
                    if (at <= piece.item.record || piece.item.kind == ItemKind::Block) madeAt[at] = x + width;
            if (piece.item.kind == ItemKind::Plus) madeAt[piece.item.record] = x + width;
        }
        if (piece.item.kind == ItemKind::Plus) {
            const TraceRecord& sum = m_trace.records()[static_cast<size_t>(piece.item.record)];
            const auto found = madeAt.find(m_trace.indexOf(sum.inputs.front()));
            const double from = found == madeAt.end() ? frameBox.left() : std::max(found->second, frameBox.left());
            placeResidual(piece.item, from + 4);
        }
        before = std::move(boxes);
        x += width + gap;
    }
    closeFrame();
    m_map.stackLabels.emplace_back(m_area.left(), m_area.top() - 7);
}

}  // namespace

int ArchitectureMap::itemAt(QPointF position) const {
    for (size_t i = items.size(); i-- > 0;)
        if (items[i].rect.adjusted(-2, -2, 2, 2).contains(position)) return static_cast<int>(i);
    return -1;
}

QRectF ArchitectureMap::rectOf(const ModuleTree::Place& place) const {
    QRectF found, strips;
    for (const Item& item : items) {
        const bool block = item.kind == ItemKind::Block || item.kind == ItemKind::Plus;
        if (block && item.place == place) found = found.united(item.rect);
        if (item.kind == ItemKind::Strip && item.place == place) strips = strips.united(item.rect);
        if (item.kind == ItemKind::ClosedLayer && item.place.stack == place.stack && item.place.layer == place.layer)
            return item.rect;
    }
    return found.isValid() ? found : strips;
}

ArchitectureMap layOut(const ModuleTree& tree, const Trace& trace, const ModuleTree::Place& current,
                       ArchitectureLevel level, const std::vector<QRectF>& rows) {
    ArchitectureMap map;
    for (int s = 0; s < static_cast<int>(tree.stacks.size()); ++s) {
        Row row(tree, trace, s, rows[static_cast<size_t>(s)], map);
        const std::vector<ModuleLayer>& layers = tree.stacks[static_cast<size_t>(s)].layers;
        const auto first = std::ranges::find_if(layers, [](const ModuleLayer& each) { return each.isLayer; });
        const bool here = current.stack == s && tree.layer(current).isLayer;
        const int layer = here ? current.layer : static_cast<int>(first - layers.begin());
        using Detail = Row::Detail;
        const Detail wanted = level == ArchitectureLevel::Model ? Detail::Closed
                              : here                            ? Detail::Open
                                                                : Detail::Compact;
        // What does not fit goes, the least important first: the matrices between, then an open layer elsewhere.
        const double room = rows[static_cast<size_t>(s)].width();
        row.build(layer, wanted, true);
        if (row.narrowest() > room) row.build(layer, wanted, false);
        if (row.narrowest() > room) row.build(layer, wanted, false, true);
        if (row.narrowest() > room && wanted == Detail::Compact) row.build(layer, Detail::Closed, false);
        // Beside a lesson: without the norms, unless it is one of them that is looked at.
        const bool onNorm = here && tree.block(current).kind == Kind::Norm;
        if (row.narrowest() > room && wanted == Detail::Open && !onNorm) row.build(layer, Detail::Compact, false, true);
        row.place();
    }
    addHandedOver(map, tree, trace, rows);
    return map;
}

}  // namespace headlight

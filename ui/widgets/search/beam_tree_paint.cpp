// SPDX-License-Identifier: GPL-3.0-or-later
// How the tree of a search is drawn; beam_tree.cpp says where everything stands.
#include <QPainter>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/search/beam_tree.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kTurn = 14;      ///< behind a node, in which a branch turns to its row
constexpr double kHeadings = 20;  ///< their middle

/// The part of a path that has grown.
QPainterPath grown(const QPainterPath& path, double share) {
    if (share >= 1) return path;
    QPainterPath part(path.pointAtPercent(0));
    constexpr int kPieces = 24;
    for (int i = 1; i <= kPieces; ++i)
        part.lineTo(path.pointAtPercent(share * i / kPieces));
    return part;
}

/// It turns to its row at once, so that it stays clear of the numbers before the other nodes.
QPainterPath edgeBetween(QPointF from, QPointF to) {
    QPainterPath path(from);
    const QPointF turned(std::min(from.x() + kTurn, to.x()), to.y());
    const QPointF bend((turned.x() - from.x()) / 2, 0);
    path.cubicTo(from + bend, turned - bend, turned);
    path.lineTo(to);
    return path;
}

QFont numberFont(const BeamTree::Node& node) {
    return monoFont(11, node.best ? QFont::Medium : QFont::Normal);
}

}  // namespace

QPainterPath BeamTree::edgeTo(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF from = it.parent < 0 ? startRect() : nodeRect(it.parent), to = nodeRect(node);
    return edgeBetween({from.right(), from.center().y()}, {to.left(), to.center().y()});
}

void BeamTree::paintEdge(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const BranchMotion motion = motionOf(node);
    const double fade = it.state == Node::State::Pruned ? motion.fade : 0;
    QPen pen(it.best ? t.nowLine : paint::mixed(t.text2, t.line2, fade), it.best ? 2.5 : 1.25);
    if (fade >= 0.5) pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(grown(edgeTo(node), motion.grow));
}

QRectF BeamTree::numberRect(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF box = nodeRect(node);
    if (box.isEmpty()) return {};
    if (m_isNarrow) return {box.left(), box.center().y() + 1, box.width(), box.height() / 2 - 3};
    const double width = paint::textWidth(formatNumber(it.cumulative), numberFont(it)) + 6;
    return {box.left() - 8 - width, box.center().y() - 8, width, 16};
}

/// On the line that leads to the node, which is straight there; or in the node, below its word.
void BeamTree::paintNumber(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const BranchMotion motion = motionOf(node);
    if (motion.word <= 0) return;
    const double fade = it.state == Node::State::Pruned ? motion.fade : 0;
    const QRectF at = numberRect(node);
    const bool finished = it.state == Node::State::Finished;
    const QColor ink = it.best ? t.nowText : finished && m_isNarrow ? t.good : paint::mixed(t.text2, t.text3, fade);
    p.setOpacity(motion.word);
    if (!m_isNarrow) paint::box(p, at, t.bg);
    const QPointF place = m_isNarrow ? at.center() : QPointF(at.right() - 3, at.center().y());
    paint::centredText(p, place, formatNumber(it.cumulative), numberFont(it), ink,
                       m_isNarrow ? Anchor::Middle : Anchor::End);
    p.setOpacity(1);
}

void BeamTree::paintNode(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF box = nodeRect(node);
    const BranchMotion motion = motionOf(node);
    if (motion.word <= 0) return;
    const bool pruned = it.state == Node::State::Pruned, finished = it.state == Node::State::Finished;
    const double fade = pruned ? motion.fade : 0;
    const QColor fill = it.best ? t.nowTint : finished ? t.goodTint : paint::mixed(t.surface, t.bg, fade);
    const QColor border = it.best ? t.nowLine : finished ? t.good : paint::mixed(t.text2, t.line, fade);
    const QColor ink = it.best ? t.nowText : finished ? t.good : paint::mixed(t.text, t.text3, fade);
    p.setOpacity(motion.word);
    paint::box(p, box, node == m_hovered && !it.best ? t.sunken : fill, border, 6, it.best ? 2 : 1);
    const double room = box.width() - (m_isNarrow ? kBesideWord : 12);
    const int size = m_isNarrow ? 12 : 13;
    QFont font = paint::fitting(it.word, uiFont(size, fade >= 0.5 ? QFont::Normal : QFont::DemiBold), room);
    if (paint::textWidth(it.word, font) > room) font = paint::fitting(it.word, uiFont(size), room);
    const QPointF middle = box.center() - QPointF(0, m_isNarrow ? 7 : 0);
    paint::centredText(p, middle, paint::elided(it.word, font, room), font, ink, Anchor::Middle);
    if (it.fixed) paint::box(p, QRectF(box.left() + 8, box.bottom() - 5, box.width() - 16, 2), t.nowLine, {}, 1);
    if (node == m_selected) paint::outline(p, box.adjusted(-3, -3, 3, 3), t.text, 2, 9);
    p.setOpacity(1);
}

void BeamTree::paintFold(QPainter& p, size_t fold, const Theme& t) const {
    const BeamLayout::Fold& it = m_layout.folds[fold];
    const BranchMotion motion = motionOf(it.nodes.front());
    const QRectF box = foldRect(fold);
    const QRectF from = it.parent < 0 ? startRect() : nodeRect(it.parent);
    QPen pen(paint::mixed(t.text2, t.line2, motion.fade), 1.25);
    if (motion.fade >= 0.5) pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(grown(edgeBetween({from.right(), from.center().y()}, {box.left(), box.center().y()}), motion.grow));
    if (motion.word <= 0) return;
    p.setOpacity(motion.word);
    paint::box(p, box, t.bg, t.line2, box.height() / 2);
    paint::centredText(p, box.center(), QStringLiteral("+%1").arg(it.nodes.size()), monoFont(11, QFont::Medium),
                       t.text2, Anchor::Middle);
    p.setOpacity(1);
}

void BeamTree::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const auto heading = [&](double x, const QString& text) {
        paint::centredText(p, {x, kHeadings}, text, uiFont(12, QFont::DemiBold), t.text2, Anchor::Middle);
    };
    heading(startRect().center().x(), tr("Start"));
    const QString named = tr("Word %1"), last = named.arg(m_steps);
    const bool fits = paint::textWidth(last, uiFont(12, QFont::DemiBold)) < m_column - 4;
    for (int step = 1; step <= m_steps; ++step)
        heading(columnX(step) + (m_column - gap()) / 2, fits ? named.arg(step) : QString::number(step));

    // Pruned branches below, the best one on top.
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
        if (isDrawn(i)) order.push_back(i);
    std::ranges::stable_sort(order, {}, [this](int i) {
        const Node& it = m_nodes[static_cast<size_t>(i)];
        return it.best ? 2 : it.state == Node::State::Pruned ? 0 : 1;
    });
    for (const int node : order)
        paintEdge(p, node, t);
    for (size_t fold = 0; fold < m_layout.folds.size(); ++fold)
        if (!foldRect(fold).isEmpty()) paintFold(p, fold, t);
    for (const int node : order) {
        paintNode(p, node, t);
        paintNumber(p, node, t);
    }
    const bool any = !m_nodes.empty();
    paint::box(p, startRect(), any ? t.nowTint : t.surface, any ? t.nowLine : t.line2, 6, any ? 2 : 1);
    paint::centredText(p, startRect().center(), m_start, uiFont(13, QFont::DemiBold), t.nowText, Anchor::Middle);
}

}  // namespace headlight

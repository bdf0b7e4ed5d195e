// SPDX-License-Identifier: GPL-3.0-or-later
// How the tree of a search is drawn; beam_tree.cpp says where everything stands.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/search/beam_tree.h"
#include "ui/widgets/search/beam_tree_sizes.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using namespace beam;

/// The part of a path that has grown.
QPainterPath grown(const QPainterPath& path, double share) {
    if (share >= 1) return path;
    QPainterPath part(path.pointAtPercent(0));
    constexpr int kPieces = 24;
    for (int i = 1; i <= kPieces; ++i)
        part.lineTo(path.pointAtPercent(share * i / kPieces));
    return part;
}

/// The arc that says that a piece goes on stands higher than in a line of text, so that it does not strike the number
/// below.
void paintWord(QPainter& p, QPointF middle, const QString& word, const QFont& font, const QColor& ink) {
    const PieceText piece(word);
    if (!piece.joinsLeft && !piece.joinsRight) return paint::centredText(p, middle, word, font, ink, Anchor::Middle);
    const QString arc(QChar(0x203F));
    const double wide = paint::textWidth(arc, font), raised = font.pixelSize() * 0.35;
    double x = middle.x() - paint::textWidth(word, font) / 2;
    const auto put = [&](const QString& text, double up) {
        paint::centredText(p, {x, middle.y() - up}, text, font, ink);
        x += text == arc ? wide : paint::textWidth(text, font);
    };
    if (piece.joinsLeft) put(arc, raised);
    put(piece.text, 0);
    if (piece.joinsRight) put(arc, raised);
}

/// Straight on in its row, or down the trunk before the next column and into a row below.
QPainterPath edgeBetween(QPointF from, QPointF to) {
    QPainterPath path(from);
    if (std::abs(from.y() - to.y()) < 0.5) {
        path.lineTo(to);
        return path;
    }
    const double trunk = to.x() - kTrunk, down = to.y() > from.y() ? 1 : -1;
    const double turn = std::min({6.0, kTrunk, std::abs(to.y() - from.y()) / 2});
    path.lineTo(trunk - turn, from.y());
    path.quadTo(trunk, from.y(), trunk, from.y() + down * turn);
    path.lineTo(trunk, to.y() - down * turn);
    path.quadTo(trunk, to.y(), trunk + turn, to.y());
    path.lineTo(to);
    return path;
}

QList<qreal> dashOf(BeamTree::Node::State state) {
    return state == BeamTree::Node::State::Excluded ? QList<qreal>{1, 3} : QList<qreal>{3, 3};
}

}  // namespace

QPainterPath BeamTree::edgeTo(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF from = it.parent < 0 ? startRect() : nodeRect(it.parent), to = nodeRect(node);
    if (to.isEmpty() || from.isEmpty()) return {};
    if (from.right() >= to.left()) {
        if (rowOf(it.parent) == rowOf(node)) return {};
        // Its parent goes on in its own row and reaches to this column: the branch leaves it below.
        const double trunk = to.left() - kTrunk, turn = std::min(6.0, (to.center().y() - from.bottom()) / 2);
        QPainterPath path({trunk, from.bottom()});
        path.lineTo(trunk, to.center().y() - turn);
        path.quadTo(trunk, to.center().y(), trunk + turn, to.center().y());
        path.lineTo(to.left(), to.center().y());
        return path;
    }
    return edgeBetween({from.right(), from.center().y()}, {to.left(), to.center().y()});
}

/// Behind what reads to an end, so that the eye goes along.
void BeamTree::paintGrounds(QPainter& p, const std::vector<int>& nodes, const Theme& t) const {
    for (const int node : nodes) {
        const bool leadsOn = m_nodes[static_cast<size_t>(node)].kept && droppedShare(node) <= 0;
        if (nextInRow(node) >= 0 || !leadsOn) continue;
        int first = node;
        while (m_nodes[static_cast<size_t>(first)].parent >= 0 &&
               rowOf(m_nodes[static_cast<size_t>(first)].parent) == rowOf(node))
            first = m_nodes[static_cast<size_t>(first)].parent;
        // It grows with its last word.
        QRectF row = nodeRect(first).united(nodeRect(node));
        const double word = fadingOf(node).word;
        if (first == node) p.setOpacity(word);
        if (first != node) row.setRight(std::lerp(nodeRect(node).left() - kGap, nodeRect(node).right(), word));
        paint::box(p, row.adjusted(-kTrunk + 1, -3, kTrunk - 1, 3), rowOf(node) == 0 ? t.beam : t.surface, {}, 8);
        p.setOpacity(1);
    }
}

void BeamTree::paintEdge(QPainter& p, int node, const Theme& t) const {
    const QPainterPath edge = edgeTo(node);
    if (edge.isEmpty()) return;
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const Fading fading = fadingOf(node);
    const bool isLit = m_lit.contains(node);
    const QColor color = it.best ? t.nowLine : isLit ? t.text : paint::mixed(t.text2, t.line2, fading.dropped);
    QPen pen(color, it.best ? 3 : isLit ? 2.5 : 1.5);
    if (fading.dropped >= 0.5 && !isLit) pen.setDashPattern(dashOf(it.state));
    p.setOpacity(fading.word > 0 ? fading.opacity : 1);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(grown(edge, fading.grow));
    p.setOpacity(1);
}

void BeamTree::paintNode(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF box = nodeRect(node);
    const Fading fading = fadingOf(node);
    if (fading.opacity <= 0) return;
    const bool finished = it.state == Node::State::Finished;
    const QColor faded = finished && !it.best ? t.good : paint::mixed(t.text, t.text3, fading.dropped);
    const QColor ink = it.best ? t.nowText : faded;
    const QColor fill = it.best ? t.nowTint : finished ? t.goodTint : paint::mixed(t.surface, t.bg, fading.dropped);
    const QColor border = it.best ? t.nowLine : finished ? t.good : paint::mixed(t.text2, t.line2, fading.dropped);
    p.setOpacity(fading.opacity);
    paint::box(p, box, fill, m_lit.contains(node) && !it.best ? t.text : border, 6, it.best ? 2 : 1);
    if (it.fixed) paint::box(p, QRectF(box.left() + 4, box.top() + 7, 3, box.height() - 14), t.nowLine, {}, 1);

    // The word, log P below it, its own probability below both: closer together where the row is low.
    const double share = (box.height() - kLowest) / (kTallest - kLowest);
    const double bar = box.bottom() - std::lerp(5.0, 8.0, share), height = bar - box.top();
    const double middle = box.left() + (m_column - kGap) / 2, room = m_column - kGap - kBesideWord;
    const QString word = shownWord(node);
    const int weight = fading.dropped >= 0.5 ? QFont::Normal : QFont::DemiBold;
    QFont font = paint::fitting(word, uiFont(share > 0.5 ? 14 : 12, weight), room);
    if (paint::textWidth(word, font) > room) font = paint::fitting(word, uiFont(12), room);
    paintWord(p, {middle, box.top() + height * 0.32}, paint::elided(word, font, room), font, ink);
    const QColor quiet = it.best || finished ? ink : t.text3;
    paint::centredText(p, {middle, box.top() + height * 0.75}, formatNumber(it.cumulative), monoFont(11), quiet,
                       Anchor::Middle);
    const QRectF track(box.left() + 8, bar, m_column - kGap - 16, 3);
    paint::box(p, track, t.sunken, {}, 1.5);
    const double probability = std::clamp(std::exp(it.logProb), 0.0, 1.0);
    paint::box(p, QRectF(track.left(), track.top(), std::max(1.0, track.width() * probability), track.height()),
               it.best ? t.now : t.sequential(0.6), {}, 1.5);
    if (node == m_selected) paint::outline(p, box.adjusted(-3, -3, 3, 3), t.text, 2, 9);
    p.setOpacity(1);
}

void BeamTree::paintEnding(QPainter& p, int node, const Theme& t) const {
    const QString ending = endingOf(node);
    if (ending.isEmpty()) return;
    const QRectF at = endingRect(node);
    const bool isCutOff = m_nodes[static_cast<size_t>(node)].end == BeamLanes::End::CutOff;
    const bool isUnlit = !m_lit.empty() && !m_lit.contains(node);
    p.setOpacity((isCutOff ? 1 : droppedShare(node)) * (isUnlit ? kUnlit : 1));
    QPen pen(t.line2, 1.5);
    pen.setDashPattern(dashOf(m_nodes[static_cast<size_t>(node)].state));
    p.setPen(pen);
    const double y = at.center().y();
    p.drawLine(QPointF(at.left(), y), QPointF(at.left() + 9, y));
    if (!isCutOff) drawIcon(p, Icon::Cross, QRectF(at.left() + 11, y - 6, 12, 12), t.text3);
    paint::centredText(p, {at.left() + (isCutOff ? 13 : kBeforeEnding - 2), y}, ending, uiFont(kEnding), t.text3);
    p.setOpacity(1);
}

void BeamTree::paintMark(QPainter& p, const Mark& mark, const Theme& t) const {
    const QRectF at = markRect(mark);
    if (at.isEmpty()) return;
    const int step = mark.parent < 0 ? 1 : m_nodes[static_cast<size_t>(mark.parent)].step + 1;
    const bool isUnlit = !m_lit.empty() && !m_lit.contains(mark.parent);
    p.setOpacity((step == revealed() ? BranchMotion::at(phase()).fade : 1) * (isUnlit ? kUnlit : 1));
    const QRectF from = mark.parent < 0 ? startRect() : nodeRect(mark.parent);
    // What touches the next word has none of the gap in which the mark hangs.
    const double right = from.left() + (mark.parent < 0 ? kStartWidth : m_column - kGap);
    QPainterPath stub({right, from.center().y()});
    stub.quadTo(right + 5, from.center().y(), right + 5, from.center().y() + 6);
    stub.lineTo(right + 5, at.center().y());
    QPen pen(t.line2, 1.5);
    pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    if (from.right() <= right + 1) p.drawPath(stub);
    const QString text = mark.isOpen ? QStringLiteral("−") : QStringLiteral("+%1").arg(mark.count);
    paint::centredText(p, {right - 1, at.center().y()}, text, uiFont(12, QFont::Medium), t.text2, Anchor::End);
    p.setOpacity(1);
}

void BeamTree::paintHeadings(QPainter& p, const Theme& t) const {
    const QFont font = uiFont(12, QFont::Medium);
    const auto heading = [&](double x, const QString& text) {
        paint::centredText(p, {x, m_scrolled + kHeadings}, text, font, t.text3, Anchor::Middle);
    };
    heading(startRect().center().x(), tr("Start"));
    const QString named = tr("Word %1"), last = named.arg(m_steps);
    const bool fits = paint::textWidth(last, font) < m_column - 4;
    for (int step = 1; step <= m_steps; ++step)
        heading(columnX(step) + (m_column - kGap) / 2, fits ? named.arg(step) : QString::number(step));
}

/// Where the tree is scrolled, its first row stays, and the others go on below it.
void BeamTree::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double pinned = m_scrolled + pinnedHeight();
    std::vector<int> spine, others;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
        if (!isDrawn(i)) continue;
        if (rowOf(i) == 0)
            spine.push_back(i);
        else
            others.push_back(i);
    }
    // What was dropped below what goes on.
    std::ranges::stable_sort(others, std::greater<>(), [this](int i) { return m_lanes.droppedAt(i) > 0; });
    const auto draw = [&](const std::vector<int>& nodes) {
        for (const int node : nodes)
            paintNode(p, node, t);
        for (const int node : nodes)
            paintEnding(p, node, t);
        for (const Mark& mark : m_marks)
            if ((rowOf(mark.parent) == 0) == (&nodes == &spine)) paintMark(p, mark, t);
    };
    if (m_scrolled > 0) {
        p.save();
        p.setClipRect(QRectF(0, pinned, width(), height() - pinned));
    }
    paintGrounds(p, others, t);
    if (m_scrolled == 0) paintGrounds(p, spine, t);
    for (const int node : others)
        paintEdge(p, node, t);
    draw(others);
    if (m_scrolled > 0) {
        p.restore();
        paint::box(p, QRectF(0, m_scrolled, width(), pinnedHeight()), t.bg);
        paint::box(p, QRectF(0, pinned - 1, width(), 1), t.line);
        // Where branches leave the row that stays.
        p.save();
        p.setClipRect(QRectF(0, m_scrolled, width(), pinnedHeight() - 1));
        paintGrounds(p, spine, t);
        for (const int node : others)
            if (rowOf(m_nodes[static_cast<size_t>(node)].parent) == 0 && centreOf(node) > pinned) paintEdge(p, node, t);
        p.restore();
    }
    for (const int node : spine)
        paintEdge(p, node, t);
    draw(spine);
    paintHeadings(p, t);
    const bool any = !m_nodes.empty();
    paint::box(p, startRect(), any ? t.nowTint : t.surface, any ? t.nowLine : t.line2, 6, any ? 2 : 1);
    const QFont font = paint::fitting(m_start, uiFont(12, QFont::DemiBold), kStartWidth - 4);
    paint::centredText(p, startRect().center(), m_start, font, t.nowText, Anchor::Middle);
}

}  // namespace headlight

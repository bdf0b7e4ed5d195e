// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/beam_tree.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 20;
constexpr double kTop = 44;  ///< room for the columns' names
constexpr double kGap = 68;  ///< between a node and the next column: room for a number
constexpr double kNodeHeight = 32;
constexpr double kNarrowest = 136, kWidest = 160;  ///< from one column to the next
constexpr double kPitch = 42;                      ///< from one leaf to the next
constexpr double kStartWidth = 76;

}  // namespace

BeamTree::BeamTree(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Beam search"));
    setAccessibleDescription(
        tr("Left and right walk along a branch, up and down within a column; Enter fixes the words "
           "up to the chosen one."));
}

void BeamTree::setNodes(std::vector<Node> nodes, int steps) {
    m_nodes = std::move(nodes);
    m_steps = steps;
    m_revealed = steps;
    m_selected = m_hovered = -1;
    m_children.assign(m_nodes.size() + 1, {});
    for (size_t i = 0; i < m_nodes.size(); ++i)
        m_children[static_cast<size_t>(m_nodes[i].parent) + 1].push_back(static_cast<int>(i));
    for (std::vector<int>& children : m_children)
        std::ranges::stable_sort(children, std::greater<>(),
                                 [this](int node) { return m_nodes[static_cast<size_t>(node)].cumulative; });
    layoutNodes();
}

void BeamTree::setPrunedShown(bool shown) {
    m_prunedShown = shown;
    layoutNodes();
}

void BeamTree::setRevealed(int steps) {
    m_revealed = steps;
    update();
}

void BeamTree::setSelected(int node) {
    m_selected = node;
    update();
}

bool BeamTree::isDrawn(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    return it.step <= m_revealed && (m_prunedShown || it.state != Node::State::Pruned);
}

/// The middle of a branch is the middle of its children; leaves stand one below another.
double BeamTree::place(int node, double& next) {
    double first = -1, last = -1;
    for (const int child : m_children[static_cast<size_t>(node) + 1]) {
        if (!m_prunedShown && m_nodes[static_cast<size_t>(child)].state == Node::State::Pruned) continue;
        last = place(child, next);
        if (first < 0) first = last;
    }
    double y = (first + last) / 2;
    if (first < 0) {
        y = next + kPitch / 2;
        next += kPitch;
    }
    if (node >= 0) m_y[static_cast<size_t>(node)] = y;
    return y;
}

void BeamTree::layoutNodes() {
    m_y.assign(m_nodes.size(), 0);
    double next = kTop;
    m_startY = place(-1, next);
    m_height = next + 12;
    const double room = width() - kLeft - kStartWidth - 24;
    m_column = std::clamp(room / std::max(1, m_steps), kNarrowest, kWidest);
    // A small tree stands in the middle of its room.
    const double spare = std::max(0.0, (height() - m_height) / 2);
    for (double& y : m_y)
        y += spare;
    m_startY += spare;
    updateGeometry();
    update();
}

void BeamTree::resizeEvent(QResizeEvent*) {
    layoutNodes();
}

QSize BeamTree::sizeHint() const {
    return {static_cast<int>(kLeft + kStartWidth + m_steps * kNarrowest + 24), static_cast<int>(m_height)};
}

QRectF BeamTree::startRect() const {
    return {kLeft, m_startY - kNodeHeight / 2, kStartWidth, kNodeHeight};
}

QRectF BeamTree::nodeRect(int node) const {
    if (node < 0 || node >= static_cast<int>(m_nodes.size()) || !isDrawn(node)) return {};
    const double width = m_column - kGap;
    const double x = kLeft + kStartWidth + m_nodes[static_cast<size_t>(node)].step * m_column - width;
    return {x, m_y[static_cast<size_t>(node)] - kNodeHeight / 2, width, kNodeHeight};
}

int BeamTree::nodeAt(QPointF position) const {
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
        if (nodeRect(i).contains(position)) return i;
    return -1;
}

void BeamTree::choose(int node) {
    if (node < 0) return;
    m_selected = node;
    update();
    emit nodeSelected(node);
}

void BeamTree::mousePressEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node >= 0) return choose(node);
    m_selected = -1;
    update();
    emit nodeSelected(-1);
}

void BeamTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node >= 0) emit nodeFixed(node);
}

void BeamTree::mouseMoveEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node == m_hovered) return;
    m_hovered = node;
    setCursor(node >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(node < 0 ? QString()
                        : tr("log P of “%1” here: %2. Double click to fix the words up to it.")
                              .arg(m_nodes[static_cast<size_t>(node)].word,
                                   formatPrecise(m_nodes[static_cast<size_t>(node)].logProb)));
    update();
}

int BeamTree::neighbour(int direction) const {
    const int step = m_nodes[static_cast<size_t>(m_selected)].step;
    const double y = m_y[static_cast<size_t>(m_selected)];
    int found = -1;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
        if (i == m_selected || !isDrawn(i) || m_nodes[static_cast<size_t>(i)].step != step) continue;
        const double distance = (m_y[static_cast<size_t>(i)] - y) * direction;
        if (distance <= 0) continue;
        if (found < 0 || distance < (m_y[static_cast<size_t>(found)] - y) * direction) found = i;
    }
    return found;
}

void BeamTree::keyPressEvent(QKeyEvent* event) {
    const auto firstChild = [this](int node) {
        for (const int child : m_children[static_cast<size_t>(node) + 1])
            if (isDrawn(child)) return child;
        return -1;
    };
    if (m_nodes.empty()) return QWidget::keyPressEvent(event);
    if (m_selected < 0) {
        if (event->key() == Qt::Key_Right) return choose(firstChild(-1));
        return QWidget::keyPressEvent(event);
    }
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(m_nodes[static_cast<size_t>(m_selected)].parent);
        case Qt::Key_Right:
            return choose(firstChild(m_selected));
        case Qt::Key_Up:
            return choose(neighbour(-1));
        case Qt::Key_Down:
            return choose(neighbour(1));
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit nodeFixed(m_selected);
            return;
        case Qt::Key_Escape:
            m_selected = -1;
            update();
            emit nodeSelected(-1);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void BeamTree::paintEdge(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF from = it.parent < 0 ? startRect() : nodeRect(it.parent), to = nodeRect(node);
    const QPointF a(from.right(), from.center().y()), b(to.left(), to.center().y());
    const double bend = (b.x() - a.x()) / 2;
    QPainterPath path(a);
    path.cubicTo(a + QPointF(bend, 0), b - QPointF(bend, 0), b);
    const bool pruned = it.state == Node::State::Pruned;
    QPen pen(it.best ? t.nowLine : pruned ? t.line2 : t.text2, it.best ? 2.5 : 1.25);
    if (pruned) pen.setDashPattern({3, 3});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);

    const QString number = formatNumber(it.cumulative);
    const QFont font = monoFont(11, it.best ? QFont::Medium : QFont::Normal);
    const double width = paint::textWidth(number, font) + 6;
    paint::box(p, QRectF(b.x() - 8 - width, b.y() - 8, width, 16), t.bg);
    paint::centredText(p, {b.x() - 11, b.y()}, number, font,
                       it.best  ? t.nowText
                       : pruned ? t.text3
                                : t.text2,
                       Anchor::End);
}

void BeamTree::paintNode(QPainter& p, int node, const Theme& t) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    const QRectF box = nodeRect(node);
    const bool pruned = it.state == Node::State::Pruned, finished = it.state == Node::State::Finished;
    const QColor fill = it.best ? t.nowTint : finished ? t.goodTint : pruned ? t.bg : t.surface;
    const QColor border = it.best ? t.nowLine : finished ? t.good : pruned ? t.line : t.text2;
    const QColor ink = it.best ? t.nowText : finished ? t.good : pruned ? t.text3 : t.text;
    paint::box(p, box, node == m_hovered && !it.best ? t.sunken : fill, border, 6, it.best ? 2 : 1);
    const QFont font = uiFont(13, pruned ? QFont::Normal : QFont::DemiBold);
    paint::centredText(p, box.center(), paint::elided(it.word, font, box.width() - 12), font, ink, Anchor::Middle);
    if (it.fixed) paint::box(p, QRectF(box.left() + 8, box.bottom() - 5, box.width() - 16, 2), t.nowLine, {}, 1);
    if (node == m_selected) paint::outline(p, box.adjusted(-3, -3, 3, 3), t.text, 2, 9);
}

void BeamTree::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const auto heading = [&](double x, const QString& text) {
        paint::centredText(p, {x, 20}, text, uiFont(12, QFont::DemiBold), t.text2, Anchor::Middle);
    };
    heading(kLeft + kStartWidth / 2, tr("Start"));
    for (int step = 1; step <= m_steps; ++step)
        heading(kLeft + kStartWidth + step * m_column - (m_column - kGap) / 2, tr("Word %1").arg(step));

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
    for (const int node : order)
        paintNode(p, node, t);
    const bool any = !m_nodes.empty();
    paint::box(p, startRect(), any ? t.nowTint : t.surface, any ? t.nowLine : t.line2, 6, any ? 2 : 1);
    paint::centredText(p, startRect().center(), m_start, uiFont(13, QFont::DemiBold), t.nowText, Anchor::Middle);
}

}  // namespace headlight

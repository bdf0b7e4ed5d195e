// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/beam_tree.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 20;
constexpr double kTop = 44;  ///< room for the columns' names
constexpr double kBelow = 12;
constexpr double kGap = 68, kNarrowGap = 14;        ///< between a node and the next column: with and without a number
constexpr double kMostHeight = 32, kTallNode = 34;  ///< of a node; of one with its number in it
constexpr double kNarrow = 136, kNarrowest = 60, kLeastForWords = 110, kWidest = 260;  ///< from one column to the next
constexpr double kLeastPitch = 30, kLeastTallPitch = 40, kMostPitch = 52;              ///< from one row to the next
constexpr double kStartWidth = 66, kNarrowStart = 46;
constexpr double kFoldWidth = 40;
constexpr double kRight = 8;

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
    m_time = steps;
    m_selected = m_hovered = -1;
    m_unfolded.clear();
    m_children.assign(m_nodes.size() + 1, {});
    for (size_t i = 0; i < m_nodes.size(); ++i)
        m_children[static_cast<size_t>(m_nodes[i].parent) + 1].push_back(static_cast<int>(i));
    for (std::vector<int>& children : m_children)
        std::ranges::stable_sort(children, std::greater<>(),
                                 [this](int node) { return m_nodes[static_cast<size_t>(node)].cumulative; });
    // The longest word is whole where it is written smallest.
    constexpr int kSmallest = 9;
    double longest = 0;
    for (const Node& node : m_nodes)
        longest = std::max(longest, paint::textWidth(node.word, uiFont(kSmallest)));
    m_least = std::clamp(std::ceil(longest) + kBesideWord + kNarrowGap, kNarrowest, kLeastForWords);
    layoutNodes();
}

void BeamTree::setPrunedShown(bool shown) {
    m_prunedShown = shown;
    layoutNodes();
}

void BeamTree::setTime(double steps) {
    m_time = steps;
    update();
}

int BeamTree::revealed() const {
    return static_cast<int>(std::ceil(m_time));
}

BranchMotion BeamTree::motionOf(int node) const {
    return BranchMotion::at(std::clamp(m_time - m_nodes[static_cast<size_t>(node)].step + 1, 0.0, 1.0));
}

void BeamTree::setSelected(int node) {
    m_selected = node;
    if (node >= 0 && m_layout.rows[static_cast<size_t>(node)] < 0) {
        m_unfolded.insert(m_nodes[static_cast<size_t>(node)].parent);
        layoutNodes();
    }
    update();
}

bool BeamTree::isDrawn(int node) const {
    return m_nodes[static_cast<size_t>(node)].step <= revealed() && m_layout.rows[static_cast<size_t>(node)] >= 0;
}

BeamLayout BeamTree::laidOut(const std::function<bool(int parent)>& isFolded) const {
    std::vector<BeamLayout::Node> nodes;
    nodes.reserve(m_nodes.size());
    for (size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        const bool ends = node.state == Node::State::Pruned ||
                          (node.state == Node::State::Kept && !node.best && m_children[i + 1].empty());
        nodes.push_back({node.parent, node.step - 1, node.best, ends});
    }
    const auto isShown = [this](int node) {
        return m_prunedShown || m_nodes[static_cast<size_t>(node)].state != Node::State::Pruned;
    };
    return layoutBeam(nodes, m_children, isShown, isFolded);
}

/// Everything where there is room for it, otherwise folded. A small tree stands in the middle of its room, and boxes on
/// whole pixels: their borders would be blurred otherwise.
void BeamTree::layoutNodes() {
    const int steps = std::max(1, m_steps);
    const double room = width() - kLeft - kRight;
    m_isNarrow = room - kStartWidth < steps * kNarrow;
    m_column = std::floor(std::clamp((room - startWidth()) / steps, m_least, kWidest));
    const double least = m_isNarrow ? kLeastTallPitch : kLeastPitch;
    const BeamLayout folded = laidOut([this](int parent) { return !m_unfolded.contains(parent); });
    m_leastHeight = kTop + folded.count * least + kBelow;
    m_layout = laidOut([](int) { return false; });
    if (kTop + m_layout.count * least + kBelow > height()) m_layout = folded;
    // Even, as the heights of boxes are: half of what is left over stands above them.
    m_pitch =
        2 * std::floor(std::clamp((height() - kTop - kBelow) / std::max(1, m_layout.count), least, kMostPitch) / 2);
    m_top = kTop + std::floor(std::max(0.0, (height() - kTop - kBelow - m_layout.count * m_pitch) / 2));
    updateGeometry();
    update();
}

void BeamTree::toggleFold(int parent) {
    if (!m_unfolded.insert(parent).second) m_unfolded.erase(parent);
    layoutNodes();
}

double BeamTree::yOf(int row) const {
    return m_top + (row + 0.5) * m_pitch;
}

double BeamTree::startWidth() const {
    return m_isNarrow ? kNarrowStart : kStartWidth;
}

double BeamTree::gap() const {
    return m_isNarrow ? kNarrowGap : kGap;
}

double BeamTree::nodeHeight() const {
    return m_isNarrow ? kTallNode : std::min(kMostHeight, m_pitch - 8);
}

/// The left edge of a column's nodes.
double BeamTree::columnX(int step) const {
    return kLeft + startWidth() + (step - 1) * m_column + gap();
}

QRectF BeamTree::columnRect(int step) const {
    return {columnX(step), 0, m_column - gap(), static_cast<double>(height())};
}

void BeamTree::resizeEvent(QResizeEvent*) {
    layoutNodes();
}

QSize BeamTree::sizeHint() const {
    return {static_cast<int>(kLeft + kNarrowStart + m_steps * m_least + kRight),
            static_cast<int>(std::ceil(m_leastHeight))};
}

QRectF BeamTree::startRect() const {
    return {kLeft, yOf(0) - nodeHeight() / 2, startWidth(), nodeHeight()};
}

QRectF BeamTree::nodeRect(int node) const {
    if (node < 0 || node >= static_cast<int>(m_nodes.size()) || !isDrawn(node)) return {};
    const double y = yOf(m_layout.rows[static_cast<size_t>(node)]);
    return {columnX(m_nodes[static_cast<size_t>(node)].step), y - nodeHeight() / 2, m_column - gap(), nodeHeight()};
}

QRectF BeamTree::foldRect(size_t fold) const {
    const BeamLayout::Fold& it = m_layout.folds[fold];
    if (it.column >= revealed()) return {};
    return {columnX(it.column + 1), yOf(it.row) - nodeHeight() / 2, kFoldWidth, nodeHeight()};
}

int BeamTree::nodeAt(QPointF position) const {
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
        if (nodeRect(i).contains(position)) return i;
    return -1;
}

int BeamTree::foldAt(QPointF position) const {
    for (size_t i = 0; i < m_layout.folds.size(); ++i)
        if (foldRect(i).contains(position)) return static_cast<int>(i);
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
    if (const int fold = foldAt(event->position()); fold >= 0)
        return toggleFold(m_layout.folds[static_cast<size_t>(fold)].parent);
    m_selected = -1;
    update();
    emit nodeSelected(-1);
}

void BeamTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node >= 0) emit nodeFixed(node);
}

QString BeamTree::hintOf(int node, int fold) const {
    const auto of = [this](int at) -> const Node& { return m_nodes[static_cast<size_t>(at)]; };
    if (node >= 0)
        return tr("log P of “%1” here: %2. Double click to fix the words up to it.")
            .arg(of(node).word, formatPrecise(of(node).logProb));
    if (fold < 0) return {};
    QStringList words;
    for (const int each : m_layout.folds[static_cast<size_t>(fold)].nodes)
        words << QStringLiteral("“%1” %2").arg(of(each).word, formatNumber(of(each).cumulative));
    return tr("They lead nowhere: %1. A click shows them.").arg(words.join(QStringLiteral(", ")));
}

void BeamTree::mouseMoveEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position()), fold = foldAt(event->position());
    setCursor(node >= 0 || fold >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(hintOf(node, fold));
    if (std::exchange(m_hovered, node) != node) update();
}

int BeamTree::neighbour(int direction) const {
    const int step = m_nodes[static_cast<size_t>(m_selected)].step;
    const int row = m_layout.rows[static_cast<size_t>(m_selected)];
    int found = -1;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
        if (i == m_selected || !isDrawn(i) || m_nodes[static_cast<size_t>(i)].step != step) continue;
        const int distance = (m_layout.rows[static_cast<size_t>(i)] - row) * direction;
        if (distance <= 0) continue;
        if (found < 0 || distance < (m_layout.rows[static_cast<size_t>(found)] - row) * direction) found = i;
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
        case Qt::Key_Space:
            return toggleFold(m_selected);
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

}  // namespace headlight

#include "moc_beam_tree.cpp"

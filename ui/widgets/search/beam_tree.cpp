// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/beam_tree.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/widgets/search/beam_tree_accessible.h"
#include "ui/widgets/search/beam_tree_sizes.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

using namespace beam;

double eased(double share) {
    const double t = std::clamp(share, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

BeamTree::BeamTree(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Beam search"));
    setAccessibleDescription(
        tr("Left and right walk along a sentence, up and down within a column. Enter fixes the words up to the chosen "
           "one, Space opens what came to nothing after it."));
    installBeamTreeAccessibility();
}

void BeamTree::setNodes(std::vector<Node> nodes, int steps) {
    m_nodes = std::move(nodes);
    m_lanes = BeamLanes(std::vector<BeamLanes::Node>(m_nodes.begin(), m_nodes.end()));
    m_steps = steps;
    m_time = steps;
    m_selected = -1;
    m_lit.clear();
    m_open.clear();
    double word = 0, number = 0;
    for (const Node& node : m_nodes) {
        if (!node.kept) continue;
        word = std::max(word, paint::textWidth(node.word, uiFont(kSmallWord, QFont::DemiBold)));
        number = std::max(number, paint::textWidth(formatNumber(node.cumulative), monoFont(11)));
    }
    const double widest = std::max(word + kBesideWord, number + kBesideNumber);
    m_least = std::clamp(std::ceil(widest) + kGap, kNarrowest, kLeastForWords);
    layRows();
}

void BeamTree::setDeadEnds(DeadEnds deadEnds) {
    m_deadEnds = deadEnds;
    m_open.clear();
    layRows();
}

void BeamTree::setTime(double steps) {
    m_time = steps;
    layAtTime();
}

void BeamTree::setScrolled(int top) {
    if (std::exchange(m_scrolled, top) != top) update();
}

int BeamTree::revealed() const {
    return static_cast<int>(std::ceil(m_time));
}

/// How far the step that grows has come, above 0 to 1.
double BeamTree::phase() const {
    return revealed() > 0 ? m_time - revealed() + 1 : 1;
}

double BeamTree::droppedShare(int node) const {
    const int at = m_lanes.droppedAt(node);
    if (at == 0 || at > revealed()) return 0;
    return at < revealed() ? 1 : BranchMotion::at(phase()).fade;
}

BeamTree::Fading BeamTree::fadingOf(int node) const {
    Fading fading;
    if (m_nodes[static_cast<size_t>(node)].step == revealed()) {
        const BranchMotion motion = BranchMotion::at(phase());
        fading.grow = motion.grow;
        fading.word = motion.word;
    }
    fading.dropped = droppedShare(node);
    fading.opacity = fading.word;
    if (m_layout.rows[static_cast<size_t>(node)] < 0) fading.opacity *= 1 - fading.dropped;
    if (!m_lit.empty() && !m_lit.contains(node)) fading.opacity *= kUnlit;
    return fading;
}

void BeamTree::setSelected(int node) {
    m_selected = node;
    if (node >= 0 && m_layout.rows[static_cast<size_t>(node)] < 0 &&
        m_nodes[static_cast<size_t>(node)].step <= revealed()) {
        for (int at = node; at >= 0; at = m_nodes[static_cast<size_t>(at)].parent)
            if (m_lanes.droppedAt(at) > 0) m_open.insert(m_nodes[static_cast<size_t>(at)].parent);
        layRows();
    }
    update();
}

bool BeamTree::isDrawn(int node) const {
    const auto at = static_cast<size_t>(node);
    return m_nodes[at].step <= revealed() && (m_layout.rows[at] >= 0 || (phase() < 1 && m_between.rows[at] >= 0));
}

int BeamTree::rowOf(int node) const {
    if (node < 0) return 0;
    if (!isDrawn(node)) return -1;
    const int row = m_layout.rows[static_cast<size_t>(node)];
    return row >= 0 ? row : m_between.rows[static_cast<size_t>(node)];
}

BeamLanes::Layout BeamTree::laidOut(int steps, Drop drop, bool withSingles) const {
    return m_lanes.layout(steps, [&](int node) {
        const Node& it = m_nodes[static_cast<size_t>(node)];
        if (m_open.contains(it.parent)) return false;
        if (m_deadEnds == DeadEnds::Shown) return !it.kept && !withSingles;
        return !it.kept || drop == Drop::Behind || m_lanes.droppedAt(node) < steps;
    });
}

/// What the search never went on from has rows where there is room for them, and is counted otherwise.
void BeamTree::layRows() {
    m_withSingles = false;
    if (m_deadEnds == DeadEnds::Shown) {
        const int all = laidOut(m_steps, Drop::Behind, true).count;
        m_withSingles = kTop + kTallest / 2 + (all - 0.5) * kLeastPitch + kBelow <= height();
    }
    m_final = laidOut(m_steps, Drop::Behind, m_withSingles);
    layAtTime();
    fit();
    updateGeometry();
}

void BeamTree::layAtTime() {
    if (m_deadEnds == DeadEnds::Shown) {
        m_layout = m_before = m_between = laidOut(m_steps, Drop::Behind, m_withSingles);
    } else {
        m_layout = laidOut(revealed(), Drop::Behind, false);
        m_before = phase() < 1 ? laidOut(revealed() - 1, Drop::Behind, false) : m_layout;
        m_between = phase() < 1 ? laidOut(revealed(), Drop::Before, false) : m_layout;
    }
    const int rows = std::max({m_before.count, m_between.count, m_layout.count});
    if (std::exchange(m_mostRows, rows) != rows) updateGeometry();
    m_marks.clear();
    for (const BeamLanes::Fold& fold : m_layout.folds)
        if (m_nodes[static_cast<size_t>(fold.nodes.front())].step <= revealed())
            m_marks.push_back({fold.parent, static_cast<int>(fold.nodes.size()), false});
    for (const int parent : m_open) {
        if (parent >= 0 && rowOf(parent) < 0) continue;
        const auto count = std::ranges::count_if(m_lanes.childrenOf(parent), [&](int child) {
            const bool isFoldable = m_deadEnds == DeadEnds::Folded || !m_nodes[static_cast<size_t>(child)].kept;
            return m_lanes.isDropped(child, revealed()) && isFoldable;
        });
        if (count > 0) m_marks.push_back({parent, static_cast<int>(count), true});
    }
    const auto pitchOf = [&](const BeamLanes::Layout& layout) {
        const double least = m_marks.empty() ? kLeastPitch : kLeastMarkedPitch;
        return std::clamp((height() - kTop - kTallest / 2 - kBelow) / std::max(1.0, layout.count - 0.5), least,
                          kMostPitch);
    };
    const double whole = pitchOf(m_layout);
    const double grown = pitchOf(m_between), early = pitchOf(m_before), at = phase();
    m_pitch = at < 0.5 ? std::lerp(early, grown, eased(at * 2)) : std::lerp(grown, whole, eased(at * 2 - 1));
    if (at >= 1) m_pitch = std::floor(whole);
    if (QAccessible::isActive()) {
        QAccessibleEvent event(this, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&event);
    }
    update();
}

/// Columns as wide as there is room, also for what is said at the ends of rows.
void BeamTree::fit() {
    const int steps = std::max(1, m_steps);
    double column = std::clamp((width() - columnX(1) - kRight) / steps, m_least, kWidest);
    for (int node = 0; node < static_cast<int>(m_nodes.size()); ++node)
        if (const double ending = endingWidth(node); ending > 0)
            column = std::min(
                column, (width() - columnX(1) - kRight - ending + kGap) / m_nodes[static_cast<size_t>(node)].step);
    m_column = std::floor(std::max(column, m_least));
}

/// What stands behind a node once all is searched; 0: nothing.
double BeamTree::endingWidth(int node) const {
    const auto at = static_cast<size_t>(node);
    const bool goesOn = std::ranges::any_of(m_lanes.childrenOf(node), [&](int child) {
        return m_final.rows[static_cast<size_t>(child)] == m_final.rows[at];
    });
    if (m_final.rows[at] < 0 || goesOn) return 0;
    const QString ending = endingText(node);
    return ending.isEmpty() ? 0 : kBeforeEnding + paint::textWidth(ending, uiFont(kEnding));
}

void BeamTree::toggle(int parent) {
    const bool has = std::ranges::any_of(m_marks, [&](const Mark& mark) { return mark.parent == parent; });
    if (!has) return;
    if (!m_open.insert(parent).second) m_open.erase(parent);
    layRows();
}

double BeamTree::yOf(int row) const {
    return kTop + kTallest / 2 + row * m_pitch + (row == 0 ? m_scrolled : 0);
}

double BeamTree::pinnedHeight() const {
    return kTop + kTallest / 2 + nodeHeight() / 2 + (m_marks.empty() ? 4 : kMarkHeight);
}

double BeamTree::centreOf(int node) const {
    const auto at = static_cast<size_t>(node);
    const double share = phase();
    const int end = m_layout.rows[at];
    if (share >= 1) return yOf(end);
    const int between = m_between.rows[at];
    if (share < 0.5) {
        const int from = m_before.rows[at] < 0 ? between : m_before.rows[at];
        return std::lerp(yOf(from), yOf(between), eased(share * 2));
    }
    const int parent = m_nodes[at].parent;
    const int to = end >= 0 ? end : parent < 0 ? 0 : std::max(0, m_layout.rows[static_cast<size_t>(parent)]);
    return std::lerp(yOf(between), yOf(to), eased(share * 2 - 1));
}

double BeamTree::nodeHeight() const {
    return 2 * std::floor(std::clamp(m_pitch - (m_marks.empty() ? 4 : kMarkHeight), kLowest, kTallest) / 2);
}

/// The left edge of a column's nodes.
double BeamTree::columnX(int step) const {
    return kLeft + kStartWidth + kBehindStart + (step - 1) * m_column;
}

QRectF BeamTree::columnRect(int step) const {
    return {columnX(step), 0, m_column - kGap, static_cast<double>(height())};
}

void BeamTree::resizeEvent(QResizeEvent*) {
    layRows();
}

QSize BeamTree::sizeHint() const {
    double width = columnX(1) + m_steps * m_least + kRight;
    for (int node = 0; node < static_cast<int>(m_nodes.size()); ++node)
        if (const double ending = endingWidth(node); ending > 0)
            width = std::max(width,
                             columnX(1) + m_nodes[static_cast<size_t>(node)].step * m_least - kGap + ending + kRight);
    const bool hasMarks = !m_marks.empty() || !m_final.folds.empty();
    const double pitch = hasMarks ? kLeastMarkedPitch : kLeastPitch;
    return {static_cast<int>(std::ceil(width)),
            static_cast<int>(std::ceil(kTop + kTallest / 2 + (m_mostRows - 0.5) * pitch + kBelow))};
}

QRectF BeamTree::startRect() const {
    return {kLeft, yOf(0) - nodeHeight() / 2, kStartWidth, nodeHeight()};
}

int BeamTree::nextInRow(int node) const {
    const int row = rowOf(node);
    for (const int child : m_lanes.childrenOf(node))
        if (isDrawn(child) && rowOf(child) == row) return child;
    return -1;
}

bool BeamTree::touchesNext(int node) const {
    const int next = nextInRow(node);
    return next >= 0 && m_nodes[static_cast<size_t>(next)].glued;
}

/// Without the mark that it goes on, where one sees that it does.
QString BeamTree::shownWord(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    if (it.state == Node::State::Finished) return tr("end");
    const bool isBehind = it.glued && it.parent >= 0 && rowOf(it.parent) == rowOf(node);
    QStringList touching;
    if (isBehind) touching << m_nodes[static_cast<size_t>(it.parent)].word;
    touching << it.word;
    if (touchesNext(node)) touching << m_nodes[static_cast<size_t>(nextInRow(node))].word;
    return chipText(touching, isBehind ? 1 : 0);
}

QRectF BeamTree::nodeRect(int node) const {
    if (node < 0 || node >= static_cast<int>(m_nodes.size()) || !isDrawn(node)) return {};
    const double width = m_column - (touchesNext(node) ? 0 : kGap);
    return {columnX(m_nodes[static_cast<size_t>(node)].step), centreOf(node) - nodeHeight() / 2, width, nodeHeight()};
}

QRectF BeamTree::markRect(const Mark& mark) const {
    const QRectF box = mark.parent < 0 ? startRect() : nodeRect(mark.parent);
    if (box.isEmpty()) return {};
    return {box.right() - 30, box.bottom() + 1, 38, kMarkHeight - 3};
}

QString BeamTree::endingText(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    if (it.end == BeamLanes::End::Finished) return {};
    if (it.kept && it.step == m_steps) return tr("not finished");
    if (it.state == Node::State::Excluded) {
        const auto fixed =
            std::ranges::find_if(m_nodes, [&](const Node& other) { return other.fixed && other.step == it.step; });
        return fixed == m_nodes.end() ? tr("ruled out") : tr("ruled out: “%1” is fixed").arg(fixed->word);
    }
    const int at = m_lanes.droppedAt(node);
    return at > 0 ? tr("dropped at word %1").arg(at) : QString();
}

QString BeamTree::endingOf(int node) const {
    const bool isCutOff = m_nodes[static_cast<size_t>(node)].end == BeamLanes::End::CutOff;
    const bool hasStopped = isCutOff || m_lanes.isDropped(node, revealed());
    return hasStopped && isDrawn(node) && nextInRow(node) < 0 ? endingText(node) : QString();
}

QRectF BeamTree::endingRect(int node) const {
    const QString ending = endingOf(node);
    if (ending.isEmpty()) return {};
    const QRectF box = nodeRect(node);
    return {box.right(), box.center().y() - 9, kBeforeEnding + paint::textWidth(ending, uiFont(kEnding)), 18};
}

int BeamTree::nodeAt(QPointF position) const {
    const bool isPinned = position.y() < m_scrolled + pinnedHeight();
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
        if (nodeRect(i).contains(position) && (!isPinned || rowOf(i) == 0)) return i;
    return -1;
}

int BeamTree::markAt(QPointF position) const {
    const bool isPinned = position.y() < m_scrolled + pinnedHeight();
    for (size_t i = 0; i < m_marks.size(); ++i)
        if (markRect(m_marks[i]).contains(position) && (!isPinned || rowOf(m_marks[i].parent) == 0))
            return static_cast<int>(i);
    return -1;
}

/// The last node of the row that is pointed at, between its first word and its last.
int BeamTree::rowEndAt(QPointF position) const {
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
        if (!isDrawn(i) || nextInRow(i) >= 0) continue;
        int first = i;
        while (m_nodes[static_cast<size_t>(first)].parent >= 0 &&
               rowOf(m_nodes[static_cast<size_t>(first)].parent) == rowOf(i))
            first = m_nodes[static_cast<size_t>(first)].parent;
        const QRectF row = nodeRect(first).united(nodeRect(i)).united(endingRect(i));
        if (row.adjusted(-6, -2, 6, 2).contains(position)) return i;
    }
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
    if (const int mark = markAt(event->position()); mark >= 0) return toggle(m_marks[static_cast<size_t>(mark)].parent);
    m_selected = -1;
    update();
    emit nodeSelected(-1);
}

void BeamTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position());
    if (node >= 0) emit nodeFixed(node);
}

QString BeamTree::stateOf(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    if (it.fixed) return tr("fixed by you");
    if (it.best && it.end == BeamLanes::End::Finished) return tr("the end of the best hypothesis");
    if (it.best) return tr("in the best hypothesis");
    if (it.state == Node::State::Finished) return tr("finished");
    if (QString ending = endingOf(node); !ending.isEmpty()) return ending;
    if (m_lanes.isDropped(node, revealed())) return tr("dropped at word %1").arg(m_lanes.droppedAt(node));
    return tr("kept");
}

QString BeamTree::describe(int node) const {
    const Node& it = m_nodes[static_cast<size_t>(node)];
    return tr("Word %1: %2, %3, probability %4, %5")
        .arg(it.step)
        .arg(it.word, formatLogProb(it.cumulative), formatNumber(std::exp(it.logProb), 3), stateOf(node));
}

QString BeamTree::describe(const Mark& mark) const {
    const QString word = mark.parent < 0 ? m_start : m_nodes[static_cast<size_t>(mark.parent)].word;
    return mark.isOpen ? tr("Fold what came to nothing after “%1”").arg(word)
                       : tr("Show what came to nothing after “%1”: %n", nullptr, mark.count).arg(word);
}

std::vector<int> BeamTree::readingOrder() const {
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i)
        if (isDrawn(i)) order.push_back(i);
    std::ranges::stable_sort(
        order, {}, [this](int node) { return std::pair(rowOf(node), m_nodes[static_cast<size_t>(node)].step); });
    return order;
}

QString BeamTree::hintOf(int node, int mark) const {
    const auto of = [this](int at) -> const Node& { return m_nodes[static_cast<size_t>(at)]; };
    if (node >= 0)
        return tr("log P of “%1” here: %2. Double click to fix the words up to it.")
            .arg(of(node).word, formatPrecise(of(node).logProb));
    if (mark < 0) return {};
    const Mark& it = m_marks[static_cast<size_t>(mark)];
    if (it.isOpen) return tr("Click to fold them again.");
    QStringList words;
    bool areRuledOut = true;
    for (const int child : m_lanes.childrenOf(it.parent)) {
        if (rowOf(child) >= 0 || of(child).step > revealed()) continue;
        words << QStringLiteral("“%1” %2").arg(of(child).word, formatNumber(of(child).cumulative));
        areRuledOut = areRuledOut && of(child).state == Node::State::Excluded;
    }
    const QString all = words.join(QStringLiteral(", "));
    return areRuledOut ? tr("Ruled out by the word that you fixed: %1. Click to show them.").arg(all)
                       : tr("These came to nothing: %1. Click to show them.").arg(all);
}

/// The sentence that a node stands in: the way to it, and on along its row.
void BeamTree::light(int node) {
    std::set<int> lit;
    for (int at = node; at >= 0; at = m_nodes[static_cast<size_t>(at)].parent)
        lit.insert(at);
    for (int at = node; at >= 0; at = nextInRow(at))
        lit.insert(at);
    if (std::exchange(m_lit, lit) != lit) update();
}

void BeamTree::mouseMoveEvent(QMouseEvent* event) {
    const int node = nodeAt(event->position()), mark = node < 0 ? markAt(event->position()) : -1;
    setCursor(node >= 0 || mark >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(hintOf(node, mark));
    light(node >= 0 || mark >= 0 ? node : rowEndAt(event->position()));
}

void BeamTree::leaveEvent(QEvent*) {
    light(-1);
}

int BeamTree::neighbour(int direction) const {
    const int step = m_nodes[static_cast<size_t>(m_selected)].step;
    const int row = rowOf(m_selected);
    int found = -1;
    for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
        if (i == m_selected || !isDrawn(i) || m_nodes[static_cast<size_t>(i)].step != step) continue;
        const int distance = (rowOf(i) - row) * direction;
        if (distance <= 0) continue;
        if (found < 0 || distance < (rowOf(found) - row) * direction) found = i;
    }
    return found;
}

void BeamTree::keyPressEvent(QKeyEvent* event) {
    const auto firstChild = [this](int node) {
        for (const int child : m_lanes.childrenOf(node))
            if (isDrawn(child)) return child;
        return -1;
    };
    if (m_nodes.empty()) return QWidget::keyPressEvent(event);
    if (m_selected < 0) {
        if (event->key() == Qt::Key_Right) return choose(firstChild(-1));
        if (event->key() == Qt::Key_Space) return toggle(-1);
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
            return toggle(m_selected);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search/beam_tree_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <algorithm>
#include <map>
#include <utility>

#include "ui/widgets/search/beam_tree.h"

namespace headlight {
namespace {

/// A word of the tree, or the mark of what is folded after one. It has no QObject behind it; BeamTreeSpoken makes and
/// keeps it.
class BeamPart : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    enum class Kind { Word, Mark };
    BeamPart(BeamTree* tree, Kind kind, int node) : m_tree(tree), m_kind(kind), m_node(node) {}

    bool isValid() const override { return m_kind == Kind::Mark ? mark() != nullptr : m_tree->rowOf(m_node) >= 0; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_tree->window()->windowHandle(); }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_tree); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Name || !isValid()) return {};
        return m_kind == Kind::Mark ? m_tree->describe(*mark()) : m_tree->describe(m_node);
    }
    void setText(QAccessible::Text, const QString&) override {}
    QAccessible::Role role() const override {
        return m_kind == Kind::Mark ? QAccessible::Button : QAccessible::TreeItem;
    }
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect inside = (m_kind == Kind::Mark ? m_tree->markRect(*mark()) : m_tree->nodeRect(m_node)).toRect();
        return {m_tree->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (m_kind == Kind::Mark) {
            state.expandable = true;
            state.expanded = mark() && mark()->isOpen;
            state.collapsed = mark() && !mark()->isOpen;
            return state;
        }
        state.selectable = true;
        state.selected = m_tree->selected() == m_node;
        state.readOnly = true;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name != pressAction() || !isValid()) return;
        if (m_kind == Kind::Mark)
            m_tree->toggle(m_node);
        else
            m_tree->choose(m_node);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    std::pair<Kind, int> place() const { return {m_kind, m_node}; }

private:
    const BeamTree::Mark* mark() const {
        const auto& marks = m_tree->marks();
        const auto at = std::ranges::find(marks, m_node, &BeamTree::Mark::parent);
        return at == marks.end() ? nullptr : &*at;
    }

    BeamTree* m_tree;
    Kind m_kind;
    int m_node;  ///< of a mark the one that it hangs on, -1: the start
};

class BeamTreeSpoken : public QAccessibleWidget {
public:
    explicit BeamTreeSpoken(BeamTree* tree) : QAccessibleWidget(tree, QAccessible::Tree), m_tree(tree) {}
    ~BeamTreeSpoken() override {
        for (const auto& [place, id] : m_parts)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(places().size()); }
    QAccessibleInterface* child(int index) const override {
        const std::vector<Place> all = places();
        if (index < 0 || index >= static_cast<int>(all.size())) return nullptr;
        return part(all[static_cast<size_t>(index)]);
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (const Place& place : places())
            if (part(place)->rect().contains(x, y)) return part(place);
        return nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* found = dynamic_cast<const BeamPart*>(child);
        const std::vector<Place> all = places();
        const auto at = found ? std::ranges::find(all, found->place()) : all.end();
        return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }

private:
    using Place = std::pair<BeamPart::Kind, int>;

    /// Row by row, and behind the words what is folded.
    std::vector<Place> places() const {
        std::vector<Place> all;
        for (const int node : m_tree->readingOrder())
            all.emplace_back(BeamPart::Kind::Word, node);
        for (const BeamTree::Mark& mark : m_tree->marks())
            all.emplace_back(BeamPart::Kind::Mark, mark.parent);
        return all;
    }
    QAccessibleInterface* part(const Place& place) const {
        auto& id = m_parts[place];
        if (id == 0) id = QAccessible::registerAccessibleInterface(new BeamPart(m_tree, place.first, place.second));
        return QAccessible::accessibleInterface(id);
    }

    BeamTree* m_tree;
    mutable std::map<Place, QAccessible::Id> m_parts;
};

QAccessibleInterface* makeBeamInterface(const QString&, QObject* object) {
    auto* tree = qobject_cast<BeamTree*>(object);
    return tree ? new BeamTreeSpoken(tree) : nullptr;
}

}  // namespace

void installBeamTreeAccessibility() {
    QAccessible::installFactory(makeBeamInterface);  // Qt takes each once
}

}  // namespace headlight

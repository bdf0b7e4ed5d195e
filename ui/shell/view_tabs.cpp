// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_tabs.h"

#include <QMenu>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {
constexpr int kGap = 4;
}

QString tipOf(const Room::View& view) {
    return view.suits() ? view.question : ViewTabs::tr("The open model %1.").arg(view.whyNothing);
}

ViewTabs::ViewTabs(QWidget* parent)
    : QWidget(parent),
      m_tabs(new SegmentedControl({}, this)),
      m_more(new Button(Button::Kind::Plain, tr("More"), Icon::None, this)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_tabs->setLook(SegmentedControl::Look::Underlined);
    m_more->setHeight(28);
    m_more->hide();
    connect(m_tabs, &SegmentedControl::currentChanged, this,
            [this](int index) { emit chosen(m_all[static_cast<size_t>(index)].leadsTo); });
    connect(m_tabs, &SegmentedControl::clicked, this, &ViewTabs::clicked);
    connect(m_more, &Button::clicked, this, &ViewTabs::openMenu);
}

/// In the order of their first views.
std::vector<ViewTabs::Tab> ViewTabs::groupsOf(const std::vector<Room::View>& views) const {
    std::vector<Tab> groups;
    for (const Room::View& view : views) {
        auto group = std::ranges::find(groups, view.group, &Tab::title);
        if (group == groups.end())
            group = groups.insert(group, {view.group, view.title, false, view.name});
        else
            group->tip += QStringLiteral(", ") + view.title;
        const auto last = m_lastOf.find(view.group);
        const bool isLast = last != m_lastOf.end() && last->second == view.name;
        if (view.suits() && (!group->suits || isLast)) group->leadsTo = view.name;
        group->suits |= view.suits();
    }
    return groups;
}

void ViewTabs::setViews(const std::vector<Room::View>& views, ViewName current) {
    const QSignalBlocker quiet(m_tabs);  // the reader chooses a view with it, which is what brought us here
    const auto present = std::ranges::find(views, current, &Room::View::name);
    const bool hasGroups = !present->group.isEmpty();
    if (hasGroups) m_lastOf[present->group] = current;
    std::vector<Tab> all;
    if (hasGroups)
        all = groupsOf(views);
    else
        for (const Room::View& view : views)
            all.push_back({view.title, tipOf(view), view.suits(), view.name});
    // Not anew for the same ones: the tab that was clicked is still at it.
    if (!std::ranges::equal(all, m_all, {}, &Tab::title, &Tab::title)) {
        QStringList titles;
        for (const Tab& tab : all)
            titles << tab.title;
        m_tabs->setItems(titles);
    }
    m_all = all;
    for (size_t i = 0; i < m_all.size(); ++i)
        m_tabs->setItemPale(static_cast<int>(i), !m_all[i].suits, m_all[i].tip);
    m_tabs->setAccessibleName(hasGroups ? tr("Groups of views") : tr("Views of this room"));
    m_more->setToolTip(hasGroups ? tr("More groups of views") : tr("More views of this room"));
    const QString title = hasGroups ? present->group : present->title;
    m_current = static_cast<int>(std::ranges::find(m_all, title, &Tab::title) - m_all.begin());
    m_tabs->setCurrentIndex(m_current);
    setVisible(m_all.size() > 1);
    updateGeometry();
    share();
}

QStringList ViewTabs::inMenu() const {
    QStringList titles;
    for (size_t i = 0; i < m_all.size(); ++i)
        if (!m_tabs->isItemShown(static_cast<int>(i))) titles << m_all[i].title;
    return titles;
}

/// Of these tabs, with the menu where one is left out.
int ViewTabs::widthOf(const std::vector<bool>& shown) const {
    int width = m_tabs->frameWidth();
    for (int i = 0; i < static_cast<int>(shown.size()); ++i)
        if (shown[static_cast<size_t>(i)]) width += m_tabs->itemWidth(i);
    return width + (std::ranges::count(shown, false) ? kGap + m_more->sizeHint().width() : 0);
}

QSize ViewTabs::sizeHint() const {
    return {widthOf(std::vector<bool>(m_all.size(), true)), m_tabs->sizeHint().height()};
}

QSize ViewTabs::minimumSizeHint() const {
    std::vector<bool> alone(m_all.size(), false);
    if (!alone.empty()) alone[static_cast<size_t>(m_current)] = true;
    return {widthOf(alone), m_tabs->sizeHint().height()};
}

void ViewTabs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    share();
}

/// Pale ones go first. Those in front keep their place; the current one takes that of the last that has none.
void ViewTabs::share() {
    std::vector<bool> shown(m_all.size(), true);
    for (const bool suits : {false, true})
        for (int i = static_cast<int>(shown.size()) - 1; i >= 0 && widthOf(shown) > width(); --i)
            if (i != m_current && m_all[static_cast<size_t>(i)].suits == suits) shown[static_cast<size_t>(i)] = false;
    for (int i = 0; i < static_cast<int>(shown.size()); ++i)
        m_tabs->setItemShown(i, shown[static_cast<size_t>(i)]);
    const int height = m_tabs->sizeHint().height();
    const int wide = widthOf(shown);
    const bool leaves = std::ranges::count(shown, false) > 0;
    m_tabs->setGeometry(0, 0, wide - (leaves ? kGap + m_more->sizeHint().width() : 0), height);
    m_more->setVisible(leaves);
    m_more->setGeometry(wide - m_more->sizeHint().width(), (height - 28) / 2, m_more->sizeHint().width(), 28);
}

void ViewTabs::openMenu() {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    for (size_t i = 0; i < m_all.size(); ++i) {
        if (m_tabs->isItemShown(static_cast<int>(i))) continue;
        const Tab& tab = m_all[i];
        QAction* const way = menu.addAction(tab.title, this, [this, name = tab.leadsTo] { emit chosen(name); });
        way->setToolTip(tab.tip);
    }
    menu.exec(m_more->mapToGlobal(QPoint(0, m_more->height() + 2)));
}

}  // namespace headlight

#include "moc_view_tabs.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_tabs.h"

#include <QMenu>
#include <QSignalBlocker>
#include <algorithm>
#include <iterator>

#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {
constexpr int kGap = 4;
}

ViewTabs::ViewTabs(QWidget* parent)
    : QWidget(parent),
      m_tabs(new SegmentedControl({}, this)),
      m_more(new Button(Button::Kind::Plain, tr("More"), Icon::None, this)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_tabs->setAccessibleName(tr("Views of this room"));
    m_more->setHeight(28);
    m_more->setToolTip(tr("Further views of this room"));
    m_more->hide();
    connect(m_tabs, &SegmentedControl::currentChanged, this,
            [this](int index) { emit chosen(m_views[static_cast<size_t>(index)].name); });
    connect(m_more, &Button::clicked, this, &ViewTabs::openMenu);
}

void ViewTabs::setViews(const std::vector<Room::View>& views, ViewName current) {
    const QSignalBlocker quiet(m_tabs);  // the reader chooses a view with it, which is what brought us here
    // Not anew for the same views: the segment that was clicked is still at it.
    if (!std::ranges::equal(views, m_views, {}, &Room::View::name, &Room::View::name)) {
        QStringList titles;
        std::ranges::transform(views, std::back_inserter(titles), &Room::View::title);
        m_tabs->setItems(titles);
    }
    m_views = views;
    m_current = static_cast<int>(std::ranges::find(views, current, &Room::View::name) - views.begin());
    m_tabs->setCurrentIndex(m_current);
    setVisible(views.size() > 1);
    updateGeometry();
    share();
}

QStringList ViewTabs::inMenu() const {
    QStringList titles;
    for (const bool suits : {true, false})
        for (size_t i = 0; i < m_views.size(); ++i)
            if (m_views[i].suits() == suits && !m_tabs->isItemShown(static_cast<int>(i))) titles << m_views[i].title;
    return titles;
}

/// Which have something to show, and the current one.
std::vector<bool> ViewTabs::suited() const {
    std::vector<bool> shown(m_views.size());
    for (size_t i = 0; i < m_views.size(); ++i)
        shown[i] = static_cast<int>(i) == m_current || m_views[i].suits();
    return shown;
}

/// Of these tabs, with the menu where one is left out.
int ViewTabs::widthOf(const std::vector<bool>& shown) const {
    int width = m_tabs->frameWidth();
    for (int i = 0; i < static_cast<int>(shown.size()); ++i)
        if (shown[static_cast<size_t>(i)]) width += m_tabs->itemWidth(i);
    return width + (std::ranges::count(shown, false) ? kGap + m_more->sizeHint().width() : 0);
}

QSize ViewTabs::sizeHint() const {
    return {widthOf(suited()), m_tabs->sizeHint().height()};
}

QSize ViewTabs::minimumSizeHint() const {
    std::vector<bool> alone(m_views.size(), false);
    if (!alone.empty()) alone[static_cast<size_t>(m_current)] = true;
    return {widthOf(alone), m_tabs->sizeHint().height()};
}

void ViewTabs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    share();
}

/// Those in front keep their place; the current one takes that of the last that has none.
void ViewTabs::share() {
    std::vector<bool> shown = suited();
    for (int i = static_cast<int>(shown.size()) - 1; i >= 0 && widthOf(shown) > width(); --i)
        if (i != m_current) shown[static_cast<size_t>(i)] = false;
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
    bool separated = false;
    for (const bool suits : {true, false})
        for (size_t i = 0; i < m_views.size(); ++i) {
            if (m_views[i].suits() != suits || m_tabs->isItemShown(static_cast<int>(i))) continue;
            if (!suits && !separated) {
                menu.addSection(tr("Of other models"));
                separated = true;
            }
            const Room::View& view = m_views[i];
            QAction* const way = menu.addAction(view.title, this, [this, name = view.name] { emit chosen(name); });
            way->setToolTip(view.suits() ? view.question : tr("The open model %1.").arg(view.whyNothing));
        }
    menu.exec(m_more->mapToGlobal(QPoint(0, m_more->height() + 2)));
}

}  // namespace headlight

#include "moc_view_tabs.cpp"

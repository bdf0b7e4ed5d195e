// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_group.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>
#include <iterator>

#include "ui/shell/view_tabs.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

ViewGroup::ViewGroup(QWidget* parent)
    : Panel(Qt::BottomEdge, parent),
      m_tabs(new SegmentedControl({}, this)),
      m_question(new FittingCaption(13, QFont::Normal, Caption::Tone::Secondary, this)) {
    setHoldsControls();
    setPanelName("views");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 2, 20, 0);
    row->setSpacing(20);
    row->addWidget(m_tabs);
    row->addWidget(m_question, 1);
    m_tabs->setAccessibleName(tr("Views of this group"));
    connect(m_tabs, &SegmentedControl::currentChanged, this,
            [this](int index) { emit chosen(m_views[static_cast<size_t>(index)].name); });
}

void ViewGroup::setViews(const std::vector<Room::View>& views, ViewName current) {
    const bool hadFocus = m_tabs->isAncestorOf(QApplication::focusWidget());
    const QSignalBlocker quiet(m_tabs);  // the reader chooses a view with it, which is what brought us here
    const QString group = std::ranges::find(views, current, &Room::View::name)->group;
    std::vector<Room::View> mine;
    std::ranges::copy_if(views, std::back_inserter(mine), [&](const auto& view) { return view.group == group; });
    // Not anew for the same views: the segment that was clicked is still at it.
    if (!std::ranges::equal(mine, m_views, {}, &Room::View::name, &Room::View::name)) {
        QStringList titles;
        std::ranges::transform(mine, std::back_inserter(titles), &Room::View::title);
        m_tabs->setItems(titles);
    }
    m_views = mine;
    for (size_t i = 0; i < mine.size(); ++i)
        m_tabs->setItemPale(static_cast<int>(i), !mine[i].suits(), tipOf(mine[i]));
    const auto present = std::ranges::find(m_views, current, &Room::View::name);
    m_tabs->setCurrentIndex(static_cast<int>(present - m_views.begin()));
    for (QAbstractButton* tab : m_tabs->findChildren<QAbstractButton*>())
        if (hadFocus && tab->isChecked()) tab->setFocus();
    m_question->setTexts({present->question});
}

QString ViewGroup::question() const {
    return m_question->whole();
}

/// The ground of the page, on which the panels of the view stand.
void ViewGroup::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(event->rect(), Theme::of(this).bg);
}

}  // namespace headlight

#include "moc_view_group.cpp"

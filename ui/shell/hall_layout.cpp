// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/hall_layout.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScrollArea>
#include <algorithm>
#include <utility>

#include "ui/shell/hall_figures.h"
#include "ui/views/hall_figure.h"

namespace headlight {

namespace {

/// What it can be laid out in.
QSize leastOf(const QWidget& figure) {
    return figure.minimumSizeHint().expandedTo(figure.minimumSize());
}

/// What it is scrolled in; null: nothing.
QScrollArea* scrollerOf(const QWidget& figure, const QWidget& view) {
    for (QWidget* at = figure.parentWidget(); at && at != &view; at = at->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(at)) return area;
    return nullptr;
}

bool fits(const QSize& least, const QSize& most) {
    return least.width() <= most.width() && least.height() <= most.height();
}

}  // namespace

void HallLayout::show(QWidget* view, Which which, size_t figure, QSizeF room, double unit) {
    release();
    m_view = view;
    m_which = which;
    m_wanted = figure;
    m_room = room;
    m_unit = unit;
    m_figures.clear();
    m_figure = view;
    if (!view) return;
    // Figures are chosen among those that the window shows, whatever was on the projector before.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    for (QWidget* each : figuresOf(*view))
        m_figures.emplace_back(each);
    if (which == Which::Matters || which == Which::Largest) {
        if (QWidget* const matters = figureThatMatters(*view, which == Which::Largest ? 0 : kMostOfView))
            m_figure = matters;
    } else if (which == Which::Figure && figure < m_figures.size()) {
        m_figure = m_figures[figure];
    }
    if (which != Which::Whole) {
        // Of what cannot be laid out in there a part is shown, as far as it scrolls.
        QScrollArea* const scroller =
            dynamic_cast<HallFigure*>(m_figure.data()) ? nullptr : scrollerOf(*m_figure, *view);
        if (scroller && !fits(leastOf(*m_figure), roomFor())) m_figure = scroller;
        lay(*m_figure);
    }
    m_isNew = true;
}

double HallLayout::needed() const {
    const auto* const own = dynamic_cast<const HallFigure*>(m_figure.data());
    return kLeastLetters / (own ? own->smallestLetters() : kSmallestLetters);
}

QSize HallLayout::roomFor() const {
    return (m_room / (needed() * m_unit)).toSize();
}

void HallLayout::lay(QWidget& figure) {
    if (auto* own = dynamic_cast<HallFigure*>(&figure)) own->setInHall(true);
    const QSize most = roomFor().expandedTo(leastOf(figure));
    m_before = figure.maximumSize();
    figure.setMaximumSize(most.boundedTo(m_before));
}

void HallLayout::release() {
    if (m_figure && m_before.isValid()) {
        m_figure->setMaximumSize(m_before);
        if (auto* own = dynamic_cast<HallFigure*>(m_figure.data())) own->setInHall(false);
    }
    m_before = {};
}

HallLayout::Seen HallLayout::seen() const {
    Seen seen{figuresOf(*m_view), nullptr, m_figure ? leastOf(*m_figure) : QSize()};
    for (QWidget* each : seen.figures)
        if (!seen.kept && hasKeptCell(*each, *m_view)) seen.kept = each;
    return seen;
}

double HallLayout::most(QSizeF room) const {
    if (!m_figure || !m_before.isValid()) return 0;
    const QSize least = leastOf(*m_figure);
    return std::min({needed() * m_unit, room.width() / least.width(), room.height() / least.height()});
}

void HallLayout::follow() {
    if (!m_view) return;
    Seen now = seen();
    // What was laid out is settled by now.
    if (std::exchange(m_isNew, false)) m_seen = now;
    const bool isGone = !m_figure || (m_figure != m_view && !m_figure->isVisibleTo(m_view));
    if (now == m_seen && !isGone) return;
    show(m_view, m_which, m_wanted, m_room, m_unit);
}

}  // namespace headlight

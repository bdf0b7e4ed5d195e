// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/hall_figures.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

constexpr QSize kLeast{120, 80};      ///< what is smaller is a line of words or a switch
constexpr double kLeastPicture = .3;  ///< of the view, what is no card
constexpr double kPart = .6;          ///< of a figure, what is nothing but its matrix
constexpr double kAll = .9;           ///< of the view, what takes all of it

double areaOf(const QWidget& widget) {
    return static_cast<double>(widget.width()) * widget.height();
}

bool isSeen(const QWidget& widget, const QWidget& view) {
    return widget.isVisibleTo(&view) && widget.width() >= kLeast.width() && widget.height() >= kLeast.height();
}

/// A card in a card is a part of it.
bool isOutermost(const QWidget& card, const QWidget& view) {
    for (const QWidget* at = card.parentWidget(); at && at != &view; at = at->parentWidget())
        if (qobject_cast<const Card*>(at)) return false;
    return true;
}

/// Nothing of its own is painted by it.
bool isHolder(const QWidget& widget) {
    return widget.metaObject() == &QWidget::staticMetaObject || qobject_cast<const QStackedWidget*>(&widget) ||
           qobject_cast<const QScrollArea*>(&widget);
}

/// The large pictures in a widget that are no cards. What holds some is none itself, but for a list that scrolls.
std::vector<QWidget*> picturesIn(const QWidget& holder, const QWidget& view, const std::vector<QWidget*>& cards) {
    std::vector<QWidget*> pictures;
    for (QWidget* child : holder.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!isSeen(*child, view) || areaOf(*child) < kLeastPicture * areaOf(view) || std::ranges::count(cards, child))
            continue;
        const bool hasCards =
            std::ranges::any_of(cards, [child](const auto* card) { return child->isAncestorOf(card); });
        std::vector<QWidget*> inner;
        if (hasCards || isHolder(*child)) inner = picturesIn(*child, view, cards);
        // Of holders in one another, in which there is nothing large, the outermost one.
        const bool isEmpty = inner.empty() || (inner.size() == 1 && isHolder(*inner.front()));
        if (isEmpty && !hasCards) inner = {child};
        pictures.insert(pictures.end(), inner.begin(), inner.end());
    }
    return pictures;
}

}  // namespace

bool hasKeptCell(const QWidget& figure, const QWidget& view) {
    const auto isKept = [&view](const MatrixView* matrix) {
        return matrix->isVisibleTo(&view) && matrix->locked().valid();
    };
    const auto* itself = qobject_cast<const MatrixView*>(&figure);
    return (itself && isKept(itself)) || std::ranges::any_of(figure.findChildren<MatrixView*>(), isKept);
}

std::vector<QWidget*> figuresOf(const QWidget& view) {
    std::vector<QWidget*> figures;
    for (Card* card : view.findChildren<Card*>())
        if (isSeen(*card, view) && isOutermost(*card, view)) figures.push_back(card);
    const std::vector<QWidget*> pictures = picturesIn(view, view, figures);
    figures.insert(figures.end(), pictures.begin(), pictures.end());
    // Of a picture of several matrices each can be shown alone.
    const std::vector<QWidget*> whole = figures;
    for (MatrixView* matrix : view.findChildren<MatrixView*>())
        if (isSeen(*matrix, view) && std::ranges::none_of(whole, [matrix](const QWidget* figure) {
                return figure == matrix || (figure->isAncestorOf(matrix) && areaOf(*matrix) > kPart * areaOf(*figure));
            }))
            figures.push_back(matrix);
    const auto corner = [&view](const QWidget* figure) { return figure->mapTo(&view, QPoint()); };
    std::ranges::sort(figures, [&corner](const QWidget* a, const QWidget* b) {
        const QPoint one = corner(a), other = corner(b);
        return std::pair(one.y(), one.x()) < std::pair(other.y(), other.x());
    });
    // What is larger than the view is scrolled in a part of it.
    const auto isAll = [&view](const QWidget& figure) {
        return areaOf(figure) > kAll * areaOf(view) && figure.height() <= view.height() &&
               figure.width() <= view.width();
    };
    if (figures.size() == 1 && isAll(*figures.front())) figures.clear();
    return figures;
}

QWidget* figureThatMatters(const QWidget& view, double part) {
    const std::vector<QWidget*> figures = figuresOf(view);
    // A matrix alone lacks the words around it: that is for the reader to ask for.
    const auto kept = std::ranges::find_if(figures, [&view](const QWidget* each) {
        return !qobject_cast<const MatrixView*>(each) && hasKeptCell(*each, view);
    });
    if (kept != figures.end()) return *kept;
    const auto largest = std::ranges::max_element(figures, {}, [](const QWidget* each) { return areaOf(*each); });
    return largest != figures.end() && areaOf(**largest) >= part * areaOf(view) ? *largest : nullptr;
}

}  // namespace headlight

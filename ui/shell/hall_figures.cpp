// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/hall_figures.h"

#include <algorithm>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

constexpr QSize kLeast{120, 80};      ///< what is smaller is a line of words or a switch
constexpr double kLeastPicture = .3;  ///< of the view, what is no card
constexpr double kMost = .4;          ///< of the view, what takes most of it
constexpr double kPart = .6;          ///< of a figure, what is nothing but its matrix
constexpr double kAll = .9;           ///< of the view, what takes all of it

double areaOf(const QWidget& widget) {
    return static_cast<double>(widget.width()) * widget.height();
}

/// A card in a card is a part of it.
bool isOutermost(const QWidget& card, const QWidget& view) {
    for (const QWidget* at = card.parentWidget(); at && at != &view; at = at->parentWidget())
        if (qobject_cast<const Card*>(at)) return false;
    return true;
}

bool hasKeptCell(const QWidget& figure, const QWidget& view) {
    const auto isKept = [&view](const MatrixView* matrix) {
        return matrix->isVisibleTo(&view) && matrix->locked().valid();
    };
    const auto* itself = qobject_cast<const MatrixView*>(&figure);
    return (itself && isKept(itself)) || std::ranges::any_of(figure.findChildren<MatrixView*>(), isKept);
}

}  // namespace

std::vector<QWidget*> figuresOf(const QWidget& view) {
    const auto isSeen = [&view](const QWidget* widget) {
        return widget->isVisibleTo(&view) && widget->width() >= kLeast.width() && widget->height() >= kLeast.height();
    };
    std::vector<QWidget*> figures;
    for (Card* card : view.findChildren<Card*>())
        if (isSeen(card) && isOutermost(*card, view)) figures.push_back(card);
    // What holds all the others is no figure of its own, but what is in it.
    const QWidget* holder = figures.empty() ? &view : nullptr;
    while (holder) {
        figures.clear();
        for (QWidget* child : holder->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (isSeen(child) && areaOf(*child) >= kLeastPicture * areaOf(view)) figures.push_back(child);
        holder = figures.size() == 1 && areaOf(*figures.front()) > kAll * areaOf(view) ? figures.front() : nullptr;
    }
    // Of a picture of several matrices each can be shown alone.
    const std::vector<QWidget*> whole = figures;
    for (MatrixView* matrix : view.findChildren<MatrixView*>())
        if (isSeen(matrix) && std::ranges::none_of(whole, [matrix](const QWidget* figure) {
                return figure == matrix || (figure->isAncestorOf(matrix) && areaOf(*matrix) > kPart * areaOf(*figure));
            }))
            figures.push_back(matrix);
    const auto corner = [&view](const QWidget* figure) { return figure->mapTo(&view, QPoint()); };
    std::ranges::sort(figures, [&corner](const QWidget* a, const QWidget* b) {
        const QPoint one = corner(a), other = corner(b);
        return std::pair(one.y(), one.x()) < std::pair(other.y(), other.x());
    });
    if (figures.size() == 1 && areaOf(*figures.front()) > kAll * areaOf(view)) figures.clear();
    return figures;
}

QWidget* figureThatMatters(const QWidget& view) {
    const std::vector<QWidget*> figures = figuresOf(view);
    // A matrix alone lacks the words around it: that is for the reader to ask for.
    const auto kept = std::ranges::find_if(figures, [&view](const QWidget* each) {
        return !qobject_cast<const MatrixView*>(each) && hasKeptCell(*each, view);
    });
    if (kept != figures.end()) return *kept;
    const auto largest = std::ranges::max_element(figures, {}, [](const QWidget* each) { return areaOf(*each); });
    return largest != figures.end() && areaOf(**largest) >= kMost * areaOf(view) ? *largest : nullptr;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of two readings, from their numbers.
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/divergence.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/compare/compare_view.h"

namespace headlight {

/// From the numbers of the picture: where B leaves A, where it is furthest from it, and how near it comes again.
QString CompareView::whereTheyPart(const std::vector<Divergence>& all) const {
    const auto parts = std::ranges::find_if(all, [](const Divergence& each) { return each.whole > 0; });
    const bool none = std::ranges::all_of(all, [](const Divergence& each) { return std::isnan(each.whole); });
    if (none) return tr("Nothing in B has the shape of anything in A: they are other models.");
    if (parts == all.end()) return tr("A and B agree in every number.");
    const Divergence* furthest = &*parts;
    for (const Divergence& each : all)
        if (each.whole > furthest->whole) furthest = &each;
    const auto named = [](const Divergence& at) {
        const Module& module = at.value->owner();
        const bool isSum = at.value->part == Part::Residual;
        const QString title = module.kind == ModuleKind::Result ? valueTitle(*at.value)
                              : isSum ? tr("%1, %2").arg(placeTitle(module.place), valueTitle(*at.value).toLower())
                                      : moduleTitle(module);
        return tr("%1, %2").arg(title, formatPercent(at.whole, 0));
    };
    QString text = furthest == &*parts
                       ? tr("First apart, and furthest: %1.").arg(named(*parts))
                       : tr("First apart: %1. Furthest, over all words: %2.").arg(named(*parts), named(*furthest));
    if (const Divergence& last = all.back(); !std::isnan(last.whole))
        text += tr(" At the end: %1.").arg(formatPercent(last.whole, 0));
    const auto isLeftOut = [](const Divergence& each) {
        return std::ranges::any_of(each.rows, [](double apart) { return std::isnan(apart); });
    };
    if (std::ranges::any_of(all, isLeftOut)) text += tr(" Hatched: B reads other words there, or has no such value.");
    return text;
}

/// The chosen word's logits beside those of all others.
QString CompareView::whatOfTheWord() const {
    const int row = fedRow();
    if (row < 0 || !m_fedWords[static_cast<size_t>(row)].apart) return {};
    double most = 0;
    int others = 0;
    for (int each = 0; each < std::ssize(m_fedWords); ++each)
        if (const auto& apart = m_fedWords[static_cast<size_t>(each)].apart; apart && each != row) {
            most = std::max(most, *apart);
            ++others;
        }
    const FedWord& word = m_fedWords[static_cast<size_t>(row)];
    if (*word.apart == 0 && most == 0) return {};
    const QString own = word.fed.isEmpty()
                            ? tr(" The logits are %1 apart").arg(formatPercent(*word.apart, 0))
                            : tr(" After “%1” the logits are %2 apart").arg(word.fed, formatPercent(*word.apart, 0));
    return others > 0 ? own + tr(", elsewhere %1 at most.").arg(formatPercent(most, 0)) : own + u'.';
}

QString CompareView::where() const {
    return m_where->text();
}

}  // namespace headlight

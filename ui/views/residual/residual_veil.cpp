// SPDX-License-Identifier: GPL-3.0-or-later
// What of a word's vectors a lesson hides until the reader has predicted it.
#include <QStackedLayout>
#include <algorithm>
#include <utility>

#include "ui/views/residual/residual_view.h"
#include "ui/widgets/words/word_chips.h"

namespace headlight {

void ResidualView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    if (m_pages->currentIndex() == Room) showAll();
}

void ResidualView::hideVeiled(const StreamSublayer& sublayer) {
    using RowRole = StreamProfile::Role;
    const std::pair<RowRole, const std::string&> rows[] = {
        {RowRole::X, sublayer.x}, {RowRole::F, sublayer.f}, {RowRole::R, sublayer.sum}, {RowRole::Y, sublayer.norm}};
    for (const auto& [role, name] : rows)
        for (int unit = 0; !m_veiled.empty() && unit < m_shown->width(); ++unit)
            if (isAmong(m_veiled, {name, {row() + 1, unit + 1}})) m_shown->hide(role, unit);
}

std::vector<char> ResidualView::hiddenOfNormed(const StreamSublayer& sublayer) const {
    if (m_veiled.empty()) return {};
    // A sum tells its summands, so that it is hidden with one of them.
    std::vector<std::string> names{sublayer.x};
    if (m_shown->order() != NormOrder::Pre) names = {sublayer.f, sublayer.sum};
    if (m_shown->order() != NormOrder::Pre && m_shown->hasResidual()) names.push_back(sublayer.x);
    std::vector<char> hidden;
    for (int word = 1; word <= static_cast<int>(m_words->words().size()); ++word)
        for (int unit = 1; unit <= m_shown->width(); ++unit)
            hidden.push_back(std::ranges::any_of(names,
                                                 [&](const std::string& name) {
                                                     return isAmong(m_veiled, {name, {word, unit}});
                                                 })
                                 ? 1
                                 : 0);
    return hidden;
}

}  // namespace headlight

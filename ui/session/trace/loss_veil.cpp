// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/loss_veil.h"

#include <algorithm>
#include <utility>

namespace headlight {

LossVeil::LossVeil(std::vector<NumberName> veiled, const std::vector<WordCost>& costs) : m_veiled(std::move(veiled)) {
    for (const WordCost& cost : costs)
        m_places.push_back({cost.position, cost.target});
    m_hidesMean = hides({"sentence_loss", "perplexity"}, {1, 1}) || hides({"sentence_loss"}, {1, 2});
    for (int index = 0; index < static_cast<int>(m_places.size()); ++index)
        m_hidesMean = m_hidesMean || hidesCost(index);
}

bool LossVeil::hides(std::initializer_list<const char*> names, const std::vector<int>& at) const {
    return std::ranges::any_of(m_veiled, [&](const NumberName& part) {
        return std::ranges::any_of(names, [&](const char* name) { return isPartOf({name, at}, part); });
    });
}

bool LossVeil::hidesLogit(int index, int word) const {
    return !m_veiled.empty() && hides({"logits"}, {row(index) + 1, word + 1});
}

bool LossVeil::hidesShare(int index, int word) const {
    if (m_veiled.empty()) return false;
    const bool isTarget = word == m_places[static_cast<size_t>(index)].target;
    return hides({"logits", "log_probs", "probabilities"}, {row(index) + 1, word + 1}) ||
           (isTarget && hides({"word_probs"}, {index + 1, 1}));
}

bool LossVeil::hidesCost(int index) const {
    if (m_veiled.empty()) return false;
    return hides({"word_losses"}, {index + 1, 1}) || hides({"word_losses"}, {index + 1, 2}) ||
           hidesShare(index, m_places[static_cast<size_t>(index)].target);
}

}  // namespace headlight

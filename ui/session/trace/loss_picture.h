// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/experiment/loss_of_words.h"
#include "ui/session/trace/loss_veil.h"
#include "ui/session/trace/word_behind.h"

namespace headlight {

/// What each target word of a reading costs, and the words for it. Words count from 0.
class LossPicture {
public:
    static constexpr int likely = 4;  ///< words that are kept of each place

    /// `label`: of a classifier the one that is taken to be true; one that it does not know stands for its own answer.
    /// `wanted` is asked on the way whether to go on. Throws Error for a trace without logits.
    LossPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace, const QString& label,
                const std::function<bool()>& wanted = {});

    bool isTranslator() const { return m_model->network->config().encoderDecoder(); }
    bool isClassifier() const { return !m_model->network->config().saysWords(); }
    const std::vector<WordCost>& costs() const { return m_costs; }
    int words() const { return static_cast<int>(m_costs.size()); }
    int vocabulary() const { return m_costs.empty() ? 0 : m_costs.front().vocabulary; }

    /// The word or label that this logit is for, as it is shown.
    QString word(int id) const;
    /// The same behind what the model has read when it says the word of this place.
    QString word(int index, int id) const;
    QString target(int index) const { return word(index, m_costs[static_cast<size_t>(index)].target); }
    /// What the model has read of the target when it says this word; empty where nothing stands before.
    QString before(int index) const;
    WordLoss open(int index, double smoothing) const;
    /// The target with another word at this place: of a translation the sentence, which ends there where the word is
    /// <eos>; of a classifier the label. Nothing where the target is not to be chosen, or would be empty.
    std::optional<QString> with(int index, int word) const;

private:
    /// The word of the target vocabulary that the first logit is for.
    int first() const { return isClassifier() ? m_model->network->config().firstLabel() : 0; }

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::vector<WordCost> m_costs;
    mutable WordsBehind m_words;
};

/// All that the parts of the loss view draw.
struct LossShown {
    std::shared_ptr<const LossPicture> picture;
    std::vector<WordCost> costs;  ///< the chosen word's as the steps down the gradient left it
    int chosen = 0;               ///< from 0
    double smoothing = 0;
    int steps = 0;        ///< taken down the gradient of the chosen word
    WordLoss start, now;  ///< the chosen word before the steps, and after them or on the way
    LossVeil veil = {};

    const WordCost& cost() const { return costs[static_cast<size_t>(chosen)]; }
};

}  // namespace headlight

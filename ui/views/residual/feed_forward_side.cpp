// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the feed-forward network: the chosen unit, the words that it promotes, where it fires, and what
// becomes of a word without it.
#include <QLabel>
#include <algorithm>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/views/residual/feed_forward_view.h"
#include "ui/views/residual/units/activation_curve.h"
#include "ui/views/residual/units/unit_contexts.h"
#include "ui/views/residual/units/unit_word_bars.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/hidden_area.h"

namespace headlight {

void FeedForwardView::showSide() {
    m_unitTitle->setText(tr("Unit %1").arg(unit() + 1));
    m_unitOf->setText(tr("of %1, at “%2”").arg(m_picture->units()).arg(m_picture->words().value(word())));
    m_unitOf->setToolTip(m_unitOf->text());
    m_curve->setPicture(m_picture, word(), unit());
    showWords();
    showFiring();
    showEffect();
}

void FeedForwardView::showWords() {
    const std::vector<double> all = unitWords(*m_model, *m_trace, m_picture->layer(), unit());
    m_rowOf->setText(tr("row %1 of <i>W</i><sub>2</sub>").arg(unit() + 1));
    m_rowOf->setToolTip(tr("Row %1 of W₂, times the scales of the norms on its way, against the output layer, less the "
                           "mean over all words. What later sublayers make of it is left out.")
                            .arg(unit() + 1));
    m_rowOf->setVisible(!all.empty());
    m_promoted->setVisible(!all.empty());
    m_noWords->setVisible(all.empty());
    const ModelConfig& config = m_model->network->config();
    m_noWords->setText(config.headless() ? tr("This model has no head that says words.")
                       : config.encoderDecoder() && m_picture->layer().stack == Stack::Encoder
                           ? tr("A unit of the encoder reaches the words through cross-attention alone: it names none "
                                "by itself.")
                           : tr("Another map with an activation stands between this unit and the words: it names none "
                                "by itself."));
    if (all.empty()) return;
    std::vector<size_t> order(all.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&](size_t a, size_t b) { return all[a] > all[b]; });
    const auto said = m_picture->said(word());
    std::vector<UnitWordBars::Bar> bars;
    // The ends alone are shown: a vocabulary may be large.
    constexpr size_t kEnd = 12;
    for (size_t i = 0; i < order.size(); ++i) {
        if (i >= kEnd && i + kEnd < order.size()) continue;
        const auto id = static_cast<int>(order[i]);
        bars.push_back({m_picture->outputWord(id), all[order[i]], said && said->id == id});
    }
    m_promoted->setBars(std::move(bars));
}

void FeedForwardView::showFiring() {
    const bool known = m_survey && m_surveyed == layerIndex();
    // The sentence that is read may be one of the test set.
    bool hides = false;
    for (int row = 0; row < static_cast<int>(m_picture->words().size()); ++row)
        hides = hides || m_picture->isActiveHidden(row, unit());
    m_contexts->setSurvey(known ? m_survey : nullptr, unit(), m_picture->most(),
                          hides ? m_picture->words() : QStringList());
    const bool isMissing = !m_missingText->text().isEmpty();
    m_contexts->setVisible(!isMissing);
    m_missingText->setVisible(isMissing);
    m_firing->setText(isMissing ? QString()
                      : known   ? tr("%1 of %2 test words")
                                    .arg(formatCount(m_survey->fired(unit())),
                                         formatCount(static_cast<qint64>(m_survey->words.size())))
                              : tr("reading test sentences …"));
    m_firing->setToolTip(m_firing->text());
}

void FeedForwardView::showEffect() {
    const bool isKnown = m_without && m_withoutUnit == unit() && m_withoutLayer == layerIndex();
    m_mute->setText(m_unitMuted ? tr("Unmute unit %1").arg(unit() + 1) : tr("Mute unit %1").arg(unit() + 1));
    m_mute->setIcon(m_unitMuted ? Icon::Sound : Icon::Mute);
    m_mute->updateGeometry();
    const auto effect = isKnown ? m_picture->effect(word(), *m_without) : std::nullopt;
    m_effectOf->setText(effect ? tr("p(%1)").arg(effect->of) : QString());
    m_effect->setText(isUnitHidden() ? HiddenArea::mark()
                      : effect ? tr("%1 → %2").arg(formatNumber(effect->before, 3), formatNumber(effect->after, 3))
                               : QString());
    m_effect->setToolTip(tr("With the unit, and without it"));
}

}  // namespace headlight

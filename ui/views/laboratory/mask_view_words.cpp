// SPDX-License-Identifier: GPL-3.0-or-later
// What the mask laboratory says of what it shows.
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

/// A mask that closes nothing says why.
void MaskView::sayMasks() {
    const bool two = hasTwoStacks();
    m_paddingSays->setText(two ? tr("closes columns with no word") : tr("none: one sentence is not padded"));
    if (isCausal())
        return m_causalSays->setTexts(
            {slidingWindow() == 0 ? tr("closes words not written yet")
                                  : tr("closes words not written yet, and all but the last %1").arg(slidingWindow())});
    m_causalSays->setTexts(
        {tr("none: every word may look at every word"), tr("none: all may look at all"), tr("none")});
    m_subtitle->setText(m_subtitle->text() + u' ' +
                        (two ? tr("The encoder has no causal mask: every word may look at every word.")
                             : tr("This model has no causal mask: every word may look at every word.")));
}

/// Beside the words there is room for the sums of a short sentence only.
void MaskView::saySums(const std::vector<double>& sums) {
    const auto [low, high] = std::ranges::minmax(sums);
    const QString least = formatNumber(low, 3), most = formatNumber(high, 3);
    m_sums->setText(std::ranges::any_of(sums, [](double sum) { return std::isnan(sum); })
                        ? tr("Σ of a row: not always a number")
                    : least == most ? tr("Σ of each row: %1").arg(least)
                                    : tr("Σ of a row: %1 … %2").arg(least, most));
}

void MaskView::showBanner() {
    int opened = 0, closed = 0, row = -1, column = -1;
    for (int i = 0; i < m_length * m_length; ++i) {
        const size_t at = static_cast<size_t>(i);
        if (m_blocked[at] == m_original[at]) continue;
        (m_blocked[at] ? closed : opened) += 1;
        if (!m_blocked[at]) {
            row = i / m_length;
            column = i % m_length;
        }
    }
    m_banner->setVisible(opened + closed > 0);
    if (opened == 0)
        return m_bannerText->setText(plural(tr("%n cell(s) closed that should be open.", nullptr, closed), closed));
    const double weight = static_cast<double>(m_weights->data().value(row, column));
    const QString who = m_tokens.value(row), what = m_tokens.value(column);
    const QString told = column >= m_words ? tr("“%1” now looks at padding: %2 of its weight goes to nothing.")
                         : column < row
                             ? tr("“%1” can now see “%3”, which lies before its window. It takes %2 of the row.")
                             : tr("“%1” can now see “%3”, which is written later. It takes %2 of the row, and training "
                                  "would learn to copy it.");
    const QString share = unbrokenPercents(formatPercent(weight, 0));
    m_bannerText->setText(column >= m_words ? told.arg(who, share) : told.arg(who, share, what));
}

}  // namespace headlight

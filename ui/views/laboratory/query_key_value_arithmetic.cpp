// SPDX-License-Identifier: GPL-3.0-or-later
// Of a cell of the scores, weights and output the sum that it came from.
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"

namespace headlight {

namespace {

std::vector<double> part(const std::vector<float>& numbers, int first, int step, int count) {
    std::vector<double> result;
    result.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
        result.push_back(static_cast<double>(
            numbers[static_cast<size_t>(first) + static_cast<size_t>(i) * static_cast<size_t>(step)]));
    return result;
}

}  // namespace

/// .30×.40 + .50×.50 + … of at most six terms.
QString QueryKeyValueView::sumOf(const std::vector<double>& left, const std::vector<double>& right) const {
    constexpr size_t most = 6;
    QStringList terms;
    for (size_t i = 0; i < std::min(left.size(), most); ++i)
        terms << QStringLiteral("%1×%2").arg(formatNumber(left[i]), formatNumber(right[i]));
    if (left.size() > most) terms << QStringLiteral("…");
    return terms.join(QStringLiteral(" + "));
}

void QueryKeyValueView::showArithmetic() {
    const MatrixData& shown = m_matrices[m_pointed]->data();
    const auto value = static_cast<double>(shown.value(m_row, m_column));
    const int width = m_input.width, keys = m_input.keys;
    if (editable(m_pointed)) return m_sum->setText(tr("Change the number: everything below follows."));
    if (isTakenOut(shown, m_row, m_column)) return m_sum->setText(tr("Predict it first."));
    if (shown.isMasked(m_row, m_column)) return m_sum->setText(tr("Masked: it may not be looked at."));
    if (m_pointed == Scores) {
        const bool scaled = m_scaled->currentIndex() == 0;
        const QString sum =
            sumOf(part(m_input.query, m_row * width, 1, width), part(m_input.key, m_column * width, 1, width));
        const QString over = scaled ? tr(" / √%1").arg(width) : QString();
        const QString heat = m_sharpness == 1 ? QString() : tr(" / %1").arg(m_temperatureText->text());
        return m_sum->setText(tr("(%1)%2%3<br>= <b>%4</b>").arg(sum, over, heat, formatNumber(value, 4)));
    }
    if (m_pointed == Weights) {
        double sum = 0;
        for (int k = 0; k < keys; ++k)
            if (!m_matrices[Scores]->data().isMasked(m_row, k))
                sum += std::exp(static_cast<double>(m_matrices[Scores]->data().value(m_row, k)));
        const auto score = static_cast<double>(m_matrices[Scores]->data().value(m_row, m_column));
        return m_sum->setText(tr("e<sup>%1</sup> / row sum of e<sup>score</sup><br>= %2 / %3<br>= <b>%4</b>")
                                  .arg(formatNumber(score, 4), formatNumber(std::exp(score), 4), formatNumber(sum, 4),
                                       formatNumber(value, 4)));
    }
    m_sum->setText(
        tr("%1<br>= <b>%2</b>")
            .arg(sumOf(part(m_result.weights, m_row * keys, 1, keys), part(m_input.value, m_column, width, keys)),
                 formatNumber(value, 4)));
}

QString QueryKeyValueView::arithmetic() const {
    return m_sum->text();
}

}  // namespace headlight

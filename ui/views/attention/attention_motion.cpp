// SPDX-License-Identifier: GPL-3.0-or-later
// The attention stage while the playhead passes through what it shows.
#include <QLabel>
#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/value_region.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

const TraceRecord& AttentionStage::shownRecord() const {
    return showsScores() ? *m_block.scores : *m_block.weights;
}

bool AttentionStage::isUnderWay(const TraceRecord& record) const {
    return m_phase < 1 && m_revealed >= 0 && m_trace->indexOf(record.name) == m_revealed;
}

size_t AttentionStage::rowsThere() const {
    const size_t rows = m_part.rows().size();
    if (isRevealed(*m_block.weights)) return rows;
    return isUnderWay(*m_block.weights) ? static_cast<size_t>(m_phase * static_cast<double>(rows)) : 0;
}

void AttentionStage::setPhase(double phase) {
    m_phase = phase;
    if (!m_trace) return;
    showProgress();
    if (isUnderWay(shownRecord())) m_sentence->setText(sentenceUnderWay());
    if (std::exchange(m_rowsWithLines, rowsThere()) != rowsThere()) refreshLines();
}

/// The numbers of one head come as they are computed. Those that are made of several, or from which words were taken
/// out, only appear.
void AttentionStage::showProgress() {
    if (!isUnderWay(shownRecord())) {
        m_strip->setFilled(1);
        return m_matrix->setProgress(std::nullopt);
    }
    m_strip->setFilled(m_phase);
    const MatrixData& shown = m_matrix->data();
    MatrixProgress progress;
    if (const auto score = scoreUnderWay()) {
        progress.filled = score->filled;
        progress.row = score->row;
        progress.column = score->column;
        return m_matrix->setProgress(progress);
    }
    if (showsScores()) {
        progress.filled = static_cast<long>(m_phase * shown.rows * shown.columns);
        progress.row = static_cast<int>(progress.filled / shown.columns);
        progress.column = static_cast<int>(progress.filled % shown.columns);
        return m_matrix->setProgress(progress);
    }
    const bool isSoftmax = m_block.shared && !showsRollout() && showsWholeHead();
    if (!isSoftmax) {
        const FillMotion fill = FillMotion::at(shown.rows, shown.columns, m_phase);
        progress.filled = fill.filled;
        progress.row = fill.row;
        return m_matrix->setProgress(progress);
    }
    const SoftmaxMotion softmax = SoftmaxMotion::at(matrixValues(*m_block.shared, head()), m_block.headWeights(head()),
                                                    m_block.maskValues(), m_block.columns, m_phase);
    progress.filled = static_cast<long>(softmax.row) * shown.columns;
    progress.row = softmax.row;
    progress.heights = softmax.heights;
    progress.fade = softmax.shrink;
    for (int key = 0; key < shown.columns && softmax.row < shown.rows; ++key)
        progress.numbers.push_back(softmax.shrink < 0.5 ? softmax.powers[static_cast<size_t>(key)]
                                                        : static_cast<double>(shown.value(softmax.row, key)));
    m_matrix->setProgress(progress);
}

bool AttentionStage::showsWholeHead() const {
    return heads().size() == 1 && m_part.hiddenColumns() == 0 && static_cast<int>(m_part.rows().size()) == m_block.rows;
}

std::optional<ScoreMotion> AttentionStage::scoreUnderWay() const {
    if (!m_block.scores || m_block.scores->operation != Operation::AttentionScores || !isUnderWay(*m_block.scores))
        return {};
    const std::span<const float> queries = inputValues(*m_trace, *m_block.scores, 0, head()),
                                 keys = inputValues(*m_trace, *m_block.scores, 1, head());
    const auto rows = static_cast<size_t>(m_block.rows), columns = static_cast<size_t>(m_block.columns);
    if (!showsWholeHead() || !showsScores() || queries.empty() || queries.size() * columns != keys.size() * rows)
        return {};
    return ScoreMotion::at(queries, keys, static_cast<int>(queries.size() / rows), m_phase);
}

QString AttentionStage::sentenceUnderWay() const {
    const std::optional<ScoreMotion> score = scoreUnderWay();
    if (!score || score->row >= m_block.rows) return tr("Being computed: move the playhead on.");
    const int width = static_cast<int>(inputValues(*m_trace, *m_block.scores, 0, head()).size()) / m_block.rows;
    const QString sum = tr("“%1” · “%2”: %3 of %4 products, together %5")
                            .arg(m_rowLabels.value(score->row), m_columnLabels.value(score->column))
                            .arg(score->products)
                            .arg(width)
                            .arg(formatNumber(score->sum, 3));
    const double factor = m_block.scores->factor;
    return factor == 1 ? sum : tr("%1, not yet times %2").arg(sum, formatNumber(factor, 3));
}

}  // namespace headlight

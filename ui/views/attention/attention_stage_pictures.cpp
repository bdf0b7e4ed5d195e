// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures of a block are told: the strip of its heads, the matrix, the lines; and what of it is hidden.
#include <QLabel>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/session/format/number_format.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/filter_bar.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/words/shaded_text.h"

namespace headlight {
namespace {

std::vector<char> maskedCells(const AttentionBlock& block) {
    if (!block.mask) return {};
    std::vector<char> masked;
    for (const float value : block.mask->values)
        masked.push_back(std::isinf(value) ? 1 : 0);
    if (masked.size() != static_cast<size_t>(block.rows) * static_cast<size_t>(block.columns)) return {};
    return masked;
}

}  // namespace

void AttentionStage::refreshStrip() {
    const ColorScale scale = showsScores() ? ColorScale::scores(shownRecord().values) : ColorScale::weights();
    const bool revealed = isRevealed(shownRecord()) || isUnderWay(shownRecord());
    std::vector<HeadImage> images;
    std::vector<double> entropies;
    QStringList notes;
    for (int h = 0; h < m_block.heads; ++h) {
        images.push_back({showsScores() ? m_block.headScores(h) : m_block.headWeights(h), m_block.rows, m_block.columns,
                          scale, m_block.maskValues(), m_muted.contains(headName(m_block.scope, h)),
                          revealed && !hasVeil(h)});
        const HeadFacts& facts = m_facts[static_cast<size_t>(h)];
        entropies.push_back(facts.entropy);
        const QString distance = tr("%1 words off").arg(formatNumber(facts.distance, 1));
        notes << (facts.habit != HeadHabit::None
                      ? tr("%1 %2").arg(habitName(facts.habit), formatPercent(facts.share, 0))
                  : m_block.kind == AttentionBlock::Kind::Cross ? QString()
                                                                : distance);
    }
    m_strip->setHeads(std::move(images), std::move(entropies), m_facts.front().mostEntropy, std::move(notes));
    m_strip->setSelected(heads());
}

std::vector<char> AttentionStage::goldCells() const {
    if (m_gold.empty() || m_block.kind != AttentionBlock::Kind::Cross) return {};
    std::vector<char> cells(static_cast<size_t>(m_block.rows) * static_cast<size_t>(m_block.columns));
    for (const auto& [source, target] : m_gold)
        if (target < m_block.rows && source < m_block.columns) cells[cellIndex(target, source, m_block.columns)] = 1;
    return cells;
}

void AttentionStage::refreshMatrix() {
    const std::vector<int> chosen = heads();
    const bool isMuted = m_muted.contains(headName(m_block.scope, head()));
    m_headCard->setTitle(chosen.size() > 1 ? tr("Mean of heads %1").arg(headNumbers())
                         : isMuted         ? tr("Head %1, muted").arg(head() + 1)
                                           : tr("Head %1").arg(head() + 1));
    const std::vector<float> values = showsScores() ? chosenValues(shownRecord()) : m_weights;
    if (showsRollout())
        m_headCard->setTitle(m_block.kind == AttentionBlock::Kind::Cross ? tr("All heads, through the encoder")
                             : m_block.layer == 0                        ? tr("All heads of the layer")
                                                  : tr("All heads, through %1 layers").arg(m_block.layer + 1));
    MatrixData matrix{static_cast<int>(m_part.rows().size()),
                      static_cast<int>(m_part.columns().size()),
                      m_part.of<float>(values),
                      m_part.of<char>(maskedCells(m_block)),
                      m_part.of<char>(goldCells()),
                      m_part.rowsOf(m_rowLabels),
                      m_part.rowsOf(rowSubLabels(*m_trace, m_block)),
                      m_part.columnsOf(m_columnLabels),
                      m_block.rowsWrite() ? tr("writes") : tr("word"),
                      m_block.kind == AttentionBlock::Kind::Cross ? tr("reads") : tr("looks at"),
                      showsScores() ? ColorScale::scores(shownRecord().values) : ColorScale::weights(),
                      m_part.leftOut()};
    hideVeiled(matrix);
    m_matrix->setData(std::move(matrix), m_change);
    const bool isThere = isRevealed(shownRecord()) || isUnderWay(shownRecord());
    m_matrix->setReveal(isThere ? MatrixView::Reveal::Full : MatrixView::Reveal::Outline);
}

/// Lines and text show weights where the matrix shows scores, and the rollout, which is of all heads, where it shows
/// that.
void AttentionStage::refreshLines() {
    enum Picture { Lines, AllHeads, Text };
    const int picture = m_picture->currentIndex();
    std::vector<int> drawn = showsRollout() ? std::vector<int>{head()} : heads();
    if (picture == AllHeads && !showsRollout()) {
        drawn.resize(static_cast<size_t>(m_block.heads));
        std::iota(drawn.begin(), drawn.end(), 0);
    }
    m_pictureNote->setText(picture == Text    ? (showsRollout() ? tr("shade = share") : tr("shade = weight"))
                           : showsRollout()   ? tr("width and opacity = share, of all heads")
                           : drawn.size() > 1 ? tr("a colour for each head")
                                              : tr("width and opacity = weight"));
    const QString looked = m_block.kind == AttentionBlock::Kind::Cross ? tr("Source") : tr("Looked at");
    const QString looking = m_block.rowsWrite() ? tr("Being written") : tr("Word");
    const bool several = drawn.size() > 1 && picture != Text;
    m_strip->setMarked(several ? drawn : std::vector<int>());
    m_pictures->setCurrentIndex(picture == Text ? 1 : 0);
    std::vector<float> shown;
    QStringList names;
    for (const int each : drawn) {
        const std::vector<float> part = m_part.of(picture == Text || showsRollout() ? std::span<const float>(m_weights)
                                                                                    : m_block.headWeights(each));
        shown.insert(shown.end(), part.begin(), part.end());
        if (several) names << QString::number(each + 1);
        if (picture == Text) break;
    }
    // Rows that are not computed yet have no lines.
    const size_t cells = m_part.rows().size() * m_part.columns().size();
    const size_t there = rowsThere() * m_part.columns().size();
    for (size_t i = 0; i < shown.size(); ++i)
        if (i % std::max<size_t>(1, cells) >= there) shown[i] = 0;
    // Nor have those that are to be predicted.
    for (size_t i = 0; i < shown.size() && !m_veiled.empty(); ++i) {
        const size_t inside = i % cells, columnCount = m_part.columns().size();
        const int row = m_part.rows()[inside / columnCount], column = m_part.columns()[inside % columnCount];
        const int of = picture == Text || showsRollout() ? -1 : drawn[i / cells];
        if (of < 0 ? isVeiled(row, column) : isVeiled(of, row, column)) shown[i] = 0;
    }
    const QStringList rows = m_part.rowsOf(m_rowLabels), columns = m_part.columnsOf(m_columnLabels);
    m_lineCount->setTexts({});
    if (picture == Text) {
        for (size_t i = 0; i < m_part.leftOut().size(); ++i)
            if (m_part.leftOut()[i]) shown[i] = 0;
        return m_text->setText({rows, columns, std::move(shown), looking, looked});
    }
    const bool source = m_block.kind != AttentionBlock::Kind::DecoderSelf;
    m_lines->setData({std::move(shown), names, m_part.leftOut(), m_filter->share(), rows, columns, looking, looked,
                      source, !m_block.rowsWrite()});
    writeLines();
}

/// How many lines are drawn, of how many, and what they hold.
void AttentionStage::writeLines() {
    const LineChoice& choice = m_lines->choice();
    if (choice.possible == 0) return;
    QStringList texts(tr("%1 of %2 lines, %3 of the weight")
                          .arg(formatCount(static_cast<qint64>(choice.lines.size())),
                               formatCount(static_cast<qint64>(choice.possible)), formatPercent(choice.share, 0)));
    if (choice.crowded > 0)
        texts.prepend(texts.front() +
                      tr("; %1 weaker ones left out").arg(formatCount(static_cast<qint64>(choice.crowded))));
    if (choice.faint > 0)
        texts.prepend(texts.front() + tr("; %1 below %2 left out")
                                          .arg(formatCount(static_cast<qint64>(choice.faint)),
                                               formatNumber(static_cast<double>(kFaintestLine))));
    m_lineCount->setTexts(texts);
}

void AttentionStage::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    if (m_trace) refreshBlock();
}

bool AttentionStage::isVeiled(int head, int row, int column) const {
    if (m_veiled.empty()) return false;
    const TraceRecord& record = shownRecord();
    const bool hasHeads = record.shape.size() == 3;
    const std::vector<int> at =
        hasHeads ? std::vector{head + 1, row + 1, column + 1} : std::vector{row + 1, column + 1};
    return isAmong(m_veiled, {record.name, at}) || isAmong(m_veiled, {m_block.weights->name, at});
}

bool AttentionStage::isVeiled(int row, int column) const {
    return std::ranges::any_of(heads(), [&](int each) { return isVeiled(each, row, column); });
}

bool AttentionStage::hasVeil(int head) const {
    for (int row = 0; row < m_block.rows && !m_veiled.empty(); ++row)
        for (int column = 0; column < m_block.columns; ++column)
            if (isVeiled(head, row, column)) return true;
    return false;
}

void AttentionStage::hideVeiled(MatrixData& matrix) const {
    takeOut(matrix, [&](int row, int column) {
        return isVeiled(m_part.rows()[static_cast<size_t>(row)], m_part.columns()[static_cast<size_t>(column)]);
    });
}

}  // namespace headlight

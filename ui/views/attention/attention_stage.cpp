// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_stage.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/attention/row_readout.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/shaded_text.h"

namespace headlight {
namespace {

QString subtitleOf(const AttentionBlock& block) {
    switch (block.kind) {
        case AttentionBlock::Kind::Cross:
            return AttentionStage::tr("Rows: the word being written. Columns: the source word it reads.");
        case AttentionBlock::Kind::DecoderSelf:
            return AttentionStage::tr("Rows: the word being written. Columns: the words written before it.");
        case AttentionBlock::Kind::EncoderSelf:
        case AttentionBlock::Kind::Self:
            return AttentionStage::tr("Rows: the word that looks. Columns: the word it looks at.");
    }
    return {};
}

std::vector<char> maskedCells(const AttentionBlock& block) {
    if (!block.mask) return {};
    std::vector<char> masked;
    for (const float value : block.mask->values)
        masked.push_back(std::isinf(value) ? 1 : 0);
    if (masked.size() != static_cast<size_t>(block.rows) * static_cast<size_t>(block.columns)) return {};
    return masked;
}

MatrixView::Cell asMatrixCell(Selection::Cell cell) {
    return {cell.query, cell.key};
}

}  // namespace

AttentionStage::AttentionStage(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_quantity(new SegmentedControl({tr("Weights"), tr("Scores"), tr("Rollout")})),
      m_strip(new HeadStrip),
      m_entropyNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_headCard(new Card({})),
      m_matrix(new MatrixView),
      m_sentence(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)),
      m_linesCard(new Card({})),
      m_picture(new SegmentedControl({tr("Lines"), tr("All heads"), tr("Text")})),
      m_pictureNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_pictures(new QStackedWidget),
      m_lines(new AttentionLines),
      m_text(new ShadedText),
      m_readout(new RowReadout) {
    m_entropyNote->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(20);
    cards->addWidget(makeHeadCard(), 1);
    cards->addWidget(makeLinesCard(), 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 12, 20, 20);
    column->setSpacing(0);
    column->addWidget(makeHeading());
    column->addSpacing(12);
    column->addWidget(m_strip);
    column->addSpacing(4);
    column->addWidget(m_entropyNote);
    column->addSpacing(12);
    column->addLayout(cards, 1);
    connectSelection();
}

QWidget* AttentionStage::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    row->addLayout(words, 1);
    row->addWidget(m_quantity, 0, Qt::AlignTop);
    m_quantity->setAccessibleName(tr("What the cells show"));
    return heading;
}

QWidget* AttentionStage::makeHeadCard() {
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumHeight(20);
    m_matrix->setAccessibleName(tr("Weights of the chosen head"));
    m_headCard->body()->addWidget(m_matrix, 1);
    m_headCard->body()->addWidget(m_sentence);
    return m_headCard;
}

QWidget* AttentionStage::makeLinesCard() {
    m_picture->setAccessibleName(tr("How the weights are drawn"));
    m_linesCard->header()->insertWidget(0, m_picture);
    m_linesCard->header()->addWidget(m_pictureNote);
    m_linesCard->body()->addSpacing(8);
    m_pictures->addWidget(scrolling(m_lines));
    m_pictures->addWidget(scrolling(m_text));
    m_linesCard->body()->addWidget(m_pictures, 1);
    m_linesCard->body()->addWidget(new Rule);
    m_linesCard->body()->addWidget(m_readout);
    return m_linesCard;
}

void AttentionStage::connectSelection() {
    const auto hover = [this](int row, int column) { m_selection->setHovered({row, column}); };
    const auto lock = [this](int row, int column) { m_selection->setCell({row, column}); };
    connect(m_matrix, &MatrixView::cellHovered, this, hover);
    connect(m_matrix, &MatrixView::cellClicked, this, lock);
    connect(m_matrix, &MatrixView::unlocked, this, [this] { m_selection->setCell({}); });
    connect(m_lines, &AttentionLines::cellHovered, this, hover);
    connect(m_lines, &AttentionLines::cellClicked, this, lock);
    connect(m_strip, &HeadStrip::headSelected, m_selection, &Selection::setHead);
    for (SegmentedControl* choice : {m_quantity, m_picture})
        connect(choice, &SegmentedControl::currentChanged, this, [this] {
            if (m_trace) refreshBlock();
            emit shownOtherwise();
        });
    connect(m_text, &ShadedText::queryChosen, this, [this](int row) {
        m_selection->setCell({row, std::max(0, m_selection->cell().key)});
    });
}

void AttentionStage::setBlock(const AttentionBlock& block, std::shared_ptr<const Trace> trace,
                              const QSet<QString>& muted, int revealed) {
    m_block = block;
    m_trace = std::move(trace);
    m_muted = muted;
    m_revealed = revealed;
    m_rowLabels = rowLabels(*m_trace, block);
    m_columnLabels = columnLabels(*m_trace, block);
    refreshBlock();
}

void AttentionStage::showAs(int quantity, int picture) {
    const QSignalBlocker quietQuantity(m_quantity), quietPicture(m_picture);
    m_quantity->setCurrentIndex(quantity);
    m_picture->setCurrentIndex(picture);
    if (m_trace) refreshBlock();
}

bool AttentionStage::showsScores() const {
    return m_quantity->currentIndex() == 1 && m_block.scores;
}

bool AttentionStage::showsRollout() const {
    return m_quantity->currentIndex() == 2;
}

int AttentionStage::head() const {
    return std::clamp(m_selection->head(), 0, std::max(0, m_block.heads - 1));
}

void AttentionStage::refreshBlock() {
    m_title->setText(blockTitle(m_block));
    m_subtitle->setText(subtitleOf(m_block));
    const double most = std::log2(static_cast<double>(std::max(1, m_block.columns)));
    const QString gold = m_gold.empty() || m_block.kind != AttentionBlock::Kind::Cross
                             ? QString()
                             : tr("  ·  Dots: the words that belong together.");
    m_entropyNote->setText(tr("Bar: mean row entropy, full width = log₂ %1 = %2 bit (looking everywhere equally).%3")
                               .arg(m_block.columns)
                               .arg(formatNumber(most), gold));
    m_quantity->setEnabled(m_block.scores != nullptr);

    refreshStrip();
    refreshMatrix();
    refreshCell();
}

void AttentionStage::refreshStrip() {
    const double most = std::log2(static_cast<double>(std::max(1, m_block.columns)));
    const TraceRecord& shownRecord = showsScores() ? *m_block.scores : *m_block.weights;
    const ColorScale scale = showsScores() ? ColorScale::scores(shownRecord.values) : ColorScale::weights();
    const bool revealed = m_revealed < 0 || m_trace->indexOf(shownRecord.name) <= m_revealed;
    std::vector<HeadImage> images;
    std::vector<double> entropies;
    QStringList notes;
    const HabitPlaces places(*m_trace, *m_block.weights, m_gold);
    for (int h = 0; h < m_block.heads; ++h) {
        images.push_back({showsScores() ? m_block.headScores(h) : m_block.headWeights(h), m_block.rows, m_block.columns,
                          scale, m_block.maskValues(), m_muted.contains(headName(m_block.scope, h)), revealed});
        const HeadFacts facts = places.read(m_block.headWeights(h)).facts();
        entropies.push_back(facts.entropy);
        const QString distance = tr("%1 words off").arg(formatNumber(facts.distance, 1));
        notes << (facts.habit != HeadHabit::None
                      ? tr("%1 %2").arg(habitName(facts.habit), formatPercent(facts.share, 0))
                  : m_block.kind == AttentionBlock::Kind::Cross ? QString()
                                                                : distance);
    }
    m_strip->setHeads(std::move(images), std::move(entropies), most, std::move(notes));
    m_strip->setSelected(head());
}

std::vector<char> AttentionStage::goldCells() const {
    if (m_gold.empty() || m_block.kind != AttentionBlock::Kind::Cross) return {};
    std::vector<char> cells(static_cast<size_t>(m_block.rows) * static_cast<size_t>(m_block.columns));
    for (const auto& [source, target] : m_gold)
        if (target < m_block.rows && source < m_block.columns) cells[cellIndex(target, source, m_block.columns)] = 1;
    return cells;
}

void AttentionStage::refreshMatrix() {
    const bool isMuted = m_muted.contains(headName(m_block.scope, head()));
    m_headCard->setTitle(isMuted ? tr("Head %1, muted").arg(head() + 1) : tr("Head %1").arg(head() + 1));
    const std::vector<float> rollout = showsRollout() ? attentionRollout(*m_trace, m_block) : std::vector<float>();
    const std::span<const float> values = showsRollout()  ? std::span<const float>(rollout)
                                          : showsScores() ? m_block.headScores(head())
                                                          : m_block.headWeights(head());
    if (showsRollout())
        m_headCard->setTitle(m_block.kind == AttentionBlock::Kind::Cross ? tr("All heads, through the encoder")
                             : m_block.layer == 0                        ? tr("All heads of the layer")
                                                  : tr("All heads, through %1 layers").arg(m_block.layer + 1));
    const TraceRecord& shownRecord = showsScores() ? *m_block.scores : *m_block.weights;
    const auto isRevealed = [this](const TraceRecord& record) {
        return m_revealed < 0 || m_trace->indexOf(record.name) <= m_revealed;
    };

    MatrixData matrix{m_block.rows,
                      m_block.columns,
                      {values.begin(), values.end()},
                      maskedCells(m_block),
                      goldCells(),
                      m_rowLabels,
                      rowSubLabels(*m_trace, m_block),
                      m_columnLabels,
                      m_block.rowsWrite() ? tr("writes") : tr("word"),
                      m_block.kind == AttentionBlock::Kind::Cross ? tr("reads") : tr("looks at"),
                      showsScores() ? ColorScale::scores(shownRecord.values) : ColorScale::weights()};
    m_matrix->setData(std::move(matrix));
    m_matrix->setReveal(isRevealed(shownRecord) ? MatrixView::Reveal::Full : MatrixView::Reveal::Outline);

    refreshLines();
}

/// Lines and text show weights, whatever the matrix shows.
void AttentionStage::refreshLines() {
    enum Picture { Lines, AllHeads, Text };
    const int picture = m_picture->currentIndex();
    const bool revealed = m_revealed < 0 || m_trace->indexOf(m_block.weights->name) <= m_revealed;
    const auto weights = m_block.headWeights(head());
    std::vector<float> shown(weights.begin(), weights.end());
    if (picture == AllHeads) shown = m_block.weights->values;
    if (!revealed) std::fill(shown.begin(), shown.end(), 0.0F);
    m_pictureNote->setText(picture == Lines      ? tr("opacity = weight")
                           : picture == AllHeads ? tr("a colour for each head")
                                                 : tr("shade = weight"));
    const QString looked = m_block.kind == AttentionBlock::Kind::Cross ? tr("Source") : tr("Looked at");
    const QString looking = m_block.rowsWrite() ? tr("Being written") : tr("Word");
    m_pictures->setCurrentIndex(picture == Text ? 1 : 0);
    if (picture == Text) return m_text->setText({m_rowLabels, m_columnLabels, std::move(shown), looking, looked});
    const bool source = m_block.kind != AttentionBlock::Kind::DecoderSelf;
    m_lines->setData({std::move(shown), picture == AllHeads ? m_block.heads : 1, m_rowLabels, m_columnLabels, looking,
                      looked, source, !m_block.rowsWrite()});
}

void AttentionStage::refreshCell() {
    if (!m_trace) return;
    Selection::Cell cell = m_selection->shown();
    if (cell.query >= m_block.rows || cell.key >= m_block.columns) cell = {};
    m_matrix->setHovered(asMatrixCell(m_selection->hovered()));
    m_matrix->setLocked(asMatrixCell(m_selection->cell()));
    m_lines->setShown(cell.query, cell.key);
    m_text->setQuery(cell.query);
    m_strip->setEcho(cell.query, cell.key);
    const bool revealed = m_revealed < 0 || m_trace->indexOf(m_block.weights->name) <= m_revealed;
    m_sentence->setText(revealed ? sentence(cell) : tr("Computed in a later step: move the playhead on."));
    if (!cell.valid() || !revealed) return m_readout->setRow({}, {}, {}, -1);
    const auto row = m_block.headWeights(head()).subspan(cellIndex(cell.query, 0, m_block.columns),
                                                         static_cast<size_t>(m_block.columns));
    const QString title = m_block.columns > 5 ? tr("Row “%1”, the five largest") : tr("Row “%1”");
    m_readout->setRow(title.arg(m_rowLabels.value(cell.query)), m_columnLabels, {row.begin(), row.end()}, cell.key);
}

QString AttentionStage::sentence(Selection::Cell cell) const {
    if (!cell.valid()) return tr("Point at a cell to read it. Click to keep it.");
    const size_t at = cellIndex(cell.query, cell.key, m_block.columns);
    const QString from = m_rowLabels.value(cell.query), to = m_columnLabels.value(cell.key);
    const std::vector<char> masked = maskedCells(m_block);
    if (!masked.empty() && masked[at])
        return tr("“%1” comes later: while writing “%2” it may not be looked at.").arg(to, from);
    if (showsScores())
        return tr("For “%1”, head %2 scores “%3” %4.")
            .arg(from)
            .arg(head() + 1)
            .arg(to, formatNumber(m_block.headScores(head())[at], 3));
    if (showsRollout())
        return tr("%1 of what reaches “%2” here comes from “%3”.")
            .arg(formatNumber(m_matrix->data().value(cell.query, cell.key), 3), from, to);
    const QString weight = formatNumber(m_block.headWeights(head())[at], 3);
    const QString text = m_block.rowsWrite() ? tr("Writing “%1”, head %2 puts %3 of its weight on “%4”.")
                                             : tr("Reading “%1”, head %2 puts %3 of its weight on “%4”.");
    return text.arg(from).arg(head() + 1).arg(weight, to);
}

}  // namespace headlight

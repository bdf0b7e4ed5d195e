// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/decode_panel.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/search/hypothesis_table.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/plain_chart.h"
#include "ui/widgets/words/word_bars.h"

namespace headlight {

namespace {

constexpr int kNarrowest = 336, kWidest = 372;  ///< the table of hypotheses and a scroll bar fit into the narrowest
constexpr int kAlphaSteps = 20;

bool hasAlpha(const LengthPenalty& penalty) {
    return penalty.kind == LengthPenalty::Kind::Gnmt || penalty.kind == LengthPenalty::Kind::Power;
}

Caption* secondary(const QString& text = {}) {
    auto* caption = new Caption(text, 12, QFont::Normal, Caption::Tone::Secondary);
    caption->setWordWrap(true);
    return caption;
}

}  // namespace

DecodePanel::DecodePanel(QWidget* parent)
    : Panel(Qt::LeftEdge, parent),
      m_kind(new SegmentedControl({tr("None"), tr("Average"), tr("GNMT"), tr("Power")})),
      m_alpha(new Slider),
      m_alphaText(new Caption({}, 12, QFont::Medium, Caption::Tone::Main)),
      m_formula(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)),
      m_finished(new Caption({}, 12, QFont::Medium, Caption::Tone::Secondary)),
      m_table(new HypothesisTable),
      m_curvesNote(secondary()),
      m_curves(new PlainChart),
      m_greedy(secondary()),
      m_path(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_arithmetic(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_fix(new Button(Button::Kind::Ghost, tr("Fix these words"), Icon::Check)),
      m_nextNote(secondary()),
      m_next(new WordBars),
      m_attentionTitle(new Caption({}, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_attention(new MatrixView) {
    takeShare(kNarrowest, kWidest, 0.32);
    yieldBelow(780);
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(8);
    column->addWidget(new Caption(tr("What was written"), 18, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(m_finished);
    column->addWidget(makeScoring());
    column->addWidget(m_table);
    m_curves->setFixedHeight(120);
    m_curves->setAccessibleName(tr("Scores of the hypotheses for every α"));
    column->addWidget(m_curvesNote);
    column->addWidget(m_curves);
    column->addWidget(m_greedy);
    column->addWidget(new Rule);
    m_nodePart = makeNodePart();
    column->addWidget(m_nodePart);
    column->addStretch();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 0, 0, 0);
    outer->addWidget(scrolling(inside));

    connect(m_kind, &SegmentedControl::currentChanged, this, [this](int kind) {
        m_penalty.kind = static_cast<LengthPenalty::Kind>(kind);
        showScoring();
        emit penaltyChanged(m_penalty);
    });
    connect(m_alpha, &QSlider::valueChanged, this, [this](int value) {
        m_penalty.alpha = static_cast<double>(value) / kAlphaSteps;
        showScoring();
        emit penaltyChanged(m_penalty);
    });
    connect(m_table, &HypothesisTable::chosen, this, &DecodePanel::hypothesisChosen);
    connect(m_fix, &Button::clicked, this, &DecodePanel::fixWanted);
    connect(m_next, &WordBars::chosen, this,
            [this](int bar) { emit nextWordChosen(m_next->bars()[static_cast<size_t>(bar)].word); });
    showScoring();
    setNode(-1);
}

QWidget* DecodePanel::makeScoring() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_kind->setAccessibleName(tr("Length normalisation"));
    m_kind->setCurrentIndex(2);
    m_alpha->setRange(0, kAlphaSteps);
    m_alpha->setValue(kAlphaSteps * 7 / 10);
    m_alpha->setAccessibleName(tr("α of the length normalisation"));
    m_alpha->setValueLabel(m_alphaText);
    m_alphaText->setFont(monoFont(12));
    auto* row = new QHBoxLayout;
    row->addWidget(m_alpha, 1);
    row->addWidget(new Caption(QStringLiteral("α"), 13, QFont::Normal, Caption::Tone::Secondary));
    row->addWidget(m_alphaText);
    column->addWidget(m_kind, 0, Qt::AlignLeft);
    column->addLayout(row);
    column->addWidget(m_formula);
    m_formula->setTextFormat(Qt::RichText);
    m_formula->setWordWrap(true);
    return part;
}

QWidget* DecodePanel::makeNodePart() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_path->setWordWrap(true);
    m_arithmetic->setFont(monoFont(12));
    m_arithmetic->setTextFormat(Qt::RichText);
    m_arithmetic->setWordWrap(true);
    m_attention->setAccessibleName(tr("Where each head looks while the word is written"));
    m_attention->setFixedHeight(250);
    column->addWidget(m_path);
    column->addWidget(m_arithmetic);
    column->addWidget(m_fix, 0, Qt::AlignLeft);
    column->addWidget(new Caption(tr("What may come next"), 13, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(m_nextNote);
    column->addWidget(m_next);
    column->addWidget(m_attentionTitle);
    column->addWidget(m_attention);
    return part;
}

void DecodePanel::setPenalty(const LengthPenalty& penalty) {
    m_penalty = penalty;
    const QSignalBlocker quietKind(m_kind), quietAlpha(m_alpha);
    m_kind->setCurrentIndex(static_cast<int>(penalty.kind));
    m_alpha->setValue(static_cast<int>(std::lround(penalty.alpha * kAlphaSteps)));
    showScoring();
    showCurves();
}

QString DecodePanel::formulaOf(const LengthPenalty& penalty, const QString& alpha) {
    switch (penalty.kind) {
        case LengthPenalty::Kind::None:
            return tr("log P: the shorter sentence tends to win");
        case LengthPenalty::Kind::Average:
            return tr("log P / |y|");
        case LengthPenalty::Kind::Gnmt:
            return tr("log P / ((5 + |y|) / 6)<sup>%1</sup>").arg(alpha);
        case LengthPenalty::Kind::Power:
            return tr("log P / |y|<sup>%1</sup>").arg(alpha);
    }
    return {};
}

void DecodePanel::showScoring() {
    m_alpha->setEnabled(hasAlpha(m_penalty));
    m_alphaText->setText(hasAlpha(m_penalty) ? formatNumber(m_penalty.alpha) : QStringLiteral("–"));
    m_formula->setText(tr("score = %1").arg(formulaOf(m_penalty, QStringLiteral("α"))));
}

/// Where two lines cross, the order of the hypotheses changes.
void DecodePanel::showCurves() {
    constexpr int kSteps = 20;
    constexpr size_t kMost = 4;
    std::vector<PlainChart::Line> lines;
    PlainChart::Range range{0, 1, 0, 0};
    const auto hypotheses = m_result ? m_result->search.translation.hypotheses : std::vector<Written>();
    for (size_t i = 0; i < std::min(kMost, hypotheses.size()); ++i) {
        PlainChart::Line& line = lines.emplace_back();
        for (int step = 0; step <= kSteps; ++step) {
            const LengthPenalty at{m_penalty.kind, static_cast<double>(step) / kSteps};
            line.emplace_back(at.alpha, at.score(hypotheses[i].logProb, static_cast<int>(hypotheses[i].tokens.size())));
            range.bottom = std::min(range.bottom, line.back().y() * 1.08);
        }
    }
    const bool shown = lines.size() > 1 && hasAlpha(m_penalty);
    m_curves->setVisible(shown);
    m_curvesNote->setVisible(shown);
    m_curvesNote->setText(
        tr("Score by α: the first in blue, then orange, green, violet. Where lines cross, the order changes."));
    if (shown) m_curves->setLines(std::move(lines), range, m_penalty.alpha);
}

/// Those that ended, also where better ones displaced them.
void DecodePanel::showFinished() {
    const RecordedTranslation& search = m_result->search;
    const auto finished = std::ranges::count(search.tree.nodes, SearchNode::State::Finished, &SearchNode::state);
    const auto kept =
        std::ranges::count_if(search.translation.hypotheses, [](const Written& it) { return it.finished; });
    m_finished->setText(finished > kept ? tr("Finished: %1, the best %2 kept").arg(finished).arg(kept)
                                        : tr("Finished: %1 of %2").arg(finished).arg(m_result->settings.beam));
    m_finished->setToolTip(
        tr("The search stops as soon as %1 hypotheses have ended: fairseq's rule, and Hugging Face's "
           "with early_stopping=True")
            .arg(m_result->settings.beam));
}

void DecodePanel::setResult(std::shared_ptr<const Decoding::Result> result) {
    m_result = std::move(result);
    std::vector<HypothesisTable::Row> rows;
    m_greedy->setText({});
    m_finished->setText({});
    if (m_result) {
        showFinished();
        for (const Written& hypothesis : m_result->search.translation.hypotheses)
            rows.push_back({QString::fromStdString(hypothesis.text), hypothesis.logProb,
                            static_cast<int>(hypothesis.tokens.size()), hypothesis.score, hypothesis.finished});
        m_greedy->setText(
            tr("Greedy, one word at a time: %1, %2")
                .arg(m_result->greedy.text.empty() ? tr("nothing") : QString::fromStdString(m_result->greedy.text),
                     formatLogProb(m_result->greedy.logProb)));
    }
    m_table->setRows(std::move(rows));
    showCurves();
    setNode(-1);
}

void DecodePanel::setNode(int node) {
    m_node = node;
    m_next->setBars({});
    m_nextNote->hide();
    m_fix->setEnabled(node >= 0);
    const bool chosen = m_result && node >= 0;
    m_attentionTitle->setVisible(chosen);
    m_attention->setVisible(chosen);
    m_fix->setVisible(chosen);
    if (!chosen) {
        const QStringList fixed = m_result ? m_result->fixedWords() : QStringList();
        m_path->setText(fixed.isEmpty() ? tr("From the start") : tr("After “%1”").arg(textOf(fixed)).toHtmlEscaped());
        m_arithmetic->setFont(uiFont(12));
        m_arithmetic->setText(
            tr("Click a word to see its choices, what it cost and its attention. A row reads on from where it left "
               "another. “+5” counts choices that came to nothing; a click shows them."));
        return;
    }
    const SearchNode& it = m_result->search.tree.nodes[static_cast<size_t>(node)];
    QStringList words = wordList(m_result->model->target->display(m_result->pathTo(node)));
    m_path->setText(textOf(words).toHtmlEscaped());
    const QString last = words.takeLast().toHtmlEscaped(), before = textOf(words).toHtmlEscaped();
    const QString line = QStringLiteral("<tr><td>%1</td><td width=24></td><td align=right>%2</td></tr>");
    m_arithmetic->setFont(monoFont(12));
    m_arithmetic->setText(
        QStringLiteral("<table>") +
        line.arg(before.isEmpty() ? tr("log P(%1)").arg(last) : tr("log P(%1 | …)").arg(last),
                 formatNumber(it.logProb, 4)) +
        line.arg(before.isEmpty() ? tr("nothing before") : tr("log P so far"),
                 formatNumber(it.cumulative - it.logProb, 4)) +
        line.arg(tr("<b>together</b>"), QStringLiteral("<b>%1</b>").arg(formatNumber(it.cumulative, 4))) +
        line.arg(tr("score, |y| = %1").arg(it.step), formatNumber(it.score, 4)) + QStringLiteral("</table>"));
    showAttention(node);
}

void DecodePanel::showAttention(int node) {
    const SearchTree& tree = m_result->search.tree;
    const SearchNode& it = tree.nodes[static_cast<size_t>(node)];
    const bool attends = tree.attentionBlocks > 0 && !it.attention.empty();
    m_attention->setVisible(attends);
    m_attentionTitle->setVisible(attends);
    if (!attends) return;
    // The last block: what feeds the output.
    const size_t size = static_cast<size_t>(tree.heads) * static_cast<size_t>(tree.sourceLength);
    const auto first = it.attention.end() - static_cast<std::ptrdiff_t>(size);
    MatrixData matrix;
    matrix.rows = tree.heads;
    matrix.columns = tree.sourceLength;
    matrix.values.assign(first, it.attention.end());
    for (int head = 1; head <= tree.heads; ++head)
        matrix.rowLabels << QString::number(head);
    matrix.columnLabels = wordList(m_result->search.translation.sourceTokens);
    matrix.rowAxis = tree.heads > 1 ? tr("head") : QString();
    matrix.columnAxis = tr("reads");
    matrix.scale = ColorScale::weights();
    m_attentionTitle->setText(tr("Cross-attention while writing “%1”").arg(m_result->wordAt(node)));
    m_attention->setFixedHeight(120 + 22 * std::min(tree.heads, 8));
    m_attention->setData(std::move(matrix));
}

/// The words that may come behind a path. Where the reader has fixed the next one, the others were not the search's to
/// take, however likely they are.
void DecodePanel::setNextWords(const std::vector<int>& path, const std::vector<NextWord>& words) {
    std::vector<WordBars::Bar> bars;
    bars.reserve(words.size() + 1);
    const QString fixed = m_result ? m_result->fixedAfter(path) : QString();
    for (const NextWord& word : words)
        bars.push_back({word.word, word.probability, fixed.isEmpty() ? bars.empty() : word.word == fixed,
                        !fixed.isEmpty() && word.word != fixed});
    if (!fixed.isEmpty() && std::ranges::none_of(bars, &WordBars::Bar::marked))
        if (const SearchNode* node = m_result->nodeAfter(path, fixed))
            bars.push_back({fixed, std::exp(node->logProb), true, false});
    m_nextNote->setVisible(!fixed.isEmpty());
    m_nextNote->setText(
        tr("You fixed “%1” here. The other words were ruled out by that, not pruned.").arg(fixed.toHtmlEscaped()));
    m_next->setBars(std::move(bars));
}

}  // namespace headlight

#include "moc_decode_panel.cpp"

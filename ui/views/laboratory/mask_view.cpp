// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/mask_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/page/lab_record.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/controls/tinted_box.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/words/batch_strip.h"

namespace headlight {

namespace {

/// Of the first self-attention of a stack; nullptr where it has none.
const TraceRecord* firstScores(const Trace& trace, AttentionBlock::Kind kind) {
    const std::vector<AttentionBlock> blocks = attentionBlocks(trace);
    const auto found = std::ranges::find(blocks, kind, &AttentionBlock::kind);
    return found == blocks.end() ? nullptr : found->shared;
}

/// The scores of all heads without those of padding, as wherever else a head of them is shown: one range of colours.
std::vector<float> betweenWords(const TraceRecord& scores, int words) {
    const int length = scores.dim(2);
    std::vector<float> between;
    for (size_t i = 0; i < scores.values.size(); ++i) {
        const int column = static_cast<int>(i % static_cast<size_t>(length));
        const int row = static_cast<int>(i / static_cast<size_t>(length) % static_cast<size_t>(length));
        if (row < words && column < words) between.push_back(scores.values[i]);
    }
    return between;
}

}  // namespace

MaskView::MaskView(QWidget* parent)
    : ViewWidget(parent),
      m_stack(new ComboBox(tr("Attention"))),
      m_head(new ComboBox(tr("Head"))),
      m_pads(new SegmentedControl({"0", "1", "2", "3"})),
      m_batch(new BatchStrip),
      m_second(new QLineEdit),
      m_way(new SegmentedControl({tr("Add −∞"), tr("Add −10⁹"), tr("Multiply by −∞"), tr("After the softmax")})),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_paddingGrid(new MaskGrid(false)),
      m_causalGrid(new MaskGrid(false)),
      m_combined(new MaskGrid(true)),
      m_before(new MatrixView),
      m_masked(new MatrixView),
      m_weights(new MatrixView),
      m_none(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_rowSums(new RowSums(m_weights)),
      m_note(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)) {
    m_pads->setCurrentIndex(1);
    m_paddingGrid->setAccessibleName(tr("Padding mask"));
    m_causalGrid->setAccessibleName(tr("Causal mask"));
    m_combined->setAccessibleName(tr("Both masks; Space turns a cell over"));
    m_before->setAccessibleName(tr("Scores"));
    m_masked->setAccessibleName(tr("Masked scores"));
    m_weights->setAccessibleName(tr("Weights"));
    m_stack->addItems({tr("Decoder self-attention"), tr("Encoder self-attention")});
    m_pages = new QStackedLayout(this);
    auto* room = new QWidget;
    auto* column = m_column = new QVBoxLayout(room);
    m_pages->addWidget(room);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setWordWrap(true);
    m_pages->addWidget(m_none);
    column->setContentsMargins(24, 12, 20, 16);
    column->setSpacing(10);
    column->addWidget(makeHeading());
    column->addWidget(makeBatch());
    column->addWidget(makeMasks(), 5);
    column->addWidget(makeBanner());
    column->addWidget(makeStages(), 6);

    connectControls();
}

void MaskView::connectControls() {
    connect(m_stack, &QComboBox::activated, this, &MaskView::onOtherMask);
    connect(m_pads, &SegmentedControl::currentChanged, this, &MaskView::onOtherMask);
    connect(m_batch, &BatchStrip::rowChosen, this, [this](int row) {
        m_wantedSentence = row + 1;
        onOtherMask();
    });
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        m_wantedHead = head + 1;
        compute();
        emit optionsChanged();
    });
    connect(m_way, &SegmentedControl::currentChanged, this, [this] {
        showStages();
        emit optionsChanged();
    });
    connect(m_second, &QLineEdit::editingFinished, this, [this] {
        const QString typed = m_second->text().trimmed();
        if (typed == m_shownSecond) return;  // it was only left
        m_wantedSecond = typed.isEmpty() ? QString(kNoSecond) : typed;
        showSecond();
        onOtherMask();
    });
    connect(m_combined, &MaskGrid::toggled, this, &MaskView::toggle);
    for (MatrixView* matrix : {m_before, m_masked, m_weights}) {
        connect(matrix, &MatrixView::cellHovered, this, [this](int row, int at) {
            for (MatrixView* each : {m_before, m_masked, m_weights})
                each->setHovered({row, at});
        });
        connect(matrix, &MatrixView::cellClicked, this, [this](int row, int at) {
            for (MatrixView* each : {m_before, m_masked, m_weights})
                each->setLocked({row, at});
        });
    }
}

/// The reader wants another mask: what was turned over in this one is gone.
void MaskView::onOtherMask() {
    m_turned.clear();
    compute();
    emit optionsChanged();
}

void MaskView::showOptions(const StageState& state) {
    const QSignalBlocker quietStack(m_stack), quietPads(m_pads), quietWay(m_way);
    m_stack->setCurrentIndex(static_cast<int>(state.masks.stack));
    m_pads->setCurrentIndex(std::clamp(state.masks.padding, 0, m_pads->count() - 1));
    m_way->setCurrentIndex(static_cast<int>(state.masks.masking));
    m_wantedHead = state.view == ViewName::Masks ? std::max(1, state.head) : 1;
    m_wantedSentence = std::max(1, state.sentence);
    m_turned.clear();
    for (const std::string& text : state.masks.cells) {
        const QStringList parts = QString::fromStdString(text).split(u',');
        const int row = parts.value(0).toInt(), column = parts.value(1).toInt();
        if (parts.size() == 2 && row > 0 && column > 0) m_turned.insert({row - 1, column - 1});
    }
    m_wantedSecond = QString::fromStdString(state.masks.second);
    showSecond();
    compute();
}

void MaskView::tellOptions(StageState& state) const {
    state.masks.stack = static_cast<StageStack>(m_stack->currentIndex());
    state.masks.padding = m_pads->currentIndex();
    state.masks.masking = static_cast<MasksOptions::Masking>(m_way->currentIndex());
    if (state.view == ViewName::Masks) state.head = m_wantedHead;
    state.sentence = m_wantedSentence;
    state.masks.second = m_wantedSecond.toStdString();
    state.masks.cells.clear();
    for (const auto& [row, column] : m_turned)
        state.masks.cells.push_back(std::to_string(row + 1) + "," + std::to_string(column + 1));
}

/// Of a worked example. Its cells are turned over by a click, so that none is chosen.
bool MaskView::lookAt(const NumberName* number, double value, Look) {
    m_before->setHovered({});
    m_weights->setHovered({});
    if (!number || number->indices.size() != 2 || m_handScores.empty()) return false;
    const bool isWeight = number->name == "weights";
    if (!isWeight && number->name != "scores") return false;
    MatrixView* const matrix = isWeight ? m_weights : m_before;
    const MatrixView::Cell cell{number->indices[0] - 1, number->indices[1] - 1};
    const MatrixData& shown = matrix->data();
    if (cell.row >= shown.rows || cell.column >= shown.columns) return false;
    if (!isSameNumber(static_cast<double>(shown.value(cell.row, cell.column)), value)) return false;
    matrix->setHovered(cell);
    return true;
}

void MaskView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    showStages();
}

bool MaskView::isCausal() const {
    // A language model writes what it reads; who classifies or fills in words has it all before it.
    if (m_model && !hasTwoStacks()) return !m_model->network->config().seesBothWays(Stack::Only);
    return m_stack->currentIndex() == 0;
}

int MaskView::slidingWindow() const {
    const bool isRead = m_model && m_handScores.empty();
    return isRead && m_model->network->config().isWindowed(0) ? m_model->network->config().slidingWindow : 0;
}

MaskingWay MaskView::way() const {
    return static_cast<MaskingWay>(m_way->currentIndex());
}

ShownMask MaskView::shownMask() const {
    const bool isThere = m_pages->currentIndex() == 0, isByHand = !m_handScores.empty();
    using Kind = AttentionBlock::Kind;
    const Kind kind = isByHand || !m_model || !hasTwoStacks() ? Kind::Self
                      : isCausal()                            ? Kind::DecoderSelf
                                                              : Kind::EncoderSelf;
    const TraceRecord* const from = isByHand || !m_padded ? nullptr : firstScores(*m_padded, kind);
    return {from ? scopeTitle(*from) : QString(),
            std::max(0, m_head->currentIndex()),
            m_tokens,
            isThere ? m_scores : std::vector<float>(),
            m_original,
            m_blocked,
            way()};
}

void MaskView::setWay(MaskingWay way) {
    const QSignalBlocker quiet(m_way);
    m_way->setCurrentIndex(static_cast<int>(way));
    showStages();
}

void MaskView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    const bool other = m_trace && trace &&
                       (m_trace->sourceTokens != trace->sourceTokens || m_trace->targetTokens != trace->targetTokens);
    if (other) m_turned.clear();
    m_model = std::move(model);
    m_trace = std::move(trace);
    showSecond();
    compute();
}

bool MaskView::hasTwoStacks() const {
    return m_model->network->config().architecture == "transformer";
}

void MaskView::setScores(const QStringList& words, const std::vector<float>& scores) {
    m_handWords = words;
    m_handScores = scores;
    compute();
}

/// Scores that no model made: the future alone is closed.
void MaskView::computeByHand() {
    m_reader.drop();
    m_pages->setCurrentIndex(0);
    for (QWidget* choice : std::initializer_list<QWidget*>{m_stack, m_head, m_pads, m_padsTitle, m_batchRow})
        choice->hide();
    shareHeight();
    m_tokens = m_handWords;
    m_words = m_length = static_cast<int>(m_tokens.size());
    m_scores = m_handScores;
    m_scale = ColorScale::scores(m_scores);
    m_subtitle->setText(tr("Scores given by hand. Rows look at columns."));
    m_paddingSays->setText(tr("closes columns with no word"));
    m_causalSays->setTexts({tr("closes words not written yet")});
    closeCells(true);
}

void MaskView::closeCells(bool causal) {
    m_padding = paddingMaskOf(m_length, m_length, m_words);
    m_causal = !causal                ? std::vector<char>(m_padding.size())
               : slidingWindow() == 0 ? causalMaskOf(m_length, m_length)
                                      : windowMaskOf(m_length, m_length, slidingWindow());
    m_original.resize(m_padding.size());
    std::ranges::transform(m_padding, m_causal, m_original.begin(),
                           [](char a, char b) { return static_cast<char>(a || b); });
    applyCells();
}

void MaskView::compute() {
    if (!m_handScores.empty()) return computeByHand();
    if (!m_trace || !m_model) return m_reader.drop();
    const bool two = hasTwoStacks();
    if (!two && !firstScores(*m_trace, AttentionBlock::Kind::Self)) {
        m_reader.drop();
        return showNothing(*m_trace);
    }
    m_pages->setCurrentIndex(0);
    for (QWidget* choice : std::initializer_list<QWidget*>{m_stack, m_pads, m_padsTitle, m_batchRow})
        choice->setVisible(two);
    shareHeight();
    m_head->show();
    if (two || m_trace->sourceTokens.size() > kMostLaidOut) return readPadded();
    // A short text of a model of one stack is shown as it was read: nothing pads a single one.
    m_reader.drop();
    m_read = {};
    m_padded = m_trace;
    m_batchWords = static_cast<int>(m_trace->sourceTokens.size());
    m_longest = 0;
    showScores();
}

/// Why there are no scores to mask.
void MaskView::showNothing(const Trace& trace) {
    const QString why = whyLeftOut(trace, Part::Scores);
    m_none->setText(!why.isEmpty() ? why
                                   : tr("This model has no self-attention: it reads word after word, and there is "
                                        "nothing to mask. Open a Transformer in the room Models."));
    m_pages->setCurrentIndex(1);
}

void MaskView::showScores() {
    const bool two = hasTwoStacks();
    using Kind = AttentionBlock::Kind;
    const Kind kind = !two ? Kind::Self : isCausal() ? Kind::DecoderSelf : Kind::EncoderSelf;
    const TraceRecord* const all = firstScores(*m_padded, kind);
    if (!all) return showNothing(*m_padded);
    m_words = m_batchWords;
    const ModelConfig& config = m_model->network->config();
    m_tokens = wordList(two && isCausal() ? m_padded->targetTokens : m_padded->sourceTokens);
    m_length = static_cast<int>(m_tokens.size());

    while (m_head->count() > config.numHeads)
        m_head->removeItem(m_head->count() - 1);
    while (m_head->count() < config.numHeads)
        m_head->addItem(tr("Head %1").arg(m_head->count() + 1));
    const int head = std::clamp(m_wantedHead, 1, std::max(1, config.numHeads)) - 1;
    m_head->setCurrentIndex(head);
    const std::span<const float> scores = all->head(head);
    m_scores.assign(scores.begin(), scores.end());
    m_scale = ColorScale::scores(betweenWords(*all, m_words));
    m_subtitle->setText(tr("%1, layer 1, head %2. Rows look at columns.")
                            .arg(!two         ? tr("Self-attention")
                                 : isCausal() ? tr("Decoder self-attention")
                                              : tr("Encoder self-attention"))
                            .arg(head + 1));
    if (m_longest > 0)
        m_subtitle->setText(
            m_subtitle->text() + u' ' +
            tr("The longest sentence has %1 words; the first %2 are shown.").arg(m_longest).arg(m_words));
    sayMasks();
    closeCells(isCausal());
}

/// Cells outside of this mask wait for one that has them.
void MaskView::applyCells() {
    m_blocked = m_original;
    for (const auto& [row, column] : m_turned)
        if (row < m_length && column < m_length) {
            char& cell = m_blocked[cellIndex(row, column, m_length)];
            cell = cell ? 0 : 1;
        }
    showMasks();
    showStages();
}

void MaskView::restoreMask() {
    m_turned.clear();
    applyCells();
    emit optionsChanged();
}

void MaskView::toggle(int row, int column) {
    if (m_turned.erase({row, column}) == 0) m_turned.insert({row, column});
    applyCells();
    emit optionsChanged();
}

void MaskView::showMasks() {
    m_paddingGrid->setMask(m_tokens, m_tokens, m_padding, m_padding);
    m_causalGrid->setMask(m_tokens, m_tokens, m_causal, m_causal);
    m_combined->setMask(m_tokens, m_tokens, m_blocked, m_original);
}

void MaskView::showStages() {
    if (m_scores.empty()) return;
    const MaskedAttention result = maskedAttention(m_scores, m_blocked, m_length, m_length, way());
    MatrixData matrix{m_length, m_length, m_scores, {}, {}, m_tokens, {}, m_tokens, tr("looks"), {}, m_scale};
    const auto hide = [this](MatrixData& shown, const char* name) {
        if (m_handScores.empty()) return;
        takeOut(shown, [&](int row, int column) { return isAmong(m_veiled, {name, {row + 1, column + 1}}); });
    };
    MatrixData before = matrix;
    hide(before, "scores");
    m_before->setData(std::move(before));
    // What is −∞ is hatched; what a wrong way makes of it shows as the number it is.
    matrix.values = result.scores;
    matrix.masked.assign(m_blocked.size(), 0);
    for (size_t i = 0; i < m_blocked.size(); ++i)
        matrix.masked[i] = m_blocked[i] && result.scores[i] < 0 && std::isinf(result.scores[i]) ? 1 : 0;
    MatrixData masked = matrix;
    hide(masked, "scores");
    m_masked->setData(std::move(masked), MatrixView::Change::Recolour);
    matrix.values = result.weights;
    for (size_t i = 0; i < m_blocked.size(); ++i)
        matrix.masked[i] = m_blocked[i] && result.weights[i] == 0.0F ? 1 : 0;
    matrix.scale = ColorScale::weights();
    hide(matrix, "weights");
    m_weights->setData(matrix, MatrixView::Change::Recolour);
    m_rowSums->setSums({result.sums.begin(), result.sums.end()});

    const QString notes[] = {
        tr("e<sup>−∞</sup> is 0: a closed cell gets no weight, and the row adds up to one."),
        tr("All but right. Close a whole row: its weights are spread evenly over what must not be seen."),
        tr("Wrong: a negative score becomes +∞, and the softmax of such a row is no number."),
        tr("Wrong: the weights were shared out before, and what is taken away is missing from the sum."),
    };
    m_note->setText(notes[m_way->currentIndex()]);
    saySums(result.sums);
    showBanner();
}

}  // namespace headlight

#include "moc_mask_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/mask_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/data/translate.h"
#include "core/error.h"
#include "ui/session/format/number_format.h"
#include "ui/session/trace/mask_batch.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/tinted_box.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/batch_strip.h"

namespace headlight {

namespace {

QLabel* sign(const QString& text) {
    auto* label = new Caption(text, 15, QFont::DemiBold, Caption::Tone::Secondary);
    label->setAlignment(Qt::AlignCenter);
    label->setFixedWidth(28);
    return label;
}

QWidget* titled(const QString& title, const QString& caption, QWidget* content) {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main));
    row->addWidget(new Caption(caption, 12, QFont::Normal, Caption::Tone::Faint), 1);
    column->addLayout(row);
    column->addWidget(content, 1);
    return part;
}

}  // namespace

MaskView::MaskView(QWidget* parent)
    : QWidget(parent),
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
    auto* column = new QVBoxLayout(room);
    m_pages->addWidget(room);
    auto* none = new Caption(tr("This model has no self-attention: it reads word after word, and there is nothing to "
                                "mask. Open a Transformer in the room Models."),
                             13, QFont::Normal, Caption::Tone::Secondary);
    none->setAlignment(Qt::AlignCenter);
    none->setWordWrap(true);
    m_pages->addWidget(none);
    column->setContentsMargins(24, 12, 20, 16);
    column->setSpacing(10);
    column->addWidget(makeHeading());
    column->addWidget(makeBatch());
    column->addWidget(makeMasks(), 4);
    column->addWidget(makeBanner());
    column->addWidget(makeStages(), 6);

    connect(m_stack, &QComboBox::activated, this, &MaskView::compute);
    connect(m_head, &QComboBox::activated, this, &MaskView::compute);
    connect(m_pads, &SegmentedControl::currentChanged, this, &MaskView::compute);
    connect(m_way, &SegmentedControl::currentChanged, this, &MaskView::showStages);
    connect(m_batch, &BatchStrip::rowChosen, this, &MaskView::compute);
    connect(m_second, &QLineEdit::editingFinished, this, [this] {
        readSecond();
        compute();
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

QWidget* MaskView::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(new Caption(tr("Masks"), 18, QFont::DemiBold, Caption::Tone::Main));
    words->addWidget(m_subtitle);
    row->addLayout(words, 1);
    row->addWidget(new Caption(tr("Padding"), 12, QFont::Medium, Caption::Tone::Secondary));
    row->addWidget(m_pads);
    row->addWidget(m_stack);
    row->addWidget(m_head);
    m_pads->setAccessibleName(tr("Padding tokens behind the sentence"));
    return heading;
}

QWidget* MaskView::makeBatch() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_second->setPlaceholderText(tr("A second sentence"));
    m_second->setAccessibleName(tr("The second sentence of the batch"));
    m_second->setFixedWidth(220);
    row->addWidget(m_batch, 1);
    row->addWidget(new Caption(tr("Sentence 2"), 12, QFont::Medium, Caption::Tone::Secondary), 0, Qt::AlignBottom);
    row->addWidget(m_second, 0, Qt::AlignBottom);
    m_batchRow = new QWidget;
    m_batchRow->setLayout(row);
    return m_batchRow;
}

QWidget* MaskView::makeMasks() {
    auto* card = new Card(tr("What may be looked at"), tr("a hatched cell is closed"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(titled(tr("Padding"), tr("closes columns that hold no word"), m_paddingGrid), 1);
    row->addWidget(sign(tr("or")));
    row->addWidget(titled(tr("Causal"), tr("closes words not written yet"), m_causalGrid), 1);
    row->addWidget(sign(QStringLiteral("=")));
    row->addWidget(titled(tr("Both"), tr("click a cell to open or close it"), m_combined), 1);
    card->body()->addLayout(row);
    return card;
}

QWidget* MaskView::makeBanner() {
    m_banner = new TintedBox(TintedBox::Tone::Now);
    m_banner->setFixedHeight(48);
    auto* row = new QHBoxLayout(m_banner);
    row->setContentsMargins(46, 0, 12, 0);
    m_bannerText = new Caption({}, 13, QFont::Normal, Caption::Tone::Main);
    auto* reset = new Button(Button::Kind::Ghost, tr("As it should be"), Icon::Reset);
    connect(reset, &Button::clicked, this, &MaskView::restoreMask);
    row->addWidget(m_bannerText, 1);
    row->addWidget(reset);
    m_banner->hide();
    return m_banner;
}

QWidget* MaskView::makeStages() {
    auto* card = new Card(tr("From scores to weights"));
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    card->header()->insertWidget(1, m_note, 1);
    card->header()->addWidget(m_way);
    m_way->setAccessibleName(tr("Way of masking"));
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(titled(tr("Scores"), tr("before the mask"), m_before), 1);
    row->addWidget(titled(tr("Masked"), tr("what the softmax is given"), m_masked), 1);
    row->addWidget(titled(tr("Weights"), tr("below each word the sum of its row"), m_weights), 1);
    card->body()->addLayout(row, 1);
    return card;
}

bool MaskView::isCausal() const {
    // A language model writes what it reads; a classifier has it all before it.
    if (m_model && !hasTwoStacks()) return m_model->network->config().corpusKind() == CorpusKind::Text;
    return m_stack->currentIndex() == 0;
}

MaskingWay MaskView::way() const {
    return static_cast<MaskingWay>(m_way->currentIndex());
}

void MaskView::setWay(MaskingWay way) {
    m_way->setCurrentIndex(static_cast<int>(way));
    showStages();
}

void MaskView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_model = std::move(model);
    m_trace = std::move(trace);
    m_secondTrace.reset();
    if (m_model && m_trace && hasTwoStacks()) {
        // The beginning of the sentence is a shorter one that the model knows the words of.
        const QStringList words = wordList(m_trace->sourceTokens);
        m_second->setText(words.mid(0, (words.size() + 1) / 2).join(u' '));
        readSecond();
    }
    compute();
}

/// What the model makes of the second sentence; a sentence that it cannot read leaves the batch with one.
void MaskView::readSecond() {
    m_secondTrace.reset();
    m_second->setToolTip({});
    if (!m_model || m_second->text().trimmed().isEmpty()) return;
    try {
        m_secondTrace = std::make_shared<const Trace>(traceSentence(*m_model, m_second->text().toStdString()));
    } catch (const Error& error) {
        m_second->setToolTip(QString::fromUtf8(error.what()));
    }
}

bool MaskView::hasTwoStacks() const {
    return m_model->network->config().architecture == "transformer";
}

/// An encoder-decoder reads the chosen sentence once more, filled up to the length of the batch.
void MaskView::readPadded() {
    std::vector<const Trace*> sentences{m_trace.get()};
    if (m_secondTrace) sentences.push_back(m_secondTrace.get());
    const auto chosen = std::min(static_cast<size_t>(m_batch->chosen()), sentences.size() - 1);
    MaskBatch batch = padBatch(*m_model, sentences, chosen, isCausal() ? BatchSide::Target : BatchSide::Source,
                               m_pads->currentIndex());
    m_words = batch.words;
    m_padded = std::move(batch.trace);
    m_batch->setRows(std::move(batch.rows));
}

/// A model of one stack is shown as it read the sentence: nothing pads a single one.
void MaskView::readAsItIs() {
    m_padded = m_trace;
    m_words = static_cast<int>(m_trace->sourceTokens.size());
}

void MaskView::setScores(const QStringList& words, const std::vector<float>& scores) {
    m_handWords = words;
    m_handScores = scores;
    compute();
}

/// Scores that no model made: the future alone is closed.
void MaskView::computeByHand() {
    m_pages->setCurrentIndex(0);
    for (QWidget* choice : std::initializer_list<QWidget*>{m_stack, m_head, m_pads, m_batchRow})
        choice->hide();
    m_tokens = m_handWords;
    m_words = m_length = static_cast<int>(m_tokens.size());
    m_scores = m_handScores;
    m_subtitle->setText(tr("Scores given by hand. Rows look, columns are looked at."));
    closeCells(true);
}

void MaskView::closeCells(bool causal) {
    m_padding = paddingMaskOf(m_length, m_length, m_words);
    m_causal = causal ? causalMaskOf(m_length, m_length) : std::vector<char>(m_padding.size());
    m_original.resize(m_padding.size());
    std::ranges::transform(m_padding, m_causal, m_original.begin(),
                           [](char a, char b) { return static_cast<char>(a || b); });
    restoreMask();
}

void MaskView::compute() {
    if (!m_handScores.empty()) return computeByHand();
    if (!m_trace || !m_model) return;
    const bool two = hasTwoStacks();
    const bool any = two || m_trace->find("layers.0.self_attn.scores");
    m_pages->setCurrentIndex(any ? 0 : 1);
    if (!any) return;
    if (two)
        readPadded();
    else
        readAsItIs();
    m_stack->setVisible(two);
    m_pads->setEnabled(two);
    m_pads->show();
    m_head->show();
    m_batchRow->setVisible(two);
    const ModelConfig& config = m_model->network->config();
    m_tokens = wordList(two && isCausal() ? m_padded->targetTokens : m_padded->sourceTokens);
    m_length = static_cast<int>(m_tokens.size());

    while (m_head->count() > config.numHeads)
        m_head->removeItem(m_head->count() - 1);
    while (m_head->count() < config.numHeads)
        m_head->addItem(tr("Head %1").arg(m_head->count() + 1));
    const int head = std::max(0, m_head->currentIndex());
    const std::string block = !two         ? "layers.0.self_attn"
                              : isCausal() ? "decoder.layers.0.self_attn"
                                           : "encoder.layers.0.self_attn";
    const std::span<const float> scores = m_padded->at(block + ".scores").head(head);
    m_scores.assign(scores.begin(), scores.end());
    m_subtitle->setText(tr("%1, layer 1, head %2. Rows look, columns are looked at.")
                            .arg(!two         ? tr("Self-attention")
                                 : isCausal() ? tr("Decoder self-attention")
                                              : tr("Encoder self-attention"))
                            .arg(head + 1));
    closeCells(isCausal());
}

void MaskView::restoreMask() {
    m_blocked = m_original;
    showMasks();
    showStages();
}

void MaskView::toggle(int row, int column) {
    char& cell = m_blocked[cellIndex(row, column, m_length)];
    cell = cell ? 0 : 1;
    showMasks();
    showStages();
}

void MaskView::showMasks() {
    m_paddingGrid->setMask(m_tokens, m_tokens, m_padding, m_padding);
    m_causalGrid->setMask(m_tokens, m_tokens, m_causal, m_causal);
    m_combined->setMask(m_tokens, m_tokens, m_blocked, m_original);
}

void MaskView::showStages() {
    if (m_scores.empty()) return;
    const MaskedAttention result = maskedAttention(m_scores, m_blocked, m_length, m_length, way());
    const ColorScale scale = ColorScale::scores(m_scores);
    MatrixData matrix{m_length, m_length, m_scores, {}, {}, m_tokens, {}, m_tokens, tr("looks"), {}, scale};
    m_before->setData(matrix);
    // What is −∞ is hatched; what a wrong way makes of it shows as the number it is.
    matrix.values = result.scores;
    matrix.masked.assign(m_blocked.size(), 0);
    for (size_t i = 0; i < m_blocked.size(); ++i)
        matrix.masked[i] = m_blocked[i] && result.scores[i] < 0 && std::isinf(result.scores[i]) ? 1 : 0;
    m_masked->setData(matrix);
    matrix.values = result.weights;
    for (size_t i = 0; i < m_blocked.size(); ++i)
        matrix.masked[i] = m_blocked[i] && result.weights[i] == 0.0F ? 1 : 0;
    matrix.scale = ColorScale::weights();
    for (const double sum : result.sums)
        matrix.rowSubLabels << QStringLiteral("Σ %1").arg(formatNumber(sum, 3));
    m_weights->setData(matrix);

    const QString notes[] = {
        tr("e^−∞ is 0: a closed cell gets no weight, and the row adds up to one."),
        tr("All but right. Close a whole row: its weights are spread evenly over what must not be seen."),
        tr("Wrong: a negative score becomes +∞, and the softmax of such a row is no number."),
        tr("Wrong: the weights were shared out before, and what is taken away is missing from the sum."),
    };
    m_note->setText(notes[m_way->currentIndex()]);
    m_note->setToolTip(m_note->text());
    showBanner();
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
        return m_bannerText->setText(
            tr("%1 closed that should be open.").arg(closed == 1 ? tr("1 cell") : tr("%1 cells").arg(closed)));
    const double weight = static_cast<double>(m_weights->data().value(row, column));
    const QString who = m_tokens.value(row), what = m_tokens.value(column);
    const QString told = column >= m_words
                             ? tr("“%1” now looks at padding: %2 of its weight goes to nothing.")
                             : tr("“%1” can now see “%3”, which is written later. It takes %2 of the row, and training "
                                  "would learn to copy it.");
    m_bannerText->setText(column >= m_words ? told.arg(who, formatPercent(weight, 0))
                                            : told.arg(who, formatPercent(weight, 0), what));
}

}  // namespace headlight

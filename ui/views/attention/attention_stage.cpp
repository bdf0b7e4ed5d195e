// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_stage.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/trace/left_out.h"
#include "ui/views/attention/filter_bar.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/attention/row_readout.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/heads/attention_lines.h"
#include "ui/widgets/heads/head_strip.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/words/shaded_text.h"

namespace headlight {
namespace {

constexpr int kScores = 1, kRollout = 2;  ///< places in the control

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

Button* zoomButton(const QString& sign, const QString& tip) {
    auto* button = new Button(Button::Kind::Ghost, sign);
    button->setHeight(20);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->hide();
    return button;
}

}  // namespace

AttentionStage::AttentionStage(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_quantity(new SegmentedControl({tr("Weights"), tr("Scores"), tr("Rollout")})),
      m_strip(new HeadStrip),
      m_filter(new FilterBar),
      m_entropyNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_headCard(new Card({})),
      m_matrix(new MatrixView),
      m_smaller(zoomButton(QStringLiteral("−"), tr("Smaller cells: key −, or Ctrl and the wheel"))),
      m_larger(zoomButton(QStringLiteral("+"), tr("Larger cells: key +, or Ctrl and the wheel; 0: as at first"))),
      m_sentence(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)),
      m_linesCard(new Card({})),
      m_picture(new SegmentedControl({tr("Lines"), tr("All heads"), tr("Text")})),
      m_pictureNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Faint)),
      m_lineCount(new FittingCaption(12, QFont::Normal, Caption::Tone::Faint)),
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
    column->addSpacing(8);
    column->addWidget(m_filter);
    column->addSpacing(8);
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
    m_headCard->header()->addWidget(m_smaller);
    m_headCard->header()->addWidget(m_larger);
    connect(m_smaller, &Button::clicked, m_matrix, &MatrixView::zoomOut);
    connect(m_larger, &Button::clicked, m_matrix, &MatrixView::zoomIn);
    connect(m_matrix, &MatrixView::crowded, m_smaller, &Button::setVisible);
    connect(m_matrix, &MatrixView::crowded, m_larger, &Button::setVisible);
    m_headCard->body()->addWidget(m_matrix, 1);
    m_headCard->setPanelName("matrix");
    m_headCard->body()->addWidget(m_sentence);
    return m_headCard;
}

QWidget* AttentionStage::makeLinesCard() {
    m_picture->setAccessibleName(tr("How the weights are drawn"));
    m_linesCard->header()->insertWidget(0, m_picture);
    m_linesCard->header()->addWidget(m_pictureNote);
    m_linesCard->body()->addWidget(m_lineCount);
    m_linesCard->setPanelName("lines");
    m_pictures->addWidget(scrolling(m_lines, BarPlace::Beside));
    m_pictures->addWidget(scrolling(m_text, BarPlace::Beside));
    m_linesCard->body()->addWidget(m_pictures, 1);
    m_linesCard->body()->addWidget(new Rule);
    m_linesCard->body()->addWidget(m_readout);
    return m_linesCard;
}

void AttentionStage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareRoom();
}

void AttentionStage::shareRoom() {
    constexpr int kAround = 340;  // all that stands above the cells of the large matrix and below, beside the strip
    constexpr int kMostRows = 12;
    const int room = height() - kAround - m_strip->heightWithPictures(m_strip->width());
    const bool isRoomForBoth =
        room >= std::clamp(m_block.rows, 1, kMostRows) * MatrixView::kSmallestWithNumber.height();
    m_strip->setPictured(isRoomForBoth);
    m_readout->setOneLine(!isRoomForBoth);
    m_entropyNote->setVisible(isRoomForBoth);  // it explains the bars of the small pictures
    constexpr int kWithNote = 700;             // else its card would be the wider of the two
    m_pictureNote->setVisible(width() >= kWithNote);
}

void AttentionStage::connectSelection() {
    // Of what is shown to the cell of the block.
    const auto cellAt = [this](int row, int column) -> Selection::Cell {
        if (row < 0 || column < 0) return {};
        return {m_part.rows()[static_cast<size_t>(row)], m_part.columns()[static_cast<size_t>(column)]};
    };
    const auto hover = [this, cellAt](int row, int column) { m_selection->setHovered(cellAt(row, column)); };
    const auto lock = [this, cellAt](int row, int column) { m_selection->setCell(cellAt(row, column)); };
    connect(m_matrix, &MatrixView::cellHovered, this, hover);
    connect(m_matrix, &MatrixView::cellClicked, this, lock);
    connect(m_matrix, &MatrixView::unlocked, this, [this] { m_selection->setCell({}); });
    connect(m_lines, &AttentionLines::cellHovered, this, hover);
    connect(m_lines, &AttentionLines::cellClicked, this, lock);
    connect(m_matrix, &MatrixView::zoomed, this, &AttentionStage::shownOtherwise);
    connect(m_strip, &HeadStrip::headSelected, m_selection, &Selection::setHead);
    connect(m_strip, &HeadStrip::headToggled, m_selection, &Selection::toggleHead);
    connect(m_filter, &FilterBar::changed, this, [this] {
        if (m_trace) refreshBlock();
        emit shownOtherwise();
    });
    for (SegmentedControl* choice : {m_quantity, m_picture})
        connect(choice, &SegmentedControl::currentChanged, this, [this] {
            if (m_trace) refreshBlock();
            emit shownOtherwise();
        });
    connect(m_text, &ShadedText::queryChosen, this, [this](int row) {
        const int column = std::max(0, m_part.shownColumn(m_selection->cell().key));
        m_selection->setCell({m_part.rows()[static_cast<size_t>(row)], m_part.columns()[static_cast<size_t>(column)]});
    });
}

void AttentionStage::setBlock(const AttentionBlock& block, std::shared_ptr<const Trace> trace,
                              const QSet<QString>& muted, int revealed, double phase) {
    if (m_trace != trace || m_block.scope != block.scope) m_facts.clear();
    // The same heads in another reading: without some, or of other words.
    m_change = m_trace && m_trace != trace && m_block.scope == block.scope ? MatrixView::Change::Recolour
                                                                           : MatrixView::Change::Cut;
    m_block = block;
    m_trace = std::move(trace);
    m_muted = muted;
    m_revealed = revealed;
    m_phase = phase;
    m_rowLabels = rowLabels(*m_trace, block);
    m_columnLabels = columnLabels(*m_trace, block);
    refreshBlock();
    m_change = MatrixView::Change::Cut;
}

void AttentionStage::setGold(const GoldLinks& gold) {
    m_gold = gold;
    m_facts.clear();
}

void AttentionStage::showOptions(const StageState& state) {
    const QSignalBlocker quietQuantity(m_quantity), quietPicture(m_picture);
    m_quantity->setCurrentIndex(static_cast<int>(state.attention.quantity));
    const bool wall =
        state.attention.picture == AttentionOptions::Picture::Wall;  // it is the view's, and no picture of a block
    m_picture->setCurrentIndex(wall ? 0 : static_cast<int>(state.attention.picture));
    m_filter->showOptions(state);
    m_matrix->setZoom(state.attention.zoom);
    if (m_trace) refreshBlock();
}

void AttentionStage::tellOptions(StageState& state) const {
    state.attention.quantity = static_cast<AttentionOptions::Quantity>(m_quantity->currentIndex());
    state.attention.picture = static_cast<AttentionOptions::Picture>(m_picture->currentIndex());
    m_filter->tellOptions(state);
    state.attention.zoom = m_matrix->zoom();
}

bool AttentionStage::showsScores() const {
    return m_quantity->currentIndex() == kScores && m_block.scores;
}

bool AttentionStage::showsRollout() const {
    return m_quantity->currentIndex() == kRollout;
}

int AttentionStage::head() const {
    return std::clamp(m_selection->head(), 0, std::max(0, m_block.heads - 1));
}

std::vector<int> AttentionStage::heads() const {
    std::vector<int> all = m_selection->heads();
    std::erase_if(all, [this](int each) { return each >= m_block.heads; });
    return all.empty() ? std::vector<int>{head()} : all;
}

bool AttentionStage::isRevealed(const TraceRecord& record) const {
    return m_revealed < 0 || m_trace->indexOf(record.name) < m_revealed ||
           (m_phase >= 1 && m_trace->indexOf(record.name) == m_revealed);
}

std::vector<float> AttentionStage::chosenValues(const TraceRecord& record) const {
    return meanOfHeads(record, heads());
}

QString AttentionStage::headNumbers() const {
    QStringList numbers;
    for (const int head : heads())
        numbers << QString::number(head + 1);
    return numbers.join(QStringLiteral(", "));
}

/// "head 3", "the mean of heads 1, 3": what a sentence is about.
QString AttentionStage::headWords() const {
    const std::vector<int> chosen = heads();
    return chosen.size() > 1 ? tr("the mean of heads %1").arg(headNumbers()) : tr("head %1").arg(chosen.front() + 1);
}

void AttentionStage::refreshBlock() {
    m_title->setText(blockTitle(m_block));
    const QString why = whyLeftOut(*m_trace, Part::Scores);
    m_subtitle->setText(m_quantity->currentIndex() == kScores && !why.isEmpty() ? why : subtitleOf(m_block));
    m_subtitle->setToolTip(m_subtitle->text());
    findFacts();
    const double most = m_facts.front().mostEntropy;
    const double of = std::log2(static_cast<double>(std::max(1, m_block.columns)));
    // Under a mask a row that looks everywhere equally looks at fewer words.
    const QString equally = std::abs(most - of) < 1e-9
                                ? tr("log₂ %1 = %2 bit").arg(m_block.columns).arg(formatNumber(most))
                                : tr("%1 bit, the mean of log₂ of the words open to a row").arg(formatNumber(most));
    const QString gold = m_gold.empty() || m_block.kind != AttentionBlock::Kind::Cross
                             ? QString()
                             : tr("  ·  Dots: the words that belong together.");
    m_entropyNote->setText(
        tr("Bar: mean row entropy, full width = %1 (looking everywhere equally).%2").arg(equally, gold));
    m_quantity->setItemDisabled(kScores, why);

    shareRoom();
    m_filter->setHasPairs(readsPairs(m_block, m_marks));
    m_part = AttentionPart(m_block, m_marks, m_filter->filter());
    m_weights = showsRollout() ? attentionRollout(*m_trace, m_block) : chosenValues(*m_block.weights);
    refreshStrip();
    refreshMatrix();
    refreshLines();
    refreshHidden();
    refreshCell();
    showProgress();
}

/// What the filter takes out is said, and how much of the weight goes there.
void AttentionStage::refreshHidden() {
    const int hidden = m_part.hiddenColumns();
    QString words;
    if (m_part.isTooMuch())
        words = tr("nothing would be left: all are shown");
    else if (hidden > 0 && isRevealed(*m_block.weights))
        words = plural(tr("%n word(s) hidden, with %1 of the weight", nullptr, hidden), hidden)
                    .arg(formatPercent(m_part.hiddenShare(m_weights), 0));
    m_headCard->setCaption(words);
}

void AttentionStage::findFacts() {
    if (!m_facts.empty()) return;
    const HabitPlaces places(*m_trace, *m_block.weights, m_gold);
    for (int h = 0; h < m_block.heads; ++h)
        m_facts.push_back(places.read(m_block.headWeights(h)).facts());
}

void AttentionStage::refreshCell() {
    if (!m_trace) return;
    const auto asShown = [this](Selection::Cell cell) -> MatrixView::Cell {
        const MatrixView::Cell at{m_part.shownRow(cell.query), m_part.shownColumn(cell.key)};
        return at.valid() ? at : MatrixView::Cell{};
    };
    Selection::Cell cell = m_selection->shown();
    if (cell.query >= m_block.rows || cell.key >= m_block.columns) cell = {};
    const MatrixView::Cell at = asShown(cell);
    if (!at.valid()) cell = {};  // of a word that is taken out
    m_matrix->setHovered(asShown(m_selection->hovered()));
    m_matrix->setLocked(asShown(m_selection->cell()));
    m_lines->setShown(at.row, at.column);
    m_text->setQuery(at.row);
    m_strip->setEcho(cell.query, cell.key);
    const bool revealed = isRevealed(*m_block.weights);
    m_sentence->setText(isUnderWay(shownRecord())      ? sentenceUnderWay()
                        : revealed                     ? sentence(cell)
                        : isUnderWay(*m_block.weights) ? tr("Being computed: move the playhead on.")
                                                       : tr("Computed in a later step: move the playhead on."));
    const bool hides =
        cell.valid() && std::ranges::any_of(m_part.columns(), [&](int column) { return isVeiled(cell.query, column); });
    if (!cell.valid() || !revealed || hides) return m_readout->setRow({}, {}, {}, -1);
    const std::vector<float> shown = showsScores() ? chosenValues(*m_block.scores) : m_weights;
    std::vector<float> row;
    for (const int column : m_part.columns())
        row.push_back(shown[cellIndex(cell.query, column, m_block.columns)]);
    QString title = tr("Row “%1”").arg(m_rowLabels.value(cell.query));
    if (showsRollout())
        title = tr("%1, of all heads").arg(title);
    else if (heads().size() > 1)
        title = tr("%1, %2").arg(title, headWords());
    m_readout->setRow(title, m_part.columnsOf(m_columnLabels), row, at.column);
}

QString AttentionStage::sentence(Selection::Cell cell) const {
    if (!cell.valid()) return tr("Point at a cell to read it. Click to keep it.");
    const size_t at = cellIndex(cell.query, cell.key, m_block.columns);
    const QString from = m_rowLabels.value(cell.query), to = m_columnLabels.value(cell.key);
    const std::vector<float>& shown = m_matrix->data().values;
    const int row = m_part.shownRow(cell.query), column = m_part.shownColumn(cell.key);
    if (isVeiled(cell.query, cell.key)) return tr("Hidden until you have predicted it.");
    if (m_matrix->data().isMasked(row, column))
        return tr("“%1” comes later: while writing “%2” it may not be looked at.").arg(to, from);
    const double value = static_cast<double>(shown[cellIndex(row, column, m_matrix->data().columns)]);
    if (showsScores()) return tr("For “%1”, %2 scores “%3” %4.").arg(from, headWords(), to, formatNumber(value, 3));
    if (showsRollout())
        return tr("%1 of what reaches “%2” here comes from “%3”.").arg(formatNumber(value, 3), from, to);
    const QString text = m_block.rowsWrite() ? tr("Writing “%1”, %2 puts %3 of its weight on “%4”.")
                                             : tr("Reading “%1”, %2 puts %3 of its weight on “%4”.");
    return text.arg(from, headWords(), formatNumber(static_cast<double>(m_weights[at]), 3), to);
}

}  // namespace headlight

#include "moc_attention_stage.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/query_key_value_view.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/session/open/playhead.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/laboratory/batch_shapes.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/laboratory/score_plane.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/matrix/cell_index.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/play_bar.h"

namespace headlight {

namespace {

constexpr double kWidestWord = 120;  ///< of the row that is played

using RoleColor = QColor (*)(const Theme&);

/// A card whose edge tells the role of its matrix: query, key, value.
class RoleCard : public Card {
public:
    RoleCard(const QString& title, const QString& caption, RoleColor color) : Card(title, caption), m_color(color) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        Card::paintEvent(event);
        if (!m_color) return;
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, QRectF(0, 16, 4, 28), m_color(Theme::of(this)), {}, 2);
    }

private:
    RoleColor m_color;
};

}  // namespace

QueryKeyValueView::QueryKeyValueView(QWidget* parent)
    : ViewWidget(parent),
      m_source(new SegmentedControl({tr("Worked example"), tr("A head")})),
      m_block(new ComboBox(tr("Attention block"))),
      m_head(new ComboBox(tr("Head"))),
      m_scaled(new SegmentedControl({tr("/ √dₖ"), tr("not scaled")})),
      m_temperature(new Slider),
      m_temperatureText(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_cellTitle(new Caption({}, 12, QFont::Medium, Caption::Tone::Secondary)),
      m_cell(new QDoubleSpinBox),
      m_reset(new Button(Button::Kind::Ghost, tr("As it was"), Icon::Reset)),
      m_sum(new Caption({}, 12, QFont::Normal, Caption::Tone::Main)),
      m_picture(new SegmentedControl({tr("Equation"), tr("Matrices"), tr("Four kinds"), tr("Angle"), tr("Batch")})),
      m_pages(new QStackedWidget),
      m_equation(new EquationStage),
      m_playBar(new PlayBar(m_equation->playhead(),
                            {tr("One operation back"), tr("One operation on"), tr("How much is computed")})),
      m_plane(new ScorePlane),
      m_planeScores(new MatrixView),
      m_shapes(new BatchShapes),
      m_second(new QLineEdit),
      m_batchNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)) {
    for (MatrixView*& matrix : m_matrices)
        matrix = new MatrixView;
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(makeControls());
    m_pages->addWidget(makeEquation());
    m_pages->addWidget(makeMatrices());
    m_pages->addWidget(makeKinds());
    m_pages->addWidget(makeAngle());
    m_pages->addWidget(makeBatch());
    rows->addWidget(m_pages, 1);
    connectControls();
    connectBatch();
    showPage(Equation);
    restoreExample();
}

QWidget* QueryKeyValueView::makeControls() {
    auto* panel = new Panel(Qt::BottomEdge);
    panel->setHoldsControls();
    panel->setPanelName("controls");
    m_playBar->setPanelName("steps");
    auto* rows = new QVBoxLayout(panel);
    rows->setContentsMargins(16, 8, 16, 8);
    rows->setSpacing(6);
    m_source->setAccessibleName(tr("Whose matrices"));
    m_scaled->setAccessibleName(tr("Scaling"));
    m_picture->setAccessibleName(tr("What is shown"));
    auto* first = new QHBoxLayout;
    first->setSpacing(12);
    first->addWidget(m_picture);
    first->addWidget(m_source);
    for (ComboBox* choice : {m_block, m_head}) {
        choice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        choice->setMinimumWidth(80);
    }
    first->addWidget(m_block, 3);
    first->addWidget(m_head, 1);
    first->addStretch();
    first->addWidget(m_reset);
    rows->addLayout(first);

    auto* second = new QHBoxLayout;
    second->setSpacing(12);
    second->addWidget(m_scaled);
    second->addWidget(new Caption(tr("Temperature"), 12, QFont::Medium, Caption::Tone::Secondary));
    m_temperature->setRange(-kStepsOfADecade, kStepsOfADecade);
    m_temperature->setValue(0);
    m_temperature->setAccessibleName(tr("Temperature"));
    m_temperature->setToolTip(tr("Scores are divided by it: below 1 the largest share grows, above 1 they even out"));
    m_temperature->setValueLabel(m_temperatureText);
    m_temperature->setMinimumWidth(90);
    m_temperature->setMaximumWidth(220);
    second->addWidget(m_temperature, 1);
    m_temperatureText->setFont(monoFont(12));
    m_temperatureText->setMinimumWidth(44);
    second->addWidget(m_temperatureText);
    second->addStretch(1);
    m_cellTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_cellTitle->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    second->addWidget(m_cellTitle, 2);
    m_cell->setRange(-100, 100);
    m_cell->setDecimals(3);
    m_cell->setSingleStep(0.1);
    m_cell->setFont(monoFont(12));
    m_cell->setFixedWidth(96);
    m_cell->setAccessibleName(tr("The chosen number"));
    m_cell->setToolTip(tr("Of Q, K and V: type another, or drag it in the picture"));
    second->addWidget(m_cell);
    rows->addLayout(second);
    m_sum->setWordWrap(true);
    m_sum->setTextFormat(Qt::RichText);
    m_sum->setFont(monoFont(12));
    m_sum->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    rows->addWidget(m_sum);
    return panel;
}

QWidget* QueryKeyValueView::makeEquation() {
    auto* ground = new QWidget;
    auto* around = new QVBoxLayout(ground);
    around->setContentsMargins(16, 8, 16, 8);
    around->addWidget(m_equation);
    QScrollArea* area = scrolling(ground);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(area, 1);
    m_playBar->setFixedHeight(40);
    column->addWidget(m_playBar);
    connect(m_equation->playhead(), &Playhead::moved, this, &QueryKeyValueView::showOperation);
    return page;
}

/// Where there is little room, the matrices get it.
void QueryKeyValueView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool narrow = width() < 1000;
    const int margin = narrow ? 8 : 20;
    for (MatrixView* matrix : m_matrices)
        if (QLayout* card = matrix->parentWidget() ? matrix->parentWidget()->layout() : nullptr)
            card->setContentsMargins(margin, 14, margin, 16);
    QLayout* grid = m_pages->widget(Apart)->layout();
    grid->setContentsMargins(narrow ? 8 : 20, 12, narrow ? 8 : 20, 16);
    grid->setSpacing(narrow ? 8 : 12);
}

QWidget* QueryKeyValueView::makeMatrices() {
    auto* stage = new QWidget;
    auto* grid = new QGridLayout(stage);
    grid->setContentsMargins(20, 12, 20, 16);
    grid->setSpacing(12);
    const RoleColor query = [](const Theme&t) { return t.query; }, key = [](const Theme&t) { return t.key; },
                    value = [](const Theme&t) { return t.value; };
    const struct {
        QString title, caption;
        RoleColor color;
    } all[] = {
        {tr("Q"), tr("what each word asks"), query},        {tr("K"), tr("what each word answers to"), key},
        {tr("V"), tr("what each word has to say"), value},  {tr("Scores"), tr("each query with each key"), nullptr},
        {tr("Weights"), tr("rows add up to one"), nullptr}, {tr("Output"), tr("values by their weights"), nullptr}};
    for (int i = 0; i < 6; ++i) {
        auto* card = new RoleCard(all[i].title, all[i].caption, all[i].color);
        card->body()->addWidget(m_matrices[i], 1);
        m_matrices[i]->setAccessibleName(all[i].title);
        grid->addWidget(card, i / 3, i % 3);
        grid->setColumnStretch(i % 3, 1);
        grid->setRowStretch(i / 3, 1);
    }
    return stage;
}

QWidget* QueryKeyValueView::makeKinds() {
    auto* stage = new QWidget;
    auto* grid = new QGridLayout(stage);
    grid->setContentsMargins(20, 12, 20, 16);
    grid->setSpacing(12);
    const QString titles[] = {tr("Dot product"), tr("Scaled dot product"), tr("General"), tr("Additive")};
    for (int i = 0; i < 4; ++i) {
        Card* card = m_kindCards[i] = new Card(titles[i]);
        m_kinds[i] = new MatrixView;
        m_kinds[i]->setAccessibleName(titles[i]);
        card->body()->addWidget(m_kinds[i], 1);
        grid->addWidget(card, i / 2, i % 2);
        grid->setColumnStretch(i % 2, 1);
        grid->setRowStretch(i / 2, 1);
    }
    auto* note = new Caption(
        tr("The weights that each kind gives the same queries and keys. W moves a key's numbers to the "
           "next place and adds half of each to its own, W₁ and W₂ leave everything as it is, and v is ones: "
           "what a model would have learned is set by hand here."),
        12, QFont::Normal, Caption::Tone::Secondary);
    note->setWordWrap(true);
    grid->addWidget(note, 2, 0, 1, 2);
    return stage;
}

void QueryKeyValueView::showPage(Page page) {
    const bool kinds = page == Kinds;
    if (page == Equation || page == Apart) m_apart = page == Apart;
    const QSignalBlocker quiet(m_picture);
    m_picture->setCurrentIndex(page);
    m_pages->setCurrentIndex(page);
    const bool computes = !kinds && page != Batch;
    m_scaled->setEnabled(computes);
    m_temperature->setEnabled(computes);
    m_source->setEnabled(page != Batch);
    m_sum->setVisible(page == Apart);
    if (page == Batch && !m_wantsHead) {  // the worked example is one sentence of one head
        m_wantsHead = true;
        m_edits.clear();
        load();
    }
    computeKinds();
    showAngle();
    showBatch();
}

void QueryKeyValueView::computeKinds() {
    if (m_pages->currentIndex() != Kinds) return;
    const ScoreKind kinds[] = {ScoreKind::Dot, ScoreKind::Scaled, ScoreKind::General, ScoreKind::Additive};
    const int d = m_input.width;
    const QString formulas[] = {tr("q · k"), tr("q · k / √%1").arg(d), tr("q · W k"), tr("v · tanh(W₁q + W₂k)")};
    for (int i = 0; i < 4; ++i) {
        const int learned = static_cast<int>(scoreParameters(kinds[i], d, d, d));
        const QString words =
            learned == 0 ? tr("nothing to learn") : plural(tr("%n parameter(s) to learn", nullptr, learned), learned);
        m_kindCards[i]->setCaption(formulas[i] + QStringLiteral(", ") + words);
        MatrixData matrix = m_matrices[Weights]->data();
        matrix.values = attendBy(m_input, kinds[i], m_blocked).weights;
        m_kinds[i]->setData(std::move(matrix));
    }
}

void QueryKeyValueView::setTrace(std::shared_ptr<const Trace> trace) {
    const bool other = m_trace && trace &&
                       (m_trace->sourceTokens != trace->sourceTokens || m_trace->targetTokens != trace->targetTokens);
    if (other && !showsExample()) m_edits.clear();
    m_trace = std::move(trace);
    m_blocks.clear();
    if (m_trace)
        for (const AttentionBlock& block : attentionBlocks(*m_trace))
            if (block.query) m_blocks.push_back(block);
    m_block->clear();
    for (const AttentionBlock& block : m_blocks) {
        m_block->addItem(briefBlockTitle(block), block.scope);
        m_block->setItemData(m_block->count() - 1, blockTitle(block), Qt::ToolTipRole);
    }
    chooseBlock();
    load();
}

void QueryKeyValueView::chooseBlock() {
    const int focused = m_block->findData(m_focusBlock), wanted = m_block->findData(m_wantedBlock);
    if (m_block->count() > 0) m_block->setCurrentIndex(wanted >= 0 ? wanted : std::max(0, focused));
}

void QueryKeyValueView::setExample(const QueryKeyValue& example, const QStringList& words) {
    m_example = example;
    m_exampleWords = words;
    load();
}

bool QueryKeyValueView::showsExample() const {
    return !m_wantsHead || m_blocks.empty();
}

bool QueryKeyValueView::isEdited(Matrix which) const {
    return (which == Query && m_input.query != m_original.query) || (which == Key && m_input.key != m_original.key) ||
           (which == Value && m_input.value != m_original.value);
}

void QueryKeyValueView::load() {
    const bool example = showsExample();
    m_source->setItemDisabled(1, !m_trace           ? tr("Open a model and type a sentence to see its heads.")
                                 : m_blocks.empty() ? tr("The open model has no heads with queries, keys and values.")
                                                    : QString());
    {
        const QSignalBlocker quiet(m_source);
        m_source->setCurrentIndex(example ? 0 : 1);
    }
    m_block->setVisible(!example);
    m_head->setVisible(!example);
    m_blocked.clear();
    if (example) {
        m_input = m_example;
        m_queryNames = m_keyNames = m_exampleWords;
    } else {
        loadHead();
    }
    m_original = m_input;
    applyEdits();
    pointAsWanted();
    compute();
    showBatch();
}

void QueryKeyValueView::loadHead() {
    const AttentionBlock& block = m_blocks[static_cast<size_t>(std::max(0, m_block->currentIndex()))];
    while (m_head->count() < block.heads)
        m_head->addItem(tr("Head %1").arg(m_head->count() + 1));
    while (m_head->count() > block.heads)
        m_head->removeItem(m_head->count() - 1);
    m_head->setCurrentIndex(std::min(m_wantedHead, block.heads) - 1);
    m_input = headOf(*m_trace, block.scope.toStdString(), std::max(0, m_head->currentIndex()));
    m_queryNames = rowLabels(*m_trace, block);
    m_keyNames = columnLabels(*m_trace, block);
    for (const float value : block.maskValues())
        m_blocked.push_back(std::isinf(value) ? 1 : 0);
}

std::pair<int, int> QueryKeyValueView::sizeOf(Matrix which) const {
    const bool square = which == Scores || which == Weights;
    return {which == Key || which == Value ? m_input.keys : m_input.queries, square ? m_input.keys : m_input.width};
}

void QueryKeyValueView::compute() {
    m_temperatureText->setText(formatNumber(m_sharpness));
    m_result = attend(m_input, m_scaled->currentIndex() == 0, m_sharpness, m_blocked);
    for (int i = 0; i < 6; ++i)
        showMatrix(static_cast<Matrix>(i));
    computeKinds();
    showEquation();
    point(m_pointed, m_row, m_column);
    m_reset->setEnabled(isEdited(Query) || isEdited(Key) || isEdited(Value));
}

void QueryKeyValueView::showEquation() {
    m_equation->setEquation({.input = m_input,
                             .result = m_result,
                             .queries = m_queryNames,
                             .keys = m_keyNames,
                             .blocked = m_blocked,
                             .veiledScores = veiledCells(Scores),
                             .veiledWeights = veiledCells(Weights),
                             .veiledOutput = veiledCells(Output),
                             .scaled = m_scaled->currentIndex() == 0,
                             .temperature = m_sharpness});
}

void QueryKeyValueView::showOperation() {
    const QString operations[] = {tr("Score"), tr("Softmax"), tr("Mix")};
    const QString word = m_queryNames.value(m_equation->row());
    m_playBar->setText(tr("%1, “%2”")
                           .arg(operations[m_equation->playhead()->operation()],
                                paint::elided(word, uiFont(13, QFont::DemiBold), kWidestWord)));
}

void QueryKeyValueView::showMatrix(Matrix which) {
    const std::vector<float>* numbers[] = {&m_input.query,   &m_input.key,      &m_input.value,
                                           &m_result.scores, &m_result.weights, &m_result.output};
    const bool square = which == Scores || which == Weights;
    MatrixData matrix;
    matrix.values = *numbers[which];
    matrix.rowLabels = which == Key || which == Value ? m_keyNames : m_queryNames;
    matrix.rows = static_cast<int>(matrix.rowLabels.size());
    if (square) {
        matrix.columnLabels = m_keyNames;
        matrix.masked = m_blocked;
    } else {
        for (int d = 0; d < m_input.width; ++d)
            matrix.columnLabels << QString::number(d + 1);
    }
    matrix.columns = static_cast<int>(matrix.columnLabels.size());
    // One scale for what is multiplied with one another.
    double most = 0.5;
    for (const auto* each : {&m_input.query, &m_input.key, &m_input.value})
        most = std::max(most, ColorScale::scores(*each).max);
    matrix.scale = which == Weights  ? ColorScale::weights()
                   : which == Scores ? ColorScale::scores(m_result.scores)
                                     : ColorScale{ColorScale::Kind::Diverging, most};
    takeOut(matrix, [&](int row, int column) { return isVeiled(which, row, column); });
    m_matrices[which]->setData(std::move(matrix), MatrixView::Change::Recolour);
}

/// Of the worked example, whose matrices have these names; of a head the scores and weights, by those of its trace.
bool QueryKeyValueView::isVeiled(Matrix which, int row, int column) const {
    if (m_veiled.empty()) return false;
    constexpr const char* names[] = {"Q", "K", "V", "scores", "weights", "output"};
    if (showsExample()) return isAmong(m_veiled, {names[which], {row + 1, column + 1}});
    const std::string scope = m_blocks[static_cast<size_t>(std::max(0, m_block->currentIndex()))].scope.toStdString();
    return isAmong(m_veiled,
                   {scope + '.' + names[which], {std::max(0, m_head->currentIndex()) + 1, row + 1, column + 1}});
}

std::vector<char> QueryKeyValueView::veiledCells(Matrix which) const {
    const auto [rows, columns] = sizeOf(which);
    std::vector<char> flags;
    for (int row = 0; row < rows && !m_veiled.empty(); ++row)
        for (int column = 0; column < columns; ++column)
            flags.push_back(isVeiled(which, row, column) ? 1 : 0);
    return flags;
}

void QueryKeyValueView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    compute();
}

std::vector<float>* QueryKeyValueView::editable(Matrix which) {
    return which == Query ? &m_input.query : which == Key ? &m_input.key : which == Value ? &m_input.value : nullptr;
}

void QueryKeyValueView::point(Matrix which, int row, int column) {
    m_pointed = which;
    m_row = row;
    m_column = column;
    for (MatrixView* matrix : m_matrices) {
        matrix->setLocked({});
        matrix->setHovered({});
    }
    m_matrices[which]->setLocked({row, column});
    m_equation->point({static_cast<EquationStage::Matrix>(which), row, column});
    showOperation();
    if (which == Scores) {
        m_matrices[Query]->setHovered({row, 0});
        m_matrices[Key]->setHovered({column, 0});
    } else if (which == Weights) {
        m_matrices[Scores]->setHovered({row, column});
    } else if (which == Output) {
        m_matrices[Weights]->setHovered({row, 0});
        m_matrices[Value]->setHovered({0, column});
    }
    const std::vector<float>* numbers = editable(which);
    m_cell->setEnabled(numbers != nullptr);
    const QSignalBlocker quiet(m_cell);
    const MatrixData& shown = m_matrices[which]->data();
    m_cell->setVisible(!isTakenOut(shown, row, column));
    if (!isTakenOut(shown, row, column)) m_cell->setValue(static_cast<double>(shown.value(row, column)));
    const QString scores = m_scaled->currentIndex() == 0 ? tr("Scaled scores") : tr("Scores");
    const QString names[] = {tr("Q"), tr("K"), tr("V"), scores, tr("Weights"), tr("Output")};
    m_cellTitle->setText(
        tr("%1, “%2”, %3").arg(names[which], shown.rowLabels.value(row), shown.columnLabels.value(column)));
    showArithmetic();
    const bool hasKey = which == Key || which == Value;
    if (!hasKey) m_planeQuery = row;
    if (which == Scores || which == Weights) m_planeKey = column;
    if (hasKey) m_planeKey = row;
    showAngle();
}

}  // namespace headlight

#include "moc_query_key_value_view.cpp"

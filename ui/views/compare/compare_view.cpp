// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/compare_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/compare/change_list.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/widgets/controls/card_row.h"
#include "ui/widgets/controls/choice_row.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/heads/muted_mark.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/found_list.h"
#include "ui/widgets/words/token_strip.h"

namespace headlight {

namespace {

using Kind = Comparison::Kind;

constexpr int kPanelWidth = 300;

MatrixData matrixOf(const TrainedModel& model, const Trace& trace, const TraceRecord& record, int head) {
    MatrixData matrix;
    const std::span<const float> numbers = matrixValues(record, headOf(record, head));
    matrix.rows = matrixRows(record);
    matrix.columns = matrixColumns(record);
    matrix.values.assign(numbers.begin(), numbers.end());
    matrix.rowLabels = rowNames(model, trace, record);
    matrix.columnLabels = columnNames(model, trace, record);
    matrix.masked = maskedCells(trace, record);
    return matrix;
}

}  // namespace

CompareView::CompareView(Comparison* comparison, Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_comparison(comparison),
      m_selection(selection),
      m_muted(new MutedMark(MutedMark::Size::Full)),
      m_settings(new QStackedWidget),
      m_models(new ComboBox(tr("The other model"))),
      m_block(new ComboBox(tr("Attention block"))),
      m_head(new ComboBox(tr("Heads to silence"))),
      m_other(new QLineEdit),
      m_kept(new ComboBox(tr("Kept inputs"))),
      m_changes(new ChangeList),
      m_found(new FoundList),
      m_map(new DivergenceMap),
      m_where(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_parts(new SegmentedControl({})),
      m_title(new Caption({}, 18, QFont::DemiBold, Caption::Tone::Main)),
      m_note(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_sentence(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(makePanel());
    columns->addWidget(makeStage(), 1);
    connect(comparison, &Comparison::changed, this, &CompareView::refresh);
    connect(selection, &Selection::valueChanged, this, &CompareView::showValue);
    connect(selection, &Selection::changed, this, &CompareView::showNumber);
    chooseKind(comparison->kind());
}

QWidget* CompareView::makePanel() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setFixedWidth(kPanelWidth);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(6);
    column->addWidget(new Caption(tr("Compare"), 18, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(new Caption(tr("The open model beside"), 12, QFont::Normal, Caption::Tone::Secondary));
    column->addWidget(m_muted, 0, Qt::AlignLeft);
    connect(m_muted, &MutedMark::clicked, this, &CompareView::allHeadsOnWanted);
    const QString titles[] = {tr("Another model"), tr("Itself without a head"), tr("Itself without positions"),
                              tr("Itself and another sentence"), tr("Itself with other numbers")};
    const QString more[] = {tr("reads the same sentence"), tr("its output counted as zero"),
                            tr("the encoding left out"), tr("typed below"), tr("put in by hand")};
    for (int i = 0; i < 5; ++i) {
        m_kinds[static_cast<size_t>(i)] = new ChoiceRow(titles[i], more[i]);
        column->addWidget(m_kinds[static_cast<size_t>(i)]);
        connect(m_kinds[static_cast<size_t>(i)], &ChoiceRow::clicked, this, [this, i] {
            m_seeksDifference = true;
            chooseKind(static_cast<Kind>(i));
            emit optionsChanged();
        });
    }
    const auto page = [this](std::initializer_list<QWidget*> widgets) {
        auto* part = new QWidget;
        auto* inside = new QVBoxLayout(part);
        inside->setContentsMargins(0, 6, 0, 0);
        for (QWidget* widget : widgets)
            inside->addWidget(widget);
        inside->addStretch();
        m_settings->addWidget(part);
    };
    page({m_models});
    page({m_block, m_head});
    page({});
    m_other->setPlaceholderText(tr("Another sentence"));
    m_other->setAccessibleName(tr("Another sentence"));
    m_kept->setPlaceholderText(tr("One that is kept"));
    m_kept->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // however long they are
    m_kept->hide();
    page({m_other, m_kept});
    page({m_changes});
    column->addWidget(m_settings);
    column->addWidget(new Rule);
    column->addSpacing(6);
    for (size_t i = 0; i < 2; ++i) {
        m_names[i] = new Caption({}, 12, QFont::DemiBold, Caption::Tone::Main);
        m_names[i]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        m_names[i]->setWordWrap(true);
        m_logProbs[i] = new Caption({}, 11, QFont::Normal, Caption::Tone::Faint);
        m_logProbs[i]->setFont(monoFont(11));
        auto* row = new QHBoxLayout;
        row->addWidget(m_names[i], 1);
        row->addWidget(m_logProbs[i]);
        column->addLayout(row);
        m_texts[i] = new TokenStrip;
        column->addWidget(m_texts[i]);
        column->addSpacing(10);
    }
    column->addWidget(m_found);
    column->addStretch();
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 1, 0);
    outer->addWidget(scrolling(content));

    connect(m_models, &QComboBox::activated, this, [this](int index) {
        const QString path = m_models->itemData(index).toString();
        if (path.isEmpty()) {
            emit modelWanted();
            return showModelChoice();  // there may have been none
        }
        m_comparison->setModelPath(path);
        emit optionsChanged();
    });
    for (ComboBox* choice : {m_block, m_head})
        connect(choice, &QComboBox::activated, this, [this] {
            m_seeksDifference = true;
            mute();
            emit optionsChanged();
        });
    m_head->setPlaceholderText(tr("Several heads"));
    const auto take = [this](const QString& text) {
        m_comparison->setSentence(text);
        emit optionsChanged();
    };
    connect(m_other, &QLineEdit::textEdited, this, take);
    connect(m_changes, &ChangeList::wanted, this, [this](const QStringList& changes) {
        m_comparison->setChanges(changes);
        emit optionsChanged();
    });
    connect(m_kept, &QComboBox::activated, this, [this, take](int place) { take(m_kept->itemText(place)); });
    return panel;
}

QWidget* CompareView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(4);
    auto* where = new Card(tr("How far B’s values are from A’s"),
                           tr("‖B − A‖ / ‖A‖, a stripe for each word, the number for the module"));
    where->body()->setSpacing(4);
    where->body()->addWidget(m_map, 1);
    m_where->setWordWrap(true);
    where->body()->addWidget(m_where);
    column->addWidget(where, 4);
    connect(m_map, &DivergenceMap::chosen, m_selection, &Selection::setValue);
    column->addSpacing(8);
    column->addWidget(m_title);
    auto* heading = new QHBoxLayout;
    m_note->setWordWrap(true);
    heading->addWidget(m_note, 1);
    heading->addWidget(m_parts);
    column->addLayout(heading);
    column->addSpacing(4);
    connect(m_parts, &SegmentedControl::currentChanged, this,
            [this](int part) { m_selection->setValue(m_partNames.value(part)); });
    // Three matrices side by side want room for names and some columns; beside a lesson they stand below each other.
    constexpr int kBeside = 640, kLeastHeight = 190;
    auto* row = new CardRow(kBeside);
    row->row()->setSpacing(12);
    // Scrolled, the map takes no more than it needs.
    connect(row, &CardRow::turned, this,
            [column, where](bool isStacked) { column->setStretchFactor(where, isStacked ? 0 : 4); });
    for (size_t i = 0; i < 3; ++i) {
        m_cards[i] = new Card({});
        m_matrices[i] = new MatrixView;
        m_matrices[i]->setMinimumHeight(kLeastHeight);
        m_cards[i]->body()->addWidget(m_matrices[i], 1);
        row->add(m_cards[i]);
        connect(m_matrices[i], &MatrixView::cellHovered, this, [this](int r, int c) {
            m_selection->setHoveredNumber({m_selection->head(), r, c});
        });
        connect(m_matrices[i], &MatrixView::cellClicked, this, [this](int r, int c) {
            m_selection->setNumber({m_selection->head(), r, c});
        });
        connect(m_matrices[i], &MatrixView::unlocked, this, [this] { m_selection->setNumber({}); });
    }
    column->addWidget(row, 5);
    m_sentence->setMinimumHeight(22);
    column->addWidget(m_sentence);
    return scrolling(stage);
}

/// The value that is looked at, of the open model.
const TraceRecord* CompareView::value() const {
    const auto& reading = m_comparison->first().reading();
    return reading ? reading->trace->find(m_selection->value().toStdString()) : nullptr;
}

void CompareView::refresh() {
    if (m_isTold) return;
    if (m_comparison->first().reading()) {
        chooseFirstValue(*m_selection, *m_comparison->first().reading()->trace);
        showBlocks();
        if (m_comparison->kind() == Kind::Heads && m_comparison->mutedHeads().isEmpty() && m_block->count() > 0)
            return m_comparison->setMutedHeads(defaultHeads());  // comes back here
    }
    const auto& own = m_comparison->first().reading();
    m_muted->setHeads(m_comparison->first().mutedHeads(), own ? own->trace.get() : nullptr);
    meetOtherModel();
    showWhatDiffers();
    showChoices();
    showText();
    fillMap();
    showValue();
}

void CompareView::showText() {
    const Session* sides[] = {&m_comparison->first(), &m_comparison->second()};
    const bool ready = m_comparison->isReady();
    QStringList reference;
    for (size_t i = 0; i < 2; ++i) {
        const auto& reading = sides[i]->reading();
        const bool shown = reading && (i == 0 || ready);
        const TranslationRow row = shown ? reading->muted.value_or(reading->baseline) : TranslationRow();
        m_names[i]->setText(i == 0 ? tr("A  ·  %1").arg(sides[0]->modelName())
                                   : tr("B  ·  %1").arg(m_comparison->title()));
        m_texts[i]->setTokens(row.words, row.probabilities, i == 0 ? QStringList() : reference);
        m_logProbs[i]->setText(row.words.isEmpty() ? QString() : formatLogProb(row.logProb));
        reference = row.words;
    }
    m_found->setFound(m_comparison->found(), tr("now"));
}

void CompareView::fillMap() {
    if (!m_comparison->isReady()) {
        m_map->clear();
        m_where->setText({});
        return;
    }
    const Session& first = m_comparison->first();
    const Trace &a = *first.reading()->trace, &b = *m_comparison->second().reading()->trace;
    std::vector<Divergence> all = divergences(a, b);
    m_where->setText(whereTheyPart(all));
    const QStringList silent = m_comparison->kind() == Kind::Heads ? m_comparison->mutedHeads() : QStringList();
    m_map->setReadings(*first.model(), a, std::move(all), silent, m_comparison->made());
}

/// The values of the module that is looked at, in the order of computation.
void CompareView::fillParts(const TraceRecord& value) {
    QStringList names, titles;
    for (const TraceRecord& record : m_comparison->first().reading()->trace->records()) {
        if (record.owner().scope != value.owner().scope) continue;
        if (record.operation == Operation::Input || record.operation == Operation::Mask) continue;
        names << QString::fromStdString(record.name);
        titles << valueTitle(record);
    }
    const QSignalBlocker quiet(m_parts);
    if (names != m_partNames) m_parts->setItems(titles);
    m_partNames = names;
    m_parts->setCurrentIndex(static_cast<int>(names.indexOf(QString::fromStdString(value.name))));
    m_parts->setVisible(names.size() > 1);
}

void CompareView::showValue() {
    const TraceRecord* const left = value();
    const bool ready = m_comparison->isReady();
    for (MatrixView* matrix : m_matrices)
        matrix->setVisible(left && ready);
    m_map->setCurrent(left);
    if (!left || !ready) {
        m_parts->hide();
        m_title->setText(tr("Compare"));
        m_note->setText(!left ? tr("Type a sentence above to compare two readings of it.")
                        : m_comparison->kind() == Kind::Positions
                            ? tr("This model keeps its positions beside the words: they cannot be left out.")
                        : !m_comparison->problem().isEmpty() ? m_comparison->problem()
                        : m_comparison->isGone()
                            ? tr("That model of a run is not held any more. Drag its bead here from Train, Runs.")
                            : tr("Reading …"));
        return;
    }
    const Session &a = m_comparison->first(), &b = m_comparison->second();
    const Trace &first = *a.reading()->trace, &second = *b.reading()->trace;
    const TraceRecord* const right = counterpart(first, *left, second);
    const int head = m_selection->head();
    fillParts(*left);
    const QString scope = scopeTitle(*left), value = valueTitle(*left);
    m_title->setText(scope.isEmpty() ? value : tr("%1: %2").arg(scope, value));
    MatrixData one = matrixOf(*a.model(), first, *left, head);
    const bool share = left->operation == Operation::Softmax || left->operation == Operation::Gate;
    std::vector<float> both = left->values;
    if (right) both.insert(both.end(), right->values.begin(), right->values.end());
    one.scale = share ? ColorScale::weights() : ColorScale::scores(both);
    MatrixData two = right ? matrixOf(*b.model(), second, *right, head) : MatrixData();
    two.scale = one.scale;
    const std::vector<HandChange>& made = m_comparison->made();
    const bool isTouched =
        right && std::ranges::any_of(made, [&](const HandChange& each) { return actsOn(each, *right); });
    if (isTouched)
        for (int row = 0; row < two.rows; ++row)
            for (int column = 0; column < two.columns; ++column)
                two.marked.push_back(isChanged(made, *right, headOf(*right, head), row, column) ? 1 : 0);
    const bool sameShape = right && one.rows == two.rows && one.columns == two.columns;
    MatrixData apart;
    bool fedOtherwise = false;
    if (sameShape) {
        apart = one;
        const std::vector<char> other = incomparable(first, *left, second);
        fedOtherwise = !other.empty();
        apart.leftOut = other;
        std::vector<float> open;
        for (size_t i = 0; i < one.values.size(); ++i) {
            apart.values[i] = two.values[i] - one.values[i];
            if (!one.masked.empty() && !two.masked.empty()) apart.masked[i] = one.masked[i] || two.masked[i] ? 1 : 0;
            const bool isCompared = other.empty() || !other[i];
            if (isCompared && (apart.masked.empty() || !apart.masked[i])) open.push_back(apart.values[i]);
        }
        apart.scale = ColorScale::scores(open);
    }
    const QString why = right ? QString() : whyLeftOut(second, left->part);
    const QString scales = fedOtherwise ? tr("Hatched: they read other words there. One scale for A and B.")
                           : isTouched  ? tr("A dot: put in by hand. One scale for A and B.")
                                        : tr("One scale for both; the difference has its own.");
    m_note->setText(!why.isEmpty() ? tr("B: %1").arg(why)
                    : !right       ? tr("The other model computes no such value.")
                    : !sameShape   ? tr("Their shapes differ, %1 and %2: there is no difference cell by cell.")
                                       .arg(shapeText(*left), shapeText(*right))
                    : matrixHeads(*left) > 1 ? tr("Head %1. %2").arg(head + 1).arg(scales)
                                             : scales);
    m_cards[First]->setTitle(tr("A"));
    m_cards[First]->setCaption(a.modelName());
    m_cards[Second]->setTitle(tr("B"));
    m_cards[Second]->setCaption(m_comparison->title());
    m_cards[Difference]->setTitle(tr("B − A"));
    m_matrices[First]->setData(std::move(one));
    m_matrices[Second]->setData(std::move(two));
    m_matrices[Difference]->setData(std::move(apart));
    m_matrices[Second]->setVisible(right);
    m_matrices[Difference]->setVisible(sameShape);
    showNumber();
}

/// What would be put in at the chosen number.
void CompareView::showPlace() {
    const TraceRecord* const left = value();
    const ValueCell cell = m_selection->number();
    const MatrixData& shown = m_matrices[First]->data();
    if (m_comparison->kind() != Kind::Changes || !left || !cell.valid() || cell.row >= shown.rows ||
        cell.column >= shown.columns || !m_matrices[First]->isVisibleTo(this))
        return m_changes->clearPlace();
    HandChange number{.name = left->name};
    if (left->shape.size() > 2) number.indices = {headOf(*left, m_selection->head()) + 1};
    number.indices.insert(number.indices.end(), {cell.row + 1, cell.column + 1});
    const MatrixData& other = m_matrices[Second]->data();
    const bool both = cell.row < other.rows && cell.column < other.columns;
    number.number = (both ? other : shown).value(cell.row, cell.column);
    m_changes->setPlace(
        number, tr("%1, “%2”, “%3”")
                    .arg(m_title->text(), shown.rowLabels.value(cell.row), shown.columnLabels.value(cell.column)));
}

void CompareView::showNumber() {
    showPlace();
    const ValueCell cell = m_selection->shownNumber();
    const auto holds = [&](const MatrixData& matrix) {
        return cell.valid() && cell.row < matrix.rows && cell.column < matrix.columns;
    };
    for (MatrixView* matrix : m_matrices)
        matrix->setLocked(holds(matrix->data()) ? MatrixView::Cell{cell.row, cell.column} : MatrixView::Cell{});
    const MatrixData& apart = m_matrices[Difference]->data();
    if (!holds(apart) || m_matrices[Difference]->isHidden())
        return m_sentence->setText(tr("Point at a cell to read both."));
    const auto at = [&](Side side) {
        return static_cast<double>(m_matrices[side]->data().value(cell.row, cell.column));
    };
    if (apart.isLeftOut(cell.row, cell.column))
        return m_sentence->setText(tr("“%1”, “%2”:  A %3,  B %4,  but of other words")
                                       .arg(apart.rowLabels.value(cell.row), apart.columnLabels.value(cell.column),
                                            formatNumber(at(First), 3), formatNumber(at(Second), 3)));
    m_sentence->setText(tr("“%1”, “%2”:  A %3,  B %4,  difference %5")
                            .arg(apart.rowLabels.value(cell.row), apart.columnLabels.value(cell.column),
                                 formatNumber(at(First), 3), formatNumber(at(Second), 3),
                                 formatSigned(at(Difference), 3)));
}

QString CompareView::sentence() const {
    return m_sentence->text();
}

}  // namespace headlight

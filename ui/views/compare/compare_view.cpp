// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/compare_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/session/open/selection.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/compare/apart_scale.h"
#include "ui/views/compare/change_list.h"
#include "ui/views/compare/divergence_map.h"
#include "ui/views/compare/fed_table.h"
#include "ui/views/compare/head_chips.h"
#include "ui/views/compare/parting_lines.h"
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
#include "ui/widgets/words/word_bars.h"

namespace headlight {

namespace {

using Kind = Comparison::Kind;

constexpr int kNarrowest = 300, kCompareWidest = 392;

}  // namespace

CompareView::CompareView(Comparison* comparison, Selection* selection, QWidget* parent)
    : ViewWidget(parent),
      m_comparison(comparison),
      m_selection(selection),
      m_muted(new MutedMark(MutedMark::Size::Full)),
      m_models(new ComboBox(tr("The other model"))),
      m_block(new ComboBox(tr("Attention block"))),
      m_heads(new HeadChips),
      m_headsNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_other(new QLineEdit),
      m_kept(new ComboBox(tr("Kept inputs"))),
      m_changes(new ChangeList),
      m_found(new FoundList),
      m_fed(new FedTable),
      m_map(new DivergenceMap),
      m_lines(new PartingLines),
      m_piecesNote(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_pieces(new WordBars(WordBars::Use::Choose)),
      m_where(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_parts(new SegmentedControl({})),
      m_title(new Caption({}, 15, QFont::DemiBold, Caption::Tone::Main)),
      m_note(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_sentence(new Caption({}, 13, QFont::Medium, Caption::Tone::Main)) {
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    m_models->setPlaceholderText(tr("Choose a model"));
    columns->addWidget(makePanel());
    columns->addWidget(makeStage(), 1);
    connect(comparison, &Comparison::changed, this, &CompareView::refresh);
    connect(selection, &Selection::valueChanged, this, &CompareView::showValue);
    connect(selection, &Selection::changed, this, &CompareView::showNumber);
    chooseKind(comparison->chosenKind());
}

QWidget* CompareView::makePanel() {
    auto* panel = new Panel(Qt::RightEdge);
    panel->setPanelName("side");
    panel->takeShare(kNarrowest, kCompareWidest);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(6);
    column->addWidget(new Caption(tr("Compare"), 18, QFont::DemiBold, Caption::Tone::Main));
    column->addWidget(new Caption(tr("A, the open model, beside B"), 12, QFont::Normal, Caption::Tone::Secondary));
    column->addWidget(m_muted, 0, Qt::AlignLeft);
    connect(m_muted, &MutedMark::clicked, this, &CompareView::allHeadsOnWanted);
    const QString titles[] = {tr("Another model"), tr("Itself without heads"), tr("Itself without positions"),
                              tr("Itself and another sentence"), tr("Itself with other numbers")};
    const QString more[] = {tr("reads the same sentence"), tr("their output counted as zero"),
                            tr("the encoding left out"), tr("typed below"), tr("put in by hand")};
    auto* kinds = new QVBoxLayout;
    kinds->setSpacing(2);
    for (int i = 0; i < 5; ++i) {
        m_kinds[static_cast<size_t>(i)] = new ChoiceRow(titles[i], more[i], ChoiceRow::Size::Slim);
        kinds->addWidget(m_kinds[static_cast<size_t>(i)]);
        connect(m_kinds[static_cast<size_t>(i)], &ChoiceRow::clicked, this, [this, i] {
            m_seeksDifference = true;
            const bool isRefused = static_cast<Kind>(i) == m_comparison->chosenKind();  // and heads stand in its place
            if (isRefused && m_comparison->kind() != m_comparison->chosenKind()) m_comparison->insistOnModel();
            chooseKind(static_cast<Kind>(i));
            emit optionsChanged();
        });
    }
    column->addLayout(kinds);
    makeSettings(column);
    makeFindings(column);
    column->addStretch();
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 1, 0);
    outer->addWidget(scrolling(content));
    connectChoices();
    return panel;
}

/// What belongs to each kind of the other side.
void CompareView::makeSettings(QVBoxLayout* column) {
    const auto page = [this, column](std::initializer_list<QWidget*> widgets) {
        auto* part = new QWidget;
        auto* inside = new QVBoxLayout(part);
        inside->setContentsMargins(0, 6, 0, 0);
        for (QWidget* widget : widgets)
            inside->addWidget(widget);
        m_settings.push_back(part);
        column->addWidget(part);
    };
    page({m_models});
    m_headsNote->setWordWrap(true);
    page({m_block, m_heads, m_headsNote});
    page({});
    m_other->setPlaceholderText(tr("Another sentence"));
    m_other->setAccessibleName(tr("Another sentence"));
    m_kept->setPlaceholderText(tr("One that is kept"));
    m_kept->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // however long they are
    m_kept->hide();
    page({m_other, m_kept});
    page({m_changes});
    column->addSpacing(4);
    column->addWidget(new Rule);
}

/// What the two are found to do: how many pieces it takes, where they part, and what each writes by itself.
void CompareView::makeFindings(QVBoxLayout* column) {
    const auto heading = [](const QString& text) {
        return new Caption(text, 13, QFont::DemiBold, Caption::Tone::Main);
    };
    m_piecesPart = new QWidget;
    auto* pieces = new QVBoxLayout(m_piecesPart);
    pieces->setContentsMargins(0, 4, 0, 0);
    pieces->setSpacing(2);
    pieces->addWidget(heading(tr("How many does it take?")));
    m_piecesNote->setWordWrap(true);
    pieces->addWidget(m_piecesNote);
    constexpr int kLabels = 128;
    m_pieces->setLabelWidth(kLabels);
    m_pieces->setAccessibleName(tr("How many pieces it takes"));
    pieces->addWidget(m_pieces);
    pieces->addSpacing(4);
    pieces->addWidget(new Rule);
    column->addWidget(m_piecesPart);
    connect(m_pieces, &WordBars::chosen, this, &CompareView::choosePieces);
    column->addSpacing(4);
    column->addWidget(heading(tr("Where they part")));
    column->addWidget(m_lines);
    connect(m_lines, &PartingLines::chosen, m_selection, &Selection::setValue);
    connect(m_lines, &PartingLines::wordChosen, this, &CompareView::chooseLine);
    m_where->setWordWrap(true);
    column->addWidget(m_where);
    column->addSpacing(4);
    column->addWidget(new Rule);
    column->addSpacing(4);
    column->addWidget(m_itself = heading(tr("What each writes by itself")));
    for (size_t i = 0; i < 2; ++i) {
        m_names[i] = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
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
        column->addSpacing(6);
    }
    column->addWidget(m_found);
}

void CompareView::connectChoices() {
    connect(m_models, &QComboBox::activated, this, [this](int index) {
        const QString path = m_models->itemData(index).toString();
        if (path.isEmpty()) {
            emit modelWanted();
            return showModelChoice();  // there may have been none
        }
        m_comparison->setModelPath(path);
        emit optionsChanged();
    });
    connect(m_block, &QComboBox::activated, this, [this] {
        m_seeksDifference = true;
        mute();
        emit optionsChanged();
    });
    connect(m_heads, &HeadChips::chosen, this,
            [this](const std::vector<int>& heads) { muteIn(m_block->currentData().toString(), heads); });
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
}

/// The value's name, what is to be said of it, and its parts; beside a lesson the name has a line of its own.
QWidget* CompareView::makeHeading() {
    constexpr int kOneLine = 700;
    auto* heading = new CardRow(kOneLine);
    heading->row()->setSpacing(8);
    heading->row()->addWidget(m_title);
    auto* rest = new QWidget;
    auto* row = new QHBoxLayout(rest);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_note->setWordWrap(true);
    row->addWidget(m_note, 1);
    row->addWidget(m_parts);
    heading->row()->addWidget(rest, 1);
    heading->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    return heading;
}

QWidget* CompareView::makeStage() {
    auto* stage = new QWidget;
    auto* column = new QVBoxLayout(stage);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(4);
    auto* where = new Card(tr("How far B’s values are from A’s"), tr("‖B − A‖ / ‖A‖, a stripe for each word"));
    where->setPanelName("map");
    m_mapCard = where;
    where->header()->addWidget(new ApartScale);
    where->body()->setSpacing(4);
    where->body()->addWidget(m_map, 1);
    column->addWidget(m_fed);
    column->addSpacing(4);
    connect(m_fed, &FedTable::chosen, this, &CompareView::chooseFedRow);
    column->addWidget(where, 3);
    connect(m_map, &DivergenceMap::chosen, m_selection, &Selection::setValue);
    column->addSpacing(4);
    // Put away together: a title over nothing says nothing.
    auto* below = new Foldable;
    below->setPanelName("matrices");
    auto* matrices = new QVBoxLayout(below);
    matrices->setContentsMargins(0, 0, 0, 0);
    matrices->setSpacing(4);
    matrices->addWidget(makeHeading());
    matrices->addSpacing(4);
    connect(m_parts, &SegmentedControl::currentChanged, this,
            [this](int part) { m_selection->setValue(m_partNames.value(part)); });
    // Three matrices side by side want room for names and some columns; beside a lesson they stand below each other.
    constexpr int kSideBySide = 640, kLeastHeight = 172;
    auto* row = new CardRow(kSideBySide);
    row->row()->setSpacing(12);
    // Scrolled, the map takes no more than it needs.
    connect(row, &CardRow::turned, this,
            [column, where](bool isStacked) { column->setStretchFactor(where, isStacked ? 0 : 3); });
    for (size_t i = 0; i < 3; ++i) {
        m_cards[i] = new Card({});
        m_matrices[i] = new MatrixView;
        m_matrices[i]->setMinimumHeight(kLeastHeight);
        // The page is as high as it must be, and no higher than the window where that will do.
        m_matrices[i]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
        m_matrices[i]->setColumns(MatrixView::Columns::AllAtOnce);
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
    m_matrixRow = row;
    matrices->addWidget(row, 1);
    m_sentence->setMinimumHeight(22);
    matrices->addWidget(m_sentence);
    column->addWidget(below, 5);
    return scrolling(stage);
}

void CompareView::fillMap() {
    if (!m_comparison->isReady()) {
        m_map->clear();
        m_whereAll.clear();
        return;
    }
    const Session& first = m_comparison->first();
    const Trace &a = *first.reading()->trace, &b = *m_comparison->second().reading()->trace;
    std::vector<Divergence> all = divergences(a, b);
    m_whereAll = whereTheyPart(all);
    const QStringList silent = m_comparison->kind() == Kind::Heads ? m_comparison->mutedHeads() : QStringList();
    m_map->setReadings(*first.model(), a, std::move(all), silent, m_comparison->made());
}

void CompareView::refresh() {
    if (m_isTold) return;
    if (m_comparison->first().reading()) {
        const QString before = m_selection->value();
        chooseFirstValue(*m_selection, *m_comparison->first().reading()->trace);
        if (m_selection->value() != before) m_seeksDifference = true;  // nobody has chosen what is shown
        showBlocks();
        if (m_comparison->kind() == Kind::Heads && m_comparison->mutedHeads().isEmpty() && m_block->count() > 0)
            return m_comparison->setMutedHeads(defaultHeads());  // comes back here
    }
    const auto& own = m_comparison->first().reading();
    m_muted->setHeads(m_comparison->first().mutedHeads(), own ? own->trace.get() : nullptr);
    meetOtherModel();
    showWhatDiffers();
    showFed();
    showChoices();
    showText();
    fillMap();
    showPieces();
    showValue();
}

}  // namespace headlight

#include "moc_compare_view.cpp"

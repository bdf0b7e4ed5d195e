// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/wall_search.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QScrollArea>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/attention/wall_rows.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/range_slider.h"

namespace headlight {

namespace {

constexpr int kSearchWidth = 276;
constexpr int kSearchMargin = 20;
constexpr int kRowMargin = kSearchMargin - 8;  ///< rows have a ground that reaches further out than their text

QString kindName(AttentionBlock::Kind kind) {
    switch (kind) {
        case AttentionBlock::Kind::EncoderSelf:
            return WallSearch::tr("Encoder");
        case AttentionBlock::Kind::DecoderSelf:
            return WallSearch::tr("Decoder");
        case AttentionBlock::Kind::Cross:
            return WallSearch::tr("Cross");
        case AttentionBlock::Kind::Self:
            return WallSearch::tr("Self");
    }
    return {};
}

QVBoxLayout* column(QWidget* of, int margin, int spacing) {
    auto* layout = new QVBoxLayout(of);
    layout->setContentsMargins(margin, 0, margin, 0);
    layout->setSpacing(spacing);
    return layout;
}

Button* smallButton(const QString& label, const QString& tip) {
    auto* button = new Button(Button::Kind::Ghost, label);
    button->setHeight(26);
    button->setToolTip(tip);
    return button;
}

}  // namespace

WallSearch::WallSearch(QWidget* parent) : Panel(Qt::RightEdge, parent) {
    setFixedWidth(kSearchWidth);
    auto* content = new QWidget;
    auto* all = new QVBoxLayout(content);
    all->setContentsMargins(0, 12, 1, 16);
    all->setSpacing(10);
    for (QWidget* part : {makeHeading(), makeSearch(), makeHabits(), makeLayers(), makeOrders()}) {
        if (all->count() > 1) all->addWidget(new Rule);
        all->addWidget(part);
    }
    all->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 1, 0);
    whole->addWidget(scrolling(content));
}

QWidget* WallSearch::makeHeading() {
    auto* part = new QWidget;
    auto* parts = column(part, kSearchMargin, 8);
    auto* row = new QHBoxLayout;
    m_size = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    auto* back = smallButton(tr("One block"), tr("The heads of one block, large enough to read"));
    row->addWidget(new Caption(tr("Heads"), 18, QFont::DemiBold, Caption::Tone::Main));
    row->addSpacing(4);
    row->addWidget(m_size, 1);
    row->addWidget(back);
    parts->addLayout(row);
    m_kind = new SegmentedControl({});
    m_kind->setAccessibleName(tr("Which attention"));
    parts->addWidget(m_kind);
    connect(back, &Button::clicked, this, &WallSearch::oneBlockWanted);
    connect(m_kind, &SegmentedControl::currentChanged, this, [this](int index) {
        if (index >= 0 && index < static_cast<int>(m_kinds.size()))
            emit kindChosen(m_kinds[static_cast<size_t>(index)]);
    });
    return part;
}

QWidget* WallSearch::makeSearch() {
    m_from = new WordPick(WordPick::Side::Looks, tr("The word that looks"));
    m_to = new WordPick(WordPick::Side::LookedAt, tr("The word that is looked at"));
    m_least = new LabelledSlider(tr("with a weight of at least"), {1, 100, 50});
    m_pair = smallButton(tr("First text to second"), tr("Only rows of the first text and columns of the second"));
    m_pair->setCheckable(true);
    m_count = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    m_count->setWordWrap(true);
    auto* part = new QWidget;
    auto* parts = column(part, 0, 6);
    auto* top = new QWidget;
    auto* topParts = column(top, kSearchMargin, 6);
    topParts->addWidget(new Caption(tr("That look from"), 12, QFont::Medium, Caption::Tone::Secondary));
    auto* words = new QHBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_from, 1);
    words->addWidget(new Caption(tr("to"), 12, QFont::Medium, Caption::Tone::Secondary));
    words->addWidget(m_to, 1);
    topParts->addLayout(words);
    topParts->addWidget(m_least);
    topParts->addWidget(m_pair, 0, Qt::AlignLeft);
    topParts->addWidget(m_count);
    parts->addWidget(top);
    auto* rows = new QWidget;
    auto* rowParts = column(rows, kRowMargin, 0);
    for (int i = 0; i < kMostFound; ++i) {
        auto* row = new FoundRow;
        m_foundRows.push_back(row);
        rowParts->addWidget(row);
        connect(row, &FoundRow::clicked, this, [this, i] {
            if (i < static_cast<int>(m_found.size())) emit headChosen(m_found[static_cast<size_t>(i)]);
        });
    }
    parts->addWidget(rows);
    for (WordPick* pick : {m_from, m_to})
        connect(pick, &WordPick::placeChosen, this, [this] { emit wordsChosen(m_from->place(), m_to->place()); });
    connect(m_least, &LabelledSlider::valueChanged, this,
            [this](int percent) { choose([percent](WallOptions& o) { o.least = percent / 100.0; }); });
    connect(m_pair, &Button::clicked, this,
            [this](bool on) { choose([on](WallOptions& o) { o.look.firstToSecond = on; }); });
    return part;
}

QWidget* WallSearch::makeHabits() {
    auto* part = new QWidget;
    auto* parts = column(part, 0, 4);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(kSearchMargin, 0, kSearchMargin, 0);
    heading->addWidget(new Caption(tr("Found to look at"), 13, QFont::DemiBold, Caption::Tone::Main), 1);
    heading->addWidget(new Caption(tr("heads"), 12, QFont::Normal, Caption::Tone::Faint));
    parts->addLayout(heading);
    auto* rows = new QWidget;
    auto* rowParts = column(rows, kRowMargin, 0);
    using enum HeadHabit;
    for (const HeadHabit habit :
         {AfterSame, SameWord, Itself, Previous, Next, Alignment, First, Punctuation, Broad, None}) {
        auto* row = new HabitRow(habit);
        m_habits.push_back(row);
        rowParts->addWidget(row);
        connect(row, &HabitRow::clicked, this, [this, habit](bool on) {
            choose([&](WallOptions& o) { o.habit = on ? std::optional(habit) : std::nullopt; });
        });
    }
    parts->addWidget(rows);
    m_judged = new Caption({}, 12, QFont::Normal, Caption::Tone::Faint);
    m_judged->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_judge = smallButton({}, {});
    auto* study = new QHBoxLayout;
    study->setContentsMargins(kSearchMargin, 0, kSearchMargin, 0);
    study->addWidget(m_judged, 1);
    study->addWidget(m_judge);
    parts->addLayout(study);
    connect(m_judge, &Button::clicked, this, [this] {
        switch (m_does) {
            case Does::Judge:
                return emit judgingWanted();
            case Does::Forget:
                return emit judgementForgotten();
            case Does::Stop:
                return emit stopWanted();
        }
    });
    return part;
}

QWidget* WallSearch::makeLayers() {
    auto* part = new QWidget;
    auto* parts = column(part, kSearchMargin, 4);
    m_layerText = new Caption({}, 12, QFont::Medium, Caption::Tone::Main);
    auto* heading = new QHBoxLayout;
    heading->addWidget(new Caption(tr("Layers"), 13, QFont::DemiBold, Caption::Tone::Main), 1);
    heading->addWidget(m_layerText);
    m_layerRange = new RangeSlider(tr("Layers"));
    parts->addLayout(heading);
    parts->addWidget(m_layerRange);
    connect(m_layerRange, &RangeSlider::rangeChanged, this, [this](int from, int to) {
        choose([&](WallOptions& o) {
            o.fromLayer = from - 1;
            o.toLayer = to == m_layers ? -1 : to - 1;
        });
    });
    return part;
}

QWidget* WallSearch::makeOrders() {
    auto* part = new QWidget;
    auto* parts = column(part, kSearchMargin, 6);
    parts->addWidget(new Caption(tr("Order"), 13, QFont::DemiBold, Caption::Tone::Main));
    m_orders = new QButtonGroup(this);
    const QStringList names{tr("Layer"),    tr("Habit"),      tr("Entropy"),
                            tr("Distance"), tr("First word"), tr("Importance")};
    QHBoxLayout* row = nullptr;
    for (int i = 0; i < names.size(); ++i) {
        if (i % 3 == 0) {
            row = new QHBoxLayout;
            row->setSpacing(6);
            parts->addLayout(row);
        }
        auto* chip = new Chip(names[i]);
        m_orders->addButton(chip, i);
        row->addWidget(chip);
    }
    connect(m_orders, &QButtonGroup::idClicked, this,
            [this](int id) { choose([id](WallOptions& o) { o.order = static_cast<WallOptions::Order>(id); }); });
    return part;
}

void WallSearch::show(const Shown& shown) {
    m_options = shown.options;
    m_layers = shown.survey.layers();
    m_size->setText(tr("%1 layers × %2").arg(m_layers).arg(shown.survey.headsALayer()));
    if (m_kinds != shown.kinds) {
        m_kinds = shown.kinds;
        QStringList names;
        for (const AttentionBlock::Kind kind : m_kinds)
            names << kindName(kind);
        const QSignalBlocker quiet(m_kind);
        m_kind->setItems(names.size() > 1 ? names : QStringList());
    }
    if (m_kinds.size() > 1) {
        const QSignalBlocker quiet(m_kind);
        m_kind->setCurrentIndex(static_cast<int>(std::ranges::find(m_kinds, shown.survey.kind()) - m_kinds.begin()));
    }
    m_pair->setVisible(shown.survey.firstText() > 0);
    m_pair->setKind(shown.options.look.firstToSecond ? Button::Kind::Primary : Button::Kind::Ghost);
    m_pair->setChecked(shown.options.look.firstToSecond);
    showFound(shown);
    showHabits(shown);
    const int from = shown.options.firstLayer(shown.survey) + 1, to = shown.options.lastLayer(shown.survey) + 1;
    m_layerRange->setRange(1, std::max(1, m_layers), from, to);
    m_layerText->setText(from == to ? QString::number(from) : tr("%1 to %2").arg(from).arg(to));
    m_orders->button(static_cast<int>(shown.options.order))->setChecked(true);
}

void WallSearch::showFound(const Shown& shown) {
    m_from->setWords(shown.survey.rowLabels());
    m_to->setWords(shown.survey.columnLabels());
    m_from->setPlace(shown.cell.query);
    m_to->setPlace(shown.cell.key);
    {
        const QSignalBlocker quiet(m_least);
        m_least->setValue(static_cast<int>(std::lround(100 * shown.options.least)));
    }
    m_least->setText(formatNumber(shown.options.least));
    m_found = shown.found;
    const auto count = static_cast<int>(m_found.size());
    m_count->setText(shown.cell.valid()
                         ? plural(tr("%n head(s), outlined at the right", nullptr, count), count)
                         : tr("Choose two words: the heads that look from one to the other are outlined."));
    for (size_t i = 0; i < m_foundRows.size(); ++i) {
        m_foundRows[i]->setVisible(i < m_found.size());
        if (i >= m_found.size()) continue;
        const HeadSurvey::Head& head = shown.survey.heads()[static_cast<size_t>(m_found[i])];
        m_foundRows[i]->setHead(tr("Layer %1, head %2").arg(head.layer + 1).arg(head.head + 1),
                                static_cast<double>(head.seen()[shown.survey.at(shown.cell.query, shown.cell.key)]),
                                m_found[i] == shown.chosen);
    }
}

void WallSearch::showHabits(const Shown& shown) {
    const std::vector<HeadHabit> possible = shown.survey.habits();
    const auto counts =
        shown.survey.count(shown.options.firstLayer(shown.survey), shown.options.lastLayer(shown.survey));
    for (HabitRow* row : m_habits) {
        row->setVisible(std::ranges::find(possible, row->habit()) != possible.end());
        row->setCount(counts[static_cast<size_t>(row->habit())], shown.survey.isCausal());
        row->setChecked(shown.options.habit == row->habit());
    }
}

void WallSearch::showStudy(const HeadStudy& study) {
    const bool isJudging = study.work() == HeadStudy::Work::Judging;
    const auto& found = study.judgement();
    const auto set = [this](Does does, const QString& label, const QString& tip) {
        m_does = does;
        m_judge->setText(label);
        m_judge->setToolTip(tip);
        m_judge->updateGeometry();
        m_judge->update();
    };
    if (isJudging) {
        m_judged->setText(tr("Reading, %1").arg(formatPercent(study.progress(), 0)));
        return set(Does::Stop, tr("Stop"), tr("Keep the habits of this text"));
    }
    if (found) {
        const auto sentences = static_cast<int>(found->sentences);
        m_judged->setText(plural(tr("by %n sentence(s)", nullptr, sentences), sentences));
        return set(Does::Forget, tr("This text"), tr("Judge the heads by this text alone again"));
    }
    m_judged->setText(study.failure().isEmpty() ? tr("by this text alone") : study.failure());
    m_judged->setToolTip(study.failure());
    if (study.hasTask())
        set(Does::Judge, tr("By a corpus"), tr("Judge the heads by a hundred sentences of the model's task"));
    else
        set(Does::Judge, tr("By a corpus…"), tr("Judge the heads by the lines of a text file"));
}

}  // namespace headlight

#include "moc_wall_search.cpp"

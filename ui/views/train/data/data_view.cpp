// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/data_view.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/error.h"
#include "ui/session/format/plural.h"
#include "ui/views/train/data/curve_chart.h"
#include "ui/views/train/data/data_bar.h"
#include "ui/views/train/data/get_sentences.h"
#include "ui/views/train/data/layout_row.h"
#include "ui/views/train/data/length_chart.h"
#include "ui/views/train/data/model_blueprint.h"
#include "ui/views/train/data/pairing_note.h"
#include "ui/views/train/data/part_row.h"
#include "ui/views/train/training_settings.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/controls/range_slider.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kRightColumn = 324;
constexpr int kBarMargin = 12;
constexpr std::chrono::milliseconds kCalm{400};

Caption* note(Caption::Tone tone = Caption::Tone::Secondary) {
    auto* label = new Caption({}, 12, QFont::Normal, tone);
    label->setWordWrap(true);
    return label;
}

}  // namespace

DataView::DataView(DataChoice& choice, TrainingSettings& settings, QWidget* parent)
    : QWidget(parent),
      m_choice(choice),
      m_settings(settings),
      m_calm(kCalm),
      m_bar(new DataBar),
      m_pairing(new PairingNote(choice)),
      m_failure(new FailureBox),
      m_progress(new ProgressLine) {
    setAcceptDrops(true);
    m_lower = new QWidget;
    auto* lower = new QHBoxLayout(m_lower);
    lower->setContentsMargins(0, 0, 0, 0);
    lower->setSpacing(16);
    lower->addWidget(makeVocabulary(), 1);
    lower->addWidget(makeLengths(), 1);
    auto* left = new QVBoxLayout;
    left->setSpacing(16);
    left->addWidget(m_pairing);
    left->addWidget(m_failure);
    left->addWidget(makeRows(), 11);
    left->addWidget(m_lower, 10);
    auto* columns = new QHBoxLayout;
    columns->setContentsMargins(20, 12, 20 - kBarMargin, 16);
    columns->setSpacing(16);
    columns->addLayout(left, 1);
    columns->addWidget(makeAside());
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_bar);
    page->addWidget(m_progress);
    page->addLayout(columns, 1);
    connectChoice();
    refresh();
}

/// In a low window what stands there scrolls, its bar in the margin beside it; what starts the run stays below it.
QWidget* DataView::makeAside() {
    auto* cards = new QWidget;
    auto* right = new QVBoxLayout(cards);
    right->setContentsMargins(0, 0, kBarMargin, 0);
    right->setSpacing(16);
    for (QWidget* card : {makeSplit(), makeModel(), makeRun()}) {
        card->setFixedWidth(kRightColumn);
        right->addWidget(card);
    }
    right->addStretch();
    m_sets = new GetSentences;
    m_sets->setFixedWidth(kRightColumn);
    auto* sets = new QWidget;
    auto* offered = new QVBoxLayout(sets);
    offered->setContentsMargins(0, 0, kBarMargin, 0);
    offered->addWidget(m_sets);
    m_asides[Sets] = scrolling(sets);
    m_asides[ModelAndRun] = scrolling(cards);
    m_aside = new SegmentedControl({tr("Get sentences"), tr("Model and run")});
    auto* aside = new QWidget;
    auto* all = new QVBoxLayout(aside);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(12);
    all->addWidget(m_aside, 0, Qt::AlignLeft);
    for (QWidget* each : m_asides)
        all->addWidget(each, 1);
    all->addLayout(makeStart());
    aside->setFixedWidth(kRightColumn + kBarMargin);
    connect(m_aside, &SegmentedControl::currentChanged, this, &DataView::showAside);
    connect(m_sets, &GetSentences::openWanted, this,
            [this](const QString& path, const SentenceSet& set) { openSet(path, set.title, set.credit); });
    showAside(Sets);
    return aside;
}

void DataView::showAside(int which) {
    const QSignalBlocker quiet(m_aside);
    m_aside->setCurrentIndex(which);
    for (const int each : {Sets, ModelAndRun})
        m_asides[each]->setVisible(each == which);
}

QWidget* DataView::makeRows() {
    auto* card = m_rowsCard = new Card(tr("What the model will read"));
    m_filter = new SegmentedControl({tr("All"), tr("With unknowns"), tr("Left out")});
    m_others = new Button(Button::Kind::Ghost, tr("Show others"));
    m_others->setHeight(28);
    m_others->setToolTip(tr("Other sentences of what is chosen"));
    card->header()->addWidget(m_filter);
    card->header()->addWidget(m_others);
    m_rows = new SentenceRows;
    m_rowsLeft = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    m_rowsRight = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    auto* footer = new QHBoxLayout;
    footer->addWidget(m_rowsLeft);
    footer->addStretch();
    footer->addWidget(m_rowsRight);
    m_readingRow = new QWidget;
    m_reading = new SegmentedControl({tr("A sentence a line"), tr("Keep line breaks"), tr("Join lines")});
    m_reading->setAccessibleName(tr("How its lines belong together"));
    m_reading->setToolTip(
        tr("A sentence a line: each line stands for itself.\nKeep line breaks: one running text in which a line break "
           "is a token, for verse, dialogue and code.\nJoin lines: one running text that was wrapped, in which a blank "
           "line ends a paragraph."));
    m_readingNote = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    m_readingNote->setWordWrap(true);
    auto* reading = new QHBoxLayout(m_readingRow);
    reading->setContentsMargins(0, 0, 0, 0);
    reading->setSpacing(12);
    reading->addWidget(m_reading);
    reading->addWidget(m_readingNote, 1);
    m_layoutRow = new LayoutRow;
    connect(m_layoutRow, &LayoutRow::chosen, &m_choice, &DataChoice::setLayout);
    connect(m_layoutRow, &LayoutRow::kindChosen, &m_choice, &DataChoice::setFileKind);
    connect(m_layoutRow, &LayoutRow::resetWanted, &m_choice, &DataChoice::recognise);
    card->body()->addWidget(m_layoutRow);
    card->body()->addWidget(m_readingRow);
    connect(m_reading, &SegmentedControl::currentChanged, this,
            [this](int index) { m_choice.setReading(textReadings[index]); });
    card->body()->addWidget(m_rows, 1);
    card->body()->addLayout(footer);
    connect(m_filter, &SegmentedControl::currentChanged, this, [this] {
        m_shift = 0;
        showRows();
    });
    connect(m_others, &Button::clicked, this, [this] {
        m_shift += m_rows->capacity();
        showRows();
    });
    connect(m_rows, &SentenceRows::capacityChanged, this, &DataView::showRows);
    return card;
}

QWidget* DataView::makeVocabulary() {
    m_vocabularyCard = new Card(tr("Words it will know"));
    m_tokens = new SegmentedControl({tr("Words"), tr("BPE pieces"), tr("Characters"), tr("As it is cut")});
    m_sides = new SegmentedControl({tr("Each side"), tr("Joint")});
    m_sides->setToolTip(
        tr("Merges are learned from each side by itself, or from both: names and numbers are then cut "
           "alike on either side"));
    m_vocabularyCard->header()->addWidget(m_tokens);
    m_coverage = new CurveChart;
    m_coverage->setAccessibleName(tr("What a vocabulary of each size knows"));
    m_vocabularyCard->body()->addWidget(m_coverage, 1);
    auto* sizes = new QHBoxLayout;
    sizes->setSpacing(20);
    for (int side = 0; side < 2; ++side) {
        m_sizes[side] = new LabelledSlider(side == 0 ? tr("Source") : tr("Target"), {1, 1, 1});
        sizes->addWidget(m_sizes[side], 1);
        connect(m_sizes[side], &LabelledSlider::valueChanged, this, [this, side](int size) { chooseSize(side, size); });
    }
    m_vocabularyCard->body()->addLayout(sizes);
    m_vocabularyNote = note();
    m_case = new SegmentedControl({tr("As written"), tr("Lower case")});
    QStringList counts;
    for (const int count : kSeen)
        counts << QString::number(count);
    m_seen = new SegmentedControl(counts);
    m_seen->setToolTip(tr("A word is known where it stands that often or more in what is learned from"));
    m_seenName = new Caption(tr("Seen at least"), 12, QFont::Medium, Caption::Tone::Secondary);
    auto* row = new QHBoxLayout;
    row->addWidget(m_seenName);
    row->addWidget(m_seen);
    row->addWidget(m_sides);
    row->addStretch();
    row->addWidget(m_case);
    m_vocabularyCard->body()->addLayout(row);
    m_vocabularyCard->body()->addWidget(m_vocabularyNote);
    connect(m_seen, &SegmentedControl::currentChanged, this, &DataView::chooseSeen);
    connect(m_tokens, &SegmentedControl::currentChanged, this, &DataView::chooseTokens);
    connect(m_sides, &SegmentedControl::currentChanged, this, [this](int index) {
        TokenizerOptions options = m_choice.data().tokenizer;
        options.jointBpe = index == 1;
        m_choice.setTokenizer(options);
    });
    connect(m_case, &SegmentedControl::currentChanged, this, [this](int index) {
        TokenizerOptions options = m_choice.data().tokenizer;
        options.lowercase = index == 1;
        m_choice.setTokenizer(options);
    });
    connect(m_coverage, &CurveChart::moved, this, [this](int at) {
        for (int side = 0; side < 2; ++side)
            chooseSize(side, at);
    });
    return m_vocabularyCard;
}

QWidget* DataView::makeLengths() {
    m_lengthsCard = new Card(tr("How long they are"), tr("by words"));
    m_lengths = new LengthChart;
    m_lengths->setAccessibleName(tr("Longest sentence that is used"));
    m_ratio = new LabelledSlider(tr("Most words for one of the other side"), {0, 8, 0});
    m_skipped = note();
    m_skipped->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lengthsCard->body()->addWidget(m_lengths, 1);
    m_lengthsCard->body()->addWidget(m_ratio);
    m_lengthsCard->body()->addWidget(m_skipped);
    m_entities = new Button(Button::Kind::Ghost, {});
    m_entities->setHeight(28);
    m_entities->setToolTip(
        tr("What programs for the web wrote as “&apos;” or “&quot;” becomes the mark itself, in everything "
           "that is read of these files"));
    m_lengthsCard->body()->addWidget(m_entities, 0, Qt::AlignLeft);
    connect(m_entities, &Button::clicked, this,
            [this] { m_choice.setUndoEntities(!m_choice.data().files.undoEntities); });
    connect(m_lengths, &LengthChart::cutMoved, this, [this](int longest) {
        PairRules rules = m_choice.data().rules;
        rules.longest = longest;
        m_choice.setRules(rules);
    });
    connect(m_ratio, &LabelledSlider::valueChanged, this, [this](int place) {
        PairRules rules = m_choice.data().rules;
        rules.mostRatio = place == 0 ? 0 : 1 + static_cast<double>(place) / kRatioUnits;
        m_choice.setRules(rules);
    });
    return m_lengthsCard;
}

QWidget* DataView::makeSplit() {
    auto* card = new Card(tr("Split"));
    m_splitCard = card;
    m_splitNote = new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary);
    card->header()->addWidget(m_splitNote);
    m_kind = new SegmentedControl({tr("Sentence and translation"), tr("and label")});
    card->body()->addWidget(m_kind);
    m_split = new RangeSlider(tr("Where training ends, and validation"));
    card->body()->addWidget(m_split);
    const QString names[] = {tr("Training"), tr("Validation"), tr("Test")};
    const QString roles[] = {tr("to learn from"), tr("for checks"), tr("for the end")};
    const QString tips[] = {tr("The model learns from these"), tr("Looked at while the model learns, not learned from"),
                            tr("Kept away until the run is over")};
    auto* rows = new QVBoxLayout;
    rows->setSpacing(2);
    card->body()->addLayout(rows);
    for (const CorpusPart part : {CorpusPart::Training, CorpusPart::Validation, CorpusPart::Test}) {
        const auto place = static_cast<size_t>(part);
        PartRow* row = m_parts[place] =
            new PartRow(names[place], roles[place], tips[place],
                        part == CorpusPart::Training ? PartRow::Files::Fixed : PartRow::Files::Choosable);
        rows->addWidget(row);
        connect(row, &PartRow::filesWanted, this, [this, part] { emit partFilesWanted(part); });
        connect(row, &PartRow::filesRemoved, this, [this, part] { m_choice.setPartFiles(part, {}); });
        connect(row, &PartRow::filesDropped, this, [this, part](const QStringList& paths) { openPart(part, paths); });
    }
    connect(m_kind, &SegmentedControl::currentChanged, this, [this](int index) { m_choice.setLabels(index == 1); });
    connect(m_split, &RangeSlider::rangeChanged, this, &DataView::setAside);
    return card;
}

QWidget* DataView::makeModel() {
    m_modelCard = new Card(tr("The model"));
    m_size = new SegmentedControl({tr("Small"), tr("Medium"), tr("Large"), tr("Custom")});
    m_modelText = note();
    m_modelShare = note(Caption::Tone::Main);
    m_modelCard->body()->addWidget(m_size);
    m_blueprint = new ModelBlueprint;
    m_modelCard->body()->addWidget(m_blueprint);
    m_modelCard->body()->addWidget(m_modelText);
    m_modelCard->body()->addWidget(m_modelShare);
    connect(m_size, &SegmentedControl::currentChanged, this,
            [this](int index) { m_settings.setSize(static_cast<TrainingSettings::Size>(index)); });
    return m_modelCard;
}

QWidget* DataView::makeRun() {
    auto* card = new Card(tr("The run"));
    m_steps = new LabelledSlider(tr("Steps"), {1, 60, 15});
    m_passes = note();
    m_timeMore = note();
    m_name = new QLineEdit;
    m_name->setAccessibleName(tr("Name of the model"));
    m_name->setFixedHeight(32);
    auto* named = new QHBoxLayout;
    named->addWidget(new Caption(tr("Name"), 12, QFont::Medium, Caption::Tone::Secondary));
    named->addWidget(m_name, 1);
    for (QWidget* each :
         {static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_passes), static_cast<QWidget*>(m_timeMore)})
        card->body()->addWidget(each);
    card->body()->addLayout(named);
    connect(m_steps, &LabelledSlider::valueChanged, this, [this](int value) { m_settings.setSteps(value); });
    return card;
}

QLayout* DataView::makeStart() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, kBarMargin, 0);
    row->setSpacing(12);
    m_start = new Button(Button::Kind::Primary, tr("Start training"), Icon::Play);
    m_start->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_time = new Caption({}, 13, QFont::Medium, Caption::Tone::Secondary);
    row->addWidget(m_start, 1);
    row->addWidget(m_time);
    connect(m_start, &Button::clicked, this, &DataView::startRequested);
    return row;
}

void DataView::connectChoice() {
    connect(m_bar, &DataBar::filesWanted, this, &DataView::filesWanted);
    connect(m_bar, &DataBar::swapWanted, &m_choice, &DataChoice::swapSides);
    connect(m_bar, &DataBar::cancelWanted, &m_choice, &DataChoice::cancel);
    connect(m_bar, &DataBar::fileRemoved, this, &DataView::removeFile);
    connect(&m_choice, &DataChoice::chosen, this, &DataView::refresh);
    connect(&m_choice, &DataChoice::looked, this, &DataView::refresh);
    connect(&m_choice, &DataChoice::progressed, this, [this] {
        m_progress->setShare(m_choice.hasFiles() ? m_choice.share() : -1);
        m_bar->show(m_choice);
        if (m_choice.glimpse()) showRows();
    });
    connect(&m_settings, &TrainingSettings::optionsChanged, this, [this] {
        m_calm.start();
        showModel();
        showTime();
    });
    connect(&m_probe, &StepProbe::measured, this, [this] {
        showModel();
        showTime();
    });
    connect(&m_task, &TaskSentences::written, this, &DataView::showRows);
    connect(&m_calm, &QTimer::timeout, this, &DataView::measure);
}

void DataView::open(const QStringList& paths) {
    if (paths.isEmpty()) return;
    CorpusFiles files = DataChoice::filesOf(paths);
    // The other half of a text that is there already: a guess, which is said and can be taken back.
    const CorpusFiles& now = m_choice.data().files;
    const bool isOther = !files.textFile.empty() && !now.textFile.empty() && files.textFile != now.textFile;
    if (paths.size() == 1 && isOther) files = m_pairing->pairWith(files.textFile);
    choose(files);
}

void DataView::openSet(const QString& path, const QString& title, const QString& credit) {
    CorpusFiles files = DataChoice::filesOf({path});
    files.title = title.toStdString();
    files.credit = credit.toStdString();
    choose(files);
}

void DataView::choose(const CorpusFiles& files) {
    m_name->clear();
    m_filter->setCurrentIndex(All);
    m_shift = 0;
    m_choice.setFiles(files);
}

/// Two files are told apart by their endings, as those are that are learned from.
void DataView::openPart(CorpusPart part, const QStringList& paths) {
    if (paths.isEmpty() || !m_choice.hasFiles()) return;
    QStringList sorted = paths;
    const auto suffix = [](const std::string& path) { return QFileInfo(QString::fromStdString(path)).suffix(); };
    const CorpusFiles& files = m_choice.data().files;
    if (sorted.size() == 2 && !files.sourceFile.empty() && suffix(files.sourceFile) != suffix(files.targetFile) &&
        QFileInfo(sorted[0]).suffix() == suffix(files.targetFile))
        std::swap(sorted[0], sorted[1]);
    m_choice.setPartFiles(part, DataChoice::filesOf(sorted));
}

/// Where a part has files of its own, one handle alone divides; the other stands with it.
void DataView::setAside(int from, int to) {
    const auto& picture = m_choice.picture();
    if (!picture) return;
    const TrainingData& chosen = m_choice.data();
    const long used = picture->deal.used(), trained = picture->deal.size(CorpusPart::Training);
    const long moved = from != trained ? from : to;
    SplitSizes sizes{.validation = to - from, .test = used - to};
    if (!chosen.validation.isEmpty()) sizes = {.validation = 0, .test = used - moved};
    if (!chosen.test.isEmpty()) sizes = {.validation = used - moved, .test = 0};
    m_choice.setSizes(sizes);
}

void DataView::removeFile(int index) {
    const CorpusFiles files = m_choice.data().files;
    if (files.sourceFile.empty()) return m_choice.clear();
    m_choice.setFiles({.textFile = index == 0 ? files.targetFile : files.sourceFile});
}

void DataView::dragEnterEvent(QDragEnterEvent* event) {
    const qsizetype files = localFiles(event->mimeData()).size();
    if (files == 1 || files == 2) event->acceptProposedAction();
}

void DataView::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    open(localFiles(event->mimeData()));
}

QString DataView::name() const {
    QString name = m_name->text().trimmed();
    name.replace(u'/', u'-');  // it becomes a file's
    while (name.startsWith(u'.'))
        name.remove(0, 1);
    return name;
}

void DataView::refresh() {
    // Who has chosen files goes on to the model; who has none is offered some.
    if (std::exchange(m_hadFiles, m_choice.hasFiles()) != m_choice.hasFiles())
        showAside(m_choice.hasFiles() ? ModelAndRun : Sets);
    m_bar->show(m_choice);
    m_progress->setShare(m_choice.hasFiles() ? m_choice.share() : -1);
    const QString why = m_choice.failure().isEmpty() ? tooFew() : m_choice.failure();
    m_failure->setText(why);
    m_failure->setVisible(!why.isEmpty());
    m_start->setEnabled(!m_choice.hasFiles() || (m_choice.picture() && why.isEmpty()));
    m_lower->setVisible(m_choice.picture() != nullptr);
    // Files of a part that cannot be read can be taken away there.
    const bool hasParts = !m_choice.data().validation.isEmpty() || !m_choice.data().test.isEmpty();
    m_splitCard->setVisible(m_choice.picture() || hasParts);
    m_name->setPlaceholderText(nameOf(m_choice.data()));
    showLayout();
    showReading();
    showRows();
    showVocabulary();
    showLengths();
    showSkipped();
    showSplit();
    showModel();
    showTime();
    m_calm.start();
}

/// A validation of another kind than what is learned from is refused before the run begins.
QString DataView::otherKind() const {
    try {
        m_choice.data().check(chosenSetup().config);
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

/// A run looks at sentences that it does not learn from: without any there is none.
QString DataView::tooFew() const {
    const auto& picture = m_choice.picture();
    if (!picture) return {};
    const CorpusDeal& deal = picture->deal;
    if (picture->size(CorpusPart::Training) > 0 && picture->size(CorpusPart::Validation) > 0) return otherKind();
    if (deal.used() < 3)
        return plural(
            tr("%n sentence(s) of the file can be used, which is too few to learn from: at least 3 are needed.",
               nullptr, static_cast<int>(deal.used())),
            deal.used());
    return tr("Nothing is left to be looked at while the model learns: leave room for validation under Split.");
}

}  // namespace headlight

#include "moc_data_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/architecture/architecture_view.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/session/open/selection.h"
#include "ui/session/trace/left_out.h"
#include "ui/session/trace/value_region.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/values/number_panel.h"
#include "ui/views/values/value_panel.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/heads/muted_mark.h"
#include "ui/widgets/matrix/matrix_view.h"

namespace headlight {

namespace {

constexpr int kPanelWidth = 392, kNarrowPanel = 340, kBarHeight = 40, kMatrixHeight = 262;

using Level = ArchitectureLevel;

}  // namespace

ArchitectureView::ArchitectureView(Selection* selection, QWidget* parent)
    : ViewWidget(parent),
      m_selection(selection),
      m_pages(new QStackedLayout(this)),
      m_path(new QHBoxLayout),
      m_muted(new MutedMark(MutedMark::Size::Full)),
      m_out(new Button(Button::Kind::Ghost, QStringLiteral("−"))),
      m_in(new Button(Button::Kind::Ghost, QStringLiteral("+"))),
      m_stage(new ArchitectureStage(selection)),
      m_value(new ValuePanel(selection)),
      m_number(new NumberPanel(selection)),
      m_leftOut(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)) {
    auto* empty = new EmptyPage(tr("No model is open. Open one and type a sentence to see what it computes."),
                                tr("Open a model"));
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(makeBar());
    left->addWidget(m_stage, 1);
    columns->addLayout(left, 1);
    columns->addWidget(makePanel());
    m_pages->addWidget(empty);
    m_pages->addWidget(room);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see what the model computes."), {}));
    connect(empty, &EmptyPage::activated, this, &ArchitectureView::openModelRequested);
    connect(m_stage, &ArchitectureStage::stepWanted, this, &ArchitectureView::stepWanted);
    connect(m_stage, &ArchitectureStage::levelChanged, this, [this] {
        showPath();
        if (!m_isTold) emit optionsChanged();
    });
    connect(m_value, &ValuePanel::kindChosen, this, &ArchitectureView::optionsChanged);
    connect(selection, &Selection::changed, this, &ArchitectureView::showPath);
}

QWidget* ArchitectureView::makeBar() {
    auto* bar = new QWidget;
    bar->setFixedHeight(kBarHeight);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 6, 24, 0);
    row->setSpacing(4);
    m_path->setSpacing(0);
    row->addLayout(m_path);
    row->addStretch();
    row->addWidget(m_muted);
    row->addSpacing(8);
    connect(m_muted, &MutedMark::clicked, this, &ArchitectureView::allHeadsOnWanted);
    for (Button* button : {m_out, m_in}) {
        button->setHeight(28);
        button->setFixedWidth(32);
        row->addWidget(button);
    }
    m_out->setAccessibleName(tr("Zoom out"));
    m_out->setToolTip(tr("Zoom out (Esc)"));
    m_in->setAccessibleName(tr("Zoom in"));
    m_in->setToolTip(tr("Zoom in (Enter)"));
    const auto zoom = [this](int by) {
        m_stage->setLevel(static_cast<Level>(std::clamp(static_cast<int>(m_stage->level()) + by, 0, 3)));
    };
    connect(m_out, &Button::clicked, this, [zoom] { zoom(-1); });
    connect(m_in, &Button::clicked, this, [zoom] { zoom(1); });
    return bar;
}

QWidget* ArchitectureView::makePanel() {
    auto* panel = new Panel(Qt::LeftEdge);
    panel->setPanelName("side");
    panel->takeShare(kNarrowPanel, kPanelWidth, 0.3);
    panel->yieldBelow(860);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(20, 12, 20, 16);
    column->setSpacing(10);
    m_value->setFixedHeight(kMatrixHeight + 110);
    m_leftOut->setWordWrap(true);
    column->addWidget(m_leftOut);
    m_leftOut->hide();
    column->addWidget(m_value);
    column->addWidget(new Rule);
    column->addWidget(m_number);
    column->addStretch();
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(1, 0, 0, 0);
    outer->addWidget(scrolling(content));
    return panel;
}

void chooseFirstValue(Selection& selection, const Trace& trace) {
    if (trace.find(selection.value().toStdString())) return;
    const auto& records = trace.records();
    const auto ofLayer = [&](Part part) {
        return std::ranges::find_if(records, [part](const TraceRecord& record) {
            return record.is(ModuleKind::Attention, part) && record.owner().place.section == Section::Layer;
        });
    };
    auto first = ofLayer(Part::Scores);
    if (first == records.end()) first = ofLayer(Part::Weights);  // scores may have been left out
    if (first == records.end()) first = std::ranges::find(records, Part::State, &TraceRecord::part);
    if (first != records.end()) selection.setValue(QString::fromStdString(first->name));
}

void ArchitectureView::setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace) {
    m_trace = trace;
    enum Page { NoModel, Room, NoSentence };
    m_pages->setCurrentIndex(m_trace ? Room : model ? NoSentence : NoModel);
    if (m_trace) chooseFirstValue(*m_selection, *m_trace);
    m_leftOut->setText(m_trace ? whyLeftOut(*m_trace) : QString());
    m_leftOut->setVisible(!m_leftOut->text().isEmpty());
    hideVeiled();
    m_stage->setReading(model, trace);
    m_value->setReading(model, trace);
    m_number->setReading(std::move(model), std::move(trace));
    showPath();
}

void ArchitectureView::setMuted(const QStringList& heads) {
    m_stage->setMuted({heads.begin(), heads.end()});
    m_muted->setHeads(heads, m_trace.get());
}

void ArchitectureView::showOptions(const StageState& state) {
    const QScopedValueRollback told(m_isTold, true);
    m_stage->setLevel(static_cast<Level>(state.architecture.level));
    m_value->showHistogram(state.histogram);
}

/// The values' own room has a histogram too: each tells of its own.
void ArchitectureView::tellOptions(StageState& state) const {
    state.architecture.level = static_cast<ArchitectureOptions::Level>(m_stage->level());
    if (state.view == ViewName::Architecture) state.histogram = m_value->showsHistogram();
}

void ArchitectureView::setVeil(const std::vector<NumberName>& veiled) {
    if (m_veiled == veiled) return;
    m_veiled = veiled;
    hideVeiled();
    showUnderWay();
}

/// Scores stand beside their weights, and have the same picture: they are hidden with them.
void ArchitectureView::hideVeiled() {
    std::vector<NumberName> hidden = m_veiled;
    for (const NumberName& part : m_veiled) {
        const TraceRecord* const value = m_trace ? m_trace->find(part.name) : nullptr;
        if (!value || value->part != Part::Weights) continue;
        if (const TraceRecord* const scores = m_trace->find(value->owner(), Part::Scores))
            hidden.push_back({scores->name, part.indices});
    }
    m_stage->setVeil(hidden);
    m_value->setVeil(hidden);
    m_number->setVeil(hidden);
}

void ArchitectureView::setRevealed(int recordIndex, double phase) {
    m_stage->setRevealed(recordIndex, phase);
    m_revealed = recordIndex;
    m_phase = phase;
    showUnderWay();
}

/// What is looked at beside the drawing goes on with it.
void ArchitectureView::showUnderWay() {
    const auto& underWay = m_stage->underWay();
    if (!underWay) {
        m_value->setRevealed(m_revealed);
        return m_number->setRevealed(m_revealed, m_phase);
    }
    MatrixProgress progress;
    progress.filled = underWay->filled;
    progress.row = underWay->row;
    progress.column = underWay->column;
    std::optional<NumberPanel::UnderWay> number;
    const int head = m_selection->head();
    if (underWay->softmax && !underWay->softmax->heights.empty()) {
        const TraceRecord& weights = m_trace->records()[static_cast<size_t>(m_revealed)];
        progress.heights = underWay->softmax->heights;
        progress.numbers = underWay->softmax->powers;
        progress.fade = underWay->softmax->shrink;
        for (int key = 0; progress.fade >= 0.5 && key < matrixColumns(weights); ++key)
            progress.numbers[static_cast<size_t>(key)] =
                static_cast<double>(numberAt(weights, {headOf(weights, head), underWay->row, key}));
    }
    if (underWay->score)
        number = {.cell = {head, underWay->row, underWay->column},
                  .soFar = {underWay->score->products, underWay->score->sum}};
    m_value->setRevealed(m_revealed, progress);
    m_number->setRevealed(m_revealed, m_phase, number);
}

QStringList ArchitectureView::path() const {
    QStringList stations;
    for (const Button* station : m_stations)
        stations << station->text();
    return stations;
}

/// Stations up to the level that is open; a click goes back to one.
void ArchitectureView::showPath() {
    const int current = m_trace ? m_stage->current() : -1;
    const ModuleTree& tree = m_stage->tree();
    const ModuleTree::Place place = current >= 0 ? tree.placeOf(current) : ModuleTree::Place();
    const Level level = m_stage->level();
    m_out->setEnabled(level != Level::Model);
    m_in->setEnabled(level != Level::Operation);
    struct Station {
        QString text;
        Level level;
    };
    std::vector<Station> wanted = {{tr("Model"), Level::Model}};
    if (place.valid()) {
        const ModuleStack& stack = tree.stacks[static_cast<size_t>(place.stack)];
        if (tree.stacks.size() > 1) wanted.push_back({stack.label, Level::Layer});
        if (tree.layer(place).isLayer) wanted.push_back({tree.layer(place).label, Level::Layer});
        wanted.push_back({tree.block(place).label, Level::Block});
        wanted.push_back({valueTitle(m_trace->records()[static_cast<size_t>(current)]), Level::Operation});
    }
    while (wanted.size() > 1 && wanted.back().level > level)
        wanted.pop_back();
    QStringList texts;
    for (const Station& station : wanted)
        texts << station.text;
    if (texts == path()) return;
    while (QLayoutItem* item = m_path->takeAt(0)) {
        item->widget()->hide();  // it goes with the next turn of the event loop
        item->widget()->deleteLater();
        delete item;
    }
    m_stations.clear();
    for (const Station& station : wanted) {
        if (!m_stations.empty())
            m_path->addWidget(new Caption(QStringLiteral("›"), 12, QFont::Normal, Caption::Tone::Faint));
        auto* button = new Button(Button::Kind::Plain, station.text);
        button->setHeight(28);
        connect(button, &Button::clicked, this, [this, to = station.level] { m_stage->setLevel(to); });
        m_path->addWidget(button);
        m_stations.push_back(button);
    }
}

}  // namespace headlight

#include "moc_architecture_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recurrent/cell_view.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/session/format/model_names.h"
#include "ui/session/open/motion.h"
#include "ui/views/recurrent/cell_columns.h"
#include "ui/views/recurrent/cell_side.h"
#include "ui/views/recurrent/cell_story.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"

namespace headlight {

namespace {

constexpr int kCellWalkMs = 700;  ///< from word to word
constexpr Cell kCells[] = {Cell::Rnn, Cell::Gru, Cell::Lstm};

/// Without special tokens, as a reader types it; what the study reads where there is no task.
SentencePair pairOf(const Trace& trace) {
    if (trace.targetTokens.empty()) return {{}, textOf(trace.sourceTokens)};
    return {textOf(trace.sourceTokens), textOf({trace.targetTokens.begin() + 1, trace.targetTokens.end()})};
}

}  // namespace

CellView::CellView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_stage(new QWidget),
      m_subtitle(new FittingCaption(12, QFont::Normal, Caption::Tone::Secondary)),
      m_cells(new SegmentedControl({cellName(Cell::Rnn), cellName(Cell::Gru), cellName(Cell::Lstm)})),
      m_sorting(new SegmentedControl({tr("As stored"), tr("By forget gate")})),
      m_places(new ComboBox(tr("Which cell"))),
      m_columns(new CellColumns),
      m_story(new CellStory),
      m_side(new CellSide) {
    auto* none = new EmptyPage(tr("No model is open. Open an RNN, a GRU or an LSTM to look inside its cell."),
                               tr("Open a model"));
    auto* other = new EmptyPage(tr("This model has no recurrent cell: it reads all words at once, and carries no state "
                                   "from one to the next. Open one that does."),
                                tr("Open an LSTM"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see what each unit keeps of it."), {}));
    m_pages->addWidget(other);
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &CellView::openModelRequested);
    connect(other, &EmptyPage::activated, this, [this] { emit modelWanted(QStringLiteral("vi-en-long-lstm")); });
    connect(m_cells, &SegmentedControl::currentChanged, this, [this](int index) {
        const QString wanted = m_study.sibling(kCells[index]);
        if (m_picture && kCells[index] == m_picture->cell()) return;
        if (m_picture) m_cells->setCurrentIndex(static_cast<int>(m_picture->cell()));  // until it is open
        if (!wanted.isEmpty()) emit modelWanted(wanted);
    });
    connect(m_sorting, &SegmentedControl::currentChanged, this, [this](int index) {
        m_isSorted = index == 1;
        if (!m_picture) return;
        m_picture->setSorted(m_isSorted);
        showPicture();
        emit optionsChanged();
    });
    connect(m_places, &QComboBox::activated, this, [this](int index) {
        m_picture->setPlace(index);
        m_wantedLayer = m_picture->stateLayer();
        m_wantedStep = m_picture->step() + 1;
        showPicture();
        showStudy();
        emit optionsChanged();
    });
    connect(m_columns, &CellColumns::unitChosen, this, &CellView::chooseUnit);
    connect(m_columns, &CellColumns::wordWanted, this, &CellView::moveWord);
    connect(m_story, &CellStory::wordChosen, this, &CellView::chooseWord);
    connect(m_story, &CellStory::playWanted, this, &CellView::play);
    connect(&m_study, &CellStudy::writesFound, this, &CellView::showStudy);
    connect(&m_study, &CellStudy::reachFound, this, &CellView::showStudy);
    connect(&m_study, &CellStudy::gainFound, this, &CellView::showStudy);
    connect(m_side, &CellSide::gainChosen, this, [this](double gain) {
        multiply(gain);
        emit optionsChanged();
    });
    connect(&m_study, &CellStudy::failed, m_side, &CellSide::showFailure);
    m_walk.setInterval(kCellWalkMs);
    connect(&m_walk, &QTimer::timeout, this, [this] {
        if (m_picture->word() + 1 >= m_picture->words()) return play(false);
        m_picture->setWord(m_picture->word() + 1);
        m_wantedStep = m_picture->step() + 1;
        showPicture();
    });
}

QWidget* CellView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* stage = new QVBoxLayout(m_stage);
    stage->setContentsMargins(0, 12, 0, 16);
    stage->setSpacing(8);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(20, 0, 20, 0);
    heading->setSpacing(12);
    heading->addWidget(new Caption(tr("Inside the cell"), 18, QFont::DemiBold, Caption::Tone::Main));
    heading->addWidget(m_subtitle, 1);
    heading->addWidget(m_places);
    heading->addWidget(m_cells);
    heading->addWidget(m_sorting);
    m_cells->setAccessibleName(tr("The same task with another cell"));
    m_sorting->setAccessibleName(tr("Order of the units"));
    stage->addLayout(heading);
    stage->addWidget(m_columns, 1);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(20, 0, 20, 0);
    below->addWidget(m_story);
    stage->addLayout(below);
    columns->addWidget(m_stage, 1);
    columns->addWidget(m_side);
    m_story->setPanelName("story");
    m_side->setPanelName("side");
    return room;
}

void CellView::setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace) {
    m_walk.stop();
    m_story->setPlaying(false);
    const std::shared_ptr<const Trace> old = std::exchange(m_trace, trace);  // until the widgets let go
    m_model = model;
    const Page page = !model                                  ? NoModel
                      : !model->network->config().recurrent() ? NotRecurrent
                      : !trace                                ? NoSentence
                                                              : Room;
    m_pages->setCurrentIndex(page);
    const std::unique_ptr<CellPicture> before = std::exchange(m_picture, nullptr);
    if (page != Room) {
        m_columns->setPicture(nullptr);
        m_story->setPicture(nullptr);
        m_side->showUnit(nullptr);
        m_study.drop();
        return;
    }
    m_picture = std::make_unique<CellPicture>(model, trace);
    m_picture->setSorted(m_isSorted);
    {
        const QSignalBlocker quiet(m_sorting);
        const bool isGru = m_picture->cell() == Cell::Gru;
        m_sorting->setItems({tr("As stored"), isGru ? tr("By update gate") : tr("By forget gate")});
    }
    fillPlaces();
    place();
    showPicture();
    showStudy();
}

void CellView::fillPlaces() {
    const QSignalBlocker quiet(m_places);
    m_places->clear();
    for (const CellPicture::Place& each : m_picture->places())
        m_places->addItem(each.name);
    m_places->setVisible(m_places->count() > 1);
}

/// To the word and the unit that are wanted; 0 is the last word that is read.
void CellView::place() {
    const int read = static_cast<int>(m_trace->sourceTokens.size());
    const int step = m_wantedStep > 0 ? std::min(m_wantedStep, m_picture->steps()) : read;
    m_picture->setPlace(std::max(0, m_picture->placeOf(m_wantedLayer, step - 1)));
    m_picture->setUnit(m_wantedUnit - 1);
    m_picture->setWord(step - 1 - m_picture->firstStep());
}

void CellView::showPicture() {
    const QSignalBlocker quietCells(m_cells), quietSorting(m_sorting), quietPlaces(m_places);
    const Cell cell = m_picture->cell();
    m_cells->setCurrentIndex(static_cast<int>(cell));
    m_sorting->setCurrentIndex(m_picture->isSorted() ? 1 : 0);
    m_sorting->setVisible(m_picture->canSort());
    m_places->setCurrentIndex(m_picture->place());
    m_subtitle->setTexts({m_picture->orderText(), tr("Each row is one of %1 units.").arg(m_picture->units()),
                          tr("%1 units").arg(m_picture->units())});
    m_columns->setPicture(m_picture.get());
    m_story->setPicture(m_picture.get());
    m_side->showUnit(m_picture.get());
    m_side->showStudy(m_picture.get(), m_study);
}

/// Over many sentences: only for those who look, which is when a reading is set.
void CellView::showStudy() {
    if (!m_picture) return;
    m_study.study(m_model, m_picture->cellPlace(), pairOf(*m_trace));
    for (const Cell cell : kCells) {
        const bool own = cell == m_picture->cell();
        m_cells->setItemDisabled(static_cast<int>(cell),
                                 own || !m_study.sibling(cell).isEmpty()
                                     ? QString()
                                     : tr("No model that ships differs from this one in its cell alone"));
    }
    m_side->showStudy(m_picture.get(), m_study);
}

void CellView::chooseUnit(int unit) {
    m_picture->setUnit(unit);
    m_wantedUnit = unit + 1;
    showPicture();
    emit optionsChanged();
}

void CellView::chooseWord(int word) {
    play(false);
    m_picture->setWord(word);
    m_wantedStep = m_picture->step() + 1;
    showPicture();
    emit optionsChanged();
}

void CellView::moveWord(int by) {
    const int word = std::clamp(m_picture->word() + by, 0, m_picture->words() - 1);
    if (word != m_picture->word()) chooseWord(word);
}

/// One word after another until the last; from the beginning where it stands there.
void CellView::play(bool play) {
    m_story->setPlaying(play);
    if (!play) return m_walk.stop();
    if (m_picture->word() + 1 >= m_picture->words()) {
        m_picture->setWord(0);
        showPicture();
    }
    m_walk.start();
}

void CellView::showOptions(const StageState& state) {
    m_wantedSide = state.side;
    makeRoomForSide();
    m_wantedLayer = std::max(1, state.layer);
    m_wantedUnit = std::max(1, state.recurrentCell.unit);
    m_wantedStep = std::max(0, state.recurrentCell.word);
    m_isSorted = state.recurrentCell.units == UnitOrder::Sorted;
    m_walk.stop();
    m_story->setPlaying(false);
    multiply(state.recurrentCell.gain);
    if (!m_picture) return;
    m_picture->setSorted(m_isSorted);
    place();
    showPicture();
    showStudy();
    if (state.view != ViewName::Cell || !state.animate || motion::isReduced()) return;
    m_picture->setWord(0);
    showPicture();
    play(true);
}

void CellView::tellOptions(StageState& state) const {
    state.recurrentCell.unit = m_wantedUnit;
    state.recurrentCell.word = m_wantedStep;
    state.recurrentCell.gain = m_gain;
    state.recurrentCell.units = m_isSorted ? UnitOrder::Sorted : UnitOrder::Stored;
    if (state.view != ViewName::Cell) return;
    state.layer = m_wantedLayer;
    state.side = m_wantedSide;
    state.animate = m_walk.isActive();
}

/// How far the gradient reaches can be predicted here; every line of that chart would tell of the others.
void CellView::setVeil(const std::vector<NumberName>& veiled) {
    m_side->setReachHidden(
        std::ranges::any_of(veiled, [](const NumberName& each) { return each.name == "gradient_reach"; }));
    if (m_picture) m_side->showStudy(m_picture.get(), m_study);
}

/// What is no number to multiply by leaves the weights as they are.
void CellView::multiply(double gain) {
    m_gain = gain > 0 && std::isfinite(gain) ? gain : 1;
    m_side->setGain(m_gain);
    m_study.multiply(m_gain);
    if (m_picture) m_side->showStudy(m_picture.get(), m_study);
}

void CellView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    makeRoomForSide();
}

/// Where there is room for one of the two, the columns stay; asked for by name, what stands beside takes their place.
void CellView::makeRoomForSide() {
    constexpr int never = 100000;
    const bool asked = m_wantedSide == StageSide::Gradient, alone = asked && width() < CellSide::kYieldsBelow;
    m_stage->setVisible(!alone);
    if (alone) {
        m_side->takeShare(0, 0, 0);
        m_side->setMinimumWidth(0);
        m_side->setMaximumWidth(QWIDGETSIZE_MAX);
    } else {
        m_side->takeShare(CellSide::kNarrowest, CellSide::kWidest);
    }
    m_side->yieldBelow(m_wantedSide == StageSide::None ? never : asked ? 1 : CellSide::kYieldsBelow);
}

}  // namespace headlight

#include "moc_cell_view.cpp"

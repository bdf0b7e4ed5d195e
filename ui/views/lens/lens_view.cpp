// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lens/lens_view.h"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "ui/views/lens/lens_layout.h"
#include "ui/views/lens/lens_side.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/controls/progress_line.h"

namespace headlight {

using namespace lens_layout;

namespace {

constexpr std::chrono::milliseconds kPatience{300};

}  // namespace

LensView::LensView(QWidget* parent)
    : ViewWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_subtitle(new Caption({}, 12, QFont::Normal, Caption::Tone::Secondary)),
      m_rows(new SegmentedControl({tr("Each sublayer"), tr("Each layer")})),
      m_progress(new ProgressLine),
      m_grid(new LensGrid),
      m_story(new Caption({}, 13, QFont::Normal, Caption::Tone::Secondary)),
      m_failure(new FailureBox),
      m_side(new LensSide(m_grid)),
      m_patience(kPatience, [this] { showProgress(); }) {
    auto* none = new EmptyPage(tr("No model is open. Open one and type a sentence to see what each layer would say."),
                               tr("Open a model"));
    m_pages->addWidget(none);
    m_pages->addWidget(new EmptyPage(tr("Type a sentence above to see what each layer would say."), {}));
    m_pages->addWidget(new EmptyPage(tr("This model is recurrent: it says each word from one state, and no stack of "
                                        "layers could have said it before. The view Recurrent shows its states."),
                                     {}));
    m_pages->addWidget(new EmptyPage(tr("This model names a label for the whole sentence: its layers have no words to "
                                        "say on the way. Open one that writes."),
                                     {}));
    m_pages->addWidget(new EmptyPage(tr("This model has no head that says words, only the layers below one. Open one "
                                        "that writes."),
                                     {}));
    m_pages->addWidget(makeRoom());
    connect(none, &EmptyPage::activated, this, &LensView::openModelRequested);
    connect(m_rows, &SegmentedControl::currentChanged, this, [this](int index) {
        m_wantedRows = static_cast<LensOptions::Rows>(index);
        showPicture(m_picture);
        emit optionsChanged();
    });
    connect(m_grid, &LensGrid::cellPinned, this, [this](int row, int column) {
        m_pin = {static_cast<int>(m_grid->depths()[static_cast<size_t>(row)]) + 1, column + 1};
        showChosen();
        emit optionsChanged();
    });
    connect(m_grid, &LensGrid::unpinned, this, [this] {
        m_pin = {};
        showChosen();
        emit optionsChanged();
    });
    connect(m_grid, &LensGrid::cellHovered, this, [this](int row, int column) {
        m_hovered = {row, column};
        if (!pinned().valid()) showChosen();
    });
    connect(&m_reader, &LensReader::begun, this, [this] {
        if (!m_picture) showPicture(m_reader.picture());
        if (!m_patience.isActive()) showProgress();
    });
    connect(&m_reader, &LensReader::depthRead, this, [this] {
        if (m_picture != m_reader.picture()) return;
        m_grid->refresh();
        showChosen();
        if (m_progress->share() >= 0) showProgress();
    });
    connect(&m_reader, &LensReader::finished, this, [this] {
        endWaiting();
        showPicture(m_reader.picture());
    });
    connect(&m_reader, &LensReader::failed, this, &LensView::showFailure);
}

QWidget* LensView::makeRoom() {
    auto* room = new QWidget;
    auto* columns = new QHBoxLayout(room);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* stage = new QVBoxLayout;
    stage->setContentsMargins(kMargin - 8, kTop, kMargin, 12);  // the labels of the rows begin 8 px inside the grid
    stage->setSpacing(0);
    auto* heading = new QGridLayout;
    heading->setContentsMargins(8, 0, 0, 0);
    heading->setSpacing(0);
    auto* title = new Caption(tr("What each layer would say"), 18, QFont::DemiBold, Caption::Tone::Main);
    title->setFixedHeight(kTitle);
    m_subtitle->setFixedHeight(kSubtitle);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_rows->setAccessibleName(tr("A row for"));
    heading->addWidget(title, 0, 0);
    heading->addWidget(m_subtitle, 1, 0);
    heading->addWidget(m_rows, 0, 1, 2, 1, Qt::AlignTop);
    heading->setColumnStretch(0, 1);
    stage->addLayout(heading);
    auto* progress = new QVBoxLayout;
    progress->setContentsMargins(8, kProgress - 6 - m_progress->height(), 0, 6);
    progress->addWidget(m_progress);
    stage->addLayout(progress);
    stage->addWidget(m_failure);
    stage->addWidget(m_grid, 1);
    auto* card = new Card({});
    card->removeHeader();  // its one line has no title
    card->body()->setContentsMargins(kMargin, 6, kMargin, 6);
    card->body()->addWidget(m_story);
    card->setFixedHeight(kStory);
    m_story->setTextFormat(Qt::RichText);
    m_story->setWordWrap(true);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(8, 0, 0, 0);
    below->addWidget(card);
    stage->addLayout(below);
    m_failure->hide();
    columns->addLayout(stage, 1);
    columns->addWidget(m_side);
    return room;
}

void LensView::setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace) {
    endWaiting();
    m_failure->hide();
    m_reader.drop();
    m_hovered = {};
    const ModelConfig* const config = model ? &model->network->config() : nullptr;
    const Page page = !config                                      ? NoModel
                      : config->recurrent()                        ? Recurrent
                      : config->headless()                         ? Headless
                      : config->corpusKind() == CorpusKind::Labels ? Classifier
                      : !trace                                     ? NoSentence
                                                                   : Room;
    m_pages->setCurrentIndex(page);
    if (page != Room) return showPicture(nullptr);
    m_reader.read(model, trace);
    m_patience.start();
}

void LensView::showPicture(const std::shared_ptr<LensPicture>& picture) {
    m_picture = picture;
    m_grid->setPicture(m_picture, sublayers());
    if (m_progress->share() < 0) m_subtitle->setText(howItIsRead());
    showChosen();
    m_grid->bringIntoSight();
}

QString LensView::howItIsRead() const {
    if (!m_picture) return {};
    return m_picture->isMasked()
               ? tr("Every state is read as if it were the last: through the head that fills in words.")
           : m_picture->lens().throughNorm() ? tr("Every state is read as if it were the last: through the final norm "
                                                  "and the output layer.")
                                             : tr("Every state is read as if it were the last: straight through the "
                                                  "output layer.");
}

/// What is read so far takes the place of the picture before.
void LensView::showProgress() {
    if (!m_reader.picture()) return;
    const size_t all = m_reader.picture()->lens().depths().size(), read = m_reader.picture()->depthsRead();
    m_progress->setShare(static_cast<double>(read) / static_cast<double>(all));
    m_subtitle->setText(tr("Depth %1 of %2").arg(std::min(read + 1, all)).arg(all));
    if (m_picture != m_reader.picture()) showPicture(m_reader.picture());
}

void LensView::endWaiting() {
    m_patience.stop();
    m_progress->setShare(-1);
}

void LensView::showFailure(const QString& why) {
    endWaiting();
    showPicture(nullptr);
    m_failure->setText(tr("What the layers would say was not computed: %1").arg(why));
    m_failure->show();
}

/// The row of a sublayer that is not shown is its layer's.
LensGrid::Cell LensView::pinned() const {
    const std::vector<size_t>& depths = m_grid->depths();
    if (!m_picture || !m_pin.valid() || m_pin.column > m_picture->lens().positions()) return {};
    const auto row = std::ranges::lower_bound(depths, static_cast<size_t>(m_pin.row - 1));
    if (row == depths.end()) return {};
    return {static_cast<int>(row - depths.begin()), m_pin.column - 1};
}

/// Where the model makes up its mind on what comes last, or fills a gap.
LensGrid::Cell LensView::worthALook() const {
    if (!m_picture) return {};
    const int answer = m_picture->answerPosition(), coast = m_grid->coast(answer);
    return {coast >= 0 ? coast : static_cast<int>(m_grid->depths().size()) - 1, answer};
}

void LensView::showChosen() {
    LensGrid::Cell cell = pinned();
    if (!cell.valid()) cell = m_picture && m_hovered.valid() ? m_hovered : worthALook();
    m_grid->setChosen(cell);
    m_side->showCell(m_picture.get(), sublayers());
    m_story->setText(m_picture && m_picture->isWhole() ? m_picture->story(cell.column, m_grid->depths()) : QString());
}

void LensView::showOptions(const StageState& state) {
    m_wantedRows = state.lens.rows;
    m_pin = state.lens.cell;
    m_hovered = {};
    const QSignalBlocker quiet(m_rows);
    m_rows->setCurrentIndex(static_cast<int>(m_wantedRows));
    showPicture(m_picture);
}

void LensView::tellOptions(StageState& state) const {
    state.lens.rows = m_wantedRows;
    state.lens.cell = m_pin;
}

}  // namespace headlight

#include "moc_lens_view.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/runs_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QShortcut>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/open/training_run.h"
#include "ui/views/train/runs_chart.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr size_t kMostRuns = 4;
constexpr size_t kRunsMostDrawn = 4;  ///< colours that can be told apart
constexpr size_t kMostPoints = 400;   ///< of a curve
constexpr size_t kMostBytes = size_t{192} << 20;

/// Ticked where it has a colour.
QIcon tickBox(const QColor& color, const Theme& t, double ratio) {
    QPixmap picture(QSize(16, 16) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter p(&picture);
    paint::box(p, {1, 1, 14, 14}, color.isValid() ? color : t.surface, color.isValid() ? color : t.line2, 3);
    if (color.isValid()) drawIcon(p, Icon::Check, {3, 3, 10, 10}, t.surface, 2);
    return picture;
}

enum RunsColumn { Steps = 1, RunLoss, BleuScore };  ///< of the list, behind the name
enum Quantity { TrainLoss, ValidationLoss, Accuracy, Bleu };

}  // namespace

RunsView::RunsView(QWidget* parent)
    : QWidget(parent),
      m_quantity(
          new SegmentedControl({tr("Train loss"), tr("Validation loss"), tr("Validation accuracy"), tr("BLEU")})),
      m_chart(new RunsChart),
      m_list(makePlainTable({tr("Run"), tr("Steps"), tr("Validation loss"), tr("BLEU")}, tr("Runs"))),
      m_checkpoints(makePlainTable({tr("Kept model"), tr("Step")}, tr("Kept models"))),
      m_open(new Button(Button::Kind::Primary, tr("Look inside"), Icon::Explore)),
      m_fork(new ComboBox(tr("What is otherwise from there on"))),
      m_resume(new Button(Button::Kind::Ghost, tr("Continue from here"), Icon::Play)),
      m_beside(new Button(Button::Kind::Ghost, tr("Compare"), Icon::Compare)) {
    auto* curves =
        new Card(tr("Runs over one another"), tr("up to four; tick them below. A bead is a model that was kept"));
    m_quantity->setAccessibleName(tr("What is drawn"));
    m_quantity->setCurrentIndex(ValidationLoss);
    curves->header()->addWidget(m_quantity);
    m_chart->setAxisTitle(tr("step"));
    curves->body()->addWidget(m_chart, 1);
    auto* runs = new Card(tr("Runs"), tr("the last four of this session, and all that were saved"));
    runs->body()->addWidget(m_list, 1);
    auto* kept = new Card(tr("Go back to"), tr("the model as it was"));
    m_checkpoints->setToolTip(
        tr("Of each run up to 13 models are kept, and 192 MB of all together: then those of the "
           "oldest run go, its last one at the end"));
    m_checkpoints->setSelectionMode(QAbstractItemView::SingleSelection);
    m_checkpoints->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_checkpoints->setFocusPolicy(Qt::StrongFocus);
    kept->body()->addWidget(m_checkpoints, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_open);
    buttons->addWidget(m_resume);
    buttons->addWidget(m_beside);
    buttons->addStretch(1);
    kept->body()->addLayout(makeForkRow());
    kept->body()->addLayout(buttons);
    for (const int number : {Steps, RunLoss, BleuScore})
        m_list->horizontalHeader()->setSectionResizeMode(number, QHeaderView::ResizeToContents);
    auto* below = new QHBoxLayout;
    below->setSpacing(16);
    below->addWidget(runs, 3);
    below->addWidget(kept, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 20);
    column->setSpacing(16);
    column->addWidget(curves, 3);
    column->addLayout(below, 2);
    // Names of models that are kept of one run differ at their end.
    for (QTableWidget* table : {m_list, m_checkpoints})
        table->setTextElideMode(Qt::ElideMiddle);
    m_list->setToolTip(tr("Tick the runs that are to be drawn over one another (Space)"));
    m_list->setFocusPolicy(Qt::StrongFocus);
    connect(m_list, &QTableWidget::cellClicked, this, &RunsView::tick);
    auto* space = new QShortcut(Qt::Key_Space, m_list);
    space->setContext(Qt::WidgetShortcut);
    connect(space, &QShortcut::activated, this, [this] { tick(m_list->currentRow()); });
    connect(m_quantity, &SegmentedControl::currentChanged, this, &RunsView::refresh);
    connect(m_open, &Button::clicked, this, &RunsView::openChosen);
    connect(m_resume, &Button::clicked, this, &RunsView::resumeChosen);
    m_beside->setToolTip(tr("Beside the open model; or drag its bead onto Compare"));
    connect(m_beside, &Button::clicked, this, [this] {
        if (const std::optional<KeptModel> model = chosenModel()) emit besideRequested(*model);
    });
    connect(m_chart, &RunsChart::beadDragged, this, [this](int line, int step) {
        chooseBead(line, step);
        dragChosen();
    });
    connect(m_checkpoints, &QTableWidget::currentCellChanged, this, [this] {
        showButtons();
        showBead();
    });
    connect(m_chart, &RunsChart::beadChosen, this, &RunsView::chooseBead);
    connect(m_chart, &RunsChart::beadOpened, this, &RunsView::openChosen);
    connect(m_checkpoints, &QTableWidget::cellDoubleClicked, this, &RunsView::openChosen);
}

void RunsView::begin(const QString& description, const Beginning& before) {
    if (!m_runs.empty() && m_runs.back().points.size() == m_runs.back().before)
        m_runs.pop_back();
    else
        ++m_count;
    if (m_runs.size() == kMostRuns) m_runs.erase(m_runs.begin());
    m_runs.push_back(
        {tr("%1. %2").arg(m_count).arg(description), before.points, before.validations, {}, before.points.size()});
    keepWithinBounds();
    if (isVisible()) refresh();
}

size_t RunsView::keptBytes() const {
    size_t bytes = 0;
    for (const Run& run : m_runs)
        for (const TrainingCheckpoint& kept : run.checkpoints)
            bytes += bytesOf(kept);
    return bytes;
}

/// The last model of a run is the one that somebody comes back to: it goes last.
void RunsView::keepWithinBounds() {
    size_t bytes = keptBytes();
    for (const size_t left : {size_t{1}, size_t{0}})
        for (size_t run = 0; run + 1 < m_runs.size(); ++run) {
            std::vector<TrainingCheckpoint>& kept = m_runs[run].checkpoints;
            while (bytes > kMostBytes && kept.size() > left) {
                bytes -= bytesOf(kept.front());
                kept.erase(kept.begin());
            }
        }
}

void RunsView::cutBack(int step) {
    if (m_runs.empty()) return;
    const auto later = [step](const auto& told) { return told.step > step; };
    Run& run = m_runs.back();
    std::erase_if(run.points, later);
    std::erase_if(run.validations, later);
    std::erase_if(run.checkpoints, later);
    if (isVisible()) refresh();
}

void RunsView::append(const std::vector<TrainingPoint>& points) {
    if (m_runs.empty()) return;
    m_runs.back().points.insert(m_runs.back().points.end(), points.begin(), points.end());
    // All else waits for the next measurement; how far the run is, is known now.
    if (isVisible() && !points.empty() && m_list->item(0, Steps))
        m_list->item(0, Steps)->setText(formatCount(points.back().step));
}

void RunsView::append(const std::vector<ValidationPoint>& points) {
    if (m_runs.empty()) return;
    m_runs.back().validations.insert(m_runs.back().validations.end(), points.begin(), points.end());
    if (isVisible()) refresh();
}

void RunsView::append(const std::vector<TrainingCheckpoint>& checkpoints) {
    if (m_runs.empty()) return;
    m_runs.back().checkpoints.insert(m_runs.back().checkpoints.end(), checkpoints.begin(), checkpoints.end());
    keepWithinBounds();
    if (isVisible()) refresh();
}

void RunsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void RunsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible()) refresh();
}

void RunsView::setSaved(std::vector<SavedRun> runs) {
    m_saved = std::move(runs);
    if (isVisible()) refresh();
}

/// The newest first, then what was saved.
std::vector<RunsView::Listed> RunsView::listed() const {
    std::vector<Listed> all;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        all.push_back(
            {run->description, &run->points, &run->validations, false, static_cast<int>(m_runs.rend() - run) - 1});
    for (const SavedRun& run : m_saved)
        all.push_back({run.name, &run.curves.points, &run.curves.validations, true});
    return all;
}

bool RunsView::isDrawn(const Listed& run) const {
    return run.isSaved ? m_ticked.contains(run.name) : !m_hidden.contains(run.name);
}

/// Of more than four the chart could not tell one from another: the last in the list gives way.
void RunsView::tick(int row) {
    const std::vector<Listed> all = listed();
    if (row < 0 || row >= static_cast<int>(all.size())) return;
    const auto turn = [this](const Listed& run) {
        QStringList& names = run.isSaved ? m_ticked : m_hidden;
        if (!names.removeOne(run.name)) names << run.name;
    };
    const Listed& chosen = all[static_cast<size_t>(row)];
    turn(chosen);
    auto drawn = std::ranges::count_if(all, [this](const Listed& run) { return isDrawn(run); });
    for (auto run = all.rbegin(); run != all.rend() && drawn > static_cast<long>(kRunsMostDrawn); ++run)
        if (isDrawn(*run) && run->points != chosen.points) {
            turn(*run);
            --drawn;
        }
    refresh();
}

void RunsView::refresh() {
    const std::vector<Listed> all = listed();
    drawCurves(all);
    fillList(all);
    fillCheckpoints();
    showButtons();
    showBead();
}

void RunsView::drawCurves(const std::vector<Listed>& all) {
    std::vector<RunsChart::Run> runs;
    m_drawn.clear();
    PlainChart::Range range{0, 1, 0, 0.1};
    const int quantity = m_quantity->currentIndex();
    for (const Listed& run : all) {
        if (!isDrawn(run) || runs.size() == kRunsMostDrawn) continue;
        PlainChart::Line line;
        const size_t every = std::max<size_t>(1, run.points->size() / kMostPoints);
        for (size_t i = 0; quantity == TrainLoss && i < run.points->size(); i += every)
            line.emplace_back((*run.points)[i].step, (*run.points)[i].loss);
        for (const ValidationPoint& point : *run.validations)
            if (quantity != TrainLoss && (quantity != Bleu || point.isWhole()))
                line.emplace_back(point.step, quantity == ValidationLoss ? point.loss
                                              : quantity == Accuracy     ? point.accuracy
                                                                         : point.bleu);
        for (const QPointF& point : line) {
            range.right = std::max(range.right, point.x());
            range.top = std::max(range.top, point.y() * 1.05);
        }
        // Models are kept between measurements too.
        if (!run.points->empty()) range.right = std::max(range.right, static_cast<double>(run.points->back().step));
        std::vector<int> kept;
        if (run.place >= 0)
            for (const TrainingCheckpoint& each : m_runs[static_cast<size_t>(run.place)].checkpoints)
                kept.push_back(each.step);
        runs.push_back({run.name, std::move(line), std::move(kept)});
        m_drawn.push_back(run.place);
    }
    const bool begun = std::ranges::any_of(all, [](const Listed& run) { return !run.points->empty(); });
    m_chart->setEmptyText(begun ? tr("Not measured yet") : tr("No step taken yet: press Start under Run"));
    m_chart->setRuns(std::move(runs), range, quantity == Bleu ? 1 : 3);
}

/// In the order of their list: the newest first.
std::vector<RunsView::Kept> RunsView::kept() const {
    std::vector<Kept> all;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        for (auto at = run->checkpoints.rbegin(); at != run->checkpoints.rend(); ++at)
            all.push_back({&*run, &*at});
    return all;
}

void RunsView::chooseBead(int line, int step) {
    const Run& wanted = m_runs[static_cast<size_t>(m_drawn[static_cast<size_t>(line)])];
    const std::vector<Kept> all = kept();
    const auto found =
        std::ranges::find_if(all, [&](const Kept& each) { return each.run == &wanted && each.at->step == step; });
    if (found != all.end()) m_checkpoints->setCurrentCell(static_cast<int>(found - all.begin()), 0);
}

void RunsView::showBead() {
    const auto [run, at] = chosen();
    const int place = run ? static_cast<int>(run - m_runs.data()) : -1;
    const auto line = std::ranges::find(m_drawn, place);
    if (!at || line == m_drawn.end()) return m_chart->setChosen({});
    m_chart->setChosen(RunsChart::Bead{static_cast<size_t>(line - m_drawn.begin()), at->step});
}

void RunsView::fillList(const std::vector<Listed>& all) {
    const int chosen = m_list->currentRow();
    m_list->setRowCount(static_cast<int>(all.size()));
    const Theme& t = Theme::of(this);
    size_t line = 0;
    int row = 0;
    for (const Listed& run : all) {
        const bool tested = !run.validations->empty();
        const ValidationPoint* const translated = lastWhole(*run.validations);
        setPlainRow(m_list, row,
                    {run.name, formatCount(run.points->empty() ? 0 : run.points->back().step),
                     tested ? formatNumber(run.validations->back().loss, 3) : QString(),
                     translated ? formatNumber(translated->bleu, 1) : QString()});
        // As in the chart's legend: the boxes that are ticked have the colours of the lines, in their order.
        const bool drawn = isDrawn(run) && line < kRunsMostDrawn;
        QTableWidgetItem* name = m_list->item(row, 0);
        name->setIcon(tickBox(drawn ? PlainChart::colorOf(t, line++) : QColor(), t, devicePixelRatioF()));
        name->setData(Qt::AccessibleTextRole, drawn ? tr("%1, drawn").arg(run.name) : run.name);
        ++row;
    }
    if (chosen >= 0 && chosen < row) m_list->setCurrentCell(chosen, 0);
}

}  // namespace headlight

#include "moc_runs_view.cpp"

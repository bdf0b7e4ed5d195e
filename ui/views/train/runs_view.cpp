// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/runs_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/format/number_format.h"
#include "ui/session/open/training_run.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/time/plain_chart.h"

namespace headlight {

namespace {

constexpr size_t kMostRuns = 4;
constexpr size_t kMostPoints = 400;  ///< of a curve
constexpr size_t kMostBytes = size_t{192} << 20;

enum Quantity { TrainLoss, TestLoss, Accuracy, Bleu };

}  // namespace

RunsView::RunsView(QWidget* parent)
    : QWidget(parent),
      m_quantity(new SegmentedControl({tr("Train loss"), tr("Test loss"), tr("Test accuracy"), tr("BLEU")})),
      m_chart(new PlainChart),
      m_list(makePlainTable({tr("Run"), tr("Steps"), tr("Test loss"), tr("BLEU")}, tr("Runs"))),
      m_checkpoints(makePlainTable({tr("Kept model"), tr("Step")}, tr("Kept models"))),
      m_open(new Button(Button::Kind::Primary, tr("Look inside"), Icon::Explore)),
      m_resume(new Button(Button::Kind::Ghost, tr("Go on from here"), Icon::Play)) {
    auto* curves = new Card(tr("Runs over one another"), tr("the newest in blue, then orange, green, violet"));
    m_quantity->setAccessibleName(tr("What is drawn"));
    m_quantity->setCurrentIndex(TestLoss);
    curves->header()->addWidget(m_quantity);
    curves->body()->addWidget(m_chart, 1);
    auto* runs = new Card(tr("Runs of this session"), tr("the last four"));
    runs->body()->addWidget(m_list, 1);
    auto* kept = new Card(tr("Come back to"), tr("the model as it was"));
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
    buttons->addStretch(1);
    kept->body()->addLayout(buttons);
    for (const int number : {1, 2, 3})
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
    connect(m_quantity, &SegmentedControl::currentChanged, this, &RunsView::refresh);
    connect(m_open, &Button::clicked, this, &RunsView::openChosen);
    connect(m_resume, &Button::clicked, this, &RunsView::resumeChosen);
    connect(m_checkpoints, &QTableWidget::currentCellChanged, this, &RunsView::showButtons);
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

void RunsView::refresh() {
    std::vector<PlainChart::Line> lines;
    PlainChart::Range range{0, 1, 0, 0.1};
    const int quantity = m_quantity->currentIndex();
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run) {
        PlainChart::Line line;
        const size_t every = std::max<size_t>(1, run->points.size() / kMostPoints);
        for (size_t i = 0; quantity == TrainLoss && i < run->points.size(); i += every)
            line.emplace_back(run->points[i].step, run->points[i].loss);
        for (const ValidationPoint& point : run->validations)
            if (quantity != TrainLoss)
                line.emplace_back(point.step, quantity == TestLoss   ? point.loss
                                              : quantity == Accuracy ? point.accuracy
                                                                     : point.bleu);
        for (const QPointF& point : line) {
            range.right = std::max(range.right, point.x());
            range.top = std::max(range.top, point.y() * 1.05);
        }
        lines.push_back(std::move(line));
    }
    m_chart->setLines(std::move(lines), range, -1);
    m_list->setRowCount(static_cast<int>(m_runs.size()));
    int row = 0;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run, ++row) {
        const bool tested = !run->validations.empty();
        setPlainRow(m_list, row,
                    {run->description, formatCount(run->points.empty() ? 0 : run->points.back().step),
                     tested ? formatNumber(run->validations.back().loss, 3) : QString(),
                     tested ? formatNumber(run->validations.back().bleu, 1) : QString()});
    }
    int kept = 0;
    for (const Run& run : m_runs)
        kept += static_cast<int>(run.checkpoints.size());
    const int chosen = m_checkpoints->currentRow();
    m_checkpoints->setRowCount(kept);
    row = 0;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        for (auto at = run->checkpoints.rbegin(); at != run->checkpoints.rend(); ++at, ++row)
            setPlainRow(m_checkpoints, row, {run->description, formatCount(at->step)});
    if (chosen < 0 && kept > 0) m_checkpoints->setCurrentCell(0, 0);
    showButtons();
}

void RunsView::showButtons() {
    const TrainingCheckpoint* at = chosen().second;
    m_open->setEnabled(at != nullptr);
    const bool over = at && at->setup && at->step >= at->setup->options.steps;
    m_resume->setEnabled(at && at->trainer && !over);
    m_resume->setToolTip(over ? tr("This run was over here. Choose an earlier model, or more steps in Settings.")
                              : tr("Train on from this model, as if nothing had been in between"));
}

std::pair<const RunsView::Run*, const TrainingCheckpoint*> RunsView::chosen() const {
    int row = 0;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        for (auto at = run->checkpoints.rbegin(); at != run->checkpoints.rend(); ++at, ++row)
            if (row == m_checkpoints->currentRow()) return {&*run, &*at};
    return {};
}

void RunsView::openChosen() {
    if (const TrainingCheckpoint* at = chosen().second) emit checkpointChosen(TrainingCheckpoint(*at));
}

void RunsView::resumeChosen() {
    const auto [run, at] = chosen();
    if (!at) return;
    Beginning beginning{*at, {}, {}};
    const auto earlier = [step = at->step](const auto& point) { return point.step <= step; };
    std::ranges::copy_if(run->points, std::back_inserter(beginning.points), earlier);
    std::ranges::copy_if(run->validations, std::back_inserter(beginning.validations), earlier);
    emit resumeRequested(beginning);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// The models that were kept of runs: looked into, set beside the open one, gone on from as planned or with one thing
// otherwise.
#include <QDrag>
#include <QHBoxLayout>
#include <QPainter>
#include <QPixmap>
#include <QTableWidget>
#include <algorithm>
#include <utility>

#include "ui/session/format/number_format.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/value_words.h"
#include "ui/views/train/runs_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/plain_table.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// What may be otherwise; the heads are those that can be silent while a model learns.
std::vector<RunFork> forksFrom(const TrainedModel* model) {
    std::vector<RunFork> all = {{}};
    for (const double rate : {4.0, 2.0, 0.5, 0.25})
        all.push_back({.rate = rate});
    for (const double smoothing : {0.0, 0.1, 0.3})
        all.push_back({.smoothing = smoothing});
    all.push_back({.isDealtOtherwise = true});
    if (!model) return all;
    for (const ModuleRef& module : model->network->modules()) {
        if (module->kind != ModuleKind::Attention) continue;
        for (int head = 0; head < module->heads; ++head)
            all.push_back({.silent = headName(QString::fromStdString(module->scope), head),
                           .silentTitle = module->heads == 1
                                              ? moduleTitle(*module)
                                              : RunsView::tr("%1, head %2").arg(moduleTitle(*module)).arg(head + 1)});
    }
    return all;
}

}  // namespace

QString wordsOf(const RunFork& fork) {
    if (fork.isDealtOtherwise) return RunsView::tr("another order of the data");
    if (!fork.silent.isEmpty()) return RunsView::tr("without %1").arg(fork.silentTitle);
    if (fork.smoothing) return RunsView::tr("label smoothing %1").arg(QString::number(*fork.smoothing));
    return fork.rate == 1 ? RunsView::tr("all as planned")
                          : RunsView::tr("learning rate × %1").arg(QString::number(fork.rate));
}

QHBoxLayout* RunsView::makeForkRow() {
    fillForks();
    m_fork->setToolTip(
        tr("One thing otherwise makes a fork: it goes on beside the run that it left, and both are drawn above"));
    auto* row = new QHBoxLayout;
    row->addWidget(new Caption(tr("From there on"), 12, QFont::Normal, Caption::Tone::Secondary));
    row->addWidget(m_fork, 1);
    return row;
}

/// Of the heads those of the model that is chosen; what was chosen stays where it is there.
void RunsView::fillForks() {
    const TrainingCheckpoint* const at = m_checkpoints ? chosen().at : nullptr;
    std::vector<RunFork> forks = forksFrom(at ? at->model.get() : nullptr);
    if (forks == m_forks) return;
    m_forks = std::move(forks);
    const QString before = m_fork->currentText();
    m_fork->clear();
    for (const RunFork& fork : m_forks)
        m_fork->addItem(wordsOf(fork));
    m_fork->setCurrentIndex(std::max(0, m_fork->findText(before)));
}

void RunsView::fillCheckpoints() {
    const std::vector<Kept> all = kept();
    const int chosen = m_checkpoints->currentRow();
    m_checkpoints->setRowCount(static_cast<int>(all.size()));
    int row = 0;
    for (const Kept& each : all)
        setPlainRow(m_checkpoints, row++, {each.run->description, formatCount(each.at->step)});
    if (chosen < 0 && !all.empty()) m_checkpoints->setCurrentCell(0, 0);
}

void RunsView::showButtons() {
    fillForks();
    const TrainingCheckpoint* at = chosen().at;
    m_open->setEnabled(at != nullptr);
    m_beside->setEnabled(at != nullptr);
    const bool over = at && at->setup && at->step >= at->setup->options.steps;
    m_resume->setEnabled(at && at->trainer && !over);
    m_fork->setEnabled(m_resume->isEnabled());
    m_resume->setToolTip(over ? tr("This run was over here. Choose an earlier model, or more steps in Settings.")
                              : tr("Train on from this model, as if nothing had been in between"));
}

RunsView::Kept RunsView::chosen() const {
    const std::vector<Kept> all = kept();
    const int row = m_checkpoints->currentRow();
    return row >= 0 && row < std::ssize(all) ? all[static_cast<size_t>(row)] : Kept();
}

void RunsView::openChosen() {
    if (const TrainingCheckpoint* at = chosen().at) emit checkpointChosen(TrainingCheckpoint(*at));
}

std::optional<KeptModel> RunsView::chosenModel() const {
    const auto [run, at] = chosen();
    if (!at) return {};
    QString key = QStringLiteral("run:%1").arg(at->step);
    if (run != &m_runs.back()) key += u':' + run->description.section(u'.', 0, 0);
    return KeptModel{at->model, tr("%1, step %2").arg(run->description.section(u',', 0, 0), formatCount(at->step)),
                     key};
}

/// In the reader's hand, to Compare.
void RunsView::dragChosen() {
    const std::optional<KeptModel> model = chosenModel();
    if (!model) return;
    const Theme& t = Theme::of(this);
    const QFont font = uiFont(12, QFont::DemiBold);
    const QSize size(static_cast<int>(paint::textWidth(model->name, font)) + 36, 28);
    QPixmap picture(size * devicePixelRatioF());
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture.fill(Qt::transparent);
    {
        QPainter p(&picture);
        p.setRenderHint(QPainter::Antialiasing);
        paint::box(p, QRectF(QPointF(), size), t.nowTint, t.nowLine, 6);
        paint::box(p, {9, 9, 10, 10}, t.now, t.nowLine, 5);
        paint::centredText(p, {26, size.height() / 2.0}, model->name, font, t.nowText);
    }
    auto* drag = new QDrag(this);
    drag->setMimeData(new KeptModelDrag(*model));
    drag->setPixmap(picture);
    drag->setHotSpot({14, 14});
    drag->exec(Qt::CopyAction);
}

void RunsView::resumeChosen() {
    const auto [run, at] = chosen();
    if (!at) return;
    Beginning beginning{*at, {}, {}, m_forks[static_cast<size_t>(m_fork->currentIndex())]};
    const auto earlier = [step = at->step](const auto& point) { return point.step <= step; };
    std::ranges::copy_if(run->points, std::back_inserter(beginning.points), earlier);
    std::ranges::copy_if(run->validations, std::back_inserter(beginning.validations), earlier);
    emit resumeRequested(beginning);
}

}  // namespace headlight

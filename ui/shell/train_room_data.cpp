// SPDX-License-Identifier: GPL-3.0-or-later
// What the room's runs learn from: how it is chosen, and what the pages show of it.
#include <QFileDialog>
#include <algorithm>

#include "core/data/task.h"
#include "ui/session/open/model_parameters.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"

namespace headlight {

/// The field shows the run's seed until the reader has agreed.
void TrainRoom::chooseSeed(int seed) {
    m_view->setSeed(static_cast<int>(m_workbench.training.setup().options.seed));
    askToBeginAnew(tr("Begin with seed %1").arg(seed), [this, seed] {
        m_view->setSeed(seed);
        showData();
        reset();
    });
}

void TrainRoom::chooseTask(const QString& task) {
    showData();
    askToBeginAnew(tr("Begin with another task"), [this, task] {
        if (task.isEmpty()) {
            m_pages->setCurrentWidget(m_data);
            emit m_workbench.viewRequested(ViewName::TrainingData);
            return;
        }
        m_choice.setTask(task.toStdString());
        reset();
    });
}

void TrainRoom::chooseFiles(const QString& title, const std::function<void(const QStringList&)>& open) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, m_data, open);
    dialog->open();
}

/// What is to be trained on, in the bar of the run.
void TrainRoom::showData() {
    m_choice.setSeed(static_cast<uint64_t>(m_view->seed()));
    m_view->setOwnData(m_choice.hasFiles() ? nameOf(m_choice.data()) : QString());
    m_view->setTask(QString::fromStdString(m_choice.data().files.task));
    m_settings->setData(m_choice.kind(), m_choice.data().tokenizer.jointBpe);
    countWords();
}

/// For the pages Settings and Data. Of files the page Data has counted them; a task's are counted in the background.
void TrainRoom::countWords() {
    const QWidget* const page = m_pages->currentWidget();
    if (page != m_settings && page != m_data) return;
    if (m_choice.hasFiles()) {
        m_wordCount.drop();
        return m_settings->setWords(m_data->vocabularySizes());
    }
    if (m_counted != m_choice.data()) m_data->setTaskWords({});
    m_wordCount.ask<std::array<int, 2>>(
        [data = m_choice.data(), seed = m_choice.seed()] { return vocabularySizes(data, seed); },
        [this, data = m_choice.data()](const std::array<int, 2>& words) {
            m_counted = data;
            m_settings->setWords(words);
            m_data->setTaskWords(words);
        },
        [](const QString&) {});  // a run on it will say why
}

/// A run that is gone on with is shown as it was asked for.
void TrainRoom::showSetup(const TrainingSetup& setup) {
    m_choice.choose(setup);
    m_view->setSeed(static_cast<int>(setup.options.seed));
    showData();
}

}  // namespace headlight

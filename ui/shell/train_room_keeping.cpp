// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a run: saved, kept, asked for before it is lost, brought back.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <chrono>

#include "core/error.h"
#include "core/platform/pace.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/rate_card.h"
#include "ui/views/train/save_buttons.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"

namespace headlight {

void TrainRoom::connectKeeper() {
    SaveButtons* buttons = m_view->saveButtons();
    connect(buttons, &SaveButtons::saveRequested, this, &TrainRoom::save);
    connect(buttons, &SaveButtons::saveAsRequested, this, &TrainRoom::saveAs);
    connect(buttons, &SaveButtons::keepRequested, this, &TrainRoom::keepModel);
    connect(&m_keeper, &RunKeeper::changed, this, &TrainRoom::showSaveButtons);
    connect(&m_keeper, &RunKeeper::failed, &m_workbench.session, &Session::failed);
    connect(m_view, &TrainingView::frameSelected, this, &TrainRoom::showSaveButtons);
    connect(m_view->rate(), &RateCard::factorChosen, this, [this](double factor) {
        if (factor == factorAt(m_workbench.training.setup().options.rateChanges, step() + 1)) return;
        setByHand(true);
        m_workbench.training.setRateFactor(factor);
    });
    connect(&m_workbench.training, &TrainingRun::rateTurned, this, &TrainRoom::showFacts);
    connect(&m_workbench, &Workbench::trainOnWanted, this,
            [this](const QString& path) { askToBeginAnew(tr("Train on"), [this, path] { trainOn(path); }); });
    connect(&m_workbench.trained, &TrainedModels::changed, this, &TrainRoom::showSavedRuns);
}

/// A large text takes minutes before the first step.
void TrainRoom::connectPreparation() {
    connect(m_view, &TrainingView::cancelRequested, this, [this] {
        m_givenUp = true;
        m_workbench.training.cancelPreparation();
    });
    connect(&m_workbench.training, &TrainingRun::preparing, this, &TrainRoom::showPreparation);
}

void TrainRoom::showPreparation(const TrainingPreparation& at) {
    constexpr std::chrono::milliseconds noticeable{400};
    if (m_sincePreparing.elapsed() < platform::paced(noticeable).count()) return;
    using Phase = TrainingPreparation::Part;
    const QString what = at.part == Phase::Reading         ? tr("reading the text")
                         : at.part == Phase::LearningWords ? tr("learning the words")
                                                           : tr("turning it into ids");
    const QString share = formatPercent(at.share, 0);
    m_view->setPreparing({tr("Making ready: %1, %2").arg(what, share), tr("%1, %2").arg(what, share), share});
}

int TrainRoom::shownStep() const {
    const int shown = m_view->film()->currentStep();
    return shown > 0 ? shown : step();
}

void TrainRoom::showSaveButtons() {
    const TrainingState state = m_workbench.training.state();
    const bool isThere = step() > 0 && (state == TrainingState::Running || state == TrainingState::Paused ||
                                        state == TrainingState::Finished);
    m_view->saveButtons()->showState(m_keeper.isBusy()               ? SaveButtons::State::Saving
                                     : !isThere                      ? SaveButtons::State::Nothing
                                     : m_keeper.isSaved(shownStep()) ? SaveButtons::State::Saved
                                                                     : SaveButtons::State::Unsaved,
                                     shownStep(), m_keeper.nameOfRun());
}

void TrainRoom::showRate() {
    m_view->rate()->setFactor(factorAt(m_workbench.training.setup().options.rateChanges, step() + 1));
}

void TrainRoom::showSavedRuns() {
    if (m_pages->currentWidget() != m_runs || !isVisible()) return;
    std::vector<RunsView::SavedRun> runs;
    for (const TrainedModels::Entry& entry : m_workbench.trained.list())
        if (entry.trouble.isEmpty()) runs.push_back({entry.name, curvesOf(entry.card.training)});
    m_runs->setSaved(std::move(runs));
}

void TrainRoom::save() {
    if (m_view->saveButtons()->saveButton()->isEnabled()) m_keeper.save(shownStep());
}

void TrainRoom::saveAs() {
    if (!m_view->saveButtons()->saveButton()->isEnabled()) return;
    const int step = shownStep();  // the run may go on while the reader chooses
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the model of step %1").arg(formatCount(step)),
        QDir(m_workbench.trained.folder()).filePath(m_keeper.nameOfRun() + QStringLiteral(".safetensors")),
        tr("Models (*.safetensors)"));
    if (path.isEmpty()) return;
    if (!path.endsWith(QLatin1String(".safetensors"))) path += QLatin1String(".safetensors");
    m_keeper.saveAs(step, path);
}

void TrainRoom::keepModel() {
    if (m_view->saveButtons()->keepButton()->isEnabled()) m_keeper.keepModel(shownStep());
}

/// A run that somebody trained by hand is kept on disk; what a lesson trains can be had again.
void TrainRoom::setByHand(bool byHand) {
    m_byHand = byHand;
    m_keeper.setOfReader(byHand);
}

bool TrainRoom::bringBack() {
    try {
        const std::optional<RunStore::Kept> left = m_keeper.leftBehind();
        if (!left) return false;
        m_settings->showSetup(left->setup);
        begin(left->setup, tr("%1, seed %2").arg(nameOf(left->setup.data)).arg(left->setup.options.seed),
              {*left->setup.from, left->curves.points, left->curves.validations});
        m_keeper.goOnWith(left->file);
        setByHand(true);
        m_broughtBack = true;
        return true;
    } catch (const Error& error) {
        emit m_workbench.session.failed(
            tr("The run of the last time cannot be brought back: %1").arg(QString::fromUtf8(error.what())));
        return false;
    }
}

void TrainRoom::trainOn(const QString& path) {
    try {
        const TrainingSetup setup = TrainedModels::trainOn(path);
        m_settings->showSetup(setup);
        begin(setup, tr("%1, trained on").arg(QFileInfo(path).completeBaseName()));
        m_pages->setCurrentWidget(m_view);
        emit m_workbench.viewRequested(ViewName::Training);
    } catch (const Error& error) {
        emit m_workbench.session.failed(QString::fromUtf8(error.what()));
    }
}

/// A run whose model stands in a file as it is now loses nothing with the window.
bool TrainRoom::isUnsaved() const {
    return isWorkOfReader() && !m_keeper.isSaved(step());
}

void TrainRoom::askToBeginAnew(const QString& yes, const std::function<void()>& andThen) {
    if (!isWorkOfReader()) return andThen();
    const auto then = [this, andThen] {
        m_keeper.forget();
        andThen();
    };
    const QString question =
        tr("The curves and the film of this run, %1 step(s), would be lost. Of its models those "
           "stay that are kept under Runs.",
           nullptr, step());
    ask(plural(question.arg(formatCount(step())), step()), yes, then);
}

/// Whoever discards a run does not want it back the next time.
void TrainRoom::leave(const std::function<void()>& then) {
    if (!hasUnsavedWork()) return then();
    if (!isUnsaved()) return ask(tr("The models that were trained in this window would be lost."), tr("Quit"), then);
    const QString question =
        tr("The model that was trained in this window, %1 step(s), is not saved.", nullptr, step());
    ask(plural(question.arg(formatCount(step())), step()), tr("Discard"), [this, then] {
        m_keeper.forget();
        then();
    });
    QAbstractButton* save = m_question->addButton(QMessageBox::Save);
    connect(save, &QAbstractButton::clicked, this, [this, then] {
        m_workbench.training.pause();
        m_keeper.save(step(), then);
    });
}

/// Not with exec(): the training, and whatever else the window does, goes on while the question waits.
void TrainRoom::ask(const QString& question, const QString& yes, const std::function<void()>& then) {
    delete m_question;
    m_question = new QMessageBox(QMessageBox::Warning, tr("Training"), question, QMessageBox::Cancel, window());
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setDefaultButton(QMessageBox::Cancel);
    connect(m_question->addButton(yes, QMessageBox::DestructiveRole), &QAbstractButton::clicked, this, then);
    m_question->open();
}

}  // namespace headlight

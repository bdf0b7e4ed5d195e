// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/run_keeper.h"

#include <QFileInfo>
#include <utility>

#include "core/error.h"

namespace headlight {

RunKeeper::RunKeeper(TrainingRun& run, TrainedModels& models, RunStore& store, QObject* parent)
    : QObject(parent), m_run(run), m_models(models), m_store(store) {
    connect(&run, &TrainingRun::pointsAdded, this, [this](const std::vector<TrainingPoint>& points) {
        m_curves.points.insert(m_curves.points.end(), points.begin(), points.end());
        emit changed();
    });
    connect(&run, &TrainingRun::validated, this, [this](const std::vector<ValidationPoint>& points) {
        m_curves.validations.insert(m_curves.validations.end(), points.begin(), points.end());
    });
    connect(&run, &TrainingRun::cutBack, this, [this](int step) { m_curves = upTo(std::move(m_curves), step); });
    connect(&run, &TrainingRun::rateTurned, this, [this] {
        // Models of later steps were another run's.
        m_saved.removeIf([this](int step) { return step > m_run.step(); });
        emit changed();
    });
    connect(&run, &TrainingRun::modelToSave, this, &RunKeeper::takeModel);
    connect(&run, &TrainingRun::standTold, this, [this](const TrainingCheckpoint& stand) {
        if (!m_ofReader) return;
        m_stand = stand;
        m_store.keep(stand, m_curves, m_file);
    });
    connect(&run, &TrainingRun::stateChanged, this, [this](TrainingState state) {
        if (state == TrainingState::Failed && m_wish > 0) fail(tr("There is no model to save: the run has failed."));
        emit changed();
    });
    connect(&models, &TrainedModels::saved, this, [this](const QString& path, int wish) {
        if (wish == m_writing) finish(path);
    });
    connect(&models, &TrainedModels::failed, this, [this](const QString& why, int wish) {
        if (wish == m_writing) fail(why);
    });
    connect(&store, &RunStore::failed, this, &RunKeeper::failed);
}

void RunKeeper::begin(const RunCurves& before) {
    m_curves = before;
    m_ofReader = false;
    m_file.clear();
    m_stand.reset();
    m_saved.clear();
    m_wish = 0;  // what is being written already is written
    m_then = {};
    emit changed();
}

void RunKeeper::goOnWith(const QString& file) {
    m_file = file;
    emit changed();
}

/// A rate that was turned since makes no other run of it.
void RunKeeper::goOnWithFileOf(const TrainingSetup& setup) {
    const auto plain = [](TrainingSetup each) {
        each.from.reset();
        each.options.rateChanges.clear();
        return each;
    };
    for (const auto& [saved, file] : m_files)
        if (saved.name == setup.name && isSameRun(plain(saved), plain(setup))) goOnWith(file);
}

/// Also beside what is kept on disk, so that the next window saves there too.
void RunKeeper::rememberFile(const QString& file) {
    m_file = file;
    TrainingSetup setup = m_run.setup();
    setup.from.reset();
    m_files.emplace_back(std::move(setup), file);
    if (m_ofReader && m_stand) m_store.keep(*m_stand, m_curves, m_file);
}

/// What the run still tells of itself is not kept either.
void RunKeeper::forget() {
    m_ofReader = false;
    m_stand.reset();
    m_store.forget();
}

QString RunKeeper::nameOfRun() const {
    const TrainingSetup& setup = m_run.setup();
    if (!setup.name.isEmpty()) return setup.name;
    return setup.fromModel.isEmpty() ? nameOf(setup.data)
                                     : tr("%1, trained on").arg(QFileInfo(setup.fromModel).completeBaseName());
}

void RunKeeper::save(int step, const std::function<void()>& then) {
    try {
        // The reader may have renamed or deleted it meanwhile.
        const bool again = !m_file.isEmpty() && QFileInfo::exists(m_file);
        write(step, again ? m_file : m_models.freePath(nameOfRun()), then);
        m_isFileOfRun = true;
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

void RunKeeper::saveAs(int step, const QString& path) {
    write(step, path, {});
    m_isFileOfRun = true;  // the next Save goes there too
}

void RunKeeper::keepModel(int step) {
    try {
        const int shown = step < 0 ? m_run.step() : step;
        write(step, m_models.freePath(tr("%1, step %2").arg(nameOfRun()).arg(shown)), {});
    } catch (const Error& error) {
        emit failed(QString::fromUtf8(error.what()));
    }
}

void RunKeeper::write(int step, const QString& path, const std::function<void()>& then) {
    if (isBusy()) return;
    m_isFileOfRun = false;
    m_path = path;
    m_then = then;
    m_wish = m_run.requestModelToSave(step);
    emit changed();
}

void RunKeeper::takeModel(const ModelToSave& model, int wish) {
    if (wish != m_wish) return;
    m_wish = 0;
    m_step = model.figures.step;
    const TrainingSetup& setup = m_run.setup();
    m_writing = m_models.save(recorded(model, setup, m_curves), recipeOf(setup, m_step), m_path);
    emit changed();
}

/// The last model of a run that is over is all that there is to come back to.
void RunKeeper::finish(const QString& path) {
    m_writing = 0;
    if (std::exchange(m_isFileOfRun, false)) rememberFile(path);
    m_saved.push_back(m_step);
    if (m_step == m_run.lastStep()) m_store.forget();
    const std::function<void()> then = std::exchange(m_then, {});
    emit changed();
    emit saved(path);
    if (then) then();
}

void RunKeeper::fail(const QString& why) {
    m_wish = m_writing = 0;
    m_then = {};
    emit changed();
    emit failed(why);
}

}  // namespace headlight

#include "moc_run_keeper.cpp"

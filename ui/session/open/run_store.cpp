// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/run_store.h"

#include <QDir>
#include <QFile>

#include "core/error.h"
#include "core/io/model_file.h"

namespace headlight {

RunStore::~RunStore() {
    if (m_jobs) m_jobs->finish();
    m_jobs.reset();  // before the lock is given back
}

QString RunStore::path() const {
    return QDir(m_folder).filePath(QStringLiteral("run.safetensors"));
}

bool RunStore::open(const QString& folder) {
    if (!QDir().mkpath(folder)) return false;
    auto lock = std::make_unique<QLockFile>(QDir(folder).filePath(QStringLiteral("run.lock")));
    lock->setStaleLockTime(0);  // a window may be open for days; of one that crashed nothing runs any more
    if (!lock->tryLock()) return false;
    m_folder = folder;
    m_lock = std::move(lock);
    m_jobs = std::make_unique<JobThread>();
    // What a window left that was killed while it wrote.
    QDir left(folder);
    for (const QString& name : left.entryList({QStringLiteral(".headlight-*.tmp")}, QDir::Files | QDir::Hidden))
        left.remove(name);
    return true;
}

std::optional<RunStore::Kept> RunStore::load() const {
    if (!isOpen() || !QFile::exists(path())) return {};
    Checkpoint file = loadCheckpoint(path().toStdString());
    Kept kept{setupOf(file.model.training), curvesOf(file.model.training), savedAs(file.model.training)};
    TrainingCheckpoint stand;
    stand.step = static_cast<int>(file.trainer.step);
    stand.setup = std::make_shared<const TrainingSetup>(kept.setup);
    stand.chosen = std::move(file.kept);
    stand.trainer = std::make_shared<const TrainerState>(std::move(file.trainer));
    stand.model = std::make_shared<const TrainedModel>(std::move(file.model));
    kept.setup.from = std::move(stand);
    if (kept.setup.lastStep() < kept.setup.firstStep())
        throw Error(path().toStdString() + " stands behind the end of its run: the file is damaged");
    return kept;
}

void RunStore::keep(const TrainingCheckpoint& stand, const RunCurves& curves, const QString& file) {
    if (!isOpen()) return;
    m_jobs->post(0, [this, stand, curves, file, to = path().toStdString()] {
        try {
            saveCheckpoint(recorded(stand, curves, file), stand.setup->options, *stand.trainer, to, stand.chosen);
            QMetaObject::invokeMethod(this, [this, step = stand.step] { emit kept(step); });
        } catch (const std::exception& error) {
            const QString why = QString::fromUtf8(error.what());
            QMetaObject::invokeMethod(this, [this, why] { emit failed(why); });
        }
    });
}

void RunStore::forget() {
    if (isOpen()) m_jobs->post(0, [file = path()] { QFile::remove(file); });
}

}  // namespace headlight

#include "moc_run_store.cpp"

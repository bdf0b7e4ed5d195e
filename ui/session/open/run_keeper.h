// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "ui/session/open/run_store.h"
#include "ui/session/open/trained_models.h"
#include "ui/session/open/training_run.h"

namespace headlight {

/// What becomes of a run beyond its window: its models are saved, and where it stands is kept on disk while it goes on.
class RunKeeper : public QObject {
    Q_OBJECT
public:
    RunKeeper(TrainingRun& run, TrainedModels& models, RunStore& store, QObject* parent = nullptr);

    /// A run begins, with what the curves show of it already.
    void begin(const RunCurves& before = {});
    /// The run goes on with one that was saved to that file before, or to that of the run that this setup is of: it is
    /// saved there again. After begin().
    void goOnWith(const QString& file);
    void goOnWithFileOf(const TrainingSetup& setup);
    /// Whether it is the reader's: such a run alone is kept on disk.
    void setOfReader(bool ofReader) { m_ofReader = ofReader; }
    /// The run that an earlier window left; reset() it and begin() with its curves.
    std::optional<RunStore::Kept> leftBehind() const { return m_store.load(); }
    /// The run is given up: it is not brought back.
    void forget();

    /// The run's model of that step (below 0: where it stands) among those trained here; again to the same file. `then`
    /// where that has worked.
    void save(int step, const std::function<void()>& then = {});
    void saveAs(int step, const QString& path);
    /// Beside the others, under a name that says the step.
    void keepModel(int step);
    /// What a save would be called.
    QString nameOfRun() const;

    bool isBusy() const { return m_wish > 0 || m_writing > 0; }
    /// The model of that step stands in a file.
    bool isSaved(int step) const { return m_saved.contains(step); }

signals:
    /// One of the above, or which of them is so, has changed.
    void changed();
    void saved(const QString& path);
    /// One line: what is wrong and what to do.
    void failed(const QString& why);

private:
    void write(int step, const QString& path, const std::function<void()>& then);
    void rememberFile(const QString& file);
    void takeModel(const ModelToSave& model, int wish);
    void finish(const QString& path);
    void fail(const QString& why);

    TrainingRun& m_run;
    TrainedModels& m_models;
    RunStore& m_store;
    RunCurves m_curves;
    bool m_ofReader = false;
    QString m_file;                                          ///< of this run; empty: it was not saved yet
    std::vector<std::pair<TrainingSetup, QString>> m_files;  ///< of the runs of this session
    std::optional<TrainingCheckpoint> m_stand;               ///< what was kept on disk last
    QList<int> m_saved;
    int m_wish = 0;     ///< for the model to be written; 0: none
    int m_writing = 0;  ///< its number once it is
    int m_step = 0;     ///< of it
    QString m_path;
    bool m_isFileOfRun = false;  ///< later saves go to the same file
    std::function<void()> m_then;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <vector>

#include "core/io/model_file.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/run_record.h"

namespace headlight {

/// The models that were trained here: files of a folder of the program's own, each with the settings that train it
/// again beside it (`NAME.safetensors`, `NAME.train.yaml`). The name of a model is that of its file.
class TrainedModels : public QObject {
    Q_OBJECT
public:
    explicit TrainedModels(QObject* parent = nullptr) : QObject(parent) {}
    /// Waits for what is being written.
    ~TrainedModels() override;

    /// Without a folder nothing is listed, and models are written only where the reader says.
    void setFolder(const QString& folder) { m_folder = folder; }
    const QString& folder() const { return m_folder; }

    struct Entry {
        QString path, name;
        QDateTime written;
        ModelCard card = {};
        QString trouble;  ///< why the card cannot be read; empty: it can
    };
    /// The newest first.
    std::vector<Entry> list() const;

    /// A file of that name in the folder; numbered where there is one already. Throws Error where there is no folder.
    QString freePath(const QString& name) const;

    /// Writes the model and its settings on a thread of its own; saved() or failed() follows with the number that this
    /// gives. What stood there is replaced whole or not at all.
    int save(TrainedModel model, const TrainingRecipe& recipe, const QString& path);

    /// The file bears the new name from now on; its new path. Throws Error for a name that is none or is taken.
    QString rename(const QString& path, const QString& name);
    /// Into the wastebasket; where it lies there. Throws Error for what is not of this folder, and where there is none.
    QString moveToTrash(const QString& path);
    /// The setup that goes on training that model: its data and options as its settings say. Throws Error where they
    /// are not there, or cannot be gone on with.
    static TrainingSetup trainOn(const QString& path);

signals:
    void saved(const QString& path, int wish);
    void failed(const QString& why, int wish);
    void changed();

private:
    QString fileOf(const QString& name) const;

    QString m_folder;
    int m_wishes = 0;
    JobThread m_jobs;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QObject>
#include <memory>
#include <optional>

#include "ui/session/open/job_thread.h"
#include "ui/session/open/run_record.h"

namespace headlight {

/// The reader's run, kept in a file while it goes on, so that closing the window, or a crash, loses the last seconds
/// alone. One file, written to another name and renamed: there is the stand before, or this one, never a part. Whoever
/// opens the folder first has it; another window beside it keeps nothing.
class RunStore : public QObject {
    Q_OBJECT
public:
    explicit RunStore(QObject* parent = nullptr) : QObject(parent) {}
    /// Waits for what is being written.
    ~RunStore() override;

    /// How often a run is to tell where it stands.
    static constexpr int everyMs = 5000;

    /// Makes the folder where there is none. False, with nothing kept from then on, where another window has it.
    bool open(const QString& folder);
    bool isOpen() const { return m_lock != nullptr; }

    struct Kept {
        TrainingSetup setup;  ///< goes on from where the run stood
        RunCurves curves;
        QString file = {};  ///< that its models were saved to; empty: to none
    };
    /// What a window before this one left; nothing where there is none. Throws Error for a file that cannot be read.
    std::optional<Kept> load() const;

    /// On a thread of its own; of stands that wait the newest is written. kept() or failed() follows.
    void keep(const TrainingCheckpoint& stand, const RunCurves& curves, const QString& file = {});
    /// There is nothing to be brought back.
    void forget();

signals:
    void kept(int step);
    void failed(const QString& why);

private:
    QString path() const;

    QString m_folder;
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<JobThread> m_jobs;
};

}  // namespace headlight

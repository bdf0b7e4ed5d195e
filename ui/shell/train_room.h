// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QWidget>

namespace headlight {

class TrainingView;
struct TrainingSetup;
class Workbench;

/// Trains a fresh model beside the one that is open, and hands it over when the reader wants to look inside.
class TrainRoom : public QWidget {
    Q_OBJECT
public:
    TrainRoom(Workbench& workbench, QWidget* parent);

    TrainingView* view() const { return m_view; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void reset();
    void start();
    void showFacts();
    void showTimes();
    TrainingSetup setup() const;

    Workbench& m_workbench;
    TrainingView* m_view;
    QElapsedTimer m_sinceStart;
    qint64 m_playedMs = 0;  ///< of the stretches before the last pause
    int m_step = 0;
    int m_stepAtStart = 0;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/open/training_model.h"

class QTableWidget;

namespace headlight {

class Button;
class Card;
class ChoiceRow;
class PlainChart;
class SegmentedControl;

/// Runs of this session over one another, and the models that were kept on the way, to be looked into. Of the last four
/// runs, and within 192 MB: above that the kept models of older runs go, the earliest first. What the present run keeps
/// is its own affair (TrainingWorker).
class RunsView : public QWidget {
    Q_OBJECT
public:
    explicit RunsView(QWidget* parent = nullptr);

    /// A run as it was up to a model that was kept of it.
    struct Beginning {
        TrainingCheckpoint checkpoint;
        std::vector<TrainingPoint> points;
        std::vector<ValidationPoint> validations;
    };

    /// A run begins; what is appended from now on is of it. A run without any point of its own gives way. `before`:
    /// what it goes on from.
    void begin(const QString& description, const Beginning& before = {});
    void append(const std::vector<TrainingPoint>& points);
    void append(const std::vector<ValidationPoint>& points);
    void append(const std::vector<TrainingCheckpoint>& checkpoints);
    /// Of the present run later steps are forgotten.
    void cutBack(int step);

    /// What the weights of all kept models take.
    size_t keptBytes() const;
    int runs() const { return static_cast<int>(m_runs.size()); }
    PlainChart* chart() const { return m_chart; }
    QTableWidget* checkpoints() const { return m_checkpoints; }
    Button* openButton() const { return m_open; }
    Button* resumeButton() const { return m_resume; }

signals:
    void checkpointChosen(const headlight::TrainingCheckpoint& checkpoint);
    /// The run is to be gone on with from there.
    void resumeRequested(const headlight::RunsView::Beginning& beginning);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Run {
        QString description;
        std::vector<TrainingPoint> points;
        std::vector<ValidationPoint> validations;
        std::vector<TrainingCheckpoint> checkpoints;
        size_t before = 0;  ///< points of it that are another run's
    };
    void keepWithinBounds();
    void refresh();
    /// The kept model that the list stands on, and its run.
    std::pair<const Run*, const TrainingCheckpoint*> chosen() const;
    void showButtons();
    void openChosen();
    void resumeChosen();

    std::vector<Run> m_runs;  ///< the newest last; the oldest go
    int m_count = 0;          ///< of all runs there were
    SegmentedControl* m_quantity;
    PlainChart* m_chart;
    QTableWidget* m_list;
    QTableWidget* m_checkpoints;
    Button* m_open;
    Button* m_resume;
};

}  // namespace headlight

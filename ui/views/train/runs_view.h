// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/session/open/kept_model.h"
#include "ui/session/open/run_record.h"

class QHBoxLayout;
class QTableWidget;

namespace headlight {

class Button;
class Card;
class ChoiceRow;
class ComboBox;
class RunsChart;
class SegmentedControl;

/// What is otherwise from a kept model on; where nothing is, the run goes on as planned.
struct RunFork {
    double rate = 1;                       ///< that the planned learning rate is multiplied by
    std::optional<double> smoothing = {};  ///< ε of label smoothing; absent: as planned
    bool isDealtOtherwise = false;         ///< the data come in another order
    QString silent = {};                   ///< a head that is off, as the program names it; empty: none
    QString silentTitle = {};              ///< and as the reader is told of it
    bool operator==(const RunFork&) const = default;
};
/// "as planned", "learning rate × 2".
QString wordsOf(const RunFork& fork);

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
        RunFork fork = {};
    };

    /// A run begins; what is appended from now on is of it. A run without any point of its own gives way. `before`:
    /// what it goes on from.
    void begin(const QString& description) { begin(description, Beginning()); }
    void begin(const QString& description, const Beginning& before);
    void append(const std::vector<TrainingPoint>& points);
    void append(const std::vector<ValidationPoint>& points);
    void append(const std::vector<TrainingCheckpoint>& checkpoints);
    /// Of the present run later steps are forgotten.
    void cutBack(int step);

    /// Of a model that was saved, in this session or an earlier one.
    struct SavedRun {
        QString name;
        RunCurves curves;
    };
    /// They stand below the runs of the session, and are drawn where they are ticked.
    void setSaved(std::vector<SavedRun> runs);

    /// What the weights of all kept models take.
    size_t keptBytes() const;
    int runs() const { return static_cast<int>(m_runs.size()); }
    QTableWidget* list() const { return m_list; }
    RunsChart* chart() const { return m_chart; }
    QTableWidget* checkpoints() const { return m_checkpoints; }
    Button* openButton() const { return m_open; }
    ComboBox* forkChoice() const { return m_fork; }
    Button* resumeButton() const { return m_resume; }
    Button* besideButton() const { return m_beside; }
    /// The model that the list stands on, as other views take it; none where the list is empty.
    std::optional<KeptModel> chosenModel() const;

signals:
    void checkpointChosen(const headlight::TrainingCheckpoint& checkpoint);
    /// It is to stand beside the open model.
    void besideRequested(const headlight::KeptModel& model);
    /// The run is to be gone on with from there.
    void resumeRequested(const headlight::RunsView::Beginning& beginning);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Run {
        QString description;
        std::vector<TrainingPoint> points;
        std::vector<ValidationPoint> validations;
        std::vector<TrainingCheckpoint> checkpoints;
        size_t before = 0;  ///< points of it that are another run's
    };
    /// A run as the list shows it, whether it was saved or is of this session.
    struct Listed {
        QString name;
        const std::vector<TrainingPoint>* points;
        const std::vector<ValidationPoint>* validations;
        bool isSaved;
        int place = -1;  ///< of a run of this session, in m_runs
    };
    std::vector<Listed> listed() const;
    bool isDrawn(const Listed& run) const;
    void tick(int row);
    void drawCurves(const std::vector<Listed>& all);
    void fillList(const std::vector<Listed>& all);
    void fillCheckpoints();
    /// The list of kept models goes where the bead is, and the other way round.
    void chooseBead(int line, int step);
    void showBead();
    void keepWithinBounds();
    void refresh();
    /// A kept model and its run; null: none.
    struct Kept {
        const Run* run = nullptr;
        const TrainingCheckpoint* at = nullptr;
    };
    std::vector<Kept> kept() const;
    /// The one that the list stands on.
    Kept chosen() const;
    QHBoxLayout* makeForkRow();
    void fillForks();
    void showButtons();
    void openChosen();
    void resumeChosen();
    void dragChosen();

    std::vector<Run> m_runs;  ///< the newest last; the oldest go
    int m_count = 0;          ///< of all runs there were
    std::vector<SavedRun> m_saved;
    QStringList m_hidden, m_ticked;  ///< runs of the session that are not drawn, saved ones that are
    SegmentedControl* m_quantity;
    RunsChart* m_chart;
    std::vector<int> m_drawn;  ///< of the chart's lines: a run's place in m_runs, −1 for a saved one
    QTableWidget* m_list;
    QTableWidget* m_checkpoints;
    Button* m_open;
    ComboBox* m_fork;
    std::vector<RunFork> m_forks;  ///< what is listed there
    Button* m_resume;
    Button* m_beside;
};

}  // namespace headlight

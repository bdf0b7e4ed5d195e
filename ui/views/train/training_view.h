// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/views/train/training_facts.h"

class QGridLayout;
class QLabel;

namespace headlight {

class Button;
class Card;
class FailureBox;
class FilmStrip;
class RateCard;
class SaveButtons;
class TrainingBar;
class TrainingChart;
class TrainingSummaryPanel;

/// The training room. It shows what it is told; whoever trains listens to its signals.
class TrainingView : public QWidget {
    Q_OBJECT
public:
    explicit TrainingView(QWidget* parent = nullptr);

    void setTasks(const std::vector<TrainingTask>& tasks);
    QString taskName() const;
    void setTask(const QString& name);
    /// Files of the reader's own beside the tasks, under that title; empty: none. Their name is "".
    void setOwnData(const QString& title);
    int seed() const;
    /// Without a signal: nobody chose it.
    void setSeed(int seed);
    /// The steps of the run that is being shown.
    void setTotalSteps(int total);
    /// The learning rate of each step to come, from step 1.
    void setSchedule(const std::vector<double>& learningRates);
    /// Where gradients are clipped; 0: they are not.
    void setClipNorm(double norm);
    void setSummary(const TrainingSummary& summary);
    /// What is learned, and from whose text: what is measured is called after it.
    void setKind(CorpusKind kind);
    /// What the loss of a training batch has in it that that of the held-out sentences has not; 0: nothing.
    void setLossMeasure(double dropout, double labelSmoothing);
    /// The sentence that the film follows, and the cell that it outlines.
    void setProbe(const QString& sentence, int row, int column);
    /// Negative: not known.
    void setTimes(double elapsedSeconds, double remainingSeconds);
    /// While the model that is to be looked into is computed again; `left` steps of it. Negative: no longer.
    void setLookingBack(int step, int left);
    /// See TrainingBar.
    void setPreparing(const QStringList& texts);
    Button* cancelButton() const;
    /// `message` says why a run failed, or why it ended before its last step.
    void setState(TrainingState state, const QString& message = {});
    /// Forgets the run: no points, no frames.
    void clear();
    /// Forgets all that was told of later steps.
    void cutBack(int step);

    SaveButtons* saveButtons() const { return m_saveButtons; }
    RateCard* rate() const { return m_rate; }
    TrainingChart* learningRateChart() const { return m_learningRate; }
    TrainingChart* lossChart() const { return m_loss; }
    FilmStrip* film() const { return m_film; }

public slots:
    void appendPoints(const std::vector<headlight::TrainingPoint>& points);
    void appendValidation(const std::vector<headlight::ValidationPoint>& points);
    void appendFrame(const headlight::ProbeFrame& frame);

signals:
    void startRequested();
    void pauseRequested();
    void cancelRequested();
    void stepRequested();
    void resetRequested();
    void seedChanged(int seed);
    void taskChanged(const QString& name);
    void frameSelected(int index);
    /// The reader wants to look inside the model of the frame that the film has chosen.
    void exploreRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeCharts(QGridLayout* grid);
    QWidget* makeFilmCard();
    QWidget* makeSummaryCard();
    QWidget* makeErrorBox();
    void showSteps();
    void showReadouts();
    void showCaption();

    TrainingBar* m_bar;
    QGridLayout* m_charts;
    QWidget* m_error;
    FailureBox* m_errorText;
    TrainingChart* m_loss;
    TrainingChart* m_accuracy;
    TrainingChart* m_bleu;
    TrainingChart* m_learningRate;
    TrainingChart* m_throughput;
    TrainingChart* m_gradient;
    Card* m_filmCard;
    FilmStrip* m_film;
    QLabel* m_sentence;
    TrainingSummaryPanel* m_summary;
    RateCard* m_rate;
    SaveButtons* m_saveButtons;
    QWidget* m_side;  ///< the rate, and below it what the model is made of
    Button* m_explore;

    int m_total = 0;
    std::vector<TrainingPoint> m_points;
    std::vector<ValidationPoint> m_validations;
};

}  // namespace headlight

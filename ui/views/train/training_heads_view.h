// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/heads_story.h"
#include "ui/session/open/training_run.h"
#include "ui/views/view.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class BornWall;
class Button;
class Card;
class FailureBox;
class HeadFilm;
class LearntCard;
class LossScrubber;
class SegmentedControl;
class SharpChart;
class TrainingBar;
class WrittenWords;

/// Heads being born: the loss of a run as a scrubber, all of its heads at the step that is looked at, the film of one
/// of them, and what the model writes. It shows what it is told; whoever trains listens to its signals.
class TrainingHeadsView : public ViewWidget {
    Q_OBJECT
public:
    explicit TrainingHeadsView(QWidget* parent = nullptr);

    /// From now on it shows what that run tells. The run must outlive it.
    void follow(const TrainingRun& run);

    void setState(TrainingState state, const QString& message = {});
    /// Negative: not known.
    void setTimes(double elapsedSeconds, double remainingSeconds);
    /// While the model that is to be looked into is computed again; `left` steps of it. Negative: no longer.
    void setLookingBack(int step, int left);

    HeadsStory* story() { return &m_story; }
    LossScrubber* scrubber() const { return m_scrubber; }
    BornWall* wall() const { return m_wall; }
    HeadFilm* film() const { return m_film; }
    WrittenWords* words() const { return m_words; }
    SharpChart* chart() const { return m_chart; }
    LearntCard* learnt() const { return m_learnt; }
    SegmentedControl* sides() const { return m_sides; }

    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

signals:
    void startRequested();
    void pauseRequested();
    void stepRequested();
    /// The reader wants to look inside the model of that step.
    void exploreRequested(int step);
    /// The run is to go through the steps behind `after` up to `upTo` once more, or to leave that.
    void replayRequested(int after, int upTo);
    void replayStopped();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeSide();
    Card* makeSharpCard();
    void showSide(int side);
    void makeCards();
    void showStep();
    void explore();

    HeadsStory m_story;
    TrainingState m_state = TrainingState::Idle;
    int m_lookingBack = -1, m_left = -1;
    TrainingBar* m_bar;
    FailureBox* m_failure;
    LossScrubber* m_scrubber;
    BornWall* m_wall;
    HeadFilm* m_film;
    WrittenWords* m_words;
    SharpChart* m_chart;
    Card *m_lossCard, *m_wallCard, *m_filmCard, *m_wordsCard;
    LearntCard* m_learnt;
    SegmentedControl* m_sides;
    QStackedWidget* m_sideCards;
    QWidget* m_side;
    QLabel *m_train, *m_validation, *m_sharp, *m_sentence;
    Button* m_explore;
};

}  // namespace headlight

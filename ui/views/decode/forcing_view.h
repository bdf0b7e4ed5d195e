// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>

#include "core/io/trained_model.h"
#include "ui/session/open/background.h"
#include "ui/session/open/session.h"
#include "ui/session/open/test_set.h"
#include "ui/views/decode/forcing/forcing_picture.h"
#include "ui/views/view.h"

class QLabel;
class QScrollArea;
class QStackedLayout;

namespace headlight {

class Card;
class EmptyPage;
class FailureBox;
class ForcingCurves;
class ForcingRuns;
class ForcingSide;
class ForcingStage;
class PlaceCurve;
class ProgressLine;
class SegmentedControl;

/// The same decoder fed the truth and fed its own words: where one wrong word is read back in, how often each place is
/// right over a test set either way, and whether a model that read its own words in training does better.
class ForcingView : public ViewWidget {
    Q_OBJECT
public:
    explicit ForcingView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    /// What was read, and with which heads muted. The truth is the target that the reader gave, or the task's own
    /// translation.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::optional<Session::Reading>& reading,
                    const QString& modelName = {}, const QStringList& muted = {});
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    bool isBusy() const;
    /// Null while there is none.
    const std::shared_ptr<const TwoWays>& ways() const { return m_ways; }
    /// The sentence that counts as the truth; empty while there are no ways.
    const std::string& truthText() const { return m_truthText; }
    const std::optional<ForcingReport>& report() const { return m_report; }
    ForcingStage* stage() const { return m_stage; }
    ForcingSide* side() const { return m_side; }
    PlaceCurve* curve() const { return m_curve; }
    ForcingRuns* runs() const { return m_runs; }
    ForcingCurves* curves() const { return m_curves; }
    SegmentedControl* run() const { return m_run; }
    EmptyPage* noTruth() const { return m_noTruth; }

signals:
    /// A test sentence is to be read.
    void sourceWanted(const QString& source);
    /// What somebody would write.
    void targetWanted(const QString& target);
    /// A shipped model is to be opened, by its name, and the sentence kept.
    void runWanted(const QString& model);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Page { NoModel, NoTranslator, NoSentence, NoTruth, Room };

    QWidget* makeRoom();
    Card* makeCurveCard();
    Card* makeRunsCard();
    void findTruth();
    void takeWays(std::shared_ptr<const TwoWays> ways, std::string truth);
    void measure();
    void choose(int step);
    void toggleTruth(int place);
    void showStep();
    QWidget* wantedCard() const;
    void bringIntoSight();
    void sayRuns();
    void fail(const QString& why);

    std::shared_ptr<const TrainedModel> m_model;
    std::optional<Session::Reading> m_reading;
    QStringList m_muted;
    std::shared_ptr<const TestSet> m_set;
    std::shared_ptr<const TwoWays> m_ways;
    std::string m_truthText;
    std::shared_ptr<const TrainedModel> m_waysOf;  ///< that they are of: until others are found, not the open one
    ForcingPicture m_picture;
    std::optional<ForcingReport> m_report;
    int m_word = 1;                        ///< from 1
    std::vector<int> m_truth;              ///< places at which it is handed in
    StageSide m_wanted = StageSide::Auto;  ///< the card that is to be seen

    QStackedLayout* m_pages;
    EmptyPage* m_noTruth;  ///< the reader types one
    QScrollArea* m_area;
    SegmentedControl* m_run;
    ForcingStage* m_stage;
    Card *m_curveCard, *m_runsCard;
    ProgressLine* m_progress;
    PlaceCurve* m_curve;
    ForcingCurves* m_curves;
    ForcingRuns* m_runs;
    QLabel* m_runsStory;
    FailureBox* m_failure;
    ForcingSide* m_side;
    Background m_reads{this};
    Background m_measures{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/session/open/background.h"
#include "ui/session/trace/surgery_picture.h"
#include "ui/views/staged.h"
#include "ui/views/surgery/other_bar.h"
#include "ui/views/surgery/place_map.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class FailureBox;
class ProgressLine;
class SegmentedControl;
class SurgerySide;

/// Pieces of one reading, B, put into another, A: a map of how much of the answer each would move (Vig et al. 2020;
/// Meng et al. 2022), and what A becomes with those that the reader has moved.
class SurgeryView : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit SurgeryView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling);
    /// Null and empty for what is not there. `a` is the sentence that is read.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const QString& a);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// A model of a run: B may be read by it.
    void hold(const KeptModel& model) { m_bar->hold(model); }

    bool isBusy() const { return m_reading.isBusy() || m_operating.isBusy(); }
    /// What is drawn; null: nothing.
    const std::shared_ptr<const SurgeryPicture>& picture() const { return m_picture; }
    const SurgeryPicture::Outcome& outcome() const { return m_outcome; }
    /// Shares on the left, what moved on the right; of the source's words and of the decoder's.
    PlaceMap* shares(bool ofSource) const { return m_shares[ofSource ? 0 : 1]; }
    PlaceMap* moved(bool ofSource) const { return m_moved[ofSource ? 0 : 1]; }
    OtherBar* bar() const { return m_bar; }
    SegmentedControl* pieces() const { return m_pieces; }
    SurgerySide* side() const { return m_side; }
    QLabel* story() const { return m_story; }
    /// What the outcome tries beyond the edits: a piece under the pointer, put in or taken out.
    const std::optional<SurgeryEdit>& tried() const { return m_tried; }

signals:
    /// The reader chose otherwise.
    void optionsChanged();
    void openModelRequested();

private:
    enum Page { NoModel, NoSentence, Headless, Room };
    /// Two readings, and the map of a kind.
    struct Read {
        std::shared_ptr<const SurgeryPicture> picture;
        SurgeryPicture::Map map;
        QString why;                                 ///< what is to be done, where there is no picture
        std::optional<QFileInfoList> readers;        ///< models that could read B
        std::shared_ptr<const TrainedModel> reader;  ///< the one that does
    };

    QWidget* makeMaps();
    QWidget* makeRoom();
    void read();
    void take(Read read);
    void operate();
    void showMaps();
    void showOutcome();
    QString storyOf() const;
    QString answerOf() const;
    PatchDepth::Kind kind() const { return static_cast<PatchDepth::Kind>(m_kind); }
    /// The place in the map of the source's words, or the decoder's.
    int offset(bool ofSource) const;
    /// The edit that a place of a map stands for; nothing where there is no piece.
    std::optional<SurgeryEdit> editAt(bool ofSource, int depth, int position) const;
    void put(bool ofSource, int depth, int position);
    void point(bool ofSource, int depth, int position);
    PlaceMap::Place placeIn(bool ofSource, const SurgeryEdit& edit) const;
    void setEdits(std::vector<SurgeryEdit> edits);

    std::shared_ptr<const TrainedModel> m_model;
    QString m_a;
    OtherBar::Wanted m_readFor;                     ///< B as it was wanted when the picture was read
    std::weak_ptr<const TrainedModel> m_readersOf;  ///< the model whose like B may be read by are listed
    /// What read B last, and its name.
    std::pair<QString, std::shared_ptr<const TrainedModel>> m_reader;
    StageState::Pieces m_kind = StageState::Pieces::State;
    std::vector<SurgeryEdit> m_edits;
    std::optional<SurgeryEdit> m_pointed, m_tried;  ///< wanted, and in the outcome
    std::shared_ptr<const SurgeryPicture> m_picture;
    SurgeryPicture::Map m_map;
    SurgeryPicture::Outcome m_outcome;
    QStackedLayout* m_pages;
    QLabel *m_answer, *m_story, *m_sourceName, *m_targetName;
    SegmentedControl* m_pieces;
    OtherBar* m_bar;
    ProgressLine* m_progress;
    FailureBox* m_failure;
    std::vector<PlaceMap*> m_shares, m_moved;
    SurgerySide* m_side;
    Background m_reading{this}, m_operating{this};  ///< last, so that their threads end before what they report to
};

}  // namespace headlight

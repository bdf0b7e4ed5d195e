// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/session/open/background.h"
#include "ui/session/trace/surgery_picture.h"
#include "ui/views/surgery/other_bar.h"
#include "ui/views/view.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class FailureBox;
class ProgressLine;
class SegmentedControl;
class SurgeryMaps;
class SurgerySide;

/// Pieces of one reading, B, put into another, A: a map of how much of the answer each would move (Vig et al. 2020;
/// Meng et al. 2022), and what A becomes with those that the reader has moved.
class SurgeryView : public ViewWidget {
    Q_OBJECT
public:
    explicit SurgeryView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override;
    /// Null and empty for what is not there. `a` is the sentence that is read.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const QString& a);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    /// A model of a run: B may be read by it.
    void hold(const KeptModel& model);
    /// Why one that was wanted is not to be had.
    void missReader(const QString& key, const QString& why);

    bool isBusy() const { return m_reading.isBusy() || m_operating.isBusy(); }
    /// What is drawn; null: nothing.
    const std::shared_ptr<const SurgeryPicture>& picture() const { return m_picture; }
    const SurgeryPicture::Outcome& outcome() const { return m_outcome; }
    SurgeryMaps* maps() const { return m_maps; }
    OtherBar* bar() const { return m_bar; }
    SegmentedControl* pieces() const { return m_pieces; }
    SurgerySide* side() const { return m_side; }
    QLabel* story() const { return m_story; }
    FailureBox* failure() const { return m_failure; }
    /// What the outcome tries beyond the edits: a piece under the pointer, put in or taken out.
    const std::optional<SurgeryEdit>& tried() const { return m_tried; }

signals:
    /// B is to be read by a step of a run, as the state says, and it is not held: hold() or missReader() is to follow.
    void readerWanted(const headlight::StageState& state);

private:
    enum Page { NoModel, NoSentence, Headless, Room };
    /// Two readings, and the map of a kind.
    struct Read {
        std::shared_ptr<const SurgeryPicture> picture = {};
        SurgeryPicture::Map map = {};
        QString failure = {};  ///< what went wrong, where there is no picture
        QString missing = {};  ///< what the reader is to do, where nothing went wrong and there is none either
        std::optional<QFileInfoList> readers = {};        ///< models that could read B
        std::shared_ptr<const TrainedModel> reader = {};  ///< the one that does
    };

    QWidget* makeRoom();
    void read();
    void take(Read read);
    void awaitReader(const StageState& state);
    void operate();
    void showMaps();
    void showOutcome();
    QString storyOf() const;
    QString answerOf() const;
    PatchDepth::Kind kind() const { return static_cast<PatchDepth::Kind>(m_kind); }
    void point(const std::optional<SurgeryEdit>& edit);
    void setEdits(std::vector<SurgeryEdit> edits);

    std::shared_ptr<const TrainedModel> m_model;
    QString m_a;
    OtherBar::Wanted m_readFor;                     ///< B as it was wanted when the picture was read
    std::weak_ptr<const TrainedModel> m_readersOf;  ///< the model whose like B may be read by are listed
    /// What read B last, and its name.
    std::pair<QString, std::shared_ptr<const TrainedModel>> m_reader;
    SurgeryOptions::Pieces m_kind = SurgeryOptions::Pieces::State;
    std::vector<SurgeryEdit> m_edits;
    std::optional<SurgeryEdit> m_pointed, m_tried;  ///< wanted, and in the outcome
    std::shared_ptr<const SurgeryPicture> m_picture;
    SurgeryPicture::Map m_map;
    SurgeryPicture::Outcome m_outcome;
    QPointer<Settling> m_settling;
    QString m_awaited, m_missed;  ///< the step of a run that is on its way; why it does not come
    Settling::Work m_awaits;
    QStackedLayout* m_pages;
    QLabel *m_answer, *m_story;
    SegmentedControl* m_pieces;
    OtherBar* m_bar;
    ProgressLine* m_progress;
    FailureBox* m_failure;
    QLabel* m_missing;
    SurgeryMaps* m_maps;
    SurgerySide* m_side;
    Background m_reading{this}, m_operating{this};  ///< last, so that their threads end before what they report to
};

}  // namespace headlight

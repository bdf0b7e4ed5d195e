// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/session/open/lens_reader.h"
#include "ui/session/open/paced_timer.h"
#include "ui/views/lens/lens_grid.h"
#include "ui/views/view.h"

class QLabel;
class QStackedLayout;

namespace headlight {

class FailureBox;
class LensSide;
class ProgressLine;
class SegmentedControl;

/// The logit lens: what each depth of a Transformer would say at every position, were it the last. Read in the
/// background, depth by depth; the picture of the reading before stays until the new one is whole, or for a third of a
/// second.
class LensView : public ViewWidget {
    Q_OBJECT
public:
    explicit LensView(QWidget* parent = nullptr);

    /// Who is told while something is read in the background; null: nobody.
    void setSettling(Settling* settling) override { m_reader.setSettling(settling); }
    /// Null for what is not there.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace);
    /// What reads the layers for the picture.
    const LensReader& reader() const { return m_reader; }
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    bool isBusy() const { return m_reader.isBusy(); }
    LensGrid* grid() const { return m_grid; }
    LensSide* side() const { return m_side; }
    SegmentedControl* rows() const { return m_rows; }
    QLabel* story() const { return m_story; }
    FailureBox* failure() const { return m_failure; }
    ProgressLine* progress() const { return m_progress; }
    QLabel* subtitle() const { return m_subtitle; }

private:
    enum Page { NoModel, NoSentence, Recurrent, Classifier, Headless, Room };

    QWidget* makeRoom();
    bool sublayers() const { return m_wantedRows == LensOptions::Rows::Sublayer; }
    void showPicture(const std::shared_ptr<LensPicture>& picture);
    QString howItIsRead() const;
    void showChosen();
    void showProgress();
    void endWaiting();
    void showFailure(const QString& why);
    LensGrid::Cell pinned() const;
    LensGrid::Cell worthALook() const;

    LensOptions::Rows m_wantedRows = LensOptions::Rows::Sublayer;
    StageCell m_pin;  ///< as the state of the stage has it: a depth and a position, from 1; 0: none
    LensGrid::Cell m_hovered;
    std::shared_ptr<LensPicture> m_picture;  ///< that is seen; not the reader's while a new one is on its way
    QStackedLayout* m_pages;
    QLabel* m_subtitle;
    SegmentedControl* m_rows;
    ProgressLine* m_progress;
    LensGrid* m_grid;
    QLabel* m_story;
    FailureBox* m_failure;
    LensSide* m_side;
    Patience m_patience;  ///< until what is read so far is shown
    LensReader m_reader;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/session/open/cell_study.h"
#include "ui/session/trace/cell_picture.h"
#include "ui/views/view.h"

class QStackedLayout;

namespace headlight {

class CellColumns;
class CellSide;
class CellStory;
class ComboBox;
class FittingCaption;
class SegmentedControl;

/// Inside a recurrent cell: every part of it as a strip with a row a unit, one unit followed through them and along the
/// sentence. The word is the step of the unrolled network, as the recurrent view counts it: the encoder's words first,
/// then the decoder's.
class CellView : public ViewWidget {
    Q_OBJECT
public:
    explicit CellView(QWidget* parent = nullptr);

    /// Who is told while something is computed in the background; null: nobody.
    void setSettling(Settling* settling) override { m_study.setSettling(settling); }
    /// Null for what is not there.
    void setReading(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    bool isBusy() const { return m_study.isBusy(); }
    /// Null: there is nothing to show.
    const CellPicture* picture() const { return m_picture.get(); }
    const CellStudy& study() const { return m_study; }
    CellColumns* columns() const { return m_columns; }
    CellStory* story() const { return m_story; }
    CellSide* side() const { return m_side; }
    SegmentedControl* cells() const { return m_cells; }
    SegmentedControl* sorting() const { return m_sorting; }
    ComboBox* places() const { return m_places; }
    FittingCaption* subtitle() const { return m_subtitle; }

signals:
    /// A shipped model by its name.
    void modelWanted(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Page { NoModel, NoSentence, NotRecurrent, Room };

    QWidget* makeRoom();
    void fillPlaces();
    void place();
    void showPicture();
    void showStudy();
    void chooseUnit(int unit);
    void chooseWord(int word);
    void moveWord(int by);
    void play(bool play);
    void makeRoomForSide();
    void multiply(double gain);

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    std::unique_ptr<CellPicture> m_picture;
    int m_wantedUnit = 1, m_wantedStep = 0;  ///< from 1; 0: the last word that is read
    int m_wantedLayer = 1;
    double m_gain = 1;  ///< by which recurrent weights are multiplied
    bool m_isSorted = false;
    StageSide m_wantedSide = StageSide::Auto;  ///< gradient: what stands beside stays, however narrow
    QStackedLayout* m_pages;
    QWidget* m_stage;
    FittingCaption* m_subtitle;
    SegmentedControl *m_cells, *m_sorting;
    ComboBox* m_places;
    CellColumns* m_columns;
    CellStory* m_story;
    CellSide* m_side;
    QTimer m_walk;  ///< through the sentence, word by word
    CellStudy m_study;
};

}  // namespace headlight

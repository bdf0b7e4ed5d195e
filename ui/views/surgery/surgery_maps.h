// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "ui/session/trace/surgery_picture.h"
#include "ui/views/surgery/place_map.h"

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace headlight {

/// A model's depths, the encoder's over the decoder's, twice: on the left what each piece of B is worth, on the right
/// how far what follows the pieces moved in A; below the left where there is no room beside it. The encoder's memory
/// runs to the layers that read it, and is lit where it moved.
class SurgeryMaps : public QWidget {
    Q_OBJECT
public:
    explicit SurgeryMaps(QWidget* parent = nullptr);

    /// Null: nothing is drawn. `map`: the shares of the kind.
    void setShares(std::shared_ptr<const SurgeryPicture> picture, PatchDepth::Kind kind, SurgeryPicture::Map map);
    /// `tried`: what the outcome puts in, or takes out, beyond the edits.
    void setOutcome(const SurgeryPicture::Outcome& outcome, const std::vector<SurgeryEdit>& edits,
                    const std::optional<SurgeryEdit>& tried);

    /// Shares on the left, what moved on the right; of the source's words and of the decoder's.
    PlaceMap* shares(bool ofSource) const { return m_shares[ofSource ? 0 : 1]; }
    PlaceMap* moved(bool ofSource) const { return m_moved[ofSource ? 0 : 1]; }
    /// What moved stands below the shares: fifty pieces twice are wider than most screens.
    bool isStacked() const { return m_isStacked; }
    /// As narrow as it may be with one below the other.
    QSize minimumSizeHint() const override;
    /// The encoder's last depth moved, so what reads it may.
    bool isMemoryLit() const { return m_memoryMoved; }
    /// From the encoder to a depth that reads it, on the right (else the left); none where nothing does.
    std::vector<QPolygonF> memoryWays(bool onRight) const;

signals:
    /// A square of the left was chosen, or dragged to the right.
    void chosen(const headlight::SurgeryEdit& edit);
    /// The pointer or the arrow keys came to another; nothing: they left.
    void pointed(const std::optional<headlight::SurgeryEdit>& edit);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The place in the list of a kind where the map of the source's words, or the decoder's, begins.
    int offset(bool ofSource) const;
    /// The edit that a place of a map stands for; nothing where there is no piece.
    std::optional<SurgeryEdit> editAt(bool ofSource, PlaceMap::Place place) const;
    PlaceMap::Place placeIn(bool ofSource, const SurgeryEdit& edit) const;
    std::vector<const PatchDepth*> depths() const;
    void alignWords();
    void shareWidth();
    void place();
    void nameDepths(bool ofSource);
    /// Of maps beside one another, with their ways.
    double widthBeside() const;
    const QScrollArea* area() const;
    int waysRoom() const;

    std::shared_ptr<const SurgeryPicture> m_picture;
    PatchDepth::Kind m_kind = PatchDepth::Kind::State;
    SurgeryPicture::Map m_map;
    bool m_memoryMoved = false;
    std::array<PlaceMap*, 2> m_shares{}, m_moved{};
    QVBoxLayout* m_movedHeading = nullptr;
    QLabel *m_sourceName, *m_targetName;
    std::array<QLabel*, 2> m_movedNames{};  ///< as those two, where what moved stands below
    bool m_isStacked = false;
};

}  // namespace headlight

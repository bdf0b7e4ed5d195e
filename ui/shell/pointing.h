// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/lessons/lesson.h"
#include "ui/session/trace/value_cell.h"
#include "ui/views/view.h"

namespace headlight {

class RoomStack;
class Stage;
class Workbench;
struct TraceRecord;

/// The numbers in a lesson's words and those on the stage: pointing at one lights the other. A number is lit only where
/// the stage shows the very number that the words tell: the reader may have typed another sentence since.
class Pointing : public QObject {
    Q_OBJECT
public:
    Pointing(Workbench& workbench, RoomStack& rooms, Stage& stage, QObject* parent = nullptr);

    /// Is it the one that is pointed at on the stage?
    bool isShown(const NumberName& number) const;
    /// Which number it is: "Weights, Decoder, layer 1, cross-attention, head 3: “learning”, “học”".
    QString describe(const NumberName& number) const;

    void light(const std::optional<NumberName>& number);
    /// As a click on the number on the stage; the view changes only where the present one does not have it.
    void choose(const NumberName& number);

signals:
    /// isShown() answers anew.
    void moved();

private:
    struct Place {
        const TraceRecord* record = nullptr;
        ValueCell cell;
    };
    std::optional<Place> placeOf(const NumberName& number) const;
    bool hasSameNumber(const NumberName& number, const Place& place) const;
    bool isOfShownHead(const Place& place) const;
    bool isOfShownValue(const Place& place) const;
    bool lookAt(const NumberName* number, Staged::Look look) const;

    Workbench& m_workbench;
    RoomStack& m_rooms;
    Stage& m_stage;
    bool m_isLit = false;  ///< in the selection
};

}  // namespace headlight

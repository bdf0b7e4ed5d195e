// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/open/playhead.h"
#include "ui/session/trace/step_scope.h"

namespace headlight {

/// The reader's place in the record of a computation: an index into Trace::records(), and how much of that record is
/// there. Playing moves it; nothing is computed again. At a grain coarser than Operation the cursor rests on the last
/// value of a scope, where that scope's result is complete.
class StepCursor : public QObject {
    Q_OBJECT
public:
    enum class Grain { Layer, Sublayer, Operation };

    explicit StepCursor(QObject* parent = nullptr);

    /// Takes the names of another trace. The place is kept where the record of the same name exists, else it goes to
    /// the end: everything computed.
    void setTrace(const Trace& trace);

    int count() const { return static_cast<int>(m_scopes.size()); }
    int position() const { return m_head.operation(); }  ///< -1 while there is no trace
    /// How much of the record at position() is computed; 1 wherever the cursor rests.
    double phase() const { return m_head.phase(); }
    bool isAtEnd() const { return m_head.isAtEnd(); }
    Playhead& head() { return m_head; }
    const Playhead& head() const { return m_head; }
    Grain grain() const { return m_grain; }
    double speed() const { return m_head.speed(); }
    bool playing() const { return m_head.playing(); }
    const std::vector<StepScope>& scopes() const { return m_scopes; }

    /// All of that record is computed.
    void setPosition(int position);
    void setGrain(Grain grain);
    /// 1 is one step every 900 ms.
    void setSpeed(double speed);

    void next();
    void previous();
    void toStart();
    void play();  ///< from the start again when at the end
    void pause();
    void togglePlaying();

signals:
    void changed();       ///< position, trace, grain, speed or playing
    void phaseChanged();  ///< more or less of the same record

private:
    bool sameScope(int a, int b) const;
    /// The last record of the step that begins with that one.
    int lastOfStep(int first) const;

    std::vector<std::string> m_names;
    std::vector<StepScope> m_scopes;
    Playhead m_head;
    int m_position = -1;  ///< as it was told last
    Grain m_grain = Grain::Operation;
};

}  // namespace headlight

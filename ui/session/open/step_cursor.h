// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

#include "core/trace/trace.h"
#include "ui/session/trace/step_scope.h"

namespace headlight {

/// The reader's place in the record of a computation: an index into Trace::records(). Playing moves it; nothing is
/// computed again. At a grain coarser than Operation the cursor rests on the last value of a scope, where that scope's
/// result is complete.
class StepCursor : public QObject {
    Q_OBJECT
public:
    enum class Grain { Layer, Sublayer, Operation };

    explicit StepCursor(QObject* parent = nullptr);

    /// Takes the names of another trace. The place is kept where the record of the same name exists, else it goes to
    /// the end: everything computed.
    void setTrace(const Trace& trace);

    int count() const { return static_cast<int>(m_scopes.size()); }
    int position() const { return m_position; }  ///< -1 while there is no trace
    Grain grain() const { return m_grain; }
    double speed() const { return m_speed; }
    bool playing() const { return m_timer.isActive(); }
    const std::vector<StepScope>& scopes() const { return m_scopes; }

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
    void changed();  ///< position, trace, grain, speed or playing

private:
    bool sameScope(int a, int b) const;

    std::vector<std::string> m_names;
    std::vector<StepScope> m_scopes;
    int m_position = -1;
    Grain m_grain = Grain::Operation;
    double m_speed = 1;
    QTimer m_timer;
};

}  // namespace headlight

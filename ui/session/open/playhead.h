// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEasingCurve>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

namespace headlight {

/// A place in a run of operations that are played one after another. It is continuous: at time 2.25 two are done and a
/// quarter of the third; so whoever draws from (operation, phase) plays backwards as well as forwards. Playing eases
/// through each operation in 900 ms / speed and can be interrupted at any time. With less motion it cuts from the end
/// of one to the end of the next.
class Playhead : public QObject {
    Q_OBJECT
public:
    explicit Playhead(QObject* parent = nullptr);

    /// Goes to the end: everything is done.
    void setCount(int count);
    int count() const { return m_count; }
    /// 0 … count(). With less motion it rests at whole operations.
    double time() const { return m_time; }
    /// The one that is under way, or that was finished last; -1 where there are none.
    int operation() const;
    /// How much of operation() is done, 0 … 1.
    double phase() const;
    bool isAtEnd() const { return m_time >= m_count; }
    bool playing() const { return m_playing; }
    double speed() const { return m_speed; }

    /// While it plays it goes on from there.
    void setTime(double time);
    /// For a figure: a time between two operations, whatever motion there is otherwise.
    void holdAt(double time);
    /// 1 is an operation in 900 ms.
    void setSpeed(double speed);
    void play();  ///< from the start again when at the end
    void pause();
    void togglePlaying();
    /// Where playing rests next, as a function of the time; a whole operation on, where nobody says otherwise.
    void setNextStop(std::function<double(double)> nextStop) { m_nextStop = std::move(nextStop); }

signals:
    void moved();
    void playingChanged();

private:
    void moveTo(double time);
    void goOn();
    void showFrame();

    int m_count = 0;
    double m_time = 0;
    double m_from = 0, m_target = 0;  ///< of the way that it plays
    double m_speed = 1;
    bool m_playing = false;
    std::function<double(double)> m_nextStop;
    double m_duration = 1;  ///< of that way, in milliseconds
    QEasingCurve m_easing{QEasingCurve::InOutSine};
    QElapsedTimer m_since;
    QTimer m_frames;
};

}  // namespace headlight

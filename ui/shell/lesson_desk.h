// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/stage_state.h"
#include "core/trace/trace.h"

class QWidget;

namespace headlight {

class Crossfade;
class LessonPanel;
class Panel;
class Pointing;
class RoomStack;
class Stage;
class Workbench;

/// The lesson that is open, within the window: its panel beside the stage, or, while the reader plays, the way back.
class LessonDesk : public QObject {
    Q_OBJECT
public:
    LessonDesk(Workbench& workbench, RoomStack& rooms, Stage& stage, QWidget* window);

    LessonPanel* panel() const { return m_panel; }
    Panel* playBar() const { return m_playBar; }
    bool isBesideTheStage() const;

    /// A folder of lessons, a zip of one, a course (YAML), or a single lesson's file, which then begins.
    void openLessons(const QString& path);
    /// The open lesson as a PDF, words and figures; asks where to.
    void askForHandout();
    /// The open lesson as one HTML file; asks where to.
    void askForPage();
    /// Back to the list.
    void leave();

signals:
    /// A lesson was opened or left, or the reader plays.
    void placeChanged();
    /// A line for the reader; empty: nothing is wrong any more.
    void said(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    template <class Writer>
    void follow(Writer* writer);
    QString askForFile(const QString& title, const QString& ending, const QString& kind);
    void makePlayBar();
    void connectPlayer();
    void showLesson();
    /// The views hide what the step's veils do.
    void hideVeiled();
    bool isMetNow(const std::string& key, const std::string& value);
    /// A number as the stage has it now, changed by hand or read anew.
    std::optional<double> numberNow(const NumberName& number);
    void holdStep();
    void moveOn();

    Workbench& m_workbench;
    RoomStack& m_rooms;
    Stage& m_stage;
    QWidget* m_window;  ///< over which dialogs stand
    LessonPanel* m_panel;
    Panel* m_playBar;
    Pointing* m_pointing;
    LessonNumbers m_live;  ///< of the worked example as it stands now
    Crossfade* m_fade;     ///< of the rooms, from one step to the next
    ViewName m_viewBefore = ViewName::Lessons;
    std::weak_ptr<const Trace> m_traceBefore;
    bool m_moves = false;  ///< the next step is on its way
};

}  // namespace headlight

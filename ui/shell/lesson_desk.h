// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace headlight {

class Crossfade;
class LessonPanel;
class MainWindow;
class Panel;
class Stage;

/// The lesson that is open, within the window: its panel beside the stage, or, while the reader plays, the way back.
class LessonDesk : public QObject {
    Q_OBJECT
public:
    explicit LessonDesk(MainWindow& window);

    LessonPanel* panel() const { return m_panel; }
    Panel* playBar() const { return m_playBar; }
    /// The rooms, which fade from one step to the next.
    void setRooms(QWidget* rooms);
    Stage& stage() const { return *m_stage; }
    bool isBesideTheStage() const;

    /// A folder of lessons, a zip of one, or a single lesson's file, which then begins.
    void openLessons(const QString& path);
    /// The open lesson as a PDF, words and figures; asks where to.
    void askForHandout();
    /// Back to the list.
    void leave();

signals:
    /// A lesson was opened or left, or the reader plays.
    void placeChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makePlayBar();
    void connectPlayer();
    void showLesson();

    MainWindow& m_window;
    Stage* m_stage;
    LessonPanel* m_panel;
    Panel* m_playBar;
    Crossfade* m_fade = nullptr;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <memory>
#include <vector>

#include "ui/session/open/background.h"
#include "ui/session/open/paced_timer.h"
#include "ui/shell/workbench.h"

class QAbstractButton;
class QMenu;

namespace headlight {

class Actions;
class Button;
class EditHistory;
class FigureDesk;
class HelpPanel;
class LessonDesk;
class LessonPanel;
class Notice;
class Palette;
class Panel;
class FittingCaption;
class Presenter;
class RailButton;
class Room;
class RoomStack;
class Stage;
class TrainRoom;
class SettingsPage;
class ViewTabs;

/// The shell: rail, header, one room at a time. It places rooms and routes actions; what is shown is the rooms' affair.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// With which the program ends that is to be started again.
    static constexpr int kRestart = 75;

    explicit MainWindow(ThemeManager& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& workbench() { return *m_workbench; }
    RoomStack& rooms() const { return *m_rooms; }
    Stage& stage() const { return *m_stage; }
    /// All that can be done, whatever is shown.
    const Actions& commands() const { return *m_actions; }
    EditHistory& history() const { return *m_history; }
    LessonPanel* lessonPanel() const;
    void openModel(const QString& path);
    /// A folder of lessons, a zip of one, or a single lesson's file, which then begins.
    void openLessons(const QString& path);
    /// What is given to the program, pasted or dropped on it: a model, lessons, or a `headlight:` link.
    void open(const QString& what);
    /// Shows under Train what a model would learn from them: a table or a text, or two line by line.
    void openSentences(const QStringList& files);
    /// All that the stage shows, as a link.
    QString link() const;
    /// Models that are trained here, and the run that goes on, have their place in that folder; a run that an earlier
    /// window left there is brought back. Without this nothing is kept.
    void keepIn(const QString& folder);
    /// What stood on the stage when the program ended, however it ended; false where nothing is known of it.
    bool restoreStage();

    /// Opens the presenter over the whole screen, or gives the one that is open.
    Presenter* present();

    /// Of the model that is open; the header shows what there is room for.
    QString statusText() const;
    QString noticeText() const;
    /// A line across the top of the room; empty: nothing is wrong.
    void say(const QString& message);
    HelpPanel* help() const { return m_help; }
    SettingsPage* settings() const { return m_settings; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeRail();
    QWidget* makeHeader();
    void showPlace();
    void goToRoom(int room);
    void openLink(const QString& link);
    void suggestModel(const QString& name);
    void pasteLink();
    static QString withoutItsRun(const QString& link);
    void inTraining(void (TrainRoom::*act)());
    void rememberStage();
    QMenu* makeMenu();
    QMenu* makeRecentMenu();
    void addFileActions();
    void addEditActions();
    void addViewActions();
    void addOtherActions();
    void showPalette();
    void toggleHelp();
    void toggleSettings();
    void showStatus();
    void askForModel();
    void copyAsPython();
    void exportReading();
    void showShortcuts();

    std::unique_ptr<Workbench> m_workbench;
    Actions* m_actions;
    QPointer<Palette> m_palette;  ///< while it is open
    std::vector<RailButton*> m_rail;
    ViewTabs* m_tabs = nullptr;
    RoomStack* m_rooms;
    Stage* m_stage;
    EditHistory* m_history;
    PacedTimer m_remember;  ///< so that a hovering pointer does not write a file at each move
    QLabel* m_title;
    FittingCaption* m_status;
    Button* m_present;
    QAbstractButton* m_search;
    Notice* m_notice;
    LessonDesk* m_desk;
    HelpPanel* m_help;
    SettingsPage* m_settings = nullptr;
    FigureDesk* m_figures;
    Panel *m_railPanel, *m_header;
    QPointer<Presenter> m_presenter;
    bool m_broughtBack = false;  ///< a run stands in the Train room that an earlier window left
    bool m_restarts = false;     ///< closed to be opened again, drawn in another size
    bool m_leaves = false;       ///< the reader has agreed to lose what was trained
    Background m_writes{this};   ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight

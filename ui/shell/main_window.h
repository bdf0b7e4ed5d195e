// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QMainWindow>
#include <QPointer>
#include <QStackedWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/shell/workbench.h"

class QMenu;

namespace headlight {

class Button;
class LessonDesk;
class LessonPanel;
class Notice;
class Presenter;
class RailButton;
class SegmentedControl;
class Stage;

/// The shell: rail, header, one room at a time. It places rooms and routes actions; what is shown is the rooms' affair.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(ThemeManager& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& workbench() { return *m_workbench; }
    /// By the id of rooms(); `tab` by its name, empty: the one that was open.
    void showRoom(const QString& id, const QString& tab = {});
    bool isShowing(const QString& id, const QString& tab = {}) const;
    QWidget* room(const QString& id) const;
    /// Of a room the view alone, without the bars around it.
    QWidget& currentView() const;
    LessonPanel* lessonPanel() const;
    Stage& stage() const;
    void openModel(const QString& path);
    /// A folder of lessons, a zip of one, or a single lesson's file, which then begins.
    void openLessons(const QString& path);
    /// What is given to the program or dropped on it; true where it is lessons and no model.
    bool open(const QString& path);

    /// Opens the presenter over the whole screen, or gives the one that is open.
    Presenter* present();

    /// Whether the last session's size and place came back.
    bool restoredSize() const { return m_restoredSize; }
    QString statusText() const { return m_status->text(); }
    QString noticeText() const;
    /// A line across the top of the room; empty: nothing is wrong.
    void say(const QString& message);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QWidget* makeRail();
    QWidget* makeHeader();
    void showPlace();
    QMenu* makeMenu();
    void addAction(QMenu* menu, const QString& text, const QKeySequence& keys, const std::function<void()>& act);
    void addStepKeys();
    void showStatus();
    void askForModel();
    void exportCurrentRoom();
    void exportSteps();
    void showShortcuts();

    std::unique_ptr<Workbench> m_workbench;
    std::vector<RailButton*> m_rail;
    SegmentedControl* m_tabs = nullptr;
    QStackedWidget* m_stack;
    QLabel* m_title;
    QLabel* m_status;
    Notice* m_notice;
    LessonDesk* m_desk;
    QPointer<Presenter> m_presenter;
    bool m_restoredSize = false;
    bool m_leaves = false;  ///< the reader has agreed to lose what was trained
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menu, its keys, and the dialogs that they open.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProgressDialog>
#include <QShortcut>
#include <algorithm>

#include "core/error.h"
#include "ui/session/open/python_text.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/lesson_desk.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"

namespace headlight {

void MainWindow::addAction(QMenu* menu, const QString& text, const QKeySequence& keys,
                           const std::function<void()>& act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    QWidget::addAction(action);  // so that the shortcut works while the menu is closed
    connect(action, &QAction::triggered, this, act);
}

QMenu* MainWindow::makeMenu() {
    auto* menu = new QMenu(this);
    addAction(menu, tr("Open model…"), QKeySequence::Open, [this] { askForModel(); });
    addAction(menu, tr("Copy link to this stage"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        QGuiApplication::clipboard()->setText(link());
        m_status->setText(tr("The link is on the clipboard"));
    });
    addAction(menu, tr("Copy as Python"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { copyAsPython(); });
    addAction(menu, tr("Open the link on the clipboard"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
              [this] { pasteLink(); });
    menu->addSeparator();
    QUndoStack& edits = m_history->stack();
    QAction* const undo = edits.createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* const redo = edits.createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    for (QAction* action : {undo, redo}) {
        menu->addAction(action);
        QWidget::addAction(action);  // so that the shortcut works while the menu is closed
    }
    menu->addSeparator();
    addAction(menu, tr("Export figure…"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportCurrentRoom(); });
    addAction(menu, tr("Print the lesson (PDF)…"), QKeySequence::Print, [this] { m_desk->askForHandout(); });
    addAction(menu, tr("Export the steps…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportSteps(); });
    menu->addSeparator();
    ThemeManager& theme = m_workbench->theme;
    addAction(menu, tr("Light theme"), {}, [&theme] { theme.setMode(ThemeManager::Mode::Light); });
    addAction(menu, tr("Dark theme"), {}, [&theme] { theme.setMode(ThemeManager::Mode::Dark); });
    addAction(menu, tr("Theme of the system"), {}, [&theme] { theme.setMode(ThemeManager::Mode::System); });
    addAction(menu, tr("Light or dark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), [&theme] { theme.toggle(); });
    menu->addSeparator();
    addAction(menu, tr("Present"), QKeySequence(Qt::Key_F5), [this] { present(); });
    addAction(menu, tr("Full screen"), QKeySequence(Qt::Key_F11),
              [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    addAction(menu, tr("Keyboard"), QKeySequence::HelpContents, [this] { showShortcuts(); });
    addAction(menu, tr("About Headlight"), {}, [this] {
        QMessageBox::about(this, tr("About Headlight"),
                           tr("Headlight %1 shows what every attention head is looking at, and why.\n\nFree software, "
                              "GPL-3.0-or-later.")
                               .arg(QStringLiteral(HEADLIGHT_VERSION)));
    });
    menu->addSeparator();
    addAction(menu, tr("Quit"), QKeySequence::Quit, [this] { close(); });
    return menu;
}

void MainWindow::addStepKeys() {
    // Not while somebody types: there a space is a space.
    const auto bind = [this](const QKeySequence& keys, auto act) {
        connect(new QShortcut(keys, this), &QShortcut::activated, this, [this, act] {
            if (!qobject_cast<QLineEdit*>(QApplication::focusWidget())) (m_workbench->cursor.*act)();
        });
    };
    bind(Qt::Key_Comma, &StepCursor::previous);
    bind(Qt::Key_Period, &StepCursor::next);
    bind(Qt::CTRL | Qt::Key_Space, &StepCursor::togglePlaying);
}

void MainWindow::copyAsPython() {
    const std::optional<PythonValue> value = pythonValueOf(m_workbench->session, m_workbench->selection);
    if (!value) {
        m_status->setText(tr("Python loads values of a sentence that a model from a file has read: open one"));
        return;
    }
    QGuiApplication::clipboard()->setText(pythonFor(*value));
    m_status->setText(tr("Python that loads %1 is on the clipboard").arg(value->name));
}

void MainWindow::askForModel() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a model"), {},
                                                      tr("Models (*.safetensors config.json);;All files (*)"));
    // A dialog for files cannot choose a folder: one is named by its configuration.
    const QFileInfo file(path);
    if (!path.isEmpty()) openModel(file.fileName() == QLatin1String("config.json") ? file.path() : path);
}

void MainWindow::exportCurrentRoom() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the figure"), QStringLiteral("figure.svg"),
                                                      tr("Figures (*.svg *.pdf *.png)"));
    if (path.isEmpty()) return;
    try {
        exportFigure(*m_rooms->current().viewWidget(), path);
    } catch (const Error& error) {
        m_notice->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::exportSteps() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export a picture of each step, numbered"),
                                                      QStringLiteral("step.png"), tr("Figures (*.png *.svg *.pdf)"));
    if (path.isEmpty()) return;
    StepCursor& cursor = m_workbench->cursor;
    QProgressDialog progress(tr("Drawing each step …"), tr("Cancel"), 0, std::max(1, cursor.count() - 1), this);
    progress.setWindowModality(Qt::WindowModal);
    try {
        headlight::exportSteps(*m_rooms->current().viewWidget(), cursor, path, [&](int position) {
            progress.setValue(position);  // lets the window live
            return !progress.wasCanceled();
        });
    } catch (const Error& error) {
        m_notice->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::showShortcuts() {
    QMessageBox box(this);
    box.setWindowTitle(tr("Keyboard"));
    box.setText(
        tr("<table cellspacing=6>"
           "<tr><td><b>Ctrl+O</b></td><td>open a model; or drop one on the window, or a folder of lessons</td></tr>"
           "<tr><td><b>Ctrl+Z, Ctrl+Shift+Z</b></td><td>undo and redo what was edited</td></tr>"
           "<tr><td><b>Ctrl+Shift+C, V</b></td><td>copy a link to all that is shown; open the one that was "
           "copied</td></tr>"
           "<tr><td><b>Ctrl+Shift+P</b></td><td>copy Python that computes and loads the value pointed at</td></tr>"
           "<tr><td><b>Ctrl+1 … 6</b></td><td>go to a room</td></tr>"
           "<tr><td><b>Alt+→, Alt+←</b></td><td>a lesson: one step on, one step back</td></tr>"
           "<tr><td><b>, &nbsp; .</b></td><td>one step back, one step on</td></tr>"
           "<tr><td><b>Ctrl+Space</b></td><td>play and pause</td></tr>"
           "<tr><td><b>Arrow keys</b></td><td>move the cell of a matrix; Enter pins it, Esc lets go</td></tr>"
           "<tr><td><b>Ctrl+E</b></td><td>export what is shown; with Shift, each step of it</td></tr>"
           "<tr><td><b>Ctrl+Shift+D</b></td><td>light or dark</td></tr>"
           "<tr><td><b>F5</b></td><td>on the projector; ? shows its keys</td></tr>"
           "<tr><td><b>F11</b></td><td>full screen</td></tr></table>"));
    box.exec();
}

}  // namespace headlight

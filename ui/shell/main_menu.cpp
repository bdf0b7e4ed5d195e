// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menu, its keys, the dialogs that they open, and the links that they copy and paste.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QShortcut>
#include <algorithm>

#include "core/error.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/python_text.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/figure_desk.h"
#include "ui/shell/lesson_desk.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice.h"
#include "ui/shell/reading_export.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/widgets/controls/fitting_caption.h"

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
    addAction(menu, tr("Save the model in training"), QKeySequence(Qt::CTRL | Qt::Key_S),
              [this] { inTraining(&TrainRoom::save); });
    addAction(menu, tr("Save the model in training as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
              [this] { inTraining(&TrainRoom::saveAs); });
    addAction(menu, tr("Keep the model in training"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
              [this] { inTraining(&TrainRoom::keepModel); });
    addAction(menu, tr("Copy link to this stage"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        QGuiApplication::clipboard()->setText(link());
        m_status->setTexts({tr("The link is on the clipboard")});
    });
    addAction(menu, tr("Copy as Python"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { copyAsPython(); });
    addAction(menu, tr("Open the link on the clipboard"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
              [this] { pasteLink(); });
    addAction(menu, tr("Keep this input, or let it go"), QKeySequence(Qt::CTRL | Qt::Key_B),
              [this] { m_workbench->kept.toggle(); });
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
    addAction(menu, tr("Export figure…"), QKeySequence(Qt::CTRL | Qt::Key_E),
              [this] { m_figures->askForFile(m_figures->pointedAt()); });
    addAction(menu, tr("Copy figure"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
              [this] { m_figures->copy(m_figures->pointedAt()); });
    addAction(menu, tr("Print the lesson (PDF)…"), QKeySequence::Print, [this] { m_desk->askForHandout(); });
    addAction(menu, tr("Export as web page…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
              [this] { exportReading(); });
    addAction(menu, tr("Export the lesson as web page…"), {}, [this] { m_desk->askForPage(); });
    addAction(menu, tr("Export the steps…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
              [this] { m_figures->askForSteps(); });
    menu->addSeparator();
    ThemeManager& theme = m_workbench->theme;
    addAction(menu, tr("Light theme"), {}, [&theme] { theme.setMode(ThemeManager::Mode::Light); });
    addAction(menu, tr("Dark theme"), {}, [&theme] { theme.setMode(ThemeManager::Mode::Dark); });
    addAction(menu, tr("Theme of the system"), {}, [&theme] { theme.setMode(ThemeManager::Mode::System); });
    addAction(menu, tr("Light or dark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), [&theme] { theme.toggle(); });
    QAction* const calm = menu->addAction(tr("Less motion"));
    calm->setCheckable(true);
    calm->setChecked(motion::isReduced());
    connect(calm, &QAction::toggled, this, [](bool reduced) {
        motion::setReduced(reduced);
        QSettings().setValue(QStringLiteral("motion/reduced"), reduced);
    });
    menu->addSeparator();
    addAction(menu, tr("Present"), QKeySequence(Qt::Key_F5), [this] { present(); });
    addAction(menu, tr("Hide the controls, or show them"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
              [this] { m_rooms->showControls(!m_rooms->hasControls()); });
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

QString MainWindow::link() const {
    return QString::fromStdString(linkTo(m_stage->state()));
}

void MainWindow::openLink(const QString& link) {
    try {
        const StageState state = stageFromLink(link.trimmed().toStdString());
        LessonPlayer& player = m_workbench->player;
        const QString lesson = QString::fromStdString(state.lesson);
        if (lesson.isEmpty()) {
            player.close();
        } else if (m_workbench->lessons.find(lesson)) {
            player.open(lesson);
            player.goTo(state.page - 1);
        } else {
            // Once all else is there: a new reading takes older words away.
            connect(
                m_stage, &Stage::settled, this,
                [this, lesson] {
                    m_notice->say(tr("The lesson %1, which the link names, is not on this machine.").arg(lesson));
                },
                Qt::SingleShotConnection);
        }
        m_stage->apply(state);
    } catch (const Error& error) {
        m_notice->say(QString::fromUtf8(error.what()));
    }
}

void MainWindow::pasteLink() {
    openLink(QGuiApplication::clipboard()->text());
}

/// A run that was brought back is there as it was: the stage need not compute it again from its link.
QString MainWindow::withoutItsRun(const QString& link) {
    try {
        StageState state = stageFromLink(link.toStdString());
        state.training.train = 0;
        if (state.model.starts_with("run:")) state.model.clear();
        if (state.compare.against.starts_with("run:")) state.compare.against.clear();
        return QString::fromStdString(linkTo(state));
    } catch (const Error&) {
        return link;  // openLink() says what is wrong with it
    }
}

/// Elsewhere another model is before the reader, and it would not be this one that is saved.
void MainWindow::inTraining(void (TrainRoom::*act)()) {
    if (auto* room = qobject_cast<TrainRoom*>(&m_rooms->current())) return (room->*act)();
    m_status->setTexts({tr("A model in training is saved in Train")});
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
    for (int place = 0; place < static_cast<int>(KeptInputs::most); ++place) {
        const QKeySequence keys(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + place));
        connect(new QShortcut(keys, this), &QShortcut::activated, this,
                [this, place] { m_workbench->kept.choose(place); });
    }
}

void MainWindow::copyAsPython() {
    const std::optional<PythonValue> value = pythonValueOf(m_workbench->session, m_workbench->selection);
    if (!value) {
        m_status->setTexts({tr("Python loads values of a sentence that a model from a file has read: open one")});
        return;
    }
    QGuiApplication::clipboard()->setText(pythonFor(*value));
    m_status->setTexts({tr("Python that loads %1 is on the clipboard").arg(value->name)});
}

void MainWindow::askForModel() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a model"), {},
                                                      tr("Models (*.safetensors *.gguf config.json);;All files (*)"));
    // A dialog for files cannot choose a folder: one is named by its configuration.
    const QFileInfo file(path);
    if (!path.isEmpty()) openModel(file.fileName() == QLatin1String("config.json") ? file.path() : path);
}

void MainWindow::exportReading() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the reading as a web page"),
                                                      QStringLiteral("reading.html"), tr("Web pages (*.html)"));
    if (path.isEmpty()) return;
    try {
        m_writes.ask<bool>(
            [write = readingWriter(*m_workbench, m_stage->state(), path)] {
                write();
                return true;
            },
            [this, path](bool) { m_status->setTexts({tr("%1 is written").arg(QFileInfo(path).fileName())}); },
            [this](const QString& why) { m_notice->say(why); });
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
           "<tr><td><b>Ctrl+S, Ctrl+Shift+S</b></td><td>save the model in training, or under another name; "
           "Ctrl+Shift+K keeps it beside the others</td></tr>"
           "<tr><td><b>Ctrl+Z, Ctrl+Shift+Z</b></td><td>undo and redo what was edited</td></tr>"
           "<tr><td><b>Ctrl+Shift+C, V</b></td><td>copy a link to all that is shown; open the one that was "
           "copied</td></tr>"
           "<tr><td><b>Ctrl+Shift+P</b></td><td>copy Python that computes and loads the value pointed at</td></tr>"
           "<tr><td><b>Ctrl+1 … 6</b></td><td>go to a room</td></tr>"
           "<tr><td><b>Ctrl+B</b></td><td>keep the input, or let it go; Alt+1 … 6 goes to one that is "
           "kept</td></tr>"
           "<tr><td><b>Alt+→, Alt+←</b></td><td>a lesson: one step on, one step back</td></tr>"
           "<tr><td><b>, &nbsp; .</b></td><td>one step back, one step on</td></tr>"
           "<tr><td><b>Ctrl+Space</b></td><td>play and pause</td></tr>"
           "<tr><td><b>Space &nbsp; .</b></td><td>on the page of heads being born: the run pauses or goes on; one "
           "batch</td></tr>"
           "<tr><td><b>Arrow keys</b></td><td>move the cell of a matrix; Enter pins it, Esc lets go</td></tr>"
           "<tr><td><b>Ctrl+E, Ctrl+Shift+F</b></td><td>export or copy the card under the pointer, or the view; "
           "Ctrl+Shift+E: each step of it</td></tr>"
           "<tr><td><b>Ctrl+Shift+L</b></td><td>a lecture: hide the controls, or show them</td></tr>"
           "<tr><td><b>Ctrl+Shift+H</b></td><td>the reading as a web page that plays by itself</td></tr>"
           "<tr><td><b>Ctrl+Shift+D</b></td><td>light or dark</td></tr>"
           "<tr><td><b>F5</b></td><td>on the projector; ? shows its keys</td></tr>"
           "<tr><td><b>F11</b></td><td>full screen</td></tr></table>"));
    box.exec();
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menu, its keys, the dialogs that they open, and the links that they copy and paste.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <algorithm>
#include <array>

#include "core/error.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/python_text.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/actions.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/figure_desk.h"
#include "ui/shell/lesson_desk.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice.h"
#include "ui/shell/reading_export.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/widgets/controls/fitting_caption.h"

namespace headlight {

namespace {

constexpr std::array kKeptIds{"kept-1", "kept-2", "kept-3", "kept-4", "kept-5", "kept-6"};
static_assert(kKeptIds.size() == KeptInputs::most);

}  // namespace

void MainWindow::addFileActions() {
    using enum ActionGroup;
    m_actions->add({File, "open", tr("Open model…"), QKeySequence::Open,
                    tr("Open a model; or drop one on the window, or a folder of lessons")},
                   [this] { askForModel(); });
    m_actions->addMenu(File, makeRecentMenu());
    m_actions->separate(File);
    m_actions->add({File, "save", tr("Save the model in training"), QKeySequence(Qt::CTRL | Qt::Key_S)},
                   [this] { inTraining(&TrainRoom::save); });
    m_actions->add(
        {File, "save-as", tr("Save the model in training as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
        [this] { inTraining(&TrainRoom::saveAs); });
    m_actions->separate(File);
    m_actions->add({File, "export-figure", tr("Export figure…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                    tr("Export the card under the pointer, or the view")},
                   [this] { m_figures->askForFile(m_figures->pointedAt()); });
    m_actions->add({File, "export-steps", tr("Export the steps…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                    tr("Export each step of the figure")},
                   [this] { m_figures->askForSteps(); });
    m_actions->add({File, "export-page", tr("Export as web page…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
                    tr("Export the reading as a web page that plays by itself")},
                   [this] { exportReading(); });
    m_actions->separate(File);
    m_actions->add({File, "quit", tr("Quit"), QKeySequence::Quit}, [this] { close(); });
}

void MainWindow::addEditActions() {
    using enum ActionGroup;
    QUndoStack& edits = m_history->stack();
    QAction* const undo = edits.createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* const redo = edits.createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    m_actions->adopt(Edit, "undo", undo);
    m_actions->adopt(Edit, "redo", redo);
    m_actions->separate(Edit);
    m_actions->add({Edit, "copy-link", tr("Copy link to this stage"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                    tr("Copy a link to all that is shown")},
                   [this] {
                       QGuiApplication::clipboard()->setText(link());
                       m_status->setTexts({tr("The link is on the clipboard")});
                   });
    m_actions->add(
        {Edit, "open-link", tr("Open the link on the clipboard"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
        [this] { pasteLink(); });
    m_actions->add({Edit, "copy-python", tr("Copy as Python"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                    tr("Copy Python that computes and loads the value pointed at")},
                   [this] { copyAsPython(); });
    m_actions->add({Edit, "copy-numbers", tr("Copy numbers"), QKeySequence::Copy,
                    tr("Copy the matrix or table that was clicked, or is under the pointer, for a spreadsheet")},
                   [this] { m_figures->copyNumbers(); });
    m_actions->add({Edit, "copy-figure", tr("Copy figure"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                    tr("Copy the card under the pointer, or the view")},
                   [this] { m_figures->copy(m_figures->pointedAt()); });
    m_actions->separate(Edit);
    m_actions->add({Edit, "keep-input", tr("Keep this input, or let it go"), QKeySequence(Qt::CTRL | Qt::Key_B)},
                   [this] { m_workbench->kept.toggle(); });
    m_actions->startSubmenu(tr("Kept inputs"));
    for (int place = 0; place < static_cast<int>(KeptInputs::most); ++place)
        m_actions->add({Edit, kKeptIds.at(static_cast<size_t>(place)), tr("Kept input %1").arg(place + 1),
                        QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + place))},
                       [this, place] { m_workbench->kept.choose(place); });
    m_actions->startSubmenu({});
    m_actions->separate(Edit);
    m_actions->add({Edit, "settings", tr("Settings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                   [this] { toggleSettings(); });
}

void MainWindow::addViewActions() {
    using enum ActionGroup;
    for (int place = 0; const RoomEntry& room : headlight::rooms()) {
        m_actions->add({View, room.id, room.label, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + place))},
                       [this, place] { goToRoom(place); });
        ++place;
    }
    m_actions->separate(View);
    m_actions->add({View, "next-view", tr("Next view of the room"), QKeySequence(Qt::CTRL | Qt::Key_Tab)},
                   [this] { m_settings->isOpen() ? m_settings->shut() : m_rooms->goOn(1); });
    m_actions->add(
        {View, "previous-view", tr("Previous view of the room"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab)},
        [this] { m_settings->isOpen() ? m_settings->shut() : m_rooms->goOn(-1); });
    m_actions->separate(View);
    // Not while somebody types: there a space is a space.
    const auto steps = [this](auto act) {
        return [this, act] {
            if (!qobject_cast<QLineEdit*>(QApplication::focusWidget())) (m_workbench->cursor.*act)();
        };
    };
    m_actions->startSubmenu(tr("Steps of the computation"));
    m_actions->add({View, "step-back", tr("One step back"), QKeySequence(Qt::Key_Comma)}, steps(&StepCursor::previous));
    m_actions->add({View, "step-on", tr("One step on"), QKeySequence(Qt::Key_Period)}, steps(&StepCursor::next));
    m_actions->add({View, "play", tr("Play or pause"), QKeySequence(Qt::CTRL | Qt::Key_Space)},
                   steps(&StepCursor::togglePlaying));
    ThemeManager& theme = m_workbench->theme;
    m_actions->startSubmenu(tr("Theme"));
    m_actions->add({View, "theme-light", tr("Light theme")}, [&theme] { theme.setMode(ThemeManager::Mode::Light); });
    m_actions->add({View, "theme-dark", tr("Dark theme")}, [&theme] { theme.setMode(ThemeManager::Mode::Dark); });
    m_actions->add({View, "theme-high-contrast", tr("High contrast theme")},
                   [&theme] { theme.setMode(ThemeManager::Mode::HighContrast); });
    m_actions->add({View, "theme-system", tr("Theme of the system")},
                   [&theme] { theme.setMode(ThemeManager::Mode::System); });
    m_actions->add({View, "theme", tr("Light or dark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
                   [&theme] { theme.toggle(); });
    m_actions->startSubmenu({});
    auto* const calm = new QAction(tr("Less motion"), this);
    calm->setCheckable(true);
    calm->setChecked(motion::isReduced());
    connect(calm, &QAction::toggled, this, [](bool reduced) {
        motion::setReduced(reduced);
        QSettings().setValue(QStringLiteral("motion/reduced"), reduced);
    });
    m_actions->adopt(View, "less-motion", calm);
    m_actions->separate(View);
    m_actions->add({View, "present", tr("Present"), QKeySequence(Qt::Key_F5), tr("On the projector; ? shows its keys")},
                   [this] { present(); });
    m_actions->add({View, "controls", tr("Hide the controls, or show them"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), tr("A lecture: hide the controls, or show them")},
                   [this] { m_rooms->showControls(!m_rooms->hasControls()); });
    m_actions->add({View, "full-screen", tr("Full screen"), QKeySequence(Qt::Key_F11)},
                   [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::addOtherActions() {
    using enum ActionGroup;
    const auto inLesson = [this](void (LessonPlayer::*act)()) {
        return [this, act] {
            if (m_workbench->player.isOpen()) (m_workbench->player.*act)();
        };
    };
    m_actions->add({Lesson, "lesson-next", tr("Next step of the lesson"), QKeySequence(Qt::ALT | Qt::Key_Right)},
                   inLesson(&LessonPlayer::next));
    m_actions->add({Lesson, "lesson-previous", tr("Previous step of the lesson"), QKeySequence(Qt::ALT | Qt::Key_Left)},
                   inLesson(&LessonPlayer::previous));
    m_actions->separate(Lesson);
    m_actions->add({Lesson, "lesson-print", tr("Print the lesson (PDF)…"), QKeySequence::Print},
                   [this] { m_desk->askForHandout(); });
    m_actions->add({Lesson, "lesson-page", tr("Export the lesson as web page…")}, [this] { m_desk->askForPage(); });
    m_actions->add({Model, "model-by-name", tr("Open a model by name…")}, [this] { suggestModel({}); });
    m_actions->add({Model, "look-inside", tr("Look inside the model")},
                   [this] { emit m_workbench->lookInsideRequested(); });
    m_actions->add({Model, "keep-model", tr("Keep the model in training"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K), tr("Keep the model in training beside the others")},
                   [this] { inTraining(&TrainRoom::keepModel); });
    m_actions->add({Help, "help", tr("About this view"), QKeySequence::HelpContents}, [this] { toggleHelp(); });
    m_actions->add({.group = Help,
                    .id = "palette",
                    .text = tr("Search or run a command"),
                    .keys = QKeySequence(Qt::CTRL | Qt::Key_K),
                    .whileTyping = true},
                   [this] { showPalette(); });
    m_actions->add({Help, "keyboard", tr("Keyboard"), QKeySequence(Qt::CTRL | Qt::Key_F1)},
                   [this] { showShortcuts(); });
    m_actions->separate(Help);
    m_actions->add({Help, "about", tr("About Headlight")}, [this] {
        QMessageBox::about(this, tr("About Headlight"),
                           tr("Headlight %1 shows what every attention head is looking at, and why.\n\nFree software, "
                              "GPL-3.0-or-later.")
                               .arg(QStringLiteral(HEADLIGHT_VERSION)));
    });
}

QMenu* MainWindow::makeMenu() {
    addFileActions();
    addEditActions();
    addViewActions();
    addOtherActions();
    return m_actions->makeMenu(this);
}

/// What was opened before, the newest first; made anew each time it is looked at.
QMenu* MainWindow::makeRecentMenu() {
    auto* menu = new QMenu(tr("Open recent"), this);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const QString& path : recentlyOpened()) {
            QAction* const action = menu->addAction(modelTitle(path), this, [this, path] { open(path); });
            action->setToolTip(QDir::toNativeSeparators(path));
        }
        if (menu->isEmpty()) menu->addAction(tr("Nothing yet"))->setEnabled(false);
        menu->addSeparator();
        menu->addAction(tr("Clear this list"), this, &forgetOpened);
    });
    menu->setToolTipsVisible(true);
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

/// What every view has besides: it is no command, so no list of them has it.
void MainWindow::showShortcuts() {
    QMessageBox box(this);
    box.setWindowTitle(tr("Keyboard"));
    box.setText(m_actions->sheet());
    box.setInformativeText(
        tr("Arrow keys move the cell of a matrix; Enter pins it, Esc lets go. On the page of heads "
           "being born Space lets the run pause or go on."));
    box.exec();
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lesson_desk.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressDialog>
#include <QShortcut>
#include <algorithm>

#include "core/error.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/shell/handout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/crossfade.h"

namespace headlight {

namespace {

constexpr int kNarrowest = 352, kWidest = 460;
constexpr double kShare = 0.27;  ///< of the window

}  // namespace

LessonDesk::LessonDesk(MainWindow& window)
    : QObject(&window),
      m_window(window),
      m_stage(new Stage(window)),
      m_panel(new LessonPanel(window.workbench().player)),
      m_playBar(new Panel(Qt::BottomEdge)) {
    makePlayBar();
    m_panel->hide();
    m_playBar->hide();
    m_panel->setFixedWidth(kWidest);
    window.installEventFilter(this);
    connectPlayer();
}

void LessonDesk::makePlayBar() {
    auto* row = new QHBoxLayout(m_playBar);
    row->setContentsMargins(24, 6, 16, 6);
    row->addWidget(new Caption(tr("The stage is yours. The lesson waits where you left it."), 13, QFont::Normal,
                               Caption::Tone::Secondary),
                   1);
    auto* back = new Button(Button::Kind::Primary, tr("Back to the lesson"), Icon::Learn);
    back->setHeight(28);
    connect(back, &Button::clicked, this, [this] { m_window.workbench().player.letPlay(false); });
    row->addWidget(back);
}

void LessonDesk::connectPlayer() {
    LessonPlayer& player = m_window.workbench().player;
    player.setSight({[this](const std::string& key, const std::string& value) {
                         return m_stage->isShown() && m_stage->isMet(key, value);
                     },
                     [this](const NumberName& number) { return m_stage->isShown() && m_stage->isPointedAt(number); }});
    connect(&player, &LessonPlayer::stageWanted, this, [this](const StageSetting& setting, const LessonTensors* by) {
        m_window.say({});
        if (m_fade) m_fade->hold();
        m_stage->show(setting, by);
    });
    connect(m_stage, &Stage::failed, &m_window, &MainWindow::say);
    const auto fade = [this] {
        if (m_fade) m_fade->release();
    };
    connect(m_stage, &Stage::shown, this, fade);
    connect(m_stage, &Stage::failed, this, fade);
    connect(&player, &LessonPlayer::opened, this, &LessonDesk::showLesson);
    connect(&player, &LessonPlayer::closed, m_stage, &Stage::leave);
    connect(&player, &LessonPlayer::closed, this, &LessonDesk::showLesson);
    connect(&player, &LessonPlayer::freeChanged, this, &LessonDesk::showLesson);
    connect(m_panel, &LessonPanel::listWanted, this, &LessonDesk::leave);
    const std::pair<Qt::Key, void (LessonPlayer::*)()> keys[] = {{Qt::Key_Right, &LessonPlayer::next},
                                                                 {Qt::Key_Left, &LessonPlayer::previous}};
    for (const auto& [key, act] : keys)
        connect(new QShortcut(QKeySequence(Qt::ALT | key), &m_window), &QShortcut::activated, this,
                [&player, act = act] {
                    if (player.isOpen()) (player.*act)();
                });
}

void LessonDesk::setRooms(QWidget* rooms) {
    m_fade = new Crossfade(rooms);
}

bool LessonDesk::isBesideTheStage() const {
    const LessonPlayer& player = m_window.workbench().player;
    return player.isOpen() && !player.isFree();
}

void LessonDesk::showLesson() {
    m_panel->setVisible(isBesideTheStage());
    m_playBar->setVisible(m_window.workbench().player.isOpen() && !isBesideTheStage());
    emit placeChanged();
}

void LessonDesk::leave() {
    m_window.workbench().player.close();
    m_window.showRoom(QStringLiteral("learn"));
}

void LessonDesk::openLessons(const QString& path) {
    Workbench& workbench = m_window.workbench();
    try {
        const QFileInfo file(path);
        const bool single = file.isFile() && file.suffix() == QLatin1String("md");
        workbench.player.close();
        workbench.lessons.open(single ? QFileInfo(file.absolutePath()).absolutePath() : file.absoluteFilePath());
        m_window.showRoom(QStringLiteral("learn"));
        if (single) workbench.player.open(file.completeBaseName().mid(3));
    } catch (const Error& error) {
        m_window.say(QString::fromUtf8(error.what()));
    }
}

void LessonDesk::askForHandout() {
    const LessonPlayer& player = m_window.workbench().player;
    if (!player.isOpen()) return m_window.say(tr("Open a lesson first: its words and figures make the handout."));
    const QString path = QFileDialog::getSaveFileName(&m_window, tr("Print the lesson"),
                                                      player.slug() + QStringLiteral(".pdf"), tr("PDF (*.pdf)"));
    if (path.isEmpty()) return;
    auto* handout = new Handout(m_window, path);
    auto* progress = new QProgressDialog(tr("Drawing each step …"), tr("Cancel"), 0, player.steps(), &m_window);
    progress->setWindowModality(Qt::WindowModal);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    connect(handout, &Handout::drawn, progress, &QProgressDialog::setValue);
    connect(progress, &QProgressDialog::canceled, handout, &Handout::deleteLater);
    connect(handout, &Handout::finished, progress, &QProgressDialog::close);
    connect(handout, &Handout::failed, &m_window, &MainWindow::say);
    handout->start();
}

bool LessonDesk::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window && event->type() == QEvent::Resize)
        m_panel->setFixedWidth(std::clamp(static_cast<int>(m_window.width() * kShare), kNarrowest, kWidest));
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lesson_desk.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressDialog>
#include <algorithm>
#include <utility>

#include "core/error.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/shell/handout.h"
#include "ui/shell/lesson_export.h"
#include "ui/shell/pointing.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"
#include "ui/views/view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/crossfade.h"
#include "ui/widgets/theme/glide.h"

namespace headlight {

namespace {

constexpr int kNarrowest = 352, kDeskWidest = 460;
constexpr double kShare = 0.27;  ///< of the window

}  // namespace

LessonDesk::LessonDesk(Workbench& workbench, RoomStack& rooms, Stage& stage, QWidget* window)
    : QObject(window),
      m_workbench(workbench),
      m_rooms(rooms),
      m_stage(stage),
      m_window(window),
      m_panel(new LessonPanel(workbench.player)),
      m_playBar(new Panel(Qt::BottomEdge)),
      m_pointing(new Pointing(workbench, rooms, stage, this)),
      m_live(workbench.lessons.modelOpener()),
      m_fade(new Crossfade(&rooms)) {
    makePlayBar();
    m_panel->hide();
    m_playBar->hide();
    m_panel->setFixedWidth(kDeskWidest);
    window->installEventFilter(this);
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
    connect(back, &Button::clicked, this, [this] { m_workbench.player.letPlay(false); });
    row->addWidget(back);
}

void LessonDesk::connectPlayer() {
    LessonPlayer& player = m_workbench.player;
    player.setSight({[this](const std::string& key, const std::string& value) { return isMetNow(key, value); },
                     [this](const NumberName& number) { return m_stage.isSettled() && m_stage.isPointedAt(number); },
                     [this](const NumberName& number) { return m_pointing->isShown(number); },
                     [this](const NumberName& number) { return m_pointing->describe(number); },
                     [this](const StageSetting& when) {
                         return m_stage.isSettled() && isTouched(when, m_stage.before(), m_stage.state());
                     },
                     [this] { return m_stage.state(); }});
    connect(&player, &LessonPlayer::dialTurned, this,
            [this](const QString& field, double value) { m_stage.turn(field.toStdString(), value); });
    for (const auto moved : {&Stage::edited, &Stage::touched})
        connect(&m_stage, moved, &player, &LessonPlayer::stageMoved);
    connect(&m_stage, &Stage::settled, &player, &LessonPlayer::stageMoved);
    connect(&player, &LessonPlayer::veilChanged, this, &LessonDesk::hideVeiled);
    connect(&player, &LessonPlayer::closed, this, &LessonDesk::hideVeiled);
    connect(&player, &LessonPlayer::stageWanted, this, [this](const StageState& state) {
        emit said({});
        holdStep();
        hideVeiled();  // before there is anything to see
        m_stage.apply(state);
    });
    connect(&m_stage, &Stage::failed, this, [this](Settling::Revision, const QString& why) { emit said(why); });
    connect(&m_stage, &Stage::settled, this, &LessonDesk::moveOn);
    connect(&m_stage, &Stage::failed, m_fade, &Crossfade::release);
    connect(&player, &LessonPlayer::opened, this, &LessonDesk::showLesson);
    connect(&player, &LessonPlayer::closed, &m_stage, &Stage::leaveLesson);
    connect(&player, &LessonPlayer::closed, this, &LessonDesk::showLesson);
    connect(&player, &LessonPlayer::freeChanged, this, &LessonDesk::showLesson);
    connect(&player, &LessonPlayer::freeChanged, this, [this](bool free) {
        if (!free) return;
        m_rooms.showControls(true);  // who plays needs them
        m_rooms.showPanels({});
    });
    connect(m_panel, &LessonPanel::listWanted, this, &LessonDesk::leave);
}

void LessonDesk::hideVeiled() {
    const std::vector<NumberName> veiled = m_workbench.player.veiled();
    for (Staged* const view : m_rooms.staged())
        view->setVeil(veiled);
}

std::optional<double> LessonDesk::numberNow(const NumberName& number) {
    const auto& byHand = m_workbench.byHand;
    const auto& reading = m_workbench.session.reading();
    try {
        if (byHand && number.name.find('.') == std::string::npos)
            return m_live.number({m_stage.state(), &*byHand}, number);
        if (reading && m_workbench.session.model())
            return numberIn(*reading->trace, *m_workbench.session.model(), number);
    } catch (const Error&) {
        // What the stage reads now has no such number.
    }
    return {};
}

bool LessonDesk::isMetNow(const std::string& key, const std::string& value) {
    if (!m_stage.isSettled()) return false;
    const auto& reading = m_workbench.session.reading();
    return isMet(key, value, m_stage.before(), m_stage.state(),
                 {[this](const NumberName& number) { return numberNow(number); },
                  reading ? reading->translation.toStdString() : std::string()});
}

/// Keeps what the step before shows, until the next one stands.
void LessonDesk::holdStep() {
    const auto& reading = m_workbench.session.reading();
    m_viewBefore = m_rooms.view();
    m_traceBefore = reading ? reading->trace : nullptr;
    m_moves = true;
    m_fade->hold();
    for (auto* const mark : m_rooms.findChildren<Glide*>())
        mark->keep();
}

/// Where the same numbers are seen in the same view, what marks them moves from place to place; else one picture fades
/// into the other.
void LessonDesk::moveOn() {
    if (!std::exchange(m_moves, false)) return;
    const auto& reading = m_workbench.session.reading();
    const bool same = m_viewBefore == m_rooms.view() && reading && m_traceBefore.lock() == reading->trace;
    bool glides = false;
    for (auto* const mark : m_rooms.findChildren<Glide*>()) {
        if (!same)
            mark->stop();
        else if (mark->start())
            glides = true;
    }
    glides ? m_fade->drop() : m_fade->release();
}

bool LessonDesk::isBesideTheStage() const {
    const LessonPlayer& player = m_workbench.player;
    return player.isOpen() && !player.isFree();
}

void LessonDesk::showLesson() {
    m_panel->setVisible(isBesideTheStage());
    m_playBar->setVisible(m_workbench.player.isOpen() && !isBesideTheStage());
    emit placeChanged();
}

void LessonDesk::leave() {
    m_workbench.player.close();
    m_rooms.showView(ViewName::Lessons);
}

void LessonDesk::openLessons(const QString& path) {
    try {
        const QFileInfo file(path);
        const bool single = file.isFile() && file.suffix() == QLatin1String("md");
        m_workbench.player.close();
        if (const QString suffix = file.suffix(); suffix == QLatin1String("yaml") || suffix == QLatin1String("yml")) {
            m_workbench.lessons.openCourse(file.absoluteFilePath());
            return m_rooms.showView(ViewName::Lessons);
        }
        m_workbench.lessons.open(single ? QFileInfo(file.absolutePath()).absolutePath() : file.absoluteFilePath());
        m_rooms.showView(ViewName::Lessons);
        if (single) m_workbench.player.open(file.completeBaseName().mid(3));
    } catch (const Error& error) {
        emit said(QString::fromUtf8(error.what()));
    }
}

/// Lets something go through the lesson, and says how far it is.
template <class Writer>
void LessonDesk::follow(Writer* writer) {
    auto* progress = new QProgressDialog(LessonDesk::tr("Drawing each step …"), LessonDesk::tr("Cancel"), 0,
                                         m_workbench.player.steps(), m_window);
    progress->setWindowModality(Qt::WindowModal);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    connect(writer, &Writer::drawn, progress, &QProgressDialog::setValue);
    connect(progress, &QProgressDialog::canceled, writer, &Writer::cancel);
    connect(writer, &Writer::finished, progress, [progress] {
        disconnect(progress, &QProgressDialog::canceled, nullptr, nullptr);  // closing one says that it was cancelled
        progress->close();
    });
    connect(writer, &Writer::failed, this, &LessonDesk::said);
    writer->start();
}

QString LessonDesk::askForFile(const QString& title, const QString& ending, const QString& kind) {
    if (!m_workbench.player.isOpen()) {
        emit said(tr("Open a lesson first: its words and figures are what is written."));
        return {};
    }
    return QFileDialog::getSaveFileName(m_window, title, m_workbench.player.slug() + ending, kind);
}

void LessonDesk::askForHandout() {
    const QString path = askForFile(tr("Print the lesson"), QStringLiteral(".pdf"), tr("PDF (*.pdf)"));
    if (!path.isEmpty()) follow(new Handout(m_workbench.player, m_stage, m_rooms, path));
}

void LessonDesk::askForPage() {
    const QString path =
        askForFile(tr("Export the lesson as a web page"), QStringLiteral(".html"), tr("Web pages (*.html)"));
    if (!path.isEmpty()) follow(new LessonExport(m_workbench, m_stage, m_rooms, path));
}

bool LessonDesk::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_window && event->type() == QEvent::Resize)
        m_panel->setFixedWidth(std::clamp(static_cast<int>(m_window->width() * kShare), kNarrowest, kDeskWidest));
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight

#include "moc_lesson_desk.cpp"

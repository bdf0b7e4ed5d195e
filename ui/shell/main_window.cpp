// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/import/file_kind.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/actions.h"
#include "ui/shell/bare_bar.h"
#include "ui/shell/edit_history.h"
#include "ui/shell/figure_desk.h"
#include "ui/shell/help_panel.h"
#include "ui/shell/learn_room.h"
#include "ui/shell/lesson_desk.h"
#include "ui/shell/models_room.h"
#include "ui/shell/notice.h"
#include "ui/shell/palette.h"
#include "ui/shell/presenter.h"
#include "ui/shell/room_frame.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/shell/view_tabs.h"
#include "ui/views/models/by_name/by_name_view.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/data/get_sentences.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"
#include "ui/widgets/controls/panel.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"

namespace headlight {

namespace {

constexpr int railWidth = 64;
constexpr int headerHeight = 48;
constexpr std::chrono::milliseconds kRemember{800};
constexpr QSize usualSize(1440, 900);
constexpr int titleBar = 32;              ///< what a window manager puts above a window, about
constexpr QSize smallestStage(560, 420);  ///< beside a lesson; side panels give way before

/// The lamp at the head of the rail.
class Mark : public QWidget {
public:
    explicit Mark(QWidget* parent) : QWidget(parent) { setFixedSize(railWidth, headerHeight); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        drawMark(painter, {8, 0}, Theme::of(this));
    }
};

/// The way to the palette, as the field that it opens; where room is short its sign alone.
class SearchButton : public QAbstractButton {
public:
    explicit SearchButton(QWidget* parent) : QAbstractButton(parent) {
        setText(MainWindow::tr("Search or run a command"));
        setToolTip(MainWindow::tr("Search views, lessons, models, settings and commands (Ctrl+K)"));
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
        setFixedHeight(28);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override { return {m_isAlone ? alone : 224, 28}; }
    QSize minimumSizeHint() const override { return {alone, 28}; }
    void setIconAlone(bool isAlone) {
        m_isAlone = isAlone;
        setMaximumWidth(sizeHint().width());
        updateGeometry();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        paint::box(p, rect(), paint::mixed(t.sunken, t.line, hoverTint(this)), {}, 6);
        if (width() < sizeHint().width() || m_isAlone)
            return drawIcon(p, Icon::Search, QRectF((width() - 16) / 2.0, 6, 16, 16), t.text2, 1.5);
        paint::centredText(p, {12, height() / 2.0}, text(), uiFont(12), t.text2, Anchor::Start);
        paint::centredText(p, {width() - 10.0, height() / 2.0}, QStringLiteral("Ctrl K"), monoFont(10), t.text3,
                           Anchor::End);
    }

private:
    static constexpr int alone = 32;
    bool m_isAlone = false;
};

/// A text and its translation, line by line; empty where it is anything else.
QStringList twoTexts(const QList<QUrl>& urls) {
    const auto isText = [](const QUrl& url) {
        return url.isLocalFile() && kindOfFile(url.toLocalFile().toStdString()) == FileKind::Text;
    };
    if (urls.size() != 2 || !std::ranges::all_of(urls, isText)) return {};
    return {urls[0].toLocalFile(), urls[1].toLocalFile()};
}

}  // namespace

MainWindow::MainWindow(ThemeManager& theme, QWidget* parent)
    : QMainWindow(parent),
      m_workbench(std::make_unique<Workbench>(theme)),
      m_actions(new Actions(this)),
      m_rooms(new RoomStack(*m_workbench, this)),
      m_stage(new Stage(*m_workbench, *m_rooms, this)),
      m_history(new EditHistory(*m_stage, this)),
      m_remember(kRemember) {
    setWindowTitle(QStringLiteral("Headlight"));
    setAcceptDrops(true);
    auto* centre = new QWidget(this);
    auto* columns = new QHBoxLayout(centre);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    auto* rows = new QVBoxLayout;
    rows->setSpacing(0);
    columns->addWidget(makeRail());
    columns->addLayout(rows, 1);
    rows->addWidget(makeHeader());
    auto* bare = new BareBar(m_workbench->session, centre);
    rows->addWidget(bare);
    connect(bare, &BareBar::controlsWanted, this, [this] { m_rooms->showControls(true); });
    connect(m_rooms, &RoomStack::controlsShown, this, [this, bare](bool shown) {
        m_railPanel->stow(Foldable::By::Lecture, !shown);
        m_header->stow(Foldable::By::Lecture, !shown);
        bare->setVisible(!shown);
    });
    m_notice = new Notice(centre);
    m_figures = new FigureDesk(*m_rooms, m_workbench->cursor, this);
    m_figures->offerToo({m_actions->find(QStringLiteral("copy-link")), m_actions->find(QStringLiteral("help"))});
    m_desk = new LessonDesk(*m_workbench, *m_rooms, *m_stage, this);
    rows->addWidget(m_desk->playBar());
    auto* frame = new RoomFrame(*m_workbench, *m_rooms, smallestStage, centre);
    m_help = frame->help();
    connect(m_help, &HelpPanel::lessonWanted, &m_workbench->player, &LessonPlayer::open);
    m_settings = new SettingsPage(*m_workbench, m_actions->find(QStringLiteral("less-motion")), frame);
    frame->setPage(m_settings);
    connect(m_settings, &SettingsPage::toggled, this, [this] {
        if (m_settings->isOpen() && m_help->isOpen()) m_help->shut();
        m_rooms->setHidden(m_settings->isOpen());  // or the keyboard would go on into what lies below
        showPlace();
    });
    connect(m_settings, &SettingsPage::restartWanted, this, [this] {
        m_restarts = true;
        close();
    });
    connect(m_help, &HelpPanel::toggled, this, [this] {
        if (m_help->isOpen() && m_settings->isOpen()) m_settings->shut();
    });
    connect(m_rooms, &RoomStack::viewChanged, m_settings, &SettingsPage::giveWay);
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(m_desk->panel());
    below->addWidget(frame, 1);
    rows->addLayout(below, 1);
    setCentralWidget(centre);
    connect(m_desk, &LessonDesk::placeChanged, this, &MainWindow::showPlace);
    connect(m_desk, &LessonDesk::said, m_notice, &Notice::say);
    connect(m_figures, &FigureDesk::said, m_notice, &Notice::say);
    connect(m_figures, &FigureDesk::told, this, [this](const QString& what) { m_status->setTexts({what}); });
    connect(m_rooms, &RoomStack::viewChanged, this, &MainWindow::showPlace);
    // What went wrong elsewhere would lie over the view that the reader goes to.
    connect(m_rooms, &RoomStack::viewChanged, this, [this, before = m_rooms->view()]() mutable {
        if (std::exchange(before, m_rooms->view()) != m_rooms->view()) m_notice->say({});
    });
    connect(m_rooms->find<LearnRoom>(), &LearnRoom::stageWanted, m_stage, &Stage::apply);
    connect(m_workbench.get(), &Workbench::modelWanted, this, &MainWindow::askForModel);
    connect(&m_workbench->decoding, &Decoding::failed, m_notice, &Notice::say);
    connect(&m_remember, &QTimer::timeout, this, &MainWindow::rememberStage);
    connect(m_stage, &Stage::touched, &m_remember, &PacedTimer::start);
    connect(m_stage, &Stage::settled, &m_remember, &PacedTimer::start);
    Session& session = m_workbench->session;
    connect(&session, &Session::modelOpened, this, [this] { m_notice->say({}); });
    connect(&session, &Session::modelOpened, this, &MainWindow::showStatus);
    connect(&session, &Session::modelOpened, this, &MainWindow::showPlace);
    connect(&session, &Session::failed, m_notice, &Notice::say);
    connect(&session, &Session::readingChanged, this, [this] { m_notice->say({}); });
    connect(&session, &Session::loadingStarted, this,
            [this](const QString& path) { m_status->setTexts({tr("Opening %1").arg(QFileInfo(path).fileName())}); });
    connect(&session, &Session::failed, this, &MainWindow::showStatus);
    connect(&session, &Session::loadingStopped, this, &MainWindow::showStatus);
    m_rooms->showView(ViewName::Lessons);
    showStatus();
    const QSize screen = this->screen()->availableSize();
    resize(std::min(usualSize.width(), screen.width()), std::min(usualSize.height(), screen.height() - titleBar));
    restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
}

MainWindow::~MainWindow() {
    // The presenter and the rooms hold references to the workbench: they go first.
    delete m_presenter;
    delete takeCentralWidget();
}

QWidget* MainWindow::makeRail() {
    auto* rail = m_railPanel = new Panel(Qt::RightEdge, this);
    rail->setFixedWidth(railWidth);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(0, 0, 0, 12);
    column->setSpacing(0);
    column->addWidget(new Mark(rail));
    column->addSpacing(16);
    int number = 0;
    for (const RoomEntry& room : headlight::rooms()) {
        auto* button = new RailButton(room.icon, room.label, rail);
        const int place = number++;
        const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + place));
        button->setCheckable(true);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(room.hint, keys.toString(QKeySequence::NativeText)));
        connect(button, &RailButton::clicked, this, [this, place] { goToRoom(place); });
        column->addWidget(button, 0, Qt::AlignHCenter);
        column->addSpacing(8);
        m_rail.push_back(button);
    }
    rail->setAccessibleName(tr("Rooms"));
    column->addStretch();
    auto* gear = new Button(Button::Kind::Plain, {}, Icon::Gear, rail);
    gear->setAccessibleName(tr("Menu"));
    gear->setToolTip(tr("Open, export, theme"));
    if (QSettings().value(QStringLiteral("motion/reduced")).toBool()) motion::setReduced(true);
    QMenu* menu = makeMenu();
    connect(gear, &Button::clicked, this, [gear, menu] {
        menu->popup(gear->mapToGlobal(QPoint(gear->width() + 4, gear->height() - menu->sizeHint().height())));
    });
    column->addWidget(gear, 0, Qt::AlignHCenter);
    return rail;
}

/// The rooms are the reader's: a lesson that is open waits, with the way back above them.
void MainWindow::goToRoom(int room) {
    const bool isLessons = m_rooms->all()[static_cast<size_t>(room)] == &m_rooms->roomOf(ViewName::Lessons);
    // From the settings back to the step, which waits beside them.
    if (isLessons && m_settings->isOpen() && m_desk->isBesideTheStage()) return m_settings->shut();
    if (isLessons) return m_desk->leave();
    if (m_desk->isBesideTheStage()) m_workbench->player.letPlay(true);
    m_rooms->showRoom(room);
}

/// A lesson that is open is where the reader is, whatever room it shows.
void MainWindow::showPlace() {
    const bool sets = m_settings->isOpen();
    const int room = m_rooms->currentIndex();
    const bool learns = m_desk->isBesideTheStage();
    const Room* const lessons = &m_rooms->roomOf(ViewName::Lessons);
    for (size_t i = 0; i < m_rail.size(); ++i)
        m_rail[i]->setChecked(!sets && (learns ? m_rooms->all()[i] == lessons : static_cast<int>(i) == room));
    m_title->setText(sets     ? tr("Settings")
                     : learns ? QString::fromStdString(m_workbench->player.lesson().title)
                              : headlight::rooms()[static_cast<size_t>(room)].label);
    // Views give way to it, into their menu.
    m_title->setFixedWidth(static_cast<int>(std::ceil(paint::textWidth(m_title->text(), m_title->font()))) + 1);
    m_tabs->setViews(m_rooms->current().views(), m_rooms->view());
    if (sets) m_tabs->hide();
}

QWidget* MainWindow::makeHeader() {
    auto* header = m_header = new Panel(Qt::BottomEdge, this);
    header->setFixedHeight(headerHeight);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(24, 0, 16, 0);
    row->setSpacing(8);
    m_title = new Caption({}, 15, QFont::DemiBold, Caption::Tone::Main, header);
    m_status = new FittingCaption(12, QFont::Medium, Caption::Tone::Secondary, header);
    m_tabs = new ViewTabs(header);
    connect(m_tabs, &ViewTabs::chosen, this, [this](ViewName view) { m_rooms->showView(view); });
    // Who looks for another view of the group wants to see them, though the step of a lesson does not need them.
    connect(m_tabs, &ViewTabs::clicked, this, [this] { m_rooms->showPanels({}); });
    m_status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_title);
    row->addSpacing(8);
    row->addWidget(m_tabs);
    row->addSpacing(8);
    row->addWidget(m_status, 1);
    row->addSpacing(8);
    auto* search = new SearchButton(header);
    connect(search, &SearchButton::clicked, this, &MainWindow::showPalette);
    row->addWidget(search);
    m_search = search;
    m_present = new Button(Button::Kind::Ghost, tr("Present"), Icon::Present, header);
    m_present->setHeight(28);
    m_present->setToolTip(tr("On the projector (F5)"));
    connect(m_present, &Button::clicked, this, &MainWindow::present);
    row->addWidget(m_present);
    row->addSpacing(4);
    auto* theme = new Button(Button::Kind::Plain, {}, Icon::Moon, header);
    theme->setAccessibleName(tr("Light or dark"));
    theme->setToolTip(tr("Light or dark (Ctrl+Shift+D)"));
    connect(theme, &Button::clicked, &m_workbench->theme, &ThemeManager::toggle);
    auto* help = new Button(Button::Kind::Plain, {}, Icon::Help, header);
    help->setAccessibleName(tr("About this view"));
    help->setToolTip(tr("About this view (F1)"));
    connect(help, &Button::clicked, this, &MainWindow::toggleHelp);
    row->addWidget(theme);
    row->addWidget(help);
    return header;
}

Presenter* MainWindow::present() {
    if (!m_presenter) {
        m_presenter = new Presenter(*m_workbench, *m_rooms);
        m_presenter->resize(size());
        m_presenter->showFullScreen();
    }
    m_presenter->activateWindow();
    m_presenter->setFocus();
    return m_presenter;
}

void MainWindow::open(const QString& what) {
    if (what.startsWith(QLatin1String("headlight:"))) return openLink(what);
    // What is not there may be a model's name.
    const QString file = QFileInfo::exists(what) ? QFileInfo(what).absoluteFilePath() : what;
    switch (kindOfFile(file.toStdString())) {
        case FileKind::Lessons:
            rememberOpened(file);
            return openLessons(file);
        case FileKind::Text:
            return openSentences({file});
        case FileKind::Model:
            if (isAbsentModel(file)) return suggestModel(file);
            openModel(file);
            return m_workbench->lookInsideRequested();
    }
}

/// Nothing is asked of the hub before the reader says so.
void MainWindow::suggestModel(const QString& name) {
    m_rooms->showView(ViewName::ByName);
    m_rooms->find<ModelsRoom>()->byName()->suggest(name);
    if (name.isEmpty()) return;
    say(tr("%1 isn't on this computer. Press Enter to ask the hub what it is.").arg(name));
}

void MainWindow::openSentences(const QStringList& files) {
    if (files.size() == 1) rememberOpened(files.first());
    m_rooms->find<TrainRoom>()->data()->open(files);
    m_rooms->showView(ViewName::TrainingData);
}

void MainWindow::rememberStage() {
    if (m_stage->isApplying()) return;
    QSettings().setValue(QStringLiteral("stage/link"), link());
}

void MainWindow::keepIn(const QString& folder) {
    m_settings->setFolder(folder);
    m_workbench->trained.setFolder(QDir(folder).filePath(QStringLiteral("models")));
    m_rooms->find<TrainRoom>()->data()->sets()->setFolder(QDir(folder).filePath(QStringLiteral("sentences")));
    if (!m_workbench->keptRun.open(QDir(folder).filePath(QStringLiteral("run")))) return;
    m_workbench->training.keepStandEvery(RunStore::everyMs);
    m_broughtBack = m_rooms->find<TrainRoom>()->bringBack();
}

bool MainWindow::restoreStage() {
    const QString last = QSettings().value(QStringLiteral("stage/link")).toString();
    if (last.isEmpty()) return false;
    openLink(m_broughtBack ? withoutItsRun(last) : last);
    return m_stage->isApplying();
}

void MainWindow::toggleSettings() {
    m_settings->isOpen() ? m_settings->shut() : m_settings->open();
}

void MainWindow::toggleHelp() {
    m_help->isOpen() ? m_help->shut() : m_help->open();
}

/// One at a time; it goes when it has been answered.
void MainWindow::showPalette() {
    if (m_palette) {
        m_palette->close();
        return;
    }
    m_palette = new Palette(paletteEntries(*this), centralWidget());
}

void MainWindow::say(const QString& message) {
    m_notice->say(message);
}

void MainWindow::openLessons(const QString& path) {
    m_desk->openLessons(path);
}

LessonPanel* MainWindow::lessonPanel() const {
    return m_desk->panel();
}

QString MainWindow::noticeText() const {
    return m_notice->message();
}

void MainWindow::openModel(const QString& path) {
    m_workbench->session.openModel(path);
}

void MainWindow::showStatus() {
    const auto& model = m_workbench->session.model();
    if (!model) {
        m_status->setTexts({tr("No model open")});
        return;
    }
    const auto parameters = static_cast<qint64>(std::as_const(*model->network).parameters().count());
    QStringList facts{m_workbench->session.modelName()};
    const std::optional<long> steps = model->training.steps();
    // A model of a run bears its step in its name.
    if (steps && !m_workbench->session.modelKey().startsWith(QLatin1String("run:")))
        facts << tr("step %1").arg(formatCount(*steps));
    facts << tr("%1 parameters").arg(formatCount(parameters));
    m_status->setFacts(facts);
    // The tabs give way, not the model's name; one of a stranger's file may be any length.
    constexpr int kMostForName = 240;
    const double name = paint::textWidth(facts.front(), m_status->font());
    m_status->setMinimumWidth(std::min(kMostForName, static_cast<int>(std::ceil(name)) + 1));
}

QString MainWindow::statusText() const {
    return m_status->whole();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    constexpr int kRoomForLabels = 1200, kRoomForSearch = 1400;
    m_present->setIconAlone(width() < kRoomForLabels);
    static_cast<SearchButton*>(m_search)->setIconAlone(width() < kRoomForSearch);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool link = event->mimeData()->text().startsWith(QLatin1String("headlight:"));
    const bool kept = qobject_cast<const KeptModelDrag*>(event->mimeData()) != nullptr;
    const bool file = urls.size() == 1 && urls.first().isLocalFile();
    if (link || kept || file || !twoTexts(urls).isEmpty()) event->acceptProposedAction();
}

/// Where a kept model is held above the rail, Compare opens under the reader's hand.
void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
    if (!qobject_cast<const KeptModelDrag*>(event->mimeData())) return QMainWindow::dragMoveEvent(event);
    const Room* const compare = &m_rooms->roomOf(ViewName::Compare);
    const auto room = std::ranges::find(m_rooms->all(), compare) - m_rooms->all().begin();
    const RailButton* const button = m_rail[static_cast<size_t>(room)];
    const QRect area(button->mapTo(this, QPoint()), button->size());
    if (area.contains(event->position().toPoint()) && &m_rooms->current() != compare) goToRoom(static_cast<int>(room));
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    if (qobject_cast<const KeptModelDrag*>(event->mimeData())) return event->ignore();  // nobody took it
    event->acceptProposedAction();
    const QList<QUrl> urls = event->mimeData()->urls();
    if (const QStringList texts = twoTexts(urls); !texts.isEmpty()) return openSentences(texts);
    open(urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : event->mimeData()->text());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    for (Room* room : m_rooms->all()) {
        if (m_leaves || !room->hasUnsavedWork()) continue;
        event->ignore();
        return room->leave([this, restarts = std::exchange(m_restarts, false)] {
            m_leaves = true;
            m_restarts = restarts;
            close();
        });
    }
    rememberStage();
    QSettings().setValue(QStringLiteral("window/geometry"), saveGeometry());
    event->accept();
    if (m_restarts) QApplication::exit(kRestart);
}

}  // namespace headlight

#include "moc_main_window.cpp"

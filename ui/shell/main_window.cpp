// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QProgressDialog>
#include <QSettings>
#include <QShortcut>
#include <QVBoxLayout>

#include "core/error.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/session/format/number_format.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/lesson_desk.h"
#include "ui/shell/notice.h"
#include "ui/shell/presenter.h"
#include "ui/shell/rooms.h"
#include "ui/shell/train_room.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"

namespace headlight {

namespace {

constexpr int railWidth = 64;
constexpr int headerHeight = 48;
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

}  // namespace

MainWindow::MainWindow(ThemeManager& theme, QWidget* parent)
    : QMainWindow(parent), m_workbench(std::make_unique<Workbench>(theme)), m_stack(new QStackedWidget(this)) {
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
    m_notice = new Notice(centre);
    rows->addWidget(m_notice);
    m_desk = new LessonDesk(*this);
    rows->addWidget(m_desk->playBar());
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(m_desk->panel());
    below->addWidget(m_stack, 1);
    rows->addLayout(below, 1);
    setCentralWidget(centre);
    for (const Room& room : rooms())
        m_stack->addWidget(room.make(*m_workbench, m_stack));
    m_stack->setMinimumSize(smallestStage);
    m_desk->setRooms(m_stack);
    connect(m_desk, &LessonDesk::placeChanged, this, &MainWindow::showPlace);

    connect(m_workbench.get(), &Workbench::roomRequested, this, [this](const QString& id) { showRoom(id); });
    Session& session = m_workbench->session;
    connect(&session, &Session::modelOpened, this, [this] { m_notice->say({}); });
    connect(&session, &Session::modelOpened, this, &MainWindow::showStatus);
    connect(&session, &Session::failed, m_notice, &Notice::say);
    connect(&session, &Session::readingChanged, this, [this] { m_notice->say({}); });
    connect(&session, &Session::loadingStarted, this,
            [this](const QString& path) { m_status->setText(tr("Opening %1").arg(QFileInfo(path).fileName())); });
    connect(&session, &Session::failed, this, &MainWindow::showStatus);
    addStepKeys();
    showRoom(QString::fromLatin1(rooms().front().id));
    showStatus();
    m_restoredSize = restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
}

MainWindow::~MainWindow() {
    // The presenter and the rooms hold references to the workbench: they go first.
    delete m_presenter;
    delete takeCentralWidget();
}

QWidget* MainWindow::makeRail() {
    auto* rail = new Panel(Qt::RightEdge, this);
    rail->setFixedWidth(railWidth);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(0, 0, 0, 12);
    column->setSpacing(0);
    column->addWidget(new Mark(rail));
    column->addSpacing(16);
    int number = 0;
    for (const Room& room : rooms()) {
        auto* button = new RailButton(room.icon, room.label, rail);
        const QString id = QString::fromLatin1(room.id);
        const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++));
        button->setCheckable(true);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(room.hint, keys.toString(QKeySequence::NativeText)));
        const auto go = [this, id] { id == QLatin1String("learn") ? m_desk->leave() : showRoom(id); };
        connect(button, &RailButton::clicked, this, go);
        connect(new QShortcut(keys, this), &QShortcut::activated, this, go);
        column->addWidget(button, 0, Qt::AlignHCenter);
        column->addSpacing(8);
        m_rail.push_back(button);
    }
    column->addStretch();
    auto* gear = new Button(Button::Kind::Plain, {}, Icon::Gear, rail);
    gear->setAccessibleName(tr("Menu"));
    gear->setToolTip(tr("Open, export, theme"));
    QMenu* menu = makeMenu();
    connect(gear, &Button::clicked, this, [gear, menu] {
        menu->popup(gear->mapToGlobal(QPoint(gear->width() + 4, gear->height() - menu->sizeHint().height())));
    });
    column->addWidget(gear, 0, Qt::AlignHCenter);
    return rail;
}

/// A lesson that is open is where the reader is, whatever room it shows.
void MainWindow::showPlace() {
    const int room = m_stack->currentIndex();
    const bool learns = m_desk->isBesideTheStage();
    for (size_t i = 0; i < m_rail.size(); ++i)
        m_rail[i]->setChecked(learns ? QLatin1String(rooms()[i].id) == QLatin1String("learn")
                                     : static_cast<int>(i) == room);
    m_title->setText(learns ? QString::fromStdString(m_workbench->player.lesson().title)
                            : rooms()[static_cast<size_t>(room)].label);
}

QWidget* MainWindow::makeHeader() {
    auto* header = new Panel(Qt::BottomEdge, this);
    header->setFixedHeight(headerHeight);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(24, 0, 16, 0);
    row->setSpacing(8);
    m_title = new Caption({}, 15, QFont::DemiBold, Caption::Tone::Main, header);
    m_status = new Caption({}, 12, QFont::Medium, Caption::Tone::Secondary, header);
    m_tabs = new SegmentedControl({}, header);
    m_tabs->setAccessibleName(tr("Views of this room"));
    connect(m_tabs, &SegmentedControl::currentChanged, this, [this](int index) {
        if (auto* tabs = dynamic_cast<Tabs*>(m_stack->currentWidget())) tabs->showTab(index);
    });
    row->addWidget(m_title);
    row->addSpacing(8);
    row->addWidget(m_tabs);
    row->addStretch();
    row->addWidget(m_status);
    row->addSpacing(8);
    auto* presenter = new Button(Button::Kind::Ghost, tr("Present"), Icon::Present, header);
    presenter->setHeight(28);
    presenter->setToolTip(tr("On the projector (F5)"));
    connect(presenter, &Button::clicked, this, &MainWindow::present);
    row->addWidget(presenter);
    row->addSpacing(4);
    auto* theme = new Button(Button::Kind::Plain, {}, Icon::Moon, header);
    theme->setAccessibleName(tr("Light or dark"));
    theme->setToolTip(tr("Light or dark (Ctrl+Shift+D)"));
    connect(theme, &Button::clicked, &m_workbench->theme, &ThemeManager::toggle);
    auto* help = new Button(Button::Kind::Plain, {}, Icon::Help, header);
    help->setAccessibleName(tr("Keyboard"));
    help->setToolTip(tr("Keyboard (F1)"));
    connect(help, &Button::clicked, this, &MainWindow::showShortcuts);
    row->addWidget(theme);
    row->addWidget(help);
    return header;
}

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

Presenter* MainWindow::present() {
    if (!m_presenter) {
        m_presenter = new Presenter(*this);
        m_presenter->resize(size());
        m_presenter->showFullScreen();
    }
    m_presenter->activateWindow();
    m_presenter->setFocus();
    return m_presenter;
}

void MainWindow::showRoom(const QString& id, const QString& tab) {
    for (size_t i = 0; i < rooms().size(); ++i) {
        if (QLatin1String(rooms()[i].id) != id) continue;
        m_stack->setCurrentIndex(static_cast<int>(i));
        auto* tabs = dynamic_cast<Tabs*>(m_stack->currentWidget());
        m_tabs->setVisible(tabs != nullptr);
        if (!tabs) continue;
        if (!tab.isEmpty()) tabs->showTabNamed(tab);
        m_tabs->setItems(tabs->tabs());
        m_tabs->setCurrentIndex(tabs->currentTab());
    }
    showPlace();
}

bool MainWindow::isShowing(const QString& id, const QString& tab) const {
    if (m_stack->currentWidget() != room(id)) return false;
    const auto* tabs = dynamic_cast<const Tabs*>(m_stack->currentWidget());
    return tab.isEmpty() || !tabs || tabs->tabs()[tabs->currentTab()].compare(tab, Qt::CaseInsensitive) == 0;
}

QWidget* MainWindow::room(const QString& id) const {
    for (size_t i = 0; i < rooms().size(); ++i)
        if (QLatin1String(rooms()[i].id) == id) return m_stack->widget(static_cast<int>(i));
    return nullptr;
}

bool MainWindow::open(const QString& path) {
    const QFileInfo file(path);
    const bool lessons = file.isDir() || file.suffix() == QLatin1String("zip") || file.suffix() == QLatin1String("md");
    lessons ? openLessons(file.absoluteFilePath()) : openModel(file.absoluteFilePath());
    return lessons;
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

Stage& MainWindow::stage() const {
    return m_desk->stage();
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
        m_status->setText(tr("No model open"));
        return;
    }
    const auto parameters = static_cast<qint64>(std::as_const(*model->network).parameters().count());
    QStringList parts{m_workbench->session.modelName()};
    if (const std::optional<long> steps = model->training.steps()) parts << tr("step %1").arg(formatCount(*steps));
    parts << tr("%1 parameters").arg(formatCount(parameters));
    m_status->setText(parts.join(QStringLiteral("  ·  ")));
}

void MainWindow::askForModel() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a model"), {}, tr("Models (*.safetensors);;All files (*)"));
    if (!path.isEmpty()) openModel(path);
}

QWidget& MainWindow::currentView() const {
    const auto* viewer = dynamic_cast<const Viewer*>(m_stack->currentWidget());
    return viewer ? *viewer->currentView() : *m_stack->currentWidget();
}

void MainWindow::exportCurrentRoom() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the figure"), QStringLiteral("figure.svg"),
                                                      tr("Figures (*.svg *.pdf *.png)"));
    if (path.isEmpty()) return;
    try {
        exportFigure(currentView(), path);
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
        headlight::exportSteps(currentView(), cursor, path, [&](int position) {
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

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    open(event->mimeData()->urls().first().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    auto* train = qobject_cast<TrainRoom*>(room(QStringLiteral("train")));
    if (!m_leaves && train->hasUnsavedWork()) {
        event->ignore();
        return train->leave([this] {
            m_leaves = true;
            close();
        });
    }
    QSettings().setValue(QStringLiteral("window/geometry"), saveGeometry());
    event->accept();
}

}  // namespace headlight

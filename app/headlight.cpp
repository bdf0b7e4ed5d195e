// SPDX-License-Identifier: GPL-3.0-or-later
// headlight: the window, and pictures of its views without one.
#include <QApplication>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUrl>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "app/blas_environment.h"
#include "app/get_model.h"
#include "app/option_pages.h"
#include "core/error.h"
#include "ui/fetch/first_start.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/interface_size.h"
#include "ui/shell/main_window.h"
#include "ui/shell/render.h"
#include "ui/shell/settings_page.h"

namespace {

constexpr int failed = 1;
constexpr int wrongUsage = 2;
const QString kThemeKey = QStringLiteral("window/theme");

struct Arguments {
    std::string file, get, course, state, picture, model, size, theme, out;
    std::optional<std::string> source;
    std::vector<std::string> options;
    bool newWindow = false;
};

void addOptions(CLI::App& app, Arguments& arguments) {
    app.set_version_flag("--version", "headlight " HEADLIGHT_VERSION);
    app.add_option("file", arguments.file,
                   "A model (a file, a folder, or its name: a shipped one's, or one in Hugging Face's cache, as gpt2), "
                   "sentences to learn from, a folder or file of lessons, or a headlight: link to open")
        ->option_text("MODEL|TEXT|LESSONS|LINK");
    app.add_flag("--new-window", arguments.newWindow,
                 "Open what is named in a window of its own, not in the one that is open already");
    app.add_option("--get", arguments.get,
                   "Bring a model from Hugging Face's hub to this computer, without a window: OWNER/NAME, or "
                   "OWNER/NAME@REVISION")
        ->option_text("MODEL");
    app.add_option("--course", arguments.course, "An instructor's course to open: see lessons/AUTHORING.md")
        ->option_text("FILE.yaml");
    app.add_option("--state", arguments.state, "What the stage is to show, as Copy link gives it")
        ->option_text("headlight:…");
    app.add_option("--render", arguments.picture,
                   "Write a picture instead of opening a window: a view, window, presenter, handout or web-page")
        ->option_text("PICTURE");
    app.add_option("--model", arguments.model,
                   "The model to draw, a file or a name; without it the one that ships with Headlight")
        ->option_text("MODEL");
    app.add_option("--source", arguments.source, "The sentence to draw")->option_text("TEXT");
    app.add_option("--option", arguments.options, "A detail of the stage, named as in lessons and links")
        ->option_text("k=v…");
    app.add_option("--size", arguments.size, "Size of the picture")->option_text("WxH");
    app.add_option("--theme", arguments.theme, "Colours")
        ->check(CLI::IsMember({"light", "dark", "high-contrast"}))
        ->option_text("light|dark|high-contrast");
    app.add_option("--out", arguments.out, "Where to write: .png, .svg or .pdf")->option_text("FILE");
}

headlight::RenderRequest requestFrom(const Arguments& arguments) {
    headlight::RenderRequest request;
    request.picture = QString::fromStdString(arguments.picture);
    request.link = QString::fromStdString(arguments.state);
    request.model = QString::fromStdString(arguments.model);
    if (arguments.source) request.source = QString::fromStdString(*arguments.source);
    request.out = QString::fromStdString(arguments.out);
    if (request.out.isEmpty()) throw headlight::Error("say where to write the picture with --out FILE");
    for (const std::string& option : arguments.options)
        request.addOption(QString::fromStdString(option));
    if (!arguments.size.empty()) request.setSize(QString::fromStdString(arguments.size));
    return request;
}

/// The platform without a display warns of what it cannot do; a picture needs none of it.
void quietWarnings(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::cerr << message.toStdString() << "\n";
}

int complain(const std::string& what, int status) {
    std::cerr << "headlight: error: " << what << "\n";
    return status;
}

int openWindow(headlight::ThemeManager& theme, const Arguments& arguments) {
    const QString home = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QString asked = QString::fromStdString(arguments.state.empty() ? arguments.file : arguments.state);
    // A desktop that starts the program with a file names it by its address.
    if (const QUrl address(asked); address.isLocalFile()) asked = address.toLocalFile();
    // Whoever names nothing wants a window.
    if (!asked.isEmpty() && arguments.course.empty() && !arguments.newWindow &&
        headlight::FirstStart::handOver(home, asked)) {
        std::cout << "headlight: opened in the window that is open already; --new-window opens another\n";
        return 0;
    }
    headlight::SettingsPage::applyKept(theme);
    headlight::MainWindow window(theme);
    QObject::connect(&theme, &headlight::ThemeManager::changed,
                     [&theme] { QSettings().setValue(kThemeKey, static_cast<int>(theme.mode())); });
    window.keepIn(home);
    const headlight::FirstStart first(home);
    QObject::connect(&first, &headlight::FirstStart::asked, &window, [&window](const QString& what) {
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.raise();
        window.activateWindow();
        window.open(what);
    });
    window.show();
    if (asked.isEmpty() && arguments.course.empty() && window.restoreStage()) return QApplication::exec();
    // Lessons, and what the reader asks for, stand on the model that the program begins with.
    if (const QString model = headlight::firstModel(); !model.isEmpty()) window.openModel(model);
    if (!asked.isEmpty()) window.open(asked);
    if (!arguments.course.empty()) window.openLessons(QString::fromStdString(arguments.course));
    return QApplication::exec();
}

int run(int argc, char** argv) {
    headlight::useBestBlasKernels(argv);
    CLI::App cli("Headlight shows what every attention head is looking at, and why.", "headlight");
    Arguments arguments;
    addOptions(cli, arguments);
    headlight::addPages(cli);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return cli.exit(error);
        return complain(std::string(error.what()) + ": see headlight --help", wrongUsage);
    }
    if (!arguments.get.empty()) {
        const QCoreApplication application(argc, argv);
        return headlight::getModel(arguments.get);
    }
    // A picture needs no display.
    if (!arguments.picture.empty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(quietWarnings);
    }
    QCoreApplication::setApplicationName(QStringLiteral("Headlight"));
    QCoreApplication::setOrganizationName(QStringLiteral("Headlight"));
    // A picture has the size that it is asked in.
    auto size = arguments.picture.empty() ? std::make_unique<headlight::InterfaceSize::ForQt>() : nullptr;
    QApplication application(argc, argv);
    size.reset();
    QGuiApplication::setDesktopFileName(QStringLiteral("headlight"));
    QApplication::setApplicationVersion(QStringLiteral(HEADLIGHT_VERSION));
    // A picture leaves no trace in what is kept between starts, and none of that shows in it.
    const QTemporaryDir unkept;
    if (!arguments.picture.empty()) QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, unkept.path());
    headlight::ThemeManager theme(&application);
    using Mode = headlight::ThemeManager::Mode;
    if (!arguments.theme.empty())
        theme.setMode(arguments.theme == "high-contrast" ? Mode::HighContrast
                      : arguments.theme == "dark"        ? Mode::Dark
                                                         : Mode::Light);
    else if (!arguments.picture.empty())
        theme.setMode(Mode::Light);
    else
        theme.setMode(static_cast<Mode>(std::clamp(QSettings().value(kThemeKey, int(Mode::System)).toInt(), 0, 3)));
    if (arguments.picture.empty()) {
        const int status = openWindow(theme, arguments);
        if (status != headlight::MainWindow::kRestart) return status;
        return QProcess::startDetached(QCoreApplication::applicationFilePath(), {}) ? 0 : failed;
    }
    headlight::render(requestFrom(arguments), theme);
    return 0;
}

}  // namespace

// All of the program stands in the try: of an exception that leaves main() nobody would be told.
int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const headlight::Error& error) {
        return complain(error.what(), failed);
    } catch (const std::bad_alloc&) {
        return complain("there is not enough memory: close other programs, or open a smaller model", failed);
    } catch (const std::exception& error) {
        return complain(std::string("something went wrong inside: ") + error.what(), failed);
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// headlight: the window, and pictures of its views without one.
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <iostream>

#include <CLI/CLI.hpp>

#include "app/blas_environment.h"
#include "core/error.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/main_window.h"
#include "ui/shell/render.h"

namespace {

constexpr int failed = 1;
constexpr int wrongUsage = 2;

struct Arguments {
    std::string file, view, model, source, size, theme, out;
    std::vector<std::string> options;
};

void addOptions(CLI::App& app, Arguments& arguments) {
    app.set_version_flag("--version", "headlight " HEADLIGHT_VERSION);
    app.add_option("file", arguments.file, "A model to open")->option_text("MODEL.safetensors");
    app.add_option("--render", arguments.view, "Write a picture of a view instead of opening a window")
        ->option_text("VIEW");
    app.add_option("--model", arguments.model, "The model to draw; without it the one that ships with Headlight")
        ->option_text("MODEL");
    app.add_option("--source", arguments.source, "The sentence to draw")->option_text("TEXT");
    app.add_option("--option", arguments.options, "A detail of the view")->option_text("k=v…");
    app.add_option("--size", arguments.size, "Size of the picture")->option_text("WxH");
    app.add_option("--theme", arguments.theme, "Colours")
        ->check(CLI::IsMember({"light", "dark"}))
        ->option_text("light|dark");
    app.add_option("--out", arguments.out, "Where to write: .png, .svg or .pdf")->option_text("FILE");
}

headlight::RenderRequest requestFrom(const Arguments& arguments) {
    headlight::RenderRequest request;
    request.view = QString::fromStdString(arguments.view);
    request.model = arguments.model.empty() ? headlight::firstModel() : QString::fromStdString(arguments.model);
    request.source = QString::fromStdString(arguments.source);
    request.out = QString::fromStdString(arguments.out);
    if (request.out.isEmpty()) throw headlight::Error("say where to write the picture with --out FILE");
    for (const std::string& option : arguments.options) {
        const QString text = QString::fromStdString(option);
        const qsizetype at = text.indexOf('=');
        if (at < 1) throw headlight::Error("--option " + option + ": write it as key=value");
        request.options[text.left(at)] = text.mid(at + 1);
    }
    if (!arguments.size.empty()) {
        const QStringList parts = QString::fromStdString(arguments.size).split('x');
        if (parts.size() != 2) throw headlight::Error("--size " + arguments.size + ": write it as 1280x800");
        request.size = {parts[0].toInt(), parts[1].toInt()};
    }
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
    headlight::MainWindow window(theme);
    if (!window.restoredSize()) window.resize(1440, 900);
    const QString file = QString::fromStdString(arguments.file);
    window.show();
    // Lessons are opened beside the model that the program begins with.
    const bool ownModel = !file.isEmpty() && !window.open(file);
    if (ownModel)
        window.showRoom(QStringLiteral("explore"));
    else if (const QString model = headlight::firstModel(); !model.isEmpty())
        window.openModel(model);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    headlight::useBestBlasKernels(argv);
    CLI::App cli("Headlight shows what every attention head is looking at, and why.", "headlight");
    Arguments arguments;
    addOptions(cli, arguments);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return cli.exit(error);
        return complain(std::string(error.what()) + ": see headlight --help", wrongUsage);
    }
    // A picture needs no display.
    if (!arguments.view.empty()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(quietWarnings);
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Headlight"));
    QApplication::setOrganizationName(QStringLiteral("Headlight"));
    QApplication::setApplicationVersion(QStringLiteral(HEADLIGHT_VERSION));
    // A picture leaves no trace in what is kept between starts, and none of that shows in it.
    const QTemporaryDir unkept;
    if (!arguments.view.empty()) QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, unkept.path());
    headlight::ThemeManager theme(&application);
    using Mode = headlight::ThemeManager::Mode;
    if (!arguments.theme.empty())
        theme.setMode(arguments.theme == "dark" ? Mode::Dark : Mode::Light);
    else if (!arguments.view.empty())
        theme.setMode(Mode::Light);
    try {
        if (arguments.view.empty()) return openWindow(theme, arguments);
        headlight::render(requestFrom(arguments), theme);
        return 0;
    } catch (const headlight::Error& error) {
        return complain(error.what(), failed);
    } catch (const std::bad_alloc&) {
        return complain("there is not enough memory: close other programs, or open a smaller model", failed);
    } catch (const std::exception& error) {
        return complain(std::string("something went wrong inside: ") + error.what(), failed);
    }
}

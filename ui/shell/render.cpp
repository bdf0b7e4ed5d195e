// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/render.h"

#include <QApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QLayout>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/lessons/stage_state.h"
#include "ui/lessons/lesson_library.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/handout.h"
#include "ui/shell/lesson_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/shell/reading_export.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"

namespace headlight {

namespace {

/// Pictures beside those of the views.
constexpr auto kWindow = "window", kPresenter = "presenter", kHandout = "handout", kWebPage = "web-page";
/// The options that the stage knows nothing of: a picture, or one for each step; and how much of the step is done.
constexpr auto kFrames = "frames", kPhase = "phase";

bool isView(const QString& picture) {
    const auto name = viewNamed(picture.toStdString());
    return name && *name != ViewName::Lessons;
}

Error wrongOption(const QString& key, const QString& value, const QString& why) {
    return Error("--option " + key.toStdString() + "=" + value.toStdString() + ": " + why.toStdString());
}

/// What the request starts from: a link, a step of a lesson, or a fresh stage.
StageState startOf(const RenderRequest& request, const LessonLibrary& lessons) {
    if (!request.link.isEmpty()) return stageFromLink(request.link.toStdString());
    const auto asked = [&](const char* key) { return request.options.value(QString::fromLatin1(key)); };
    if (asked("lesson").isEmpty()) return {};
    const Lesson* const lesson = lessons.find(asked("lesson"));
    if (!lesson) return {};  // told by show(), as of a link's
    const int last = std::max(1, static_cast<int>(lesson->steps.size()));
    return lesson->stateAt(static_cast<size_t>(std::clamp(asked("page").toInt(), 1, last) - 1));
}

/// Puts an option into the state. Throws Error for one that there is not, and for a value that is none of it.
void setOption(const QString& key, const QString& value, StageState& state) {
    const std::string name = presentKey(key.toStdString());
    const std::vector<std::string> known = stageKeyNames();
    if (std::ranges::find(known, name) == known.end()) {
        QStringList all;
        for (const std::string& each : known)
            all << QString::fromStdString(each);
        throw Error("--option " + key.toStdString() + " is not known: use frames, phase, " +
                    all.join(QStringLiteral(", ")).toStdString());
    }
    try {
        copyField(name, stageFrom({{name, value.toStdString()}}), state);
    } catch (const Error& error) {
        throw Error(std::string("--option ") + error.what());
    }
}

/// What the request asks of the stage. Throws Error for what no stage can show.
StageState stateOf(const RenderRequest& request, const LessonLibrary& lessons) {
    StageState state = startOf(request, lessons);
    for (const auto& [key, value] : request.options.asKeyValueRange())
        if (key != QLatin1String(kFrames) && key != QLatin1String(kPhase)) setOption(key, value, state);
    if (isView(request.picture)) state.view = *viewNamed(request.picture.toStdString());
    if (!request.model.isEmpty()) state.model = QFileInfo(namedModel(request.model)).absoluteFilePath().toStdString();
    if (state.model.empty()) state.model = firstModel().toStdString();
    if (request.source) state.source = request.source->toStdString();
    // The curve is what this page is for; in a lesson it is the reader who measures.
    if (state.view == ViewName::Recurrent && state.side == StageSide::Length && state.recurrent.measured.empty() &&
        state.lesson.empty())
        state.recurrent.measured = {modelKeyOf(QString::fromStdString(state.model)).toStdString()};
    return state;
}

/// What was asked for and is not there: the stage shows the nearest, a picture says it.
void checkShown(const RenderRequest& request, const StageState& wanted, const Workbench& workbench) {
    const auto given = [&](const char* key) {
        const auto options = request.options.keys();
        return std::ranges::any_of(options, [&](const QString& each) { return presentKey(each.toStdString()) == key; });
    };
    if (!workbench.session.model()) throw Error("there is no model to draw: name one with --model FILE");
    const Model& model = *workbench.session.model()->network;
    const auto& reading = workbench.session.reading();
    const auto wrong = [](const char* key, const std::string& value, const QString& why) {
        return wrongOption(QString::fromLatin1(key), QString::fromStdString(value), why);
    };
    const bool traced = reading && reading->trace->find(wanted.focus);
    if (given("focus") && wanted.view != ViewName::QueryKeyValue && !traced)
        throw wrong("focus", wanted.focus, QStringLiteral("the trace has no such value"));
    const std::vector<std::string> blocks = model.attentionBlocks();
    if (given("block") && std::ranges::find(blocks, wanted.block) == blocks.end())
        throw wrong("block", wanted.block, QStringLiteral("the model has no such attention block"));
    if (given("head") && wanted.head > model.attentionHeads())
        throw wrong("head", std::to_string(wanted.head),
                    QStringLiteral("the model has %1 heads").arg(model.attentionHeads()));
    const bool isLesson = request.picture == QLatin1String(kHandout) ||
                          (request.picture == QLatin1String(kWebPage) && !wanted.lesson.empty());
    if (!reading && !isLesson && request.picture != QLatin1String(kWindow))
        throw Error("say what to read with --source: " +
                    std::string(request.source ? "a blank sentence is none" : "the model has no sentence of its own"));
}

/// Runs the event loop until the stage is what was applied last. Throws Error where it cannot be.
void settle(Stage& stage) {
    QEventLoop loop;
    QString failure;
    QObject::connect(&stage, &Stage::settled, &loop, [&](Settling::Revision revision) {
        if (revision == stage.revision()) loop.quit();
    });
    QObject::connect(&stage, &Stage::failed, &loop, [&](Settling::Revision, const QString& why) {
        failure = why;
        loop.quit();
    });
    if (!stage.isSettled()) loop.exec();
    if (!failure.isEmpty()) throw Error(failure.toStdString());
}

/// The state, beside the lesson that it names.
void show(const RenderRequest& request, const StageState& state, MainWindow& window) {
    LessonPlayer& player = window.workbench().player;
    if (const QString lesson = QString::fromStdString(state.lesson); !lesson.isEmpty()) {
        if (!window.workbench().lessons.find(lesson))
            throw wrongOption(QStringLiteral("lesson"), lesson, QStringLiteral("there is no such lesson"));
        player.open(lesson);
        player.goTo(std::max(0, state.page - 1));
    }
    window.stage().apply(state);
    settle(window.stage());
    checkShown(request, state, window.workbench());
}

/// Lets something go through the lesson that is open, to its end. Throws Error where it fails.
template <class Writer>
void goThrough(Writer* writer) {
    QEventLoop loop;
    QString failure;
    QObject::connect(writer, &Writer::failed, &loop, [&](const QString& message) { failure = message; });
    QObject::connect(writer, &Writer::finished, &loop, &QEventLoop::quit);
    writer->start();
    loop.exec();
    if (!failure.isEmpty()) throw Error(failure.toStdString());
}

/// view=handout: a whole lesson on paper.
void printLesson(const RenderRequest& request, MainWindow& window) {
    LessonPlayer& player = window.workbench().player;
    if (!player.isOpen()) throw Error("say which lesson is to be printed with --option lesson=SLUG");
    if (!request.out.endsWith(QLatin1String(".pdf"))) throw Error("a handout is a PDF: name a file that ends in .pdf");
    goThrough(new Handout(player, window.stage(), window.rooms(), request.out));
}

/// view=web-page: the reading, or where there is one the lesson, as one HTML file.
void writeWebPage(const RenderRequest& request, MainWindow& window) {
    if (window.workbench().player.isOpen())
        return goThrough(new LessonExport(window.workbench(), window.stage(), window.rooms(), request.out));
    readingWriter(window.workbench(), window.stage().state(), request.out)();
}

/// What is drawn: the window, a part of it, or what follows it.
struct Drawing {
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<Presenter> presenter;
    std::unique_ptr<QWidget> view;  ///< taken out of the window
    QWidget* part = nullptr;
};

Drawing makeDrawing(const RenderRequest& request, ThemeManager& theme) {
    Drawing drawing;
    drawing.window = std::make_unique<MainWindow>(theme);
    MainWindow& window = *drawing.window;
    StageState state = stateOf(request, window.workbench().lessons);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(request.size);
    window.rooms().showView(state.view);  // before the window appears: nothing else is asked for on the way
    window.show();
    const bool presents = request.picture == QLatin1String(kPresenter);
    const int page = std::exchange(state.page, presents && state.lesson.empty() ? 0 : state.page);
    show(request, state, window);
    drawing.part = &window;
    if (presents) {
        const bool dark = theme.current().isDark;
        drawing.presenter = std::make_unique<Presenter>(window.workbench(), window.rooms());
        drawing.presenter->setAttribute(Qt::WA_DontShowOnScreen);
        drawing.presenter->setDark(dark);
        if (page > 0) drawing.presenter->showPage(page - 1);
        drawing.presenter->resize(request.size);
        drawing.part = drawing.presenter.get();
        // The page's view may compute something only now; what it needs room for is laid out after that.
        for (int round = 0; round < 4; ++round) {
            QApplication::processEvents();
            settle(window.stage());
            drawing.presenter->follow();
        }
    } else if (isView(request.picture)) {
        // On its own it can have any size.
        drawing.part = window.rooms().current().viewWidget();
        drawing.view.reset(drawing.part);
        drawing.part->setParent(nullptr);
        if (drawing.part->layout()) drawing.part->layout()->setSizeConstraint(QLayout::SetNoConstraint);
        drawing.part->setAttribute(Qt::WA_DontShowOnScreen);
        drawing.part->resize(request.size);
        drawing.part->show();
    }
    for (int round = 0; round < 4; ++round)
        QApplication::processEvents();  // lays out; scroll areas settle in rounds; nothing appears
    return drawing;
}

/// The part of a step that a picture is to show, 0 … 1.
std::optional<double> phaseOf(const RenderRequest& request) {
    const QString key = QString::fromLatin1(kPhase);
    if (!request.options.contains(key)) return std::nullopt;
    bool isNumber = false;
    const double phase = request.options.value(key).toDouble(&isNumber);
    if (!isNumber || !(phase >= 0 && phase <= 1))
        throw wrongOption(key, request.options.value(key), QStringLiteral("use a number from 0 to 1"));
    return phase;
}

/// In the middle of a step: what computes it is looked at, where nothing else was asked for.
void holdPlayheads(const RenderRequest& request, const Drawing& drawing, double phase) {
    StepCursor& cursor = drawing.window->workbench().cursor;
    const int step = stateOf(request, drawing.window->workbench().lessons).step;
    const auto hold = [&](Playhead& head) {
        const int operation = (step > 0 ? std::min(step, head.count()) : head.count()) - 1;
        if (!request.options.contains(QStringLiteral("focus"))) head.holdAt(operation);
        head.holdAt(operation + phase);
    };
    hold(cursor.head());
    for (Playhead* const head : drawing.part->findChildren<Playhead*>())
        hold(*head);
    for (int round = 0; round < 4; ++round)
        QApplication::processEvents();
}

QStringList names() {
    QStringList all;
    for (const char* view : viewWords())
        if (isView(QString::fromLatin1(view))) all << QString::fromLatin1(view);
    return all << QString::fromLatin1(kWindow) << QString::fromLatin1(kPresenter) << QString::fromLatin1(kHandout)
               << QString::fromLatin1(kWebPage);
}

}  // namespace

void RenderRequest::addOption(const QString& option) {
    const qsizetype at = option.indexOf(u'=');
    if (at < 1) throw Error("--option " + option.toStdString() + ": write it as key=value");
    options[option.left(at)] = option.mid(at + 1);
}

void RenderRequest::setSize(const QString& text) {
    const QStringList parts = text.split(u'x');
    if (parts.size() != 2) throw Error("--size " + text.toStdString() + ": write it as 1280x800");
    size = {parts[0].toInt(), parts[1].toInt()};
}

void render(const RenderRequest& request, ThemeManager& theme) {
    if (!isView(request.picture) && !names().contains(request.picture))
        throw Error("there is no picture \"" + request.picture.toStdString() + "\" to draw: use " +
                    names().join(QStringLiteral(", ")).toStdString());
    const QString frames = request.options.value(QString::fromLatin1(kFrames), QStringLiteral("none"));
    if (frames != QLatin1String("none") && frames != QLatin1String("steps"))
        throw wrongOption(QString::fromLatin1(kFrames), frames, QStringLiteral("use none, steps"));
    if (request.size.width() < 200 || request.size.height() < 200 || request.size.width() > 10000 ||
        request.size.height() > 10000)
        throw Error("--size must be between 200x200 and 10000x10000");
    const std::optional<double> phase = phaseOf(request);
    motion::setReduced(true);
    const Drawing drawing = makeDrawing(request, theme);
    if (phase) holdPlayheads(request, drawing, *phase);
    if (request.picture == QLatin1String(kHandout)) return printLesson(request, *drawing.window);
    if (request.picture == QLatin1String(kWebPage)) return writeWebPage(request, *drawing.window);
    if (frames == QLatin1String("steps"))
        exportSteps(*drawing.part, drawing.window->workbench().cursor, request.out);
    else
        exportFigure(*drawing.part, request.out);
}

}  // namespace headlight

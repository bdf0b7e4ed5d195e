// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/render.h"

#include <QApplication>
#include <QLayout>
#include <functional>
#include <memory>

#include "core/error.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/handout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/shell/rooms.h"
#include "ui/shell/stage.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/compare/compare_view.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/recurrent/recurrent_side.h"
#include "ui/views/recurrent/recurrent_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/motion.h"

namespace headlight {

namespace {

/// A view that can be drawn, and where the window has it. A new one is registered here.
struct DrawnView {
    const char* name;
    const char* room;
    const char* tab;
};
constexpr DrawnView kViews[] = {
    {"architecture", "explore", "Architecture"},
    {"attention", "explore", "Attention"},
    {"query-key-value", "explore", "Q K V"},
    {"masks", "explore", "Masks"},
    {"positions", "explore", "Positions"},
    {"recurrent", "explore", "Recurrent"},
    {"values", "explore", "Values"},
    {"training", "train", "Run"},
    {"training-settings", "train", "Settings"},
    {"weights", "train", "Weights"},
    {"sentences", "train", "Sentences"},
    {"runs", "train", "Runs"},
    {"decode", "decode", ""},
    {"compare", "compare", ""},
    {"models", "models", "Models"},
    {"cost", "models", "Cost"},
    {"embeddings", "models", "Embeddings"},
};
/// The whole window, and the presenter's pages.
constexpr auto kWindow = "window", kPresenter = "presenter", kHandout = "handout";

/// Every option, and what it says.
const QStringList kOptions = {"block", "cell",  "frames", "grain",   "kinds",    "head", "lesson",
                              "level", "mute",  "page",   "picture", "quantity", "room", "side",
                              "step",  "steps", "tab",    "value",   "with"};

Error wrongOption(const QString& key, const QString& value, const QString& why) {
    return Error("--option " + key.toStdString() + "=" + value.toStdString() + ": " + why.toStdString());
}

int positiveNumber(const QString& key, const QString& text) {
    bool ok = false;
    const int number = text.toInt(&ok);
    if (!ok || number < 1) throw wrongOption(key, text, QStringLiteral("give a number from 1 on"));
    return number;
}

/// The place of an option's word in a list of words; `otherwise` where it is not given.
int wordOf(const RenderRequest& request, const QString& key, const QStringList& words, int otherwise) {
    const auto at = request.options.find(key);
    if (at == request.options.end()) return otherwise;
    if (!words.contains(*at)) throw wrongOption(key, *at, QStringLiteral("use ") + words.join(QStringLiteral(", ")));
    return static_cast<int>(words.indexOf(*at));
}

/// Lets the program live until a condition holds; the work goes on on its own threads.
void waitUntil(const std::function<bool()>& condition) {
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

/// Trains in the window and stops after exactly so many steps.
void trainFor(Workbench& workbench, int steps) {
    TrainingRun& run = workbench.training;
    bool reached = false;
    QString failure;
    const int wish = run.trainTo(steps);
    QObject context;
    QObject::connect(&run, &TrainingRun::arrived, &context, [&](int, int of) { reached = reached || of == wish; });
    QObject::connect(&run, &TrainingRun::notReached, &context, [&](int, int of, const QString& why) {
        if (of == wish) failure = why;
    });
    waitUntil([&] { return reached || !failure.isEmpty(); });
    if (!failure.isEmpty()) throw wrongOption(QStringLiteral("steps"), QString::number(steps), failure);
}

/// Opens model and sentence, and waits until they are read.
void openAndRead(const RenderRequest& request, MainWindow& window) {
    Session& session = window.workbench().session;
    QString failure;
    QObject::connect(&session, &Session::failed, &window, [&](const QString& message) { failure = message; });
    window.openModel(request.model);
    waitUntil([&] { return !failure.isEmpty() || session.model(); });
    if (!request.source.isEmpty()) session.setSource(request.source);
    const QStringList muted = request.options.value(QStringLiteral("mute")).split(',', Qt::SkipEmptyParts);
    session.setMutedHeads(muted);
    const auto read = [&] {
        const auto& reading = session.reading();
        return reading && reading->source == session.source() && reading->muted.has_value() != muted.isEmpty();
    };
    if (!session.source().isEmpty()) waitUntil([&] { return !failure.isEmpty() || read(); });
    waitUntil([&] { return !failure.isEmpty() || session.isSettled(); });
    QObject::disconnect(&session, &Session::failed, &window, nullptr);
    if (!failure.isEmpty()) throw Error(failure.toStdString());
    if (session.source().isEmpty() && request.view != QLatin1String(kWindow))
        throw Error("say what to read with --source: the model has no sentence of its own");
}

/// block=decoder.layers.1.cross_attn, head=1…, cell=ROW,COLUMN (from 1), value=NAME of the trace, step=N of the
/// timeline, grain=layer|sublayer|operation of its steps.
void select(const RenderRequest& request, Workbench& workbench) {
    const Model& model = *workbench.session.model()->network;
    const auto& reading = workbench.session.reading();
    Selection& selection = workbench.selection;
    const auto given = [&](const char* key, const std::function<void(const QString&, const QString&)>& use) {
        const QString name = QString::fromLatin1(key);
        if (const auto at = request.options.find(name); at != request.options.end()) use(name, *at);
    };
    given("value", [&](const QString& key, const QString& value) {
        if (!reading || !reading->trace->find(value.toStdString()))
            throw wrongOption(key, value, QStringLiteral("the trace has no such value"));
        selection.setValue(value);
    });
    given("block", [&](const QString& key, const QString& value) {
        const std::vector<std::string> blocks = model.attentionBlocks();
        if (std::ranges::find(blocks, value.toStdString()) == blocks.end())
            throw wrongOption(key, value, QStringLiteral("the model has no such attention block"));
        selection.setBlock(value);
    });
    given("head", [&](const QString& key, const QString& value) {
        const int head = positiveNumber(key, value);
        if (head > model.attentionHeads())
            throw wrongOption(key, value, QStringLiteral("the model has %1 heads").arg(model.attentionHeads()));
        selection.setHead(head - 1);
    });
    given("cell", [&](const QString& key, const QString& value) {
        const QStringList parts = value.split(',');
        if (parts.size() != 2) throw wrongOption(key, value, QStringLiteral("give ROW,COLUMN"));
        const int row = positiveNumber(key, parts[0]) - 1, column = positiveNumber(key, parts[1]) - 1;
        selection.setCell({row, column});
        selection.setNumber({selection.head(), row, column});
    });
    workbench.cursor.setGrain(static_cast<StepCursor::Grain>(
        wordOf(request, QStringLiteral("grain"), {"layer", "sublayer", "operation"}, 2)));
    given("step", [&](const QString& key, const QString& value) {
        workbench.cursor.setPosition(positiveNumber(key, value) - 1);
    });
}

/// level=model|layer|block|operation of the architecture; quantity=weights|scores|rollout and picture=lines|heads|text
/// of the attention; side=alignment|gradient|length of the recurrent network; with=model|heads|positions|sentence of a
/// comparison; steps=N of a training run.
void setViews(const RenderRequest& request, MainWindow& window, const QString& room) {
    auto* explore = qobject_cast<ExploreRoom*>(window.room(QStringLiteral("explore")));
    explore->architecture()->stage()->setLevel(static_cast<ArchitectureLevel>(
        wordOf(request, QStringLiteral("level"), {"model", "layer", "block", "operation"}, 2)));
    AttentionStage& attention = *explore->attention()->stage();
    attention.showAs(wordOf(request, QStringLiteral("quantity"), {"weights", "scores", "rollout"}, 0),
                     wordOf(request, QStringLiteral("picture"), {"lines", "heads", "text"}, 0));
    explore->queryKeyValue()->showKinds(wordOf(request, QStringLiteral("kinds"), {"off", "on"}, 0) == 1);
    RecurrentSide& side = *explore->recurrent()->side();
    side.showPage(static_cast<RecurrentSide::Page>(
        wordOf(request, QStringLiteral("side"), {"alignment", "gradient", "length"}, 0)));
    if (request.options.value(QStringLiteral("side")) == QLatin1String("length")) {
        side.measureButton()->click();
        waitUntil([&] { return !side.curves().isMeasuring(); });
    }
    if (auto* compare = qobject_cast<CompareRoom*>(window.room(room))) {
        const int with = wordOf(request, QStringLiteral("with"), {"model", "heads", "positions", "sentence"}, 0);
        compare->view()->chooseKind(static_cast<Comparison::Kind>(with));
        waitUntil([&] { return compare->comparison().isReady(); });
    }
    Workbench& workbench = window.workbench();
    if (room == QLatin1String("decode") && workbench.session.model()->network->config().encoderDecoder())
        waitUntil([&] { return workbench.decoding.result() != nullptr; });
    if (const QString steps = request.options.value(QStringLiteral("steps")); !steps.isEmpty())
        trainFor(workbench, positiveNumber(QStringLiteral("steps"), steps));
}

/// lesson=SLUG and page=N: a step of a lesson, with the stage as it asks for it.
void showLesson(const RenderRequest& request, MainWindow& window, const QString& slug) {
    LessonPlayer& player = window.workbench().player;
    if (!window.workbench().lessons.find(slug))
        throw wrongOption(QStringLiteral("lesson"), slug, QStringLiteral("there is no such lesson"));
    player.open(slug);
    if (const QString page = request.options.value(QStringLiteral("page")); !page.isEmpty())
        player.goTo(positiveNumber(QStringLiteral("page"), page) - 1);
    waitUntil([&] { return window.stage().isShown(); });
    Workbench& workbench = window.workbench();
    if (window.isShowing(QStringLiteral("decode")) && workbench.session.model()->network->config().encoderDecoder())
        waitUntil([&] { return workbench.decoding.result() != nullptr; });
}

/// view=handout: a whole lesson on paper.
void printLesson(const RenderRequest& request, MainWindow& window) {
    if (!window.workbench().player.isOpen()) throw Error("say which lesson is to be printed with --option lesson=SLUG");
    if (!request.out.endsWith(QLatin1String(".pdf"))) throw Error("a handout is a PDF: name a file that ends in .pdf");
    auto* handout = new Handout(window, request.out);
    QString failure;
    bool done = false;
    QObject::connect(handout, &Handout::failed, &window, [&](const QString& message) { failure = message; });
    QObject::connect(handout, &Handout::finished, &window, [&] { done = true; });
    handout->start();
    waitUntil([&] { return done; });
    if (!failure.isEmpty()) throw Error(failure.toStdString());
}

/// What is drawn: the window, a part of it, or what follows it.
struct Drawing {
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<Presenter> presenter;
    std::unique_ptr<QWidget> view;  ///< taken out of the window
    QWidget* part = nullptr;
};

Drawing makeDrawing(const RenderRequest& request, ThemeManager& theme) {
    const auto* const view =
        std::ranges::find_if(kViews, [&](const DrawnView& each) { return request.view == QLatin1String(each.name); });
    const bool isView = view != std::end(kViews);
    Drawing drawing;
    drawing.window = std::make_unique<MainWindow>(theme);
    MainWindow& window = *drawing.window;
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(request.size);
    window.show();
    openAndRead(request, window);
    const QString room = isView ? QString::fromLatin1(view->room)
                                : request.options.value(QStringLiteral("room"), QStringLiteral("explore"));
    if (!window.room(room))
        throw wrongOption(QStringLiteral("room"), room, QStringLiteral("the window has no such room"));
    const QString tab = isView ? QString::fromLatin1(view->tab) : request.options.value(QStringLiteral("tab"));
    window.showRoom(room, tab);
    if (!tab.isEmpty() && (!dynamic_cast<Tabs*>(window.room(room)) || !window.isShowing(room, tab)))
        throw wrongOption(QStringLiteral("tab"), tab, QStringLiteral("the room has no such view"));
    if (const QString lesson = request.options.value(QStringLiteral("lesson")); !lesson.isEmpty()) {
        showLesson(request, window, lesson);
    } else {
        select(request, window.workbench());
        setViews(request, window, room);
    }
    drawing.part = &window;
    if (request.view == QLatin1String(kPresenter)) {
        drawing.presenter = std::make_unique<Presenter>(window);
        drawing.presenter->setAttribute(Qt::WA_DontShowOnScreen);
        drawing.presenter->setDark(theme.current().isDark);
        if (const QString page = request.options.value(QStringLiteral("page")); !page.isEmpty())
            drawing.presenter->showPage(positiveNumber(QStringLiteral("page"), page) - 1);
        drawing.presenter->resize(request.size);
        drawing.part = drawing.presenter.get();
    } else if (isView) {
        // On its own it can have any size.
        drawing.part = dynamic_cast<const Viewer*>(window.room(room))->currentView();
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

QStringList names() {
    QStringList all;
    for (const DrawnView& view : kViews)
        all << QString::fromLatin1(view.name);
    return all << QString::fromLatin1(kWindow) << QString::fromLatin1(kPresenter) << QString::fromLatin1(kHandout);
}

}  // namespace

void render(const RenderRequest& request, ThemeManager& theme) {
    if (!names().contains(request.view))
        throw Error("there is no view \"" + request.view.toStdString() + "\" to draw: use " +
                    names().join(QStringLiteral(", ")).toStdString());
    for (const QString& key : request.options.keys())
        if (!kOptions.contains(key))
            throw Error("--option " + key.toStdString() + " is not known: use " +
                        kOptions.join(QStringLiteral(", ")).toStdString());
    if (request.size.width() < 200 || request.size.height() < 200 || request.size.width() > 10000 ||
        request.size.height() > 10000)
        throw Error("--size must be between 200x200 and 10000x10000");
    motion::setReduced(true);
    const Drawing drawing = makeDrawing(request, theme);
    if (request.view == QLatin1String(kHandout)) return printLesson(request, *drawing.window);
    if (wordOf(request, QStringLiteral("frames"), {"none", "steps"}, 0) == 1)
        exportSteps(*drawing.part, drawing.window->workbench().cursor, request.out);
    else
        exportFigure(*drawing.part, request.out);
}

}  // namespace headlight

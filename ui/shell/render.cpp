// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/render.h"

#include <QApplication>
#include <algorithm>
#include <functional>
#include <memory>

#include "core/error.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/shell/rooms.h"
#include "ui/views/architecture_stage.h"
#include "ui/views/architecture_view.h"
#include "ui/views/attention_view.h"
#include "ui/views/compare_view.h"
#include "ui/widgets/motion.h"
#include "ui/widgets/theme.h"

namespace headlight {

namespace {

using MakeView = std::function<std::unique_ptr<QWidget>(const RenderRequest&, ThemeManager&)>;

int positiveNumber(const QString& key, const QString& text) {
    bool ok = false;
    const int number = text.toInt(&ok);
    if (!ok || number < 1)
        throw Error("--option " + key.toStdString() + "=" + text.toStdString() + ": give a number from 1 on");
    return number;
}

QStringList mutedHeads(const RenderRequest& request) {
    return request.options.value(QStringLiteral("mute")).split(',', Qt::SkipEmptyParts);
}

void refuseOtherOptions(const RenderRequest& request, const QStringList& known) {
    for (const QString& key : request.options.keys())
        if (!known.contains(key))
            throw Error("--option " + key.toStdString() + " is not known to this view: use " +
                        known.join(", ").toStdString());
}

/// block=decoder.layers.1.cross_attn, head=1…, cell=ROW,COLUMN (from 1).
void select(const RenderRequest& request, const TrainedModel& model, Selection& selection) {
    for (const auto& [key, value] : request.options.asKeyValueRange()) {
        if (key == QLatin1String("block")) {
            const std::vector<std::string> blocks = model.network->attentionBlocks();
            if (std::find(blocks.begin(), blocks.end(), value.toStdString()) == blocks.end())
                throw Error("--option block=" + value.toStdString() + ": the model has no such attention block");
            selection.setBlock(value);
        } else if (key == QLatin1String("head")) {
            const int heads = model.network->attentionHeads(), head = positiveNumber(key, value);
            if (head > heads)
                throw Error("--option head=" + value.toStdString() + ": the model has " + std::to_string(heads) +
                            " heads");
            selection.setHead(head - 1);
        } else if (key == QLatin1String("cell")) {
            const QStringList parts = value.split(',');
            if (parts.size() != 2) throw Error("--option cell=" + value.toStdString() + ": give ROW,COLUMN");
            selection.setCell({positiveNumber(key, parts[0]) - 1, positiveNumber(key, parts[1]) - 1});
        }
    }
}

/// The view with the selection that it draws from, which must live as long.
class SelectedAttentionView : public AttentionView {
public:
    explicit SelectedAttentionView(std::unique_ptr<Selection> selection) : AttentionView(selection.get()) {
        selection.release()->setParent(this);
    }
};

std::unique_ptr<QWidget> makeAttention(const RenderRequest& request, ThemeManager&) {
    refuseOtherOptions(request, {"block", "head", "cell", "mute"});
    const TrainedModel model = loadModel(request.model.toStdString());
    const QString source = request.source.isEmpty() ? exampleSentence(model) : request.source;
    if (source.isEmpty()) throw Error("say what to read with --source: the model has no sentence of its own");
    const QStringList muted = mutedHeads(request);
    const Session::Reading reading = readSentence(model, source, muted);

    auto owned = std::make_unique<Selection>();
    Selection& selection = *owned;
    auto view = std::make_unique<SelectedAttentionView>(std::move(owned));
    view->setTrace(reading.trace);
    view->setGold(reading.gold);
    view->setBaseline(reading.baseline);
    if (reading.muted) view->setMuted(*reading.muted, std::vector<QString>(muted.begin(), muted.end()));
    select(request, model, selection);
    return view;
}

/// Lets the program live until a condition holds; the work goes on on its own threads.
void waitUntil(const std::function<bool()>& condition) {
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

/// Trains in the window, as a click on Start does, and stops after so many steps.
void trainFor(Workbench& workbench, int steps) {
    TrainingRun& run = workbench.training;
    bool reached = false;
    QObject::connect(&run, &TrainingRun::pointsAdded, &run, [&](const auto& points) {
        reached = reached || points.back().step >= steps;
        if (reached) run.pause();
    });
    waitUntil([&] { return run.state() == TrainingState::Paused || run.state() == TrainingState::Failed; });
    run.start();
    waitUntil([&] { return reached || run.state() == TrainingState::Failed; });
    waitUntil([&] { return run.state() != TrainingState::Running; });
}

/// value=NAME of the trace, step=N of the timeline, level=model|layer|block|operation of the architecture.
void goTo(const RenderRequest& request, Workbench& workbench, ExploreRoom& explore) {
    const auto& reading = workbench.session.reading();
    if (const QString step = request.options.value(QStringLiteral("step")); !step.isEmpty())
        workbench.cursor.setPosition(positiveNumber(QStringLiteral("step"), step) - 1);
    if (const QString value = request.options.value(QStringLiteral("value")); !value.isEmpty()) {
        if (!reading || !reading->trace->find(value.toStdString()))
            throw Error("--option value=" + value.toStdString() + ": the trace has no such value");
        workbench.selection.setValue(value);
    }
    if (const QString level = request.options.value(QStringLiteral("level")); !level.isEmpty()) {
        const QStringList levels = {"model", "layer", "block", "operation"};
        if (!levels.contains(level))
            throw Error("--option level=" + level.toStdString() + ": use " + levels.join(", ").toStdString());
        explore.architecture()->stage()->setLevel(static_cast<ArchitectureLevel>(levels.indexOf(level)));
    }
}

/// The whole window in one of its rooms: room=explore|train|decode|models, tab=NAME, steps=N in the training room, and
/// what goTo() and select() know.
std::unique_ptr<QWidget> makeWindow(const RenderRequest& request, ThemeManager& theme) {
    refuseOtherOptions(request,
                       {"block", "cell", "head", "level", "mute", "room", "step", "steps", "tab", "value", "with"});
    auto window = std::make_unique<MainWindow>(theme);
    Workbench& workbench = window->workbench();
    QString failure;
    QObject::connect(&workbench.session, &Session::failed, window.get(),
                     [&](const QString& message) { failure = message; });
    window->setAttribute(Qt::WA_DontShowOnScreen);
    window->resize(request.size);
    window->show();
    window->openModel(request.model);
    const QStringList muted = mutedHeads(request);
    const auto read = [&] {
        const auto& reading = workbench.session.reading();
        const bool asAsked =
            reading && reading->source == workbench.session.source() && reading->muted.has_value() != muted.isEmpty();
        return !failure.isEmpty() || asAsked;
    };
    waitUntil([&] { return !failure.isEmpty() || workbench.session.model(); });
    if (!request.source.isEmpty()) workbench.session.setSource(request.source);
    workbench.session.setMutedHeads(muted);
    if (!workbench.session.source().isEmpty()) waitUntil(read);
    if (!failure.isEmpty()) throw Error(failure.toStdString());

    const QString room = request.options.value(QStringLiteral("room"), QStringLiteral("explore"));
    if (!window->room(room)) throw Error("--option room=" + room.toStdString() + ": the window has no such room");
    window->showRoom(room);
    if (const QString tab = request.options.value(QStringLiteral("tab")); !tab.isEmpty()) {
        auto* tabs = dynamic_cast<Tabs*>(window->room(room));
        if (!tabs || !tabs->showTabNamed(tab))
            throw Error("--option tab=" + tab.toStdString() + ": the room has no such view");
        window->showRoom(room);
    }
    goTo(request, workbench, *static_cast<ExploreRoom*>(window->room(QStringLiteral("explore"))));
    select(request, *workbench.session.model(), workbench.selection);
    if (auto* compare = qobject_cast<CompareRoom*>(window->room(room))) {
        if (const QString with = request.options.value(QStringLiteral("with")); !with.isEmpty()) {
            const QStringList kinds = {"model", "heads", "positions", "sentence"};
            if (!kinds.contains(with))
                throw Error("--option with=" + with.toStdString() + ": use " + kinds.join(", ").toStdString());
            compare->view()->chooseKind(static_cast<Comparison::Kind>(kinds.indexOf(with)));
        }
        waitUntil([&] { return compare->comparison().isReady(); });
    }
    if (room == QLatin1String("decode") && workbench.session.model()->network->config().encoderDecoder())
        waitUntil([&] { return workbench.decoding.result() != nullptr; });
    const QString steps = request.options.value(QStringLiteral("steps"));
    if (!steps.isEmpty()) trainFor(workbench, positiveNumber(QStringLiteral("steps"), steps));
    return window;
}

/// page=N of the presenter, counted from 1; the other options as for the window.
std::unique_ptr<QWidget> makePresenter(const RenderRequest& request, ThemeManager& theme) {
    RenderRequest behind = request;
    const QString page = behind.options.take(QStringLiteral("page"));
    std::unique_ptr<QWidget> window = makeWindow(behind, theme);
    auto presenter = std::make_unique<Presenter>(static_cast<MainWindow&>(*window));
    if (!page.isEmpty()) presenter->showPage(positiveNumber(QStringLiteral("page"), page) - 1);
    if (theme.current().isDark) presenter->setDark(true);
    // The window lives as long as what it is shown by.
    QObject::connect(presenter.get(), &QObject::destroyed, [owned = window.release()] { owned->deleteLater(); });
    return presenter;
}

/// Every view that can be drawn; a new one is registered here.
const QMap<QString, MakeView>& views() {
    static const QMap<QString, MakeView> all{{QStringLiteral("attention"), makeAttention},
                                             {QStringLiteral("presenter"), makePresenter},
                                             {QStringLiteral("window"), makeWindow}};
    return all;
}

}  // namespace

void render(const RenderRequest& request, ThemeManager& theme) {
    const auto make = views().find(request.view);
    if (make == views().end())
        throw Error("there is no view \"" + request.view.toStdString() + "\" to draw: use " +
                    views().keys().join(", ").toStdString());
    if (request.size.width() < 200 || request.size.height() < 200 || request.size.width() > 10000 ||
        request.size.height() > 10000)
        throw Error("--size must be between 200x200 and 10000x10000");
    motion::setReduced(true);
    const std::unique_ptr<QWidget> view = (*make)(request, theme);
    view->setAttribute(Qt::WA_DontShowOnScreen);
    view->resize(request.size);
    view->show();  // lays out, scroll areas too; nothing appears
    QApplication::processEvents();
    exportFigure(*view, request.out);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// What drawing takes, as JSON: every view of the window at two sizes, a large matrix as it pans, twelve heads and a
// wall of 384, the timeline as it is scrubbed, what is played at each phase, and how long the event loop is held and
// how far frames of what is played are apart while a model trains: QT_QPA_PLATFORM=offscreen
// build/release/tests/bench_window [views
// [NAME]|heads|matrix|long|timeline|phases|training|playing|surgery|learnt|lessons]
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>
#include <iostream>

#include <nlohmann/json.hpp>

#include "tests/bench/process_figures.h"
#include "tests/bench/window_bench.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/job_thread.h"
#include "ui/session/open/learnt.h"
#include "ui/session/open/playhead.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/training_run.h"
#include "ui/session/trace/surgery_picture.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/train_room.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/architecture/architecture_view.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/wall_page.h"
#include "ui/views/laboratory/equation_stage.h"
#include "ui/views/laboratory/query_key_value_view.h"
#include "ui/views/surgery/place_map.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/time/timeline.h"

using namespace headlight;
using namespace headlight::bench;

namespace {

void drawTwelveHeads() {
    Selection selection;
    AttentionView view(&selection);
    view.resize(1440, 900);
    view.setTrace(fixture::makeTrace({1, 12, 64}));
    view.show();
    QApplication::processEvents();
    print(report("12 heads of 64x64, one enlarged",
                 drawingTimes(view, [&](int round) { selection.setHead(round % 12); })));
}

/// The wall alone as the reader moves over it, and all of it as another head is chosen.
void drawAWallOfHeads() {
    Selection selection;
    AttentionView view(&selection);
    view.resize(1440, 900);
    selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
    view.setTrace(fixture::makeTrace({24, 16, 64}));
    StageState state;
    state.attention.picture = AttentionOptions::Picture::Wall;
    view.showOptions(state);
    view.show();
    QApplication::processEvents();
    print(report("wall of 384 heads of 64x64", drawingTimes(*view.wall()->wall(), [](int) {})));
    print(report("wall and the chosen head", drawingTimes(view, [&](int round) { selection.setHead(round % 16); })));
}

MatrixData numbered(int size) {
    MatrixData matrix;
    matrix.rows = matrix.columns = size;
    for (int i = 0; i < size * size; ++i)
        matrix.values.push_back(static_cast<float>(i % 97) / 97);
    for (int i = 0; i < size; ++i) {
        matrix.rowLabels << QString::number(i);
        matrix.columnLabels << QString::number(i);
    }
    return matrix;
}

void panALargeMatrix(int size) {
    MatrixView view;
    view.resize(1000, 800);
    view.setData(numbered(size));
    view.show();
    QApplication::processEvents();
    const auto pan = [&](int round) {
        view.horizontalScrollBar()->setValue(round * 31);
        view.verticalScrollBar()->setValue(round * 17);
    };
    const std::string name = std::to_string(size) + "x" + std::to_string(size) + " matrix, ";
    print(report(name + "panned", drawingTimes(view, pan)));
    view.setZoom(4);
    print(report(name + "panned at four times", drawingTimes(view, pan)));
    print(report(name + "zoomed", drawingTimes(view, [&](int round) { view.setZoom(1 + round % 20); })));
    QElapsedTimer timer;
    timer.start();
    view.setZoom(1);
    view.setData(numbered(size));
    view.grab();
    print(
        {{"what", name + "set and drawn for the first time"}, {"ms", static_cast<double>(timer.nsecsElapsed()) / 1e6}});
}

/// The attention of a long text: one block of twelve heads.
void readALongText(int words) {
    Selection selection;
    selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
    AttentionView view(&selection);
    view.resize(1440, 900);
    const auto trace = fixture::makeTrace({1, 12, words});
    const std::string name = "12 heads of " + std::to_string(words) + " words, ";
    QElapsedTimer timer;
    timer.start();
    view.setTrace(trace);
    view.show();
    view.grab();
    print({{"what", name + "first picture"}, {"ms", static_cast<double>(timer.nsecsElapsed()) / 1e6}});
    print(report(name + "another word", drawingTimes(view, [&](int round) {
                     selection.setCell({round * 7 % words, round % words});
                 })));
    print(report(name + "another head", drawingTimes(view, [&](int round) { selection.setHead(round % 12); })));
    StageState state;
    state.attention.picture = AttentionOptions::Picture::Heads;
    view.showOptions(state);
    print(report(name + "lines of all heads", drawingTimes(view, [](int) {})));
    print({{"what", "memory then"}, {"mib", memory("VmRSS:")}});
}

void scrubTheTimeline(MainWindow& window) {
    window.rooms().showView(ViewName::Architecture);
    StepCursor& cursor = window.workbench().cursor;
    QApplication::processEvents();
    print(report("one step of the timeline, drawn",
                 drawingTimes(window, [&](int round) { cursor.setPosition((round * 7) % cursor.count()); })));
}

/// Each operation of the first attention, and the equation, drawn at one phase after another.
void drawEveryPhase(MainWindow& window) {
    Playhead& head = window.workbench().cursor.head();
    const Trace& trace = *window.workbench().session.reading()->trace;
    const auto draw = [&](ViewName view, const std::string& name, Playhead& of, int operation) {
        window.rooms().showView(view);
        QApplication::processEvents();
        print(report(std::string(nameOf(view)) + ", " + name + " at one phase after another",
                     drawingTimes(window, [&](int round) {
                         of.setTime(operation + (round % kRounds + 0.5) / kRounds);
                         QApplication::sendPostedEvents();
                     })));
    };
    for (const char* part : {"scores", "weights", "heads"})
        draw(ViewName::Architecture, part, head, trace.indexOf(std::string("encoder.layers.0.self_attn.") + part));
    draw(ViewName::Attention, "weights", head, trace.indexOf("decoder.layers.1.cross_attn.weights"));
    Playhead& equation = *window.rooms().find<ExploreRoom>()->queryKeyValue()->equation()->playhead();
    for (const int operation : {0, 1, 2})
        draw(ViewName::QueryKeyValue, "operation " + std::to_string(operation + 1), equation, operation);
    head.setTime(head.count());
}

/// How long it is from one painting of a widget to the next.
class FrameClock : public QObject {
public:
    explicit FrameClock(QWidget& widget) { widget.installEventFilter(this); }
    std::vector<double> times;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) {
            if (m_since.isValid()) times.push_back(static_cast<double>(m_since.nsecsElapsed()) / 1e6);
            m_since.start();
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QElapsedTimer m_since;
};

void playWhileTraining(MainWindow& window) {
    auto* explore = window.rooms().find<ExploreRoom>();
    StepCursor& cursor = window.workbench().cursor;
    const auto play = [&](ViewName view, QWidget& stage, Playhead& head, double from, double to,
                          const std::string& when) {
        window.rooms().showView(view);
        QApplication::processEvents();
        head.setTime(from);
        FrameClock frames(stage);
        QElapsedTimer whole;
        whole.start();
        head.play();
        waitUntil([&] {
            if (head.time() >= to) head.setTime(from);
            if (!head.playing()) head.play();
            return whole.elapsed() > 8000;
        });
        head.pause();
        print(report("from frame to frame, " + std::string(nameOf(view)) + " played" + when, frames.times));
    };
    const auto playAll = [&](const std::string& when) {
        play(ViewName::Architecture, *explore->architecture()->stage(), cursor.head(), 5, 14, when);
        const int weights = window.workbench().session.reading()->trace->indexOf("decoder.layers.1.cross_attn.weights");
        play(ViewName::Attention, *explore->attention()->stage()->matrix()->viewport(), cursor.head(), weights,
             weights + 1, when);
        EquationStage& equation = *explore->queryKeyValue()->equation();
        equation.playhead()->setSpeed(0.5);
        play(ViewName::QueryKeyValue, equation, *equation.playhead(), 0, 3, when);
    };
    playAll("");
    TrainRoom* const train = startTraining(window);
    playAll(" while a model trains");
    stopTraining(window, train);
}

/// How late a timer of 1 ms is, while a model trains and its curves are drawn.
void stayAwakeWhileTraining(MainWindow& window) {
    TrainRoom* const train = startTraining(window);
    std::vector<double> held;
    QElapsedTimer since, whole;
    whole.start();
    since.start();
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, [&] {
        held.push_back(static_cast<double>(since.nsecsElapsed()) / 1e6);
        since.restart();
    });
    tick.start(1);
    waitUntil([&] { return whole.elapsed() > 10000; });
    tick.stop();
    print(report("between two turns of the event loop while training", held));
    stopTraining(window, train);
}

/// The map of each kind of piece, and from a click on a square to the drawn answer.
void operateOnAReading(MainWindow& window) {
    const QString a = QStringLiteral("tôi đang học tiếng anh"), b = QStringLiteral("tôi đang học lịch sử");
    const SurgeryPicture picture(window.workbench().session.model(), a, b);
    for (const auto kind : {PatchDepth::Kind::State, PatchDepth::Kind::Sublayer, PatchDepth::Kind::Head}) {
        QElapsedTimer timer;
        timer.start();
        const SurgeryPicture::Map map = picture.read(kind, [](double) { return true; });
        const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        size_t squares = 0;
        for (const auto& row : map)
            squares += row.size();
        print({{"what", std::string("surgery, map of each ") + SurgeryPicture::kindWords[static_cast<size_t>(kind)]},
               {"squares", squares},
               {"ms", took}});
    }
    window.rooms().showView(ViewName::Surgery);
    auto& view = *window.findChild<SurgeryView*>();
    waitUntil([&] { return view.picture() && !view.isBusy(); });
    PlaceMap& map = *view.maps()->shares(true);
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        const QPointF at = map.cellRect({round % 3, round % 5}).center();
        QElapsedTimer timer;
        timer.start();
        for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            QMouseEvent event(type, at, map.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
            QApplication::sendEvent(&map, &event);
        }
        waitUntil([&] { return !view.isBusy(); });
        window.grab();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    print(report("surgery, from a click to the drawn answer", times));
}

/// The whole run once, and the steps around each word's moment once more.
void askWhenItWasLearnt() {
    TrainingSetup setup;
    setup.data.files.task = "vi-en";
    setup.options.steps = 3000;
    TrainingRun run;
    HeadsStory story;
    Learnt learnt(&story);
    QObject::connect(&run, &TrainingRun::headsAdded, &story, &HeadsStory::append);
    QObject::connect(&run, &TrainingRun::replayed, &learnt, &Learnt::add);
    QObject::connect(&learnt, &Learnt::replayWanted, &run, &TrainingRun::replay);
    run.reset(setup);
    int arrived = 0;
    QObject::connect(&run, &TrainingRun::arrived, [&](int step) { arrived = step; });
    QElapsedTimer timer;
    timer.start();
    run.trainTo(static_cast<int>(setup.options.steps));
    waitUntil([&] { return arrived == setup.options.steps; });
    print({{"what", "a run of 3,000 steps"}, {"ms", timer.elapsed()}});
    const size_t words = story.frames().back().said.size();
    for (size_t word = 0; word < words; ++word) {
        learnt.setWord(static_cast<int>(word));
        if (!learnt.canReplay()) continue;
        timer.restart();
        learnt.replay();
        const int steps = learnt.left();
        waitUntil([&] { return !learnt.isReplaying(); });
        print({{"what", "the step of a word is found: " + learnt.sentence().toStdString()},
               {"steps", steps},
               {"ms", timer.elapsed()}});
    }
}

/// How long the event loop is held by each step of each lesson, from the click on.
void turnThePages(MainWindow& window) {
    LessonPlayer& player = window.workbench().player;
    std::vector<double> opened, turned;
    for (const Lesson& lesson : window.workbench().lessons.lessons()) {
        for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) {
            QElapsedTimer timer;
            timer.start();
            step == 0 ? player.open(QString::fromStdString(lesson.slug)) : player.goTo(step);
            double held = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            do {
                timer.restart();
                QApplication::processEvents();
                held = std::max(held, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            } while (!window.stage().isSettled() || !JobThread::areAllIdle());
            (step == 0 ? opened : turned).push_back(held);
            if (held > 100) std::cerr << lesson.slug << " " << step + 1 << ": " << held << " ms" << std::endl;
        }
    }
    print(report("the longest hold as a lesson opens", opened));
    print(report("the longest hold as its page is turned", turned));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    ThemeManager theme(&application);
    theme.setMode(ThemeManager::Mode::Light);
    MainWindow window(theme);
    window.resize(1440, 900);
    window.show();
    window.grab();
    print({{"what", "start to the first painted window"}, {"ms", sinceStart()}});
    window.workbench().session.adoptModel(fixture::shippedModel(QStringLiteral("vi-en-transformer")),
                                          QStringLiteral("vi-en-transformer"));
    waitUntil([&] { return window.workbench().session.reading().has_value(); });
    QApplication::processEvents();
    print({{"what", "start to the first sentence read"}, {"ms", sinceStart()}});
    print({{"what", "memory at rest, a model open"}, {"mib", memory("VmRSS:")}});
    // All parts, or the one that is named.
    const std::string only = argc > 1 ? argv[1] : "";
    const auto wanted = [&](const char* part) { return only.empty() || only == part; };
    if (wanted("views")) drawEveryView(window, argc > 2 ? argv[2] : "");
    if (wanted("heads")) drawTwelveHeads();
    if (wanted("heads")) drawAWallOfHeads();
    if (wanted("matrix"))
        for (const int size : {512, 1024})
            panALargeMatrix(size);
    if (wanted("long")) readALongText(1024);
    if (wanted("timeline")) scrubTheTimeline(window);
    if (wanted("phases")) drawEveryPhase(window);
    if (wanted("training")) stayAwakeWhileTraining(window);
    if (wanted("playing")) playWhileTraining(window);
    if (wanted("surgery")) operateOnAReading(window);
    if (wanted("learnt")) askWhenItWasLearnt();
    if (wanted("lessons")) turnThePages(window);
}

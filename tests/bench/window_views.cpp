// SPDX-License-Identifier: GPL-3.0-or-later
#include <QThread>
#include <algorithm>
#include <ctime>
#include <iostream>

#include "tests/bench/window_bench.h"
#include "tests/ui/fixture.h"
#include "ui/session/open/training_run.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/training_view.h"

namespace headlight::bench {

double percentile(std::vector<double> times, double share) {
    std::ranges::sort(times);
    return times.empty()
               ? 0
               : times[std::min(times.size() - 1, static_cast<size_t>(share * static_cast<double>(times.size())))];
}

double processorTime() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

nlohmann::json report(const std::string& what, const std::vector<double>& times) {
    return {{"what", what}, {"median_ms", percentile(times, 0.5)}, {"p99_ms", percentile(times, 0.99)}};
}

nlohmann::json report(const std::string& what, const DrawingTimes& times) {
    nlohmann::json line = report(what, times.clock);
    line["least_ms"] = percentile(times.clock, 0);
    line["processor_ms"] = percentile(times.processor, 0.5);
    line["processor_least_ms"] = percentile(times.processor, 0);
    return line;
}

void print(const nlohmann::json& line) {
    std::cout << line.dump() << std::endl;
}

void waitUntil(const std::function<bool()>& condition) {
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

void comeToRest() {
    constexpr int kLongest = 700;
    QElapsedTimer since;
    since.start();
    while (since.elapsed() < kLongest) {
        QApplication::processEvents();
        QThread::msleep(5);
    }
}

void open(MainWindow& window, const QString& model) {
    Session& session = window.workbench().session;
    session.adoptModel(fixture::shippedModel(model), model);
    comeToRest();
    waitUntil([&] { return session.reading().has_value(); });
    QApplication::processEvents();
}

TrainRoom* startTraining(MainWindow& window) {
    window.rooms().showView(ViewName::Training);
    auto* train = window.rooms().find<TrainRoom>();
    TrainingRun& run = window.workbench().training;
    waitUntil([&] { return run.state() == TrainingState::Paused; });
    emit train->view()->startRequested();
    waitUntil([&] { return run.state() == TrainingState::Running; });
    return train;
}

void stopTraining(MainWindow& window, TrainRoom* train) {
    emit train->view()->pauseRequested();
    waitUntil([&] { return window.workbench().training.state() != TrainingState::Running; });
}

void drawEveryView(MainWindow& window, const std::string& only) {
    const auto draw = [&](ViewName view, const std::string& with) {
        if (!only.empty() && only != nameOf(view)) return;
        for (const QSize size : {QSize(1440, 900), QSize(2560, 1440)}) {
            window.resize(size);
            window.rooms().showView(view);
            comeToRest();
            const std::string at = std::to_string(size.width()) + "x" + std::to_string(size.height());
            print(report("view " + std::string(nameOf(view)) + with + ", " + at, drawingTimes(window, [](int) {})));
        }
        window.resize(1440, 900);
    };
    const auto isRecurrent = [](ViewName view) { return view == ViewName::Recurrent || view == ViewName::Cell; };
    const auto isOfTraining = [](ViewName view) { return view >= ViewName::Training && view <= ViewName::Runs; };
    std::vector<ViewName> views, ofTraining;
    for (const Room* room : window.rooms().all())
        for (const Room::View& view : room->views())
            if (!isRecurrent(view.name)) (isOfTraining(view.name) ? ofTraining : views).push_back(view.name);
    for (const ViewName view : views)
        draw(view, "");
    if (only.empty() || std::ranges::any_of(ofTraining, [&](ViewName view) { return only == nameOf(view); })) {
        TrainRoom* const train = startTraining(window);
        constexpr int kSteps = 200;
        waitUntil([&] { return window.workbench().training.step() >= kSteps; });
        stopTraining(window, train);
        for (const ViewName view : ofTraining)
            draw(view, "");
    }
    open(window, QStringLiteral("vi-en-long-lstm-attention"));
    for (const ViewName view : {ViewName::Recurrent, ViewName::Cell})
        draw(view, "");
    open(window, QStringLiteral("stories-transformer"));
    draw(ViewName::Decode, " (next word)");
    open(window, QStringLiteral("vi-en-transformer"));
}

}  // namespace headlight::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace headlight {

class MainWindow;
class TrainRoom;

namespace bench {

constexpr int kRounds = 40;

double percentile(std::vector<double> times, double share);

/// Milliseconds by the clock, and those that this process had a processor for, on however many at once.
struct DrawingTimes {
    std::vector<double> clock, processor;
};

/// Milliseconds of all of this process's threads.
double processorTime();

/// What drawing the widget whole takes, each time after `change`.
template <class Change>
DrawingTimes drawingTimes(QWidget& widget, Change change) {
    QImage image(widget.size(), QImage::Format_RGB32);
    DrawingTimes times;
    for (int round = 0; round < kRounds + 3; ++round) {
        change(round);
        QElapsedTimer timer;
        const double before = processorTime();
        timer.start();
        widget.render(&image);
        if (round < 3) continue;
        times.clock.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        times.processor.push_back(processorTime() - before);
    }
    return times;
}

nlohmann::json report(const std::string& what, const std::vector<double>& times);
/// Where other programs are in the way, the least of many and the processor's time say what the work takes.
nlohmann::json report(const std::string& what, const DrawingTimes& times);
void print(const nlohmann::json& line);

void waitUntil(const std::function<bool()>& condition);
/// What was asked for in the background has come, and what moves has come to rest.
void comeToRest();

/// Opens a shipped model, and waits until its sentence is read.
void open(MainWindow& window, const QString& model);

/// Starts a run and hands its room back once it goes.
TrainRoom* startTraining(MainWindow& window);
void stopTraining(MainWindow& window, TrainRoom* train);

/// Every view of the window, or the one of that name, at 1440 × 900 and at 2560 × 1440, each with a model that it has
/// something to show of, those of a training after some of its steps.
void drawEveryView(MainWindow& window, const std::string& only);

}  // namespace bench
}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
// What is waited for at first, as JSON: from the start of the process to the first letter that is answered on the first
// page, and how long that page is painted; or, with a file of sentences, how long it is to its first rows, and to all
// of them: QT_QPA_PLATFORM=offscreen build/release/tests/bench_first [FILE]
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "tests/bench/process_figures.h"
#include "tests/thread_time.h"
#include "ui/lessons/first_look.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_station.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/learn_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/train_room.h"
#include "ui/views/train/data/data_view.h"

using namespace headlight;
using namespace headlight::bench;

namespace {

void waitUntil(const std::function<bool()>& condition) {
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

void tell(const std::string& what, double number, const char* unit) {
    std::cout << "{\"what\": \"" << what << "\", \"" << unit << "\": " << number << "}" << std::endl;
}

/// The median of many paintings, in milliseconds of this thread: what else runs on the machine does not count.
void tellPainting(const std::string& what, const std::function<void()>& paint) {
    constexpr int rounds = 40;
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        times.push_back(fixture::secondsFor(paint) * 1000);
    }
    tell(what + ", the first time", times.front(), "ms");
    std::ranges::sort(times);
    tell(what + ", the least", times.front(), "ms");
    tell(what, times[times.size() / 2], "ms");
}

void answerALetter(MainWindow& window) {
    LessonList& list = *window.rooms().find<LearnRoom>()->list();
    FirstLook& look = *list.firstLook();
    bool isAnswered = false;
    QObject::connect(&look, &FirstLook::answered, [&] { isAnswered = true; });
    waitUntil([&] { return isAnswered; });
    window.grab();
    tell("start to the example's head", sinceStart(), "ms");
    for (const char letter : {'s', 'o'}) {
        isAnswered = false;
        QElapsedTimer timer;
        timer.start();
        look.field()->setText(look.field()->text() + QLatin1Char(letter));
        emit look.field()->textEdited(look.field()->text());
        waitUntil([&] { return isAnswered; });
        window.grab();
        if (letter == 's') tell("start to the first letter answered and painted", sinceStart(), "ms");
        tell("a letter answered and painted", static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms");
    }
    QImage image(list.size(), QImage::Format_RGB32);
    tellPainting("the first page painted whole", [&] { list.render(&image); });
    LessonStation& station = *list.path()->stations().front();
    tellPainting("a lesson that is pointed at", [&] { station.repaint(); });
    tellPainting("the sentence's card", [&] { look.repaint(); });
}

void openAFile(MainWindow& window, const QString& file) {
    DataChoice& choice = window.rooms().find<TrainRoom>()->choice();
    QElapsedTimer timer;
    timer.start();
    const double before = fixture::threadSeconds();
    window.open(file);
    tell("the event loop is held", static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms");
    tell("… and computes", (fixture::threadSeconds() - before) * 1000, "ms");
    waitUntil([&] { return choice.glimpse() || choice.picture() || !choice.failure().isEmpty(); });
    window.grab();
    tell("first rows are painted", static_cast<double>(timer.nsecsElapsed()) / 1e6, "ms");
    tell("memory so far", memory("VmHWM:"), "mib");
    waitUntil([&] { return !choice.isBusy(); });
    tell("all of it is read", static_cast<double>(timer.elapsed()), "ms");
    tell("memory at most", memory("VmHWM:"), "mib");
    if (!choice.failure().isEmpty()) std::cout << choice.failure().toStdString() << std::endl;
    if (choice.picture())
        tell("sentences or pairs", static_cast<double>(choice.picture()->survey->entries().size()), "count");
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QSettings().clear();
    ThemeManager theme(&application);
    theme.setMode(ThemeManager::Mode::Light);
    MainWindow window(theme);
    window.resize(1440, 900);
    window.show();
    if (const QString model = firstModel(); !model.isEmpty()) window.openModel(model);
    window.grab();
    tell("start to the painted window", sinceStart(), "ms");
    if (argc > 1)
        openAFile(window, QString::fromLocal8Bit(argv[1]));
    else
        answerALetter(window);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at text of one's own takes, as the window's Data shows it: bench_data FILE [FILE]
#include <QCoreApplication>
#include <chrono>
#include <cstdio>

#include "core/platform/process.h"
#include "ui/session/open/data_choice.h"

using namespace headlight;

namespace {

double seconds() {
    static const auto begin = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void say(const char* what, long pairs) {
    constexpr double mebibyte = 1024.0 * 1024;
    std::printf("%-24s %8.2f s %8.0f MiB %10ld pairs\n", what, seconds(),
                static_cast<double>(platform::peakMemory()) / mebibyte, pairs);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList files = QCoreApplication::arguments().mid(1);
    if (files.isEmpty() || files.size() > 2) {
        std::fprintf(stderr, "bench_data: error: give one file, or two that match line by line\n");
        return 2;
    }
    seconds();
    DataChoice choice;
    bool glimpsed = false;
    QObject::connect(&choice, &DataChoice::progressed, [&] {
        if (!std::exchange(glimpsed, glimpsed || choice.glimpse()) && choice.glimpse())
            say("the first rows", choice.glimpse()->pairs);
    });
    QObject::connect(&choice, &DataChoice::looked, [&] {
        if (choice.picture()) say("all of it", choice.picture()->survey->entries().size());
        if (!choice.failure().isEmpty()) std::fprintf(stderr, "bench_data: error: %s\n", qPrintable(choice.failure()));
        if (!choice.isBusy()) QCoreApplication::exit(choice.failure().isEmpty() ? 0 : 1);
    });
    choice.setFiles(DataChoice::filesOf(files));
    return QCoreApplication::exec();
}

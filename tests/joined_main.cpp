// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/joined_main.h"

#include <QCoreApplication>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace headlight::tests {

namespace {

std::map<std::string, Run>& all() {
    static std::map<std::string, Run> tests;
    return tests;
}

}  // namespace

bool join(const char* file, Run run) {
    all().emplace(std::filesystem::path(file).stem().string(), run);
    return true;
}

}  // namespace headlight::tests

int main(int argc, char** argv) {
    const auto& tests = headlight::tests::all();
    const auto test = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (test == tests.end()) {
        std::puts("Say which test to run, and behind it what Qt Test is to be told:");
        for (const auto& [name, run] : tests)
            std::puts(name.c_str());
        return 2;
    }
    // Tests run beside one another: what each keeps in the folders of the account has its own name.
    QCoreApplication::setApplicationName(QString::fromStdString(test->first));
    argv[1] = argv[0];
    return test->second(argc - 1, argv + 1);
}

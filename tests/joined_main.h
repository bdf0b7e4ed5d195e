// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

// A program for each test class would be 170 programs to link. So the tests of a folder are one program, and Qt Test's
// macros, which write a main(), here add the class to a list instead: `tests_core test_trainer [arguments of Qt
// Test's]` runs one. Every test file includes this through its precompiled header.

namespace headlight::tests {

using Run = int (*)(int argc, char** argv);

/// Adds a test, which is named after its file. Returns true, so that a static variable can call it.
bool join(const char* file, Run run);

}  // namespace headlight::tests

// What QTEST_MAIN, QTEST_GUILESS_MAIN and QTEST_APPLESS_MAIN come to.
#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                                                                    \
    [[maybe_unused]] static const bool is##TestObject##Joined =                                                \
        headlight::tests::join(__FILE__, []([[maybe_unused]] int argc, [[maybe_unused]] char* argv[]) -> int { \
            QTest::Internal::callInitMain<TestObject>();                                                       \
            __VA_ARGS__                                                                                        \
            TestObject test;                                                                                   \
            QTEST_SET_MAIN_SOURCE_PATH                                                                         \
            return QTest::qExec(&test, argc, argv);                                                            \
        });

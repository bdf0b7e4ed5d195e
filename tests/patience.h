// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long a test waits for what must come. Every test reads this with its precompiled header.

#include <QtTest/QtTest>

namespace headlight::fixture {

/// Milliseconds after which a wait is given up: hundreds of times what it takes, so that its end means that something
/// hangs, never that the machine is slow. Nobody waits longer than until the thing is there.
constexpr int kPatienceMs = 120'000;
/// The same for what takes seconds: a run that trains, a page that is played, a program that is started.
constexpr int kLongPatienceMs = 1'200'000;

}  // namespace headlight::fixture

// Qt's own deadlines are five seconds, too few for a step of training on a busy machine.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT((expr), headlight::fixture::kPatienceMs)
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT((expr), message, headlight::fixture::kPatienceMs)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT((expr), expected, headlight::fixture::kPatienceMs)

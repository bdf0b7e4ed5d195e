// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include <nlohmann/json_fwd.hpp>

namespace headlight {

class StepCursor;
class Workbench;
struct StageState;

/// What the stage points at, as a web page begins with it: `value`, or `block` and `part` (weights, scores) of it;
/// `head`, `cell` and `at`, the step, counted from 0.
nlohmann::json shownOnPage(const StageState& state, const StepCursor& cursor);

/// Writes the reading that is open as a web page. What it needs is taken at once; the work itself may be done on any
/// thread, and throws Error. Throws Error where there is no reading.
std::function<void()> readingWriter(const Workbench& workbench, const StageState& state, const QString& path);

}  // namespace headlight

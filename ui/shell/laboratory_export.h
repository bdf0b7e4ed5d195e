// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/lessons/stage_state.h"
#include "ui/session/open/session.h"

namespace headlight {

/// What a page keeps of a stage that it draws by its own means: its record (ui/session/page; null: the page has none
/// for it, or there is nothing on the stage), and what else belongs to that and takes the engine a while, which is
/// asked for on the thread that writes the page (null: nothing).
using Laboratory = std::pair<nlohmann::json, std::function<nlohmann::json()>>;
/// Of the stage that `widget` shows. `tries`: keys of what the lesson's step asks to try there.
Laboratory laboratoryOf(const QWidget& widget, const StageState& state, const Session& session,
                        const std::vector<std::string>& tries);

}  // namespace headlight

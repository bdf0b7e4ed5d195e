// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <nlohmann/json_fwd.hpp>

#include "core/lessons/stage_state.h"
#include "ui/session/open/session.h"

namespace headlight {

/// What a page keeps of the stage that `widget` shows, where that is no reading and the page draws it by its own means
/// (lab_record.h); null: it has none for it, or there is nothing on the stage.
nlohmann::json laboratoryOf(const QWidget& widget, const StageState& state, const Session& session);

}  // namespace headlight

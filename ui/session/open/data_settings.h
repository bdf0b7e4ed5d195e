// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/io/settings_file.h"
#include "core/lessons/stage_state.h"
#include "ui/session/open/data_choice.h"

namespace headlight {

/// The settings of a run that a state names, `key=value` each.
std::vector<Setting> runSettings(const StageState& state);

/// The chosen files and how they are read, under the names of headlight-cli train's options: `source_file=/…`,
/// `tokenizer=bpe:1500`. Of a built-in task nothing; and of what is usual nothing.
std::vector<Setting> dataSettings(const DataChoice& choice);

/// Chooses what such settings say. False, and nothing is chosen, where they name no file.
bool chooseBySettings(DataChoice& choice, const std::vector<Setting>& settings);

}  // namespace headlight

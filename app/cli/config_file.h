// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"
#include "core/io/settings_file.h"

namespace headlight::cli {

/// The arguments of a command with those of its `--config FILE`, a YAML file of options (`d_model: 128`, with _ or -),
/// written out behind them; what stands on the command line itself wins. Commands whose `--config` is no file of
/// options are left as they are. Throws Error, with file and line, for an option that the command does not have.
std::vector<std::string> withConfigFile(const CLI::App& app, std::vector<std::string> arguments);

/// Adds `--config FILE` to a command.
void addConfigFile(CLI::App& command);

/// Every option of a command that was given, whatever way, as it is written in such a file.
std::vector<Setting> settingsOf(const CLI::App& command);

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/config_file.h"

#include <algorithm>

#include "core/error.h"

namespace headlight::cli {

namespace {

constexpr const char* configOption = "--config";
constexpr const char* configText = "FILE.yaml";  // tells it from a command's own --config

bool stands(const std::vector<std::string>& arguments, const std::string& option) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
        return argument == option || argument.starts_with(option + "=");
    });
}

/// Takes `--config FILE` or `--config=FILE` out of the arguments; "" where it is not there.
std::string takeFile(std::vector<std::string>& arguments) {
    for (auto at = arguments.begin(); at != arguments.end(); ++at) {
        if (*at == configOption && at + 1 != arguments.end()) {
            std::string file = *(at + 1);
            arguments.erase(at, at + 2);
            return file;
        }
        if (at->starts_with(std::string(configOption) + "=")) {
            std::string file = at->substr(std::string(configOption).size() + 1);
            arguments.erase(at);
            return file;
        }
    }
    return {};
}

}  // namespace

void addConfigFile(CLI::App& command) {
    // The file is read before the arguments are; the option is here for --help and for who gives no name.
    command.add_option(configOption, "Options from a YAML file, a line `d_model: 128` each; the command line wins")
        ->option_text(configText);
}

std::vector<std::string> withConfigFile(const CLI::App& app, std::vector<std::string> arguments) {
    const std::vector<const CLI::App*> found = app.get_subcommands(
        [&](const CLI::App* each) { return !arguments.empty() && each->get_name() == arguments.front(); });
    const CLI::App* command = found.empty() ? nullptr : found.front();
    const CLI::Option* config = command ? command->get_option_no_throw(configOption) : nullptr;
    if (!config || config->get_option_text() != configText) return arguments;
    const std::string file = takeFile(arguments);
    if (file.empty()) return arguments;
    const std::vector<std::string> given = arguments;
    for (const Setting& setting : readSettings(file)) {
        const std::string option = optionName(setting.key);
        if (!command->get_option_no_throw(option) || option == configOption || option == "--help")
            throw Error(file + ", line " + std::to_string(setting.line) + ": " + command->get_name() +
                        " has no option " + option + ": see headlight-cli " + command->get_name() + " --help");
        if (!stands(given, option)) arguments.push_back(option + "=" + setting.value);
    }
    return arguments;
}

std::vector<Setting> settingsOf(const CLI::App& command) {
    std::vector<Setting> settings;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0 || option->get_lnames().empty()) continue;
        std::string key = option->get_lnames().front();
        std::ranges::replace(key, '-', '_');
        const std::vector<std::string>& values = option->results();
        settings.push_back({key, values.empty() || values.back().empty() ? "true" : values.back()});
    }
    return settings;
}

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/settings_file.h"

#include <set>

#include <yaml-cpp/yaml.h>

#include "core/error.h"
#include "core/io/atomic_write.h"
#include "core/platform/input_file.h"

namespace headlight {

namespace {

YAML::Node readYaml(const std::string& path) {
    constexpr size_t most = size_t{1} << 20;
    const platform::InputFile file(path);
    if (file.size() > most) throw Error(path + " is larger than a megabyte: give a file of settings");
    std::string text(file.size(), '\0');
    file.read(0, text);
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception& error) {
        throw Error(path + ", line " + std::to_string(std::max(0, error.mark.line) + 1) + " is no YAML (" + error.msg +
                    "): write a line `key: value` for each setting");
    }
}

}  // namespace

std::vector<Setting> readSettings(const std::string& path) {
    const YAML::Node all = readYaml(path);
    if (!all.IsMap()) throw Error(path + " holds no settings: write a line `key: value` for each");
    std::vector<Setting> settings;
    std::set<std::string> known;
    for (const auto& each : all) {
        const int line = each.first.Mark().line + 1;
        const std::string place = path + ", line " + std::to_string(line) + ": ";
        if (!each.first.IsScalar()) throw Error(place + "a setting's name is a word");
        const std::string key = each.first.Scalar();
        if (!each.second.IsScalar()) throw Error(place + key + " is one value: write it behind the colon");
        if (!known.insert(key).second) throw Error(place + key + " is given twice: leave one of them out");
        settings.push_back({key, each.second.Scalar(), line});
    }
    return settings;
}

void writeSettings(const std::string& path, const std::vector<Setting>& settings, const std::string& comment) {
    YAML::Emitter out;
    out << YAML::Comment(comment) << YAML::BeginMap;
    for (const Setting& setting : settings)
        out << YAML::Key << setting.key << YAML::Value << setting.value;
    out << YAML::EndMap;
    atomicWrite(path, std::string(out.c_str()) + "\n");
}

}  // namespace headlight

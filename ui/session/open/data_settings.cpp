// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/data_settings.h"

#include <QString>
#include <utility>

#include "core/data/training_recipe.h"
#include "core/error.h"

namespace headlight {

namespace {

constexpr const char *architecture = "arch", *classifier = "encoder-classifier";
constexpr const char *sourceSize = "source_vocab_size", *targetSize = "target_vocab_size";

}  // namespace

std::vector<Setting> runSettings(const StageState& state) {
    std::vector<Setting> settings;
    for (const std::string& text : state.training.settings)
        if (const size_t sign = text.find('='); sign != std::string::npos)
            settings.push_back({text.substr(0, sign), text.substr(sign + 1)});
    return settings;
}

std::vector<Setting> dataSettings(const DataChoice& choice) {
    if (!choice.hasFiles()) return {};
    TrainingSetup setup;
    choice.applyTo(setup);
    std::vector<Setting> settings = settingsOf(setup.data);
    if (choice.hasLabels()) settings.push_back({architecture, classifier});
    for (const auto& [key, size] :
         {std::pair{sourceSize, setup.config.sourceVocabSize}, {targetSize, setup.config.targetVocabSize}})
        if (size > 0) settings.push_back({key, std::to_string(size)});
    return settings;
}

bool chooseBySettings(DataChoice& choice, const std::vector<Setting>& settings) {
    TrainingSetup setup;
    try {
        for (const Setting& setting : settings) {
            readSetting(setting, setup.data);
            const int number = QString::fromStdString(setting.value).toInt();
            if (setting.key == sourceSize) setup.config.sourceVocabSize = number;
            if (setting.key == targetSize) setup.config.targetVocabSize = number;
            if (setting.key == architecture && setting.value == classifier) setup.config.architecture = classifier;
        }
    } catch (const Error&) {
        return false;  // a link from a later version
    }
    CorpusFiles& files = setup.data.files;
    files.task.clear();
    const int given = !files.pairs.empty() + !files.sourceFile.empty() + !files.textFile.empty();
    if (given != 1 || files.sourceFile.empty() != files.targetFile.empty()) return false;
    choice.choose(setup);
    return true;
}

}  // namespace headlight

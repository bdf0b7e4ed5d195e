// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"

namespace headlight::fixture {

// Models that tests read, and what an action says when it fails.

inline std::string shippedPath(const std::string& name) {
    return HEADLIGHT_SOURCE_DIR "/resources/models/" + name + ".safetensors";
}

inline TrainedModel loadShipped(const QString& name) {
    return loadModel(shippedPath(name.toStdString()));
}

/// As LessonLibrary and the command line open the models that lessons name. Throws Error if there is no such model.
inline std::shared_ptr<const TrainedModel> openShipped(const std::string& name) {
    if (!std::filesystem::exists(shippedPath(name))) throw Error("there is no shipped model \"" + name + "\"");
    return std::make_shared<const TrainedModel>(loadModel(shippedPath(name)));
}

/// A small model whose values PyTorch computed.
inline TrainedModel loadGolden(const QString& name) {
    return loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/" + name.toStdString() + ".safetensors");
}

/// A model of other programs, by the name of its folder or file, else a golden one, else one that ships.
inline TrainedModel loadByName(const QString& name) {
    const std::filesystem::path golden = HEADLIGHT_SOURCE_DIR "/tests/golden";
    const std::filesystem::path foreign = golden / "foreign" / name.toStdString();
    if (std::filesystem::is_directory(foreign)) return openModel(foreign.string());
    const std::string file = foreign.string() + ".safetensors";
    if (std::filesystem::exists(file)) return openModel(file);
    return std::filesystem::exists(golden / (name.toStdString() + ".safetensors")) ? loadGolden(name)
                                                                                   : loadShipped(name);
}

/// Returns what the error says that an action throws; empty if it throws none.
inline QString messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

}  // namespace headlight::fixture

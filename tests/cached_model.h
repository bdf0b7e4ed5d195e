// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace headlight::fixture {

/// One of the models of tests/golden/foreign as Hugging Face's programs keep what they downloaded, under `owner/name`
/// or a name alone: contents in blobs, names in snapshots/COMMIT that are links to them. `reference` names the commit;
/// empty: none does. The folder of the model.
inline std::filesystem::path cacheModel(const std::filesystem::path& cache, std::string name, const char* golden,
                                        const std::string& commit, const std::string& reference = "main") {
    namespace fs = std::filesystem;
    if (const size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
    const fs::path model = cache / ("models--" + name), snapshot = model / "snapshots" / commit;
    fs::create_directories(model / "blobs");
    fs::create_directories(snapshot);
    for (const auto& file : fs::directory_iterator(fs::path(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign") / golden)) {
        const std::string blob = commit + "-" + file.path().filename().string();
        fs::copy_file(file.path(), model / "blobs" / blob);
        fs::create_symlink("../../blobs/" + blob, snapshot / file.path().filename());
    }
    if (reference.empty()) return model;
    fs::create_directories((model / "refs" / reference).parent_path());
    std::ofstream(model / "refs" / reference, std::ios::binary) << commit;
    return model;
}

}  // namespace headlight::fixture

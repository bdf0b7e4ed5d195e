// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of another program's model. The first part says which of tests/golden/foreign lends its weights; then come
// config.json, and, where they are not empty, model.safetensors.index.json and generation_config.json. What opens must
// compute, too.
#include <algorithm>

#include "core/import/import_model.h"
#include "tests/fuzz/fuzz_model.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr const char* configFile = "config.json";
constexpr const char* indexFile = "model.safetensors.index.json";

/// A copy of the models, whose configurations are then written anew for each input.
class Models {
public:
    Models() {
        const fs::path golden = HEADLIGHT_SOURCE_DIR "/tests/golden/foreign";
        for (const fs::directory_entry& entry : fs::directory_iterator(golden)) {
            const std::string name = entry.path().filename().string();
            if (entry.is_directory()) {
                fs::copy(entry.path(), m_scratch.path() / name);
                m_names.push_back(name);
            } else if (name.starts_with("pytorch_") && !name.ends_with(".json") &&
                       !name.ends_with("expected.safetensors")) {
                const std::string stem = entry.path().stem().string();
                fs::create_directory(m_scratch.path() / stem);
                fs::copy(entry.path(), m_scratch.path() / stem / "model.safetensors");
                m_names.push_back(stem);
            }
        }
        std::ranges::sort(m_names);
        for (const std::string& name : m_names)
            m_indices.push_back(contents(m_scratch.path() / name / indexFile));
    }

    /// The folder, with what the parts of an input say.
    fs::path folderOf(const std::vector<std::string>& parts) const {
        size_t model = 0;
        while (model + 1 < m_names.size() && m_names[model] != parts[0])
            ++model;
        const std::string folder = m_names[model] + "/";
        m_scratch.write(folder + configFile, parts[1]);
        m_scratch.writeOrRemove(folder + indexFile, parts[2].empty() ? m_indices[model] : parts[2]);
        m_scratch.writeOrRemove(folder + "generation_config.json", parts[3]);
        return m_scratch.path() / m_names[model];
    }

private:
    static std::string contents(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    fuzz::Scratch m_scratch;
    std::vector<std::string> m_names, m_indices;
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Models models;
    const std::string folder = models.folderOf(fuzz::partsOf(data, size, 4)).string();
    fuzz::reads([&] { readCardOf(folder); }, folder);
    TrainedModel model;
    if (!fuzz::reads([&] { model = openModel(folder); }, folder)) return 0;
    fuzz::use(model, "5 9 6", "7 8");
    return 0;
}

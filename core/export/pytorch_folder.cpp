// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/pytorch_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/export/python_files.h"
#include "core/io/model_file.h"
#include "core/io/new_folder.h"
#include "core/json_text.h"

namespace headlight {

namespace {

constexpr std::string_view readme = "README.md";

/// The program that uses a model of some architecture, and what it and train.py are called with in the README.
struct Use {
    std::string_view script, arguments, data;
};

constexpr std::string_view pairs = "--pairs FILE.tsv", textFile = "--text-file FILE";
constexpr Use translates{"translate.py", "--beam 4 \"A SENTENCE\"", pairs};
constexpr Use generates{"generate.py", "--temperature 0 --prompt \"THE BEGINNING\"", textFile};
constexpr Use classifies{"classify.py", "\"A SENTENCE\"", pairs};
constexpr Use fills{"fill.py", "\"A TEXT WITH A MASK\"", textFile};

const Use& useOf(const ModelConfig& config) {
    if (config.masked()) return fills;
    switch (config.corpusKind()) {
        case CorpusKind::Translation:
            return translates;
        case CorpusKind::Text:
            return generates;
        case CorpusKind::Labels:
            return classifies;
    }
    return translates;
}

/// Of the programs only the one that fits the model; what they share always.
bool belongs(std::string_view name, const Use& use) {
    constexpr std::array all{&translates, &generates, &classifies, &fills};
    return name == use.script || std::ranges::none_of(all, [&](const Use* each) { return each->script == name; });
}

std::string filled(std::string_view form, const std::vector<std::pair<std::string, std::string>>& values) {
    std::string result(form);
    for (const auto& [key, value] : values)
        for (size_t at = result.find(key); at != std::string::npos; at = result.find(key, at + value.size()))
            result.replace(at, key.size(), value);
    return result;
}

std::string pretty(const nlohmann::json& json) {
    return jsonText(json, 1) + "\n";
}

void writePrograms(const NewFolder& folder, const ModelConfig& config, size_t weights, const std::string& name) {
    const Use& use = useOf(config);
    for (const PythonFile& file : pythonFiles()) {
        if (!belongs(file.name, use)) continue;
        folder.write(file.name, file.name == readme ? filled(file.text, {{"{{name}}", name},
                                                                         {"{{architecture}}", config.architecture},
                                                                         {"{{weights}}", std::to_string(weights)},
                                                                         {"{{script}}", std::string(use.script)},
                                                                         {"{{arguments}}", std::string(use.arguments)},
                                                                         {"{{data}}", std::string(use.data)},
                                                                         {"{{version}}", HEADLIGHT_VERSION}})
                                                    : std::string(file.text));
    }
}

}  // namespace

void writePyTorchFolder(const TrainedModel& model, const std::string& path, safetensors::DType weights) {
    const ModelConfig& config = model.network->config();
    if (config.headless())
        throw Error(
            "this model has no head that says words or labels, and the programs of such a folder print and train "
            "those: use --format huggingface, or write its trace for a notebook");
    NewFolder folder(path);
    folder.write("config.json", pretty(config.toJson()));
    folder.write("training.json", pretty(model.training.savedAs(nameOf(weights)).json()));
    const nlohmann::json source = model.source->toJson(), target = model.target->toJson();
    folder.write("source_tokenizer.json", pretty(source));
    if (source != target) folder.write("target_tokenizer.json", pretty(target));
    writePrograms(folder, config, std::as_const(*model.network).parameters().count(),
                  std::filesystem::weakly_canonical(path).filename().string());
    saveModel(model, folder.file("model.safetensors"), weights);
    folder.keep();
}

}  // namespace headlight

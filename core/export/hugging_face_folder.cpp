// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/hugging_face_folder.h"

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/export/tokenizer_files.h"
#include "core/import/labels.h"
#include "core/import/model_kind.h"
#include "core/io/new_folder.h"
#include "core/io/safetensors.h"
#include "core/json_text.h"

namespace headlight {

namespace {

/// A kind, and the model in its words.
struct Fit {
    const ModelKind* kind = nullptr;
    nlohmann::json json;
    std::vector<std::string> differences;  ///< what the kind would compute otherwise
};

int keyWidth(const ModelConfig& config) {
    return config.keyHeads() * config.headWidth();
}

/// What two configurations that mean the same have alike.
nlohmann::json meaning(ModelConfig config) {
    config.numKvHeads = config.keyHeads();
    config.headSize = config.headWidth();
    if (config.encoderDecoder()) config.decoderStartId = config.decoderStart();
    nlohmann::json json = config.toJson();
    json.erase("unk_id");                               // nothing is computed with it
    if (config.encoderDecoder()) json.erase("bos_id");  // nor with this, beside decoder_start_id
    // What stands around a text comes with its tokenizer.
    if (config.masked() || config.headless())
        for (const char* key : {"bos_id", "eos_id", "mask_id"})
            json.erase(key);
    json.erase("separator_id");
    return json;
}

std::vector<std::string> differences(const ModelConfig& ours, const ModelConfig& theirs) {
    const nlohmann::json a = meaning(ours), b = meaning(theirs);
    std::set<std::string> keys;
    for (const nlohmann::json* each : {&a, &b})
        for (const auto& [key, value] : each->items())
            keys.insert(key);
    const auto text = [](const nlohmann::json& json, const std::string& key) {
        return json.contains(key) ? jsonText(json[key]) : std::string("as usual");
    };
    std::vector<std::string> result;
    for (const std::string& key : keys)
        if (text(a, key) != text(b, key)) result.push_back(key + " is " + text(a, key) + " and there " + text(b, key));
    return result;
}

/// What an imported model's config.json said, where it was of this kind.
nlohmann::json originalConfig(const TrainedModel& model, const ModelKind& kind) {
    const nlohmann::json& story = model.training.json();
    if (!story.contains("imported") || !story["imported"].is_object()) return nlohmann::json::object();
    const nlohmann::json& imported = story["imported"];
    const bool same = imported.value("kind", nlohmann::json()) == kind.name;
    const nlohmann::json config = same ? imported.value("config", nlohmann::json()) : nlohmann::json();
    return config.is_object() ? config : nlohmann::json::object();
}

WeightPlan planOf(const Fit& fit, const TrainedModel& model, const WeightFiles& none) {
    WeightPlan plan(none);
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    fit.kind->weights(model.network->config(), ForeignConfig(fit.json, "config.json"), parameters, plan);
    return plan;
}

/// The model in a kind's words, and what these words say when they are read again.
Fit fitOf(const ModelKind& kind, const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    Fit fit{&kind, originalConfig(model, kind), {}};
    fit.json.update(describeConfig(kind, config));
    const WeightFiles none = WeightFiles::planned({});
    const WeightPlan plan = planOf(fit, model, none);
    try {
        const WeightFiles files =
            WeightFiles::planned(plan.shapes(std::as_const(*model.network).parameters(), keyWidth(config)));
        const ModelConfig read = readConfig(kind, ForeignConfig(fit.json, "config.json"), files);
        fit.differences = differences(config, read);
    } catch (const Error& error) {
        fit.differences = {error.what()};
    }
    return fit;
}

std::string listed(const std::vector<std::string>& parts) {
    std::string result;
    for (const std::string& part : parts)
        result += (result.empty() ? "" : "; ") + part;
    return result;
}

bool speaksOf(const ModelKind& kind, const std::string& architecture) {
    return kind.describe != nullptr && std::ranges::find(kind.architectures, architecture) != kind.architectures.end();
}

/// All kinds; the one that an imported model was of first, as several may compute the same.
std::vector<const ModelKind*> kindsFor(const TrainedModel& model) {
    std::vector<const ModelKind*> kinds(modelKinds().begin(), modelKinds().end());
    std::stable_partition(kinds.begin(), kinds.end(),
                          [&](const ModelKind* kind) { return !originalConfig(model, *kind).empty(); });
    return kinds;
}

Fit kindFor(const TrainedModel& model) {
    const std::string& architecture = model.network->config().architecture;
    std::optional<Fit> nearest;
    for (const ModelKind* kind : kindsFor(model)) {
        if (!speaksOf(*kind, architecture)) continue;
        Fit fit = fitOf(*kind, model);
        if (fit.differences.empty()) return fit;
        if (!nearest || fit.differences.size() < nearest->differences.size()) nearest = std::move(fit);
    }
    if (!nearest)
        throw Error("there is no model of architecture " + architecture +
                    " among the kinds that Headlight writes for Hugging Face's programs: use --format pytorch");
    throw Error("no kind of Hugging Face's computes what this model computes; the nearest is " +
                std::string(nearest->kind->name) + ", but " + listed(nearest->differences) + ": use --format pytorch");
}

}  // namespace

std::string writeHuggingFaceFolder(const TrainedModel& model, const std::string& path, safetensors::DType weights) {
    NewFolder folder(path);
    Fit fit = kindFor(model);
    if (model.network->config().corpusKind() == CorpusKind::Labels && !fit.json.contains("id2label"))
        fit.json["id2label"] = describeLabels(*model.target, model.network->config().firstLabel());
    fit.json["torch_dtype"] =
        weights == safetensors::DType::F16 ? "float16" : "float32";  // whatever the imported ones were kept as
    folder.write("config.json", jsonText(fit.json, 2) + "\n");
    std::string note = writeTokenizerFiles(model, fit.kind->name, folder);
    safetensors::Writer writer(weights);
    writer.setMetadata("format", "pt");
    std::list<std::vector<float>> turned;
    const WeightFiles none = WeightFiles::planned({});
    planOf(fit, model, none)
        .write(std::as_const(*model.network).parameters(), keyWidth(model.network->config()), fit.kind->fileName,
               turned, writer);
    writer.write(folder.file("model.safetensors"));
    folder.keep();
    return note;
}

}  // namespace headlight

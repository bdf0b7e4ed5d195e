// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/model_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/io/safetensors.h"
#include "core/json_text.h"
#include "core/tensor/number_formats.h"
#include "core/train/trainer.h"

namespace headlight {

namespace {

constexpr const char* formatKey = "format";
constexpr const char* formatName = "headlight";
constexpr const char* versionKey = "headlight.version";
constexpr const char* configKey = "headlight.config";
constexpr const char* sourceKey = "headlight.tokenizer.source";
constexpr const char* targetKey = "headlight.tokenizer.target";
constexpr const char* trainingKey = "headlight.training";
constexpr const char* checkpointKey = "headlight.checkpoint";
constexpr const char* firstMomentPrefix = "optimizer.first.";
constexpr const char* secondMomentPrefix = "optimizer.second.";

/// Of weights that a run has kept at a step.
std::string keptPrefix(long step) {
    return "kept." + std::to_string(step) + ".";
}

std::vector<int64_t> dims(const Shape& shape) {
    std::vector<int64_t> result;
    result.reserve(static_cast<size_t>(shape.rank()));
    for (int axis = 0; axis < shape.rank(); ++axis)
        result.push_back(shape.dim(axis));
    return result;
}

std::string text(const std::vector<int64_t>& shape) {
    std::string result;
    for (int64_t dim : shape)
        result += (result.empty() ? "" : "×") + std::to_string(dim);
    return result;
}

/// Zeros for the tensors that PyTorch has and the model does without. Alive until the file is written.
class Twins {
public:
    Twins(safetensors::Writer& writer, const ParameterSet& parameters) : m_zeros(parameters.flatSize()) {
        for (const ParameterSet::Entry& entry : parameters.entries())
            if (!entry.twin.empty())
                writer.add(entry.twin, dims(entry.shape), std::span(m_zeros).first(entry.shape.count()));
    }

private:
    const std::vector<float> m_zeros;  ///< as many as any weight has; the writer only looks at them
};

/// Adds every weight's part of a flat buffer under `prefix` + its name.
void addFlat(safetensors::Writer& writer, const ParameterSet& parameters, const float* flat,
             const std::string& prefix) {
    for (const ParameterSet::Entry& entry : parameters.entries())
        writer.add(prefix + entry.name, dims(entry.shape), std::span(flat + entry.offset, entry.shape.count()));
}

/// Reads a weight to its place.
void readTensor(const safetensors::File& file, const std::string& name, const Shape& wanted, std::span<float> values,
                const std::string& path) {
    if (!file.contains(name))
        throw Error(path + " lacks the tensor " + name + ": it is damaged, or not made by Headlight");
    const std::vector<int64_t>& shape = file.entry(name).shape;
    if (shape != dims(wanted))
        throw Error(path + " has " + name + " as " + text(shape) + ", and its configuration makes it " +
                    text(dims(wanted)) + ": the two do not belong together");
    file.readFloats(name, values);
    if (!allFinite(values.size(), values.data()))
        throw Error(path + " has a weight that is not a number in " + name + ": its training went wrong");
}

void readFlat(const safetensors::File& file, const ParameterSet& parameters, float* flat, const std::string& prefix,
              const std::string& path) {
    for (const ParameterSet::Entry& entry : parameters.entries())
        readTensor(file, prefix + entry.name, entry.shape, std::span(flat + entry.offset, entry.shape.count()), path);
}

/// A file by another hand may have numbers in them.
void addTwins(const safetensors::File& file, ParameterSet& parameters, const std::string& path) {
    for (const ParameterSet::Entry& entry : parameters.entries()) {
        if (entry.twin.empty() || !file.contains(entry.twin)) continue;
        std::vector<float> values(entry.shape.count());
        readTensor(file, entry.twin, entry.shape, values, path);
        for (size_t i = 0; i < values.size(); ++i)
            parameters.flat()[entry.offset + i] += values[i];
    }
}

void describeModel(safetensors::Writer& writer, const TrainedModel& model, safetensors::DType weights) {
    writer.setMetadata(formatKey, formatName);
    writer.setMetadata(versionKey, HEADLIGHT_VERSION);
    writer.setMetadata(configKey, jsonText(model.network->config().toJson(), -1, BadBytes::Refuse));
    writer.setMetadata(sourceKey, jsonText(model.source->toJson(), -1, BadBytes::Refuse));
    writer.setMetadata(targetKey, jsonText(model.target->toJson(), -1, BadBytes::Refuse));
    writer.setMetadata(trainingKey, jsonText(model.training.savedAs(nameOf(weights)).json(), -1, BadBytes::Refuse));
}

constexpr size_t mostValues = size_t{1} << 21;

/// `most`: values in it. A list of empty texts takes forty times the memory of its file, and one list in another a
/// hundred times, so both are counted while it is read.
nlohmann::json metadataJson(const safetensors::File& file, const char* key, const std::string& path,
                            size_t most = mostValues) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end())
        throw Error(path + " lacks " + key + " in its metadata: it is not a whole Headlight model");
    return parseBoundedJson(found->second, path + ": its metadata " + key, {.values = most});
}

/// Files of one major version read one another. −1 where the text does not begin with a number.
int majorVersion(const std::string& version) {
    int major = -1;
    std::from_chars(version.data(), version.data() + version.size(), major);
    return major;
}

void checkFormat(const safetensors::File& file, const std::string& path) {
    const auto format = file.metadata().find(formatKey);
    if (format == file.metadata().end() || format->second != formatName)
        throw Error(path +
                    " is a safetensors file, but not a Headlight model: this version reads those that it trained "
                    "itself (headlight-cli train)");
    const auto version = file.metadata().find(versionKey);
    const std::string written = version == file.metadata().end() ? "unknown" : version->second;
    if (majorVersion(written) < 0 || majorVersion(written) > majorVersion(HEADLIGHT_VERSION))
        throw Error(path + " was written by Headlight " + written +
                    ", and this is Headlight " HEADLIGHT_VERSION ": use a newer one");
}

/// Refuses tensors that nothing of the model asks for: a file that is more than it says.
void refuseSurplus(const safetensors::File& file, const ParameterSet& parameters, const std::string& path) {
    std::set<std::string> known;
    for (const ParameterSet::Entry& entry : parameters.entries())
        known.insert({entry.name, entry.twin});
    for (const auto& [name, entry] : file.entries())
        if (!known.count(name) && !name.starts_with("optimizer.") && !name.starts_with("kept."))
            throw Error(path + " has the tensor " + name + ", which its configuration has no place for");
}

/// The weights, each of them a number: what went wrong must not take the place of what was good.
const ParameterSet& soundWeights(const TrainedModel& model, const std::string& path) {
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    if (!allFinite(parameters.flatSize(), parameters.flat().data()))
        throw Error(path +
                    " was not written: a weight is no longer a number; lower --learning-rate or set --clip-norm");
    return parameters;
}

/// What `read` throws, said of the file.
template <typename Read>
auto naming(const std::string& path, Read read) {
    try {
        return read();
    } catch (const Error& error) {
        const std::string what = error.what();
        throw Error(what.starts_with(path) ? what : path + ": " + what);
    }
}

/// The configuration, the words, and a model that still has to get its weights.
TrainedModel readFrame(const safetensors::File& file, const std::string& path) {
    TrainedModel model;
    const ModelConfig config = ModelConfig::fromJson(metadataJson(file, configKey, path));
    config.validate();
    // Before anything is allocated: weights that the file does not have cannot be asked of memory either.
    size_t there = 0;
    for (const auto& [name, entry] : file.entries())
        there += static_cast<size_t>(entry.count());
    // A tensor too few or too small is told by its name below: as long as that costs no more than the file itself.
    if (config.weightCount() / 2 > there)
        throw Error("the configuration asks for more weights than the file holds: the two do not belong together");
    // The words are counted by weights that are there; merges that lead to none of them are few.
    const auto valuesFor = [](int words) { return std::min(mostValues, 65536 + 16 * static_cast<size_t>(words)); };
    model.source = tokenizerFromJson(metadataJson(file, sourceKey, path, valuesFor(config.sourceVocabSize)));
    model.target = tokenizerFromJson(metadataJson(file, targetKey, path, valuesFor(config.targetVocabSize)));
    if (model.source->vocabulary().size() != config.sourceVocabSize ||
        model.target->vocabulary().size() != config.targetVocabSize)
        throw Error("the vocabularies are not of the sizes that the configuration says");
    model.network = Model::make(config);
    return model;
}

}  // namespace

void saveModel(const TrainedModel& model, const std::string& path, safetensors::DType weights) {
    const ParameterSet& parameters = soundWeights(model, path);
    safetensors::Writer writer(weights);
    describeModel(writer, model, weights);
    addFlat(writer, parameters, parameters.flat().data(), "");
    const Twins twins(writer, parameters);
    writer.write(path);
}

void roundWeights(TrainedModel& model, safetensors::DType weights) {
    ParameterSet& parameters = model.network->parameters();
    const std::vector<float> before(parameters.flat().begin(), parameters.flat().end());
    try {
        for (const ParameterSet::Entry& entry : parameters.entries())
            roundTo(weights, parameters.flat().subspan(entry.offset, entry.shape.count()), entry.name);
    } catch (const Error&) {
        std::ranges::copy(before, parameters.flat().begin());
        throw;
    }
}

ModelCard readModelCard(const std::string& path) {
    const safetensors::File file = safetensors::File::read(path);
    checkFormat(file, path);
    return naming(path, [&]() -> ModelCard {
        return {ModelConfig::fromJson(metadataJson(file, configKey, path)),
                TrainingStory(metadataJson(file, trainingKey, path)).savedAs(file.floatTypes())};
    });
}

TrainedModel loadModel(const std::string& path) {
    const safetensors::File file = safetensors::File::read(path);
    checkFormat(file, path);
    TrainedModel model = naming(path, [&] { return readFrame(file, path); });
    ParameterSet& parameters = model.network->parameters();
    refuseSurplus(file, parameters, path);
    readFlat(file, parameters, parameters.flat().data(), "", path);
    addTwins(file, parameters, path);
    model.file = path;
    model.training = TrainingStory(metadataJson(file, trainingKey, path)).savedAs(file.floatTypes());
    return model;
}

namespace {

/// What must be the same for a run to go on as if it had not been interrupted.
nlohmann::json runIdentity(const TrainOptions& options, const ModelConfig& config) {
    const Schedule schedule = options.scheduleFor(config);
    return {{"seed", options.seed},
            options.batchSetting(),
            {"accumulate", options.accumulate},
            {"adam", {options.adam.beta1, options.adam.beta2, options.adam.weightDecay}},
            {"optimizer", static_cast<int>(options.optimizer)},
            {"schedule", static_cast<int>(options.schedule)},
            {"learning_rate", schedule.learningRate},
            {"warmup_steps", schedule.warmupSteps},
            {"label_smoothing", options.labelSmoothing},
            {"clip_norm", options.clipNorm},
            {"teacher_forcing", {options.teacherForcing, options.teacherForcingEnd}}};
}

constexpr const char *changesKey = "rate_changes", *forksKey = "fork_changes", *keptKey = "kept";

/// The changes of the learning rate that decided what the weights are after a step.
std::string changesUpTo(std::vector<RateChange> changes, long step) {
    std::erase_if(changes, [step](const RateChange& change) { return change.step > step; });
    return textOf(changes);
}

/// What was otherwise in the run up to a step.
std::string forksUpTo(const ForkChanges& forks, long step) {
    const ForkChanges done = forks.upTo(step);
    return done.empty() ? std::string() : textOf(done.order) + ";" + textOf(done.muted);
}

long stepOf(const nlohmann::json& state, const std::string& path) {
    if (!state.is_object() || !state.contains("step") || !state["step"].is_number_integer() ||
        state["step"].get<long>() < 0)
        throw Error(path + " does not say at which step it was written: the file is damaged");
    return state["step"].get<long>();
}

/// Only where there is anything: a run that writes its last weights has a file as it was before one could choose.
nlohmann::json toJson(const KeptState& kept) {
    nlohmann::json steps = nlohmann::json::array();
    for (const StepWeights& weights : kept.weights)
        steps.push_back(weights.step);
    nlohmann::json json{{"steps", std::move(steps)}};
    if (std::isfinite(kept.least)) json.update({{"least", kept.least}, {"step", kept.leastAt}, {"since", kept.since}});
    return json;
}

/// Throws Error for a file that says what cannot be, before anything is made room for.
KeptState readKept(const safetensors::File& file, const nlohmann::json& state, const ParameterSet& parameters,
                   const std::string& path) {
    KeptState kept;
    const auto json = state.find(keptKey);
    if (json == state.end()) return kept;
    const Error damaged(path + " does not say which weights its run kept: the file is damaged");
    const auto isCount = [&](const char* key) { return json->contains(key) && (*json)[key].is_number_unsigned(); };
    if (!json->is_object() || !json->contains("steps") || !(*json)["steps"].is_array()) throw damaged;
    for (const nlohmann::json& step : (*json)["steps"]) {
        const long at = step.is_number_unsigned() ? step.get<long>() : -1;
        const bool rises = at >= 0 && (kept.weights.empty() || at > kept.weights.back().step);
        if (!rises || !file.contains(keptPrefix(at) + parameters.entries().front().name)) throw damaged;
        std::vector<float> flat(parameters.flatSize());
        readFlat(file, parameters, flat.data(), keptPrefix(at), path);
        kept.weights.push_back({at, std::make_shared<const std::vector<float>>(std::move(flat))});
    }
    if (!json->contains("least")) return kept;
    if (!(*json)["least"].is_number() || !isCount("step") || !isCount("since")) throw damaged;
    kept.least = (*json)["least"].get<double>();
    kept.leastAt = (*json)["step"].get<long>();
    kept.since = (*json)["since"].get<int>();
    return kept;
}

void writeCheckpoint(const TrainedModel& model, const TrainOptions& options, long step,
                     const std::vector<float>& firstMoment, const std::vector<float>& secondMoment,
                     const KeptState& kept, const std::string& path) {
    const ParameterSet& parameters = soundWeights(model, path);
    safetensors::Writer writer;
    describeModel(writer, model, safetensors::DType::F32);
    nlohmann::json state = runIdentity(options, model.network->config());
    state["step"] = step;
    // Only where there are any: a run whose rate nobody turned is written as it was before one could.
    if (const std::string changes = changesUpTo(options.rateChanges, step); !changes.empty())
        state[changesKey] = changes;
    if (const std::string forks = forksUpTo(options.forks, step); !forks.empty()) state[forksKey] = forks;
    if (!kept.weights.empty()) state[keptKey] = toJson(kept);
    writer.setMetadata(checkpointKey, jsonText(state, -1, BadBytes::Refuse));
    addFlat(writer, parameters, parameters.flat().data(), "");
    const Twins twins(writer, parameters);
    if (options.optimizer == OptimizerKind::Adam) {
        addFlat(writer, parameters, firstMoment.data(), firstMomentPrefix);
        addFlat(writer, parameters, secondMoment.data(), secondMomentPrefix);
    }
    for (const StepWeights& weights : kept.weights)
        addFlat(writer, parameters, weights.flat->data(), keptPrefix(weights.step));
    writer.write(path);
}

}  // namespace

void saveCheckpoint(const TrainedModel& model, Trainer& trainer, const std::string& path, const KeptState& kept) {
    writeCheckpoint(model, trainer.options(), trainer.stepsDone(), trainer.optimizer().firstMoment(),
                    trainer.optimizer().secondMoment(), kept, path);
}

void saveCheckpoint(const TrainedModel& model, const TrainOptions& options, const TrainerState& state,
                    const std::string& path, const KeptState& kept) {
    writeCheckpoint(model, options, state.step, state.firstMoment, state.secondMoment, kept, path);
}

Checkpoint loadCheckpoint(const std::string& path) {
    Checkpoint checkpoint{loadModel(path), {}, {}};
    const safetensors::File file = safetensors::File::read(path);
    const nlohmann::json state = metadataJson(file, checkpointKey, path);
    checkpoint.trainer.step = stepOf(state, path);
    const ParameterSet& parameters = std::as_const(*checkpoint.model.network).parameters();
    checkpoint.kept = readKept(file, state, parameters, path);
    const auto optimizer = state.find("optimizer");
    if (optimizer == state.end() || *optimizer != static_cast<int>(OptimizerKind::Adam)) return checkpoint;
    for (auto [moment, prefix] : {std::pair(&checkpoint.trainer.firstMoment, firstMomentPrefix),
                                  std::pair(&checkpoint.trainer.secondMoment, secondMomentPrefix)}) {
        moment->resize(parameters.flatSize());
        readFlat(file, parameters, moment->data(), prefix, path);
    }
    return checkpoint;
}

KeptState resumeFromCheckpoint(TrainedModel& model, Trainer& trainer, const std::string& path) {
    const safetensors::File file = safetensors::File::read(path);
    checkFormat(file, path);
    const nlohmann::json state = metadataJson(file, checkpointKey, path);
    const long step = stepOf(state, path);
    const nlohmann::json identity = runIdentity(trainer.options(), model.network->config());
    for (const auto& [key, value] : identity.items())
        if (!state.contains(key) || state[key] != value)
            throw Error(path + " was written by a run with another " + key + ": resume with the same options");
    const auto changes = state.find(changesKey);
    if ((changes == state.end() ? nlohmann::json("") : *changes) != changesUpTo(trainer.options().rateChanges, step))
        throw Error(path + " was written by a run with other rate changes: resume with the same options");
    const auto forks = state.find(forksKey);
    if ((forks == state.end() ? nlohmann::json("") : *forks) != forksUpTo(trainer.options().forks, step))
        throw Error(path +
                    " was written by a run with another order or other muted heads: resume with the same "
                    "options");
    if (metadataJson(file, configKey, path) != model.network->config().toJson())
        throw Error(path + " is of a model with other sizes: resume with the same options and data");
    for (const auto& [key, tokenizer] : {std::pair{sourceKey, model.source}, std::pair{targetKey, model.target}})
        if (metadataJson(file, key, path) != tokenizer->toJson())
            throw Error(path + " has another vocabulary: resume with the same data");
    ParameterSet& parameters = model.network->parameters();
    readFlat(file, parameters, parameters.flat().data(), "", path);
    addTwins(file, parameters, path);
    if (trainer.optimizer().kind() == OptimizerKind::Adam) {
        readFlat(file, parameters, trainer.optimizer().firstMoment().data(), firstMomentPrefix, path);
        readFlat(file, parameters, trainer.optimizer().secondMoment().data(), secondMomentPrefix, path);
    }
    trainer.resumeAt(step);
    return readKept(file, state, parameters, path);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/training_recipe.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_text.h"
#include "core/number_text.h"
#include "core/train/trainer.h"

namespace headlight {

namespace {

/// With as many digits as it takes to come back.
std::string written(double number) {
    char text[32];
    return {std::begin(text), std::to_chars(std::begin(text), std::end(text), number).ptr};
}

std::string written(bool value) {
    return value ? "true" : "false";
}

template <class Number>
Number settingNumber(const Setting& setting, std::string_view text) {
    Number number{};
    if (!readNumber(text, number)) throw Error("the setting " + setting.key + " is a number, not " + setting.value);
    return number;
}

template <class Number>
Number settingNumber(const Setting& setting) {
    return settingNumber<Number>(setting, setting.value);
}

std::string nameOfTokenizer(const TokenizerOptions& tokenizer) {
    switch (tokenizer.kind) {
        case TokenizerOptions::Kind::Word:
            return "word";
        case TokenizerOptions::Kind::Whitespace:
            return "whitespace";
        case TokenizerOptions::Kind::Char:
            return "char";
        case TokenizerOptions::Kind::Bpe:
            return "bpe:" + std::to_string(tokenizer.merges);
    }
    return {};
}

constexpr const char* adamName = "adam";
constexpr const char* sgdName = "sgd";

const char* nameOfOptimizer(OptimizerKind kind) {
    return kind == OptimizerKind::Adam ? adamName : sgdName;
}

constexpr std::string_view taskKey = "task";

std::string wholePath(const std::string& path) {
    return path.empty() ? path : std::filesystem::absolute(path).string();
}

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Where the names of files stand, by the keys of their settings.
template <class Data, class Visit>
void visitFiles(Data& data, Visit&& visit) {
    visit(taskKey, data.files.task);
    visit("pairs", data.files.pairs);
    visit("source_file", data.files.sourceFile);
    visit("target_file", data.files.targetFile);
    visit("text_file", data.files.textFile);
    visit("alignments", data.files.alignments);
    visit("validation_pairs", data.validation.pairs);
    visit("validation_source_file", data.validation.sourceFile);
    visit("validation_target_file", data.validation.targetFile);
    visit("validation_text_file", data.validation.textFile);
    visit("test_pairs", data.test.pairs);
    visit("test_source_file", data.test.sourceFile);
    visit("test_target_file", data.test.targetFile);
    visit("test_text_file", data.test.textFile);
    visit("source_codes", data.tokenizer.sourceCodes);
    visit("target_codes", data.tokenizer.targetCodes);
}

Fields fileFields(const TrainingData& data) {
    Fields fields;
    visitFiles(data, [&](std::string_view key, const std::string& file) {
        if (!file.empty()) fields.emplace_back(key, key == taskKey ? file : wholePath(file));
    });
    return fields;
}

std::vector<Setting> toSettings(const Fields& fields) {
    std::vector<Setting> settings;
    for (const auto& [key, value] : fields)
        settings.push_back({key, value});
    return settings;
}

/// Ids are the vocabulary's, and sizes of 0 say nothing.
Fields modelFields(const ModelConfig& config) {
    Fields fields;
    const nlohmann::json json = config.toJson();
    for (const auto& [key, value] : json.items()) {
        // What running text makes of a model it makes of it again.
        if (key == "starts_at_end" || value.is_array()) continue;
        if (key.ends_with("_id") || (key.ends_with("_vocab_size") && value == 0)) continue;
        fields.emplace_back(key == "architecture" ? "arch" : key,
                            value.is_string() ? value.get<std::string>() : jsonText(value));
    }
    return fields;
}

Fields optionFields(const TrainOptions& options) {
    Fields fields = {{"steps", std::to_string(options.steps)},
                     {"seed", std::to_string(options.seed)},
                     {options.batchSetting().first, std::to_string(options.batchSetting().second)},
                     {"accumulate", std::to_string(options.accumulate)},
                     {"schedule", nameOf(options.schedule)},
                     {"label_smoothing", written(options.labelSmoothing)},
                     {"clip_norm", written(options.clipNorm)},
                     {"optimizer", nameOfOptimizer(options.optimizer)},
                     {"beta1", written(options.adam.beta1)},
                     {"beta2", written(options.adam.beta2)},
                     {"weight_decay", written(options.adam.weightDecay)},
                     {"teacher_forcing", written(options.teacherForcing) + ":" + written(options.teacherForcingEnd)}};
    if (options.learningRate) fields.emplace_back("learning_rate", written(*options.learningRate));
    if (options.warmupSteps) fields.emplace_back("warmup_steps", std::to_string(*options.warmupSteps));
    if (!options.rateChanges.empty()) fields.emplace_back("rate_changes", textOf(options.rateChanges));
    if (!options.forks.order.empty()) fields.emplace_back("order_changes", textOf(options.forks.order));
    if (!options.forks.muted.empty()) fields.emplace_back("mute_changes", textOf(options.forks.muted));
    return fields;
}

Fields keepFields(const KeepOptions& keep) {
    return {{"patience", std::to_string(keep.patience)},
            {"average", std::to_string(keep.average)},
            {"validate_every", std::to_string(keep.validateEvery)}};
}

template <class Kind>
Kind oneOf(const Setting& setting, const std::map<std::string, Kind>& kinds) {
    const auto found = kinds.find(setting.value);
    if (found == kinds.end()) throw Error("the setting " + setting.key + " cannot be " + setting.value);
    return found->second;
}

void readForcing(const Setting& setting, TrainOptions& options) {
    const std::string_view text = setting.value;
    const size_t colon = text.find(':');
    options.teacherForcing = settingNumber<double>(setting, text.substr(0, colon));
    options.teacherForcingEnd = colon == std::string_view::npos
                                    ? options.teacherForcing
                                    : settingNumber<double>(setting, text.substr(colon + 1));
}

nlohmann::json jsonOf(const std::string& value) {
    nlohmann::json json = parseJson(value);
    return json.is_number() || json.is_boolean() ? json : nlohmann::json(value);
}

}  // namespace

bool readSetting(const Setting& setting, TrainOptions& options) {
    using Reader = void (*)(const Setting&, TrainOptions&);
    static const std::map<std::string, Reader> readers = {
        {"steps", [](const Setting& s, TrainOptions& o) { o.steps = settingNumber<long>(s); }},
        {"seed", [](const Setting& s, TrainOptions& o) { o.seed = settingNumber<uint64_t>(s); }},
        {"batch_size", [](const Setting& s, TrainOptions& o) { o.batchSize = settingNumber<int>(s); }},
        {"tokens_per_batch", [](const Setting& s, TrainOptions& o) { o.tokensPerBatch = settingNumber<int>(s); }},
        {"accumulate", [](const Setting& s, TrainOptions& o) { o.accumulate = settingNumber<int>(s); }},
        {"learning_rate", [](const Setting& s, TrainOptions& o) { o.learningRate = settingNumber<double>(s); }},
        {"warmup_steps", [](const Setting& s, TrainOptions& o) { o.warmupSteps = settingNumber<int>(s); }},
        {"label_smoothing", [](const Setting& s, TrainOptions& o) { o.labelSmoothing = settingNumber<double>(s); }},
        {"clip_norm", [](const Setting& s, TrainOptions& o) { o.clipNorm = settingNumber<double>(s); }},
        {"beta1", [](const Setting& s, TrainOptions& o) { o.adam.beta1 = settingNumber<double>(s); }},
        {"beta2", [](const Setting& s, TrainOptions& o) { o.adam.beta2 = settingNumber<double>(s); }},
        {"weight_decay", [](const Setting& s, TrainOptions& o) { o.adam.weightDecay = settingNumber<double>(s); }},
        {"order_changes", [](const Setting& s, TrainOptions& o) { o.forks.order = parseOrderChanges(s.value); }},
        {"mute_changes", [](const Setting& s, TrainOptions& o) { o.forks.muted = parseMuteChanges(s.value); }},
        {"rate_changes", [](const Setting& s, TrainOptions& o) { o.rateChanges = parseRateChanges(s.value); }},
        {"teacher_forcing", readForcing},
        {"schedule",
         [](const Setting& s, TrainOptions& o) {
             o.schedule = oneOf<ScheduleKind>(s, {{nameOf(ScheduleKind::Noam), ScheduleKind::Noam},
                                                  {nameOf(ScheduleKind::Constant), ScheduleKind::Constant},
                                                  {nameOf(ScheduleKind::Cosine), ScheduleKind::Cosine}});
         }},
        {"optimizer", [](const Setting& s, TrainOptions& o) {
             o.optimizer = oneOf<OptimizerKind>(s, {{adamName, OptimizerKind::Adam}, {sgdName, OptimizerKind::Sgd}});
         }}};
    const auto reader = readers.find(setting.key);
    if (reader == readers.end()) return false;
    reader->second(setting, options);
    return true;
}

bool readSetting(const Setting& setting, KeepOptions& keep) {
    if (setting.key == "patience")
        keep.patience = settingNumber<int>(setting);
    else if (setting.key == "average")
        keep.average = settingNumber<int>(setting);
    else if (setting.key == "validate_every")
        keep.validateEvery = settingNumber<long>(setting);
    else
        return false;
    return true;
}

bool readSetting(const Setting& setting, TrainingData& data) {
    bool isFile = false;
    visitFiles(data, [&](std::string_view key, std::string& file) {
        if (setting.key != key) return;
        file = setting.value;
        isFile = true;
    });
    if (isFile) return true;
    if (setting.key == "tokenizer") {
        const TokenizerOptions kind = parseTokenizer(setting.value);
        data.tokenizer.kind = kind.kind;
        data.tokenizer.merges = kind.merges;
        return true;
    }
    if (setting.key == "lowercase")
        data.tokenizer.lowercase = setting.value == written(true);
    else if (setting.key == "undo_entities")
        data.files.undoEntities = setting.value == written(true);
    else if (setting.key == "title")
        data.files.title = setting.value;
    else if (setting.key == "credit")
        data.files.credit = setting.value;
    else if (setting.key == "running_text")
        data.files.reading = parseTextReading(setting.value);
    else if (setting.key == "joint_bpe")
        data.tokenizer.jointBpe = setting.value == written(true);
    else if (setting.key == "min_count")
        data.tokenizer.minCount = settingNumber<int>(setting);
    else if (setting.key == "longest")
        data.rules.longest = settingNumber<int>(setting);
    else if (setting.key == "most_ratio")
        data.rules.mostRatio = settingNumber<double>(setting);
    else if (setting.key == "validation_size")
        data.sizes.validation = settingNumber<long>(setting);
    else if (setting.key == "test_size")
        data.sizes.test = settingNumber<long>(setting);
    else
        return readSetting(setting.key, setting.value, data.files.layout);
    data.rules.validate();
    return true;
}

bool namesAFile(const std::string& key) {
    TrainingData data;
    bool names = false;
    visitFiles(data, [&](std::string_view file, const std::string&) { names = names || key == file; });
    return names;
}

std::vector<Setting> settingsOf(const TrainingData& data) {
    Fields fields = fileFields(data);
    fields.emplace_back("tokenizer", nameOfTokenizer(data.tokenizer));
    if (data.files.undoEntities) fields.emplace_back("undo_entities", written(true));
    if (!data.files.title.empty()) fields.emplace_back("title", data.files.title);
    if (!data.files.credit.empty()) fields.emplace_back("credit", data.files.credit);
    if (data.files.reading != TextReading::Lines) fields.emplace_back("running_text", nameOf(data.files.reading));
    for (const auto& [key, value] : settingsOf(data.files.layout))
        fields.emplace_back(key, value);
    if (data.tokenizer.lowercase) fields.emplace_back("lowercase", written(true));
    if (data.tokenizer.minCount > 1) fields.emplace_back("min_count", std::to_string(data.tokenizer.minCount));
    if (data.tokenizer.jointBpe) fields.emplace_back("joint_bpe", written(true));
    if (data.rules.longest > 0) fields.emplace_back("longest", std::to_string(data.rules.longest));
    if (data.rules.mostRatio > 0) fields.emplace_back("most_ratio", written(data.rules.mostRatio));
    if (data.sizes.validation >= 0) fields.emplace_back("validation_size", std::to_string(data.sizes.validation));
    if (data.sizes.test >= 0) fields.emplace_back("test_size", std::to_string(data.sizes.test));
    return toSettings(fields);
}

std::vector<Setting> settingsOf(const TrainingRecipe& recipe) {
    std::vector<Setting> settings = settingsOf(recipe.data);
    if (!recipe.from.empty())  // the model brings its words
        std::erase_if(settings, [](const Setting& each) {
            static const std::set<std::string> words = {"tokenizer", "lowercase",    "min_count",
                                                        "joint_bpe", "source_codes", "target_codes"};
            return words.contains(each.key);
        });
    const auto add = [&](const Fields& fields) {
        for (const Setting& setting : toSettings(fields))
            settings.push_back(setting);
    };
    if (recipe.from.empty()) {
        add(modelFields(recipe.config));
    } else {
        add({{"from", wholePath(recipe.from)}});
    }
    add(optionFields(recipe.options));
    if (recipe.keep.choosesWeights()) add(keepFields(recipe.keep));
    if (recipe.stopAfter > 0 && recipe.stopAfter < recipe.options.steps)
        add({{"stop_after", std::to_string(recipe.stopAfter)}});
    return settings;
}

TrainingRecipe recipeOf(const std::vector<Setting>& settings) {
    static const std::set<std::string> changeNothing = {
        "out", "dtype", "example", "json", "report_every", "checkpoint", "checkpoint_every", "threads", "resume"};
    static const std::set<std::string> noPlace = {"source_embeddings", "target_embeddings"};
    TrainingRecipe recipe;
    nlohmann::json config = nlohmann::json::object();
    for (const Setting& setting : settings) {
        if (changeNothing.contains(setting.key) || readSetting(setting, recipe.options) ||
            readSetting(setting, recipe.keep) || readSetting(setting, recipe.data))
            continue;
        if (noPlace.contains(setting.key))
            throw Error("it was trained with " + setting.key + ": go on with headlight-cli train");
        if (setting.key == "from")
            recipe.from = setting.value;
        else if (setting.key == "stop_after")
            recipe.stopAfter = settingNumber<long>(setting);
        else
            config[setting.key == "arch" ? "architecture" : setting.key] = jsonOf(setting.value);
    }
    recipe.config = ModelConfig::fromJson(config);
    recipe.options.validate();
    recipe.keep.validate();
    if (!recipe.keep.choosesWeights()) recipe.keep = {};
    return recipe;
}

std::string settingsFileOf(const std::string& model) {
    return std::filesystem::path(model).replace_extension("train.yaml").string();
}

TrainingStory storyOf(const CorpusFiles& files, const Trainer& trainer, size_t trainingPairs,
                      const std::string& example) {
    const TrainOptions& options = trainer.options();
    nlohmann::json json{{"data", files.description()},
                        {"steps", trainer.stepsDone()},
                        {"seed", options.seed},
                        options.batchSetting(),
                        {"training_pairs", trainingPairs},
                        {"schedule", nameOf(options.schedule)},
                        {"learning_rate", trainer.schedule().learningRate},
                        {"warmup_steps", trainer.schedule().warmupSteps},
                        {"label_smoothing", options.labelSmoothing},
                        {"clip_norm", options.clipNorm},
                        {"optimizer", nameOfOptimizer(options.optimizer)}};
    if (!example.empty()) json["example"] = example;
    if (trainer.stepsDone() < options.steps) json["planned_steps"] = options.steps;
    if (options.accumulate > 1) json["accumulate"] = options.accumulate;
    if (options.adam.weightDecay > 0) json["weight_decay"] = options.adam.weightDecay;
    if (!options.rateChanges.empty()) json["rate_changes"] = textOf(options.rateChanges);
    if (!options.forks.order.empty()) json["order_changes"] = textOf(options.forks.order);
    if (!options.forks.muted.empty()) json["mute_changes"] = textOf(options.forks.muted);
    if (options.teacherForcing < 1 || options.teacherForcingEnd < 1)
        json["teacher_forcing"] = {options.teacherForcing, options.teacherForcingEnd};
    return TrainingStory(json);
}

}  // namespace headlight

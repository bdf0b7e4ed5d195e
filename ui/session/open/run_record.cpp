// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/run_record.h"

#include <QFileInfo>
#include <algorithm>
#include <limits>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace headlight {

namespace {

constexpr size_t mostPointsInModel = 200;
constexpr const char* curvesKey = "curves";
constexpr const char* settingsKey = "settings";
constexpr const char* probeKey = "probe";
constexpr const char* nameKey = "name";
constexpr const char* fileKey = "saved_as";
constexpr const char* trainKey = "train";
constexpr const char* testKey = "test";

/// The fields of a point under their names in a file, each a list of its own.
template <class Visit>
void visitPoint(const TrainingPoint*, Visit&& visit) {
    visit("loss", &TrainingPoint::loss);
    visit("accuracy", &TrainingPoint::accuracy);
    visit("learning_rate", &TrainingPoint::learningRate);
    visit("tokens_per_second", &TrainingPoint::tokensPerSecond);
    visit("gradient_norm", &TrainingPoint::gradientNorm);
}

template <class Visit>
void visitPoint(const ValidationPoint*, Visit&& visit) {
    visit("loss", &ValidationPoint::loss);
    visit("accuracy", &ValidationPoint::accuracy);
    visit("bleu", &ValidationPoint::bleu);
}

template <class Point>
nlohmann::json toJson(const std::vector<Point>& points) {
    nlohmann::json json{{"step", nlohmann::json::array()}};
    for (const Point& point : points)
        json["step"].push_back(point.step);
    visitPoint(static_cast<const Point*>(nullptr), [&](const char* key, double Point::*field) {
        nlohmann::json& list = json[key] = nlohmann::json::array();
        for (const Point& point : points)
            list.push_back(point.*field);
    });
    return json;
}

/// Lists of numbers (null: not measured) that are of one length, or nothing.
template <class Point>
std::vector<Point> pointsOf(const nlohmann::json& json, const char* which) {
    const auto curves = json.find(curvesKey);
    if (curves == json.end() || !curves->is_object() || !curves->contains(which)) return {};
    const nlohmann::json& lists = (*curves)[which];
    const auto isList = [&](const char* key, size_t size) {
        return lists.contains(key) && lists[key].is_array() && lists[key].size() == size &&
               std::ranges::all_of(lists[key],
                                   [](const nlohmann::json& each) { return each.is_number() || each.is_null(); });
    };
    if (!lists.is_object() || !lists.contains("step") || !isList("step", lists["step"].size())) return {};
    std::vector<Point> points(lists["step"].size());
    for (size_t i = 0; i < points.size(); ++i)
        points[i].step = lists["step"][i].get<int>();
    bool whole = std::ranges::is_sorted(points, {}, &Point::step);
    visitPoint(static_cast<const Point*>(nullptr), [&](const char* key, double Point::*field) {
        whole = whole && isList(key, points.size());
        for (size_t i = 0; whole && i < points.size(); ++i)
            points[i].*field =
                lists[key][i].is_null() ? std::numeric_limits<double>::quiet_NaN() : lists[key][i].get<double>();
    });
    return whole ? points : std::vector<Point>();
}

nlohmann::json toJson(const RunCurves& curves) {
    return {{trainKey, toJson(curves.points)}, {testKey, toJson(curves.validations)}};
}

template <class Point>
std::vector<Point> thinnedTo(const std::vector<Point>& points, size_t most) {
    if (points.size() <= most) return points;
    std::vector<Point> few;
    for (size_t i = 0; i < most; ++i)
        few.push_back(points[i * (points.size() - 1) / (most - 1)]);
    return few;
}

nlohmann::json toJson(const std::vector<Setting>& settings) {
    nlohmann::json json = nlohmann::json::object();
    for (const Setting& setting : settings)
        json[setting.key] = setting.value;
    return json;
}

QString textOf(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

}  // namespace

RunCurves upTo(RunCurves curves, int step) {
    const auto later = [step](const auto& point) { return point.step > step; };
    std::erase_if(curves.points, later);
    std::erase_if(curves.validations, later);
    return curves;
}

RunCurves thinned(const RunCurves& curves, size_t most) {
    return {thinnedTo(curves.points, most), thinnedTo(curves.validations, most)};
}

int threadsBesideTheWindow() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

TrainingRecipe recipeOf(const TrainingSetup& setup, int stopAfter) {
    TrainingRecipe recipe{.data = setup.data,
                          .config = setup.config,
                          .from = setup.fromModel.toStdString(),
                          .options = setup.options,
                          .keep = setup.keep,
                          .stopAfter = stopAfter};
    // Whoever goes on with the weights of an earlier step has not turned the rate of later ones.
    if (stopAfter > 0) {
        std::erase_if(recipe.options.rateChanges, [=](const RateChange& change) { return change.step > stopAfter; });
        recipe.options.forks = recipe.options.forks.upTo(stopAfter);
    }
    return recipe;
}

TrainingSetup setupOf(const TrainingRecipe& recipe) {
    TrainingSetup setup;
    setup.data = recipe.data;
    setup.config = recipe.config;
    setup.options = recipe.options;
    setup.keep = recipe.keep;
    setup.options.threads = threadsBesideTheWindow();
    setup.fromModel = QString::fromStdString(recipe.from);
    return setup;
}

TrainedModel recorded(const ModelToSave& model, const TrainingSetup& setup, const RunCurves& curves) {
    TrainedModel written = *model.model;
    nlohmann::json story = written.training.json();
    const int step = model.figures.step;
    std::vector<Setting> settings = settingsOf(recipeOf(setup, step));
    std::erase_if(settings, [](const Setting& each) { return namesAFile(each.key) || each.key == "from"; });
    story[settingsKey] = toJson(settings);
    if (!setup.fromModel.isEmpty()) story["from"] = QFileInfo(setup.fromModel).fileName().toStdString();
    story["validation_loss"] = model.figures.loss;
    story["token_accuracy"] = model.figures.accuracy;
    const bool translates = written.network->config().corpusKind() == CorpusKind::Translation;
    story["bleu"] = translates ? nlohmann::json(model.figures.bleu) : nlohmann::json();
    if (model.test) {
        story["test_loss"] = model.test->loss;
        story["test_bleu"] = model.test->bleu ? nlohmann::json(*model.test->bleu) : nlohmann::json();
        story["test_sentences"] = model.test->sentences;
        if (model.test->all > model.test->sentences) story["test_sentences_of"] = model.test->all;
    }
    story[curvesKey] = toJson(thinned(upTo(curves, step), mostPointsInModel));
    written.training = TrainingStory(std::move(story));
    return written;
}

RunCurves curvesOf(const TrainingStory& story) {
    return {pointsOf<TrainingPoint>(story.json(), trainKey), pointsOf<ValidationPoint>(story.json(), testKey)};
}

TrainedModel recorded(const TrainingCheckpoint& stand, const RunCurves& curves, const QString& file) {
    TrainedModel written = *stand.model;
    nlohmann::json story = written.training.json();
    story[settingsKey] = toJson(settingsOf(recipeOf(*stand.setup, 0)));
    story[probeKey] = stand.setup->probe.toStdString();
    story[nameKey] = stand.setup->name.toStdString();
    if (!file.isEmpty()) story[fileKey] = file.toStdString();
    story[curvesKey] = toJson(upTo(curves, stand.step));
    written.training = TrainingStory(std::move(story));
    return written;
}

TrainingSetup setupOf(const TrainingStory& story) {
    const nlohmann::json& json = story.json();
    if (!json.contains(settingsKey) || !json[settingsKey].is_object())
        throw Error("the file does not say how its run was begun");
    std::vector<Setting> settings;
    for (const auto& [key, value] : json[settingsKey].items())
        if (value.is_string()) settings.push_back({key, value.get<std::string>()});
    TrainingSetup setup = setupOf(recipeOf(settings));
    setup.probe = textOf(json, probeKey);
    setup.name = textOf(json, nameKey);
    return setup;
}

QString savedAs(const TrainingStory& story) {
    return textOf(story.json(), fileKey);
}

}  // namespace headlight

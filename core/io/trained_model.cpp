// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trained_model.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/models/classifier.h"
#include "core/models/encoder.h"
#include "core/models/language_model.h"
#include "core/models/masked_language_model.h"
#include "core/models/seq2seq.h"

namespace headlight {

TrainingStory::TrainingStory() : TrainingStory(nlohmann::json::object()) {}
TrainingStory::TrainingStory(nlohmann::json story)
    : m_json(std::make_unique<nlohmann::json>(story.is_object() ? std::move(story) : nlohmann::json::object())) {}
TrainingStory::TrainingStory(const TrainingStory& other) : TrainingStory(other.json()) {}
TrainingStory::TrainingStory(TrainingStory&& other) noexcept = default;
TrainingStory& TrainingStory::operator=(TrainingStory other) noexcept {
    m_json = std::move(other.m_json);
    return *this;
}
TrainingStory::~TrainingStory() = default;

TrainingStory TrainingStory::ofTask(std::string_view task, uint64_t seed) {
    return TrainingStory(nlohmann::json{{"data", {{"task", task}}}, {"seed", seed}, {"steps", 0}});
}

std::string TrainingStory::ofData(const char* key) const {
    const auto data = m_json->find("data");
    if (data == m_json->end() || !data->is_object()) return {};
    const auto text = data->find(key);
    return text != data->end() && text->is_string() ? text->get<std::string>() : std::string();
}

std::optional<long> TrainingStory::steps() const {
    const auto steps = m_json->find("steps");
    return steps != m_json->end() && steps->is_number_integer() ? std::optional(steps->get<long>()) : std::nullopt;
}

void TrainingStory::setSteps(long steps) {
    (*m_json)["steps"] = steps;
}

constexpr const char* savedAsKey = "dtype";
constexpr const char* usualType = "F32";

std::string TrainingStory::savedAs() const {
    const auto type = m_json->find(savedAsKey);
    return type != m_json->end() && type->is_string() ? type->get<std::string>() : usualType;
}

std::string TrainingStory::quantizedAs() const {
    const auto type = nlohmann::json::json_pointer("/imported/quantized");
    return m_json->contains(type) && m_json->at(type).is_string() ? m_json->at(type).get<std::string>() : "";
}

TrainingStory TrainingStory::savedAs(const std::string& type) const {
    TrainingStory story = *this;
    story.m_json->erase(savedAsKey);
    // Only where it is another: most files say what they said before one could choose.
    if (!type.empty() && type != usualType) (*story.m_json)[savedAsKey] = type;
    return story;
}

namespace {

template <class Kind>
const Kind& networkAs(const Model& network, const char* doing, const char* wanted) {
    if (const auto* found = dynamic_cast<const Kind*>(&network)) return *found;
    throw Error("a model of architecture " + network.config().architecture + " does not " + doing + ": give " + wanted);
}

}  // namespace

const Seq2Seq& TrainedModel::seq2seq() const {
    return networkAs<Seq2Seq>(*network, "translate", "one of architecture transformer or rnn");
}

const LanguageModel& TrainedModel::languageModel() const {
    return networkAs<LanguageModel>(*network, "go on with a text",
                                    "one of architecture language-model or rnn-language-model");
}

const Classifier& TrainedModel::classifier() const {
    return networkAs<Classifier>(*network, "name labels", "one of architecture encoder-classifier");
}

const Encoder& TrainedModel::encoder() const {
    return networkAs<Encoder>(*network, "stand without a head", "one of architecture encoder");
}

const MaskedLanguageModel& TrainedModel::maskedLanguageModel() const {
    return networkAs<MaskedLanguageModel>(*network, "fill in words", "one of architecture masked-language-model");
}

}  // namespace headlight

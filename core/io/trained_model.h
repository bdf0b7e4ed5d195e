// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/models/model.h"
#include "core/text/tokenizer.h"

namespace headlight {

class Classifier;
class Encoder;
class LanguageModel;
class MaskedLanguageModel;
class Seq2Seq;

/// How a model was made: data, steps, seed, figures; `headlight.training` of its file. A value around JSON, so that who
/// only hands it on needs none.
class TrainingStory {
public:
    TrainingStory();
    /// What is no object tells nothing.
    explicit TrainingStory(nlohmann::json story);
    TrainingStory(const TrainingStory& other);
    TrainingStory(TrainingStory&& other) noexcept;
    TrainingStory& operator=(TrainingStory other) noexcept;
    ~TrainingStory();

    /// Of a run on a built-in task that has not begun.
    static TrainingStory ofTask(std::string_view task, uint64_t seed);

    const nlohmann::json& json() const { return *m_json; }
    /// Of the built-in task that it learned; "" where there is none.
    std::string task() const { return ofData("task"); }
    /// Who wrote the sentences that it learned from, and their licence; "" where it does not say.
    std::string credit() const { return ofData("credit"); }
    /// What it tells of its data under a key; "" where it does not, or no text.
    std::string ofData(const char* key) const;
    /// Steps that were trained, where it says so.
    std::optional<long> steps() const;
    void setSteps(long steps);
    /// How the file has the weights ("F16"); "F32" where nothing else is said.
    std::string savedAs() const;
    /// How the weights were quantized in the file that they came from ("Q4_K, Q6_K"), whatever they are saved as since;
    /// "" where they were not.
    std::string quantizedAs() const;
    /// The same story of a file with such weights.
    TrainingStory savedAs(const std::string& type) const;

private:
    std::unique_ptr<nlohmann::json> m_json;  ///< an object; null in what was moved from
};

/// A model with all that it takes to use it: weights, tokenizers, and how it was made. What a model file holds.
struct TrainedModel {
    std::shared_ptr<Model> network;
    std::shared_ptr<const Tokenizer> source;
    std::shared_ptr<const Tokenizer> target;
    TrainingStory training = {};
    std::string file = {};  ///< that it was read from; "" where it was made here

    /// The network as what it is. Throws Error where it is something else.
    const Seq2Seq& seq2seq() const;
    const LanguageModel& languageModel() const;
    const Classifier& classifier() const;
    const Encoder& encoder() const;
    const MaskedLanguageModel& maskedLanguageModel() const;
};

}  // namespace headlight

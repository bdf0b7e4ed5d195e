// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/labels.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

namespace headlight {

namespace {

constexpr const char* key = "id2label";
constexpr size_t longestLabel = 200;

std::string labelName(const ForeignConfig& config, int label) {
    const std::string number = std::to_string(label);
    if (!config.has(key)) return "LABEL_" + number;
    const nlohmann::json& names = config.json().at(key);
    if (!names.contains(number) || !names[number].is_string())
        throw config.fault(std::string(key) + " has no name for label " + number);
    std::string name = names[number].get<std::string>();
    if (name.empty() || name.size() > longestLabel)
        throw config.fault(std::string(key) + " has a name for label " + number + " that is empty or too long");
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
    return name;
}

}  // namespace

void requireLabels(const ForeignConfig& config, int count) {
    const std::string problem = config.text("problem_type", "single_label_classification");
    if (problem != "single_label_classification")
        throw config.fault("problem_type is \"" + problem.substr(0, 80) +
                           "\", and Headlight reads classifiers that choose one label among several");
    if (count < 2)
        throw config.fault("its head has " + std::to_string(count) +
                           " row(s), a number and no label: Headlight reads classifiers with at least two labels");
    if (!config.has(key)) return;
    const nlohmann::json& names = config.json().at(key);
    if (!names.is_object() || names.size() != static_cast<size_t>(count))
        throw config.fault(std::string(key) + " does not name the " + std::to_string(count) +
                           " labels that the head has: the two do not belong together");
}

std::shared_ptr<const Tokenizer> labelTokenizer(const ForeignConfig& config, int count) {
    nlohmann::json tokens{"<pad>", "<bos>", "<eos>", "<unk>"};
    for (int label = 0; label < count; ++label)
        tokens.push_back(labelName(config, label));
    try {
        return tokenizerFromJson({{"kind", "word"}, {"lowercase", false}, {"tokens", std::move(tokens)}});
    } catch (const Error& error) {
        throw config.fault(std::string(key) + ": " + error.what());
    }
}

nlohmann::json describeLabels(const Tokenizer& labels, int first) {
    nlohmann::json names = nlohmann::json::object();
    for (int id = first; id < labels.vocabulary().size(); ++id)
        names[std::to_string(id - first)] = labels.vocabulary().token(id);
    return names;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iomanip>
#include <iostream>

#include "app/cli/cli.h"
#include "core/import/import_model.h"
#include "core/json_text.h"

namespace headlight::cli {

namespace {

/// How a model's numbers are saved, and how they were before.
std::string savedAs(const TrainingStory& training) {
    const std::string now = training.savedAs(), before = training.quantizedAs();
    return before.empty() ? now : now == before ? now + " (quantized)" : now + ", quantized before as " + before;
}

void printTable(const ParameterSet& parameters, const std::string& savedAs) {
    size_t width = 0;
    for (const auto& entry : parameters.entries())
        width = std::max(width, entry.name.size());
    const int column = static_cast<int>(width) + 2;
    std::cout << std::left << std::setw(column) << "tensor" << std::setw(12) << "shape" << std::right << std::setw(12)
              << "parameters"
              << "\n";
    for (const auto& entry : parameters.entries()) {
        // setw counts bytes; × has two.
        const std::string shape = entry.shape.text();
        const int pad = 12 + static_cast<int>(entry.shape.rank()) - 1;
        std::cout << std::left << std::setw(column) << entry.name << std::setw(pad) << shape << std::right
                  << std::setw(12) << grouped(static_cast<long>(entry.shape.count())) << "\n";
    }
    std::cout << std::left << std::setw(column + 12) << "total" << std::right << std::setw(12)
              << grouped(static_cast<long>(parameters.count())) << "\n"
              << std::left << std::setw(column + 12) << "saved as" << std::right << std::setw(12) << savedAs << "\n";
}

void runSummary(const std::string& path, bool json) {
    const TrainedModel model = openModel(path);
    const ParameterSet& parameters = std::as_const(*model.network).parameters();
    if (json) {
        nlohmann::json tensors = nlohmann::json::array();
        for (const auto& entry : parameters.entries()) {
            std::vector<int> shape;
            shape.reserve(static_cast<size_t>(entry.shape.rank()));
            for (int axis = 0; axis < entry.shape.rank(); ++axis)
                shape.push_back(entry.shape.dim(axis));
            tensors.push_back({{"name", entry.name}, {"shape", shape}, {"parameters", entry.shape.count()}});
        }
        printJson({{"config", model.network->config().toJson()},
                   {"training", model.training.json()},
                   {"tensors", tensors},
                   {"parameters", parameters.count()},
                   {"dtype", model.training.savedAs()}});
        return;
    }
    printTable(parameters, savedAs(model.training));
    std::cout << "\nconfiguration\n";
    const nlohmann::json config = model.network->config().toJson();
    for (const auto& [key, value] : config.items())
        std::cout << "  " << std::left << std::setw(24) << key
                  << (value.is_string() ? value.get<std::string>() : jsonText(value)) << "\n";
    std::cout << "\ntraining\n";
    const TrainingStory training = model.training.savedAs("");  // which the table has said already
    for (const auto& [key, value] : training.json().items())
        std::cout << "  " << std::left << std::setw(24) << key
                  << (value.is_string() ? value.get<std::string>() : jsonText(value)) << "\n";
}

}  // namespace

void addSummary(CLI::App& app) {
    CLI::App* command = app.add_subcommand("summary", "Show what a model file holds");
    auto path = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    addModelOption(*command, *path);
    command->add_flag("--json", *json, "One JSON object");
    command->callback([path, json] { runSummary(*path, *json); });
}

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// The state_dict of somebody's own program, built on torch.nn.Transformer, nn.LSTM, nn.GRU or nn.RNN, with a JSON that
// says what such a file does not: our configuration's keys, and how that program calls its parts (docs/contracts.md).
#include "core/import/model_kind.h"

namespace headlight::pytorch {

namespace {

/// Our name for a part, where the JSON gives theirs: of two that fit the longer counts. What PyTorch itself puts before
/// all names is taken off where the JSON does not speak of it.
std::string canonicalName(const std::string& name, const ForeignConfig& foreign) {
    const auto unwrapped = [&] {
        const bool wrapped = name.starts_with("module.") || name.starts_with("_orig_mod.");
        return wrapped ? canonicalName(name.substr(name.find('.') + 1), foreign) : name;
    };
    if (!foreign.has("names")) return unwrapped();
    if (!foreign.json().at("names").is_object()) throw foreign.fault("names is no object of our names and theirs");
    std::string known;
    size_t longest = 0;
    for (const auto& [ours, value] : foreign.json().at("names").items()) {
        const std::string theirs = value.is_string() ? value.get<std::string>() : "";
        if (theirs.empty()) throw foreign.fault("names has no text for " + ours);
        if (theirs.size() <= longest || !name.starts_with(theirs + ".")) continue;
        longest = theirs.size();
        known = ours + name.substr(longest);
    }
    return longest > 0 ? known : unwrapped();
}

ModelConfig config(const ForeignConfig& foreign, const WeightFiles&) {
    if (!foreign.has("config"))
        throw foreign.fault("it lacks config, the model's sizes under the keys of headlight-cli train");
    try {
        const nlohmann::json& ours = foreign.json().at("config");
        ModelConfig config = ModelConfig::fromJson(ours);
        // Somebody's own program reads what it is given; that an <eos> stands before it is our models' habit.
        if (config.continuesTexts() && !ours.contains("starts_at_end")) config.startsAtEnd = false;
        return config;
    } catch (const Error& error) {
        throw foreign.fault(error.what());
    }
}

void weights(const ModelConfig&, const ForeignConfig& foreign, const ParameterSet& parameters, WeightPlan& plan) {
    plan.sameNames(parameters);
    if (!foreign.has("ignored")) return;
    if (!foreign.json().at("ignored").is_array()) throw foreign.fault("ignored is no list of names");
    for (const nlohmann::json& pattern : foreign.json().at("ignored")) {
        if (!pattern.is_string()) throw foreign.fault("ignored is no list of names");
        plan.ignore(pattern.get<std::string>());
    }
}

}  // namespace

}  // namespace headlight::pytorch

namespace headlight {

extern const ModelKind pytorchKind;
const ModelKind pytorchKind{"pytorch", "PyTorch",       {},      pytorch::canonicalName,
                            nullptr,   pytorch::config, nullptr, pytorch::weights};

}  // namespace headlight

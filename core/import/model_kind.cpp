// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/model_kind.h"

#include <algorithm>
#include <array>

namespace headlight {

// A new kind is declared and listed here.
extern const ModelKind gpt2Kind, bertKind, distilbertKind, marianKind, bartKind, t5Kind, llamaKind, pytorchKind;

std::span<const ModelKind* const> modelKinds() {
    static constexpr std::array kinds{&gpt2Kind, &bertKind, &distilbertKind, &marianKind,
                                      &bartKind, &t5Kind,   &llamaKind,      &pytorchKind};
    return kinds;
}

const ModelKind& kindOf(const ForeignConfig& config) {
    const std::string name = config.text("model_type", "");
    std::string known;
    for (const ModelKind* kind : modelKinds()) {
        if (kind->name == name) return *kind;
        known += (known.empty() ? "" : ", ") + std::string(kind->name);
    }
    if (name.empty()) throw config.fault("it lacks model_type, the kind of the model: say one of " + known);
    throw config.fault("its model_type is \"" + name.substr(0, 80) + "\", and Headlight reads " + known);
}

const char* activationName(ops::Activation activation) {
    switch (activation) {
        case ops::Activation::Relu:
            return "relu";
        case ops::Activation::Gelu:
            return "gelu";
        case ops::Activation::GeluTanh:
            return "gelu_new";
        case ops::Activation::Silu:
            return "silu";
        case ops::Activation::QuickGelu:
            return "quick_gelu";
    }
    return "";
}

std::string withPrefix(const std::string& prefix, const std::string& name, std::initializer_list<const char*> outside) {
    const auto begins = [&](const char* head) { return name.starts_with(head); };
    return std::ranges::any_of(outside, begins) ? name : prefix + name;
}

std::string withoutWrappers(std::string name) {
    constexpr std::array<std::string_view, 5> wrappers{"module.", "_orig_mod.", "base_model.model.", "model.",
                                                       "transformer."};
    const auto begins = [&](std::string_view wrapper) { return name.starts_with(wrapper); };
    for (auto found = std::ranges::find_if(wrappers, begins); found != wrappers.end();
         found = std::ranges::find_if(wrappers, begins))
        name.erase(0, found->size());
    return name;
}

std::string withoutPrefix(const std::string& name, const std::string& prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string layerScope(const std::string& stack, int layer) {
    return stack + std::to_string(layer) + ".";
}

}  // namespace headlight

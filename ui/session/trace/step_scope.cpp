// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/step_scope.h"

#include <vector>

namespace headlight {
namespace {

std::vector<std::string> parts(std::string_view name) {
    std::vector<std::string> result;
    while (true) {
        const size_t dot = name.find('.');
        result.emplace_back(name.substr(0, dot));
        if (dot == std::string_view::npos) return result;
        name.remove_prefix(dot + 1);
    }
}

/// "residual2" and "norm2" are one sublayer, "norm2"; anything else is itself.
std::string sublayerName(const std::string& part) {
    constexpr std::string_view kResidual = "residual";
    return part.starts_with(kResidual) ? "norm" + part.substr(kResidual.size()) : part;
}

StepScope whole(const std::string& model, const std::string& layer) {
    return {model, layer, layer};
}

}  // namespace

StepScope stepScope(std::string_view recordName) {
    std::vector<std::string> name = parts(recordName);
    std::string model = "model";
    size_t at = 0;
    if (name[0] == "encoder" || name[0] == "decoder") model = name[at++];
    if (name[0] == "source") return whole("encoder", "encoder.embed");
    if (name[0] == "target") return whole("decoder", "decoder.embed");
    if (name[0] == "logits" || name[0] == "log_probs") return whole("output", "output");
    if (name.size() > at + 2 && name[at] == "layers") {
        const std::string layer = model + ".layers." + name[at + 1];
        return {model, layer, layer + "." + sublayerName(name[at + 2])};
    }
    if (name.size() > at && name[at] == "attention") return whole(model, model + ".attention");
    return whole(
        model, model + (name.back() == "output" || name.back() == "attentional" || name.back() == "state" ? ".end"
                                                                                                          : ".embed"));
}

}  // namespace headlight

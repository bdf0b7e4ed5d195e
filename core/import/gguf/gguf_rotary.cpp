// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gguf/gguf_rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/io/safetensors_header.h"
#include "core/nn/rotary.h"

namespace headlight {

namespace {

constexpr double usualBase = 10000;

/// Words in a whole turn of each pair.
std::vector<double> wavelengths(const RotarySpeeds& speeds) {
    std::vector<double> all;
    for (int pair = 0; 2 * pair < speeds.width; ++pair)
        all.push_back(2 * std::numbers::pi / speeds.of(pair));
    return all;
}

/// The length that these divisors come of. A pair between quick and slow tells it; without such it lies between the
/// slowest of the quick and the quickest of the slow.
double originalLength(const std::vector<float>& divisors, const std::vector<double>& turns,
                      const RotarySpeeds& speeds) {
    const double factor = speeds.factor;
    constexpr double near = 1e-5;
    double quick = 0, slow = 0;
    for (size_t i = 0; i < divisors.size(); ++i) {
        const auto divisor = static_cast<double>(divisors[i]);
        if (std::abs(divisor - 1) < near) {
            quick = turns[i];
        } else if (std::abs(divisor - factor) > near * factor) {
            const double share = (1 / divisor - 1 / factor) / (1 - 1 / factor);
            return turns[i] * (speeds.lowFactor + share * (speeds.highFactor - speeds.lowFactor));
        } else if (slow == 0) {
            slow = turns[i];
        }
    }
    return std::sqrt(quick * speeds.highFactor * slow * speeds.lowFactor);
}

/// The file keeps what each frequency is divided by; a config.json keeps what that comes of.
nlohmann::json scalingOf(const gguf::File& file, double base) {
    constexpr double near = 1e-4;
    const std::vector<float> divisors = file.floats(ggufDivisors);
    const RotarySpeeds plain{.base = base, .width = 2 * static_cast<int>(divisors.size())};
    // The file does not say the two bounds: all models that were published have the usual ones.
    RotarySpeeds stretched = plain;
    stretched.scaling = RotaryScaling::Llama3;
    stretched.factor = static_cast<double>(divisors.back());
    stretched.originalLength = static_cast<int>(std::round(originalLength(divisors, wavelengths(plain), stretched)));
    for (size_t i = 0; i < divisors.size(); ++i) {
        const int pair = static_cast<int>(i);
        const auto there = static_cast<double>(divisors[i]);
        if (!(std::abs(plain.of(pair) / stretched.of(pair) - there) < near * there))
            throw file.fault("the tensor " + safetensors::quotedName(ggufDivisors) +
                             " divides frequencies otherwise than Llama 3 does, and Headlight computes that alone");
    }
    if (stretched.factor == 1) return nullptr;
    return {{"rope_type", "llama3"},
            {"factor", stretched.factor},
            {"low_freq_factor", stretched.lowFactor},
            {"high_freq_factor", stretched.highFactor},
            {"original_max_position_embeddings", stretched.originalLength}};
}

}  // namespace

void takeGgufRotary(const GgufKeys& keys, nlohmann::json& json) {
    const gguf::File& file = keys.file();
    const double base = keys.number("rope.freq_base", usualBase);
    json["rope_theta"] = base;
    const double factor = keys.number("rope.scaling.factor", keys.number("rope.scale_linear", 1));
    const std::string type = keys.text("rope.scaling.type").value_or(factor == 1 || factor == 0 ? "none" : "linear");
    if (file.tensors().count("rope_factors_long.weight") || file.tensors().count("rope_factors_short.weight"))
        throw file.fault(
            "its angles are scaled as longrope does it, and Headlight turns queries and keys by plain, linear and "
            "Llama 3's angles alone");
    if (type != "none" && type != "linear")
        throw file.fault("the key " + keys.full("rope.scaling.type") + " is " + safetensors::quotedName(type) +
                         ", and Headlight turns queries and keys by plain, linear and Llama 3's angles alone");
    if (type == "linear" && factor != 1 && factor != 0)
        json["rope_scaling"] = {{"rope_type", "linear"}, {"factor", factor}};
    if (keys.architecture() != "llama" || !file.tensors().count(ggufDivisors)) return;
    if (json.contains("rope_scaling"))
        throw file.fault("its angles are scaled twice, by a key and by " + std::string(ggufDivisors) +
                         ": convert the model again");
    if (nlohmann::json scaling = scalingOf(file, base); !scaling.is_null()) json["rope_scaling"] = std::move(scaling);
}

std::optional<double> ggufRotaryShare(const GgufKeys& keys, int width) {
    const std::optional<int> turned = keys.sizeOrNone("rope.dimension_count");
    if (!turned || *turned == width) return {};
    if (*turned < 2 || *turned > width)
        throw keys.file().fault("the key " + keys.full("rope.dimension_count") + " is " + std::to_string(*turned) +
                                ", and a head has " + std::to_string(width) + " numbers: convert the model again");
    double share = static_cast<double>(*turned) / width;
    while (static_cast<int>(static_cast<double>(width) * share) < *turned)
        share = std::nextafter(share, 2);
    return share;
}

}  // namespace headlight

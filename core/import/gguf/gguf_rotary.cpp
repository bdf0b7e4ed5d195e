// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/gguf/gguf_rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/io/safetensors_header.h"

namespace headlight {

namespace {

constexpr double usualBase = 10000;

/// How Llama 3 stretches its angles (Grattafiori et al. 2024): pairs that turn slowly by `factor`, quick ones not at
/// all.
struct Llama3Angles {
    static constexpr double lowFactor = 1, highFactor = 4;  ///< of all that were published
    double factor = 1;
    double originalLength = 0;

    double divisor(double wavelength) const {
        if (wavelength < originalLength / highFactor) return 1;
        if (wavelength > originalLength / lowFactor) return factor;
        const double share = (originalLength / wavelength - lowFactor) / (highFactor - lowFactor);
        return 1 / ((1 - share) / factor + share);
    }
};

/// Words in a whole turn of each pair.
std::vector<double> wavelengths(size_t pairs, double base) {
    std::vector<double> all;
    for (size_t i = 0; i < pairs; ++i)
        all.push_back(2 * std::numbers::pi * std::pow(base, static_cast<double>(i) / static_cast<double>(pairs)));
    return all;
}

/// The length that these divisors come of. A pair between quick and slow tells it; without such it lies between the
/// slowest of the quick and the quickest of the slow.
double originalLength(const std::vector<float>& divisors, const std::vector<double>& turns, double factor) {
    constexpr double near = 1e-5;
    double quick = 0, slow = 0;
    for (size_t i = 0; i < divisors.size(); ++i) {
        const auto divisor = static_cast<double>(divisors[i]);
        if (std::abs(divisor - 1) < near) {
            quick = turns[i];
        } else if (std::abs(divisor - factor) > near * factor) {
            const double share = (1 / divisor - 1 / factor) / (1 - 1 / factor);
            return turns[i] * (Llama3Angles::lowFactor + share * (Llama3Angles::highFactor - Llama3Angles::lowFactor));
        } else if (slow == 0) {
            slow = turns[i];
        }
    }
    return std::sqrt(quick * Llama3Angles::highFactor * slow * Llama3Angles::lowFactor);
}

/// The file keeps what each frequency is divided by; a config.json keeps what that comes of.
nlohmann::json scalingOf(const gguf::File& file, double base) {
    constexpr double near = 1e-4;
    const std::vector<float> divisors = file.floats(ggufDivisors);
    const std::vector<double> turns = wavelengths(divisors.size(), base);
    Llama3Angles angles{static_cast<double>(divisors.back())};
    angles.originalLength = std::round(originalLength(divisors, turns, angles.factor));
    for (size_t i = 0; i < divisors.size(); ++i) {
        const auto there = static_cast<double>(divisors[i]);
        if (!(std::abs(angles.divisor(turns[i]) - there) < near * there))
            throw file.fault("the tensor " + safetensors::quotedName(ggufDivisors) +
                             " divides frequencies otherwise than Llama 3 does, and Headlight computes that alone");
    }
    if (angles.factor == 1) return nullptr;
    return {{"rope_type", "llama3"},
            {"factor", angles.factor},
            {"low_freq_factor", Llama3Angles::lowFactor},
            {"high_freq_factor", Llama3Angles::highFactor},
            {"original_max_position_embeddings", static_cast<int64_t>(angles.originalLength)}};
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/blas_kernels.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace headlight::blas {

namespace {

/// How much of a processor a set of kernels uses. Within a rank OpenBLAS chooses better than we could: Zen's kernels
/// for a Zen, Excavator's for an Excavator.
enum class Rank { Oldest, Sse42, Avx, Avx2, Avx512, Unknown };

struct Kernels {
    std::string_view name;
    Rank rank;
};

// Every core that OpenBLAS 0.3 names on x86; the table of gotoblas_dynamic_init and that of builds for one processor.
constexpr Kernels known[] = {
    {"Unknown", Rank::Oldest},    {"Generic", Rank::Oldest},
    {"Katmai", Rank::Oldest},     {"Coppermine", Rank::Oldest},
    {"Northwood", Rank::Oldest},  {"Prescott", Rank::Oldest},
    {"Banias", Rank::Oldest},     {"Atom", Rank::Oldest},
    {"Core2", Rank::Oldest},      {"Penryn", Rank::Oldest},
    {"Dunnington", Rank::Oldest}, {"Athlon", Rank::Oldest},
    {"Opteron", Rank::Oldest},    {"Opteron_SSE3", Rank::Oldest},
    {"Barcelona", Rank::Oldest},  {"Bobcat", Rank::Oldest},
    {"Nano", Rank::Oldest},       {"Nehalem", Rank::Sse42},
    {"Sandybridge", Rank::Avx},   {"Bulldozer", Rank::Avx},
    {"Piledriver", Rank::Avx},    {"Steamroller", Rank::Avx},
    {"Excavator", Rank::Avx2},    {"Haswell", Rank::Avx2},
    {"Zen", Rank::Avx2},          {"SkylakeX", Rank::Avx512},
    {"Cooperlake", Rank::Avx512}, {"SapphireRapids", Rank::Avx512},
};

/// Builds for one processor spell their names in capitals.
bool sameName(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

Rank rankOf(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(known, [&](const Kernels& kernels) { return sameName(kernels.name, name); });
    return found == std::end(known) ? Rank::Unknown : found->rank;
}

Kernels bestFor(const ProcessorFeatures& features) {
    if (features.avx512) return {"SkylakeX", Rank::Avx512};
    if (features.avx2) return {"Haswell", Rank::Avx2};
    if (features.avx) return {"Sandybridge", Rank::Avx};
    if (features.sse42) return {"Nehalem", Rank::Sse42};
    return {"Prescott", Rank::Oldest};
}

}  // namespace

ProcessorFeatures processorFeatures() {
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return {__builtin_cpu_supports("sse4.2") != 0, __builtin_cpu_supports("avx") != 0, avx2, avx2 && avx512};
#else
    return {};
#endif
}

std::string featuresText(const ProcessorFeatures& features) {
    std::string text;
    const auto add = [&text](bool has, const char* name) {
        if (has) text += (text.empty() ? "" : ", ") + std::string(name);
    };
    add(features.avx512, "AVX-512");
    add(features.avx2, "AVX2+FMA");
    add(features.avx, "AVX");
    add(features.sse42, "SSE4.2");
    return text.empty() ? "none that OpenBLAS has kernels for" : text;
}

std::string betterKernels(const ProcessorFeatures& features, const std::string& found) {
    const Kernels best = bestFor(features);
    const Rank rank = rankOf(found);
    return rank == Rank::Unknown || rank == best.rank ? std::string() : std::string(best.name);
}

bool areBeyond(const ProcessorFeatures& features, const std::string& kernels) {
    const Rank rank = rankOf(kernels);
    return rank != Rank::Unknown && rank > bestFor(features).rank;
}

}  // namespace headlight::blas

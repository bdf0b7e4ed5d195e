// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight::blas {

/// What a processor can do, and its system lets it, of what OpenBLAS has kernels for. Other processors than x86's have
/// none of these: there OpenBLAS' own choice stands.
struct ProcessorFeatures {
    bool sse42 = false;
    bool avx = false;
    bool avx2 = false;    ///< with FMA
    bool avx512 = false;  ///< F, DQ, BW and VL: what the SkylakeX kernels are made of

    bool operator==(const ProcessorFeatures&) const = default;
};
ProcessorFeatures processorFeatures();
/// "AVX-512, AVX2+FMA, AVX, SSE4.2", or "none that OpenBLAS has kernels for".
std::string featuresText(const ProcessorFeatures& features);

/// The kernels to take instead of those that OpenBLAS found (its core name: "Prescott", "Haswell", …); empty where
/// these are the best that the processor runs. OpenBLAS knows processors by their model numbers, and a later model
/// falls back to whatever the table of its version ends with. So what the processor can do decides. A name that is not
/// known here is of a later OpenBLAS, which knows more than we do, and stays.
std::string betterKernels(const ProcessorFeatures& features, const std::string& found);
/// Whether kernels are made of instructions that the processor, or what it is emulated by, does not have: the first
/// product would end the program.
bool areBeyond(const ProcessorFeatures& features, const std::string& kernels);

}  // namespace headlight::blas

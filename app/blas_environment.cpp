// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/blas_environment.h"

#include <cstdlib>
#include <string>

#include "core/platform/process.h"
#include "core/tensor/blas.h"
#include "core/tensor/blas_kernels.h"

namespace headlight {

namespace {

constexpr auto kernelsVariable = "OPENBLAS_CORETYPE";
constexpr auto threadsVariable = "OPENBLAS_NUM_THREADS";
constexpr auto testVariable = "HEADLIGHT_TEST_CORETYPE_FOUND";

}  // namespace

void useBestBlasKernels(char** argv) {
    const blas::ProcessorFeatures features = blas::processorFeatures();
    const char* const asked = std::getenv(kernelsVariable);
    // Asked is not what OpenBLAS has: a library that was built for one processor has no choice.
    const bool chosenOutside = asked && !std::getenv(testVariable) && !blas::areBeyond(features, asked);
    const std::string better = chosenOutside ? std::string() : blas::betterKernels(features, blas::coreName());
    // Where addresses are few, the threads that OpenBLAS starts as it is loaded take what the work would need, and wait
    // for memory for ever as the program ends.
    const bool fewAddresses = !std::getenv(threadsVariable) && platform::addressesAreLimited();
    if (!better.empty() || fewAddresses) {
        platform::removeVariable(testVariable);
        if (!better.empty()) platform::setVariable(kernelsVariable, better);
        platform::setVariable(threadsVariable, "1");
        platform::startAnew(argv);  // returns only where it failed: then the slower kernels do
    }
    blas::useOneThread();
}

}  // namespace headlight

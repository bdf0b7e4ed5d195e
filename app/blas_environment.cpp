// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/blas_environment.h"

#include <cstdlib>
#include <string>

#include <unistd.h>

#include "core/tensor/blas.h"

namespace headlight {

void useBestBlasKernels(char** argv) {
    const std::string better = std::getenv("OPENBLAS_CORETYPE") ? std::string() : blas::betterCoreName();
    if (!better.empty()) {
        setenv("OPENBLAS_CORETYPE", better.c_str(), 1);
        execv("/proc/self/exe", argv);  // returns only where it failed: then the slower kernels do
    }
    blas::useOneThread();
}

}  // namespace headlight

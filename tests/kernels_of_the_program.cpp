// SPDX-License-Identifier: GPL-3.0-or-later
// Tests multiply by the kernels that the program chooses: what OpenBLAS finds by itself may be others, a fifth as fast,
// and weights trained by one kind are not those of the other to the last bit.
#include "app/blas_environment.h"

namespace {

/// Before main(), which is Qt Test's; glibc hands these functions what main() is called with.
[[gnu::constructor]] void chooseKernels(int, char** argv) {
    headlight::useBestBlasKernels(argv);
}

}  // namespace

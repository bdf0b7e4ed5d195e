// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// OpenBLAS chooses its kernels as it is loaded, and an older one does not know newer processors with AVX-512. Where a
/// better choice is known, this sets OPENBLAS_CORETYPE and starts the program again, once; a choice that was made
/// outside is left alone. Call first thing in main(). Also keeps OpenBLAS from starting threads of its own.
void useBestBlasKernels(char** argv);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headlight {

/// OpenBLAS chooses its kernels as it is loaded, by the model number of a processor, and falls back to old ones for
/// models later than itself. Where the processor can do better, this sets OPENBLAS_CORETYPE and starts the program
/// again, once; a choice that was made outside is left alone, unless the processor cannot run it. Call first thing in
/// main(). Also keeps OpenBLAS from starting threads of its own.
///
/// For tests: with HEADLIGHT_TEST_CORETYPE_FOUND set, an OPENBLAS_CORETYPE that is set counts as what OpenBLAS found,
/// so that a processor can be looked at as if it were of another model.
void useBestBlasKernels(char** argv);

}  // namespace headlight

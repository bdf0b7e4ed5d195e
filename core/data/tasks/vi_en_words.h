// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/aligned_grammar.h"

namespace headlight::builtin {

/// The words of `vi-en` with what may stand beside what. Heads and features:
/// - `N[n c]` count noun with its classifier, `Bare[c]` the same without one (English plural), `Mass[c]`; `c` is the
///   class by which verbs and adjectives choose, `n` sg or pl
/// - `A[c]`, `Comp[c]` adjective and comparative, `Colour[c]`, `Feel` how somebody is
/// - `Vt[f c w t]`, `Vs[f c]`, `Vi[f w]` verbs with an object, of a state, without an object; `f` the English form:
///   i, p, b the plain one, s, d past, g -ing, n participle; `w` where it is done; `t` of what is long ago as well
///   (far)
void addVietnameseWords(AlignedGrammar& grammar);

}  // namespace headlight::builtin

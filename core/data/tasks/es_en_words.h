// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/aligned_grammar.h"

namespace headlight::builtin {

/// The words of `es-en`. Heads and features:
/// - `N[n g c]` noun by number, gender and class; `Mass[c]` what is not counted, `TheMass[c g]` the same with its
/// article
/// - `Quality[n g c]` adjectives that go with ser, `State[n g c]` those that go with estar
/// - `Vt[t f c k]`, `Vp[t f]` (somebody is the object), `Vi[t f]` verbs; `t` now, then, base or ing, `f` the person in
///   now and then: yo, tu, el, nos, ellos; `k` act or state. `VtPlain`, `VpPlain`, `ViPlain`: beside the plain English
///   verb, as it follows `do` and `did`.
void addSpanishWords(AlignedGrammar& grammar);

}  // namespace headlight::builtin

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/aligned_grammar.h"

namespace headlight::builtin {

/// The words of `fr-en`. Heads and features:
/// - `N[n g c]` noun by number, gender and class; `Mass[c]` what is not counted, `NoMass[c]` the same after a negation
/// - `Before[n g c]`, `Behind[n g c]` adjectives by their place, `Feel[n g]` how somebody is
/// - `Vt[f c k]`, `Vi[f]` verbs with and without an object; `f` the French person (je … ils), past (participle beside
///   English past), base or ing (infinitive beside both); `k` act or state. `Vtp`, `Vip`: the same beside the plain
///   English verb, as it follows `do`.
void addFrenchWords(AlignedGrammar& grammar);

}  // namespace headlight::builtin

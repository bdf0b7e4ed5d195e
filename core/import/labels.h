// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/import/foreign_config.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// Throws Error where the configuration speaks of other labels than a head of `count` rows has, or of what is no choice
/// of one among several.
void requireLabels(const ForeignConfig& config, int count);
/// The labels of another program's classifier (`id2label`) as the words of its target: behind the four special ones.
/// Without names they are LABEL_0, LABEL_1, …, as its own program calls them; white space in a name becomes `_`, so
/// that a label stays one word. Throws Error where two bear one name.
std::shared_ptr<const Tokenizer> labelTokenizer(const ForeignConfig& config, int count);
/// The other way: `id2label`.
nlohmann::json describeLabels(const Tokenizer& labels, int first);

}  // namespace headlight

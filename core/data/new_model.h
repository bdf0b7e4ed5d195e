// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"

namespace headlight {

/// A model that knows the words of a corpus and nothing else: tokenizers learned from `train`, weights drawn by `seed`.
/// `config` holds the keys of ModelConfig that were given; its vocabulary sizes are limits (0 or absent: every word).
/// Throws Error for settings that do not go together, for an empty corpus, and for sizes that memory cannot hold.
TrainedModel newModel(nlohmann::json config, TokenizerOptions tokenizer, const Corpus& train, uint64_t seed);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"
#include "core/text/learn_tokenizer.h"
#include "core/work_progress.h"

namespace headlight {

/// Throws Error where a model of these settings cannot learn its words so: before a corpus is read.
void checkTokenizer(const TokenizerOptions& tokenizer, const ModelConfig& config);

/// A model that knows the words of a corpus and nothing else: tokenizers learned from `train`, weights drawn by `seed`.
/// `config` holds the keys of ModelConfig that were given; its vocabulary sizes are limits (0 or absent: every word).
/// Throws Error for settings that do not go together, for an empty corpus, and for sizes that memory cannot hold;
/// WorkStopped where `progress`, of learning the words, says so.
TrainedModel newModel(nlohmann::json config, const TokenizerOptions& tokenizer, const Corpus& train, uint64_t seed,
                      const WorkProgress& progress = {});

}  // namespace headlight

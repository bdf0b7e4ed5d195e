// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/models/model_config.h"
#include "core/platform/folder.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// How a model's words are read and written. Of a model with one vocabulary the two are one.
struct Tokenizers {
    std::shared_ptr<const Tokenizer> source;
    std::shared_ptr<const Tokenizer> target;
    std::optional<int> writtenFirst = {};  ///< the token of the language that is written
};

/// Those in the folder of a model of that kind; token ids as text where there is none. Throws Error for one that does
/// not fit the model.
Tokenizers findTokenizers(const std::optional<platform::Folder>& folder, const std::string& kind,
                          const ModelConfig& config);
/// What a tokenizer knows and a configuration does not say: which tokens part texts and stand for missing words,
/// and which is written first.
void takeSpecials(const Tokenizers& tokenizers, const std::string& kind, ModelConfig& config);

}  // namespace headlight

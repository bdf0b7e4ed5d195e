// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/new_folder.h"
#include "core/io/trained_model.h"

namespace headlight {

/// Writes the tokenizers of a model that another program's tokenizers came with, as that program keeps them for a
/// `kind` of model: tokenizer.json, or the SentencePiece model and what says of its special tokens. → "" where that
/// went well, or there is none; of a tokenizer that Headlight learned a line that says why it is not written. Throws
/// Error.
std::string writeTokenizerFiles(const TrainedModel& model, const std::string& kind, const NewFolder& folder);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "core/import/foreign_config.h"
#include "core/import/tensor_file.h"
#include "core/import/tokenizers.h"
#include "core/io/gguf.h"

namespace headlight {

// A GGUF file as the folder that it was converted from: its keys in the words of a config.json, its tensors under the
// names of Hugging Face's, so that the model's kind (core/import/kinds) reads it as it reads that folder. What is known
// of the format and of what the converter changes is from llama.cpp (gguf-py/gguf/constants.py, tensor_mapping.py,
// conversion/ and src/models/).

/// What a config.json would say. Throws Error, which names file and key, for an architecture that is not read, for what
/// its kind needs and the file lacks, and for what Headlight does not compute.
ForeignConfig ggufConfig(const gguf::File& file);

/// Its tensors, under the names that the kind asks for and in the order of rows that it expects: what the converter
/// turned, joined or added to is undone as they are read.
std::unique_ptr<const TensorFile> ggufTensors(std::shared_ptr<const gguf::File> file);

/// The tokenizer that its keys hold; token ids as text where they hold none. Throws Error for one that is not read, and
/// for one that does not fit the model.
Tokenizers ggufTokenizers(const gguf::File& file, const ModelConfig& config);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/model_file.h"

namespace headlight {

/// Opens whatever holds a model: a file that Headlight wrote (loadModel()), or a folder that it wrote for PyTorch; a
/// folder as Hugging Face's programs keep them, one of the files in it, or a model's folder in the cache of these
/// programs (hub_cache.h); a GGUF file (llama.cpp's, Ollama's, LM Studio's), or a folder that has one and no
/// config.json; a PyTorch state_dict as safetensors with a JSON beside it (docs/contracts.md, "Other
/// programs' models"). Where no file is there, a model's name is looked up in that cache (model_cache.h). Nothing is
/// executed and nothing outside the folder is read. Throws Error in one line that names the file and what is wrong with
/// it, before memory is taken for weights that no file has.
TrainedModel openModel(const std::string& path);

/// What openModel() would open, without the weights. Throws Error likewise.
ModelCard readCardOf(const std::string& path);

/// Is it a folder with a model in it? (Folders of lessons are opened too.)
bool isModelFolder(const std::string& path);

}  // namespace headlight

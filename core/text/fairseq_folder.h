// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/platform/folder.h"
#include "core/text/pipeline/definition.h"

namespace headlight {

/// The file of models that were trained with fairseq.
inline constexpr const char* fairseqFile = "sentencepiece.bpe.model";

/// The tokenizer of a folder with that file: Unigram, as Hugging Face's programs convert it. XLM-R's and CamemBERT's
/// ids are not the pieces' own: fairseq's special tokens stand before them, `<mask>` behind. Without special tokens in
/// texts and around them. Throws Error, which begins with the file, for other types of models and for what is damaged.
pipeline::Definition fairseqDefinition(const platform::Folder& folder, const std::string& modelType);

}  // namespace headlight

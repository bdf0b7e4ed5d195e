// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/platform/folder.h"
#include "core/text/pipeline/definition.h"
#include "core/text/tokenizer_settings.h"

namespace headlight {

/// The file of models that were trained with fairseq.
inline constexpr const char* fairseqFile = "sentencepiece.bpe.model";

/// The tokenizer of a folder with that file, as Hugging Face's programs convert it: Unigram, or BPE (NLLB's). The ids
/// of XLM-R, CamemBERT, mBART and NLLB are not the pieces' own: fairseq's special tokens stand before them, `<mask>`
/// behind, and between the pieces and that the codes of languages. Without special tokens in texts and around them; the
/// codes are found in texts. Throws Error, which begins with the file, for other types of models and for what is
/// damaged. `vocabularySize`: the model's, 0 where it is not known.
pipeline::Definition fairseqDefinition(const platform::Folder& folder, const std::string& modelType,
                                       const TokenizerSettings& settings, int vocabularySize);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/platform/folder.h"
#include "core/text/tokenizer.h"

namespace headlight {

/// The tokenizers of another program's model. One and the same where both sides read alike.
struct FolderTokenizers {
    std::shared_ptr<const Tokenizer> source, target;
    std::string files;  ///< which of the folder's files they were made of, for the reader; "" where there was none
    std::optional<int> writtenFirst = {};  ///< the token of the language that is written (mBART's, NLLB's `tgt_lang`)
};

/// What a model's configuration says that its tokenizer must fit.
struct TokenizerFacts {
    std::string modelType = {};  ///< config.json's `model_type`: "gpt2", "marian", …
    int vocabularySize = 0;
    int targetVocabularySize = 0;  ///< of the target side, where it has a vocabulary of its own; else 0
    SpecialTokens specials = {};   ///< for a model without a tokenizer
};

/// Finds a model's tokenizer in its folder, by the first of these rules whose files are there:
///
/// 1. marian: `source.spm` and `target.spm` with the ids of `vocab.json` (and `target_vocab.json`);
/// 2. t5, mt5: `spiece.model`;
/// 3. `tokenizer.json`;
/// 4. `vocab.json` with `merges.txt`: byte-level BPE;
/// 5. `vocab.txt`: WordPiece;
/// 6. xlm-roberta, camembert, mbart, m2m_100: `sentencepiece.bpe.model`;
/// 7. `tokenizer.model` or `spiece.model`: SentencePiece;
/// 8. none: token ids as text.
///
/// `tokenizer_config.json`, `special_tokens_map.json` and `added_tokens.json` say what the special tokens are, and
/// whether BERT reads lower case (it does where nothing says so), and which languages mBART and NLLB read and write
/// (`src_lang`, `tgt_lang`). A vocabulary smaller than the model's is filled up.
///
/// Throws Error, one line that names file and fault, for files that are there but damaged or half, for a tokenizer with
/// more tokens than the model, and for what platform::Folder refuses.
FolderTokenizers openTokenizers(const platform::Folder& folder, const TokenizerFacts& facts);

/// Throws Error, which begins with `files`, where a tokenizer has more tokens than the model, of which 0 is not known.
void requireFit(const Tokenizer& tokenizer, int modelSize, const std::string& files);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/tokenizers.h"

#include <utility>

#include "core/text/folder_tokenizers.h"
#include "core/text/id_tokenizer.h"

namespace headlight {

Tokenizers findTokenizers(const std::optional<platform::Folder>& folder, const std::string& kind,
                          const ModelConfig& config) {
    const bool oneVocabulary = !config.encoderDecoder() || config.shareEmbeddings;
    if (folder) {
        FolderTokenizers found =
            openTokenizers(*folder, {.modelType = kind,
                                     .vocabularySize = config.sourceVocabSize,
                                     .targetVocabularySize = oneVocabulary ? 0 : config.targetVocabSize});
        return {std::move(found.source), std::move(found.target), found.writtenFirst};
    }
    const auto source = std::make_shared<const IdTokenizer>(config.sourceVocabSize);
    return {source, oneVocabulary ? source : std::make_shared<const IdTokenizer>(config.targetVocabSize), {}};
}

void takeSpecials(const Tokenizers& tokenizers, const std::string& kind, ModelConfig& config) {
    const SpecialTokens& known = tokenizers.source->specials();
    // RoBERTa and its family read all words as of the first type, whatever separators stand between them.
    const bool partsTypes = kind == "bert" || kind == "electra";
    if (known.sep && partsTypes && config.tokenTypes > 1) config.separatorId = *known.sep;
    // A decoder that reads the language first need not write it.
    const std::optional<int>& language = tokenizers.writtenFirst;
    if (language && config.encoderDecoder() && config.forcedFirstId < 0 && config.decoderStart() != *language)
        config.forcedFirstId = *language;
    if (!config.masked() && !config.headless()) return;
    if (known.mask && config.masked()) config.maskId = *known.mask;
    if (known.cls) config.bosId = *known.cls;
    if (known.sep) config.eosId = *known.sep;
    if (known.unk) config.unkId = *known.unk;
}

}  // namespace headlight

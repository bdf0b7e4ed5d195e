// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "core/text/folder_tokenizers.h"
#include "tests/fuzz/fuzz.h"

namespace headlight::fuzz {

/// Cuts a text and puts it together again, with the tokenizer and with the one that its JSON makes.
inline void cut(const Tokenizer& tokenizer, const std::string& text) {
    EncodedInput input;
    if (!reads([&] { input = tokenizer.encodeInput(text); })) return;
    const int size = tokenizer.vocabulary().size();
    for (const int id : input.ids)
        require(id >= 0 && id < size, "every id is in the vocabulary");
    require(input.types.size() == input.ids.size() && input.added.size() == input.ids.size(), "every id has its type");
    tokenizer.decode(input.ids);
    require(tokenizer.display(input.ids).size() == input.ids.size(), "every id is shown");
    reads([&] { tokenizer.encodeInput(text, text); });

    const nlohmann::json json = tokenizer.toJson();
    std::shared_ptr<const Tokenizer> again;
    require(reads([&] { again = tokenizerFromJson(json); }), "a tokenizer that opens can be saved and opened again");
    require(again->encodeInput(text).ids == input.ids, "it reads as before");
}

/// Opens the tokenizer of a folder and cuts the text with it.
inline void openAndCut(const Scratch& scratch, const TokenizerFacts& facts, const std::string& text) {
    FolderTokenizers tokenizers;
    if (!reads([&] { tokenizers = openTokenizers(platform::Folder(scratch.path()), facts); }, scratch.path().string()))
        return;
    cut(*tokenizers.source, text);
    if (tokenizers.target != tokenizers.source) cut(*tokenizers.target, text);
}

}  // namespace headlight::fuzz

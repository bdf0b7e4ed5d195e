// SPDX-License-Identifier: GPL-3.0-or-later
// A text, then the vocab.json and merges.txt that cut it, then perhaps tokenizer_config.json and added_tokens.json.
#include "tests/fuzz/fuzz_tokenizer.h"

using namespace headlight;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    const std::vector<std::string> parts = fuzz::partsOf(data, size, 5);
    scratch.write("vocab.json", parts[1]);
    scratch.write("merges.txt", parts[2]);
    scratch.writeOrRemove("tokenizer_config.json", parts[3]);
    scratch.writeOrRemove("added_tokens.json", parts[4]);
    // BART puts tokens of its own around a text, GPT-2 none.
    fuzz::openAndCut(scratch, {.modelType = size % 2 == 0 ? "bart" : "gpt2", .vocabularySize = 0}, parts[0]);
    return 0;
}

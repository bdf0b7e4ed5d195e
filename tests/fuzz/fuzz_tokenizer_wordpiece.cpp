// SPDX-License-Identifier: GPL-3.0-or-later
// A text, then the vocab.txt that cuts it, then perhaps tokenizer_config.json and special_tokens_map.json.
#include "tests/fuzz/fuzz_tokenizer.h"

using namespace headlight;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    const std::vector<std::string> parts = fuzz::partsOf(data, size, 4);
    scratch.write("vocab.txt", parts[1]);
    scratch.writeOrRemove("tokenizer_config.json", parts[2]);
    scratch.writeOrRemove("special_tokens_map.json", parts[3]);
    fuzz::openAndCut(scratch, {.modelType = "bert", .vocabularySize = 0}, parts[0]);
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A text, then perhaps tokenizer_config.json and Marian's vocab.json, then the SentencePiece model that cuts the text.
// It is read by a library that is not instrumented: what is looked for is what our check lets through to it.
#include "tests/fuzz/fuzz_tokenizer.h"

using namespace headlight;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    const std::vector<std::string> parts = fuzz::partsOf(data, size, 4);
    scratch.writeOrRemove("tokenizer_config.json", parts[1]);
    scratch.writeOrRemove("vocab.json", parts[2]);
    const bool marian = !parts[2].empty();
    for (const char* name : {"source.spm", "target.spm"})
        scratch.writeOrRemove(name, marian ? parts[3] : "");
    scratch.writeOrRemove("tokenizer.model", marian ? "" : parts[3]);
    scratch.writeOrRemove("spiece.model", marian ? "" : parts[3]);
    // Of those with fairseq's ids NLLB alone may have merges, and languages behind its pieces.
    const char* const fairseq = size % 2 == 0 ? "xlm-roberta" : "m2m_100";
    const char* kind = marian ? "marian" : size % 3 == 0 ? "t5" : size % 3 == 1 ? "llama" : fairseq;
    scratch.writeOrRemove("sentencepiece.bpe.model", kind == fairseq ? parts[3] : "");
    fuzz::openAndCut(scratch, {.modelType = kind, .vocabularySize = 300}, parts[0]);
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A file of sentence pairs, the tokenizers that are learned from what it says, and the same file as running text.
#include "core/data/corpus_readers.h"
#include "core/text/learn_tokenizer.h"
#include "core/text/unicode.h"
#include "tests/fuzz/fuzz.h"

using namespace headlight;

namespace {

void learn(const Corpus& corpus) {
    std::vector<std::string> lines;
    for (const SentencePair& pair : corpus) {
        fuzz::require(!pair.source.empty() && !pair.target.empty(), "a pair has two sides");
        fuzz::require(!findInvalidUtf8(pair.source) && !findInvalidUtf8(pair.target), "a pair is UTF-8");
        lines.push_back(pair.source);
    }
    for (const char* kind : {"word", "char", "bpe:8"}) {
        TokenizerOptions options = parseTokenizer(kind);
        options.lowercase = lines.size() % 2 == 1;
        options.minCount = 1 + static_cast<int>(lines.size() % 3);
        const auto tokenizer = trainTokenizer(lines, options);
        for (const std::string& line : lines)
            tokenizer->decode(tokenizer->encode(line));
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const fuzz::Scratch scratch;
    const std::string path = scratch.write("pairs.tsv", {reinterpret_cast<const char*>(data), size});
    fuzz::reads(
        [&] {
            Corpus corpus = readPairs(path);
            learn(corpus);
            const size_t count = corpus.size();
            const CorpusSplits splits = splitCorpus(std::move(corpus), 1);
            fuzz::require(splits.train.size() + splits.validation.size() + splits.test.size() <= count,
                          "the parts are of the corpus");
        },
        path);
    fuzz::reads([&] { learn(readPairs(path, {.undoEntities = true})); }, path);
    fuzz::reads([&] { readPairs(path, {.alignments = path}); });
    fuzz::reads([&] { readLines(path); }, path);
    for (const TextReading reading : {TextReading::Breaks, TextReading::Paragraphs})
        fuzz::reads(
            [&] {
                for (const SentencePair& line : readText(path, {.text = reading})) {
                    fuzz::require(line.source.empty() && !line.target.empty(), "a line of a text says something");
                    fuzz::require(!findInvalidUtf8(withJoint(line)), "a line is UTF-8");
                }
            },
            path);
    fuzz::reads([&] { guessReading(path); }, path);
    for (const char* name : {"pairs.csv", "pairs.jsonl", "pairs.json"}) {
        const std::string table = scratch.write(name, {reinterpret_cast<const char*>(data), size});
        fuzz::reads([&] { learn(readPairs(table)); }, table);
        fuzz::reads([&] { readText(table); }, table);
    }
    fuzz::reads([&] { readParallelText(path, path); }, path);
    return 0;
}

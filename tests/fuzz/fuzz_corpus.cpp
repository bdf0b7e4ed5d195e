// SPDX-License-Identifier: GPL-3.0-or-later
// A file of sentence pairs, the tokenizers that are learned from what it says, and the same file as running text.
#include "core/data/corpus_readers.h"
#include "core/data/text_reading.h"
#include "core/data/text_windows.h"
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

/// Running text as a model learns it: its words, and windows over the one stream that it is.
void learnStream(const Corpus& text, bool hasBreaks) {
    constexpr int kLength = 8;
    std::vector<std::string> lines;
    for (const SentencePair& line : text)
        lines.push_back(withJoint(line, lines.empty()));
    for (const char* kind : {"word", "char", "bpe:8"}) {
        TokenizerOptions options = parseTokenizer(kind);
        options.lowercase = lines.size() % 2 == 1;
        options.lineBreaks = hasBreaks;
        const auto tokenizer = trainTokenizer(lines, options);
        std::vector<int> all;
        for (const std::string& line : lines)
            for (const int id : tokenizer->encode(line))
                all.push_back(id);
        const std::string said = tokenizer->decode(all);
        fuzz::require(!findInvalidUtf8(said), "a text is UTF-8");
        fuzz::require(hasBreaks || said.find('\n') == std::string::npos, "no break where none is a token");
        TextWindows windows(kLength, kLength);
        for (const SentencePair& line : text)
            windows.add(line, *tokenizer, 0);
        std::vector<int> seen;
        for (const Example& window : windows.take()) {
            fuzz::require(window.target.size() > 1 && window.target.size() <= kLength + 1, "a window has a length");
            fuzz::require(seen.empty() || seen.back() == window.target.front(), "a window goes on where one ended");
            seen.insert(seen.end(), window.target.begin() + (seen.empty() ? 0 : 1), window.target.end());
        }
        fuzz::require(all.size() < 2 || seen == all, "windows hold the whole text");
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
                const Corpus text = readText(path, {.text = reading});
                for (const SentencePair& line : text) {
                    fuzz::require(line.source.empty() && !line.target.empty(), "a line of a text says something");
                    fuzz::require(!findInvalidUtf8(withJoint(line)), "a line is UTF-8");
                }
                learnStream(text, reading == TextReading::Breaks);
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

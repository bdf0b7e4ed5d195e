// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/training_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/error.h"
#include "core/platform/file_hash.h"

namespace headlight {

namespace {

const char* wanted(CorpusKind kind) {
    switch (kind) {
        case CorpusKind::Translation:
            return "sentence pairs: --task, --pairs, or --source-file with --target-file";
        case CorpusKind::Text:
            return "text: --text-file, or a --task of text";
        case CorpusKind::Labels:
            return "sentences with labels: --task, or --pairs with a label behind the tab";
    }
    return "";
}

void leaveOutByRules(Corpus& corpus, const PairRules& rules, const TokenizerOptions& tokenizer) {
    rules.validate();
    if (rules.all()) return;
    const std::shared_ptr<const Tokenizer> words = wordSplitter(tokenizer);
    const auto count = [&](const std::string& text) { return static_cast<int>(words->split(text).size()); };
    std::erase_if(corpus, [&](const SentencePair& pair) {
        const int source = count(pair.source), target = count(pair.target);
        return rules.tooLong(source, target) || rules.tooUnequal(source, target);
    });
    if (corpus.empty()) throw Error("no pair is left: raise --longest or --most-ratio");
}

}  // namespace

void CorpusFiles::check(const ModelConfig& config) const {
    if (sourceFile.empty() != targetFile.empty())
        throw Error("--source-file and --target-file belong together: give both");
    const int given = !task.empty() + !pairs.empty() + !sourceFile.empty() + !textFile.empty();
    const CorpusKind kind = config.corpusKind();
    if (given != 1)
        throw Error(
            "say where the sentences come from: one of --task, --pairs, --text-file, or --source-file with "
            "--target-file");
    const bool fits = !task.empty() ? findTask(task).kind == kind : textFile.empty() == (kind != CorpusKind::Text);
    if (!layout.columns.empty() && pairs.empty() && textFile.empty())
        throw Error("--columns chooses among those of --pairs or --text-file: give one of these");
    if ((layout.kind || !layout.list.empty()) && pairs.empty() && textFile.empty())
        throw Error("--kind and --list are said of --pairs or --text-file: give one of these");
    if (!alignments.empty() && pairs.empty() && sourceFile.empty())
        throw Error("--alignments links the words of --pairs, or of --source-file and --target-file: give these");
    if (reading != TextReading::Lines && textFile.empty())
        throw Error("--running-text says how the lines of --text-file hang together: give this");
    if (!fits) throw Error("a model of architecture " + config.architecture + " learns from " + wanted(kind));
}

Corpus CorpusFiles::read(ReadingNotes* notes, const WorkProgress& progress) const {
    const ReadingOptions options{.undoEntities = undoEntities,
                                 .text = reading,
                                 .layout = layout,
                                 .alignments = alignments,
                                 .progress = progress};
    if (!pairs.empty()) return readPairs(pairs, options, notes);
    if (!textFile.empty()) return readText(textFile, options, notes);
    return readParallelText(sourceFile, targetFile, options, notes);
}

const std::string& CorpusFiles::first() const {
    return !pairs.empty() ? pairs : !textFile.empty() ? textFile : sourceFile;
}

SheetUse CorpusFiles::use() const {
    if (!pairs.empty()) return SheetUse::Pairs;
    return textFile.empty() ? SheetUse::Lines : SheetUse::Text;
}

CorpusFiles CorpusFiles::readAlike(CorpusFiles other) const {
    other.undoEntities = undoEntities;
    other.reading = reading;
    other.layout = layout;
    return other;
}

nlohmann::json CorpusFiles::description() const {
    if (!task.empty()) return {{"task", task}};
    nlohmann::json json = nlohmann::json::object();
    for (const auto& [key, path] : named()) {
        json[key] = std::filesystem::path(path).filename().string();
        if (const std::string hash = platform::sha256OfFile(path); !hash.empty()) json["sha256"][key] = hash;
    }
    if (undoEntities) json["undo_entities"] = true;
    for (const auto& [key, value] : settingsOf(layout))
        json[key] = value;
    if (!title.empty()) json["title"] = title;
    if (!credit.empty()) json["credit"] = credit;
    if (!textFile.empty() && reading != TextReading::Lines) json["running_text"] = nameOf(reading);
    return json;
}

std::vector<std::pair<std::string, std::string>> CorpusFiles::named() const {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& [key, path] : {std::pair("pairs", &pairs),
                                    {"source_file", &sourceFile},
                                    {"target_file", &targetFile},
                                    {"text_file", &textFile}})
        if (!path->empty()) files.emplace_back(key, *path);
    return files;
}

std::shared_ptr<const Tokenizer> wordSplitter(const TokenizerOptions& options) {
    using Kind = TokenizerOptions::Kind;
    return trainTokenizer(
        {}, {.kind = options.kind == Kind::Whitespace ? Kind::Whitespace : Kind::Word, .lowercase = options.lowercase});
}

bool PairRules::tooLong(int sourceWords, int targetWords) const {
    return longest > 0 && std::max(sourceWords, targetWords) > longest;
}

bool PairRules::tooUnequal(int sourceWords, int targetWords) const {
    const auto [less, more] = std::minmax(sourceWords, targetWords);
    return mostRatio > 0 && more > mostRatio * less;
}

void PairRules::validate() const {
    if (longest < 0) throw Error("longest must be at least 0 words (0: any number)");
    if (mostRatio != 0 && !(mostRatio >= 1 && std::isfinite(mostRatio)))
        throw Error("most-ratio must be at least 1, or 0 for any");
}

Corpus TrainingData::read(ReadingNotes* notes, const WorkProgress& progress) const {
    Corpus corpus = files.read(notes, progress);
    if (files.textFile.empty()) leaveOutByRules(corpus, rules, tokenizer);
    return corpus;
}

void TrainingData::check(const ModelConfig& config) const {
    files.check(config);
    for (const auto& [part, name] : {std::pair(&validation, "validation"), {&test, "test"}}) {
        const std::string option = std::string("--") + name;
        if (part->sourceFile.empty() != part->targetFile.empty())
            throw Error(option + "-source-file and " + option + "-target-file belong together: give both");
        const int given = !part->pairs.empty() + !part->sourceFile.empty() + !part->textFile.empty();
        if (given > 1)
            throw Error("give one of " + option + "-pairs, " + option + "-source-file, " + option + "-text-file");
        if (given == 1 && part->textFile.empty() == (config.corpusKind() == CorpusKind::Text))
            throw Error("files for " + std::string(name) + " must be as those that are learned from: " +
                        (config.corpusKind() == CorpusKind::Text ? "a text" : "pairs, in a table or in two files"));
    }
}

TokenizerOptions TrainingData::words() const {
    TokenizerOptions words = tokenizer;
    words.lineBreaks = files.reading != TextReading::Lines;
    return words;
}

SplitSizes TrainingData::setAside() const {
    SplitSizes rest = sizes;
    if (!validation.isEmpty()) rest.validation = 0;
    if (!test.isEmpty() || (!validation.isEmpty() && rest.test < 0)) rest.test = 0;
    return rest;
}

CorpusSplits TrainingData::splits(uint64_t seed, ReadingNotes* notes, const WorkProgress& progress) const {
    CorpusSplits splits;
    if (!files.task.empty())
        splits = findTask(files.task).corpus();
    else if (!files.textFile.empty())
        splits = splitText(read(notes, progress), setAside());
    else
        splits = splitCorpus(read(notes, progress), static_cast<unsigned>(seed), setAside());
    for (const auto& [part, own] : {std::pair(&splits.validation, &validation), {&splits.test, &test}}) {
        if (own->isEmpty()) continue;
        *part = files.readAlike(*own).read(notes, partOf(progress, 1, 1));
    }
    return splits;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <algorithm>
#include <iostream>

#include "core/data/task.h"
#include "core/error.h"
#include "core/json_text.h"
#include "core/number_text.h"

namespace headlight::cli {

std::string optionName(std::string key) {
    std::ranges::replace(key, '_', '-');
    return "--" + key;
}

void printJson(const nlohmann::json& json) {
    // Text from files may hold anything; a broken character must not stop the output.
    std::cout << jsonText(json) << std::endl;
}

void note(const std::string& text) {
    std::cerr << "headlight-cli: note: " << text << "\n";
}

void addModelOption(CLI::App& command, std::string& model) {
    command.add_option("model", model, "A model: a file, a folder, or its name in Hugging Face's cache")
        ->required()
        ->option_text("MODEL");
}

void ReadingOptions::addTo(CLI::App& command) {
    addModelOption(command, model);
    command.add_option("--source", source, "The sentence")->required()->option_text("TEXT");
    command.add_option("--target", target, "What the decoder is fed; without it the model's own translation")
        ->option_text("TEXT");
    command.add_option("--mute", mute, "Heads to silence, as decoder.layers.1.cross_attn.0")
        ->option_text("LAYER.HEAD…");
}

void CorpusOptions::addTo(CLI::App& command) {
    command.add_option("--task", task, "A built-in task: see headlight-cli tasks")->option_text("NAME");
    command.add_option("--pairs", pairs, "Sentence pairs: source TAB target a line, CSV, JSON lines or a JSON list")
        ->option_text("FILE");
    command.add_option("--source-file", sourceFile, "Source sentences, one a line")->option_text("FILE");
    command.add_option("--target-file", targetFile, "Their translations, line by line")->option_text("FILE");
    command
        .add_option("--text-file", textFile, "Plain text, for language models: a sentence a line, or --running-text")
        ->option_text("FILE");
    command
        .add_option_function<std::vector<std::string>>(
            "--running-text",
            [this](const std::vector<std::string>& values) { said = values.empty() ? "" : values.back(); },
            "The text is one stream: its line breaks are tokens (breaks), or a line goes on in the next and a blank "
            "one ends a paragraph (paragraphs); without a value as its lines look; lines: a sentence each")
        ->check(CLI::IsMember({"", "lines", "breaks", "paragraphs"}))
        ->expected(0, 1)
        ->option_text("[lines|breaks|paragraphs]");
    std::vector<std::string> kinds;
    for (const LayoutKind kind : layoutKinds)
        kinds.emplace_back(nameOf(kind));
    command
        .add_option_function<std::string>(
            "--kind", [this](const std::string& kind) { layout.kind = parseLayoutKind(kind); },
            "Of the file: a text (lines), a table with tabs, comma-separated (csv), …; without it as it looks")
        ->check(CLI::IsMember(kinds))
        ->option_text("lines|tabs|quoted-tabs|csv|semicolons|json-lines|json");
    command
        .add_option("--list", layout.list,
                    "Of a JSON file that is an object, the key of the list that is read; without it the largest")
        ->option_text("KEY");
    command
        .add_option("--encoding", layout.encoding,
                    "Of the files, as UTF-16LE or windows-1252; without it as their bytes look")
        ->option_text("NAME");
    command
        .add_option("--columns", layout.columns,
                    "Of a table the source's and the target's, of a text its own: numbers from 1, or names")
        ->option_text("A,B");
    command
        .add_option("--header", layout.header,
                    "Whether the first row of a table names its columns; without it as it looks")
        ->option_text("true|false");
    command.add_flag("--undo-entities", undoEntities, "Read &apos; in the files as ', &#233; as é, and so on");
}

void addDtype(CLI::App& command, safetensors::DType& weights) {
    command
        .add_option_function<std::string>(
            "--dtype",
            [&weights](const std::string& type) {
                weights = type == "f16" ? safetensors::DType::F16 : safetensors::DType::F32;
            },
            "How weights are saved: f32, or f16, which takes half the room")
        ->check(CLI::IsMember({"f32", "f16"}))
        ->option_text("f32|f16");
}

void noteReading(const ReadingNotes& notes) {
    if (notes.halfPairs > 0)
        note(grouped(notes.halfPairs) + (notes.halfPairs == 1 ? " pair has" : " pairs have") +
             " nothing on one side, first in " + notes.firstHalfPair + ": left out");
    if (notes.repeated > 0)
        note(grouped(notes.repeated) + (notes.repeated == 1 ? " sentence stands" : " sentences stand") +
             " in the file more than once, again first in " + notes.firstRepeated + ": each is kept");
    if (notes.entities > 0)
        note(grouped(notes.entities) + (notes.entities == 1 ? " entity was" : " entities were") +
             " undone: written as the character meant");
}

std::string reasonOf(const TextGuess& guess) {
    switch (guess.reading) {
        case TextReading::Lines:
            return "its lines look like a sentence each";
        case TextReading::Breaks:
            return guess.blank > 0 ? grouped(guess.blank) + " blank lines part its " + grouped(guess.lines) + " lines"
                                   : "its lines are " + grouped(guess.mean) + " characters long on average";
        case TextReading::Paragraphs:
            return fixed(100 * guess.wrapped, 0) + " % of its lines have no room for the next word within " +
                   grouped(guess.width) + " characters";
    }
    return "";
}

void CorpusOptions::settleReading(const TrainedModel* model) {
    reading = TextReading::Lines;
    if (textFile.empty()) {
        if (said) throw Error("--running-text says how the lines of --text-file hang together: give this");
        return;
    }
    if (said && !said->empty()) {
        reading = parseTextReading(*said);
    } else if (said) {
        const TextGuess guess = guessReading(textFile, layout);
        reading = guess.reading;
        note(textFile + " is read as " + nameOf(reading) + ": " + reasonOf(guess));
    } else if (model) {
        reading = readingOf(model->training);
    }
}

void CorpusOptions::noteLayout() const {
    for (const std::string& path : {first(), targetFile}) {
        if (path.empty()) continue;
        if (const std::string read = describe(layoutOf(path, use(), layout), use()); !read.empty())
            note(path + " is read as " + read);
    }
}

Corpus CorpusOptions::readFiles() const {
    noteLayout();
    ReadingNotes notes;
    Corpus corpus;
    {
        Progress progress("reading");
        corpus = read(&notes, progress.work());
    }
    noteReading(notes);
    return corpus;
}

const Corpus& partOf(const CorpusSplits& splits, const std::string& part) {
    if (part == "train") return splits.train;
    if (part == "validation") return splits.validation;
    return part == "unseen" ? splits.unseen : splits.test;
}

void EvaluationCorpus::addTo(CLI::App& command) {
    CorpusOptions::addTo(command);
    command.add_option("--part", part, "Which part of a built-in task: test (default), unseen, validation, train")
        ->check(CLI::IsMember({"test", "unseen", "validation", "train"}))
        ->option_text("PART");
}

Corpus EvaluationCorpus::readFor(const TrainedModel& model) const {
    EvaluationCorpus settled = *this;
    settled.settleReading(&model);
    settled.check(model.network->config());
    return task.empty() ? settled.readFiles() : partOf(findTask(task).corpus(), part);
}

std::vector<std::string> unknownWords(const TrainedModel& model, const std::string& text) {
    std::vector<std::string> unknown;
    for (const std::string& token : model.source->split(text))
        if (!model.source->vocabulary().contains(token)) unknown.push_back(token);
    return unknown;
}

void refuseUnknownWords(const TrainedModel& model, const std::string& text, bool allowed) {
    if (allowed) return;
    std::string quoted;
    for (const std::string& word : unknownWords(model, text))
        quoted += (quoted.empty() ? "\"" : ", \"") + word + "\"";
    if (!quoted.empty())
        throw Error("the model does not know " + quoted +
                    ": use words of its training data, or read them as <unk> with --allow-unknown");
}

nlohmann::json optional(const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json toJson(const Evaluation& result) {
    return {{"loss", result.loss},
            {"perplexity", result.perplexity},
            {"token_accuracy", result.tokenAccuracy},
            {"sequence_accuracy", optional(result.sequenceAccuracy)},
            {"bleu", optional(result.bleu)},
            {"sentences", result.sentences},
            {"tokens", result.tokens}};
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string fixed(double value, int decimals) {
    return fixedNumber(value, decimals);
}

std::string grouped(long value) {
    std::string digits = std::to_string(value);
    for (int at = static_cast<int>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
        digits.insert(static_cast<size_t>(at), ",");
    return digits;
}

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/progress.h"
#include "core/data/corpus.h"
#include "core/data/evaluation.h"
#include "core/data/training_data.h"
#include "core/io/safetensors.h"
#include "core/io/trained_model.h"

namespace headlight::cli {

/// Each subcommand is one file of this folder that adds itself to the program; main() calls them all. A command does
/// its work in its callback and throws headlight::Error where it cannot.
void addTasks(CLI::App& app);
void addTrain(CLI::App& app);
void addTranslate(CLI::App& app);
void addTrace(CLI::App& app);
void addWhy(CLI::App& app);
void addPatch(CLI::App& app);
void addAttribute(CLI::App& app);
void addGenerate(CLI::App& app);
void addEvaluate(CLI::App& app);
void addBench(CLI::App& app);
void addSummary(CLI::App& app);
void addBpe(CLI::App& app);
void addExperiment(CLI::App& app);
/// One of `experiment`'s own.
void addLensExperiment(CLI::App& experiment);
void addAttributionExperiment(CLI::App& experiment);
void addLessons(CLI::App& app);
void addImport(CLI::App& app);
void addExport(CLI::App& app);

/// `d_model` → `--d-model`.
std::string optionName(std::string key);
/// Prints one JSON object as a line of standard output.
void printJson(const nlohmann::json& json);
/// Says something worth knowing on standard error: `headlight-cli: note: …`.
void note(const std::string& text);

/// Throws Error where a text given as an argument has words that the model does not know, unless they are allowed.
void refuseUnknownWords(const TrainedModel& model, const std::string& text, bool allowed);
/// Words of the text that the model does not know.
std::vector<std::string> unknownWords(const TrainedModel& model, const std::string& text);

/// The argument that names the model that a command is about.
void addModelOption(CLI::App& command, std::string& model);

/// What a trace is made of: a model, a sentence, what the decoder is fed, and heads to silence.
struct ReadingOptions {
    std::string model, source;
    std::optional<std::string> target;
    std::vector<std::string> mute;

    void addTo(CLI::App& command);
};

/// Adds `--dtype`: how weights are saved.
void addDtype(CLI::App& command, safetensors::DType& weights);

/// What of a text's lines says how it is to be read.
std::string reasonOf(const TextGuess& guess);

/// Notes of what was left out of files, and what was undone in them.
void noteReading(const ReadingNotes& notes);

/// Where sentences come from, for train and evaluate.
struct CorpusOptions : CorpusFiles {
    /// How a text is read, as `--running-text` was given: "" where that is to be seen from the file.
    std::optional<std::string> said = {};

    void addTo(CLI::App& command);
    /// Settles how a text is read: as it was said, else as `model` learned to read, else a sentence a line.
    void settleReading(const TrainedModel* model = nullptr);
    /// A note of each file that is no plain one: how it is read.
    void noteLayout() const;
    /// CorpusFiles::read(), with progress and notes.
    Corpus readFiles() const;
};

/// What a model is measured on: a corpus, and of a built-in task one of its parts.
struct EvaluationCorpus : CorpusOptions {
    std::string part = "test";

    void addTo(CLI::App& command);
    /// Throws Error as CorpusFiles::check.
    Corpus readFor(const TrainedModel& model) const;
};
/// The part of a task: train, validation, test or unseen.
const Corpus& partOf(const CorpusSplits& splits, const std::string& part);

/// A number, or null where there is none.
nlohmann::json optional(const std::optional<double>& value);
/// The figures of an evaluation under the keys of CONTRACTS, section 1.
nlohmann::json toJson(const Evaluation& result);
/// Seconds that have passed since then.
double secondsSince(std::chrono::steady_clock::time_point start);
/// Fixed decimals, for tables.
std::string fixed(double value, int decimals);
/// 178305 → "178,305".
std::string grouped(long value);

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <utility>

#include "app/cli/config_file.h"
#include "app/cli/train_options.h"
#include "core/data/evaluation.h"
#include "core/data/example_sentence.h"
#include "core/data/new_model.h"
#include "core/data/table_columns.h"
#include "core/data/training_recipe.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "core/train/kept_weights.h"
#include "core/train/trainer.h"
#include "core/train/training_memory.h"

namespace headlight::cli {

namespace {

std::atomic<bool> interrupted = false;

/// Refuses what cannot end well before hours of work go into it.
void checkOptions(const TrainCommandOptions& options, const ModelConfig& config) {
    options.check(config);
    if (options.from.empty()) checkTokenizer(options.tokenizerOptions(), config);
    options.keep.validate();
    if (options.checkpoint.empty() != (options.checkpointEvery == 0))
        throw Error("--checkpoint and --checkpoint-every belong together: give both");
    for (const std::string& path : {options.out, options.checkpoint}) {
        if (path.empty()) continue;
        std::error_code error;
        const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
        if (!std::filesystem::is_directory(folder, error))
            throw Error("there is no folder " + folder.string() + " to write " + path + " into: make it first");
        if (std::filesystem::is_directory(path, error)) throw Error(path + " is a folder: give the name of a file");
        if (error && error != std::errc::no_such_file_or_directory)
            throw Error(path + " cannot be written (" + error.message() + "): give another name");
    }
}

class TrainRun {
public:
    TrainRun(const TrainCommandOptions& options, std::vector<Setting> settings)
        : m_options(options), m_settings(std::move(settings)), m_kept(options.keep), m_weights(options.weights) {}

    /// `from`: a model that goes on learning; without a network a new one is made.
    void run(TrainedModel from) {
        prepare(std::move(from));
        Trainer trainer(*m_model.network, m_train.pairs, m_options.train);
        if (!m_options.resume.empty())
            m_kept = KeptWeights(m_options.keep, resumeFromCheckpoint(m_model, trainer, m_options.resume));
        std::signal(SIGINT, [](int) { interrupted = true; });
        const auto start = std::chrono::steady_clock::now();
        loop(trainer, start);
        finish(trainer, secondsSince(start));
    }

private:
    void prepare(TrainedModel from) {
        m_data = m_options.corpus.description();  // of the files as they are read
        CorpusSplits splits = m_options.splits();
        m_model = from.network ? std::move(from) : makeModel(splits.train);
        const ModelConfig& config = m_model.network->config();
        if (config.corpusKind() == CorpusKind::Translation) noteLabels(splits.train);
        const size_t all = splits.train.size();
        {
            Progress progress("encoding");
            m_train = encode(std::move(splits.train), m_model, Purpose::Training, progress.work());
        }
        m_validation = std::move(splits.validation);
        if (!m_options.test.isEmpty()) m_test = std::move(splits.test);
        if (m_train.skipped > 0)
            note(std::to_string(m_train.skipped) + " of " + std::to_string(all) +
                 " pairs are longer than --max-length " + std::to_string(config.maxLength) + ", and were left out");
        if (m_train.pairs.empty())
            throw Error("every sentence is longer than --max-length " + std::to_string(config.maxLength) +
                        ": raise it");
    }

    /// A translator learns labels too, but in more steps, and not as labels.
    void noteLabels(const Corpus& corpus) const {
        if (m_options.corpus.pairs.empty()) return;
        std::vector<std::string_view> targets;
        for (const SentencePair& pair : corpus)
            targets.push_back(pair.target);
        if (looksLikeLabels(targets))
            note("what is to be said of the sentences looks like labels, “" + corpus.front().target +
                 "” for one: --arch encoder-classifier learns to tell them apart");
    }

    TrainedModel makeModel(const Corpus& corpus) const {
        TrainedModel model;
        {
            Progress progress("learning the words");
            model = newModel(m_options.config, m_options.data().words(), corpus, m_options.train.seed, progress.work());
        }
        SidesFound found;
        {
            Progress progress("reading vectors");
            found = startWith(m_options.vectors, model, progress.work());
        }
        noteFound(found.source, "source", m_options.vectors.source);
        noteFound(found.target, "target", m_options.vectors.target);
        return model;
    }

    static void noteFound(const VectorsFound& found, const char* side, const std::string& file) {
        if (!file.empty())
            note(grouped(found.found) + " of " + grouped(found.words) + " " + side + " words start with a vector of " +
                 file);
    }

    void loop(Trainer& trainer, std::chrono::steady_clock::time_point start) {
        Progress progress("training");
        long tokens = 0;
        double loss = 0;  // of all tokens since the last report
        auto since = start;
        const long end = m_options.lastStep();
        while (trainer.stepsDone() < end && !interrupted && !m_kept.patienceIsOver()) {
            const StepReport report = step(trainer);
            tokens += report.tokens;
            loss += report.loss * static_cast<double>(report.tokens);
            const bool last = report.step == end;
            if (report.step % m_options.reportEvery == 0 || last) {
                tell(report, loss / static_cast<double>(tokens),
                     static_cast<double>(tokens) / std::max(1e-9, secondsSince(since)));
                tokens = 0;
                loss = 0;
                since = std::chrono::steady_clock::now();
            }
            if (report.step % 5 == 0)
                progress.show(static_cast<double>(report.step) / static_cast<double>(end),
                              "step " + std::to_string(report.step) + "  loss " + fixed(report.loss, 3));
            if (m_options.keep.isDue(report.step)) validateAndKeep(report.step);
            if (m_options.checkpointEvery > 0 && report.step % m_options.checkpointEvery == 0) checkpoint(trainer);
        }
    }

    /// Where a training breaks down its user wants to know from where it can go on.
    StepReport step(Trainer& trainer) const {
        try {
            return trainer.step();
        } catch (const Error& error) {
            if (m_checkpointed == 0) throw;
            throw Error(std::string(error.what()) + "; the checkpoint of step " + std::to_string(m_checkpointed) +
                        " is in " + m_options.checkpoint);
        }
    }

    void checkpoint(Trainer& trainer) {
        saveCheckpoint(m_model, trainer, m_options.checkpoint, m_kept.state());
        m_checkpointed = trainer.stepsDone();
    }

    /// Once a step: a run may end where it was just done.
    void validateAndKeep(long step) {
        if (std::exchange(m_validatedAt, step) == step) return;
        m_validated = validate(step);
        if (!m_kept.state().at(step))  // else known from before the run was interrupted
            m_kept.keep(std::as_const(*m_model.network).parameters(), step, m_validated.loss);
    }

    void tell(const StepReport& report, double meanLoss, double tokensPerSecond) const {
        if (m_options.json)
            printJson({{"step", report.step},
                       {"loss", report.loss},
                       {"mean_loss", meanLoss},
                       {"learning_rate", report.learningRate},
                       {"tokens_per_second", tokensPerSecond},
                       {"gradient_norm", report.gradientNorm}});
        else
            std::cout << "step " << report.step << "  loss " << fixed(meanLoss, 4) << "  learning rate "
                      << fixed(report.learningRate, 6) << "  gradient norm " << fixed(report.gradientNorm, 3) << "  "
                      << grouped(static_cast<long>(tokensPerSecond)) << " tokens/s" << std::endl;
    }

    Evaluation validate(long step) const {
        if (m_validation.empty()) return {};
        // BLEU costs a decoding: some hundred sentences tell enough while training goes on.
        constexpr size_t most = 500;
        Corpus part(m_validation.begin(),
                    m_validation.begin() + static_cast<long>(std::min(most, m_validation.size())));
        Evaluation result = evaluateInTraining(m_model, part);
        if (m_validation.size() > most) {
            const EncodedCorpus all = encode(m_validation, m_model, Purpose::Evaluation);
            const LossReport loss = lossOn(m_model, all.pairs);
            result.loss = loss.loss;
            result.perplexity = std::exp(loss.loss);
            result.tokenAccuracy = loss.tokenAccuracy;
        }
        if (m_options.json)
            printJson({{"step", step},
                       {"validation_loss", result.loss},
                       {"perplexity", result.perplexity},
                       {"token_accuracy", result.tokenAccuracy},
                       {"bleu", optional(result.bleu)},
                       {"bleu_sentences", result.bleu ? nlohmann::json(result.sentences) : nlohmann::json()}});
        else
            std::cout << "step " << step << "  validation loss " << fixed(result.loss, 4) << "  perplexity "
                      << fixed(result.perplexity, 3) << "  token accuracy " << fixed(100 * result.tokenAccuracy, 2)
                      << " %" << (result.bleu ? "  BLEU " + fixed(*result.bleu, 2) : "")
                      << (result.bleu && m_validation.size() > most
                              ? " of the first " + grouped(result.sentences) + " sentences"
                              : "")
                      << std::endl;
        return result;
    }

    void finish(Trainer& trainer, double seconds) {
        const long steps = trainer.stepsDone();
        if (m_options.keep.patience > 0 && !interrupted && steps < m_options.lastStep())
            note("stopped at step " + std::to_string(steps) + ": the validation loss fell no more");
        // First, as the validation that follows is one more than a run has that is not interrupted.
        if (interrupted && !m_options.checkpoint.empty()) checkpoint(trainer);
        if (m_options.keep.validateEvery > 0) validateAndKeep(steps);
        if (const auto chosen = m_kept.choose(m_model.network->parameters(), steps)) {
            note("written is " + *chosen);
            m_chosen = *chosen;
        }
        const std::string unfit = roundToWhatIsWritten();
        if (!m_chosen.empty() || m_weights != safetensors::DType::F32) m_validated = validate(steps);
        if (!m_test.empty()) judge();
        m_model.training = story(trainer);
        saveModel(m_model, m_options.out, m_weights);
        const std::string settings = settingsFileOf(m_options.out);
        writeSettings(
            settings, m_settings,
            "Trains " + fileName(m_options.out) + " again: headlight-cli train --config " + fileName(settings));
        if (m_options.json)
            printJson({{"done", true},
                       {"steps", steps},
                       {"seconds", seconds},
                       {"model", m_options.out},
                       {"settings", settings}});
        else
            std::cout << (interrupted ? "interrupted: " : "") << steps << " steps in " << fixed(seconds, 1)
                      << " s, written to " << m_options.out << ", how it was trained to " << settings << std::endl;
        if (!unfit.empty()) throw Error(m_options.out + " was written as F32: " + unfit);
    }

    /// Figures are of the weights that are written. What a long run has learned is not lost where F16 cannot hold it:
    /// it is written as F32 then. Returns why, or "".
    std::string roundToWhatIsWritten() {
        try {
            roundWeights(m_model, m_weights);
            return {};
        } catch (const Error& error) {
            m_weights = safetensors::DType::F32;
            return error.what();
        }
    }

    /// By what was kept away, once, with the weights that are written.
    void judge() {
        m_judged = evaluate(m_model, m_test);
        if (m_options.json)
            printJson({{"test_loss", m_judged.loss},
                       {"perplexity", m_judged.perplexity},
                       {"token_accuracy", m_judged.tokenAccuracy},
                       {"bleu", optional(m_judged.bleu)},
                       {"sentences", m_judged.sentences}});
        else
            std::cout << "test loss " << fixed(m_judged.loss, 4) << "  perplexity " << fixed(m_judged.perplexity, 3)
                      << "  token accuracy " << fixed(100 * m_judged.tokenAccuracy, 2) << " %"
                      << (m_judged.bleu ? "  BLEU " + fixed(*m_judged.bleu, 2) : "") << std::endl;
    }

    static std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

    /// What the model file says of how the model was made.
    TrainingStory story(const Trainer& trainer) const {
        nlohmann::json json = storyOf(m_options.corpus, trainer, m_train.pairs.size(), example()).json();
        json["data"] = m_data;
        if (!m_chosen.empty()) json["weights"] = m_chosen;
        if (!m_test.empty()) {
            json["test_loss"] = m_judged.loss;
            json["test_bleu"] = optional(m_judged.bleu);
        }
        if (m_options.keep.validateEvery == 0 || m_validation.empty()) return TrainingStory(json);
        json["validation_loss"] = m_validated.loss;
        json["bleu"] = optional(m_validated.bleu);
        return TrainingStory(json);
    }

    /// Of data of the user's own, a sentence that whoever opens the model begins with.
    std::string example() const {
        if (!m_options.example.empty()) return m_options.example;
        const size_t place = m_options.corpus.task.empty() ? ordinaryPair(m_validation, m_model) : m_validation.size();
        return place < m_validation.size() ? beginningOf(m_validation[place], m_model) : std::string();
    }

    const TrainCommandOptions& m_options;
    TrainedModel m_model;
    EncodedCorpus m_train;
    Corpus m_validation, m_test;
    std::vector<Setting> m_settings;  ///< the options of the command, for who wants to repeat it
    nlohmann::json m_data;            ///< what is said of the files
    KeptWeights m_kept;
    safetensors::DType m_weights;  ///< as they are written
    Evaluation m_validated;        ///< the last one
    Evaluation m_judged;           ///< by the files for the test
    std::string m_chosen;          ///< which weights are written, where they are not the last ones
    long m_validatedAt = -1;       ///< its step
    long m_checkpointed = 0;       ///< the step of the last checkpoint; 0: none yet
};

/// A text that does not look as it is read.
void noteGuess(const CorpusOptions& corpus) {
    if (corpus.textFile.empty() || corpus.said || corpus.reading != TextReading::Lines) return;
    const TextGuess guess = guessReading(corpus.textFile, corpus.layout);
    if (guess.reading == TextReading::Lines) return;
    note(corpus.textFile + " is read a sentence a line, and looks like running text, as " + reasonOf(guess) +
         ": --running-text reads it as one stream");
}

}  // namespace

void addTrain(CLI::App& app) {
    CLI::App* command = app.add_subcommand("train", "Train a model");
    auto options = std::make_shared<TrainCommandOptions>();
    addTrainOptions(*command, *options);
    command->callback([options, command] {
        TrainedModel start;
        if (!options->from.empty()) {
            if (!options->config.empty() || !command->get_option("--tokenizer")->empty() ||
                options->words != TokenizerOptions() || options->vectors != VectorFiles())
                throw Error(
                    "--from brings a model with its words and settings: leave out --arch, --tokenizer and what "
                    "describes a new one");
            start = openModel(options->from);
        }
        options->corpus.settleReading(start.network ? &start : nullptr);
        noteGuess(options->corpus);
        options->corpus.noteLayout();
        checkOptions(*options, start.network ? start.network->config() : ModelConfig::fromJson(options->config));
        std::vector<Setting> settings = settingsOf(*command);
        // Who repeats a run begins it anew, and comes to the same model.
        std::erase_if(settings, [](const Setting& setting) { return setting.key == "resume"; });
        // What was seen from the file, or is the model's that it began with, is said.
        std::erase_if(settings, [](const Setting& setting) { return setting.key == "running_text"; });
        if (!options->corpus.textFile.empty()) settings.push_back({"running_text", nameOf(options->corpus.reading)});
        TrainRun(*options, std::move(settings)).run(std::move(start));
    });
}

}  // namespace headlight::cli

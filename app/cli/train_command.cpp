// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>

#include "app/cli/train_options.h"
#include "core/data/corpus_readers.h"
#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/train/training_memory.h"

namespace headlight::cli {

namespace {

std::atomic<bool> interrupted = false;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Refuses what cannot end well before hours of work go into it.
void checkOptions(const TrainCommandOptions& options, const ModelConfig& config) {
    options.corpus.check(config);
    options.train.validate();
    refuseWhateverTheWords(config, options.train);
    if (options.validationSource.empty() != options.validationTarget.empty())
        throw Error("--validation-source-file and --validation-target-file belong together: give both");
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

CorpusSplits readCorpus(const TrainCommandOptions& options) {
    const bool ownValidation = !options.validationPairs.empty() || !options.validationSource.empty();
    CorpusSplits splits;
    if (ownValidation && options.corpus.task.empty())
        splits.train = options.corpus.readFiles();
    else
        splits = options.splits();
    if (!options.validationPairs.empty()) splits.validation = readPairs(options.validationPairs);
    if (!options.validationSource.empty())
        splits.validation = readParallelText(options.validationSource, options.validationTarget);
    return splits;
}

class TrainRun {
public:
    explicit TrainRun(const TrainCommandOptions& options) : m_options(options) {}

    void run() {
        prepare();
        Trainer trainer(*m_model.network, m_train.pairs, m_options.train);
        if (!m_options.resume.empty()) resumeFromCheckpoint(m_model, trainer, m_options.resume);
        std::signal(SIGINT, [](int) { interrupted = true; });
        const auto start = std::chrono::steady_clock::now();
        loop(trainer, start);
        finish(trainer, secondsSince(start));
    }

private:
    void prepare() {
        const CorpusSplits splits = readCorpus(m_options);
        m_model = newModel(m_options.config, m_options.tokenizerOptions(), splits.train, m_options.train.seed);
        const ModelConfig& config = m_model.network->config();
        m_train = encode(splits.train, m_model, Purpose::Training);
        m_validation = splits.validation;
        if (m_train.skipped > 0)
            note(std::to_string(m_train.skipped) + " of " + std::to_string(splits.train.size()) +
                 " pairs are longer than --max-length " + std::to_string(config.maxLength) + ", and were left out");
        if (m_train.pairs.empty())
            throw Error("every sentence is longer than --max-length " + std::to_string(config.maxLength) +
                        ": raise it");
    }

    void loop(Trainer& trainer, std::chrono::steady_clock::time_point start) {
        Progress progress("training");
        long tokens = 0;
        auto since = start;
        while (trainer.stepsDone() < m_options.train.steps && !interrupted) {
            const StepReport report = step(trainer);
            tokens += report.tokens;
            const bool last = report.step == m_options.train.steps;
            if (report.step % m_options.reportEvery == 0 || last) {
                tell(report, static_cast<double>(tokens) / std::max(1e-9, secondsSince(since)));
                tokens = 0;
                since = std::chrono::steady_clock::now();
            }
            if (report.step % 5 == 0)
                progress.show(static_cast<double>(report.step) / static_cast<double>(m_options.train.steps),
                              "step " + std::to_string(report.step) + "  loss " + fixed(report.loss, 3));
            if (report.step % m_options.validateEvery == 0 && !last) validate(report.step);
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
        saveCheckpoint(m_model, trainer, m_options.checkpoint);
        m_checkpointed = trainer.stepsDone();
    }

    void tell(const StepReport& report, double tokensPerSecond) const {
        if (m_options.json)
            printJson({{"step", report.step},
                       {"loss", report.loss},
                       {"learning_rate", report.learningRate},
                       {"tokens_per_second", tokensPerSecond},
                       {"gradient_norm", report.gradientNorm}});
        else
            std::cout << "step " << report.step << "  loss " << fixed(report.loss, 4) << "  learning rate "
                      << fixed(report.learningRate, 6) << "  gradient norm " << fixed(report.gradientNorm, 3) << "  "
                      << grouped(static_cast<long>(tokensPerSecond)) << " tokens/s" << std::endl;
    }

    Evaluation validate(long step) const {
        // BLEU costs a decoding: some hundred sentences tell enough while training goes on.
        constexpr size_t most = 500;
        Corpus part(m_validation.begin(),
                    m_validation.begin() + static_cast<long>(std::min(most, m_validation.size())));
        if (part.empty()) return {};
        Evaluation result = evaluate(m_model, part);
        if (m_validation.size() > most) {
            const EncodedCorpus all = encode(m_validation, m_model, Purpose::Evaluation);
            const LossReport loss = evaluateLoss(*m_model.network, all.pairs, m_options.train.batchSize);
            result.loss = loss.loss;
            result.perplexity = std::exp(loss.loss);
            result.tokenAccuracy = loss.tokenAccuracy;
        }
        if (m_options.json)
            printJson({{"step", step},
                       {"validation_loss", result.loss},
                       {"perplexity", result.perplexity},
                       {"token_accuracy", result.tokenAccuracy},
                       {"bleu", optional(result.bleu)}});
        else
            std::cout << "step " << step << "  validation loss " << fixed(result.loss, 4) << "  perplexity "
                      << fixed(result.perplexity, 3) << "  token accuracy " << fixed(100 * result.tokenAccuracy, 2)
                      << " %" << (result.bleu ? "  BLEU " + fixed(*result.bleu, 2) : "") << std::endl;
        return result;
    }

    void finish(Trainer& trainer, double seconds) {
        const Evaluation result = validate(trainer.stepsDone());
        if (interrupted && !m_options.checkpoint.empty()) checkpoint(trainer);
        m_model.training = TrainingStory(nlohmann::json{{"data", m_options.corpus.description()},
                                                        {"steps", trainer.stepsDone()},
                                                        {"seed", m_options.train.seed},
                                                        {"batch_size", m_options.train.batchSize},
                                                        {"training_pairs", m_train.pairs.size()},
                                                        {"validation_loss", result.loss},
                                                        {"bleu", optional(result.bleu)}});
        saveModel(m_model, m_options.out);
        if (m_options.json)
            printJson({{"done", true}, {"steps", trainer.stepsDone()}, {"seconds", seconds}, {"model", m_options.out}});
        else
            std::cout << (interrupted ? "interrupted: " : "") << trainer.stepsDone() << " steps in "
                      << fixed(seconds, 1) << " s, written to " << m_options.out << std::endl;
    }

    const TrainCommandOptions& m_options;
    TrainedModel m_model;
    EncodedCorpus m_train;
    Corpus m_validation;
    long m_checkpointed = 0;  ///< the step of the last checkpoint; 0: none yet
};

}  // namespace

void addTrain(CLI::App& app) {
    CLI::App* command = app.add_subcommand("train", "Train a model");
    auto options = std::make_shared<TrainCommandOptions>();
    addTrainOptions(*command, *options);
    command->callback([options] {
        checkOptions(*options, ModelConfig::fromJson(options->config));
        TrainRun(*options).run();
    });
}

}  // namespace headlight::cli

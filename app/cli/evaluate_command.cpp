// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/error.h"

namespace headlight::cli {

namespace {

struct Options {
    std::string model, part = "test";
    CorpusOptions corpus;
    int beam = 1;
    bool json = false;
};

Corpus corpusOf(const Options& options, const ModelConfig& config) {
    options.corpus.check(config);
    if (options.corpus.task.empty()) return options.corpus.readFiles();
    const CorpusSplits splits = findTask(options.corpus.task).generate();
    if (options.part == "train") return splits.train;
    if (options.part == "validation") return splits.validation;
    return options.part == "unseen" ? splits.unseen : splits.test;
}

void run(const Options& options) {
    const TrainedModel model = loadModel(options.model);
    const Evaluation result = evaluate(model, corpusOf(options, model.network->config()), {.beam = options.beam});
    if (result.skipped > 0)
        note(std::to_string(result.skipped) + " pairs are longer than the model reads, and were left out");
    if (options.json) {
        printJson({{"loss", result.loss},
                   {"perplexity", result.perplexity},
                   {"token_accuracy", result.tokenAccuracy},
                   {"sequence_accuracy", optional(result.sequenceAccuracy)},
                   {"bleu", optional(result.bleu)},
                   {"sentences", result.sentences}});
        return;
    }
    std::cout << "sentences          " << grouped(result.sentences) << "\n"
              << "loss               " << fixed(result.loss, 4) << "\n"
              << "perplexity         " << fixed(result.perplexity, 3) << "\n"
              << "token accuracy     " << fixed(100 * result.tokenAccuracy, 2) << " %\n";
    if (result.sequenceAccuracy)
        std::cout << "sequence accuracy  " << fixed(100 * *result.sequenceAccuracy, 2) << " %\n";
    if (result.bleu) std::cout << "BLEU               " << fixed(*result.bleu, 2) << "\n";
}

}  // namespace

void addEvaluate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("evaluate", "Measure a model: loss, accuracy, BLEU");
    auto options = std::make_shared<Options>();
    command->add_option("model", options->model, "A model file")->required()->option_text("MODEL");
    options->corpus.addTo(*command);
    command
        ->add_option("--part", options->part,
                     "Which part of a built-in task: test (default), unseen, validation, train")
        ->check(CLI::IsMember({"test", "unseen", "validation", "train"}))
        ->option_text("PART");
    command->add_option("--beam", options->beam, "Translate with a beam of K hypotheses; 1: greedy")->option_text("K");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run(*options); });
}

}  // namespace headlight::cli

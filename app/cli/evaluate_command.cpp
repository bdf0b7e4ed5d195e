// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/import/import_model.h"

namespace headlight::cli {

namespace {

struct Options {
    std::string model;
    EvaluationCorpus corpus;
    int beam = 1;
    std::vector<std::string> mute;
    bool json = false;
};

void run(const Options& options) {
    const TrainedModel model = openModel(options.model);
    const std::vector<MutedHead> muted = parseMutedHeads(options.mute, *model.network);
    const Evaluation result =
        evaluate(model, options.corpus.read(model.network->config()), {.beam = options.beam, .mutedHeads = muted});
    if (result.skipped > 0)
        note(std::to_string(result.skipped) + " pairs are longer than the model reads, and were left out");
    if (options.json) {
        printJson(toJson(result));
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
    command->add_option("--beam", options->beam, "Translate with a beam of K hypotheses; 1: greedy")->option_text("K");
    command->add_option("--mute", options->mute, "Heads whose work is left out: decoder.layers.1.cross_attn.3")
        ->option_text("BLOCK.HEAD");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { run(*options); });
}

}  // namespace headlight::cli

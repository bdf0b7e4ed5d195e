// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/models/language_model.h"

namespace headlight::cli {

namespace {

struct GenerateOptions {
    std::string model, prompt;
    int maxLength = 50;
    bool allowUnknown = false;
    bool json = false;
    SamplingOptions sampling;
};

void runGenerate(const GenerateOptions& options) {
    options.sampling.validate();
    const TrainedModel model = openModel(options.model);
    refuseUnknownWords(model, options.prompt, options.allowUnknown);
    const std::vector<int> prompt = model.source->encodeInput(options.prompt).ids;
    const GeneratedText text = generate(model.languageModel(), prompt, options.maxLength, options.sampling);
    std::vector<int> all = prompt;
    all.insert(all.end(), text.words.begin(), text.words.end());
    const std::string written = model.target->decode(all);
    if (!options.json) {
        std::cout << written << std::endl;
        return;
    }
    double logProb = 0;
    for (double one : text.logProbs)
        logProb += one;
    printJson({{"prompt", options.prompt},
               {"prompt_ids", prompt},
               {"text", written},
               {"ids", text.words},
               {"tokens", model.target->written(text.words)},
               {"log_probs", text.logProbs},
               {"log_prob", logProb},
               {"finished", text.finished}});
}

}  // namespace

void addGenerate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("generate", "Let a language model go on with a text");
    auto options = std::make_shared<GenerateOptions>();
    addModelOption(*command, options->model);
    command->add_option("--prompt", options->prompt, "How the sentence begins")->required()->option_text("TEXT");
    command->add_option("--max-length", options->maxLength, "Words at most, after the prompt")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command->add_option("--temperature", options->sampling.temperature, "Below 1 bolder, above 1 wilder; 0: greedy")
        ->option_text("T");
    command->add_option("--top-k", options->sampling.topK, "Draw from the K likeliest words only")->option_text("K");
    command->add_option("--top-p", options->sampling.topP, "Draw from the likeliest words that have probability P")
        ->option_text("P");
    command->add_option("--seed", options->sampling.seed, "Of the drawing")->option_text("N");
    command->add_flag("--allow-unknown", options->allowUnknown, "Read words that the model does not know as <unk>");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { runGenerate(*options); });
}

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/decode/score_formula.h"
#include "core/error.h"
#include "core/import/import_model.h"

namespace headlight::cli {

namespace {

struct EvaluateOptions {
    std::string model;
    EvaluationCorpus corpus;
    int beam = 1;
    std::string lengthPenalty;  ///< if not given, as the model is meant to be searched
    std::vector<std::string> mute;
    bool json = false;
};

/// The figures, and what BLEU is made of.
nlohmann::json inFull(const Evaluation& result) {
    nlohmann::json json = toJson(result);
    json["skipped"] = result.skipped;
    if (!result.bleuParts) return json;
    json["precisions"] = result.bleuParts->precisions;
    json["brevity_penalty"] = result.bleuParts->brevityPenalty;
    json["hypothesis_length"] = result.bleuParts->hypothesisLength;
    json["reference_length"] = result.bleuParts->referenceLength;
    if (result.allReferences) {
        json["all_references"] = {{"bleu", result.allReferences->bleu.score},
                                  {"sources", result.allReferences->sources},
                                  {"exact", result.allReferences->exact}};
    }
    return json;
}

void runEvaluate(const EvaluateOptions& options) {
    const TrainedModel model = openModel(options.model);
    const std::vector<MutedHead> muted = parseMutedHeads(options.mute, *model.network);
    const LengthPenalty penalty =
        options.lengthPenalty.empty() ? ownBeam(model).lengthPenalty : LengthPenalty::parse(options.lengthPenalty);
    const Evaluation result = evaluate(model, options.corpus.readFor(model),
                                       {.beam = options.beam, .lengthPenalty = penalty, .mutedHeads = muted});
    if (options.beam > 1)
        note("hypotheses compared by score = " + scoreFormula(penalty) +
             ", |y| being the number of tokens (--length-penalty)");
    if (result.skipped > 0) note(grouped(result.skipped) + " pairs are longer than the model reads, and were left out");
    if (options.json) {
        printJson(inFull(result));
        return;
    }
    const bool isText = model.network->config().corpusKind() == CorpusKind::Text;
    std::cout << (isText ? "lines              " : "sentences          ") << grouped(result.sentences) << "\n"
              << "tokens             " << grouped(result.tokens) << "\n"
              << "loss               " << fixed(result.loss, 4) << "\n"
              << "perplexity         " << fixed(result.perplexity, 3) << "\n"
              << "token accuracy     " << fixed(100 * result.tokenAccuracy, 2) << " %\n";
    if (result.sequenceAccuracy)
        std::cout << "sequence accuracy  " << fixed(100 * *result.sequenceAccuracy, 2) << " %\n";
    if (!result.bleuParts) return;
    const Bleu& bleu = *result.bleuParts;
    std::cout << "BLEU               " << fixed(bleu.score, 2) << "\n  precisions       ";
    for (const double precision : bleu.precisions)
        std::cout << fixed(precision, 1) << " ";
    std::cout << "\n  brevity penalty  " << fixed(bleu.brevityPenalty, 4) << " (" << grouped(bleu.hypothesisLength)
              << " words written, " << grouped(bleu.referenceLength) << " in the references)\n";
    if (!result.allReferences) return;
    std::cout << "BLEU, each source against all of its translations\n                   "
              << fixed(result.allReferences->bleu.score, 2) << " (" << grouped(result.allReferences->sources)
              << " sources, " << fixed(100 * result.allReferences->exact, 1) << " % exactly one of them)\n";
}

}  // namespace

void addEvaluate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("evaluate", "Measure a model: loss, accuracy, BLEU");
    auto options = std::make_shared<EvaluateOptions>();
    addModelOption(*command, options->model);
    options->corpus.addTo(*command);
    command->add_option("--beam", options->beam, "Translate with a beam of K hypotheses; 1: greedy")->option_text("K");
    command
        ->add_option("--length-penalty", options->lengthPenalty,
                     "How hypotheses of different lengths compare; average, unless the model says otherwise")
        ->option_text("none|average|gnmt:ALPHA|power:ALPHA");
    command->add_option("--mute", options->mute, "Heads whose work is left out: decoder.layers.1.cross_attn.3")
        ->option_text("BLOCK.HEAD");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { runEvaluate(*options); });
}

}  // namespace headlight::cli

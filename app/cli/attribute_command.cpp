// SPDX-License-Identifier: GPL-3.0-or-later
// `attribute`: what each word that is read has to do with each that is written; and `experiment attribution`: how
// well the methods that say so find true alignments.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <utility>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/attribution.h"
#include "core/import/import_model.h"
#include "core/models/encoder.h"

namespace headlight::cli {

namespace {

struct AttributeOptions : ReadingOptions {
    std::string method = "gradient";
    std::optional<int> word;
    bool json = false;
};

AttributionMethod methodOf(const std::string& name) {
    return *std::ranges::find(attributionMethods(), name,
                              [](AttributionMethod method) { return std::string(nameOf(method)); });
}

CLI::Validator isMethod() {
    std::vector<std::string> names;
    for (const AttributionMethod method : attributionMethods())
        names.emplace_back(nameOf(method));
    return CLI::IsMember(names);
}

/// Rows of the logits that are asked, each for the word that is written there.
struct AskedRow {
    int row, word;
};

std::vector<AskedRow> rowsOf(const AttributeOptions& options, const TrainedModel& model, const Trace& trace) {
    const int count = trace.at("logits").dim(0);
    std::vector<AskedRow> rows;
    const auto add = [&](int row) {
        if (row < 0 || row >= count)
            throw Error("--word " + std::to_string(row + 1) + ": the words go from 1 to " + std::to_string(count));
        rows.push_back({row, saidAt(model, trace, row)});
    };
    if (options.word) {
        add(*options.word - 1);
    } else if (model.network->config().encoderDecoder()) {
        for (int row = 0; row < count; ++row)
            add(row);
    } else {
        add(answerRow(model, Prompt::of(trace)));
    }
    return rows;
}

void printText(const std::vector<std::string>& words, const std::vector<double>& shares) {
    for (size_t i = 0; i < shares.size(); ++i)
        std::cout << "  " << words[i] << " " << fixed(std::abs(shares[i]) < 0.0005 ? 0 : shares[i], 3);
}

void runAttribute(const AttributeOptions& options) {
    const TrainedModel model = openModel(options.model);
    if (model.network->config().headless()) refuseWithoutHead();
    if (!options.mute.empty()) throw Error("attribute asks the whole model: leave --mute out");
    const Trace trace = traceSentence(model, options.source, options.target);
    const AttributionMethod method = methodOf(options.method);
    bool headed = options.json;
    for (const auto& [row, word] : rowsOf(options, model, trace)) {
        const Attribution found = attribute(model, trace, row, word, method);
        const std::string written = model.target->writtenOne(word);
        if (!std::exchange(headed, true)) std::cout << claimOf(method) << " " << weaknessOf(method) << "\n";
        if (!options.json) {
            std::cout << std::left << std::setw(16) << written << std::right;
            printText(trace.writtenSource(), found.source);
            if (!found.target.empty()) std::cout << "  |";
            printText(trace.writtenTarget(), found.target);
            std::cout << "\n";
            continue;
        }
        nlohmann::json line{{"method", options.method}, {"row", row},
                            {"word", written},          {"log_prob", found.logProb},
                            {"source", found.source},   {"source_tokens", trace.writtenSource()},
                            {"sum", found.sum()}};
        if (!found.target.empty()) line.update({{"target", found.target}, {"target_tokens", trace.writtenTarget()}});
        if (method == AttributionMethod::Integrated) line.update({{"whole", found.whole}, {"steps", found.steps}});
        printJson(line);
    }
}

struct AttributionOptions {
    std::string model;
    EvaluationCorpus corpus;
    std::vector<std::string> methods;
    long sentences = 50;
    bool json = false;
};

void runAttribution(const AttributionOptions& options) {
    const TrainedModel model = openModel(options.model);
    Corpus corpus = options.corpus.readFor(model);
    if (options.sentences > 0 && static_cast<size_t>(options.sentences) < corpus.size())
        corpus.resize(static_cast<size_t>(options.sentences));
    bool headed = options.json;
    for (const AttributionMethod method : attributionMethods()) {
        const std::string name(nameOf(method));
        if (options.methods.empty() ? !suits(method, *model.network)
                                    : std::ranges::find(options.methods, name) == options.methods.end())
            continue;
        Progress progress(name);
        const AlignmentError error = attributionError(model, corpus, method, [&](double done) {
            progress.show(done, "");
            return true;
        });
        if (!std::exchange(headed, true))
            std::cout << std::left << std::setw(14) << "method"
                      << "alignment error rate\n";
        if (options.json)
            printJson({{"method", name},
                       {"alignment_error_rate", error.rate()},
                       {"proposed", error.proposed},
                       {"gold", error.gold},
                       {"common", error.common},
                       {"claim", claimOf(method)},
                       {"weakness", weaknessOf(method)}});
        else
            std::cout << std::left << std::setw(14) << name << fixed(error.rate(), 4) << "  " << claimOf(method) << " "
                      << weaknessOf(method) << "\n";
    }
}

}  // namespace

void addAttribute(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("attribute", "What each word that is read has to do with each that is written");
    auto options = std::make_shared<AttributeOptions>();
    options->addTo(*command);
    command
        ->add_option(
            "--method", options->method,
            "gradient (times input), integrated (gradients), occlusion, attention, values (weight times value)")
        ->check(isMethod())
        ->option_text("METHOD");
    command->add_option("--word", options->word, "Which written word, from 1; without it every one of a translation")
        ->option_text("N");
    command->add_flag("--json", options->json, "One JSON object a line, a written word each");
    command->callback([options] { runAttribute(*options); });
}

void addAttributionExperiment(CLI::App& experiment) {
    CLI::App* command = experiment.add_subcommand(
        "attribution", "Methods of attribution against gold alignments: does the word that counts most stand for it?");
    auto options = std::make_shared<AttributionOptions>();
    addModelOption(*command, options->model);
    options->corpus.addTo(*command);
    command
        ->add_option("--alignments", options->corpus.alignments,
                     "Gold links of the pairs in the files, a line each: 0-0 1-2, source word and target word from 0")
        ->option_text("FILE");
    command->add_option("--method", options->methods, "Some of them; without it all that the model can be asked")
        ->check(isMethod())
        ->option_text("METHOD…");
    command->add_option("--sentences", options->sentences, "At most so many; 0: all")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([options] { runAttribution(*options); });
}

}  // namespace headlight::cli

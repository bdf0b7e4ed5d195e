// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/error.h"

namespace headlight::cli {

namespace {

struct Options {
    std::string model;
    std::vector<std::string> texts;
    int maxLength = 0;
    bool allowUnknown = false;
    bool json = false;
};

/// Words of a text that the model has never seen, as the reader typed them.
void print(const Translation& translation, bool json) {
    if (!json) {
        std::cout << translation.text << std::endl;
        return;
    }
    const double score = translation.logProb / static_cast<double>(std::max<size_t>(1, translation.tokens.size()));
    printJson({{"source", translation.source},
               {"tokens", translation.sourceTokens},
               {"hypotheses",
                {{{"text", translation.text},
                  {"tokens", translation.tokens},
                  {"log_prob", translation.logProb},
                  {"score", score},
                  {"finished", translation.finished}}}}});
}

/// Lines of standard input, translated a bundle at a time so that memory stays bounded however long the input is.
void translateInput(const TrainedModel& model, const Options& options) {
    constexpr size_t bundle = 256;
    std::vector<std::string> lines;
    long line = 0, unknown = 0;
    const auto flush = [&] {
        for (const Translation& translation : translate(model, lines, {.maxLength = options.maxLength}))
            print(translation, options.json);
        lines.clear();
    };
    for (std::string text; std::getline(std::cin, text);) {
        ++line;
        if (!text.empty() && text.back() == '\r') text.pop_back();
        std::vector<std::string> words;
        try {
            words = model.source->split(text);
        } catch (const Error& error) {
            throw Error("line " + std::to_string(line) + " of standard input: " + error.what());
        }
        if (words.empty())
            throw Error("line " + std::to_string(line) + " of standard input is empty: give a sentence a line");
        if (static_cast<int>(words.size()) > model.network->config().maxLength)
            throw Error("line " + std::to_string(line) + " of standard input has " + std::to_string(words.size()) +
                        " tokens, and this model reads at most " + std::to_string(model.network->config().maxLength) +
                        " (max_length): shorten it");
        unknown += static_cast<long>(unknownWords(model, text).size());
        lines.push_back(text);
        if (lines.size() == bundle) flush();
    }
    if (line == 0) throw Error("standard input is empty: give a sentence a line");
    flush();
    if (unknown > 0) note(std::to_string(unknown) + " words that the model does not know were read as <unk>");
}

void run(const Options& options) {
    const TrainedModel model = loadModel(options.model);
    if (options.texts.empty() || (options.texts.size() == 1 && options.texts[0] == "-")) {
        translateInput(model, options);
        return;
    }
    for (const std::string& text : options.texts)
        refuseUnknownWords(model, text, options.allowUnknown);
    for (const Translation& translation : translate(model, options.texts, {.maxLength = options.maxLength}))
        print(translation, options.json);
}

}  // namespace

void addTranslate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("translate", "Translate sentences");
    auto options = std::make_shared<Options>();
    command->add_option("model", options->model, "A model file")->required()->option_text("MODEL");
    command
        ->add_option("text", options->texts,
                     "Sentences, each one argument; - or none: a sentence a line from standard input")
        ->option_text("[TEXT… | -]");
    command->add_option("--max-length", options->maxLength, "Stop a translation after N tokens")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command->add_flag("--allow-unknown", options->allowUnknown, "Read words that the model does not know as <unk>");
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([options] { run(*options); });
}

}  // namespace headlight::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/translate_lines.h"
#include "core/data/translate.h"
#include "core/decode/score_formula.h"
#include "core/error.h"
#include "core/import/import_model.h"
#include "core/io/atomic_write.h"
#include "core/io/text_file.h"
#include "core/json_text.h"

namespace headlight::cli {

namespace {

struct TranslateOptions {
    std::string model;
    std::vector<std::string> texts;
    BeamOptions beam;
    std::optional<int> width;   ///< of the beam; if not given, as the model is meant to be searched
    std::string lengthPenalty;  ///< likewise
    std::string stop = "full";
    std::string sourceFile, prefix, tree;
    bool allowUnknown = false;
    bool json = false;
};

void print(const Translation& translation, const TranslateOptions& options) {
    if (!options.json) {
        for (const Written& hypothesis : translation.hypotheses)
            std::cout << (options.beam.nBest > 1 ? fixed(hypothesis.score, 4) + "\t" : "") << hypothesis.text
                      << std::endl;
        return;
    }
    nlohmann::json hypotheses = nlohmann::json::array();
    for (const Written& hypothesis : translation.hypotheses)
        hypotheses.push_back({{"text", hypothesis.text},
                              {"tokens", hypothesis.written},
                              {"log_prob", hypothesis.logProb},
                              {"score", hypothesis.score},
                              {"finished", hypothesis.finished}});
    printJson({{"source", translation.source},
               {"tokens", translation.sourceWritten},
               {"length_penalty", options.beam.lengthPenalty.text()},
               {"hypotheses", hypotheses}});
}

const char* stateName(SearchNode::State state) {
    switch (state) {
        case SearchNode::State::Kept:
            return "kept";
        case SearchNode::State::Pruned:
        case SearchNode::State::Excluded:
            return "pruned";
        case SearchNode::State::Finished:
            return "finished";
    }
    return "";
}

/// CONTRACTS, section 1: --tree. A node's id is its place in the list.
void writeTree(const TrainedModel& model, const SearchTree& tree, const BeamOptions& options, const std::string& path) {
    nlohmann::json nodes = nlohmann::json::array();
    for (const SearchNode& node : tree.nodes)
        nodes.push_back({{"id", nodes.size()},
                         {"parent", node.parent < 0 ? nlohmann::json() : nlohmann::json(node.parent)},
                         {"step", node.step},
                         {"token", model.target->writtenOne(node.token)},
                         {"log_prob", node.logProb},
                         {"cumulative", node.cumulative},
                         {"score", node.score},
                         {"state", stateName(node.state)},
                         {"excluded", node.state == SearchNode::State::Excluded},
                         {"attention", node.attention}});
    const nlohmann::json json{{"beam", options.beam}, {"length_penalty", options.lengthPenalty.text()},
                              {"steps", tree.steps},  {"attention_blocks", tree.attentionBlocks},
                              {"heads", tree.heads},  {"source_length", tree.sourceLength},
                              {"nodes", nodes}};
    const std::string text = jsonText(json) + "\n";
    atomicWrite(path, text);
}

/// One line of the text; an empty one where it says nothing or could not be read.
void print(const TranslatedLine& line, const TranslateOptions& options) {
    if (!line.translation.hypotheses.empty()) return print(line.translation, options);
    if (!options.json) {
        std::cout << std::endl;
        return;
    }
    nlohmann::json json{{"source", line.translation.source}, {"hypotheses", nlohmann::json::array()}};
    if (!line.refused.empty()) json["error"] = line.refused;
    printJson(json);
}

/// A text from standard input or a file.
void translateText(const TrainedModel& model, const TranslateOptions& options) {
    std::optional<TextFile> file;
    if (!options.sourceFile.empty()) file.emplace(options.sourceFile);
    const std::string name = file ? options.sourceFile : "standard input";
    std::streambuf& text = file ? *file : *std::cin.rdbuf();
    const TranslatedLines done =
        translateLines(model, options.beam, text, name, [&](const TranslatedLine& line) { print(line, options); });
    if (done.lines == 0) throw Error(name + " is empty: give a sentence a line");
    if (done.refused == done.lines)
        throw Error("no line of " + name + " could be translated; " + done.refusals.front());
    for (const std::string& refusal : done.refusals)
        note(refusal);
    if (done.refused > 0)
        note(grouped(done.refused) + " of " + grouped(done.lines) +
             " lines could not be read; their translations are empty");
    if (done.unknownWords > 0)
        note(std::to_string(done.unknownWords) + " words that the model does not know were read as <unk>");
}

std::vector<int> prefixOf(const TrainedModel& model, const std::string& text) {
    std::vector<int> prefix = model.target->encode(text);
    for (int id : prefix)
        if (id == model.target->specials().unk)
            throw Error("--prefix \"" + text +
                        "\" has a word that the model cannot write: use words of its training data");
    return prefix;
}

void runTranslate(TranslateOptions options) {
    if (!options.lengthPenalty.empty()) options.beam.lengthPenalty = LengthPenalty::parse(options.lengthPenalty);
    options.beam.stop = parseStopRule(options.stop);
    const bool fromInput = options.texts.empty() || (options.texts.size() == 1 && options.texts[0] == "-");
    if (!options.sourceFile.empty() && !options.texts.empty())
        throw Error("a text is given by --source-file or as arguments: leave one of them out");
    if (!options.tree.empty() && (fromInput || options.texts.size() != 1))
        throw Error("--tree holds the search of one sentence: give one as an argument");
    const TrainedModel model = openModel(options.model);
    const BeamOptions own = ownBeam(model);
    if (options.lengthPenalty.empty()) options.beam.lengthPenalty = own.lengthPenalty;
    options.beam.beam = options.width.value_or(own.beam);
    const bool labels = model.network->config().corpusKind() == CorpusKind::Labels;
    if (labels && (!options.tree.empty() || !options.prefix.empty()))
        throw Error("a classifier names a label and searches nothing: leave --tree and --prefix out");
    if (labels) options.beam.beam = std::max(options.beam.beam, options.beam.nBest);
    options.beam.validate();
    options.beam.prefix = prefixOf(model, options.prefix);
    if (options.beam.nBest > 1 && !options.json && !labels)
        note("score = " + scoreFormula(options.beam.lengthPenalty) +
             ", |y| being the number of tokens (--length-penalty)");
    if (fromInput) {
        translateText(model, options);
        return;
    }
    for (const std::string& text : options.texts)
        refuseUnknownWords(model, text, options.allowUnknown);
    if (!options.tree.empty()) {
        const RecordedTranslation recorded = recordTranslation(model, options.texts.front(), options.beam);
        writeTree(model, recorded.tree, options.beam, options.tree);
        print(recorded.translation, options);
        return;
    }
    for (const Translation& translation : translate(model, options.texts, options.beam))
        print(translation, options);
}

}  // namespace

void addTranslate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("translate", "Translate sentences; of a classifier, name their labels");
    auto options = std::make_shared<TranslateOptions>();
    addModelOption(*command, options->model);
    command
        ->add_option("text", options->texts,
                     "Sentences, each one argument; - or none: a sentence a line from standard input")
        ->option_text("[TEXT… | -]");
    command->add_option("--source-file", options->sourceFile, "Sentences, one a line, instead of standard input")
        ->option_text("FILE");
    command
        ->add_option("--beam", options->width,
                     "Hypotheses that go on at each step; 1: greedy, unless the model says how it wants to be searched")
        ->option_text("K");
    command
        ->add_option("--length-penalty", options->lengthPenalty,
                     "How hypotheses of different lengths compare; average, unless the model says otherwise")
        ->option_text("none|average|gnmt:ALPHA|power:ALPHA");
    command
        ->add_option("--stop", options->stop,
                     "When a search ends that has K translations: at once (full; fairseq, and early_stopping=True of "
                     "Hugging Face's programs), when what goes on scores no better by now (behind; False), or could "
                     "not by the limit (hopeless; \"never\")")
        ->option_text("full|behind|hopeless");
    command->add_option("--n-best", options->beam.nBest, "Hypotheses to print")->option_text("N");
    command->add_option("--prefix", options->prefix, "First words that are set; the search goes on from them")
        ->option_text("TEXT");
    command->add_option("--tree", options->tree, "Where to write the whole search")->option_text("FILE.json");
    command->add_option("--max-length", options->beam.maxLength, "Stop a translation after N tokens")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    command->add_flag("--allow-unknown", options->allowUnknown, "Read words that the model does not know as <unk>");
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([options] { runTranslate(*options); });
}

}  // namespace headlight::cli

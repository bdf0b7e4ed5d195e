// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iomanip>
#include <iostream>

#include "app/cli/train_options.h"
#include "core/data/new_model.h"
#include "core/error.h"
#include "core/experiment/accuracy_by_length.h"
#include "core/experiment/alignment_error.h"
#include "core/experiment/head_judgement.h"
#include "core/experiment/head_worth.h"
#include "core/experiment/train_variant.h"
#include "core/import/import_model.h"
#include "core/number_text.h"
#include "core/text/unicode.h"

namespace headlight::cli {

namespace {

std::vector<int> parseLengths(const std::string& text) {
    std::vector<int> lengths;
    for (const std::string& part : cut(text, ',')) {
        int length = 0;
        if (!readNumber(part, length)) throw Error("--lengths " + text + ": write numbers that rise, as in 5,10,20,40");
        lengths.push_back(length);
    }
    return lengths;
}

std::string percent(const std::optional<double>& share) {
    return share ? fixed(100 * *share, 1) + " %" : "";
}

/// One line of a table: the figures of an evaluation.
void printFigures(const Evaluation& result) {
    std::cout << std::right << std::setw(9) << fixed(result.loss, 4) << std::setw(10) << percent(result.tokenAccuracy)
              << std::setw(10) << percent(result.sequenceAccuracy) << std::setw(8)
              << (result.bleu ? fixed(*result.bleu, 2) : "");
}

void printFiguresHeader(const char* first, int width) {
    std::cout << std::left << std::setw(width) << first << std::right << std::setw(9) << "loss" << std::setw(10)
              << "tokens" << std::setw(10) << "sentences" << std::setw(8) << "BLEU";
}

/// Sentence accuracy by length, a model or variant a row.
class LengthTable {
public:
    explicit LengthTable(int width) : m_width(width) {}

    void row(const std::string& name, const std::vector<LengthBin>& bins) {
        if (!m_headed) {
            std::cout << std::left << std::setw(m_width) << "sentences right" << std::right;
            for (const LengthBin& bin : bins)
                std::cout << std::setw(10) << std::to_string(bin.from) + "-" + std::to_string(bin.to);
            std::cout << std::endl;
            m_headed = true;
        }
        std::cout << std::left << std::setw(m_width) << name << std::right;
        for (const LengthBin& bin : bins)
            std::cout << std::setw(10) << percent(bin.evaluation.sequenceAccuracy);
        std::cout << std::endl;
    }

private:
    int m_width;
    bool m_headed = false;
};

nlohmann::json lengthsToJson(const std::vector<LengthBin>& bins) {
    nlohmann::json list = nlohmann::json::array();
    for (const LengthBin& bin : bins) {
        nlohmann::json entry = toJson(bin.evaluation);
        entry["from"] = bin.from;
        entry["to"] = bin.to;
        list.push_back(std::move(entry));
    }
    return list;
}

constexpr const char* usualLengths = "5,10,15,20,25,30,35,40";

struct ExperimentOptions {
    std::vector<std::string> models;
    EvaluationCorpus corpus;
    std::string lengths = usualLengths;
    int beam = 1;
    long sentences = 0;
    bool json = false;

    Corpus read(const TrainedModel& model) const {
        Corpus all = corpus.readFor(model);
        if (sentences > 0 && static_cast<size_t>(sentences) < all.size()) all.resize(static_cast<size_t>(sentences));
        return all;
    }
};

void runLengths(const ExperimentOptions& options) {
    const std::vector<int> edges = parseLengths(options.lengths);
    size_t width = 20;
    for (const std::string& path : options.models)
        width = std::max(width, path.size() + 2);
    LengthTable table(static_cast<int>(width));
    for (const std::string& path : options.models) {
        const TrainedModel model = openModel(path);
        const std::vector<LengthBin> bins = accuracyByLength(model, options.read(model), edges, {.beam = options.beam});
        if (options.json)
            printJson({{"model", path}, {"by_length", lengthsToJson(bins)}});
        else
            table.row(path, bins);
    }
}

void runHeads(const ExperimentOptions& options) {
    const TrainedModel model = openModel(options.models.front());
    Progress progress("muting");
    const HeadAblation result = ablateHeads(model, options.read(model), {.beam = options.beam}, [&](double share) {
        progress.show(share, "");
        return true;
    });
    if (options.json) {
        nlohmann::json whole = toJson(result.whole);
        whole["block"] = nullptr;
        printJson(whole);
        for (const HeadWorth& worth : result.heads) {
            nlohmann::json line = toJson(worth.evaluation);
            line["block"] = worth.head.block;
            line["head"] = worth.head.head;
            line["loss_rise"] = worth.evaluation.loss - result.whole.loss;
            if (worth.evaluation.bleu) line["bleu_fall"] = *result.whole.bleu - *worth.evaluation.bleu;
            printJson(line);
        }
        return;
    }
    constexpr int width = 34;
    printFiguresHeader("muted head", width);
    std::cout << std::setw(12) << "loss rises" << std::setw(12) << "BLEU falls"
              << "\n"
              << std::left << std::setw(width) << "none";
    printFigures(result.whole);
    std::cout << "\n";
    for (const HeadWorth& worth : result.heads) {
        std::cout << std::left << std::setw(width) << worth.head.block + "." + std::to_string(worth.head.head);
        printFigures(worth.evaluation);
        std::cout << std::setw(12) << fixed(worth.evaluation.loss - result.whole.loss, 4) << std::setw(12)
                  << (worth.evaluation.bleu ? fixed(*result.whole.bleu - *worth.evaluation.bleu, 2) : "") << "\n";
    }
}

nlohmann::json jsonOf(const JudgedHead& judged) {
    const HeadFacts& facts = judged.facts;
    nlohmann::json examples = nlohmann::json::array();
    for (const HeadExample& example : judged.examples)
        examples.push_back({{"text", example.text},
                            {"row", example.row},
                            {"column", example.column},
                            {"looks", example.looks},
                            {"looked_at", example.lookedAt},
                            {"share", example.share}});
    return {{"block", judged.head.block},
            {"head", judged.head.head},
            {"habit", habitWords[static_cast<size_t>(facts.habit)]},
            {"share", facts.share},
            {"entropy", facts.entropy},
            {"most_entropy", facts.mostEntropy},
            {"distance", facts.distance},
            {"first", facts.first},
            {"examples", std::move(examples)}};
}

void runHabits(const ExperimentOptions& options, FirstWord first) {
    const TrainedModel model = openModel(options.models.front());
    HeadJudgement found;
    {
        Progress progress("reading");
        found = judgeHeads(model, options.read(model), first, [&](double share) {
            progress.show(share, "");
            return true;
        });
    }
    constexpr int width = 34;
    if (!options.json)
        std::cout << std::left << std::setw(width) << "head" << std::setw(14) << "looks at" << std::right
                  << std::setw(8) << "share" << std::setw(9) << "entropy" << std::setw(10) << "distance"
                  << std::setw(12) << "first word"
                  << "  best example\n";
    for (const JudgedHead& judged : found.heads) {
        if (options.json) {
            printJson(jsonOf(judged));
            continue;
        }
        const HeadFacts& facts = judged.facts;
        const bool has = facts.habit != HeadHabit::None;
        std::cout << std::left << std::setw(width) << judged.head.block + "." + std::to_string(judged.head.head)
                  << std::setw(14) << habitWords[static_cast<size_t>(facts.habit)] << std::right << std::setw(8)
                  << (has ? fixed(facts.share, 2) : "") << std::setw(9) << fixed(facts.entropy, 2) << std::setw(10)
                  << fixed(facts.distance, 1) << std::setw(12) << fixed(facts.first, 2);
        if (!judged.examples.empty()) {
            const HeadExample& best = judged.examples.front();
            std::cout << "  " << best.looks << " -> " << best.lookedAt << ": " << best.text;
        }
        std::cout << "\n";
    }
    if (found.skipped > 0) std::cerr << found.skipped << " sentences that the model cannot read were left out\n";
}

void runAlignment(const ExperimentOptions& options) {
    const TrainedModel model = openModel(options.models.front());
    const std::vector<AlignmentError> errors = alignmentErrors(model, options.read(model));
    if (!options.json)
        std::cout << std::left << std::setw(34) << "head"
                  << "alignment error rate\n";
    for (const AlignmentError& error : errors) {
        const std::string head = error.head < 0 ? "mean" : std::to_string(error.head);
        if (options.json)
            printJson({{"block", error.block},
                       {"head", error.head < 0 ? nlohmann::json("mean") : nlohmann::json(error.head)},
                       {"alignment_error_rate", error.rate()},
                       {"proposed", error.proposed},
                       {"gold", error.gold},
                       {"common", error.common}});
        else
            std::cout << std::left << std::setw(34) << error.block + "." + head << fixed(error.rate(), 4) << "\n";
    }
}

/// `--key value` of each setting of a variant, under the option's own name.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Every combination of the values of each `KEY=V1,V2`.
std::vector<Settings> combinations(const std::vector<std::string>& vary) {
    std::vector<Settings> all{{}};
    for (const std::string& text : vary) {
        const size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            throw CLI::ValidationError("--vary", "write KEY=VALUE,VALUE, as in attention=none,additive, not " + text);
        std::string key = text.substr(0, equals);
        std::ranges::replace(key, '_', '-');
        std::vector<Settings> longer;
        for (const Settings& before : all)
            for (const std::string& value : cut(std::string_view(text).substr(equals + 1), ',')) {
                longer.push_back(before);
                longer.back().emplace_back(key, value);
            }
        all = std::move(longer);
    }
    return all;
}

std::string nameOf(const Settings& settings) {
    std::string name;
    for (const auto& [key, value] : settings)
        name += (name.empty() ? "" : " ") + key + "=" + value;
    return name;
}

/// The options of the command as they were given, with those of the variant instead of their own.
void readVariant(const CLI::App& command, const Settings& settings, TrainingChoices& choices) {
    CLI::App reader;
    addTrainingChoices(reader, choices);
    std::vector<std::string> arguments;
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        const bool varied = std::ranges::any_of(settings, [&](const auto& s) { return name == "--" + s.first; });
        if (varied || option->count() == 0 || reader.get_option_no_throw(name) == nullptr) continue;
        for (const std::string& value : option->results())
            arguments.push_back(name + "=" + value);
    }
    for (const auto& [key, value] : settings) {
        if (reader.get_option_no_throw("--" + key) == nullptr)
            throw CLI::ValidationError("--vary", "there is no setting " + key + ": use an option of train");
        arguments.push_back("--" + key + "=" + value);
    }
    std::ranges::reverse(arguments);  // as CLI11 wants them
    reader.parse(arguments);
}

struct VariantsOptions {
    TrainingChoices base;  ///< for the help alone: every variant is read anew
    std::vector<std::string> vary;
    std::string lengths, outFolder;
    safetensors::DType weights = safetensors::DType::F32;
    bool json = false;
};

void runVariants(const CLI::App& command, const VariantsOptions& options) {
    const std::vector<Settings> variants = combinations(options.vary);
    const std::vector<int> edges = options.lengths.empty() ? std::vector<int>() : parseLengths(options.lengths);
    std::vector<TrainingChoices> choices(variants.size());
    for (size_t i = 0; i < variants.size(); ++i) {  // a mistake in the last one is told before the first one trains
        readVariant(command, variants[i], choices[i]);
        const ModelConfig config = ModelConfig::fromJson(choices[i].config);
        choices[i].corpus.settleReading();
        choices[i].check(config);
        checkTokenizer(choices[i].tokenizerOptions(), config);
    }
    std::error_code error;
    if (!options.outFolder.empty() && !std::filesystem::is_directory(options.outFolder, error))
        throw Error("there is no folder " + options.outFolder + ": make it first");
    size_t width = 10;
    for (const Settings& settings : variants)
        width = std::max(width, nameOf(settings).size() + 2);
    if (!options.json) {
        printFiguresHeader("variant", static_cast<int>(width));
        std::cout << std::setw(10) << "seconds" << std::endl;
    }
    std::vector<std::vector<LengthBin>> byLength(variants.size());
    for (size_t i = 0; i < variants.size(); ++i) {
        const std::string name = nameOf(variants[i]);
        const CorpusSplits splits = choices[i].splits();
        const Corpus& test = splits.test.empty() ? splits.validation : splits.test;
        const auto start = std::chrono::steady_clock::now();
        TrainedModel model;
        {
            Progress progress(name);
            model = trainVariant(
                {choices[i].config, choices[i].data().words(), choices[i].vectors, choices[i].train}, splits,
                [&](const StepReport& report) {
                    if (report.step % 5 == 0)
                        progress.show(static_cast<double>(report.step) / static_cast<double>(choices[i].train.steps),
                                      "loss " + fixed(report.loss, 3));
                    return true;
                });
        }
        const double seconds = secondsSince(start);
        roundWeights(model, options.weights);  // what is judged is what is kept
        const Evaluation result = evaluate(model, test);
        if (!edges.empty()) byLength[i] = accuracyByLength(model, test, edges);
        if (!options.outFolder.empty()) {
            nlohmann::json story = model.training.json();
            story["data"] = choices[i].corpus.description();
            model.training = TrainingStory(std::move(story));
            std::string file = name;
            std::ranges::replace(file, ' ', '_');
            saveModel(model, (std::filesystem::path(options.outFolder) / (file + ".safetensors")).string(),
                      options.weights);
        }
        if (options.json) {
            nlohmann::json line = toJson(result);
            for (const auto& [key, value] : variants[i])
                line["variant"][key] = value;
            line["seconds"] = seconds;
            if (!edges.empty()) line["by_length"] = lengthsToJson(byLength[i]);
            printJson(line);
        } else {
            std::cout << std::left << std::setw(static_cast<int>(width)) << name;
            printFigures(result);
            std::cout << std::setw(10) << fixed(seconds, 1) << std::endl;
        }
    }
    if (options.json || edges.empty()) return;
    std::cout << "\n";
    LengthTable table(static_cast<int>(width));
    for (size_t i = 0; i < variants.size(); ++i)
        table.row(nameOf(variants[i]), byLength[i]);
}

CLI::App* addModelExperiment(CLI::App& experiment, const char* name, const char* help,
                             const std::shared_ptr<ExperimentOptions>& options, bool several) {
    CLI::App* command = experiment.add_subcommand(name, help);
    command
        ->add_option("model", options->models,
                     several ? "Models: files, folders, or names in Hugging Face's cache"
                             : "A model: a file, a folder, or its name in Hugging Face's cache")
        ->required()
        ->expected(1, several ? 64 : 1)
        ->option_text(several ? "MODEL…" : "MODEL");
    options->corpus.addTo(*command);
    command->add_option("--sentences", options->sentences, "The first N sentences only; 0: all")->option_text("N");
    command->add_flag("--json", options->json, "One JSON object a line");
    return command;
}

void addBeam(CLI::App& command, ExperimentOptions& options) {
    command.add_option("--beam", options.beam, "Translate with a beam of K hypotheses; 1: greedy")->option_text("K");
}

void addVariants(CLI::App& experiment) {
    CLI::App* command = experiment.add_subcommand(
        "variants", "Train models that differ in one setting, or in each combination of several, and compare them");
    auto options = std::make_shared<VariantsOptions>();
    command
        ->add_option("--vary", options->vary, "A setting of train and its values: attention=none,additive; repeatable")
        ->required()
        ->option_text("KEY=V1,V2…");
    addTrainingChoices(*command, options->base);
    command->add_option("--lengths", options->lengths, "Sentence accuracy by source length too: 10,20,30,40")
        ->option_text("N,N…");
    command->add_option("--out-folder", options->outFolder, "Keep the models there")->option_text("FOLDER");
    addDtype(*command, options->weights);
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([command, options] { runVariants(*command, *options); });
}

}  // namespace

void addExperiment(CLI::App& app) {
    CLI::App* experiment = app.add_subcommand("experiment", "Compare models, their settings and their heads");
    experiment->require_subcommand(1);

    auto options = std::make_shared<ExperimentOptions>();
    CLI::App* lengths =
        addModelExperiment(*experiment, "lengths", "Accuracy by the length of the source", options, true);
    lengths->add_option("--lengths", options->lengths, "The longest length of each part")->option_text("N,N…");
    addBeam(*lengths, *options);
    lengths->callback([options] { runLengths(*options); });

    options = std::make_shared<ExperimentOptions>();
    CLI::App* heads = addModelExperiment(*experiment, "heads", "What each head is worth: mute it, and see what is lost",
                                         options, false);
    addBeam(*heads, *options);
    heads->callback([options] { runHeads(*options); });

    options = std::make_shared<ExperimentOptions>();
    CLI::App* habits = addModelExperiment(
        *experiment, "habits", "What each head looks at over many sentences, with the best examples", options, false);
    auto first = std::make_shared<FirstWord>(FirstWord::Kept);
    habits->add_flag_callback(
        "--without-first-word", [first] { *first = FirstWord::LeftOut; },
        "Judge each row by what is left of it without the first word");
    habits->callback([options, first] { runHabits(*options, *first); });

    options = std::make_shared<ExperimentOptions>();
    CLI::App* alignment = addModelExperiment(*experiment, "alignment",
                                             "Attention against gold alignments, by layer and head", options, false);
    alignment
        ->add_option("--alignments", options->corpus.alignments,
                     "Gold links of the pairs in the files, a line each: 0-0 1-2, source word and target word from 0")
        ->option_text("FILE");
    alignment->callback([options] { runAlignment(*options); });

    addVariants(*experiment);
    addLensExperiment(*experiment);
    addAttributionExperiment(*experiment);
}

}  // namespace headlight::cli

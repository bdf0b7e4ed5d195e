// SPDX-License-Identifier: GPL-3.0-or-later
// `experiment lens`: what each depth of a model would say at every position of a sentence.
#include <iomanip>
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/experiment/logit_lens.h"
#include "core/import/import_model.h"

namespace headlight::cli {

namespace {

struct LensExperimentOptions : ReadingOptions {
    int words = 5;
    bool json = false;
};

const char* nameOf(LensDepth::After after) {
    switch (after) {
        case LensDepth::After::Embedding:
            return "embedding";
        case LensDepth::After::SelfAttention:
            return "self-attention";
        case LensDepth::After::CrossAttention:
            return "cross-attention";
        case LensDepth::After::FeedForward:
            return "feed-forward";
    }
    return "";
}

/// A position at a depth, as `experiment lens` prints it.
class LensPrinter {
public:
    LensPrinter(const TrainedModel& model, const Trace& trace, const LogitLens& lens)
        : m_model(model), m_trace(trace), m_lens(lens) {}

    void json(size_t depth, int position, const LensCell& cell) const {
        const LensDepth& at = m_lens.depths()[depth];
        nlohmann::json words = nlohmann::json::array();
        for (const LensCell::Word& word : cell.words)
            words.push_back({{"word", this->word(word.id)}, {"probability", word.probability}});
        const int next = m_lens.inText()[static_cast<size_t>(position)];
        nlohmann::json line = {{"depth", depth},
                               {"after", nameOf(at.after)},
                               {"layer", at.layer < 0 ? nlohmann::json() : nlohmann::json(at.layer)},
                               {"value", at.value},
                               {"position", position},
                               {"token", token(position)},
                               {"words", std::move(words)},
                               {"final", word(m_lens.finals()[static_cast<size_t>(position)])},
                               {"final_probability", cell.finalProbability},
                               {"final_rank", cell.finalRank},
                               {"in_text", next < 0 ? nlohmann::json() : nlohmann::json(word(next))}};
        if (cell.source >= 0) {
            line["source"] = m_trace.writtenSource()[static_cast<size_t>(cell.source)];
            line["source_weight"] = cell.sourceWeight;
        }
        printJson(line);
    }
    void text(size_t depth, int position, const LensCell& cell) const {
        const LensDepth& at = m_lens.depths()[depth];
        const std::string place =
            at.layer < 0 ? nameOf(at.after) : "layer " + std::to_string(at.layer + 1) + " " + nameOf(at.after);
        std::cout << std::left << std::setw(26) << place << std::right << std::setw(4) << position + 1 << "  "
                  << token(position) << ":";
        for (const LensCell::Word& word : cell.words)
            std::cout << "  " << this->word(word.id) << " " << fixed(static_cast<double>(word.probability), 3);
        std::cout << "\n";
    }

private:
    std::string word(int id) const { return m_model.target->writtenOne(id); }
    const std::string& token(int position) const {
        const bool translates = m_model.network->config().encoderDecoder();
        return (translates ? m_trace.writtenTarget() : m_trace.writtenSource())[static_cast<size_t>(position)];
    }

    const TrainedModel& m_model;
    const Trace& m_trace;
    const LogitLens& m_lens;
};

void runLens(const LensExperimentOptions& options) {
    const TrainedModel model = openModel(options.model);
    const std::vector<MutedHead> muted = parseMutedHeads(options.mute, *model.network);
    const Trace trace = traceSentence(model, options.source, options.target, muted);
    const LogitLens lens(model, trace, options.words);
    const LensPrinter printer(model, trace, lens);
    for (size_t depth = 0; depth < lens.depths().size(); ++depth) {
        const std::vector<LensCell> cells = lens.read(depth);
        for (int position = 0; position < lens.positions(); ++position)
            if (options.json)
                printer.json(depth, position, cells[static_cast<size_t>(position)]);
            else
                printer.text(depth, position, cells[static_cast<size_t>(position)]);
    }
}

}  // namespace

void addLensExperiment(CLI::App& experiment) {
    CLI::App* command = experiment.add_subcommand(
        "lens", "The logit lens: the words that each depth of a Transformer would say, were it the last");
    auto options = std::make_shared<LensExperimentOptions>();
    options->addTo(*command);
    command->add_option("--words", options->words, "How many words of each depth")
        ->option_text("K")
        ->check(CLI::Range(1, 100));
    command->add_flag("--json", options->json, "One JSON object a line");
    command->callback([options] { runLens(*options); });
}

}  // namespace headlight::cli

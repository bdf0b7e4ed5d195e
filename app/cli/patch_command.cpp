// SPDX-License-Identifier: GPL-3.0-or-later
// `patch`: where in a model the difference between two sentences' answers is decided.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/patching.h"
#include "core/import/import_model.h"

namespace headlight::cli {

namespace {

using DepthKind = PatchDepth::Kind;
using DepthAfter = PatchDepth::After;

struct PatchOptions {
    std::string model, a, b;
    std::optional<std::string> target;
    std::vector<std::string> kinds, without;
    std::optional<std::string> reader;
    bool json = false;
};

constexpr std::pair<const char*, DepthKind> kindNames[] = {
    {"state", DepthKind::State}, {"sublayer", DepthKind::Sublayer}, {"head", DepthKind::Head}};

const char* nameOf(DepthKind kind) {
    for (const auto& [name, each] : kindNames)
        if (each == kind) return name;
    return "";
}

const char* nameOf(DepthAfter after) {
    switch (after) {
        case DepthAfter::Embedding:
            return "embedding";
        case DepthAfter::SelfAttention:
            return "self-attention";
        case DepthAfter::CrossAttention:
            return "cross-attention";
        case DepthAfter::FeedForward:
            return "feed-forward";
        case DepthAfter::Recurrent:
            return "recurrent layer";
        case DepthAfter::Output:
            return "output";
        case DepthAfter::Combine:
            return "combine";
    }
    return "";
}

const char* nameOf(Stack stack) {
    return stack == Stack::Encoder ? "encoder" : stack == Stack::Decoder ? "decoder" : "stack";
}

class PatchPrinter {
public:
    PatchPrinter(const TrainedModel& model, const Patching& patching) : m_model(model), m_patching(patching) {}

    void head(bool json) const {
        const std::string a = word(m_patching.wordOfA()), b = word(m_patching.wordOfB());
        if (json)
            return printJson({{"answer_a", a},
                              {"answer_b", b},
                              {"row", m_patching.answerRow()},
                              {"alike", m_patching.answerAlike()},
                              {"difference_a", m_patching.differenceOfA()},
                              {"difference_b", m_patching.differenceOfB()},
                              {"tokens_a", m_patching.a().writtenSource()},
                              {"tokens_b", m_patching.b().writtenSource()},
                              {"fed", m_patching.a().writtenTarget()}});
        const std::string says = m_patching.answerAlike() ? "Both say " + a + ", the next likeliest in B is " + b
                                                          : "A says " + a + ", B says " + b;
        std::cout << says << "; logit of " << b << " less that of " << a << ": " << fixed(m_patching.differenceOfA(), 3)
                  << " in A, " << fixed(m_patching.differenceOfB(), 3)
                  << " in B\nShare of that way that A goes with B's piece:\n";
    }

    void cell(const PatchCell& cell) const {
        const PatchDepth& at = m_patching.depths()[cell.depth];
        nlohmann::json line{{"kind", nameOf(at.kind)},
                            {"stack", nameOf(at.stack)},
                            {"after", nameOf(at.after)},
                            {"layer", at.layer < 0 ? nlohmann::json() : nlohmann::json(at.layer)},
                            {"values", at.values},
                            {"position", cell.position},
                            {"token", token(m_patching.a(), at, cell.position)},
                            {"from", cell.from},
                            {"from_token", token(m_patching.b(), at, cell.from)},
                            {"difference", cell.difference},
                            {"share", optional(cell.share)}};
        if (at.head >= 0) line["head"] = at.head;
        printJson(line);
    }

    void row(size_t depth) const {
        const PatchDepth& at = m_patching.depths()[depth];
        std::string title = std::string(nameOf(at.stack)) + (at.layer < 0 ? "" : " " + std::to_string(at.layer + 1)) +
                            " " + nameOf(at.after);
        if (at.direction == Direction::Backward) title += ", backwards";
        if (at.head >= 0) title += " head " + std::to_string(at.head);
        std::cout << std::left << std::setw(36) << title << std::right;
        for (int position = 0; position < at.positions; ++position) {
            const std::optional<PatchCell> cell = m_patching.read(depth, position);
            std::cout << "  " << token(m_patching.a(), at, position) << " "
                      << (cell && cell->share ? printed(*cell->share) : "-");
        }
        std::cout << "\n";
    }

private:
    std::string word(int id) const { return m_model.target->writtenOne(id); }
    static std::string printed(double share) { return fixed(std::abs(share) < 0.005 ? 0 : share, 2); }
    static std::string token(const Trace& trace, const PatchDepth& depth, int position) {
        const auto& tokens = depth.ofSource ? trace.writtenSource() : trace.writtenTarget();
        const auto at = static_cast<size_t>(position);
        return at < tokens.size() ? tokens[at] : "";
    }

    const TrainedModel& m_model;
    const Patching& m_patching;
};

void runPatch(const PatchOptions& options) {
    const TrainedModel model = openModel(options.model);
    std::optional<TrainedModel> reader;
    if (options.reader) reader = openModel(*options.reader);
    if (options.b.empty() && options.without.empty() && !reader)
        throw Error(
            "nothing is otherwise in B: give another sentence (--from), heads that are off (--without) or another "
            "model (--read-by)");
    const Patching patching(model, options.a, options.b.empty() ? options.a : options.b, options.target,
                            {parseMutedHeads(options.without, *model.network), reader ? &*reader : nullptr});
    const PatchPrinter printer(model, patching);
    printer.head(options.json);
    for (const auto& [name, kind] : kindNames) {
        if (!options.kinds.empty() && std::ranges::find(options.kinds, name) == options.kinds.end()) continue;
        if (options.json) {
            patching.readAll(kind, [&](const PatchCell& cell) {
                printer.cell(cell);
                return true;
            });
            continue;
        }
        for (size_t depth = 0; depth < patching.depths().size(); ++depth)
            if (patching.depths()[depth].kind == kind) printer.row(depth);
    }
}

}  // namespace

void addPatch(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "patch", "Put pieces of one sentence's reading into another's: what moves the answer, place by place");
    auto options = std::make_shared<PatchOptions>();
    addModelOption(*command, options->model);
    command->add_option("--source", options->a, "The sentence A, whose reading is changed")
        ->required()
        ->option_text("A");
    command->add_option("--from", options->b, "The sentence B, whose values are put in; without it A, read otherwise")
        ->option_text("B");
    command->add_option("--without", options->without, "Heads that are off in B's reading: BLOCK.HEAD, from 0")
        ->option_text("HEAD…");
    command
        ->add_option("--read-by", options->reader,
                     "The model that reads B: the same network with other weights, such as an earlier step")
        ->option_text("MODEL");
    command
        ->add_option("--target", options->target,
                     "What the decoder is fed in both; without it what both translations begin with")
        ->option_text("TEXT");
    command->add_option("--kind", options->kinds, "state, sublayer, head; without it all of them")
        ->check(CLI::IsMember({"state", "sublayer", "head"}))
        ->option_text("KIND…");
    command->add_flag("--json", options->json, "One JSON object a line: the readings, then a place each");
    command->callback([options] { runPatch(*options); });
}

}  // namespace headlight::cli

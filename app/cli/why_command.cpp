// SPDX-License-Identifier: GPL-3.0-or-later
// `why`: what speaks for one word and against another, summand by summand.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>

#include "app/cli/cli.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/prompt.h"
#include "core/experiment/why.h"
#include "core/import/import_model.h"
#include "core/models/encoder.h"

namespace headlight::cli {

namespace {

using PartKind = WhyPart::Kind;

struct WhyCommandOptions : ReadingOptions {
    std::optional<int> word;
    std::optional<std::string> instead;
    std::optional<std::string> against;
    int depth = 2;
    bool json = false;
};

const char* nameOf(PartKind kind) {
    switch (kind) {
        case PartKind::Embedding:
            return "embedding";
        case PartKind::WordVector:
            return "word";
        case PartKind::Position:
            return "position";
        case PartKind::TypeVector:
            return "token_type";
        case PartKind::Attention:
            return "attention";
        case PartKind::FeedForward:
            return "feed_forward";
        case PartKind::Head:
            return "head";
        case PartKind::Source:
            return "source";
        case PartKind::Product:
            return "product";
        case PartKind::Unit:
            return "unit";
        case PartKind::Context:
            return "context";
        case PartKind::State:
            return "state";
        case PartKind::Step:
            return "step";
        case PartKind::Start:
            return "start";
        case PartKind::Bias:
            return "bias";
        case PartKind::Shifts:
            return "norm_shifts";
        case PartKind::Shift:
            return "norm_shift";
        case PartKind::OutputBias:
            return "output_bias";
        case PartKind::OneBias:
            return "output_bias_of_word";
        case PartKind::ScoreTerm:
            return "score_term";
        case PartKind::ScoreBias:
            return "score_bias";
        case PartKind::Given:
            return "given";
    }
    return "";
}

/// The id of a word as it is written, or as the model shows it.
int idOf(const TrainedModel& model, const std::string& word) {
    const Vocabulary& vocabulary = model.target->vocabulary();
    const std::vector<int> ids = model.target->encode(word);
    if (ids.size() == 1 && vocabulary.token(ids.front()) != "<unk>") return ids.front();
    for (int id = 0; id < vocabulary.size(); ++id)
        if (vocabulary.token(id) == word || model.target->writtenOne(id) == word ||
            model.target->displayOne(id) == word)
            return id;
    throw Error("the model does not write \"" + word + "\" as one word: choose one of its vocabulary");
}

/// Which row of the logits is asked, and which two words of it.
struct Question {
    int row = 0, word = 0, against = 0;
};

int defaultRow(const TrainedModel& model, const Trace& trace) {
    // Of a translation somebody asks for a word that is written, not for what comes behind it.
    return model.network->config().encoderDecoder() ? 0 : answerRow(model, Prompt::of(trace));
}

/// The word that stands in the text behind a row, where there is one; else the likeliest.
int writtenAt(const TrainedModel& model, const Trace& trace, int row, int first) {
    const ModelConfig& config = model.network->config();
    if (!config.encoderDecoder()) return wordOfColumn(model, first);
    const std::vector<int> fed = trace.at("target.ids").ids();
    const size_t next = static_cast<size_t>(row) + 1;
    return next < fed.size() ? fed[next] : trace.lastWritten.id;
}

Question questionOf(const WhyCommandOptions& options, const TrainedModel& model, const Trace& trace) {
    const TraceRecord& logits = trace.at("logits");
    Question asked;
    asked.row = options.word ? *options.word - 1 : defaultRow(model, trace);
    if (asked.row < 0 || asked.row >= logits.dim(0))
        throw Error("--word " + std::to_string(asked.row + 1) + ": the words go from 1 to " +
                    std::to_string(logits.dim(0)));
    const auto width = static_cast<size_t>(logits.dim(1));
    std::vector<float> row(logits.values.begin() + asked.row * logits.dim(1),
                           logits.values.begin() + (asked.row + 1) * logits.dim(1));
    asked.word = options.instead ? idOf(model, *options.instead) : writtenAt(model, trace, asked.row, likeliest(row));
    for (size_t column = 0; column < width; ++column)  // the likeliest of the others
        if (wordOfColumn(model, static_cast<int>(column)) == asked.word) row[column] = -INFINITY;
    asked.against = options.against ? idOf(model, *options.against) : wordOfColumn(model, likeliest(row));
    if (asked.word == asked.against)
        throw Error("both words are \"" + model.target->writtenOne(asked.word) + "\": ask for it against another");
    return asked;
}

/// A question's answer, printed.
class WhyPrinter {
public:
    WhyPrinter(const TrainedModel& model, const Trace& trace, const Why& why, const Question& asked, int depth)
        : m_model(model), m_trace(trace), m_why(why), m_asked(asked), m_depth(depth) {}

    void json() const {
        nlohmann::json held = nlohmann::json::array();
        for (const WhyHeld& each : m_why.held())
            held.push_back({{"value", each.value}, {"numbers", each.numbers}});
        printJson({{"word", word(m_asked.word)},
                   {"against", word(m_asked.against)},
                   {"row", m_asked.row},
                   {"logits", {m_why.logits().first, m_why.logits().second}},
                   {"difference", m_why.difference()},
                   {"parts", json(m_why.parts(), 1)},
                   {"held", std::move(held)}});
    }

    void text() const {
        std::cout << word(m_asked.word) << " and not " << word(m_asked.against) << ": "
                  << signedNumber(m_why.logits().first) << " - " << signedNumber(m_why.logits().second) << " = "
                  << signedNumber(m_why.difference()) << "\n";
        text(m_why.parts(), 1);
        std::cout << "held:";
        for (const WhyHeld& each : m_why.held())
            if (each.numbers.size() == 1) std::cout << "  " << each.value << " " << fixed(each.numbers.front(), 3);
        std::cout << "\n";
    }

private:
    std::string word(int id) const { return m_model.target->writtenOne(id); }
    static std::string signedNumber(double value) {
        const double printed = std::abs(value) < 0.0005 ? 0 : value;  // no "-0.000"
        return (printed < 0 ? "" : "+") + fixed(printed, 3);
    }

    /// What an attention or a recurrent layer reads at `word`.
    std::string tokenOf(const WhyPart& part) const {
        const TraceRecord& record = m_trace.at(part.value);
        const bool memory =
            record.owner().over == AttentionOver::Memory && record.owner().kind == ModuleKind::Attention;
        const bool source = memory || record.axes.front() == Axis::SourceToken;
        const auto& tokens = source ? m_trace.writtenSource() : m_trace.writtenTarget();
        const auto at = static_cast<size_t>(part.word);
        return part.word >= 0 && at < tokens.size() ? tokens[at] : "";
    }

    nlohmann::json json(const std::vector<WhyPart>& parts, int depth) const {
        nlohmann::json list = nlohmann::json::array();
        for (const WhyPart& part : parts)
            list.push_back(json(part, depth));
        return list;
    }

    nlohmann::json json(const WhyPart& part, int depth) const {
        nlohmann::json entry{{"kind", nameOf(part.kind)}, {"value", part.value}, {"amount", part.amount}};
        if (part.head >= 0) entry["head"] = part.head;
        if (part.word >= 0) {
            entry["position"] = part.word;
            entry["token"] = tokenOf(part);
        }
        if (part.unit >= 0) entry["unit"] = part.unit;
        if (part.kind == PartKind::Source || part.kind == PartKind::Product || part.kind == PartKind::Unit ||
            part.kind == PartKind::ScoreTerm)
            entry.update({{"factor", part.factor}, {"along", part.along}});
        if (!part.opens || depth >= m_depth) return entry;
        entry["parts"] = json(m_why.open(part), depth + 1);
        if (part.kind == PartKind::Source) {
            entry["score"] = m_why.scoreOf(part);
            entry["score_parts"] = json(m_why.score(part), m_depth);
        }
        return entry;
    }

    std::string titleOf(const WhyPart& part) const {
        switch (part.kind) {
            case PartKind::Head:
                return "head " + std::to_string(part.head);
            case PartKind::Source:
            case PartKind::Step:
                return tokenOf(part);
            case PartKind::Unit:
            case PartKind::Product:
                return std::to_string(part.unit);
            case PartKind::Shifts:
            case PartKind::OutputBias:
            case PartKind::Start:
            case PartKind::Bias:
                return nameOf(part.kind);
            case PartKind::Embedding:
            case PartKind::WordVector:
            case PartKind::Position:
            case PartKind::TypeVector:
            case PartKind::Attention:
            case PartKind::FeedForward:
            case PartKind::Context:
            case PartKind::State:
            case PartKind::Shift:
            case PartKind::OneBias:
            case PartKind::ScoreTerm:
            case PartKind::ScoreBias:
            case PartKind::Given:
                break;
        }
        return std::string(nameOf(part.kind)) + " " + part.value;
    }

    void text(const std::vector<WhyPart>& parts, int depth) const {
        for (const WhyPart& part : parts) {
            const std::string indent(static_cast<size_t>(2 * depth), ' ');
            std::cout << std::left << std::setw(60) << indent + titleOf(part) << std::right << std::setw(9)
                      << signedNumber(part.amount);
            if (part.kind == PartKind::Source || part.kind == PartKind::Unit || part.kind == PartKind::Product)
                std::cout << "  = " << fixed(part.factor, 3) << " x " << signedNumber(part.along);
            std::cout << "\n";
            if (part.opens && depth < m_depth) text(m_why.open(part), depth + 1);
        }
    }

    const TrainedModel& m_model;
    const Trace& m_trace;
    const Why& m_why;
    Question m_asked;
    int m_depth;
};

void runWhy(const WhyCommandOptions& options) {
    const TrainedModel model = openModel(options.model);
    const std::vector<MutedHead> muted = parseMutedHeads(options.mute, *model.network);
    const Trace trace = traceSentence(model, options.source, options.target, muted);
    if (!trace.find("logits")) refuseWithoutHead();
    const Question asked = questionOf(options, model, trace);
    const Why why(model, trace, asked.row, asked.word, asked.against);
    const WhyPrinter printer(model, trace, why, asked, options.depth);
    options.json ? printer.json() : printer.text();
}

}  // namespace

void addWhy(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("why", "Why one word and not another: the difference of their logits, summand by summand");
    auto options = std::make_shared<WhyCommandOptions>();
    options->addTo(*command);
    command
        ->add_option("--word", options->word,
                     "Which written word, from 1; of a text, what comes behind its word N. Without it the first of a "
                     "translation, what comes behind a text, the label")
        ->option_text("N");
    command->add_option("--for", options->instead, "A word to ask for in place of the one that is written")
        ->option_text("WORD");
    command->add_option("--against", options->against, "The word that is not written; without it the runner-up")
        ->option_text("WORD");
    command
        ->add_option("--depth", options->depth,
                     "How far to open: 1 sublayers, 2 heads and units, 3 the words that heads read, 4 products")
        ->option_text("N")
        ->check(CLI::Range(1, 4));
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options] { runWhy(*options); });
}

}  // namespace headlight::cli

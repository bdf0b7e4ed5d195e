// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/head_worth.h"

#include <algorithm>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/models/encoder.h"

namespace headlight {

namespace {

/// A row of `log_probs`, and the id that it should have named.
struct Answer {
    int row, id;
};

int likeliest(const TraceRecord& logProbs, int row) {
    const auto width = static_cast<std::ptrdiff_t>(logProbs.shape.back());
    const auto first = logProbs.values.begin() + row * width;
    return static_cast<int>(std::max_element(first, first + width) - first);
}

std::vector<Answer> nextWords(const std::vector<int>& ids) {
    std::vector<Answer> answers;
    for (size_t i = 0; i + 1 < ids.size(); ++i)
        answers.push_back({static_cast<int>(i), ids[i + 1]});
    return answers;
}

std::vector<Answer> filledIn(const Trace& whole, int mask) {
    const std::vector<int> ids = whole.at("ids").ids();
    const bool asks = std::ranges::count(ids, mask) > 0;
    std::vector<Answer> answers;
    for (size_t i = 0; i < ids.size(); ++i) {
        const int row = static_cast<int>(i);
        if (!asks) answers.push_back({row, ids[i]});
        if (asks && ids[i] == mask) answers.push_back({row, likeliest(whole.at("log_probs"), row)});
    }
    return answers;
}

std::vector<Answer> answersOf(const ModelConfig& config, const Trace& whole) {
    if (config.headless()) refuseWithoutHead();
    if (config.masked()) return filledIn(whole, config.mask());
    if (config.corpusKind() == CorpusKind::Labels) return {{0, likeliest(whole.at("log_probs"), 0)}};
    if (!config.encoderDecoder()) return nextWords(whole.at("ids").ids());
    std::vector<int> written = whole.at("target.ids").ids();
    written.push_back(config.eosId);
    return nextWords(written);
}

double lossOf(const Trace& trace, const std::vector<Answer>& answers) {
    const TraceRecord& logProbs = trace.at("log_probs");
    double sum = 0;
    for (const Answer& answer : answers)
        sum -= static_cast<double>(
            logProbs.values[static_cast<size_t>(answer.row) * static_cast<size_t>(logProbs.shape.back()) +
                            static_cast<size_t>(answer.id)]);
    return answers.empty() ? 0 : sum / static_cast<double>(answers.size());
}

/// Every head of the model, in the order of computation.
std::vector<MutedHead> headsOf(const Model& network) {
    std::vector<MutedHead> heads;
    for (const ModuleRef& module : network.modules())
        if (module->kind == ModuleKind::Attention)
            for (int head = 0; head < module->heads; ++head)
                heads.push_back({module->scope, head});
    if (heads.empty()) throw Error("this model has no attention, and so no heads");
    return heads;
}

}  // namespace

HeadAblation ablateHeads(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options,
                         const std::function<bool(double)>& progress) {
    const std::vector<std::string> blocks = model.network->attentionBlocks();
    const int heads = model.network->attentionHeads();
    if (blocks.empty()) throw Error("this model has no attention, and so no heads");
    const double evaluations = 1 + static_cast<double>(blocks.size()) * heads;
    HeadAblation result{evaluate(model, corpus, options), {}};
    for (const std::string& block : blocks)
        for (int head = 0; head < heads; ++head) {
            if (progress && !progress(static_cast<double>(1 + result.heads.size()) / evaluations)) return result;
            BeamOptions muted = options;
            const MutedHead only{block, head};
            muted.mutedHeads = {&only, 1};
            result.heads.push_back({only, evaluate(model, corpus, muted)});
        }
    return result;
}

TextAblation ablateHeadsOnText(const TrainedModel& model, const std::string& source,
                               const std::optional<std::string>& target, const std::function<bool(double)>& progress) {
    const ModelConfig& config = model.network->config();
    const std::vector<MutedHead> heads = headsOf(*model.network);
    const Trace whole = traceSentence(model, source, target);
    const std::vector<Answer> answers = answersOf(config, whole);
    TextAblation result{lossOf(whole, answers), {}};
    for (const MutedHead& head : heads) {
        if (progress && !progress(static_cast<double>(1 + result.heads.size()) / static_cast<double>(1 + heads.size())))
            break;
        const Trace without = config.encoderDecoder()
                                  ? traceIds(model, whole.at("source.ids").ids(), whole.at("target.ids").ids(), {head})
                                  : traceSentence(model, source, {}, {head});
        result.heads.push_back({head, lossOf(without, answers) - result.loss});
    }
    return result;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/alignment_error.h"

#include <algorithm>

#include "core/data/translate.h"
#include "core/error.h"

namespace headlight {

namespace {

/// Names of the records that hold weights over the source.
std::vector<std::string> blocksOverTheSource(const TrainedModel& model) {
    std::vector<std::string> blocks;
    for (const ModuleRef& module : model.network->modules())
        if (module->kind == ModuleKind::Attention && module->over == AttentionOver::Memory)
            blocks.push_back(module->scope);
    if (blocks.empty() || !model.network->config().encoderDecoder())
        throw Error("this model has no attention over a source: there are no links to compare");
    return blocks;
}

/// The source word that a row of weights looks at most.
int heaviest(std::span<const float> weights) {
    return static_cast<int>(std::ranges::max_element(weights) - weights.begin());
}

bool isGold(const SentencePair& pair, int source, int target) {
    return std::ranges::binary_search(pair.alignment, std::pair(source, target));
}

/// Rows of weights [heads, target, source] or [target, source], and their mean over the heads.
class SentenceWeights {
public:
    explicit SentenceWeights(const TraceRecord& record)
        : m_record(record),
          m_heads(record.shape.size() == 3 ? record.dim(0) : 1),
          m_rows(record.dim(static_cast<int>(record.shape.size()) - 2)),
          m_columns(record.dim(static_cast<int>(record.shape.size()) - 1)) {}

    int heads() const { return m_heads; }
    std::span<const float> row(int head, int target) const {
        const int at = (head * m_rows + target) * m_columns;
        return std::span(m_record.values).subspan(static_cast<size_t>(at), static_cast<size_t>(m_columns));
    }
    std::vector<float> mean(int target) const {
        std::vector<float> sum(static_cast<size_t>(m_columns));
        for (int head = 0; head < m_heads; ++head)
            std::ranges::transform(sum, row(head, target), sum.begin(), std::plus<>());
        return sum;
    }

private:
    const TraceRecord& m_record;
    int m_heads, m_rows, m_columns;
};

}  // namespace

double AlignmentError::rate() const {
    return proposed + gold == 0 ? 0 : 1 - 2.0 * static_cast<double>(common) / static_cast<double>(proposed + gold);
}

void refuseUnaligned(const TrainedModel& model, const Corpus& corpus) {
    if (!model.network->config().encoderDecoder())
        throw Error("this model translates nothing: there are no links to compare");
    if (std::ranges::all_of(corpus, [](const SentencePair& pair) { return pair.alignment.empty(); }))
        throw Error("these sentences bear no gold alignment: use a built-in task of translation, or give --alignments");
}

int wordsOfAligned(const Trace& trace, const SentencePair& pair) {
    const int words = static_cast<int>(trace.targetTokens.size()) - 1;  // the last row writes <eos>
    if (static_cast<std::ptrdiff_t>(trace.sourceTokens.size()) != 1 + std::ranges::count(pair.source, ' ') ||
        words != 1 + std::ranges::count(pair.target, ' '))
        throw Error("the model's tokens are not the words that the gold alignment counts: use a model of words");
    return words;
}

std::vector<AlignmentError> alignmentErrors(const TrainedModel& model, const Corpus& corpus) {
    const std::vector<std::string> blocks = blocksOverTheSource(model);
    refuseUnaligned(model, corpus);
    const int heads = model.network->attentionHeads();
    const int looks = heads > 1 ? heads + 1 : heads;  // the last one is the mean
    std::vector<AlignmentError> errors;
    for (const std::string& block : blocks)
        for (int head = 0; head < looks; ++head)
            errors.push_back({block, head == heads ? -1 : head});
    for (const SentencePair& pair : corpus) {
        const Trace trace = traceSentence(model, pair.source, pair.target);
        const int words = wordsOfAligned(trace, pair);
        size_t at = 0;
        for (const std::string& block : blocks) {
            const SentenceWeights weights(trace.at(block + ".weights"));
            for (int head = 0; head < looks; ++head) {
                AlignmentError& error = errors[at++];
                error.gold += static_cast<long>(pair.alignment.size());
                error.proposed += words;
                for (int target = 0; target < words; ++target) {
                    const int source =
                        head < heads ? heaviest(weights.row(head, target)) : heaviest(weights.mean(target));
                    error.common += isGold(pair, source, target);
                }
            }
        }
    }
    return errors;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/translated_corpus.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/models/seq2seq.h"

namespace headlight {

namespace {

/// So many are searched together, and between two such parts the work may be stopped.
constexpr size_t kTogether = 32;

}  // namespace

TranslatedCorpus translateCorpus(const TrainedModel& model, const Corpus& corpus, const BeamOptions& options,
                                 const WorkProgress& progress) {
    const Seq2Seq& network = model.seq2seq();
    EncodedCorpus encoded = encode(corpus, model, Purpose::Evaluation);
    TranslatedCorpus result{std::move(encoded.pairs), std::move(encoded.kept), {}, {}, encoded.skipped};
    std::vector<std::vector<int>> sources;
    for (const Example& pair : result.pairs)
        sources.push_back(pair.source);
    for (size_t first = 0; first < sources.size(); first += kTogether) {
        tell(progress, static_cast<double>(first) / static_cast<double>(sources.size()));
        const auto part = std::span(sources).subspan(first, std::min(kTogether, sources.size() - first));
        for (std::vector<Hypothesis>& found : beamSearch(network, part, options)) {
            std::vector<int> tokens = found.front().tokens;
            if (found.front().finished) tokens.pop_back();
            result.texts.push_back(model.target->decode(tokens));
            result.written.push_back(std::move(found.front()));
        }
    }
    return result;
}

}  // namespace headlight

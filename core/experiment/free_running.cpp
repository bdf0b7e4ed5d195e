// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/free_running.h"

#include <algorithm>
#include <cmath>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/models/seq2seq.h"

namespace headlight {

namespace {

constexpr size_t kTogether = 64;     ///< sentences of a pass
constexpr double kSearching = 0.75;  ///< of the time goes into the words of its own

bool contains(const std::vector<int>& ids, int id) {
    return std::ranges::find(ids, id) != ids.end();
}

/// The likeliest word that decoding may write.
int likeliest(std::span<const float> scores, const ModelConfig& config) {
    int best = -1;
    for (int id = 0; id < static_cast<int>(scores.size()); ++id)
        if ((best < 0 || scores[static_cast<size_t>(id)] > scores[static_cast<size_t>(best)]) &&
            !contains(config.forbiddenIds, id))
            best = id;
    return best;
}

std::vector<std::vector<float>> rowsOf(const TraceRecord& record) {
    std::vector<std::vector<float>> rows;
    const auto width = static_cast<std::ptrdiff_t>(record.shape.back());
    for (auto at = record.values.begin(); at != record.values.end(); at += width)
        rows.emplace_back(at, at + width);
    return rows;
}

/// h of the last recurrent layer, or what the words are read from.
const TraceRecord& statesOf(const Trace& trace) {
    const TraceRecord* state = nullptr;
    for (const TraceRecord& record : trace.records())
        if (record.is(ModuleKind::Recurrent, Part::State) && record.owner().place.stack == Stack::Decoder)
            state = &record;
    return state ? *state : trace.at(trace.at("logits").inputs.front());
}

/// What the decoder makes of words that it is handed.
DecoderRun runOf(const TrainedModel& model, const std::vector<int>& source, std::vector<int> reads,
                 const std::vector<MutedHead>& muted) {
    const Trace trace = traceIds(model, source, reads, muted);
    return {std::move(reads), {}, rowsOf(trace.at("log_probs")), rowsOf(statesOf(trace)), 0};
}

double sumOf(const DecoderRun& run, std::span<const int> said) {
    double sum = 0;
    for (size_t t = 0; t < said.size(); ++t)
        sum += static_cast<double>(run.logProbs[t][static_cast<size_t>(said[t])]);
    return sum;
}

/// Greedily, from its own words and those that it is handed.
struct OwnWords {
    std::vector<int> reads, writes, handedIn;
};

OwnWords ownWords(const TrainedModel& model, const std::vector<int>& source, const std::vector<int>& truth,
                  std::span<const int> handIn, std::span<const MutedHead> muted) {
    const std::vector<std::vector<int>> sources = {source};
    BeamOptions options{.mutedHeads = muted};
    std::vector<int> places(handIn.begin(), handIn.end());
    std::ranges::sort(places);
    OwnWords words;
    const auto write = [&] {
        std::vector<int> tokens = decodeGreedily(model.seq2seq(), sources, options).front().tokens;
        words.writes.insert(words.writes.end(), tokens.begin() + static_cast<std::ptrdiff_t>(options.prefix.size()),
                            tokens.end());
        return tokens;
    };
    std::vector<int> tokens = write();
    for (const int place : places) {
        const auto at = static_cast<size_t>(place - 1);
        // <eos> is not read by anybody; and a place that it never comes to is none.
        if (place < 1 || at + 1 >= truth.size() || at >= tokens.size() || contains(words.handedIn, place)) continue;
        words.handedIn.push_back(place);
        words.writes.resize(at + 1);
        options.prefix.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(at));
        options.prefix.push_back(truth[at]);
        tokens = write();
    }
    words.reads = std::move(tokens);
    return words;
}

std::vector<int> behindStart(const TrainedModel& model, std::span<const int> words) {
    std::vector<int> reads = {model.network->config().decoderStart()};
    reads.insert(reads.end(), words.begin(), words.end());
    return reads;
}

/// Words that are right under teacher forcing, place by place.
void countForced(const TrainedModel& model, std::span<const Example> pairs, std::span<const MutedHead> muted,
                 std::vector<PlaceCounts>& places) {
    const ModelConfig& config = model.network->config();
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.network->parameters());
    context.mutedHeads = muted;
    std::vector<std::vector<int>> sources, targets;
    for (const Example& pair : pairs) {
        sources.push_back(pair.source);
        targets.push_back(behindStart(model, pair.target));
    }
    const TokenBatch source = TokenBatch::pad(sources, config.padId, context.memory());
    const TokenBatch target = TokenBatch::pad(targets, config.padId, context.memory());
    const Tensor<float> logits = model.seq2seq().forward(context, source, target).variable.value;
    for (size_t i = 0; i < pairs.size(); ++i)
        for (size_t t = 0; t < targets[i].size(); ++t) {
            const int wanted = t < pairs[i].target.size() ? pairs[i].target[t] : config.eosId;
            const float* const row = logits.row(static_cast<int>(i) * target.length + static_cast<int>(t));
            if (places.size() <= t) places.resize(t + 1);
            ++places[t].sentences;
            places[t].forced += likeliest({row, static_cast<size_t>(logits.cols())}, config) == wanted;
        }
}

void countFree(const TranslatedCorpus& corpus, int eosId, std::vector<PlaceCounts>& places) {
    for (size_t i = 0; i < corpus.pairs.size(); ++i) {
        const std::vector<int>& truth = corpus.pairs[i].target;
        const std::vector<int>& written = corpus.written[i].tokens;
        for (size_t t = 0; t <= truth.size() && t < written.size(); ++t)
            places[t].free += written[t] == (t < truth.size() ? truth[t] : eosId);
    }
}

}  // namespace

TwoWays runTwoWays(const TrainedModel& model, const std::string& source, const std::string& target,
                   std::span<const int> handIn, const std::vector<MutedHead>& muted) {
    const ModelConfig& config = model.seq2seq().config();
    const std::vector<int> ids = model.source->encode(source);
    TwoWays ways;
    ways.truth = model.target->encode(target);
    if (ids.empty() || ways.truth.empty()) throw Error("there are no words to read and to write: type a sentence");
    ways.forced = runOf(model, ids, behindStart(model, ways.truth), muted);
    ways.truth.push_back(config.eosId);
    for (const std::vector<float>& row : ways.forced.logProbs)
        ways.forced.writes.push_back(likeliest(row, config));
    ways.forced.logProb = sumOf(ways.forced, ways.truth);

    OwnWords own = ownWords(model, ids, ways.truth, handIn, muted);
    const std::vector<int> said = own.reads;
    own.reads.pop_back();  // <eos>, or at the model's limit its last word, is read by nobody
    ways.free = runOf(model, ids, behindStart(model, own.reads), muted);
    ways.free.writes = std::move(own.writes);
    ways.free.logProb = sumOf(ways.free, said);
    ways.handedIn = std::move(own.handedIn);
    return ways;
}

double statesApart(std::span<const float> a, std::span<const float> b) {
    double between = 0, first = 0, second = 0;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double x = a[i], y = b[i];
        between += (y - x) * (y - x);
        first += x * x;
        second += y * y;
    }
    const double sum = std::sqrt(first) + std::sqrt(second);
    return sum > 0 ? std::sqrt(between) / sum : 0;
}

double ForcingReport::gap() const {
    return all.sentences > 0 ? static_cast<double>(all.forced - all.free) / static_cast<double>(all.sentences) : 0;
}

ForcingReport measureForcing(const TrainedModel& model, const Corpus& corpus, std::span<const MutedHead> muted,
                             const WorkProgress& progress) {
    const BeamOptions greedily{.mutedHeads = muted};
    const TranslatedCorpus written = translateCorpus(model, corpus, greedily, partOf(progress, 0, kSearching));
    ForcingReport report;
    report.sentences = static_cast<long>(written.pairs.size());
    report.skipped = written.skipped;
    const std::span<const Example> pairs = written.pairs;
    for (size_t first = 0; first < pairs.size(); first += kTogether) {
        tell(progress, kSearching + (1 - kSearching) * static_cast<double>(first) / static_cast<double>(pairs.size()));
        countForced(model, pairs.subspan(first, std::min(kTogether, pairs.size() - first)), muted, report.places);
    }
    countFree(written, model.network->config().eosId, report.places);
    for (const PlaceCounts& place : report.places) {
        report.all.sentences += place.sentences;
        report.all.forced += place.forced;
        report.all.free += place.free;
    }
    std::vector<std::string> references;
    for (const size_t place : written.kept)
        references.push_back(corpus[place].target);
    report.bleu = corpusBleu(written.texts, references);
    return report;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/heads_probe.h"

#include <algorithm>
#include <cmath>

#include "core/data/evaluation.h"
#include "core/data/example_sentence.h"
#include "core/data/translate.h"
#include "core/experiment/loss_of_words.h"
#include "core/tensor/random.h"

namespace headlight {

namespace {

constexpr size_t sampleSize = 200;
/// Of the corpus, whatever the run's seed: runs compare.
constexpr uint64_t sampleSeed = 20;

/// In the order of the corpus.
Corpus sampled(const Corpus& corpus) {
    std::vector<size_t> places(corpus.size());
    for (size_t i = 0; i < places.size(); ++i)
        places[i] = i;
    if (places.size() > sampleSize) {
        const auto lot = [](size_t place) { return mix(mix(sampleSeed) + place); };
        std::ranges::nth_element(places, places.begin() + static_cast<std::ptrdiff_t>(sampleSize), {}, lot);
        places.resize(sampleSize);
        std::ranges::sort(places);
    }
    Corpus sample;
    for (const size_t place : places)
        sample.push_back(corpus[place]);
    return sample;
}

/// The widest of 1, 2, 5, 10, … that is not above it.
int evenGap(int most) {
    int gap = 1;
    for (int power = 1; power <= most; power *= 10)
        for (const int digit : {1, 2, 5})
            if (digit * power <= most) gap = digit * power;
    return gap;
}

}  // namespace

Corpus watchedSample(const Corpus& part, const TrainedModel& model) {
    if (model.network->config().corpusKind() == CorpusKind::Text) {
        const size_t lines = std::min(part.size(), sampleSize);
        return {part.begin(), part.begin() + static_cast<std::ptrdiff_t>(lines)};
    }
    Corpus sample = sampled(part);
    keepReadable(sample, model);
    if (!sample.empty()) return sample;
    sample = part;
    keepReadable(sample, model);
    return sampled(sample);
}

size_t bytesOf(const HeadsFrame& frame) {
    size_t all = sizeof(HeadsFrame) + frame.spread.capacity() * sizeof(double);
    if (frame.trace)
        for (const TraceRecord& record : frame.trace->records())
            all += sizeof(TraceRecord) + record.values.size() * sizeof(float);
    return all;
}

std::shared_ptr<const Trace> attentionOf(const Trace& whole, std::span<const AttentionBlock> blocks) {
    auto part = std::make_shared<Trace>();
    part->sourceTokens = whole.sourceTokens;
    part->targetTokens = whole.targetTokens;
    part->sourceWritten = whole.sourceWritten;
    part->targetWritten = whole.targetWritten;
    part->lastWritten = whole.lastWritten;
    for (const AttentionBlock& block : blocks)
        for (const TraceRecord* record : {block.weights, block.mask})
            if (record) part->append(*record);
    return part;
}

std::vector<int> headSteps(int last, size_t most) {
    constexpr int fine = 25, partsOfAll = 5;  // a gap is a fifth of what has gone before, and of these steps
    std::vector<int> steps;
    for (int step = 0; step < last;) {
        steps.push_back(step);
        const int gap = evenGap((step + fine) / partsOfAll);
        step = (step / gap + 1) * gap;
    }
    steps.push_back(last);
    while (steps.size() > std::max<size_t>(most, 2)) {  // every second goes; both ends stay
        std::vector<int> fewer;
        for (size_t i = 0; i + 1 < steps.size(); i += 2)
            fewer.push_back(steps[i]);
        fewer.push_back(last);
        steps = std::move(fewer);
    }
    return steps;
}

HeadsProbe::HeadsProbe(const TrainedModel& model, const CorpusSplits& splits, const Corpus& validation,
                       const std::string& probe)
    : m_trainSample(watchedSample(splits.train, model)) {
    const bool isText = model.network->config().corpusKind() == CorpusKind::Text;
    const auto isWatched = [&](const SentencePair& pair) {
        return isText ? beginningOf(pair, model) == probe : pair.source == probe;
    };
    const auto canRead = [&](const SentencePair& pair) {
        return !encode({pair}, model, Purpose::Evaluation).pairs.empty();
    };
    for (const Corpus* part : {&validation, &splits.test, &splits.validation, &splits.train, &splits.unseen})
        for (auto pair = part->begin(); pair != part->end() && m_forced.target.empty(); ++pair)
            if (isWatched(*pair) && canRead(*pair)) m_forced = *pair;
    for (const Corpus* part : {&validation, &splits.train})
        if (m_forced.target.empty())
            if (const size_t place = ordinaryPair(*part, model); place < part->size()) m_forced = (*part)[place];
    Corpus sample = m_trainSample;
    m_train = keepReadable(sample, model);
    sample = validation;
    m_validation = keepReadable(sample, model);
}

HeadsFrame HeadsProbe::frame(const TrainedModel& model, int step, HeadsFrame::Kind kind) const {
    HeadsFrame frame = reading(model, step);
    frame.kind = kind;
    frame.trainLoss = lossOn(model, m_train).loss;
    const LossReport validation = lossOn(model, m_validation);
    frame.validationLoss = validation.loss;
    frame.validationAccuracy = validation.tokenAccuracy;
    if (!m_forced.target.empty())
        frame.written = QString::fromStdString(respond(model, beginningOf(m_forced, model)).text);
    return frame;
}

HeadsFrame HeadsProbe::reading(const TrainedModel& model, int step) const {
    HeadsFrame frame{.step = step};
    if (m_forced.target.empty()) return frame;
    // A model without a decoder is fed the sentence itself.
    const bool isForced = model.network->config().encoderDecoder();
    const std::string& read = m_forced.source.empty() ? m_forced.target : m_forced.source;
    frame.source = QString::fromStdString(read);
    frame.reference = QString::fromStdString(m_forced.target);
    frame.gold = m_forced.alignment;
    const Trace whole = traceSentence(model, read, isForced ? std::optional(m_forced.target) : std::nullopt);
    frame.trace = attentionOf(whole, attentionBlocks(whole));
    for (const AttentionBlock& block : attentionBlocks(*frame.trace)) {
        const HabitPlaces places(*frame.trace, *block.weights);
        for (int head = 0; head < block.heads; ++head)
            frame.spread.push_back(places.read(block.headWeights(head)).facts().relativeEntropy);
    }
    if (model.network->config().corpusKind() == CorpusKind::Labels) return frame;
    std::vector<int> said;
    const std::vector<WordCost> costs = costsOf(whole, targetWords(model.network->config(), whole), 0);
    said.reserve(costs.size());
    for (const WordCost& word : costs)
        said.push_back(word.target);
    const std::vector<std::string> words = model.target->display(said);
    for (size_t i = 0; i < costs.size(); ++i)
        frame.said.push_back({QString::fromStdString(words[i]), std::exp(costs[i].logProbability)});
    return frame;
}

}  // namespace headlight

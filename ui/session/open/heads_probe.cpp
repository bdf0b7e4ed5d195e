// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/heads_probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/evaluation.h"
#include "core/data/translate.h"
#include "core/experiment/loss_of_words.h"
#include "core/tensor/random.h"
#include "core/train/trainer.h"

namespace headlight {

namespace {

/// Of each part: enough to see a loss fall, few enough that all frames together take three hundredths of a run.
constexpr size_t sampleSize = 20;
constexpr int evaluationBatch = 64;
/// Of the corpus, whatever the run's seed: runs compare.
constexpr uint64_t sampleSeed = 20;

/// Anywhere in the corpus, as its first lines may be its easiest; in its order.
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

double lossOn(const std::vector<Example>& sample, const TrainedModel& model) {
    if (sample.empty()) return std::numeric_limits<double>::quiet_NaN();
    return evaluateLoss(*model.network, sample, evaluationBatch).loss;
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

std::string beginningOf(const SentencePair& sentence, const TrainedModel& model) {
    if (model.network->config().corpusKind() != CorpusKind::Text) return sentence.source;
    if (model.network->config().masked()) return sentence.target;
    constexpr size_t tokensGiven = 4;
    std::vector<std::string> tokens = model.target->split(sentence.target);
    tokens.resize(std::min(tokens.size(), tokensGiven));
    return model.target->join(tokens);
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

HeadsProbe::HeadsProbe(const TrainedModel& model, const CorpusSplits& splits, const std::string& probe)
    : m_trainSample(sampled(splits.train)), m_testSample(sampled(splits.test)) {
    const auto canRead = [&](const SentencePair& pair) {
        return !encode({pair}, model, Purpose::Evaluation).pairs.empty();
    };
    const auto take = [&](const Corpus& corpus, auto wanted) {
        for (auto pair = corpus.begin(); pair != corpus.end() && m_forced.target.empty(); ++pair)
            if (wanted(*pair) && canRead(*pair)) m_forced = *pair;
    };
    for (const Corpus* part : {&splits.test, &splits.validation, &splits.train, &splits.unseen})
        take(*part, [&](const SentencePair& pair) { return pair.source == probe; });
    for (const Corpus* part : {&splits.test, &splits.train})
        take(*part, [](const SentencePair&) { return true; });
    m_train = keepReadable(m_trainSample, model);
    m_test = keepReadable(m_testSample, model);
}

HeadsFrame HeadsProbe::frame(const TrainedModel& model, int step, HeadsFrame::Kind kind) const {
    HeadsFrame frame = reading(model, step);
    frame.kind = kind;
    frame.trainLoss = lossOn(m_train, model);
    frame.testLoss = lossOn(m_test, model);
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
    for (const WordCost& word : costsOf(whole, targetWords(model.network->config(), whole), 0))
        frame.said.push_back(
            {QString::fromStdString(model.target->displayOne(word.target)), std::exp(word.logProbability)});
    return frame;
}

}  // namespace headlight

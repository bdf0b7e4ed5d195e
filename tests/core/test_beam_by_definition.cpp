// SPDX-License-Identifier: GPL-3.0-or-later
// Beam search against one that is written straight from its definition: each hypothesis is read anew by the whole model
// for every word (no cache, no lanes, no batch), all continuations are sorted. And where it stops, by the rules of
// other programs.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/decode/beam_search.h"
#include "core/error.h"
#include "core/models/seq2seq.h"
#include "core/tensor/random.h"

using namespace headlight;

namespace {

constexpr int eos = 2;

/// A small model of a seed, whose weights are larger than a fresh model's: it prefers some words.
std::shared_ptr<Model> seededModel(int kind, uint64_t seed, const std::vector<int>& forbidden, int forced) {
    ModelConfig config;
    config.architecture = kind < 2 ? "transformer" : "rnn";
    config.dModel = 8;
    config.numHeads = 2;
    config.numEncoderLayers = config.numDecoderLayers = 1;
    config.dFf = 12;
    config.normOrder = kind == 1 ? NormOrder::Pre : NormOrder::Post;
    config.positionalEncoding = kind == 1 ? PositionalKind::Learned : PositionalKind::Sinusoidal;
    config.embeddingSize = config.hiddenSize = 8;
    config.cell = kind == 2 ? Cell::Gru : Cell::Lstm;
    config.attention = kind == 2 ? AttentionKind::General : AttentionKind::None;
    config.dropout = 0;
    config.maxLength = 9;
    config.sourceVocabSize = config.targetVocabSize = 9;
    config.forbiddenIds = forbidden;
    config.forcedFirstId = forced;
    std::shared_ptr<Model> model = Model::make(config);
    model->initialize(seed);
    for (float& weight : model->parameters().flat())
        weight *= kind < 2 ? 1.8f : 3.0f;
    // Half of them like to end.
    for (const ParameterSet::Entry& entry : std::as_const(*model).parameters().entries())
        if (entry.name == "generator.bias" && seed % 2 == 0) model->parameters().flat()[entry.offset + eos] += 2;
    return model;
}

/// log P of each word behind a history.
std::vector<double> wordsBehind(const Seq2Seq& model, const std::vector<int>& source, std::vector<int> history) {
    const ModelConfig& config = model.config();
    const bool first = history.empty();
    history.insert(history.begin(), config.decoderStart());
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.parameters());
    const Tensor<float> logits =
        model.forward(context, TokenBatch::pad(std::span(&source, 1), 0), TokenBatch::pad(std::span(&history, 1), 0))
            .variable.value;
    const float* row = logits.row(logits.rows() - 1);
    std::vector<double> all(row, row + logits.cols());
    for (const int word : config.forbiddenIds)
        all[static_cast<size_t>(word)] = -std::numeric_limits<double>::infinity();
    for (size_t word = 0; first && config.forcedFirstId >= 0 && word < all.size(); ++word)
        if (static_cast<int>(word) != config.forcedFirstId) all[word] = -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const double logit : all)
        sum += std::exp(logit);
    for (double& logit : all)
        logit -= std::log(sum);
    return all;
}

/// (Wu et al. 2016, equation 14; the sum, its mean, its sum over a power.)
double scoreOf(const LengthPenalty& penalty, double logProb, size_t length) {
    const double y = static_cast<double>(length);
    if (penalty.kind == LengthPenalty::Kind::Average) return logProb / y;
    if (penalty.kind == LengthPenalty::Kind::Gnmt)
        return logProb * std::pow(6, penalty.alpha) / std::pow(5 + y, penalty.alpha);
    return penalty.kind == LengthPenalty::Kind::Power ? logProb * std::pow(y, -penalty.alpha) : logProb;
}

struct Text {
    std::vector<int> words;
    double logProb = 0, score = 0;
};

/// What a search found, and how near the nearest two were that it had to tell apart.
struct Definition {
    std::vector<Text> ended, cutOff;
    size_t steps = 0;
    double nearest = std::numeric_limits<double>::infinity();

    void tellApart(double a, double b) { nearest = std::min(nearest, std::abs(a - b)); }
    void sort(std::vector<Text>& texts) {
        std::ranges::sort(texts, std::greater(), &Text::score);
        for (size_t i = 1; i < texts.size(); ++i)
            tellApart(texts[i - 1].score, texts[i].score);
    }
};

enum class Until { Full, Behind, Hopeless, Limit };

size_t limitOf(const Seq2Seq& model, const BeamOptions& options) {
    return static_cast<size_t>(options.maxLength == 0 ? model.config().maxLength : options.maxLength);
}

Definition searchByDefinition(const Seq2Seq& model, const std::vector<int>& source, const BeamOptions& options,
                              Until until) {
    Definition found;
    const size_t beam = static_cast<size_t>(options.beam), limit = limitOf(model, options);
    std::vector<Text> going(1);
    while (!going.empty() && found.steps < limit) {
        ++found.steps;
        std::vector<Text> all;
        for (const Text& text : going) {
            const std::vector<double> next = wordsBehind(model, source, text.words);
            for (size_t word = 0; word < next.size(); ++word) {
                if (std::isinf(next[word])) continue;
                Text longer = text;
                longer.words.push_back(static_cast<int>(word));
                longer.logProb += next[word];
                longer.score = scoreOf(options.lengthPenalty, longer.logProb, longer.words.size());
                all.push_back(longer);
            }
        }
        std::ranges::stable_sort(all, std::greater(), &Text::logProb);
        for (size_t i = 1; i < std::min(2 * beam + 1, all.size()); ++i)
            found.tellApart(all[i - 1].logProb, all[i].logProb);
        going.clear();
        for (size_t rank = 0; rank < std::min(2 * beam, all.size()); ++rank) {
            const bool ends = all[rank].words.back() == eos;
            if (ends && rank < beam) found.ended.push_back(all[rank]);
            if (!ends && going.size() < beam) going.push_back(all[rank]);
        }
        if (until == Until::Limit || found.ended.size() < beam) continue;
        if (until == Until::Full || going.empty()) break;
        std::vector<double> scores;
        for (const Text& text : found.ended)
            scores.push_back(text.score);
        std::ranges::sort(scores, std::greater());
        const size_t length = until == Until::Behind ? found.steps : limit;
        const double hope = scoreOf(options.lengthPenalty, going[0].logProb, length);
        found.tellApart(hope, scores[beam - 1]);
        if (scores[beam - 1] >= hope) break;
    }
    found.cutOff = going;
    found.sort(found.ended);
    found.sort(found.cutOff);
    return found;
}

/// The best of those that ended, then of those that were cut off.
std::vector<Text> bestOf(const Definition& found, int count) {
    std::vector<Text> best = found.ended;
    best.insert(best.end(), found.cutOff.begin(), found.cutOff.end());
    best.resize(std::min(best.size(), static_cast<size_t>(count)));
    return best;
}

template <class T>
const T& oneOf(Random& random, const std::vector<T>& all) {
    return all[static_cast<size_t>(random.below(static_cast<uint32_t>(all.size())))];
}

/// A model, sentences and settings of a seed.
struct DrawnCase {
    std::shared_ptr<Model> model;
    std::vector<std::vector<int>> sources;
    BeamOptions options;

    explicit DrawnCase(uint64_t seed) {
        Random random(seed);
        const std::vector<std::vector<int>> forbidden{{}, {}, {0, 1}, {0, 5, 7}, {4, 5, 6, 7, 8}};
        const int forced = oneOf(random, std::vector<int>{-1, -1, -1, 6});
        model = seededModel(static_cast<int>(random.below(4)), seed,
                            forced < 0 ? oneOf(random, forbidden) : forbidden[0], forced);
        const int count = oneOf(random, std::vector<int>{1, 2, 3});
        for (int i = 0; i < count; ++i) {
            std::vector<int>& source = sources.emplace_back(1 + random.below(5));
            for (int& word : source)
                word = 3 + static_cast<int>(random.below(6));
        }
        options.beam = options.nBest = oneOf(random, std::vector<int>{1, 2, 3, 4, 7});
        options.maxLength = oneOf(random, std::vector<int>{0, 1, 2, 5, 7});
        options.lengthPenalty = LengthPenalty::parse(
            oneOf(random, std::vector<std::string>{"none", "average", "gnmt:0.6", "gnmt:1.5", "power:0.5", "power:2"}));
        options.threads = 1;
    }
    const Seq2Seq& seq2seq() const { return dynamic_cast<const Seq2Seq&>(*model); }
};

constexpr double tooNear = 1e-4;  ///< two that floats may have in another order
constexpr uint64_t kDrawnSearches = 600;

}  // namespace

class TestBeamByDefinition : public QObject {
    Q_OBJECT
private slots:
    void aSearchIsWhatItsDefinitionSays_data() {
        QTest::addColumn<int>("rule");
        QTest::newRow("full") << 0;
        QTest::newRow("behind") << 1;
        QTest::newRow("hopeless") << 2;
    }

    void aSearchIsWhatItsDefinitionSays() {
        QFETCH(int, rule);
        size_t compared = 0, early = 0, cutOff = 0;
        for (uint64_t seed = 1; seed <= kDrawnSearches; ++seed) {
            DrawnCase each(seed);
            each.options.stop = static_cast<StopRule>(rule);
            const auto found = beamSearch(each.seq2seq(), each.sources, each.options);
            for (size_t i = 0; i < each.sources.size(); ++i) {
                const Definition wanted =
                    searchByDefinition(each.seq2seq(), each.sources[i], each.options, static_cast<Until>(rule));
                if (wanted.nearest < tooNear) continue;
                ++compared;
                early += wanted.steps < limitOf(each.seq2seq(), each.options);
                cutOff += wanted.ended.size() < static_cast<size_t>(each.options.beam);
                const std::vector<Text> best = bestOf(wanted, each.options.nBest);
                QCOMPARE(found[i].size(), best.size());
                for (size_t k = 0; k < best.size(); ++k) {
                    QCOMPARE(found[i][k].tokens, best[k].words);
                    QCOMPARE(found[i][k].finished, best[k].words.back() == eos);
                    QVERIFY(std::abs(found[i][k].logProb - best[k].logProb) < 1e-4);
                    QVERIFY(std::abs(found[i][k].score - best[k].score) < 1e-4);
                    double sum = 0;
                    for (const double logProb : found[i][k].tokenLogProbs)
                        sum += logProb;
                    QCOMPARE(found[i][k].tokenLogProbs.size(), best[k].words.size());
                    QVERIFY(std::abs(sum - found[i][k].logProb) < 1e-9);
                }
                const RecordedSearch recorded = recordBeamSearch(each.seq2seq(), each.sources[i], each.options);
                QCOMPARE(static_cast<size_t>(recorded.tree.steps), wanted.steps);
            }
        }
        qInfo("%zu sentences compared, %zu ended before the limit, %zu reached it", compared, early, cutOff);
        QVERIFY(compared > 300 && early > 60 && cutOff > 60);
    }

    /// The point of the rule: of a search to the limit the best K are no others. And of the hastier ones they may be.
    void hopelessMissesNothingThatTheLimitWouldFind() {
        size_t compared = 0, hasty = 0, shorter = 0;
        for (uint64_t seed = 1; seed <= kDrawnSearches; ++seed) {
            DrawnCase each(seed);
            each.options.maxLength = 0;
            each.options.stop = StopRule::Hopeless;
            const RecordedSearch found = recordBeamSearch(each.seq2seq(), each.sources[0], each.options);
            const Definition all = searchByDefinition(each.seq2seq(), each.sources[0], each.options, Until::Limit);
            if (all.nearest < tooNear || all.ended.size() < static_cast<size_t>(each.options.beam)) continue;
            ++compared;
            shorter += found.tree.steps < 9;
            for (size_t k = 0; k < found.hypotheses.size(); ++k)
                QCOMPARE(found.hypotheses[k].tokens, all.ended[k].words);
            each.options.stop = StopRule::Full;
            const auto full = beamSearch(each.seq2seq(), std::span(each.sources).first(1), each.options).front();
            hasty += full.front().tokens != all.ended[0].words;
            QVERIFY(full.front().score <= all.ended[0].score + 1e-5);
        }
        qInfo("%zu compared, %zu ended before the limit; \"full\" misses the best of %zu", compared, shorter, hasty);
        QVERIFY(compared > 80 && shorter > 20 && hasty > 0);
    }

    void rulesHaveNames() {
        QVERIFY(parseStopRule("full") == StopRule::Full && parseStopRule("behind") == StopRule::Behind &&
                parseStopRule("hopeless") == StopRule::Hopeless && BeamOptions().stop == StopRule::Full);
        for (const char* text : {"", "Full", "never", "full "})
            QVERIFY_EXCEPTION_THROWN(parseStopRule(text), Error);
    }
};

QTEST_GUILESS_MAIN(TestBeamByDefinition)
#include "test_beam_by_definition.moc"

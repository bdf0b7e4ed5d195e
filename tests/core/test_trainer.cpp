// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "core/decode/beam_search.h"
#include "core/error.h"
#include "core/models/transformer.h"
#include "core/nn/context.h"
#include "core/train/kept_weights.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

ModelConfig tinyConfig() {
    ModelConfig config;
    config.dModel = 16;
    config.numHeads = 2;
    config.numEncoderLayers = config.numDecoderLayers = 1;
    config.dFf = 32;
    config.maxLength = 16;
    config.sourceVocabSize = config.targetVocabSize = 12;
    return config;
}

/// Sentences and their mirror images.
std::vector<Example> mirrored(int count) {
    Random random(5);
    std::vector<Example> pairs;
    for (int i = 0; i < count; ++i) {
        std::vector<int> words(2 + random.below(5));
        for (int& word : words)
            word = 4 + static_cast<int>(random.below(8));
        pairs.push_back({words, {words.rbegin(), words.rend()}});
    }
    return pairs;
}

std::vector<float> weightsAfter(const TrainOptions& options, int steps) {
    const std::vector<Example> pairs = mirrored(200);
    Transformer model(tinyConfig());
    model.initialize(options.seed);
    Trainer trainer(model, pairs, options);
    for (int i = 0; i < steps; ++i)
        trainer.step();
    return {model.parameters().flat().begin(), model.parameters().flat().end()};
}

/// The loss that each of some steps tells, on the same examples and with weights that do not move.
std::vector<double> lossesAtRest(const ModelConfig& config, const std::vector<Example>& pairs, int steps,
                                 uint64_t seed = 1) {
    Transformer model(config);
    model.initialize(1);
    Trainer trainer(model, pairs,
                    {.seed = seed,
                     .batchSize = static_cast<int>(pairs.size()),
                     .learningRate = 1e-30,
                     .schedule = ScheduleKind::Constant,
                     .optimizer = OptimizerKind::Sgd});
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i)
        losses.push_back(trainer.step().loss);
    return losses;
}

std::vector<Example> alike(int count) {
    return std::vector<Example>(static_cast<size_t>(count), Example{{4, 5, 6, 7}, {7, 6, 5, 4}});
}

ModelConfig withDropout(double rate) {
    ModelConfig config = tinyConfig();
    config.dropout = rate;
    return config;
}

}  // namespace

class TestTrainer : public QObject {
    Q_OBJECT
private slots:
    void sameSeedSameBitsOnAnyNumberOfThreads();
    void anotherSeedAnotherModel();
    void learnsAHandfulOfPairsByHeart();
    void clippingHoldsTheStepBack();
    void lossThatIsNoNumberStopsWithTheWeightsOfTheStepBefore();
    void optionsOutOfRangeAreRefused();
    void everyPairIsDealtOnceAnEpoch();
    void batchesOfTokensHoldNoMoreOfThemAndEveryPairOnce();
    void batchesOfTokensAreOfLikeLengthAndFollowTheSeed();
    void aPairLongerThanABatchOfTokensIsRefused();
    void batchesOfTokensTrainAlikeOnAnyNumberOfThreads();
    void oneMatrixForAllThreeEmbeddingsIsCountedOnceAndFollowsItsGradient();
    void orderIsAFunctionOfSeedAndEpoch();
    void schedulesRiseAndFallAsWritten();
    void whatIsNotSaidOfAScheduleSuitsItsKind();
    void adamsFirstStepsAreThoseOfThePaper();
    void aStepFollowsTheGradientOfTheWholeBatch_data();
    void aStepFollowsTheGradientOfTheWholeBatch();
    void batchesThatAreAccumulatedMakeTheStepOfOne();
    void decayedWeightsShrinkByTheRateAndTheGradientDoesNotKnow();
    void patienceKeepsTheWeightsOfTheLeastLoss();
    void averagedWeightsAreTheMeanOfTheLastFew();
    void dropoutIsAppliedInTrainingAndNotInEvaluation();
    void dropoutDrawsAnewAtEveryStep();
    void dropoutDrawsAnewInEveryShard();
    void dropoutDrawsAnewAtEveryPlaceOfAPass();
    void optionsAreRefusedBeforeBatchesAreDealt();
    void whatAJobThrowsReachesWhoeverWaits();
    void theShareOfTheTruthFallsInEqualStepsAndStaysAtItsEnd();
    void aStepReadsTheTruthInTheShareOfItsOwnNumber();
};

void TestTrainer::sameSeedSameBitsOnAnyNumberOfThreads() {
    const std::vector<float> one = weightsAfter({.batchSize = 64, .threads = 1}, 6);
    for (int threads : {1, 2, 3, 4})
        QVERIFY(weightsAfter({.batchSize = 64, .threads = threads}, 6) == one);
}

void TestTrainer::anotherSeedAnotherModel() {
    QVERIFY(weightsAfter({.seed = 1}, 2) != weightsAfter({.seed = 2}, 2));
}

void TestTrainer::learnsAHandfulOfPairsByHeart() {
    const std::vector<Example> pairs = mirrored(8);
    ModelConfig config = tinyConfig();
    config.dropout = 0;
    Transformer model(config);
    model.initialize(1);
    Trainer trainer(model, pairs,
                    {.batchSize = 8,
                     .learningRate = 0.01,
                     .schedule = ScheduleKind::Constant,
                     .warmupSteps = 20,
                     .labelSmoothing = 0});
    StepReport report;
    for (int i = 0; i < 400; ++i)
        report = trainer.step();
    QVERIFY2(report.loss < 0.02, qPrintable(QString::number(report.loss)));
    QCOMPARE(report.accuracy, 1.0);
    for (const Example& pair : pairs) {
        const std::vector<std::vector<int>> source{pair.source};
        const std::vector<Hypothesis> written = decodeGreedily(model, source);
        std::vector<int> expected = pair.target;
        expected.push_back(config.eosId);
        QVERIFY(written.front().finished);
        QVERIFY(written.front().tokens == expected);
    }
    QVERIFY(std::abs(evaluateLoss(model, pairs, 3).loss - evaluateLoss(model, pairs, 8).loss) < 1e-5);
}

void TestTrainer::clippingHoldsTheStepBack() {
    const auto moved = [](double clipNorm) {
        const std::vector<Example> pairs = mirrored(50);
        Transformer model(tinyConfig());
        model.initialize(1);
        const std::vector<float> before(model.parameters().flat().begin(), model.parameters().flat().end());
        Trainer trainer(model, pairs,
                        {.learningRate = 1,
                         .schedule = ScheduleKind::Constant,
                         .warmupSteps = 0,
                         .clipNorm = clipNorm,
                         .optimizer = OptimizerKind::Sgd});
        const StepReport report = trainer.step();
        double squares = 0;
        for (size_t i = 0; i < before.size(); ++i)
            squares += std::pow(static_cast<double>(model.parameters().flat()[i] - before[i]), 2);
        return std::pair(std::sqrt(squares), report.gradientNorm);
    };
    const auto [free, norm] = moved(0);
    QVERIFY(std::abs(free - norm) < 1e-4 * norm);
    QVERIFY(norm > 0.1);
    QVERIFY(std::abs(moved(0.05).first - 0.05) < 1e-5);
}

void TestTrainer::lossThatIsNoNumberStopsWithTheWeightsOfTheStepBefore() {
    const std::vector<Example> pairs = mirrored(50);
    Transformer model(tinyConfig());
    model.initialize(1);
    Trainer trainer(model, pairs, {.batchSize = 16});
    trainer.step();
    // The generator's weights overflow every logit.
    std::ranges::fill(model.parameters().flat(), 3e38f);
    const std::vector<float> before(model.parameters().flat().begin(), model.parameters().flat().end());
    QVERIFY_EXCEPTION_THROWN(trainer.step(), Error);
    QVERIFY(std::ranges::equal(model.parameters().flat(), before));
}

void TestTrainer::optionsOutOfRangeAreRefused() {
    for (const TrainOptions& options :
         {TrainOptions{.steps = 0}, TrainOptions{.batchSize = 0}, TrainOptions{.learningRate = 0},
          TrainOptions{.warmupSteps = -1}, TrainOptions{.labelSmoothing = 1}, TrainOptions{.clipNorm = -1},
          TrainOptions{.threads = -1}, TrainOptions{.threads = 5000}})
        QVERIFY_EXCEPTION_THROWN(options.validate(), Error);
}

void TestTrainer::everyPairIsDealtOnceAnEpoch() {
    const std::vector<Example> pairs = mirrored(107);
    Batcher batcher(pairs, {10}, 1);
    QCOMPARE(batcher.batchesInEpoch(), 11L);
    for (long epoch = 0; epoch < 3; ++epoch) {
        std::set<const Example*> dealt;
        for (long i = 0; i < 11; ++i)
            for (const Example* pair : batcher.batch(epoch * 11 + i))
                QVERIFY(dealt.insert(pair).second);
        QCOMPARE(dealt.size(), pairs.size());
    }
}

void TestTrainer::batchesOfTokensHoldNoMoreOfThemAndEveryPairOnce() {
    const std::vector<Example> pairs = mirrored(207);
    constexpr size_t most = 50;
    Batcher batcher(pairs, {.tokens = most}, 1);
    const long batches = batcher.batchesInEpoch();
    for (long epoch = 0; epoch < 3; ++epoch) {
        std::set<const Example*> dealt;
        for (long i = 0; i < batches; ++i) {
            const auto batch = batcher.batch(epoch * batches + i);
            QVERIFY(!batch.empty());
            size_t longest = 0;
            for (const Example* pair : batch) {
                QVERIFY(dealt.insert(pair).second);
                longest = std::max({longest, pair->source.size(), pair->target.size() + 1});
            }
            QVERIFY2(longest * batch.size() <= most, qPrintable(QString::number(longest * batch.size())));
        }
        QCOMPARE(dealt.size(), pairs.size());
    }
    // 207 pairs of 3 to 7 tokens with <eos>, about 5 on the mean: a fifth more batches than without padding at most.
    size_t tokens = 0;
    for (const Example& pair : pairs)
        tokens += pair.target.size() + 1;
    QVERIFY(static_cast<size_t>(batches) * most < tokens * 6 / 5);
}

void TestTrainer::batchesOfTokensAreOfLikeLengthAndFollowTheSeed() {
    const std::vector<Example> pairs = mirrored(200);
    Batcher forwards(pairs, {.tokens = 60}, 1), jumping(pairs, {.tokens = 60}, 1), other(pairs, {.tokens = 60}, 2);
    const long batches = forwards.batchesInEpoch();
    for (long step = 0; step < 2 * batches + 5; ++step)
        forwards.batch(step);
    const long step = 2 * batches + 5;
    QVERIFY(std::ranges::equal(jumping.batch(step), forwards.batch(step)));
    QVERIFY(!std::ranges::equal(other.batch(step), forwards.batch(step)));
    int mixed = 0;
    for (long i = 0; i < batches; ++i) {
        const auto batch = forwards.batch(i);
        const auto [shortest, longest] =
            std::ranges::minmax(batch, {}, [](const Example* pair) { return pair->target.size(); });
        mixed += longest->target.size() - shortest->target.size() > 1;
    }
    QCOMPARE(mixed, 0);
    // Within a length chance decides anew in every epoch.
    const auto of = [&](long first) {
        std::set<std::set<const Example*>> sets;
        for (long i = first; i < first + batches; ++i) {
            const auto batch = forwards.batch(i);
            sets.emplace(batch.begin(), batch.end());
        }
        return sets;
    };
    QVERIFY(of(0) != of(batches));
}

void TestTrainer::aPairLongerThanABatchOfTokensIsRefused() {
    const std::vector<Example> pairs{{{4, 5}, {5, 4}}, {{4, 5, 6, 7, 8}, {4}}};
    try {
        Batcher(pairs, {.tokens = 4}, 1);
        QFAIL("accepted");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains("no pair of 5 tokens"), error.what());
    }
    QCOMPARE(Batcher(pairs, {.tokens = 5}, 1).batchesInEpoch(), 2L);
    QVERIFY_EXCEPTION_THROWN(TrainOptions{.tokensPerBatch = -1}.validate(), Error);
}

void TestTrainer::batchesOfTokensTrainAlikeOnAnyNumberOfThreads() {
    const TrainOptions options{.tokensPerBatch = 1100};
    QCOMPARE(options.shards(), 4);
    QCOMPARE(TrainOptions{.tokensPerBatch = 200}.shards(), 1);
    std::vector<std::vector<float>> weights;
    for (const int threads : {1, 3}) {
        TrainOptions each = options;
        each.threads = threads;
        weights.push_back(weightsAfter(each, 5));
    }
    QVERIFY(weights[0] == weights[1]);
    QVERIFY(weights[0] != weightsAfter({}, 5));
    // A batch of fewer pairs than shards leaves some of them without work.
    const std::vector<Example> few(3, Example{{4, 5, 6}, {6, 5, 4}});
    Transformer model(tinyConfig());
    model.initialize(1);
    QCOMPARE(Trainer(model, few, options).step().tokens, 12L);
}

/// Source, target and head read one matrix: its gradient is the sum of three.
void TestTrainer::oneMatrixForAllThreeEmbeddingsIsCountedOnceAndFollowsItsGradient() {
    ModelConfig config = withDropout(0);
    const size_t apart = Transformer(config).parameters().count();
    config.shareEmbeddings = config.tieEmbeddings = true;
    Transformer model(config);
    const size_t matrix = static_cast<size_t>(config.targetVocabSize * config.dModel);
    QCOMPARE(model.parameters().count(), apart - 2 * matrix);
    QCOMPARE(config.weightCount(), model.parameters().count());
    model.initialize(3);
    const ParameterSet::Entry& entry =
        *std::ranges::find(std::as_const(model).parameters().entries(), "embedding.weight", &ParameterSet::Entry::name);
    const std::vector<Example> pairs = mirrored(6);
    std::vector<const Example*> batch;
    for (const Example& pair : pairs)
        batch.push_back(&pair);
    std::vector<float> gradient(model.parameters().flatSize());
    const auto loss = [&](bool back) {
        Arena arena;
        Tape<float> tape(arena, back ? Tape<float>::Mode::Training : Tape<float>::Mode::Inference);
        ForwardContext context(tape, std::as_const(model).parameters());
        if (back) context.gradients = gradient.data();
        const double sum = model.loss(context, batch, {.labelSmoothing = 0.1, .lossScale = 1}).smoothed;
        if (back) tape.backward();
        return sum;
    };
    loss(true);
    const float* ofMatrix = gradient.data() + entry.offset;
    const double largest = static_cast<double>(std::abs(
        *std::max_element(ofMatrix, ofMatrix + matrix, [](float a, float b) { return std::abs(a) < std::abs(b); })));
    QVERIFY(largest > 0.1);
    constexpr float by = 2e-3f;
    for (size_t i = 0; i < matrix; i += 7) {
        float& weight = model.parameters().flat()[entry.offset + i];
        const float before = weight;
        weight = before + by;
        const double above = loss(false);
        weight = before - by;
        const double below = loss(false);
        weight = before;
        const double slope = (above - below) / (2 * static_cast<double>(by));
        QVERIFY2(std::abs(slope - static_cast<double>(ofMatrix[i])) < 0.01 * largest,
                 qPrintable(QStringLiteral("weight %1: %2 and not %3").arg(i).arg(ofMatrix[i]).arg(slope)));
    }
}

void TestTrainer::orderIsAFunctionOfSeedAndEpoch() {
    const std::vector<Example> pairs = mirrored(100);
    Batcher forwards(pairs, {10}, 1), jumping(pairs, {10}, 1), other(pairs, {10}, 2);
    for (long step = 0; step < 25; ++step)
        forwards.batch(step);
    QVERIFY(std::ranges::equal(jumping.batch(25), forwards.batch(25)));
    QVERIFY(!std::ranges::equal(other.batch(25), forwards.batch(25)));
    const std::span<const Example* const> third = jumping.batch(3);
    const std::vector<const Example*> kept(third.begin(), third.end());
    QVERIFY(!std::ranges::equal(kept, jumping.batch(13)));
}

void TestTrainer::schedulesRiseAndFallAsWritten() {
    const Schedule noam{.kind = ScheduleKind::Noam, .learningRate = 1, .warmupSteps = 4000, .dModel = 512};
    // 512^−½ · 4000^−½ at the top; half of that halfway up, and at four times the warm-up
    const double top = 1 / std::sqrt(512.0 * 4000.0);
    QVERIFY(std::abs(noam.at(4000) - top) < 1e-12);
    QVERIFY(std::abs(noam.at(2000) - top / 2) < 1e-12);
    QVERIFY(std::abs(noam.at(16000) - top / 2) < 1e-12);
    const Schedule constant{.kind = ScheduleKind::Constant, .learningRate = 0.1, .warmupSteps = 10};
    QVERIFY(std::abs(constant.at(5) - 0.05) < 1e-12);
    QCOMPARE(constant.at(500), 0.1);
    const Schedule cosine{.kind = ScheduleKind::Cosine, .learningRate = 0.2, .warmupSteps = 100, .steps = 300};
    QVERIFY(std::abs(cosine.at(100) - 0.2) < 1e-12);
    QVERIFY(std::abs(cosine.at(200) - 0.1) < 1e-12);
    QVERIFY(std::abs(cosine.at(300)) < 1e-12);
}

void TestTrainer::whatIsNotSaidOfAScheduleSuitsItsKind() {
    const ModelConfig wide{.dModel = 256};
    const Schedule cosine = TrainOptions{.steps = 1500}.scheduleFor(wide);
    QCOMPARE(cosine.kind, ScheduleKind::Cosine);
    QCOMPARE(cosine.learningRate, 0.0015);
    QCOMPARE(cosine.steps, 1500L);
    const Schedule noam = TrainOptions{.schedule = ScheduleKind::Noam, .warmupSteps = 50}.scheduleFor(wide);
    QCOMPARE(noam.learningRate, 1.0);
    QCOMPARE(noam.warmupSteps, 50);
    const Schedule constant = TrainOptions{.learningRate = 0.02, .schedule = ScheduleKind::Constant}.scheduleFor(wide);
    QCOMPARE(constant.at(1), 0.02);
    QCOMPARE(TrainOptions{}.scheduleFor({.architecture = "rnn", .hiddenSize = 128}).learningRate, 0.007);
}

void TestTrainer::adamsFirstStepsAreThoseOfThePaper() {
    WorkerPool pool(2);
    Optimizer adam(OptimizerKind::Adam, 2);
    std::vector<float> weights{1.0f, -2.0f};
    const std::vector<float> first{0.5f, -4.0f}, second{1.0f, 0.0f};
    adam.step(pool, weights, first, 0.1, 1);
    // After one step m̂ = g and v̂ = g²: every weight moves by the learning rate against its gradient's sign.
    QVERIFY(std::abs(weights[0] - 0.9f) < 1e-6f);
    QVERIFY(std::abs(weights[1] + 1.9f) < 1e-6f);
    adam.step(pool, weights, second, 0.1, 1);
    const double m = 0.9 * 0.1 * 0.5 + 0.1 * 1.0, v = 0.98 * 0.02 * 0.25 + 0.02 * 1.0;
    const double expected = 0.9 - 0.1 * (m / (1 - 0.81)) / (std::sqrt(v / (1 - 0.9604)) + 1e-9);
    QVERIFY(std::abs(static_cast<double>(weights[0]) - expected) < 1e-6);
}

void TestTrainer::batchesThatAreAccumulatedMakeTheStepOfOne() {
    const std::vector<Example> pairs = mirrored(96);
    const auto train = [&](const TrainOptions& options) {
        Transformer model(withDropout(0));
        model.initialize(1);
        Trainer trainer(model, pairs, options);
        const StepReport report = trainer.step();
        return std::tuple(report,
                          std::vector<float>(model.parameters().flat().begin(), model.parameters().flat().end()),
                          trainer.epoch());
    };
    // The whole corpus at each step, at once and in three batches; the last one of another size.
    const auto [whole, wholeWeights, wholeEpoch] = train({.batchSize = 96, .optimizer = OptimizerKind::Sgd});
    for (const auto& [size, count] : {std::pair(32, 3), std::pair(40, 3), std::pair(16, 6)}) {
        const auto [parts, weights, epoch] =
            train({.batchSize = size, .accumulate = count, .optimizer = OptimizerKind::Sgd});
        QCOMPARE(parts.tokens, whole.tokens);
        QCOMPARE(epoch, wholeEpoch);
        QVERIFY(std::abs(parts.loss - whole.loss) < 1e-6);
        QVERIFY(std::abs(parts.gradientNorm / whole.gradientNorm - 1) < 1e-4);
        for (size_t i = 0; i < weights.size(); ++i)
            QVERIFY(std::abs(weights[i] - wholeWeights[i]) < 1e-5f);
    }
    QVERIFY_EXCEPTION_THROWN(TrainOptions{.accumulate = 0}.validate(), Error);
}

void TestTrainer::decayedWeightsShrinkByTheRateAndTheGradientDoesNotKnow() {
    WorkerPool pool(1);
    const auto after = [&](double decay) {
        Optimizer adam(OptimizerKind::Adam, 2, {.weightDecay = decay});
        std::vector<float> weights{1.0f, -2.0f};
        const std::vector<float> gradient{0.5f, -4.0f};
        adam.step(pool, weights, gradient, 0.1, 1);
        return weights;
    };
    const std::vector<float> plain = after(0), decayed = after(0.3);
    // Loshchilov and Hutter 2019, algorithm 2: beside Adam's change, which is the same, w loses rate · decay · w.
    QVERIFY(std::abs(plain[0] - decayed[0] - 0.1f * 0.3f * 1.0f) < 1e-6f);
    QVERIFY(std::abs(plain[1] - decayed[1] + 0.1f * 0.3f * 2.0f) < 1e-6f);
    QVERIFY_EXCEPTION_THROWN((TrainOptions{.optimizer = OptimizerKind::Sgd, .adam = {.weightDecay = 0.1}}.validate()),
                             Error);
    QVERIFY_EXCEPTION_THROWN(TrainOptions{.adam = {.beta2 = 1}}.validate(), Error);
}

void TestTrainer::patienceKeepsTheWeightsOfTheLeastLoss() {
    Transformer model(tinyConfig());
    KeptWeights kept({.patience = 2});
    const auto validate = [&](float weight, long step, double loss) {
        std::ranges::fill(model.parameters().flat(), weight);
        kept.keep(model.parameters(), step, loss);
    };
    validate(1, 10, 3.0);
    validate(2, 20, 2.0);
    QVERIFY(!kept.choose(model.parameters(), 20));  // the last are the best
    validate(3, 30, 2.5);
    QVERIFY(!kept.patienceIsOver());
    validate(4, 40, 2.0);
    QVERIFY(kept.patienceIsOver());
    QVERIFY(kept.choose(model.parameters(), 40)->find("step 20") != std::string::npos);
    QVERIFY(std::ranges::all_of(model.parameters().flat(), [](float weight) { return weight == 2; }));
}

void TestTrainer::averagedWeightsAreTheMeanOfTheLastFew() {
    Transformer model(tinyConfig());
    KeptWeights kept({.average = 3});
    for (const float weight : {7.0f, 1.0f, 2.0f, 6.0f}) {
        std::ranges::fill(model.parameters().flat(), weight);
        kept.keep(model.parameters(), 1, 1);
    }
    QVERIFY(!kept.patienceIsOver());
    QVERIFY(kept.choose(model.parameters(), 1).has_value());
    QVERIFY(std::ranges::all_of(model.parameters().flat(), [](float weight) { return weight == 3; }));
}

void TestTrainer::aStepFollowsTheGradientOfTheWholeBatch_data() {
    QTest::addColumn<int>("batch");
    for (const int batch : {10, 32, 48, 64, 100})
        QTest::addRow("%d pairs", batch) << batch;
}

/// However many shards a batch is cut into, their gradients add up to that of one pass over all of it.
void TestTrainer::aStepFollowsTheGradientOfTheWholeBatch() {
    QFETCH(int, batch);
    const std::vector<Example> pairs = mirrored(batch);
    Transformer model(withDropout(0));
    model.initialize(1);
    const std::vector<float> before(model.parameters().flat().begin(), model.parameters().flat().end());

    std::vector<const Example*> all;
    long tokens = 0;
    for (const Example& pair : pairs) {
        all.push_back(&pair);
        tokens += model.targetTokens(pair);
    }
    std::vector<float> expected(model.parameters().flatSize());
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Training);
    ForwardContext context(tape, std::as_const(model).parameters());
    context.gradients = expected.data();
    model.loss(context, all, {.labelSmoothing = 0.1, .lossScale = 1.0 / static_cast<double>(tokens)});
    tape.backward();

    Trainer trainer(model, pairs,
                    {.batchSize = batch,
                     .learningRate = 1,
                     .schedule = ScheduleKind::Constant,
                     .warmupSteps = 0,
                     .clipNorm = 0,
                     .optimizer = OptimizerKind::Sgd});
    const StepReport report = trainer.step();
    double squares = 0;
    for (size_t i = 0; i < before.size(); ++i) {
        const float moved = before[i] - model.parameters().flat()[i];
        QVERIFY2(std::abs(moved - expected[i]) < 2e-6f,
                 qPrintable(QStringLiteral("weight %1 moved by %2, not %3").arg(i).arg(moved).arg(expected[i])));
        squares += std::pow(static_cast<double>(expected[i]), 2);
    }
    QVERIFY(std::abs(report.gradientNorm - std::sqrt(squares)) < 1e-5);
    double norms = 0;
    for (const double norm : trainer.gradientNorms())
        norms += norm * norm;
    QVERIFY(std::abs(std::sqrt(norms) - report.gradientNorm) < 1e-6);
}

void TestTrainer::dropoutIsAppliedInTrainingAndNotInEvaluation() {
    const double with = lossesAtRest(withDropout(0.5), alike(16), 1).front(),
                 without = lossesAtRest(withDropout(0), alike(16), 1).front();
    QVERIFY2(std::abs(with - without) > 1e-3, qPrintable(QStringLiteral("%1 and %2").arg(with).arg(without)));
    Transformer one(withDropout(0.5)), other(withDropout(0));
    one.initialize(1);
    other.initialize(1);
    QCOMPARE(evaluateLoss(one, alike(16), 8).loss, evaluateLoss(other, alike(16), 8).loss);
}

void TestTrainer::dropoutDrawsAnewAtEveryStep() {
    const std::vector<double> losses = lossesAtRest(withDropout(0.5), alike(16), 8);
    QCOMPARE(std::set<double>(losses.begin(), losses.end()).size(), losses.size());
    QCOMPARE(lossesAtRest(withDropout(0.5), alike(16), 8), losses);
    QVERIFY(lossesAtRest(withDropout(0.5), alike(16), 1, 2).front() != losses.front());
    // Without dropout nothing else differs between the steps.
    for (const double loss : lossesAtRest(withDropout(0), alike(16), 8))
        QCOMPARE(loss, lossesAtRest(withDropout(0), alike(16), 1).front());
}

/// Of 64 examples that are all alike every shard has 16: with the same masks their mean is that of the first shard,
/// which draws as a batch of 16 does.
void TestTrainer::dropoutDrawsAnewInEveryShard() {
    const auto difference = [](double rate) {
        return std::abs(lossesAtRest(withDropout(rate), alike(64), 1).front() -
                        lossesAtRest(withDropout(rate), alike(16), 1).front());
    };
    QVERIFY2(difference(0) < 1e-6, qPrintable(QString::number(difference(0))));
    QVERIFY2(difference(0.5) > 1e-3, qPrintable(QString::number(difference(0.5))));
}

void TestTrainer::dropoutDrawsAnewAtEveryPlaceOfAPass() {
    const Transformer model(tinyConfig());
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Training);
    const auto seedsOf = [&](uint64_t seed) {
        ForwardContext context(tape, model.parameters());
        context.seed = seed;
        std::vector<uint64_t> seeds;
        for (int i = 0; i < 200; ++i)
            seeds.push_back(context.nextSeed());
        return seeds;
    };
    const std::vector<uint64_t> seeds = seedsOf(1);
    QVERIFY(seedsOf(1) == seeds);
    std::set<uint64_t> all(seeds.begin(), seeds.end());
    all.merge(std::set<uint64_t>([&] {
        const std::vector<uint64_t> others = seedsOf(1u << 20);
        return std::set<uint64_t>(others.begin(), others.end());
    }()));
    QCOMPARE(all.size(), size_t{400});
}

void TestTrainer::optionsAreRefusedBeforeBatchesAreDealt() {
    const std::vector<Example> pairs = mirrored(8);
    Transformer model(tinyConfig());
    model.initialize(1);
    QVERIFY_EXCEPTION_THROWN(Trainer(model, pairs, {.batchSize = 0}), Error);
}

void TestTrainer::whatAJobThrowsReachesWhoeverWaits() {
    for (const int threads : {1, 2, 4}) {
        WorkerPool pool(threads);
        for (int round = 0; round < 20; ++round) {
            std::atomic<int> done = 0;
            try {
                pool.run(8, [&](int job) {
                    if (job == 5) throw Error("job " + std::to_string(job));
                    ++done;
                });
                QFAIL("nothing came");
            } catch (const Error& error) {
                QCOMPARE(QString(error.what()), QString("job 5"));
            }
            QVERIFY(done >= 5 - threads && done <= 7);
        }
        std::atomic<int> done = 0;
        pool.run(8, [&](int) { ++done; });
        QCOMPARE(done.load(), 8);
    }
}

/// Of five steps from 0.9 to 0.1: 0.9, 0.7, 0.5, 0.3, 0.1. Who trains on stays at the end; a run of one step has no
/// end.
void TestTrainer::theShareOfTheTruthFallsInEqualStepsAndStaysAtItsEnd() {
    const std::vector<Example> pairs = mirrored(4);
    Transformer model(tinyConfig());
    const auto share = [&](long steps, double from, double to, long step) {
        return Trainer(model, pairs, {.steps = steps, .teacherForcing = from, .teacherForcingEnd = to})
            .teacherForcingAt(step);
    };
    const double falling[] = {0.9, 0.7, 0.5, 0.3, 0.1}, rising[] = {0, 0.5, 1};
    for (long step = 1; step <= 5; ++step)
        QVERIFY(std::abs(share(5, 0.9, 0.1, step) - falling[step - 1]) < 1e-12);
    for (long step = 1; step <= 3; ++step)
        QVERIFY(std::abs(share(3, 0, 1, step) - rising[step - 1]) < 1e-12);
    for (const long after : {6L, 7L, 500L})
        QVERIFY(std::abs(share(5, 0.9, 0.1, after) - 0.1) < 1e-12);
    QCOMPARE(share(2, 1, 0.25, 1), 1.0);
    QCOMPARE(share(2, 1, 0.25, 2), 0.25);
    QCOMPARE(share(1, 0.75, 0.25, 1), 0.75);
}

/// From the truth alone to none of it in two steps: the first is that of a run that reads the truth alone, the second,
/// from the same weights, that of one that never does.
void TestTrainer::aStepReadsTheTruthInTheShareOfItsOwnNumber() {
    const std::vector<Example> pairs = mirrored(12);
    ModelConfig config = tinyConfig();
    config.architecture = "rnn";
    config.embeddingSize = config.hiddenSize = 16;
    config.dropout = 0;
    const auto lossOf = [&](double from, double to, long stepsDone) {
        const std::shared_ptr<Model> model = Model::make(config);
        model->initialize(3);
        Trainer trainer(*model, pairs,
                        {.steps = 2,
                         .batchSize = 12,
                         .learningRate = 1e-30,
                         .schedule = ScheduleKind::Constant,
                         .optimizer = OptimizerKind::Sgd,
                         .teacherForcing = from,
                         .teacherForcingEnd = to,
                         .threads = 1});
        trainer.resumeAt(stepsDone);
        return trainer.step().loss;
    };
    const double truth = lossOf(1, 1, 0), own = lossOf(0, 0, 1);
    QVERIFY(std::abs(lossOf(1, 1, 1) - truth) < 1e-6 && std::abs(own - truth) > 1e-4);
    QVERIFY(std::abs(lossOf(1, 0, 0) - truth) < 1e-6);
    QVERIFY(std::abs(lossOf(1, 0, 1) - own) < 1e-6);
}

QTEST_APPLESS_MAIN(TestTrainer)
#include "test_trainer.moc"

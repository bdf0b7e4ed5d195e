// SPDX-License-Identifier: GPL-3.0-or-later
// The heads of a run as they are born: what a frame measures, and what is told of all frames together.
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/data/task.h"
#include "tests/session/small_run.h"
#include "ui/session/open/heads_story.h"
#include "ui/session/open/training_run.h"

using namespace headlight;
using headlight::fixture::smallSetup;

namespace {

/// One causal block of heads with the weights that are given, three words.
HeadsFrame frameOf(int step, const std::vector<double>& spread, const QString& written = {}) {
    auto trace = std::make_shared<Trace>();
    trace->sourceTokens = {"a", "b", "c"};
    trace->targetTokens = {"<bos>", "x", "y"};
    const int heads = static_cast<int>(spread.size());
    auto module = std::make_shared<Module>();
    module->kind = ModuleKind::Attention;
    module->scope = "decoder.layers.0.cross_attn";
    module->place = {Stack::Decoder, Section::Layer, 0};
    module->over = AttentionOver::Memory;
    module->heads = heads;
    TraceRecord record;
    record.name = module->scope + ".weights";
    record.operation = Operation::Softmax;
    record.shape = {heads, 3, 3};
    record.values.assign(static_cast<size_t>(heads) * 9, 1.0F / 3);
    record.module = module;
    record.part = Part::Weights;
    trace->append(std::move(record));
    HeadsFrame frame{.step = step, .trace = trace, .spread = spread, .written = written};
    return frame;
}

std::vector<int> stepsOf(const HeadsStory& story, const std::vector<int>& frames) {
    std::vector<int> steps;
    for (const int frame : frames)
        steps.push_back(story.frames()[static_cast<size_t>(frame)].step);
    return steps;
}

/// Of a row: what is left when everything was said about how even it is.
double relativeEntropy(std::span<const float> head, int rows, int columns, std::span<const float> mask) {
    double sum = 0;
    int counted = 0;
    for (int row = 0; row < rows; ++row) {
        double bits = 0;
        int open = 0;
        for (int column = 0; column < columns; ++column) {
            const auto cell = static_cast<size_t>(row * columns + column);
            if (!mask.empty() && std::isinf(mask[cell])) continue;
            ++open;
            const auto weight = static_cast<double>(head[cell]);
            if (weight > 0) bits -= weight * std::log2(weight);
        }
        if (open < 2) continue;
        sum += bits / std::log2(open);
        ++counted;
    }
    return sum / counted;
}

}  // namespace

class TestHeadsStory : public QObject {
    Q_OBJECT
private slots:
    void framesComeCloseTogetherAtFirstAndFurtherApartLater() {
        const std::vector<int> steps = headSteps(1500, 1000);
        QCOMPARE(std::vector<int>(steps.begin(), steps.begin() + 10),
                 (std::vector<int>{0, 5, 10, 15, 20, 25, 30, 40, 50, 60}));
        QCOMPARE(steps.back(), 1500);
        QVERIFY(steps.size() < 40);
        // A longer run shows the same steps, and goes on.
        const std::vector<int> longer = headSteps(100000, 1000);
        QVERIFY(std::equal(steps.begin(), steps.end() - 1, longer.begin()));
        QVERIFY(longer.size() < 100);
        QCOMPARE(headSteps(3, 1000), (std::vector<int>{0, 3}));
        QCOMPARE(headSteps(1, 2), (std::vector<int>{0, 1}));
    }

    void ofLargeModelsThereAreFewerFrames() {
        for (const size_t most : {size_t{0}, size_t{2}, size_t{3}, size_t{7}, size_t{20}}) {
            const std::vector<int> steps = headSteps(1500, most);
            QVERIFY(steps.size() <= std::max<size_t>(most, 2));
            QCOMPARE(steps.front(), 0);
            QCOMPARE(steps.back(), 1500);
            QVERIFY(std::ranges::is_sorted(steps));
        }
    }

    void trainAndValidationAreMeasuredAlike_data() {
        QTest::addColumn<QString>("architecture");
        for (const char* each : {"transformer", "rnn"})
            QTest::newRow(each) << each;
    }
    /// Without dropout and smoothing, both on sentences of the same kind: what `evaluate` says of them.
    void trainAndValidationAreMeasuredAlike() {
        QFETCH(QString, architecture);
        const CorpusSplits& splits = findTask("vi-en").corpus();
        ModelConfig config = smallSetup(1).config;
        config.architecture = architecture.toStdString();
        config.dropout = 0.4;
        const TrainedModel model = newModel(config.toJson(), {}, splits.train, 3);
        const Corpus validation = watchedSample(splits.validation, model);
        const HeadsProbe probe(model, splits, validation, std::string(findTask("vi-en").example));
        QVERIFY(probe.trainSample().size() == 200 && validation.size() == 200);
        for (const SentencePair& pair : validation)
            QVERIFY(std::ranges::find(splits.validation, pair.source, &SentencePair::source) !=
                    splits.validation.end());
        for (const SentencePair& pair : probe.trainSample())
            QVERIFY(std::ranges::find(splits.train, pair.source, &SentencePair::source) != splits.train.end());
        // Not the first lines: those of a task are its simplest.
        QVERIFY(probe.trainSample().back().source != splits.train[probe.trainSample().size() - 1].source);
        const HeadsFrame frame = probe.frame(model, 0, HeadsFrame::Kind::Regular);
        QVERIFY(std::abs(frame.trainLoss - evaluate(model, probe.trainSample()).loss) < 1e-5);
        QCOMPARE(frame.validationLoss, evaluate(model, validation).loss);
    }

    /// A new model knows nothing: it says every word about equally often.
    void aNewModelsLossIsThatOfGuessing() {
        const CorpusSplits& splits = findTask("copy").corpus();
        const TrainedModel model = newModel(smallSetup(1).config.toJson(), {}, splits.train, 3);
        const HeadsProbe probe(model, splits, watchedSample(splits.validation, model), "");
        const HeadsFrame frame = probe.frame(model, 0, HeadsFrame::Kind::Regular);
        const double guessing = std::log(model.target->vocabulary().size());
        QVERIFY2(std::abs(frame.trainLoss - guessing) < 0.8, qPrintable(QString::number(frame.trainLoss)));
        QVERIFY2(std::abs(frame.validationLoss - guessing) < 0.8, qPrintable(QString::number(frame.validationLoss)));
    }

    void sharpIsSaidOfTheWeights() {
        const CorpusSplits& splits = findTask("vi-en").corpus();
        const TrainedModel model = newModel(smallSetup(1).config.toJson(), {}, splits.train, 3);
        const HeadsProbe probe(model, splits, watchedSample(splits.validation, model), "tôi đang học tiếng anh");
        QCOMPARE(probe.forced().target, std::string("i am learning english"));
        const HeadsFrame frame = probe.frame(model, 0, HeadsFrame::Kind::Regular);
        size_t at = 0;
        for (const AttentionBlock& block : attentionBlocks(*frame.trace))
            for (int head = 0; head < block.heads; ++head, ++at)
                QVERIFY(std::abs(frame.spread[at] - relativeEntropy(block.headWeights(head), block.rows, block.columns,
                                                                    block.maskValues())) < 1e-9);
        QCOMPARE(at, frame.spread.size());
        QCOMPARE(at, size_t{6});
    }

    /// However badly the model writes: the rows of all frames stand for the same words.
    void everyFrameIsFedTheSameTarget() {
        TrainingRun run;
        std::vector<HeadsFrame> frames;
        connect(&run, &TrainingRun::headsAdded,
                [&](const auto& added) { frames.insert(frames.end(), added.begin(), added.end()); });
        run.reset(smallSetup(60));
        run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
        std::vector<int> steps;
        for (const HeadsFrame& frame : frames)
            steps.push_back(frame.step);
        QCOMPARE(steps, headSteps(60, 1000));
        const QString first = frames.front().written;
        QVERIFY(std::ranges::any_of(frames, [&](const HeadsFrame& frame) { return frame.written != first; }));
        for (const HeadsFrame& frame : frames) {
            QVERIFY(frame.trace->targetTokens == frames.front().trace->targetTokens);
            QCOMPARE(frame.trace->records().size(), frames.front().trace->records().size());
            for (size_t i = 0; i < frame.trace->records().size(); ++i)
                QVERIFY(frame.trace->records()[i].shape == frames.front().trace->records()[i].shape);
        }
        QVERIFY(frames.back().trace->records()[0].values != frames.front().trace->records()[0].values);
        QVERIFY(frames.back().validationLoss < frames.front().validationLoss);
    }

    void whereARunRestsThereIsAFrameAndOnlyOne() {
        TrainingRun run;
        HeadsStory story;
        connect(&run, &TrainingRun::headsAdded, &story, &HeadsStory::append);
        connect(&run, &TrainingRun::cutBack, &story, &HeadsStory::cutBack);
        run.reset(smallSetup(60));
        for (int step = 1; step <= 3; ++step) {
            run.stepOnce();
            QTRY_COMPARE_WITH_TIMEOUT(run.step(), step, fixture::kLongPatienceMs);
            QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Paused, fixture::kLongPatienceMs);
            QTRY_COMPARE(story.shown()->step, step);
            QCOMPARE(story.frames().size(), size_t{2});
        }
        run.trainTo(1);
        QTRY_COMPARE_WITH_TIMEOUT(run.step(), 1, fixture::kLongPatienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(story.shown()->step, 1, fixture::kLongPatienceMs);
        run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QCOMPARE(story.frames().size(), headSteps(60, 1000).size());
    }

    void aHeadIsDatedFromWhenItBecameSharpTheLastTime() {
        HeadsStory story;
        story.begin(100);
        story.append(
            {frameOf(0, {0.9, 0.4}), frameOf(10, {0.4, 0.9}), frameOf(20, {0.3, 0.49}), frameOf(30, {0.2, 0.5})});
        QCOMPARE(story.sharpSince(0, 0), std::nullopt);
        QCOMPARE(story.sharpSince(3, 0), std::optional(10));
        QCOMPARE(story.sharpSince(0, 1), std::optional(0));
        QCOMPARE(story.sharpSince(2, 1), std::optional(20));
        QCOMPARE(story.sharpSince(3, 1), std::nullopt);  // half is not less than half
        QCOMPARE(story.sharpHeads(0), 1);
        QCOMPARE(story.sharpHeads(2), 2);
        QCOMPARE(story.sharpHeads(3), 1);
    }

    void pointingAtAFrameIsForAsLongAsItLasts() {
        HeadsStory story;
        story.begin(100);
        story.append({frameOf(0, {0.9}), frameOf(10, {0.9}), frameOf(20, {0.9})});
        QCOMPARE(story.shown()->step, 20);
        story.peek(1);
        QCOMPARE(story.shown()->step, 10);
        story.append({frameOf(30, {0.9})});
        QCOMPARE(story.shown()->step, 10);
        story.release();
        QCOMPARE(story.shown()->step, 30);
        story.hold(1);
        story.append({frameOf(40, {0.9})});
        QCOMPARE(story.shown()->step, 10);
        QCOMPARE(story.heldStep(), 10);
        story.hold(story.newest());
        story.append({frameOf(50, {0.9})});
        QCOMPARE(story.shown()->step, 50);
        story.hold(0);
        QCOMPARE(story.shown()->step, 0);
        story.cutBack(20);
        QCOMPARE(story.shown()->step, 0);
        story.hold(1);
        story.cutBack(5);
        QCOMPARE(story.shown()->step, 0);
        QVERIFY(story.isNow());
    }

    void theHeadThatIsWantedStaysWantedFromRunToRun() {
        HeadsStory story;
        QSignalSpy chosen(&story, &HeadsStory::chosenByReader);
        story.wantHead("decoder.layers.0.cross_attn.1");
        story.append({frameOf(0, {0.9, 0.8, 0.7})});
        QCOMPARE(story.chosen(), 1);
        QCOMPARE(chosen.count(), 0);
        story.begin(50);
        story.append({frameOf(0, {0.9})});
        QCOMPARE(story.chosen(), 0);  // there is no second head
        story.begin(50);
        story.append({frameOf(0, {0.9, 0.8, 0.7})});
        QCOMPARE(story.chosen(), 1);
        story.choose(0);
        QCOMPARE(story.wantedHead(), QString());
        QCOMPARE(chosen.count(), 1);
    }

    void wordsThatDidNotStandThereAreNew() {
        HeadsStory story;
        story.append({frameOf(0, {}, "a a"), frameOf(5, {}, "a a"), frameOf(10, {}, "i am"), frameOf(20, {}, ""),
                      frameOf(30, {}, "i am learning"), frameOf(40, {}, "i learning english am")});
        const auto writings = story.writings(story.newest());
        std::vector<int> steps;
        for (const auto& writing : writings)
            steps.push_back(writing.step);
        QCOMPARE(steps, (std::vector<int>{0, 10, 20, 30, 40}));
        QCOMPARE(writings[0].isNew, (std::vector<bool>{false, false}));
        QCOMPARE(writings[1].isNew, (std::vector<bool>{true, true}));
        QVERIFY(writings[2].words.isEmpty());
        QCOMPARE(writings[4].isNew, (std::vector<bool>{false, false, true, true}));
        QCOMPARE(story.writings(1).size(), size_t{1});
        QCOMPARE(newWords({"a", "b", "c"}, {"b", "c", "a"}), (std::vector<bool>{false, false, true}));
    }

    void theFilmGoesFromTheFirstFrameToTheNewest() {
        HeadsStory story;
        story.begin(1500);
        for (const int step : headSteps(1500, 1000))
            if (step <= 800) story.append({frameOf(step, {0.9})});
        const std::vector<int> film = story.film(8);
        QCOMPARE(stepsOf(story, film), (std::vector<int>{0, 10, 30, 60, 120, 240, 450, 800}));
        QCOMPARE(story.film(2), (std::vector<int>{0, story.newest()}));
        // A frame that is looked at takes the place of the one beside it.
        story.hold(story.nearest(500));
        QCOMPARE(stepsOf(story, story.film(8)), (std::vector<int>{0, 10, 30, 60, 120, 240, 500, 800}));
        QCOMPARE(story.film(100).size(), story.frames().size());
        HeadsStory empty;
        QVERIFY(empty.film(8).empty());
    }

    void placesOfStepsAreThereAndBackTheSame() {
        for (const int step : {0, 1, 12, 400, 1500})
            QVERIFY(std::abs(stepAt(stepPlace(step, 1500), 1500) - step) < 1e-6);
        QCOMPARE(stepPlace(0, 1500), 0.0);
        QCOMPARE(stepPlace(1500, 1500), 1.0);
    }

    void aModelWithoutAttentionIsMeasuredToo() {
        TrainingSetup setup = smallSetup(10);
        setup.config.architecture = "rnn";
        setup.config.attention = AttentionKind::None;
        setup.config.hiddenSize = 16;
        setup.config.embeddingSize = 8;
        TrainingRun run;
        HeadsStory story;
        connect(&run, &TrainingRun::headsAdded, &story, &HeadsStory::append);
        run.reset(setup);
        run.start();
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingState::Finished, fixture::kLongPatienceMs);
        QVERIFY(story.heads().empty());
        QCOMPARE(story.chosen(), -1);
        QVERIFY(story.frames().back().trainLoss > 0);
        QCOMPARE(story.sharpHeads(story.newest()), 0);
    }
};

QTEST_GUILESS_MAIN(TestHeadsStory)
#include "test_heads_story.moc"

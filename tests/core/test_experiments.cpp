// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments: each against the same figure reached in another way.
#include <QTest>
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/accuracy_by_length.h"
#include "core/experiment/alignment_error.h"
#include "core/experiment/gradient_by_word.h"
#include "core/experiment/head_judgement.h"
#include "core/experiment/head_worth.h"
#include "core/experiment/train_variant.h"
#include "core/io/model_file.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

const TrainedModel& shippedTranslator() {
    static const TrainedModel model = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");
    return model;
}

Corpus sentences(size_t count) {
    Corpus corpus = findTask("vi-en").corpus().test;
    corpus.resize(count);
    return corpus;
}

/// Column ranges of out_proj that read a head's context, set to zero: what muting the head must amount to.
TrainedModel withoutHead(const TrainedModel& model, const std::string& weight, int head, int width) {
    TrainedModel result = model;
    result.network = model.network->clone();
    ParameterSet& parameters = result.network->parameters();
    for (const auto& entry : parameters.entries())
        if (entry.name == weight)
            for (int row = 0; row < entry.shape.dim(0); ++row)
                std::fill_n(parameters.flat().data() + entry.offset + row * entry.shape.dim(1) + head * width, width,
                            0.0f);
    return result;
}

}  // namespace

class TestExperiments : public QObject {
    Q_OBJECT
private slots:
    void lengthsCountEverySentenceOnce() {
        const Corpus corpus = sentences(200);
        const std::vector<int> edges{3, 6, 9, 40};
        const std::vector<LengthBin> bins = accuracyByLength(shippedTranslator(), corpus, edges);
        const Evaluation whole = evaluate(shippedTranslator(), corpus);
        long count = 0;
        double right = 0;
        for (const LengthBin& bin : bins) {
            count += bin.evaluation.sentences;
            right += *bin.evaluation.sequenceAccuracy * static_cast<double>(bin.evaluation.sentences);
            QVERIFY(bin.from <= bin.to);
        }
        QCOMPARE(count, whole.sentences);
        QVERIFY(std::abs(right / 200 - *whole.sequenceAccuracy) < 1e-9);
        QCOMPARE(bins.front().from, 1);
        QCOMPARE(bins[1].from, 4);
    }

    void aWordsGradientIsWhatMovingItsEmbeddingDoes_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("step");
        QTest::newRow("vi-en-rnn") << "source_embedding.weight"
                                   << "tôi đang học tiếng anh" << 2;
        QTest::newRow("vi-en-long-lstm-attention") << "source_embedding.weight"
                                                   << "tôi đang học tiếng anh" << 3;
        QTest::newRow("stories-lstm") << "embedding.weight"
                                      << "the cat is" << 3;
    }
    void aWordsGradientIsWhatMovingItsEmbeddingDoes() {
        QFETCH(QString, table);
        QFETCH(QString, text);
        QFETCH(int, step);
        TrainedModel model = loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") +
                                       QTest::currentDataTag() + ".safetensors");
        const bool translates = model.network->config().encoderDecoder();
        const std::string source = text.toStdString();
        const std::optional<std::string> target =
            translates ? std::optional(translate(model, {source}).front().best().text) : std::nullopt;
        const Trace trace = traceSentence(model, source, target);
        const GradientByWord found = gradientByWord(model, trace, step);
        const std::vector<double>& norms = translates ? found.source : found.target;
        const std::vector<float>& ids = trace.at(translates ? "source.ids" : "ids").values;
        const std::vector<float>& before = trace.at("log_probs").values;
        const int words = trace.at("log_probs").dim(1);
        const auto likeliest = std::max_element(before.begin() + step * words, before.begin() + (step + 1) * words);
        const auto place = static_cast<size_t>(likeliest - before.begin());
        ParameterSet& weights = model.network->parameters();
        const auto entry =
            std::ranges::find(weights.entries(), table.toStdString(), [](const auto& e) { return e.name; });
        const int width = entry->shape.dim(1);
        for (size_t word = 0; word < norms.size(); ++word) {
            double sum = 0;
            float* row = weights.flat().data() + entry->offset + static_cast<size_t>(ids[word]) * size_t(width);
            for (int i = 0; i < width; ++i) {
                constexpr float h = 0.01F;
                const float was = row[i];
                row[i] = was + h;
                const double up = traceSentence(model, source, target).at("log_probs").values[place];
                row[i] = was - h;
                const double down = traceSentence(model, source, target).at("log_probs").values[place];
                row[i] = was;
                sum += std::pow((up - down) / (2 * h), 2);
            }
            QVERIFY2(std::abs(norms[word] - std::sqrt(sum)) < 0.03 * std::sqrt(sum) + 1e-4,
                     qPrintable(QString("word %1: %2, moved %3").arg(word).arg(norms[word]).arg(std::sqrt(sum))));
        }
    }

    void lengthsMustRise() {
        const Corpus corpus = sentences(2);
        for (const std::vector<int>& edges : {std::vector<int>{}, {0}, {5, 5}, {9, 3}})
            QVERIFY_EXCEPTION_THROWN(accuracyByLength(shippedTranslator(), corpus, edges), Error);
    }

    void aMutedHeadIsAHeadThatTheOutputProjectionDoesNotRead() {
        const Corpus corpus = sentences(30);
        const HeadAblation ablation = ablateHeads(shippedTranslator(), corpus);
        const ModelConfig& config = shippedTranslator().network->config();
        QCOMPARE(ablation.heads.size(), size_t(6 * config.numHeads));
        const int width = config.dModel / config.numHeads;
        for (const auto& [block, weight] :
             {std::pair("encoder.layers.0.self_attn", "transformer.encoder.layers.0.self_attn.out_proj.weight"),
              std::pair("decoder.layers.1.cross_attn", "transformer.decoder.layers.1.multihead_attn.out_proj.weight")})
            for (int head : {0, config.numHeads - 1}) {
                const auto worth = std::ranges::find_if(
                    ablation.heads, [&](const HeadWorth& w) { return w.head.block == block && w.head.head == head; });
                const Evaluation expected = evaluate(withoutHead(shippedTranslator(), weight, head, width), corpus);
                QVERIFY(std::abs(worth->evaluation.loss - expected.loss) < 1e-6);
                QCOMPARE(*worth->evaluation.bleu, *expected.bleu);
                QVERIFY(worth->evaluation.loss != ablation.whole.loss);
            }
    }

    void onOneTextAMutedHeadIsAHeadThatTheOutputProjectionDoesNotRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("block");
        QTest::addColumn<QString>("weight");
        QTest::newRow("vi-en-transformer") << "tôi đang học tiếng anh"
                                           << "decoder.layers.1.cross_attn"
                                           << "transformer.decoder.layers.1.multihead_attn.out_proj.weight";
        QTest::newRow("stories-transformer") << "the cat is"
                                             << "layers.0.self_attn"
                                             << "transformer.layers.0.self_attn.out_proj.weight";
    }
    void onOneTextAMutedHeadIsAHeadThatTheOutputProjectionDoesNotRead() {
        QFETCH(QString, text);
        QFETCH(QString, block);
        QFETCH(QString, weight);
        const TrainedModel model = loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") +
                                             QTest::currentDataTag() + ".safetensors");
        const std::string source = text.toStdString();
        const TextAblation found = ablateHeadsOnText(model, source);
        const ModelConfig& config = model.network->config();
        const bool translates = config.encoderDecoder();
        QCOMPARE(found.heads.size(), model.network->attentionBlocks().size() * size_t(config.numHeads));
        // The engine's own loss of the same words.
        Example example{model.source->encode(source), {}};
        if (translates) {
            example.target = model.target->encode(translate(model, {source}).front().best().text);
        } else {
            example.target = example.source;
            example.target.insert(example.target.begin(), config.eosId);
            example.source.clear();
        }
        const auto lossOf = [&](const TrainedModel& of) { return evaluateLoss(*of.network, {example}, 1).loss; };
        QVERIFY(std::abs(found.loss - lossOf(model)) < 1e-5);
        for (const int head : {0, config.numHeads - 1}) {
            const auto rise = std::ranges::find(found.heads, MutedHead{block.toStdString(), head}, &HeadRise::head);
            QVERIFY(rise != found.heads.end());
            const TrainedModel without =
                withoutHead(model, weight.toStdString(), head, config.dModel / config.numHeads);
            QVERIFY(std::abs(rise->rise - (lossOf(without) - lossOf(model))) < 1e-5);
            QVERIFY(rise->rise != 0);
        }
        size_t asked = 0;
        const TextAblation some = ablateHeadsOnText(model, source, {}, [&](double) { return ++asked < 4; });
        QCOMPARE(some.heads.size(), size_t(3));
    }

    void aHeadIsJudgedByAllRowsOfAllSentences() {
        const Corpus corpus = sentences(12);
        const HeadJudgement found = judgeHeads(shippedTranslator(), corpus);
        QCOMPARE(found.sentences, 12L);
        QCOMPARE(found.heads.size(), size_t(6 * 8));
        for (const JudgedHead& judged : found.heads) {
            HabitTally sum;
            for (const SentencePair& pair : corpus) {
                const Trace trace = traceSentence(shippedTranslator(), pair.source, pair.target);
                const TraceRecord& weights = trace.at(judged.head.block + ".weights");
                sum += HabitPlaces(trace, weights, pair.alignment).read(weights.head(judged.head.head));
            }
            const HeadFacts expected = sum.facts();
            QCOMPARE(judged.facts.habit, expected.habit);
            QCOMPARE(judged.facts.share, expected.share);
            QCOMPARE(judged.facts.entropy, expected.entropy);
        }
        QVERIFY(std::ranges::any_of(found.heads, [](const JudgedHead& judged) {
            return judged.facts.habit == HeadHabit::Alignment && judged.examples.size() == 3;
        }));
    }

    void theExamplesOfAHeadAreItsBestSentences() {
        const Corpus corpus = sentences(20);
        const HeadJudgement found = judgeHeads(shippedTranslator(), corpus);
        int checked = 0;
        for (const JudgedHead& judged : found.heads) {
            if (judged.facts.habit == HeadHabit::None) QVERIFY(judged.examples.empty());
            if (judged.facts.habit == HeadHabit::None || judged.facts.habit == HeadHabit::Broad) continue;
            std::vector<double> shares;
            for (const SentencePair& pair : corpus) {
                const Trace trace = traceSentence(shippedTranslator(), pair.source, pair.target);
                const TraceRecord& weights = trace.at(judged.head.block + ".weights");
                const auto tally = HabitPlaces(trace, weights, pair.alignment).read(weights.head(judged.head.head));
                shares.push_back(tally.habits[static_cast<size_t>(judged.facts.habit)].value());
            }
            std::ranges::sort(shares, std::greater());
            for (size_t i = 0; i < judged.examples.size(); ++i)
                QCOMPARE(judged.examples[i].share, shares[i]);
            const HeadExample& best = judged.examples.front();
            QVERIFY(best.row >= 0 && best.column >= 0 && !best.looks.empty() && !best.lookedAt.empty());
            ++checked;
        }
        QVERIFY(checked > 4);
    }

    void headsAreJudgedBySentencesThatTheModelReads() {
        Corpus corpus = sentences(3);
        for (int i = 0; i < 200; ++i)
            corpus[1].source += " tôi";
        QCOMPARE(judgeHeads(shippedTranslator(), corpus).skipped, 1L);
        QVERIFY_EXCEPTION_THROWN(judgeHeads(shippedTranslator(), {corpus[1]}), Error);
        const TrainedModel blind = loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-rnn.safetensors");
        QVERIFY_EXCEPTION_THROWN(judgeHeads(blind, corpus), Error);
        QVERIFY_EXCEPTION_THROWN(ablateHeadsOnText(blind, "tôi yêu bạn"), Error);
        QCOMPARE(
            judgeHeads(shippedTranslator(), sentences(9), FirstWord::Kept, [](double share) { return share < 0.3; })
                .sentences,
            3L);
    }

    void ablationEndsWhereItIsTold() {
        const HeadAblation ablation =
            ablateHeads(shippedTranslator(), sentences(5), {}, [](double share) { return share < 0.1; });
        QVERIFY(!ablation.heads.empty() && ablation.heads.size() < 8);
    }

    void theAlignmentErrorRateIsOchAndNeys() {
        QCOMPARE((AlignmentError{"", 0, 3, 2, 2}.rate()), 1 - 4.0 / 5);
        QCOMPARE((AlignmentError{"", 0, 3, 3, 3}.rate()), 0.0);
        QCOMPARE((AlignmentError{"", 0, 3, 2, 0}.rate()), 1.0);
    }

    void linksGoToTheHeaviestWeight() {
        // By hand from the trace of one sentence: i am learning english.
        const SentencePair pair{
            "tôi đang học tiếng anh", "i am learning english", {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 3}}};
        const std::vector<AlignmentError> errors = alignmentErrors(shippedTranslator(), {pair});
        const int heads = shippedTranslator().network->attentionHeads();
        QCOMPARE(errors.size(), size_t(2 * (heads + 1)));
        const Trace trace = traceSentence(shippedTranslator(), pair.source, pair.target);
        for (const AlignmentError& error : errors) {
            QCOMPARE(error.gold, 5L);
            QCOMPARE(error.proposed, 4L);
            if (error.head < 0) continue;
            const TraceRecord& weights = trace.at(error.block + ".weights");
            long common = 0;
            for (int target = 0; target < 4; ++target) {
                int best = 0;
                for (int source = 1; source < 5; ++source)
                    if (weights.head(error.head)[size_t(target * 5 + source)] >
                        weights.head(error.head)[size_t(target * 5 + best)])
                        best = source;
                common += best == target || (target == 3 && best == 4);
            }
            QCOMPARE(error.common, common);
        }
    }

    void whatHasNoGoldAlignmentIsRefused() {
        QVERIFY_EXCEPTION_THROWN(alignmentErrors(shippedTranslator(), {{"tôi yêu bạn", "i love you", {}}}), Error);
    }

    void variantsDifferInTheirSettingAlone() {
        CorpusSplits splits = findTask("copy").corpus();
        TrainingPlan plan{.config = {{"d_model", 16}, {"num_heads", 2}, {"d_ff", 32}},
                          .train = {.steps = 8, .batchSize = 16}};
        const TrainedModel first = trainVariant(plan, splits), again = trainVariant(plan, splits);
        QVERIFY(std::ranges::equal(first.network->parameters().flat(), again.network->parameters().flat()));
        plan.config["residuals"] = false;
        const TrainedModel without = trainVariant(plan, splits);
        QVERIFY(!std::ranges::equal(first.network->parameters().flat(), without.network->parameters().flat()));
        QVERIFY(traceSentence(first, "a b c").find("encoder.layers.0.residual1"));
        QVERIFY(!traceSentence(without, "a b c").find("encoder.layers.0.residual1"));
        int steps = 0;
        trainVariant(plan, splits, [&](const StepReport&) { return ++steps < 3; });
        QCOMPARE(steps, 3);
    }

    void scoresThatAreNotScaledAreLarger() {
        TrainedModel model = shippedTranslator();
        nlohmann::json config = model.network->config().toJson();
        config["scale_scores"] = false;
        model.network = Model::make(ModelConfig::fromJson(config));
        std::ranges::copy(std::as_const(*shippedTranslator().network).parameters().flat(),
                          model.network->parameters().flat().begin());
        const std::string name = "encoder.layers.0.self_attn.scores";
        const TraceRecord scaled = traceSentence(shippedTranslator(), "tôi yêu bạn").at(name);
        const TraceRecord raw = traceSentence(model, "tôi yêu bạn").at(name);
        const float root = std::sqrt(
            float(shippedTranslator().network->config().dModel / shippedTranslator().network->attentionHeads()));
        for (size_t i = 0; i < raw.values.size(); ++i)
            QVERIFY(std::abs(raw.values[i] - scaled.values[i] * root) < 1e-4f);
    }
};

QTEST_APPLESS_MAIN(TestExperiments)
#include "test_experiments.moc"

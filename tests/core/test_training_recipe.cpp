// SPDX-License-Identifier: GPL-3.0-or-later
// What repeats a run: the settings that it is told, and the learning rate as it was turned meanwhile.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/data/training_recipe.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

const nlohmann::json tiny = {
    {"d_model", 16}, {"num_heads", 2}, {"d_ff", 32}, {"num_encoder_layers", 1}, {"num_decoder_layers", 1}};

nlohmann::json tinyRecurrent(std::string_view attention) {
    return {{"architecture", "rnn"},
            {"cell", "gru"},
            {"embedding_size", 12},
            {"hidden_size", 16},
            {"attention", attention}};
}

Corpus someCorpus() {
    Corpus corpus;
    for (const char* text : {"a b c", "b c a", "c a b", "a c b", "b a c", "c b a"})
        corpus.push_back({text, text});
    return corpus;
}

/// A model and its trainer.
struct Training {
    explicit Training(const TrainOptions& options, const nlohmann::json& config = tiny)
        : model(newModel(config, {}, someCorpus(), options.seed)),
          pairs(encode(someCorpus(), model, Purpose::Training).pairs),
          trainer(*model.network, pairs, options) {}

    std::vector<float> weights() const {
        const auto flat = std::as_const(*model.network).parameters().flat();
        return {flat.begin(), flat.end()};
    }

    TrainedModel model;
    std::vector<Example> pairs;
    Trainer trainer;
};

TrainOptions shortRun() {
    return {.steps = 12, .batchSize = 4, .warmupSteps = 3, .threads = 1};
}

std::string refusal(std::string_view text) {
    try {
        parseRateChanges(text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestTrainingRecipe : public QObject {
    Q_OBJECT
private slots:
    void fromAStepOnTheRateIsThePlansTimesTheFactor() {
        Schedule schedule{.kind = ScheduleKind::Constant, .learningRate = 0.1, .warmupSteps = 0};
        schedule.changes = {{3, 0.5}, {5, 4}};
        QCOMPARE(schedule.at(2), 0.1);
        QCOMPARE(schedule.at(3), 0.05);
        QCOMPARE(schedule.at(4), 0.05);
        QCOMPARE(schedule.at(5), 0.4);
        QCOMPARE(schedule.at(500), 0.4);
        QCOMPARE(schedule.planned(5), 0.1);
    }

    void changesOfTheRateAreWrittenAsTheyAreRead() {
        const std::vector<RateChange> changes{{1, 0.1}, {200, 0.35355339059327373}, {400, 4}};
        QVERIFY(parseRateChanges(textOf(changes)) == changes);
        QCOMPARE(textOf(parseRateChanges("200:0.5,400:2")), std::string("200:0.5,400:2"));
        QVERIFY(parseRateChanges("").empty());
        for (const char* wrong : {"200", "200:", ":2", "200:x", "200:0", "200:-1", "200:nan", "0:2", "-4:2",
                                  "200:2,100:2", "200:2,200:4", "200:0.5;400:2", ",", "200:1e400"}) {
            const std::string told = refusal(wrong);
            QVERIFY2(told.starts_with("rate-changes"), wrong);
        }
    }

    void aRateTurnedLiveGivesTheRunThatWasToldOfItBefore() {
        Training live(shortRun());
        for (int step = 1; step <= 4; ++step)
            live.trainer.step();
        live.trainer.setRateChanges({{5, 0.25}});
        for (int step = 5; step <= 8; ++step)
            live.trainer.step();
        live.trainer.setRateChanges({{5, 0.25}, {9, 2}});
        double last = 0;
        for (int step = 9; step <= 12; ++step)
            last = live.trainer.step().learningRate;
        QVERIFY(last == live.trainer.schedule().planned(12) * 2);

        TrainOptions options = shortRun();
        options.rateChanges = {{5, 0.25}, {9, 2}};
        Training told(options), unchanged(shortRun());
        for (int step = 1; step <= 12; ++step) {
            told.trainer.step();
            unchanged.trainer.step();
        }
        QVERIFY(live.weights() == told.weights());
        QVERIFY(live.weights() != unchanged.weights());
    }

    void forksAreWrittenAsTheyAreRead() {
        const std::vector<OrderChange> order{{5, 7}, {9, 18446744073709551615u}};
        const std::vector<MuteChange> muted{{5, "encoder.layers.0.self_attn.1"}, {5, "decoder.layers.0.cross_attn.0"}};
        QVERIFY(parseOrderChanges(textOf(order)) == order);
        QVERIFY(parseMuteChanges(textOf(muted)) == muted);
        QVERIFY(parseOrderChanges("").empty() && parseMuteChanges("").empty());
        for (const char* wrong : {"5", "5:", ":7", "5:x", "5:-1", "0:7", "9:1,5:1", "5:1,5:2", ","})
            QVERIFY_THROWS_EXCEPTION(Error, parseOrderChanges(wrong));
        for (const char* wrong : {"5", "5:", ":a.0", "0:a.0", "5:head", "9:a.0,5:a.0", "5:a:0", ","})
            QVERIFY_THROWS_EXCEPTION(Error, parseMuteChanges(wrong));
        TrainingRecipe recipe;
        recipe.data.files.task = "vi-en";
        recipe.options = shortRun();
        recipe.options.forks = {order, muted};
        QVERIFY(recipeOf(settingsOf(recipe)).options.forks == recipe.options.forks);
        TrainOptions options = shortRun();
        for (const char* head : {"encoder.layers.0.self_attn.2", "encoder.layers.4.self_attn.0",
                                 "encoder.layers.0.self_attn.x", "encoder.layers.0.linear1.0", "decoder.attention.0"}) {
            options.forks.muted = {{3, head}};
            QVERIFY_THROWS_EXCEPTION(Error, Training{options});
        }
        for (const char* head : {"decoder.attention.1", "decoder.attention.x", "decoder.attentional.0"}) {
            options.forks.muted = {{3, head}};
            QVERIFY_THROWS_EXCEPTION(Error, (Training{options, tinyRecurrent("dot")}));
        }
        options.forks.muted = {{3, "decoder.attention.0"}};
        QVERIFY_THROWS_EXCEPTION(Error, (Training{options, tinyRecurrent("none")}));
    }

    /// Up to its step a fork is the run that it leaves.
    void anotherOrderBeginsWithItsStep() {
        TrainOptions options = shortRun();
        options.forks.order = {{5, 77}};
        Training fork(options), plan(shortRun());
        for (int step = 1; step <= 4; ++step)
            QCOMPARE(fork.trainer.step().loss, plan.trainer.step().loss);
        QVERIFY(fork.weights() == plan.weights());
        for (int step = 5; step <= 8; ++step) {
            fork.trainer.step();
            plan.trainer.step();
        }
        QVERIFY(fork.weights() != plan.weights());
        // Of the sentences the order alone is another: a run with that seed from the first step on begins otherwise.
        TrainOptions all = shortRun();
        all.forks.order = {{1, 77}};
        Training first(all);
        first.trainer.step();
        Training other(shortRun());
        other.trainer.step();
        QVERIFY(first.weights() != other.weights());
    }

    void aMutedHeadIsSilentFromItsStepOnAndLearnsNothing_data() {
        QTest::addColumn<nlohmann::json>("config");
        QTest::addColumn<std::string>("block");
        QTest::addColumn<int>("head");
        QTest::newRow("of a Transformer") << tiny << std::string("decoder.layers.0.cross_attn") << 1;
        for (const char* attention : {"dot", "scaled_dot", "general", "additive"})
            QTest::addRow("of a recurrent decoder, %s", attention)
                << tinyRecurrent(attention) << std::string("decoder.attention") << 0;
    }
    void aMutedHeadIsSilentFromItsStepOnAndLearnsNothing() {
        QFETCH(nlohmann::json, config);
        QFETCH(std::string, block);
        QFETCH(int, head);
        TrainOptions options = shortRun();
        options.forks.muted = {{5, block + "." + std::to_string(head)}};
        Training fork(options, config), plan(shortRun(), config);
        for (int step = 1; step <= 4; ++step) {
            fork.trainer.step();
            plan.trainer.step();
        }
        QVERIFY(fork.weights() == plan.weights());
        for (int step = 5; step <= 12; ++step) {
            fork.trainer.step();
            plan.trainer.step();
        }
        QVERIFY(fork.weights() != plan.weights());
        // As it is, and with the head off, it reads the same; the run that was not forked does not.
        const auto logProbs = [&](const Training& run, bool isOff) {
            const std::vector<MutedHead> off = isOff ? std::vector<MutedHead>{{block, head}} : std::vector<MutedHead>{};
            return traceSentence(run.model, "a b c", "c a b", off).at("log_probs").values;
        };
        QCOMPARE(logProbs(fork, false), logProbs(fork, true));
        QVERIFY(logProbs(plan, false) != logProbs(plan, true));
        // Resumed from a checkpoint it is the same run.
        Training again(options, config), resumed(options, config);
        for (int step = 1; step <= 7; ++step)
            again.trainer.step();
        saveCheckpoint(again.model, again.trainer, path("fork"));
        resumeFromCheckpoint(resumed.model, resumed.trainer, path("fork"));
        for (int step = 8; step <= 12; ++step)
            resumed.trainer.step();
        QVERIFY(resumed.weights() == fork.weights());
        Training without(shortRun(), config);
        QVERIFY_EXCEPTION_THROWN(resumeFromCheckpoint(without.model, without.trainer, path("fork")), Error);
    }

    void aCheckpointBringsModelAndTrainerBack() {
        TrainOptions options = shortRun();
        options.rateChanges = {{3, 0.5}};
        Training whole(options);
        for (int step = 1; step <= 6; ++step)
            whole.trainer.step();
        saveCheckpoint(whole.model, options, whole.trainer.state(), path("kept"));
        const Checkpoint kept = loadCheckpoint(path("kept"));
        QCOMPARE(kept.trainer.step, 6L);

        Training resumed(options);
        std::ranges::copy(std::as_const(*kept.model.network).parameters().flat(),
                          resumed.model.network->parameters().flat().begin());
        resumed.trainer.restore(kept.trainer);
        for (int step = 7; step <= 12; ++step) {
            whole.trainer.step();
            resumed.trainer.step();
        }
        QVERIFY(whole.weights() == resumed.weights());
        QVERIFY_EXCEPTION_THROWN(loadCheckpoint(path("nothing")), Error);
        saveModel(whole.model, path("model"));
        QVERIFY_EXCEPTION_THROWN(loadCheckpoint(path("model")), Error);
    }

    void aRunResumesOnlyWithTheRatesThatItWasTrainedWith() {
        TrainOptions options = shortRun();
        options.rateChanges = {{3, 0.5}};
        Training first(options);
        for (int step = 1; step <= 4; ++step)
            first.trainer.step();
        saveCheckpoint(first.model, first.trainer, path("kept"));
        Training without(shortRun());
        QVERIFY_EXCEPTION_THROWN(resumeFromCheckpoint(without.model, without.trainer, path("kept")), Error);
        options.rateChanges.push_back({9, 4});  // of a step that is still to come
        Training later(options);
        resumeFromCheckpoint(later.model, later.trainer, path("kept"));
        QCOMPARE(later.trainer.stepsDone(), 4L);
    }

    void aRecipeIsReadAsItWasWritten() {
        TrainingRecipe recipe;
        recipe.data = {{.sourceFile = "/data/a b.vi", .targetFile = "/data/a b.en"},
                       {.kind = TokenizerOptions::Kind::Bpe, .merges = 300, .lowercase = true}};
        recipe.data.validation = {.sourceFile = "/data/v.vi", .targetFile = "/data/v.en"};
        recipe.data.test.pairs = "/data/t.tsv";
        recipe.config = ModelConfig::fromJson({{"architecture", "rnn"},
                                               {"cell", "gru"},
                                               {"attention", "additive"},
                                               {"hidden_size", 48},
                                               {"dropout", 0.15},
                                               {"source_vocab_size", 4000}});
        recipe.options = {.steps = 700, .seed = 9, .batchSize = 32, .learningRate = 0.1 / 3, .warmupSteps = 17};
        recipe.options.rateChanges = {{200, 0.5}};
        recipe.options.teacherForcingEnd = 0.25;
        recipe.options.optimizer = OptimizerKind::Sgd;
        recipe.keep = {.patience = 4, .validateEvery = 25};
        recipe.stopAfter = 300;
        writeSettings(path("m.train.yaml"), settingsOf(recipe), "again");
        const TrainingRecipe again = recipeOf(readSettings(path("m.train.yaml")));
        QVERIFY(again.data == recipe.data);
        QVERIFY(again.config == recipe.config);
        QVERIFY(again.options == recipe.options);
        QVERIFY(again.keep == recipe.keep);
        QCOMPARE(again.stopAfter, 300L);
    }

    void whatNoRecipeCanRepeatIsRefused() {
        for (const Setting& wrong : {Setting{"steps", "many"}, Setting{"schedule", "linear"}, Setting{"d_modell", "8"},
                                     Setting{"patience", "-3"}, Setting{"average", "0"}, Setting{"batch_size", "0"},
                                     Setting{"source_embeddings", "v.txt"}})
            QVERIFY_EXCEPTION_THROWN(recipeOf({{"task", "copy"}, wrong}), Error);
        QVERIFY_EXCEPTION_THROWN(recipeOf({{"task", "copy"}, {"patience", "3"}, {"average", "3"}}), Error);
        QVERIFY(recipeOf({{"task", "copy"}, {"out", "m"}, {"json", "true"}}).data.files.task == "copy");
        // Validations that choose no weights change nothing.
        QVERIFY(recipeOf({{"task", "copy"}, {"validate_every", "7"}}).keep == KeepOptions());
    }

    void filesForTheTestJudgeTheModelThatIsWritten() {
        const CorpusSplits splits = TrainingData{.files = {.task = "copy"}}.splits(1);
        const auto write = [&](const char* name, const Corpus& corpus, size_t count) {
            QByteArray lines;
            for (size_t i = 0; i < count; ++i)
                lines += QByteArray::fromStdString(corpus[i].source + "\t" + corpus[i].target + "\n");
            QFile file(QString::fromStdString(path(name)));
            [[maybe_unused]] const bool isOpen = file.open(QIODevice::WriteOnly);
            file.write(lines);
            return file.fileName();
        };
        QProcess process;
        process.start(
            QStringLiteral(HEADLIGHT_CLI),
            {"train", "--pairs", write("train.tsv", splits.train, 300), "--validation-pairs",
             write("v.tsv", splits.validation, 40), "--test-pairs", write("t.tsv", splits.test, 50), "--steps", "8",
             "--d-model", "16", "--num-heads", "2", "--json", "--out", m_folder.filePath("j.safetensors")});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        const QByteArray told = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const TrainedModel written = loadModel(path("j.safetensors"));
        const Evaluation judged = evaluate(written, CorpusFiles{.pairs = path("t.tsv")}.read());
        QCOMPARE(written.training.json().at("test_loss").get<double>(), judged.loss);
        QCOMPARE(written.training.json().at("test_bleu").get<double>(), *judged.bleu);
        QCOMPARE(written.training.json().at("training_pairs").get<int>(), 300);
        QVERIFY(told.contains("\"test_loss\""));
    }

    void theCommandLineTrainsWhatARecipeSays() {
        TrainingRecipe recipe;
        recipe.data.files.task = "copy";
        recipe.config = ModelConfig::fromJson(tiny);
        recipe.options = {.steps = 30, .seed = 3, .batchSize = 8, .threads = 1};
        recipe.options.rateChanges = {{4, 0.5}, {8, 3}};
        recipe.stopAfter = 12;
        std::vector<Setting> settings = settingsOf(recipe);
        settings.push_back({"out", path("m.safetensors")});
        writeSettings(path("again.yaml"), settings, "again");
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_CLI),
                      {"train", "--config", QString::fromStdString(path("again.yaml")), "--validate-every", "0"});
        QVERIFY(process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());

        const CorpusSplits splits = recipe.data.splits(recipe.options.seed);
        TrainedModel model = newModel(recipe.config.toJson(), recipe.data.tokenizer, splits.train, 3);
        const EncodedCorpus corpus = encode(splits.train, model, Purpose::Training);
        Trainer trainer(*model.network, corpus.pairs, recipe.options);
        for (int step = 1; step <= 12; ++step)
            trainer.step();
        const TrainedModel written = loadModel(path("m.safetensors"));
        QVERIFY(std::ranges::equal(std::as_const(*written.network).parameters().flat(),
                                   std::as_const(*model.network).parameters().flat()));
        QCOMPARE(written.training.steps(), std::optional<long>(12));
        QVERIFY(written.training.json().at("planned_steps") == 30);
        QVERIFY(written.training.json().at("rate_changes") == "4:0.5,8:3");
    }

private:
    std::string path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestTrainingRecipe)
#include "test_training_recipe.moc"

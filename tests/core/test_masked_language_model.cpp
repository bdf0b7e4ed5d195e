// SPDX-License-Identifier: GPL-3.0-or-later
// A model that fills in words: what it learns from, what it is asked, and that it learns it. Its numbers against
// PyTorch's: test_golden.cpp.
#include <QTest>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/data/evaluation.h"
#include "core/data/new_model.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/models/masked_language_model.h"
#include "core/nn/context.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

/// "a likes a": whoever sees one side knows the other.
Corpus mirroredCorpus() {
    Corpus corpus;
    for (int round = 0; round < 12; ++round)
        for (const char* name : {"ann", "bob", "cat", "dan", "eve", "fay"})
            corpus.push_back({"", std::string(name) + " likes " + name});
    return corpus;
}

nlohmann::json maskedConfig() {
    return {{"architecture", "masked-language-model"},
            {"d_model", 32},
            {"num_heads", 2},
            {"d_ff", 64},
            {"num_layers", 1},
            {"max_length", 4},  // a sentence and its <eos>: no window shows a neighbour
            {"dropout", 0.0},
            {"positional_encoding", "learned"}};
}

TrainedModel goldenBert() {
    return loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/kind_bert.safetensors");
}

}  // namespace

class TestMaskedLanguageModel : public QObject {
    Q_OBJECT
private slots:
    void aNewOneHasAMaskInItsVocabulary();
    void windowsFitItsPositions();
    void fifteenInAHundredWordsAreAskedForAndNoSpecialOnes();
    void theSameSeedAsksForTheSameWords();
    void itLearnsToFillInWords();
    void everyWordSeesThoseBehindIt();
    void othersRefuseToFillIn();
};

void TestMaskedLanguageModel::aNewOneHasAMaskInItsVocabulary() {
    const TrainedModel model = newModel(maskedConfig(), {}, mirroredCorpus(), 1);
    const ModelConfig& config = model.network->config();
    QCOMPARE(config.maskId, model.source->vocabulary().size() - 1);
    QCOMPARE(model.source->vocabulary().token(config.maskId), std::string("<mask>"));
    QCOMPARE(config.sourceVocabSize, 4 + 7 + 1);
    nlohmann::json few = maskedConfig();
    few["target_vocab_size"] = 8;
    QCOMPARE(newModel(few, {}, mirroredCorpus(), 1).source->vocabulary().size(), 8);
    few["target_vocab_size"] = 5;
    QVERIFY_EXCEPTION_THROWN(newModel(few, {}, mirroredCorpus(), 1), Error);
}

void TestMaskedLanguageModel::windowsFitItsPositions() {
    const TrainedModel model = newModel(maskedConfig(), {}, mirroredCorpus(), 1);
    for (const Purpose purpose : {Purpose::Training, Purpose::Evaluation})
        for (const Example& example : encode(mirroredCorpus(), model, purpose).pairs)
            QVERIFY(example.target.size() >= 2 && example.target.size() <= 4);
}

void TestMaskedLanguageModel::fifteenInAHundredWordsAreAskedForAndNoSpecialOnes() {
    const TrainedModel model = goldenBert();
    const Model& network = *model.network;
    const auto asked = [&](std::vector<int> words) { return network.targetTokens({{}, std::move(words)}); };
    QCOMPARE(asked(std::vector<int>(100, 5)), 15L);
    QCOMPARE(asked({4, 5, 6}), 1L);
    std::vector<int> mixed(20, 5);
    mixed.insert(mixed.end(), 80, network.config().eosId);
    mixed.insert(mixed.end(), 80, network.config().separatorId);
    QCOMPARE(asked(mixed), 3L);
    QCOMPARE(asked({2, 2}), 1L);  // nothing but special tokens: something must be asked
}

void TestMaskedLanguageModel::theSameSeedAsksForTheSameWords() {
    const TrainedModel model = goldenBert();
    const Example example{{}, {4, 5, 6, 7, 8, 9, 10, 4, 5, 6, 7, 8}};
    const Example* const examples[] = {&example};
    const auto loss = [&](uint64_t seed) {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, std::as_const(*model.network).parameters());
        context.seed = seed;
        return model.network->loss(context, examples, {}).plain;
    };
    QCOMPARE(loss(3), loss(3));
    QVERIFY(loss(3) != loss(4));
}

void TestMaskedLanguageModel::itLearnsToFillInWords() {
    const Corpus corpus = mirroredCorpus();
    TrainedModel model = newModel(maskedConfig(), {}, corpus, 1);
    const EncodedCorpus encoded = encode(corpus, model, Purpose::Training);
    const double before = evaluate(model, corpus, {}).loss;
    Trainer trainer(*model.network, encoded.pairs, {.steps = 3000, .seed = 1, .batchSize = 32, .threads = 1});
    while (trainer.stepsDone() < 3000)
        trainer.step();
    const double after = evaluate(model, corpus, {}).loss;
    QVERIFY2(after < before / 2, qPrintable(QString("%1, and before %2").arg(after).arg(before)));
    for (const char* name : {"ann", "dan", "fay"}) {
        const std::string who = name;
        QCOMPARE(respond(model, who + " <mask> " + who).tokens, std::vector<std::string>{"likes"});
        QCOMPARE(respond(model, who + " likes <mask>").text, who + " likes " + who);
        QCOMPARE(respond(model, "<mask> likes " + who).text, who + " likes " + who);
    }
    QCOMPARE(respond(model, "ann likes ann").tokens, std::vector<std::string>{});
}

void TestMaskedLanguageModel::everyWordSeesThoseBehindIt() {
    const TrainedModel model = goldenBert();
    const Trace trace = traceSentence(model, "w4 w9 w5");
    QCOMPARE(trace.sourceTokens, (std::vector<std::string>{"w4", "w9", "w5"}));  // nothing put before it
    const TraceRecord& weights = trace.at("layers.0.self_attn.weights");
    for (const float weight : weights.values)
        QVERIFY(weight > 0);
    QCOMPARE(trace.at("logits").shape, (std::vector<int>{3, 13}));
    // Words behind a separator are of another kind.
    QCOMPARE(traceSentence(model, "w4 w11 w5 w11 w6").at("token_type_ids").values, (std::vector<float>{0, 0, 1, 1, 1}));
}

void TestMaskedLanguageModel::othersRefuseToFillIn() {
    QVERIFY_EXCEPTION_THROWN(
        loadModel(HEADLIGHT_SOURCE_DIR "/tests/golden/language_model.safetensors").maskedLanguageModel(), Error);
    QVERIFY_EXCEPTION_THROWN(goldenBert().languageModel(), Error);
}

QTEST_APPLESS_MAIN(TestMaskedLanguageModel)
#include "test_masked_language_model.moc"

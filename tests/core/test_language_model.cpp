// SPDX-License-Identifier: GPL-3.0-or-later
// Language models: windows over a text, one word at a time as all at once, and how the next word is drawn.
#include <QTest>
#include <cmath>
#include <map>

#include "core/data/text_windows.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/models/language_model.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

std::vector<int> candidateWords(const std::vector<Candidate>& candidates) {
    std::vector<int> words;
    for (const Candidate& candidate : candidates)
        words.push_back(candidate.word);
    return words;
}

}  // namespace

class TestLanguageModel : public QObject {
    Q_OBJECT
private slots:
    void windowsPredictEveryWordOnce();
    void windowsOverlapInTraining();
    void wordByWordIsAsAllAtOnce_data() { models(); }
    void wordByWordIsAsAllAtOnce();
    void greedyTakesTheLikeliestWord_data() { models(); }
    void greedyTakesTheLikeliestWord();
    void textLongerThanTheModelGoesOn_data() { models(); }
    void textLongerThanTheModelGoesOn();
    void temperatureTopKAndTopPLeaveWhatTheyShould();
    void wordsAreDrawnAsOftenAsTheyAreLikely();
    void whatIsNeverWrittenHasNoPlaceAmongTheCandidates();
    void aTextThatStandsByItselfIsReadWithoutAnEndBeforeIt();
    void valuesOutOfRangeAreRefused();

private:
    static void models() {
        QTest::addColumn<QString>("name");
        QTest::newRow("transformer") << QString("language_model");
        QTest::newRow("recurrent") << QString("rnn_language_model");
        QTest::newRow("GPT-2's shape") << QString("kind_gpt2");
        QTest::newRow("Llama's shape") << QString("kind_llama");
        QTest::newRow("Gemma's shape") << QString("kind_gemma");
        QTest::newRow("GPT-NeoX's shape") << QString("kind_neox");
        QTest::newRow("Phi's shape") << QString("kind_phi");
    }
};

void TestLanguageModel::windowsPredictEveryWordOnce() {
    std::vector<int> text;
    for (int i = 0; i < 23; ++i)
        text.push_back(100 + i);
    const auto windowsOf = [](const std::vector<int>& ids, int length, int stride) {
        TextWindows windows(length, stride);
        windows.add(ids);
        return windows.take();
    };
    std::vector<int> predicted;
    for (const Example& window : windowsOf(text, 5, 5)) {
        QVERIFY(window.source.empty() && window.target.size() >= 2 && window.target.size() <= 6);
        predicted.insert(predicted.end(), window.target.begin() + 1, window.target.end());
    }
    QCOMPARE(predicted, std::vector<int>(text.begin() + 1, text.end()));
    QVERIFY(windowsOf({7}, 5, 5).empty());
    QCOMPARE(windowsOf({1, 2, 3, 4, 5, 6}, 5, 5).size(), size_t{1});
}

void TestLanguageModel::windowsOverlapInTraining() {
    TextWindows text(4, 2);
    text.add(std::vector<int>{1, 2, 3, 4, 5, 6});
    const std::vector<Example> windows = text.take();
    QCOMPARE(windows.size(), size_t{2});
    QCOMPARE(windows[0].target, (std::vector<int>{1, 2, 3, 4, 5}));
    QCOMPARE(windows[1].target, (std::vector<int>{3, 4, 5, 6}));
}

void TestLanguageModel::wordByWordIsAsAllAtOnce() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    const LanguageModel& network = model.languageModel();
    const std::vector<int> text{2, 4, 9, 12, 5, 8};
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, network.parameters());
    const Tensor<float> whole = network.forward(context, TokenBatch::pad(std::span(&text, 1), 0)).variable.value;
    const auto state = network.begin(context, 6);
    for (size_t t = 0; t < text.size(); ++t) {
        const Tensor<float> step = network.step(context, text[t], *state);
        for (int i = 0; i < step.cols(); ++i)
            QVERIFY(std::abs(step.at(0, i) - whole.at(static_cast<int>(t), i)) < 1e-5f);
    }
}

void TestLanguageModel::greedyTakesTheLikeliestWord() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    const LanguageModel& network = model.languageModel();
    const std::vector<int> prompt{4, 9};
    const GeneratedText text = generate(network, prompt, 4, {.temperature = 0});
    QVERIFY(!text.words.empty());
    std::vector<int> history;
    if (network.config().startsAtEnd) history.push_back(2);
    for (const int word : prompt)
        history.push_back(word);
    for (size_t i = 0; i < text.words.size(); ++i) {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, network.parameters());
        const Tensor<float> logits =
            network.forward(context, TokenBatch::pad(std::span(&history, 1), 0)).variable.value;
        const float* row = logits.row(static_cast<int>(history.size()) - 1);
        const int word = text.words[i];
        double sum = 0;
        for (int j = 0; j < logits.cols(); ++j) {
            if (j > 1) QVERIFY(row[j] <= row[word]);  // <pad> and <bos> are never written
            sum += std::exp(static_cast<double>(row[j]));
        }
        QVERIFY(std::abs(text.logProbs[i] - (static_cast<double>(row[word]) - std::log(sum))) < 1e-5);
        history.push_back(word);
    }
}

void TestLanguageModel::textLongerThanTheModelGoesOn() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);  // it reads 12 words
    for (uint64_t seed = 1; seed < 20; ++seed) {
        const GeneratedText text = generate(model.languageModel(), std::vector<int>{4}, 40, {.seed = seed});
        QVERIFY(text.finished || text.words.size() == 40);
        QCOMPARE(generate(model.languageModel(), std::vector<int>{4}, 40, {.seed = seed}).words, text.words);
    }
    QVERIFY_EXCEPTION_THROWN(generate(model.languageModel(), std::vector<int>(12, 4), 5, {}), Error);
}

void TestLanguageModel::temperatureTopKAndTopPLeaveWhatTheyShould() {
    // Probabilities 0.5, 0.25, 0.125, 0.125.
    const std::vector<float> logits{std::log(2.0f), std::log(4.0f), 0, 0};
    const std::vector<Candidate> all = candidates(logits, {});
    QCOMPARE(candidateWords(all), (std::vector<int>{1, 0, 2, 3}));
    QVERIFY(std::abs(all[0].probability - 0.5) < 1e-6 && std::abs(all[3].probability - 0.125) < 1e-6);
    QCOMPARE(candidateWords(candidates(logits, {.temperature = 0})), std::vector<int>{1});
    const std::vector<Candidate> two = candidates(logits, {.topK = 2});
    QVERIFY(two.size() == 2 && std::abs(two[0].probability - 2.0 / 3) < 1e-6);
    QCOMPARE(candidates(logits, {.topP = 0.5}).size(), size_t{1});
    QCOMPARE(candidates(logits, {.topP = 0.6}).size(), size_t{2});
    QCOMPARE(candidates(logits, {.topP = 1}).size(), size_t{4});
    // At temperature 2 the ratio of 4 to 1 becomes 2 to 1.
    const std::vector<Candidate> warm = candidates(logits, {.temperature = 2});
    QVERIFY(std::abs(warm[0].probability / warm[2].probability - 2) < 1e-6);
    const int never[] = {1};
    QCOMPARE(candidateWords(candidates(logits, {}, never)), (std::vector<int>{0, 2, 3}));
}

void TestLanguageModel::wordsAreDrawnAsOftenAsTheyAreLikely() {
    const TrainedModel model = fixture::loadGolden("rnn_language_model");
    std::map<int, int> drawn;
    constexpr int draws = 4000;
    std::map<int, double> logProbs;
    for (int i = 0; i < draws; ++i) {
        const GeneratedText text =
            generate(model.languageModel(), std::vector<int>{4}, 1, {.seed = static_cast<uint64_t>(i)});
        ++drawn[text.words[0]];
        logProbs[text.words[0]] = text.logProbs[0];
    }
    double known = 0;
    for (const auto& [word, logProb] : logProbs)
        known += std::exp(logProb);
    for (const auto& [word, count] : drawn) {
        const double expected = draws * std::exp(logProbs[word]) / known;
        QVERIFY2(std::abs(count - expected) < 5 * std::sqrt(expected) + 1, qPrintable(QString::number(word)));
    }
}

void TestLanguageModel::whatIsNeverWrittenHasNoPlaceAmongTheCandidates() {
    ModelConfig config;
    QCOMPARE(neverWritten(config), (std::vector<int>{0, 1}));
    config.forbiddenIds = {7};
    config.padId = config.bosId = config.eosId = 5;  // as GPT-2 has it: its texts could not end otherwise
    QCOMPARE(neverWritten(config), std::vector<int>{7});
}

void TestLanguageModel::aTextThatStandsByItselfIsReadWithoutAnEndBeforeIt() {
    const TrainedModel model = fixture::loadGolden("kind_gpt2");
    const auto firstWord = [&](const std::vector<int>& read) {
        Arena arena;
        Tape<float> tape(arena, Tape<float>::Mode::Inference);
        ForwardContext context(tape, model.network->parameters());
        const Tensor<float> logits =
            model.languageModel().forward(context, TokenBatch::pad(std::span(&read, 1), 0)).variable.value;
        const float* row = logits.row(logits.rows() - 1);
        return static_cast<int>(std::max_element(row + 2, row + logits.cols()) - row);
    };
    const auto written = [&](const std::vector<int>& prompt) {
        return generate(model.languageModel(), prompt, 1, {.temperature = 0}).words.front();
    };
    for (int word = 3; word < 13; ++word)
        QCOMPARE(written({word}), firstWord({word}));
    QCOMPARE(written({}), firstWord({1}));  // nothing to read: <bos>
}

void TestLanguageModel::valuesOutOfRangeAreRefused() {
    for (const SamplingOptions& options :
         {SamplingOptions{.temperature = -1}, SamplingOptions{.topK = -1}, SamplingOptions{.topP = 0},
          SamplingOptions{.topP = 1.5}, SamplingOptions{.temperature = std::nan("")}})
        QVERIFY_EXCEPTION_THROWN(options.validate(), Error);
}

QTEST_GUILESS_MAIN(TestLanguageModel)
#include "test_language_model.moc"

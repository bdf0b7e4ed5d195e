// SPDX-License-Identifier: GPL-3.0-or-later
// Beam search: against a search of everything, against itself one sentence at a time, and its record against its
// result.
#include <QTest>
#include <cmath>
#include <functional>
#include <set>

#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/models/seq2seq.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

const std::vector<std::vector<int>> sources{{4, 9, 12, 5}, {7, 4, 4, 11, 6, 8}, {10, 6}, {5}, {9, 9, 9}};

/// log P of every word after a history.
std::vector<double> nextWords(const Seq2Seq& model, const std::vector<int>& source, std::vector<int> history) {
    history.insert(history.begin(), model.config().decoderStart());
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Inference);
    ForwardContext context(tape, model.parameters());
    const Tensor<float> logits =
        model.forward(context, TokenBatch::pad(std::span(&source, 1), 0), TokenBatch::pad(std::span(&history, 1), 0))
            .variable.value;
    const float* row = logits.row(logits.rows() - 1);
    double sum = 0;
    for (int i = 0; i < logits.cols(); ++i)
        sum += std::exp(static_cast<double>(row[i]));
    std::vector<double> result;
    for (int i = 0; i < logits.cols(); ++i)
        result.push_back(static_cast<double>(row[i]) - std::log(sum));
    return result;
}

/// The best finished translation of at most `limit` tokens, of all there are.
void searchEverything(const Seq2Seq& model, const std::vector<int>& source, const LengthPenalty& penalty, int limit,
                      std::vector<int>& words, double logProb, std::pair<double, std::vector<int>>& best) {
    const std::vector<double> next = nextWords(model, source, words);
    for (size_t word = 0; word < next.size(); ++word) {
        words.push_back(static_cast<int>(word));
        const double total = logProb + next[word];
        const int length = static_cast<int>(words.size());
        if (word == 2) {
            const double score = penalty.score(total, length);
            if (score > best.first) best = {score, words};
        } else if (length < limit) {
            searchEverything(model, source, penalty, limit, words, total, best);
        }
        words.pop_back();
    }
}

bool same(const Hypothesis& a, const Hypothesis& b) {
    return a.tokens == b.tokens && a.logProb == b.logProb && a.tokenLogProbs == b.tokenLogProbs && a.score == b.score &&
           a.finished == b.finished;
}

}  // namespace

class TestBeamSearch : public QObject {
    Q_OBJECT
private slots:
    void wideEnoughItFindsTheBestOfAll_data();
    void wideEnoughItFindsTheBestOfAll();
    void greedyIsABeamOfOne();
    void batchIsAsOneByOne_data() { models(); }
    void batchIsAsOneByOne();
    void sentencesThatEndLeaveTheOthersAsTheyWere_data();
    void sentencesThatEndLeaveTheOthersAsTheyWere();
    void recordTellsTheWholeSearch_data() { models(); }
    void recordTellsTheWholeSearch();
    void prefixIsKeptAndSearchedOnFrom();
    void nBestAreDistinctAndSorted();
    void penaltiesAreAsWritten();
    void whatIsForbiddenIsNeverWrittenAndTheRestShareItsProbability();
    void aModelStartsWithItsOwnWordAndWritesItsForcedOneFirst();
    void whereNothingIsANumberThereIsStillAnAnswer();
    void valuesOutOfRangeAreRefused();

private:
    static void models() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"pre_gelu_learned", "gru_general_two_ways", "lstm_none_deep"})
            QTest::newRow(name) << QString(name);
    }
};

void TestBeamSearch::wideEnoughItFindsTheBestOfAll_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("penalty");
    for (const char* name : {"post_relu_sinusoidal", "lstm_additive_every_input"})
        for (const char* penalty : {"none", "average", "gnmt:0.6"})
            QTest::addRow("%s %s", name, penalty) << QString(name) << QString(penalty);
}

void TestBeamSearch::wideEnoughItFindsTheBestOfAll() {
    QFETCH(QString, name);
    QFETCH(QString, penalty);
    const TrainedModel model = fixture::loadGolden(name);
    const LengthPenalty lengthPenalty = LengthPenalty::parse(penalty.toStdString());
    std::vector<int> words;
    std::pair<double, std::vector<int>> best{-1e9, {}};
    searchEverything(model.seq2seq(), sources[0], lengthPenalty, 3, words, 0, best);
    // 11 words, 3 steps: of 1,100 continuations at the last step only the worst hundred are given up.
    const std::vector<Hypothesis> found = beamSearch(model.seq2seq(), std::span(sources).first(1),
                                                     {.beam = 1000, .lengthPenalty = lengthPenalty, .maxLength = 3})
                                              .front();
    QVERIFY(found.front().finished);
    QCOMPARE(found.front().tokens, best.second);
    QVERIFY(std::abs(found.front().score - best.first) < 1e-5);
}

void TestBeamSearch::greedyIsABeamOfOne() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    std::vector<std::vector<int>> test;
    for (const SentencePair& pair : findTask("vi-en").corpus().test)
        test.push_back(model.source->encode(pair.source));
    const std::vector<Hypothesis> greedy = decodeGreedily(model.seq2seq(), test);
    const auto beam = beamSearch(model.seq2seq(), test, {.beam = 1, .threads = 1});
    for (size_t i = 0; i < test.size(); ++i) {
        QVERIFY(same(greedy[i], beam[i].front()));
        // And every word is the likeliest one.
        if (i % 50 != 0) continue;
        std::vector<int> history;
        for (int word : greedy[i].tokens) {
            const std::vector<double> next = nextWords(model.seq2seq(), test[i], history);
            QCOMPARE(static_cast<int>(std::ranges::max_element(next) - next.begin()), word);
            history.push_back(word);
        }
    }
}

void TestBeamSearch::batchIsAsOneByOne() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    for (int beam : {1, 3}) {
        const BeamOptions options{.beam = beam, .nBest = beam, .maxLength = 8};
        const auto together = beamSearch(model.seq2seq(), sources, options);
        for (size_t i = 0; i < sources.size(); ++i) {
            const auto alone = beamSearch(model.seq2seq(), std::span(sources).subspan(i, 1), options).front();
            QCOMPARE(alone.size(), together[i].size());
            for (size_t j = 0; j < alone.size(); ++j) {
                QCOMPARE(alone[j].tokens, together[i][j].tokens);
                QVERIFY(std::abs(alone[j].logProb - together[i][j].logProb) < 1e-4);
            }
        }
    }
}

void TestBeamSearch::sentencesThatEndLeaveTheOthersAsTheyWere_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"vi-en-transformer", "vi-en-rnn", "vi-en-gru", "vi-en-long-lstm-attention",
                             "chat-gru-attention", "vi-en-pre-norm"})
        QTest::newRow(name) << name;
}

void TestBeamSearch::sentencesThatEndLeaveTheOthersAsTheyWere() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadShipped(name);
    // Trained models end their translations, each at a step of its own.
    const Corpus corpus = taskOf(model.training)->corpus().test;
    std::vector<std::vector<int>> texts;
    for (size_t i = 0; i < std::min<size_t>(40, corpus.size()); ++i)
        texts.push_back(model.source->encode(corpus[i].source));
    for (const int beam : {1, 4}) {
        const BeamOptions options{.beam = beam};
        const auto together = beamSearch(model.seq2seq(), texts, options);
        std::set<size_t> lengths;
        for (size_t i = 0; i < texts.size(); ++i) {
            const auto alone = beamSearch(model.seq2seq(), std::span(texts).subspan(i, 1), options).front();
            lengths.insert(alone.front().tokens.size());
            QCOMPARE(together[i].front().tokens, alone.front().tokens);
            QVERIFY(std::abs(together[i].front().logProb - alone.front().logProb) < 1e-4);
        }
        QVERIFY(lengths.size() > 2);
    }
}

void TestBeamSearch::recordTellsTheWholeSearch() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadGolden(name);
    constexpr int beam = 3;
    const BeamOptions options{.beam = beam, .nBest = beam, .maxLength = 6};
    const RecordedSearch recorded = recordBeamSearch(model.seq2seq(), sources[1], options);
    const auto plain = beamSearch(model.seq2seq(), std::span(sources).subspan(1, 1), options).front();
    QCOMPARE(recorded.hypotheses.size(), plain.size());
    for (size_t i = 0; i < plain.size(); ++i)
        QVERIFY(same(recorded.hypotheses[i], plain[i]));

    const SearchTree& tree = recorded.tree;
    std::map<int, int> looked, kept;
    std::set<std::vector<int>> ends;
    for (const SearchNode& node : tree.nodes) {
        ++looked[node.step];
        kept[node.step] += node.state == SearchNode::State::Kept;
        const double before = node.parent < 0 ? 0 : tree.nodes[static_cast<size_t>(node.parent)].cumulative;
        QVERIFY(std::abs(before + node.logProb - node.cumulative) < 1e-9);
        QVERIFY(std::abs(options.lengthPenalty.score(node.cumulative, node.step) - node.score) < 1e-12);
        if (node.parent >= 0) {
            const SearchNode& parent = tree.nodes[static_cast<size_t>(node.parent)];
            QVERIFY(parent.step == node.step - 1 && parent.state == SearchNode::State::Kept);
        }
        QVERIFY(node.state != SearchNode::State::Finished || node.token == 2);
        QVERIFY(node.state != SearchNode::State::Kept || node.token != 2);
        const bool attends = name != "lstm_none_deep";
        QCOMPARE(node.attention.size(),
                 attends ? static_cast<size_t>(tree.attentionBlocks * tree.heads * tree.sourceLength) : size_t{0});
        for (size_t at = 0; at < node.attention.size(); at += static_cast<size_t>(tree.sourceLength)) {
            double sum = 0;
            for (int key = 0; key < tree.sourceLength; ++key)
                sum += static_cast<double>(node.attention[at + static_cast<size_t>(key)]);
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        if (node.state != SearchNode::State::Finished) continue;
        std::vector<int> words;
        for (int at = static_cast<int>(&node - tree.nodes.data()); at >= 0;
             at = tree.nodes[static_cast<size_t>(at)].parent)
            words.insert(words.begin(), tree.nodes[static_cast<size_t>(at)].token);
        ends.insert(words);
    }
    QCOMPARE(static_cast<int>(looked.size()), tree.steps);
    for (const auto& [step, count] : looked) {
        QCOMPARE(count, 2 * beam);
        QVERIFY(kept[step] <= beam);
    }
    for (const Hypothesis& hypothesis : recorded.hypotheses)
        if (hypothesis.finished) QVERIFY(ends.count(hypothesis.tokens));
}

void TestBeamSearch::prefixIsKeptAndSearchedOnFrom() {
    const TrainedModel model = fixture::loadGolden("pre_gelu_learned");
    const std::vector<int> prefix{9, 4};
    for (int beam : {1, 4}) {
        const BeamOptions options{.beam = beam, .nBest = beam, .maxLength = 6, .prefix = prefix};
        const RecordedSearch found = recordBeamSearch(model.seq2seq(), sources[0], options);
        for (const Hypothesis& hypothesis : found.hypotheses) {
            QVERIFY(hypothesis.tokens.size() >= 2);
            QCOMPARE(std::vector<int>(hypothesis.tokens.begin(), hypothesis.tokens.begin() + 2), prefix);
            const double first = nextWords(model.seq2seq(), sources[0], {})[9];
            QVERIFY(std::abs(hypothesis.tokenLogProbs[0] - first) < 1e-5);
        }
        for (const SearchNode& node : found.tree.nodes)
            if (node.step <= 2) {  // the others were not given up for what they cost
                const bool isSet = node.token == prefix[static_cast<size_t>(node.step - 1)];
                QCOMPARE(node.state == SearchNode::State::Kept, isSet);
                QCOMPARE(node.state == SearchNode::State::Excluded, !isSet);
            }
    }
}

void TestBeamSearch::nBestAreDistinctAndSorted() {
    const TrainedModel model = fixture::loadShipped("vi-en-transformer");
    const Translation translation = translate(model, {"tôi đang học tiếng anh"}, {.beam = 5, .nBest = 5}).front();
    QCOMPARE(translation.best().text, std::string("i am learning english"));
    std::set<std::string> texts;
    for (size_t i = 0; i < translation.hypotheses.size(); ++i) {
        texts.insert(translation.hypotheses[i].text);
        if (i > 0) QVERIFY(translation.hypotheses[i - 1].score >= translation.hypotheses[i].score);
    }
    QCOMPARE(texts.size(), size_t{5});
}

void TestBeamSearch::penaltiesAreAsWritten() {
    QCOMPARE(LengthPenalty::parse("none").score(-6, 7), -6.0);
    QCOMPARE(LengthPenalty::parse("average").score(-6, 4), -1.5);
    // ((5 + 7) / 6)^1 = 2
    QCOMPARE(LengthPenalty::parse("gnmt:1").score(-6, 7), -3.0);
    QVERIFY(std::abs(LengthPenalty::parse("gnmt:0.5").score(-6, 19) + 3) < 1e-12);
    for (const char* text : {"none", "average", "gnmt:0.6"})
        QCOMPARE(LengthPenalty::parse(text).text(), std::string(text));
    for (const char* text : {"", "mean", "gnmt", "gnmt:", "gnmt:x", "gnmt:-1", "gnmt:1x", "gnmt:inf"})
        QVERIFY_EXCEPTION_THROWN(LengthPenalty::parse(text), Error);
}

/// The golden model with another configuration for decoding, which its weights know nothing of.
static TrainedModel reconfigured(const QString& name, const std::function<void(ModelConfig&)>& change) {
    TrainedModel model = fixture::loadGolden(name);
    ModelConfig config = model.network->config();
    change(config);
    const std::shared_ptr<Model> other = Model::make(config);
    std::ranges::copy(std::as_const(*model.network).parameters().flat(), other->parameters().flat().begin());
    model.network = other;
    return model;
}

void TestBeamSearch::whatIsForbiddenIsNeverWrittenAndTheRestShareItsProbability() {
    const TrainedModel free = reconfigured("kind_marian", [](ModelConfig& config) { config.forbiddenIds = {}; });
    const std::vector<int> favourites = beamSearch(free.seq2seq(), sources, {}).front().front().tokens;
    const int favourite = favourites.front();
    QVERIFY(favourite != 2);
    const TrainedModel model = reconfigured("kind_marian", [&](ModelConfig& config) {
        config.forbiddenIds = {favourite, 0};
    });
    std::vector<double> allowed = nextWords(free.seq2seq(), sources[0], {});
    allowed[0] = allowed[static_cast<size_t>(favourite)] = -1e9;
    const auto best = std::ranges::max_element(allowed);
    double sum = 0;
    for (const double logProb : allowed)
        sum += std::exp(logProb);
    // A beam that is wider than the words that are left.
    const RecordedSearch found = recordBeamSearch(model.seq2seq(), sources[0], {.beam = 20, .maxLength = 3});
    QCOMPARE(found.tree.nodes.front().token, static_cast<int>(best - allowed.begin()));
    QVERIFY(std::abs(found.tree.nodes.front().logProb - (*best - std::log(sum))) < 1e-5);
    for (const SearchNode& node : found.tree.nodes)
        QVERIFY(node.token != favourite && node.token != 0 && std::isfinite(node.logProb));
}

void TestBeamSearch::aModelStartsWithItsOwnWordAndWritesItsForcedOneFirst() {
    const TrainedModel ordinary = reconfigured("kind_bart", [](ModelConfig& config) { config.decoderStartId = -1; });
    const TrainedModel model = fixture::loadGolden("kind_bart");  // it starts with <eos>
    const Hypothesis written = decodeGreedily(model.seq2seq(), sources).front();
    const std::vector<double> next = nextWords(model.seq2seq(), sources[0], {});
    QCOMPARE(written.tokens.front(), static_cast<int>(std::ranges::max_element(next) - next.begin()));
    QVERIFY(std::abs(written.tokenLogProbs.front() - *std::ranges::max_element(next)) < 1e-5);
    QVERIFY(decodeGreedily(ordinary.seq2seq(), sources).front().tokenLogProbs.front() != written.tokenLogProbs.front());

    const int forced = (written.tokens.front() + 5) % 9 + 3;
    const TrainedModel summarizer =
        reconfigured("kind_bart", [&](ModelConfig& config) { config.forcedFirstId = forced; });
    for (const int beam : {1, 4})
        for (const auto& each : beamSearch(summarizer.seq2seq(), sources, {.beam = beam, .nBest = beam}))
            for (const Hypothesis& hypothesis : each)
                QCOMPARE(hypothesis.tokens.front(), forced);
    // Words that a reader sets are all the first words there are.
    const BeamOptions set{.prefix = {written.tokens.front()}};
    QCOMPARE(beamSearch(summarizer.seq2seq(), sources, set).front().front().tokens.front(), written.tokens.front());
}

/// A training that broke down is looked at, too.
void TestBeamSearch::whereNothingIsANumberThereIsStillAnAnswer() {
    for (const char* name : {"post_relu_sinusoidal", "rnn_dot"}) {
        const TrainedModel model = fixture::loadGolden(name);
        std::ranges::fill(model.network->parameters().flat(), std::numeric_limits<float>::quiet_NaN());
        for (const int beam : {1, 3}) {
            const auto found = beamSearch(model.seq2seq(), sources, {.beam = beam, .maxLength = 6});
            QCOMPARE(found.size(), sources.size());
            for (const std::vector<Hypothesis>& hypotheses : found)
                QVERIFY(!hypotheses.empty() && !hypotheses.front().tokens.empty());
        }
    }
}

void TestBeamSearch::valuesOutOfRangeAreRefused() {
    for (const BeamOptions& options : {BeamOptions{.beam = 0}, BeamOptions{.beam = 3, .nBest = 4},
                                       BeamOptions{.beam = 2, .nBest = 0}, BeamOptions{.beam = 5000}})
        QVERIFY_EXCEPTION_THROWN(options.validate(), Error);
}

QTEST_GUILESS_MAIN(TestBeamSearch)
#include "test_beam_search.moc"

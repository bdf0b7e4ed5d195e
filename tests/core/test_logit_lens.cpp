// SPDX-License-Identifier: GPL-3.0-or-later
// The logit lens: every kind of model says at its last depth what it says itself; what it says before is held to
// arithmetic in double precision, from the trace's states and the weights alone.
#include <QTest>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/logit_lens.h"
#include "core/import/import_model.h"
#include "core/io/model_file.h"
#include "core/text/word_tokenizer.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

using After = LensDepth::After;

/// Words that every one of the small models has, by their numbers; longer than the batch of a kernel.
Trace readLens(const TrainedModel& model, const std::vector<MutedHead>& muted = {}) {
    const ModelConfig& config = model.network->config();
    const auto ids = [](int words, int vocabulary) {
        std::vector<int> all;
        for (int i = 0; i < words; ++i)
            all.push_back(4 + i * 3 % (vocabulary - 4));
        return all;
    };
    const auto text = [&](const Tokenizer& tokenizer, const std::vector<int>& of) {
        std::string all;
        for (const int id : of)
            all += (all.empty() ? "" : " ") + tokenizer.vocabulary().token(id);
        return all;
    };
    const int length = std::min(5, config.maxLength - 1);
    const std::vector<int> source = ids(length, config.sourceVocabSize);
    if (!config.encoderDecoder()) return traceSentence(model, text(*model.source, source), {}, muted);
    std::vector<int> target = ids(length - 1, config.targetVocabSize);
    target.insert(target.begin(), config.decoderStart());
    return traceIds(model, source, target, muted);
}

std::span<const float> rowOf(const TraceRecord& record, int row) {
    const auto width = static_cast<size_t>(record.dim(1));
    return std::span(record.values).subspan(static_cast<size_t>(row) * width, width);
}

double probabilityOf(const LensCell& cell, int word) {
    const auto at = std::ranges::find(cell.words, word, &LensCell::Word::id);
    return at == cell.words.end() ? -1 : static_cast<double>(at->probability);
}

using Row = std::vector<double>;

/// W x + b, by the weights' names.
Row mapped(const ParameterSet& weights, const std::string& matrix, const std::string& bias, const Row& x) {
    const Tensor<const float> w = weights.value(matrix), b = weights.value(bias);
    Row y;
    for (int r = 0; r < w.rows(); ++r) {
        double sum = b ? static_cast<double>(b.data[r]) : 0;
        for (size_t i = 0; i < x.size(); ++i)
            sum += static_cast<double>(w.row(r)[i]) * x[i];
        y.push_back(sum);
    }
    return y;
}

Row normed(const ParameterSet& weights, const std::string& name, const ModelConfig& config, Row x) {
    const Tensor<const float> scale = weights.value(name + ".weight"), shift = weights.value(name + ".bias");
    const auto n = static_cast<double>(x.size());
    const double mean = config.norm == NormKind::Rms ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / n;
    double squares = 0;
    for (double& v : x) {
        v -= mean;
        squares += v * v;
    }
    for (size_t i = 0; i < x.size(); ++i)
        x[i] = x[i] / std::sqrt(squares / n + config.layerNormEps) * static_cast<double>(scale.data[i]) +
               (shift ? static_cast<double>(shift.data[i]) : 0);
    return x;
}

Row softmax(Row x) {
    const double most = *std::ranges::max_element(x);
    double sum = 0;
    for (double& v : x)
        sum += v = std::exp(v - most);
    for (double& v : x)
        v /= sum;
    return x;
}

/// A text model of two numbers a word, whose sublayers add nothing but what the test gives them.
TrainedModel tiny(bool finalNorm) {
    const nlohmann::json config = {{"architecture", "language-model"},
                                   {"d_model", 2},
                                   {"num_heads", 1},
                                   {"d_ff", 2},
                                   {"num_layers", 2},
                                   {"norm_order", "pre"},
                                   {"final_norm", finalNorm},
                                   {"positional_encoding", "none"},
                                   {"scale_embeddings", false},
                                   {"starts_at_end", false},
                                   {"dropout", 0.0},
                                   {"max_length", 8},
                                   {"source_vocab_size", 6},
                                   {"target_vocab_size", 6}};
    TrainedModel model;
    model.network = Model::make(ModelConfig::fromJson(config));
    const auto words = std::make_shared<WordTokenizer>(
        Vocabulary::fromTokens({"<pad>", "<bos>", "<eos>", "<unk>", "left", "right"}), false);
    model.source = model.target = words;
    const auto set = [&](const char* name, const std::vector<float>& values) {
        ParameterSet& weights = model.network->parameters();
        for (size_t id = 0; id < weights.entries().size(); ++id)
            if (weights.entries()[id].name == name)
                std::ranges::copy(values, weights.value(static_cast<ParameterId>(id)).data);
    };
    for (const char* norm : {"layers.0.norm1", "layers.0.norm2", "layers.1.norm1", "layers.1.norm2", "norm"})
        set((std::string("transformer.") + norm + ".weight").c_str(), {1, 1});
    set("embedding.weight", {0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1});
    set("generator.weight", {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1});
    set("generator.bias", {-9, -9, 0, -9, 0, 0});
    set("transformer.layers.0.self_attn.out_proj.bias", {0, 2});
    set("transformer.layers.1.linear2.bias", {0, 4});
    return model;
}

}  // namespace

class TestLogitLens : public QObject {
    Q_OBJECT
private slots:
    void theLastDepthIsTheModelsOwnAnswer_data();
    void theLastDepthIsTheModelsOwnAnswer();
    void everyDepthIsWhatDoublePrecisionMakesOfTheState_data();
    void everyDepthIsWhatDoublePrecisionMakesOfTheState();
    void aModelMadeByHandSaysWhatItsTwoNumbersSay();
    void eachSublayerIsADepth();
    void aMutedHeadChangesEveryDepthBehindIt();
    void aCrossAttentionNamesTheWordThatItsHeadsReadMost();
    void onlyTheBestWordsAreKept();
    void fromAPositionOnItReadsTheSame();
    void theTextsOwnWordsStandBeside();
    void aTranslationThatIsCutOffEndsInItsLastWord();
    void settledIsWhereNothingChangesAnyMore();
    void whatSaysNoWordsIsRefused();
};

void TestLogitLens::theLastDepthIsTheModelsOwnAnswer_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt2",
                             "gpt2_by_layer",
                             "nanogpt",
                             "bert",
                             "distilbert",
                             "marian",
                             "marian_two_vocabularies",
                             "bart",
                             "t5",
                             "flan_t5",
                             "llama",
                             "electra_generator",
                             "modernbert",
                             "nllb",
                             "pytorch_transformer",
                             "language_model",
                             "kind_bart",
                             "kind_bert",
                             "kind_gpt2",
                             "kind_gpt2_without_biases",
                             "kind_llama",
                             "kind_gemma",
                             "kind_neox",
                             "kind_phi",
                             "kind_marian",
                             "kind_t5",
                             "post_gelu_tanh_tied",
                             "post_relu_concat",
                             "post_relu_sinusoidal",
                             "pre_gelu_learned",
                             "pre_gelu_learned_concat",
                             "vi-en-transformer",
                             "fr-en-transformer",
                             "stories-transformer"})
        QTest::newRow(name) << QString(name);
}

void TestLogitLens::theLastDepthIsTheModelsOwnAnswer() {
    QFETCH(QString, name);
    const TrainedModel model = fixture::loadByName(name);
    const Trace trace = readLens(model);
    const TraceRecord& logProbs = trace.at("log_probs");
    const int vocabulary = logProbs.dim(1);
    const LogitLens lens(model, trace, vocabulary);
    QCOMPARE(lens.positions(), logProbs.dim(0));
    const std::vector<LensCell> last = lens.read(lens.depths().size() - 1);
    for (int position = 0; position < lens.positions(); ++position) {
        const LensCell& cell = last[size_t(position)];
        const auto own = rowOf(logProbs, position);
        QCOMPARE(int(cell.words.size()), vocabulary);
        for (const LensCell::Word& word : cell.words)
            QVERIFY(std::abs(double(word.probability) - std::exp(double(own[size_t(word.id)]))) < 2e-6);
        QCOMPARE(lens.finals()[size_t(position)], int(std::ranges::max_element(own) - own.begin()));
        QVERIFY(std::abs(cell.finalProbability - cell.words.front().probability) < 2e-6f);
    }
    // And the embedding says something else: nothing above was compared with itself.
    QVERIFY(std::abs(lens.read(0)[0].finalProbability - last[0].finalProbability) > 1e-7f);
}

void TestLogitLens::everyDepthIsWhatDoublePrecisionMakesOfTheState_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("norm");       // what stands behind the layers; empty: nothing
    QTest::addColumn<QString>("matrix");     // of the head
    QTest::addColumn<QString>("embedding");  // what the first depth reads
    QTest::newRow("layer norm") << "kind_gpt2"
                                << "transformer.norm"
                                << "embedding.weight"
                                << "input";
    QTest::newRow("root mean square") << "kind_llama"
                                      << "transformer.norm"
                                      << "generator.weight"
                                      << "input";
    QTest::newRow("norm last") << "vi-en-transformer"
                               << ""
                               << "generator.weight"
                               << "decoder.input";
    QTest::newRow("scaled head") << "kind_t5"
                                 << "transformer.decoder.norm"
                                 << "embedding.weight"
                                 << "decoder.input";
    QTest::newRow("masked words") << "kind_bert"
                                  << ""
                                  << "embedding.weight"
                                  << "input";
}

void TestLogitLens::everyDepthIsWhatDoublePrecisionMakesOfTheState() {
    QFETCH(QString, name);
    QFETCH(QString, norm);
    QFETCH(QString, matrix);
    QFETCH(QString, embedding);
    const TrainedModel model = fixture::loadByName(name);
    const ModelConfig& config = model.network->config();
    const ParameterSet& weights = model.network->parameters();
    const Trace trace = readLens(model);
    const LogitLens lens(model, trace, config.targetVocabSize);
    QCOMPARE(QString::fromStdString(lens.depths().front().value), embedding);
    QCOMPARE(lens.throughNorm(), !norm.isEmpty());
    for (size_t depth = 0; depth < lens.depths().size(); ++depth) {
        const std::vector<LensCell> cells = lens.read(depth);
        for (int position = 0; position < lens.positions(); ++position) {
            const auto state = rowOf(trace.at(lens.depths()[depth].value), position);
            Row x(state.begin(), state.end());
            if (!norm.isEmpty()) x = normed(weights, norm.toStdString(), config, x);
            if (config.masked()) {
                x = mapped(weights, "transform.weight", "transform.bias", x);
                for (double& v : x)
                    v = v * 0.5 * std::erfc(-v / std::sqrt(2.0));  // GELU
                x = normed(weights, "transform_norm", config, x);
            }
            if (config.scaleOutput)
                for (double& v : x)
                    v /= std::sqrt(double(config.dModel));
            const Row expected = softmax(mapped(weights, matrix.toStdString(), "generator.bias", x));
            for (size_t word = 0; word < expected.size(); ++word)
                QVERIFY(std::abs(probabilityOf(cells[size_t(position)], int(word)) - expected[word]) < 1e-5);
        }
    }
}

void TestLogitLens::aModelMadeByHandSaysWhatItsTwoNumbersSay() {
    const TrainedModel model = tiny(false);
    const Trace trace = traceSentence(model, "left right");
    const LogitLens lens(model, trace, 2);
    const auto says = [&](size_t depth, int position, int word, double left, double right) {
        const LensCell cell = lens.read(depth)[size_t(position)];
        const double sum = std::exp(left) + std::exp(right) + 1 + 3 * std::exp(-9);
        QCOMPARE(cell.words[0].id, word);
        QVERIFY(std::abs(double(cell.words[0].probability) - std::exp(std::max(left, right)) / sum) < 1e-6);
        QVERIFY(std::abs(double(cell.words[1].probability) - std::exp(std::min(left, right)) / sum) < 1e-6);
        QVERIFY(std::abs(double(cell.finalProbability) - std::exp(right) / sum) < 1e-6);
        QCOMPARE(cell.finalRank, left > right ? 2 : 1);
    };
    constexpr int left = 4, right = 5;
    QCOMPARE(lens.finals(), (std::vector<int>{right, right}));
    says(0, 0, left, 3, 0);   // the embedding of "left"
    says(0, 1, right, 0, 1);  // of "right"
    says(1, 0, left, 3, 2);   // the first attention adds (0, 2)
    says(2, 0, left, 3, 2);   // its feed-forward network nothing
    says(3, 0, left, 3, 2);
    says(4, 0, right, 3, 6);  // the second one (0, 4)
    says(4, 1, right, 0, 7);
    // With a norm behind the layers every state becomes (1, -1) or (-1, 1) before it is read.
    const TrainedModel ending = tiny(true);
    const Trace other = traceSentence(ending, "left right");
    const LensCell cell = LogitLens(ending, other, 2).read(0)[0];
    QCOMPARE(cell.words[0].id, left);
    const double sum = std::exp(1) + std::exp(-1) + 1 + 3 * std::exp(-9);
    QVERIFY(std::abs(double(cell.words[0].probability) - std::exp(1) / sum) < 1e-5);
}

void TestLogitLens::eachSublayerIsADepth() {
    const auto told = [](const QString& name) {
        const TrainedModel model = fixture::loadByName(name);
        const Trace trace = readLens(model);
        QStringList all;
        const LogitLens lens(model, trace);
        for (const LensDepth& depth : lens.depths()) {
            const char* const after[] = {"embedding", "self", "cross", "ffn"};
            all << QString("%1%2%3 %4")
                       .arg(after[int(depth.after)])
                       .arg(depth.layer)
                       .arg(depth.endsLayer ? "!" : "", QString::fromStdString(depth.value));
        }
        return all;
    };
    QCOMPARE(told("kind_gpt2"),
             (QStringList{"embedding-1 input", "self0 layers.0.residual1", "ffn0! layers.0.residual2",
                          "self1 layers.1.residual1", "ffn1! layers.1.residual2"}));
    QCOMPARE(told("vi-en-transformer"),
             (QStringList{"embedding-1 decoder.input", "self0 decoder.layers.0.norm1", "cross0 decoder.layers.0.norm2",
                          "ffn0! decoder.layers.0.norm3", "self1 decoder.layers.1.norm1",
                          "cross1 decoder.layers.1.norm2", "ffn1! decoder.layers.1.norm3"}));
}

void TestLogitLens::aMutedHeadChangesEveryDepthBehindIt() {
    const TrainedModel model = fixture::loadByName("stories-transformer");
    const Trace whole = readLens(model), muted = readLens(model, {{"layers.0.self_attn", 1}});
    const LogitLens before(model, whole), after(model, muted);
    const auto same = [&](size_t depth) {
        const std::vector<LensCell> a = before.read(depth), b = after.read(depth);
        return std::ranges::equal(a, b, [](const LensCell& x, const LensCell& y) {
            return x.words.front().probability == y.words.front().probability;
        });
    };
    QVERIFY(same(0));
    for (size_t depth = 1; depth < before.depths().size(); ++depth)
        QVERIFY(!same(depth));
    // The last word is that of the model without the head.
    const TraceRecord& own = muted.at("log_probs");
    const LensCell last = after.read(after.depths().size() - 1).back();
    const auto row = rowOf(own, own.dim(0) - 1);
    QCOMPARE(last.words.front().id, int(std::ranges::max_element(row) - row.begin()));
}

void TestLogitLens::aCrossAttentionNamesTheWordThatItsHeadsReadMost() {
    const TrainedModel model = fixture::loadByName("vi-en-transformer");
    const Trace trace = traceSentence(model, "tôi đang học tiếng anh");
    const LogitLens lens(model, trace);
    for (size_t depth = 0; depth < lens.depths().size(); ++depth) {
        const LensDepth& at = lens.depths()[depth];
        const std::vector<LensCell> cells = lens.read(depth);
        for (int position = 0; position < lens.positions(); ++position) {
            const LensCell& cell = cells[size_t(position)];
            if (at.after != After::CrossAttention) {
                QCOMPARE(cell.source, -1);
                continue;
            }
            const TraceRecord& weights = trace.at("decoder.layers." + std::to_string(at.layer) + ".cross_attn.weights");
            double most = 0;
            for (int source = 0; source < weights.dim(2); ++source) {
                double sum = 0;
                for (int head = 0; head < weights.dim(0); ++head)
                    sum += double(weights.head(head)[size_t(position * weights.dim(2) + source)]);
                const double mean = sum / weights.dim(0);
                if (source == cell.source) QVERIFY(std::abs(mean - double(cell.sourceWeight)) < 1e-6);
                most = std::max(most, mean);
            }
            QVERIFY(std::abs(most - double(cell.sourceWeight)) < 1e-6);
        }
    }
}

void TestLogitLens::onlyTheBestWordsAreKept() {
    const TrainedModel model = fixture::loadByName("stories-transformer");
    const Trace trace = readLens(model);
    const int vocabulary = model.network->config().targetVocabSize;
    const LogitLens few(model, trace), all(model, trace, vocabulary);
    for (size_t depth = 0; depth < few.depths().size(); ++depth) {
        const std::vector<LensCell> best = few.read(depth), whole = all.read(depth);
        for (size_t position = 0; position < best.size(); ++position) {
            QCOMPARE(best[position].words.size(), size_t{5});
            QVERIFY(std::ranges::is_sorted(whole[position].words, std::greater(), &LensCell::Word::probability));
            for (size_t i = 0; i < 5; ++i)
                QCOMPARE(best[position].words[i].id, whole[position].words[i].id);
            // The rank counts those that are likelier.
            const auto final = std::ranges::find(whole[position].words, few.finals()[position], &LensCell::Word::id);
            QCOMPARE(best[position].finalRank, int(final - whole[position].words.begin()) + 1);
            QCOMPARE(best[position].finalProbability, final->probability);
        }
    }
}

void TestLogitLens::fromAPositionOnItReadsTheSame() {
    const TrainedModel model = fixture::loadByName("vi-en-transformer");
    const Trace trace = traceSentence(model, "tôi đang học tiếng anh");
    const LogitLens lens(model, trace);
    const std::vector<LensCell> all = lens.read(2), end = lens.read(2, lens.positions() - 1);
    QCOMPARE(end.size(), size_t{1});
    QCOMPARE(end[0].words[0].id, all.back().words[0].id);
    QCOMPARE(end[0].source, all.back().source);
    QVERIFY(std::abs(end[0].words[0].probability - all.back().words[0].probability) < 1e-6f);
}

void TestLogitLens::theTextsOwnWordsStandBeside() {
    const TrainedModel stories = fixture::loadByName("stories-transformer");
    const Trace text = traceSentence(stories, "once there was");
    const std::vector<int> next = LogitLens(stories, text).inText();
    std::vector<int> expected;
    for (const char* word : {"once", "there", "was"})
        expected.push_back(stories.source->vocabulary().id(word));
    expected.push_back(-1);  // nobody knows how it goes on
    QCOMPARE(next, expected);
    const TrainedModel translator = fixture::loadByName("vi-en-transformer");
    const Trace forced = traceSentence(translator, "tôi yêu bạn", "you love me");
    QCOMPARE(translator.target->vocabulary().token(LogitLens(translator, forced).inText()[0]), std::string("you"));
    QCOMPARE(LogitLens(translator, forced).inText().back(), translator.network->config().eosId);
    const TrainedModel fills = fixture::loadByName("kind_bert");
    const Trace masked = traceSentence(fills, "w4 w9 w12");  // w12 is the mask
    QCOMPARE(fills.network->config().mask(), fills.source->vocabulary().id("w12"));
    QCOMPARE(LogitLens(fills, masked).inText(),
             (std::vector<int>{fills.source->vocabulary().id("w4"), fills.source->vocabulary().id("w9"), -1}));
}

void TestLogitLens::aTranslationThatIsCutOffEndsInItsLastWord() {
    int cutOff = 0, ended = 0;
    for (const char* name : {"kind_marian", "kind_t5", "kind_bart", "post_relu_sinusoidal", "vi-en-transformer"}) {
        const TrainedModel model = fixture::loadByName(name);
        for (const std::vector<int>& ids : {std::vector<int>{4, 5, 6}, {7}, {9, 8, 4, 5}}) {
            const std::string text = model.source->decode(ids);
            const Translation translation = translate(model, {text}).front();
            const Trace trace = traceSentence(model, text);
            QCOMPARE(LogitLens(model, trace).inText().back(), trace.lastWritten.id);
            QCOMPARE(trace.lastWritten.token, translation.best().tokens.back());
            QCOMPARE(trace.written(trace.targetTokens.size() - 1), translation.best().tokens.back());
            (translation.best().finished ? ended : cutOff)++;
        }
    }
    QVERIFY(cutOff > 0 && ended > 0);
}

void TestLogitLens::settledIsWhereNothingChangesAnyMore() {
    QCOMPARE(settledFrom({7, 8, 8}, 8), size_t{1});
    QCOMPARE(settledFrom({8, 8, 8}, 8), size_t{0});
    QCOMPARE(settledFrom({8, 7, 8}, 8), size_t{2});  // it had said so before, and thought otherwise
    QCOMPARE(settledFrom({7, 7, 9}, 8), size_t{2});  // two words as likely as each other
}

void TestLogitLens::whatSaysNoWordsIsRefused() {
    for (const char* name : {"vi-en-gru", "stories-lstm", "sentiment-transformer"}) {
        const TrainedModel model = fixture::loadByName(name);
        const Trace trace = readLens(model);
        QVERIFY_EXCEPTION_THROWN(LogitLens(model, trace), Error);
    }
    const TrainedModel model = fixture::loadByName("stories-transformer");
    QVERIFY_EXCEPTION_THROWN(LogitLens(model, Trace()), Error);
}

QTEST_APPLESS_MAIN(TestLogitLens)
#include "test_logit_lens.moc"

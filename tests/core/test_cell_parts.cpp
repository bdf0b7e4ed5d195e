// SPDX-License-Identifier: GPL-3.0-or-later
// What stands inside a recurrent cell, against the trace; how far back its gradient reaches, against the chain rule
// written out in double precision; what it writes by word, against readings.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/data/evaluation.h"
#include "core/data/task.h"
#include "core/data/translate.h"
#include "core/error.h"
#include "core/experiment/cell_figures.h"
#include "core/experiment/cell_parts.h"
#include "core/experiment/recurrent_gain.h"
#include "core/io/model_file.h"

using namespace headlight;

namespace {

using Kind = CellColumn::Kind;
using Numbers = std::vector<double>;

TrainedModel modelFile(const std::string& file) {
    return loadModel(HEADLIGHT_SOURCE_DIR "/" + file + ".safetensors");
}

/// Any ids: small random models have no words.
Trace cellTrace(const TrainedModel& model) {
    if (model.network->config().encoderDecoder()) return traceIds(model, {5, 7, 4, 6}, {1, 4, 6});
    return traceIds(model, {5, 4, 6, 5});
}

const Numbers& column(const std::vector<CellColumn>& columns, Kind kind) {
    return std::ranges::find(columns, kind, &CellColumn::kind)->values;
}

bool near(double left, double right, double tolerance = 2e-6) {
    return std::abs(left - right) <= tolerance * std::max(1.0, std::abs(right));
}

/// A matrix of the model by its name, in double.
struct Table {
    int rows = 0, columns = 0;
    Numbers values;
    double at(int row, int column) const { return values[size_t(row * columns + column)]; }
};
Table cellWeight(const TrainedModel& model, const std::string& name) {
    const Model& network = *model.network;
    const Tensor<const float> found = network.parameters().value(std::string_view(name));
    return {found.rows(), found.cols(), {found.data, found.data + found.count()}};
}
/// Wᵀ v.
Numbers back(const Table& matrix, const Numbers& vector) {
    Numbers result(size_t(matrix.columns));
    for (int row = 0; row < matrix.rows; ++row)
        for (int column = 0; column < matrix.columns; ++column)
            result[size_t(column)] += matrix.at(row, column) * vector[size_t(row)];
    return result;
}
Numbers cellRow(const TraceRecord& record, int row) {
    const auto first = record.values.begin() + row * record.dim(1);
    return {first, first + record.dim(1)};
}
double norm(const Numbers& left, const Numbers& right = {}) {
    double sum = 0;
    for (const Numbers* each : {&left, &right})
        for (const double number : *each)
            sum += number * number;
    return std::sqrt(sum);
}
/// ∂ log p(id) / ∂ h of the row that says so.
Numbers fromWord(const TrainedModel& model, const Trace& trace, int row, int id) {
    Numbers logits = cellRow(trace.at("log_probs"), row);
    for (double& each : logits)
        each = -std::exp(each);
    logits[size_t(id)] += 1;
    return back(cellWeight(model, "generator.weight"), logits);
}

}  // namespace

class TestCellParts : public QObject {
    Q_OBJECT
private slots:
    void partsAddUpToWhatTheTraceHolds_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"tests/golden/gru_general_two_ways", "tests/golden/gru_none_every_input", "tests/golden/lstm_none_deep",
              "tests/golden/lstm_scaled_dot_two_ways", "tests/golden/lstm_additive_every_input", "tests/golden/rnn_dot",
              "tests/golden/rnn_language_model", "resources/models/vi-en-long-lstm",
              "resources/models/chat-gru-attention", "resources/models/stories-lstm"})
            QTest::newRow(file) << file;
    }
    void partsAddUpToWhatTheTraceHolds() {
        QFETCH(QString, file);
        const TrainedModel opened = modelFile(file.toStdString());
        const Trace trace = cellTrace(opened);
        int layers = 0;
        for (const TraceRecord& state : trace.records()) {
            if (!state.is(ModuleKind::Recurrent, Part::State)) continue;
            ++layers;
            const CellParts parts(opened, trace, state.owner());
            QCOMPARE(parts.words(), state.dim(0));
            for (int word = 0; word < parts.words(); ++word)
                checkWord(parts, cellRow(state, word), word);
        }
        QVERIFY(layers > 0);
    }

    void aPlainNetworksGradientIsTheChainRules() {
        const TrainedModel opened = modelFile("resources/models/vi-en-long-rnn");
        const SentencePair pair = longPair();
        const Trace trace = traceSentence(opened, pair.source, pair.target);
        const TraceRecord &read = trace.at("encoder.layers.0.hidden"), &wrote = trace.at("decoder.layers.0.hidden");
        const Table decoder = cellWeight(opened, "decoder.weight_hh_l0"),
                    encoder = cellWeight(opened, "encoder.weight_hh_l0");
        const std::vector<int> ids = trace.at("target.ids").ids();
        Numbers gradient(size_t(read.dim(1)));
        const auto through = [&](const Table& matrix, const TraceRecord& states, int word) {
            const Numbers state = cellRow(states, word);
            for (size_t i = 0; i < gradient.size(); ++i)
                gradient[i] *= 1 - state[i] * state[i];
            gradient = back(matrix, gradient);
        };
        for (int word = wrote.dim(0) - 1; word >= 0; --word) {
            const bool last = word + 1 == wrote.dim(0);
            const Numbers said =
                fromWord(opened, trace, word, last ? opened.network->config().eosId : ids[size_t(word) + 1]);
            for (size_t i = 0; i < gradient.size(); ++i)
                gradient[i] += said[i];
            through(decoder, wrote, word);
        }
        const GradientReach found = gradientReach(opened, {pair}, {Stack::Encoder, 0}, 1);
        QCOMPARE(int(found.share.size()), read.dim(0));
        QCOMPARE(found.sentences, 1L);
        const double at = norm(gradient);
        for (int word = read.dim(0) - 1; word >= 0; --word) {
            const double share = norm(gradient) / at;
            QVERIFY2(near(found.share[size_t(read.dim(0) - 1 - word)], share, 1e-3 * std::min(1.0, share)),
                     qPrintable(QString("word %1: %2, by hand %3")
                                    .arg(word)
                                    .arg(found.share[size_t(read.dim(0) - 1 - word)])
                                    .arg(share)));
            through(encoder, read, word);
        }
        QVERIFY(found.share.back() < 1e-3);
    }

    void anLstmsGradientIsTheChainRules() {
        const TrainedModel opened = modelFile("resources/models/stories-lstm");
        const Corpus corpus{findTask("stories").corpus().test.front()};
        // The reach takes the longest window of the text; its last word is only predicted.
        const GradientReach found = gradientReach(opened, corpus, {Stack::Only, 0}, 1);
        std::vector<int> window = longestWindow(opened, corpus);
        const int id = window.back();
        window.pop_back();
        const Trace trace = traceIds(opened, window);
        const int words = trace.at("layers.0.hidden").dim(0), units = trace.at("layers.0.hidden").dim(1);
        QCOMPARE(int(found.share.size()), words);
        const Table recurrent = cellWeight(opened, "rnn.weight_hh_l0");
        const auto row = [&](const char* part, int word) {
            return cellRow(trace.at(std::string("layers.0.") + part), word);
        };
        Numbers hidden = fromWord(opened, trace, words - 1, id), cell(static_cast<size_t>(units));
        const double last = norm(hidden, cell);
        for (int word = words - 1; word > 0; --word) {
            QVERIFY(near(found.share[size_t(words - 1 - word)], norm(hidden, cell) / last, 1e-3));
            const Numbers i = row("gates.input", word), f = row("gates.forget", word),
                          g = row("gates.cell_candidate", word), o = row("gates.output", word), c = row("cell", word),
                          before = row("cell", word - 1);
            Numbers gates(static_cast<size_t>(4 * units)), earlier(static_cast<size_t>(units));
            for (size_t u = 0; u < size_t(units); ++u) {
                const double squashed = std::tanh(c[u]);
                const double toCell = cell[u] + hidden[u] * o[u] * (1 - squashed * squashed);
                gates[u] = toCell * g[u] * i[u] * (1 - i[u]);
                gates[size_t(units) + u] = toCell * before[u] * f[u] * (1 - f[u]);
                gates[size_t(2 * units) + u] = toCell * i[u] * (1 - g[u] * g[u]);
                gates[size_t(3 * units) + u] = hidden[u] * squashed * o[u] * (1 - o[u]);
                earlier[u] = toCell * f[u];
            }
            hidden = back(recurrent, gates);
            cell = earlier;
        }
        QVERIFY(near(found.share.back(), norm(hidden, cell) / last, 1e-3));
    }

    void anLstmsGradientReachesFartherThanAPlainNetworks() {
        Corpus corpus = findTask("vi-en-long").corpus().test;
        corpus.resize(60);
        const auto at = [&](const char* name) {
            const GradientReach reach = gradientReach(modelFile(std::string("resources/models/vi-en-long-") + name),
                                                      corpus, {Stack::Encoder, 0}, 10);
            return reach.share.at(12);
        };
        const double plain = at("rnn");
        QVERIFY(plain < 1e-12);
        QVERIFY(at("lstm") > 0.5);
        QVERIFY(at("gru") > 0.3);
    }

    // Saturated units hand nothing back, however large U is; what is not yet trained is not saturated.
    void largeRecurrentWeightsMakeItExplode() {
        TrainedModel opened = modelFile("resources/models/vi-en-long-rnn");
        const Corpus corpus{longPair()};
        opened.network = Model::make(opened.network->config());
        opened.network->initialize(1);
        const auto reach = [&](double factor) {
            return gradientReach(opened, corpus, {Stack::Encoder, 0}, 1, {}, factor).share.back();
        };
        const double own = reach(1);
        QVERIFY(own < 0.1);
        QVERIFY(reach(4) > 10);
        QCOMPARE(reach(1), own);  // the model is as it was
    }

    /// Below one it vanishes, well above one it explodes; and σ is that of the matrix, however it is found.
    void theLargestSingularValueDecidesWhatBecomesOfIt() {
        const TrainedModel opened = modelFile("resources/models/vi-en-long-rnn");
        const auto reach = [&](double factor) {
            return untrainedReach(opened, {longPair()}, {Stack::Encoder, 0}, factor, 1);
        };
        const GainReach own = reach(1), small = reach(0.5 / own.singularValue), large = reach(4);
        QVERIFY(near(small.singularValue, 0.5, 1e-9) && near(large.singularValue, 4 * own.singularValue, 1e-9));
        for (size_t back = 1; back < small.reach.share.size(); ++back)
            QVERIFY2(small.reach.share[back] <= std::pow(0.5, back) * 1.001, "no step can hand back more than σ");
        QVERIFY(large.reach.share.back() > 10);
        // diag(3, −5) turned by an angle, on the right: its singular values are 5 and 3.
        const float c = std::cos(0.7F), s = std::sin(0.7F);
        const std::vector<float> turned = {3 * c, 3 * s, 5 * s, -5 * c};
        QVERIFY(near(largestSingularValue({turned.data(), {2, 2}}), 5, 1e-5));
    }

    void whatIsWrittenIsTheMeanOverReadings() {
        for (const char* name : {"vi-en-long-lstm", "vi-en-gru", "vi-en-rnn"}) {
            const TrainedModel opened = modelFile(std::string("resources/models/") + name);
            Corpus corpus = findTask("vi-en").corpus().test;
            corpus.resize(12);
            const CellWrites found = cellWrites(opened, corpus, {Stack::Encoder, 0}, 12);
            QCOMPARE(found.sentences, 12L);
            constexpr int unit = 17;
            std::map<std::string, std::pair<long, double>> sums;
            for (const SentencePair& pair : corpus) {
                const Trace trace = traceSentence(opened, pair.source, pair.target);
                const Module& layer = trace.at("encoder.layers.0.hidden").owner();
                const auto story = CellParts(opened, trace, layer).story(unit);
                for (size_t word = 0; word < story.size(); ++word) {
                    auto& [count, sum] = sums[trace.sourceTokens[word]];
                    ++count;
                    sum += story[word].written;
                }
            }
            QCOMPARE(found.words.size(), sums.size());
            for (const CellWrites::Word& word : found.words) {
                const auto& [count, sum] = sums.at(word.text);
                QCOMPARE(word.count, count);
                QVERIFY(near(double(word.mean[unit]), sum / double(count), 1e-5));
            }
        }
    }

    void aModelWithoutCellsIsRefused() {
        const TrainedModel opened = modelFile("resources/models/vi-en-transformer");
        QVERIFY_EXCEPTION_THROWN(gradientReach(opened, {longPair()}, {Stack::Encoder, 0}), Error);
        QVERIFY_EXCEPTION_THROWN(cellWrites(opened, {longPair()}, {Stack::Encoder, 0}), Error);
        QVERIFY_EXCEPTION_THROWN(cellWrites(modelFile("resources/models/vi-en-gru"), {}, {Stack::Encoder, 0}), Error);
    }

    void whoNoLongerWantsItIsAskedBetweenSentences() {
        const TrainedModel opened = modelFile("resources/models/vi-en-gru");
        Corpus corpus = findTask("vi-en").corpus().test;
        corpus.resize(20);
        int left = 5;
        QCOMPARE(cellWrites(opened, corpus, {Stack::Encoder, 0}, 20, [&] { return left-- > 0; }).sentences, 5L);
    }

private:
    static SentencePair longPair() {
        for (const SentencePair& pair : findTask("vi-en-long").corpus().test)
            if (std::ranges::count(pair.source, ' ') > 10) return pair;
        return {};
    }
    static std::vector<int> longestWindow(const TrainedModel& opened, const Corpus& corpus) {
        std::vector<int> longest;
        for (const Example& each : encode(corpus, opened, Purpose::Evaluation).pairs)
            if (each.target.size() > longest.size()) longest = each.target;
        return longest;
    }

    static void checkWord(const CellParts& parts, const Numbers& state, int word) {
        const auto columns = parts.columns(word);
        for (const CellColumn& each : columns) {
            QCOMPARE(int(each.values.size()), parts.units());
            for (const double value : each.values) {
                QVERIFY(each.range != CellColumn::Range::Share || (value >= 0 && value <= 1));
                QVERIFY(each.range != CellColumn::Range::Squashed || std::abs(value) <= 1 + 1e-6);
            }
        }
        for (int unit = 0; unit < parts.units(); ++unit) {
            const auto at = [&](Kind kind) { return column(columns, kind)[size_t(unit)]; };
            const double h = state[size_t(unit)];
            QCOMPARE(at(Kind::State), h);
            const auto sums = parts.sums(word, unit);
            const CellParts::Moment moment = parts.story(unit)[size_t(word)];
            QVERIFY(near(moment.memory, parts.cell() == Cell::Lstm ? at(Kind::Memory) : h));
            switch (parts.cell()) {
                case Cell::Lstm:
                    QVERIFY(near(at(Kind::Kept) + at(Kind::Written), at(Kind::Memory)));
                    QVERIFY(near(at(Kind::Output) * std::tanh(at(Kind::Memory)), h));
                    QVERIFY(near(sums[0].value, at(Kind::Forget)) && near(sums[1].value, at(Kind::Input)));
                    QVERIFY(near(sums[2].value, at(Kind::Candidate)) && near(sums[3].value, at(Kind::Output)));
                    QVERIFY(near(moment.share, at(Kind::Forget)) && near(moment.written, at(Kind::Written)));
                    break;
                case Cell::Gru:
                    QVERIFY(near(at(Kind::Kept) + at(Kind::Written), h));
                    QVERIFY(near(at(Kind::ResetRecall), at(Kind::Reset) * at(Kind::Recall)));
                    QVERIFY(near(sums[0].value, at(Kind::Reset)) && near(sums[1].value, at(Kind::Update)));
                    QVERIFY(near(sums[2].value, at(Kind::Candidate)));
                    QVERIFY(near(sums[2].past + sums[2].pastBias, at(Kind::Recall)));
                    QVERIFY(near(moment.share, at(Kind::Update)) && near(moment.written, at(Kind::Written)));
                    break;
                case Cell::Rnn:
                    QVERIFY(near(std::tanh(at(Kind::Word) + at(Kind::Past) + at(Kind::Bias)), h));
                    QVERIFY(near(sums[0].value, h) && near(sums[0].sum, at(Kind::Sum)));
                    break;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCellParts)
#include "test_cell_parts.moc"

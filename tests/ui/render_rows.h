// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <map>

#include "core/data/merge_corpus.h"
#include "core/data/translate.h"
#include "core/decode/sampling.h"
#include "core/experiment/attribution.h"
#include "core/experiment/embedding_space.h"
#include "core/experiment/feed_forward_units.h"
#include "core/experiment/head_worth.h"
#include "core/experiment/logit_lens.h"
#include "core/experiment/loss_of_words.h"
#include "core/experiment/masking.h"
#include "core/experiment/query_key_value.h"
#include "core/experiment/residual_stream.h"
#include "core/experiment/why.h"
#include "core/nn/sinusoids.h"
#include "core/text/merge_film.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/session/trace/attribution_picture.h"
#include "ui/session/trace/cost.h"
#include "ui/session/trace/next_word_river.h"
#include "ui/session/trace/position_turn.h"
#include "ui/session/trace/positions.h"
#include "ui/session/trace/surgery_picture.h"
#include "ui/widgets/theme/color_scale.h"

namespace headlight::fixture {

using Check = std::function<void(const Drawn&)>;

/// A picture, what is asked of it, and what must then be read in it.
struct RenderRow {
    QString picture;
    QStringList options;  ///< `key=value`
    Check check;
    QStringList arguments = {};  ///< others than --option
};

inline Check writes(const QStringList& run) {
    return [run](const Drawn& drawn) {
        QVERIFY2(drawn.writes(run), qPrintable(run.join(u' ') + "\nis not in\n" + drawn.texts().join(u'|')));
    };
}
inline Check mentions(const QString& words) {
    return [words](const Drawn& drawn) {
        QVERIFY2(drawn.mentions(words), qPrintable(words + "\nis not in\n" + drawn.texts().join(u'|')));
    };
}
inline Check lacks(const QStringList& run) {
    return [run](const Drawn& drawn) { QVERIFY2(!drawn.writes(run), qPrintable(run.join(u' '))); };
}
inline Check both(const Check& one, const Check& other) {
    return [one, other](const Drawn& drawn) {
        one(drawn);
        if (!QTest::currentTestFailed()) other(drawn);
    };
}

/// Rows of the pictures, whose numbers are computed here from the model files, by the engine alone: neither stage nor
/// window has a hand in them.
class RenderRows {
public:
    std::vector<RenderRow> all() {
        if (m_rows.empty()) {
            attention();
            wall();
            values();
            queryKeyValue();
            masks();
            positions();
            recurrent();
            lens();
            why();
            surgery();
            residuals();
            feedForward();
            loss();
            subwords();
            decode();
            judged();
            compare();
            training();
            models();
            places();
        }
        return m_rows;
    }

    const std::shared_ptr<const TrainedModel>& shared(const QString& name) {
        std::shared_ptr<const TrainedModel>& kept = m_models[name];
        if (!kept) kept = shippedModel(name);
        return kept;
    }
    const TrainedModel& model(const QString& name) { return *shared(name); }
    Trace trace(const QString& name = kModel, const QString& source = {}, const QString& target = {},
                const std::vector<std::string>& mute = {}) {
        const TrainedModel& reader = model(name);
        const std::string read = (source.isEmpty() ? exampleSentence(reader) : source).toStdString();
        return traceSentence(reader, read, target.isEmpty() ? std::nullopt : std::optional(target.toStdString()),
                             parseMutedHeads(mute, *reader.network));
    }

    static inline const QString kModel = QStringLiteral("vi-en-transformer");

private:
    /// Of kModel, where the row names no other and no lesson that does.
    void add(const char* picture, const QStringList& options, const Check& check, const QStringList& more = {}) {
        const auto names = [](const QString& option) {
            return option.startsWith(QLatin1String("model=")) || option.startsWith(QLatin1String("lesson="));
        };
        const bool hasModel = more.contains(QLatin1String("--model")) ||
                              more.join(u' ').contains(QLatin1String("model=")) || std::ranges::any_of(options, names);
        const QStringList which =
            hasModel ? QStringList() : QStringList{QStringLiteral("--model"), file(qPrintable(kModel))};
        m_rows.push_back({QString::fromLatin1(picture), options, check, which + more});
    }

    template <class Values>
    static QStringList written(const Values& values, int decimals = 2) {
        QStringList all;
        for (const auto value : values)
            all << formatNumber(static_cast<double>(value), decimals);
        return all;
    }
    /// Of a head counted from 1.
    static QStringList headOf(const Trace& trace, const std::string& name, int head) {
        return written(trace.at(name).head(head - 1));
    }
    static QString mean(std::span<const float> row) {
        double sum = 0;
        for (const float value : row)
            sum += static_cast<double>(value);
        return QStringLiteral("mean ") + formatNumber(sum / static_cast<double>(row.size()), 3);
    }
    QStringList wordsOf(const Written& translation) const {
        QStringList all;
        for (size_t i = 0; i < translation.tokens.size(); ++i)
            all << QString::fromStdString(translation.tokens[i])
                << formatNumber(std::exp(translation.tokenLogProbs[i]));
        return QStringList{formatLogProb(translation.logProb)} + all;
    }

    void attention() {
        const std::string block = "decoder.layers.1.cross_attn";
        const Trace own = trace();
        const QString at = QStringLiteral("block=decoder.layers.1.cross_attn");
        for (const int head : {1, 3, 8}) {
            const QStringList weights = headOf(own, block + ".weights", head);
            const QString option = QStringLiteral("head=%1").arg(head);
            const auto values = own.at(block + ".weights").head(head - 1);
            const std::vector<float> shades(values.begin(), values.end());
            const Check colours = [weights, shades](const Drawn& drawn) {
                const std::vector<QColor> grounds = drawn.grounds(weights);
                QCOMPARE(grounds.size(), shades.size());
                for (size_t i = 0; i < shades.size(); ++i)
                    QCOMPARE(grounds[i].name(), ColorScale::weights().color(Theme::light(), double(shades[i])).name());
            };
            add("attention", {at, option, "quantity=weights", "picture=lines"},
                both(writes(QStringList{QStringLiteral("Head %1").arg(head)} + weights), colours));
        }
        add("attention", {at, "head=5", "quantity=scores"}, writes(headOf(own, block + ".scores", 5)));
        for (const AttentionBlock& each : attentionBlocks(own))
            if (each.scope.toStdString() == block)
                add("attention", {at, "quantity=rollout"}, writes(written(attentionRollout(own, each))));
        add("attention", {"block=encoder.layers.1.self_attn", "head=2", "picture=heads"},
            both(writes(headOf(own, "encoder.layers.1.self_attn.weights", 2)), mentions("a colour for each head")));
        // What reads 0.00 is none of the largest.
        QStringList row, whole;
        const QStringList all = headOf(own, block + ".weights", 3);
        for (int i = 0; i < 5; ++i) {
            const QStringList entry{QString::fromStdString(own.sourceTokens[size_t(i)]), all[5 + i]};
            whole += entry;
            if (all[5 + i] != QLatin1String("0.00")) row += entry;
        }
        add("attention", {"focus=decoder.layers.1.cross_attn.weights", "cell=2,1", "head=3", "picture=text"},
            both(writes(QStringList{"<eos>"} + whole), both(mentions("Row “am”"), writes(row))));
        overlaid();
        add("attention", {at, "step=30"}, both(mentions("Computed in a later step"), lacks({"Head 1", "1.00"})));
        add("attention", {at, "head=2"}, writes(headOf(trace(kModel, "tôi yêu bạn"), block + ".weights", 2)),
            {"--source", "tôi yêu bạn"});
        add("attention", {at, "source=mẹ tôi yêu bố tôi"},
            writes(headOf(trace(kModel, "mẹ tôi yêu bố tôi"), block + ".weights", 1)));
        add("attention", {at, "head=2", "target=you love me"},
            writes(headOf(trace(kModel, {}, "you love me"), block + ".weights", 2)));
        add("attention", {at, "head=2", "mute=decoder.layers.0.cross_attn.2, encoder.layers.0.self_attn.0"},
            writes(headOf(trace(kModel, {}, {}, {"decoder.layers.0.cross_attn.2", "encoder.layers.0.self_attn.0"}),
                          block + ".weights", 2)));
    }

    /// Of the last block of the decoder, the mean of heads 1, 3 and 4; and what filters leave.
    void overlaid() {
        const std::string block = "decoder.layers.1.cross_attn";
        const Trace own = trace();
        const TraceRecord& weights = own.at(block + ".weights");
        std::vector<float> mean(weights.head(0).size());
        for (const int head : {0, 2, 3})
            for (size_t i = 0; i < mean.size(); ++i)
                mean[i] += weights.head(head)[i] / 3;
        add("attention", {"block=decoder.layers.1.cross_attn", "head=1", "overlaid=3, 4"},
            both(writes(QStringList{"Mean of heads 1, 3, 4"} + written(mean)), mentions("a colour for each head")));
        add("attention", {"block=decoder.layers.1.cross_attn", "top=1", "specials=shown", "first_word=shown"},
            mentions(QStringLiteral("%1 of ").arg(own.targetTokens.size())));
        // The first column is <bos>, and the last row writes <eos>.
        const auto self = own.at("decoder.layers.0.self_attn.weights").head(0);
        const size_t n = own.targetTokens.size();
        double hidden = 0;
        for (size_t row = 0; row + 1 < n; ++row)
            hidden += static_cast<double>(self[row * n]) / static_cast<double>(n - 1);
        const Check share =
            mentions(QStringLiteral("1 word hidden, with %1 of the weight").arg(formatPercent(hidden, 0)));
        add("attention", {"block=decoder.layers.0.self_attn", "specials=hidden"}, share);
        const std::string label = "encoder.layers.0.self_attn";
        const auto encoder = own.at(label + ".weights").head(1);
        const size_t m = own.sourceTokens.size();
        std::vector<float> rest;
        for (size_t row = 1; row < m; ++row)
            rest.insert(rest.end(), encoder.begin() + static_cast<std::ptrdiff_t>(row * m + 1),
                        encoder.begin() + static_cast<std::ptrdiff_t>((row + 1) * m));
        add("attention", {"block=encoder.layers.0.self_attn", "head=2", "first_word=hidden", "zoom=1"},
            both(writes(written(rest)), mentions("1 word hidden")));
        for (const char* pairs : {"all", "first-to-second", "second-to-first", "within-first", "within-second"})
            add("attention", {"block=encoder.layers.0.self_attn", "head=2", QStringLiteral("pairs=%1").arg(pairs)},
                writes(written(encoder)));  // it is one sentence: nothing is left out
    }

    /// The heads that look from one word to another, the strongest first.
    void wall() {
        const Trace own = trace();
        std::vector<std::pair<float, QString>> looking;
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 8; ++head) {
                const std::string name = "decoder.layers." + std::to_string(layer) + ".cross_attn.weights";
                const float weight = own.at(name).head(head)[1 * 5 + 2];
                if (weight >= 0.05F)
                    looking.emplace_back(-weight, QStringLiteral("Layer %1, head %2").arg(layer + 1).arg(head + 1));
            }
        std::ranges::sort(looking);
        QStringList found;
        for (size_t i = 0; i < std::min<size_t>(looking.size(), 5); ++i)
            found << looking[i].second << formatNumber(-static_cast<double>(looking[i].first));
        add("attention", {"picture=wall", "focus=decoder.layers.1.cross_attn.weights", "cell=2,3", "least_weight=0.05"},
            both(writes(found), mentions("All 16 heads")));
        const HabitPlaces places(own, own.at("encoder.layers.0.self_attn.weights"));
        const HeadFacts facts = places.read(own.at("encoder.layers.0.self_attn.weights").head(2)).facts();
        add("attention", {"picture=wall", "block=encoder.layers.0.self_attn", "head=3", "order=entropy"},
            both(writes({"Layer 1, head 3"}), writes({"Entropy", formatNumber(facts.entropy)})));
        const TextAblation ablation = ablateHeadsOnText(model(kModel), exampleSentence(model(kModel)).toStdString());
        const auto rise =
            std::ranges::find(ablation.heads, MutedHead{"encoder.layers.0.self_attn", 2}, &HeadRise::head);
        add("attention", {"picture=wall", "block=encoder.layers.0.self_attn", "head=3", "order=importance"},
            writes({"Loss when muted", formatSigned(rise->rise, 3)}));
        wallAsAsked();
    }

    /// Its orders, habits and layers; by their words alone, as its squares have none.
    void wallAsAsked() {
        const auto ask = [this](const QString& option, const Check& check) {
            add("attention", {"picture=wall", "block=encoder.layers.0.self_attn", option}, check);
        };
        ask("order=layer", mentions("Found to look at"));
        for (const char* order : {"habit", "distance", "first-word"})
            ask(QStringLiteral("order=%1").arg(order), mentions("The best head first"));
        ask("habit=any", mentions("All 16 heads"));
        for (const char* habit : habitWords)
            ask(QStringLiteral("habit=%1").arg(habit), mentions("All 16 heads"));
        ask("first_layer=2", writes({"Layers", "2"}));
        ask("last_layer=1", writes({"Layers", "1"}));
    }

    void values() {
        const Trace own = trace();
        const QString focus = QStringLiteral("focus=encoder.layers.1.self_attn.scores");
        const QStringList scores = headOf(own, "encoder.layers.1.self_attn.scores", 4);
        const float cell = own.at("encoder.layers.1.self_attn.scores").head(3)[7];
        add("values", {focus, "head=4", "cell=2,3", "histogram=off"},
            both(writes(scores), writes({"This cell: ", "đang", " looks at ", "học",
                                         ", " + formatPrecise(static_cast<double>(cell))})));
        add("values", {focus, "head=4", "histogram=on"},
            both(lacks(scores),
                 writes(
                     {formatNumber(*std::ranges::min_element(own.at("encoder.layers.1.self_attn.scores").head(3)), 3) +
                      " … " +
                      formatNumber(*std::ranges::max_element(own.at("encoder.layers.1.self_attn.scores").head(3)),
                                   3)})));
        const QStringList trail = {"Model", "›", "Encoder", "›", "Layer 2", "›", "Self-attention", "›", "Scores"};
        add("architecture", {focus, "head=4", "level=operation"}, both(writes(trail), writes(scores)));
        add("architecture", {focus, "head=4", "level=block", "histogram=off"},
            both(both(writes(trail.first(7)), lacks(trail)), writes(scores)));
        add("architecture", {focus, "head=4", "level=layer", "histogram=on"},
            both(both(writes(trail.first(5)), lacks(trail.first(7))), lacks(scores)));
        add("architecture", {focus, "level=model"}, both(writes({"Model", "Encoder"}), lacks(trail.first(3))));
    }

    void queryKeyValue() {
        const QueryKeyValue example = workedExample();
        const auto weights = [&](bool scaled, double temperature) {
            return writes(written(attend(example, scaled, temperature).weights));
        };
        add("query-key-value",
            {"equation=apart", "matrices=example", "scaled=on", "kinds=off", "focus=weights", "cell=3,5"},
            both(weights(true, 1),
                 writes({"Weights, “am”, English", formatNumber(double(attend(example, true, 1).weights[14]), 3)})));
        add("query-key-value", {"equation=apart", "scaled=off"}, weights(false, 1));
        add("query-key-value", {"equation=apart", "sharpness=2"}, weights(true, 2));
        // The first score of the lectures: 0.30 × 0.40 + 0.50 × 0.50 + 0.20 × 0.10 + 0.10 × 0.20.
        add("query-key-value", {"equation=one", "matrices=example"},
            both(writes({"0.30", " × ", "0.40", " + ", "0.50", " × ", "0.50"}), writes({"score", "s"})));
        QueryKeyValue changed = example;
        changed.query[1] = 0.9F;
        add("query-key-value", {"equation=apart", "numbers=Q[1,2]=0.9"},
            writes(written(attend(changed, true, 1).scores)));
        const ScoreAngle angle = scoreAngle(example, 2, 4);
        const auto four = [](double number) { return formatNumber(number, 4); };
        add("query-key-value", {"angle=on", "focus=scores", "cell=3,5"},
            both(mentions(QStringLiteral("%1 × %2 × %3").arg(four(angle.query), four(angle.key), four(angle.cosine()))),
                 mentions(four(angle.product))));
        add("query-key-value", {"batch=on", "batch_second=tôi yêu", "block=encoder.layers.0.self_attn"},
            both(mentions(QStringLiteral("(2, 5, 8, 8)")), mentions(QStringLiteral("in memory, twice"))));
        add("query-key-value", {"batch=off", "angle=off", "equation=apart"},
            both(weights(true, 1), [](const Drawn& drawn) { QVERIFY(!drawn.mentions(QStringLiteral("cos"))); }));
        add("query-key-value", {"kinds=on"},
            both(writes(QStringList{"Dot product", "q · k, nothing to learn"} +
                        written(attendBy(example, ScoreKind::Dot).weights)),
                 writes(written(attendBy(example, ScoreKind::Additive).weights))));
        add("query-key-value", {"equation=apart", "matrices=model", "block=encoder.layers.0.self_attn", "head=3"},
            writes(headOf(trace(), "encoder.layers.0.self_attn.scores", 3)));
    }

    void masks() {
        const auto head = trace().at("decoder.layers.0.self_attn.scores").head(3);
        const std::vector<float> scores(head.begin(), head.end());
        const auto shown = [&](std::vector<char> blocked, MaskingWay way) {
            const MaskedAttention masked = maskedAttention(scores, blocked, 5, 5, way);
            QStringList all;
            for (size_t i = 0; i < masked.weights.size(); ++i)
                all << (blocked[i] && masked.weights[i] == 0 ? QStringLiteral("0")
                                                             : formatNumber(double(masked.weights[i])));
            return writes(all);
        };
        const QStringList alone = {"padding=0", "second=none", "head=4", "stack=decoder"};
        using Way = MaskingWay;
        const std::vector<char> causal = causalMaskOf(5, 5);
        add("masks", alone + QStringList{"masking=add"},
            both(writes(written(scores)), shown(causal, Way::AddMinusInfinity)));
        add("masks", alone + QStringList{"masking=billion"},
            both(writes({written(scores)[0], "−1e9"}), shown(causal, Way::AddMinusABillion)));
        add("masks", alone + QStringList{"masking=multiply"}, shown(causal, Way::MultiplyMinusInfinity));
        add("masks", alone + QStringList{"masking=after"}, shown(causal, Way::AfterSoftmax));
        std::vector<char> opened = causal;
        opened[2] = 0;
        add("masks", alone + QStringList{"cells=1,3"}, shown(opened, Way::AddMinusInfinity));
        add("masks", {"stack=encoder", "padding=0", "second=none", "head=2"},
            writes(headOf(trace(), "encoder.layers.0.self_attn.scores", 2)));
        add("masks", {"padding=3"},
            writes({"1", "<bos>", "i", "am", "learning", "english", "<pad>", "<pad>", "<pad>"}));
        const Trace other = trace(kModel, "tôi yêu bạn");
        const auto rows = other.at("decoder.layers.0.self_attn.scores").head(3);
        add("masks", {"second=tôi yêu bạn", "sentence=2", "head=4", "padding=1"},
            both(writes({"2", "<bos>", "i", "love", "you", "<pad>"}),
                 both(writes({formatNumber(double(rows[0])), "−∞"}), writes(written(rows.subspan(12, 4))))));
    }

    void positions() {
        const auto cell = [](int length, int width, double base, int row, int column) {
            const std::vector<float> table = sinusoidalTable(length, width, base);
            return formatNumber(double(table[static_cast<size_t>((row - 1) * width + column - 1)]), 4);
        };
        add("positions", {"table=sinusoid", "cell=3,5", "length=7", "width=16", "base=100"},
            both(writes({"position 2, dimension 4, so i = 2"}), writes({cell(7, 16, 100, 3, 5)})));
        const std::vector<PositionTurn> turns = positionTurns(16, 100, SinusoidLayout::Interleaved, 2, 5);
        const auto four = [](double number) { return formatNumber(number, 4); };
        add("positions", {"waves=hands", "offset=5", "cell=3,5", "length=7", "width=16", "base=100"},
            writes({four(turns[2].to[0]), four(turns[2].to[1]), "=", four(turns[2].rotation[0][0]),
                    four(turns[2].rotation[0][1]), four(turns[2].rotation[1][0]), four(turns[2].rotation[1][1]), "·",
                    four(turns[2].from[0]), four(turns[2].from[1])}));
        add("positions", {"waves=curves"},
            both(mentions("Four dimensions"), [](const Drawn& drawn) { QVERIFY(!drawn.mentions("Turning hands")); }));
        const PositionTable learned = positionsOf(model("fr-en-transformer"));
        add("positions", {"table=model", "cell=3,5"},
            writes({"position 2, dimension 4", formatNumber(double(learned.at(2, 4)), 4)}),
            {"--model", file("fr-en-transformer")});
        const Trace own = trace();
        add("positions", {"word=4"},
            both(writes({"tiếng", "word", mean(rowOf(own, "encoder.embedding", 3))}),
                 both(writes({"position", mean(rowOf(own, "encoder.positional_encoding", 3))}),
                      writes({"together", mean(rowOf(own, "encoder.input", 3))}))));
        add("positions", {"shuffles=2"}, [](const Drawn& drawn) {
            const QString line = drawn.texts().filter("reads as").value(0);
            QStringList words = line.section(u'“', 1, 1).section(u'”', 0, 0).split(u' ');
            const QStringList right = {"tôi", "đang", "học", "tiếng", "anh"};
            QVERIFY2(words != right, qPrintable(line));
            QVERIFY2(QSet<QString>(words.begin(), words.end()) == QSet<QString>(right.begin(), right.end()),
                     qPrintable(line));
        });
    }

    void recurrent() {
        const QStringList lstm = {"--model", file("vi-en-long-lstm-attention")};
        const Trace own = trace("vi-en-long-lstm-attention");
        const QStringList weights = written(own.at("decoder.attention.weights").values);
        add("recurrent", {"step=3", "side=alignment"},
            both(both(writes({"Encoder, step 3: reads “bạn”"}), writes(weights)),
                 both(writes({"input gate", mean(rowOf(own, "encoder.layers.0.gates.input", 2)), "0 … 1"}),
                      writes({"forget gate", mean(rowOf(own, "encoder.layers.0.gates.forget", 2)), "0 … 1"}))),
            lstm);
        add("recurrent", {"side=auto"}, both(writes({"Alignment", "Gradient", "Length"}), writes(weights)), lstm);
        add("recurrent", {"side=gradient"}, both(mentions("How far back the gradient reaches"), lacks(weights)), lstm);
        add("recurrent", {"side=none"}, both(lacks({"Alignment", "Gradient", "Length"}), lacks(weights)), lstm);
        add("recurrent", {"side=length", "measured=vi-en-rnn"},
            both(mentions(" RNN, no attention: "), lacks({"Alignment", "While"})), lstm);
        add("recurrent", {"layer=2", "step=2"}, writes({"Layer 1, last word to first"}),
            {"--model", file("chat-gru-attention")});
        const auto part = [&](const char* name, int word, int unit) {
            const TraceRecord& record = own.at(name);
            return formatNumber(double(record.values[size_t(word * record.dim(1) + unit)]), 3);
        };
        const QStringList wide = lstm + QStringList{"--size", "1800x1000"};
        add("cell", {"cell_units=stored", "cell_unit=98", "cell_word=3"},
            both(both(writes({"Unit 98", "at word 3 of " + QString::number(own.sourceTokens.size()) + ", “bạn”"}),
                      writes({part("encoder.layers.0.cell", 1, 97), part("encoder.layers.0.gates.forget", 2, 97)})),
                 mentions("in the order of the weights")),
            wide);
        add("cell", {"cell_unit=5", QStringLiteral("cell_word=%1").arg(own.sourceTokens.size() + 2)},
            both(writes({"Unit 5"}),
                 writes({part("decoder.layers.0.gates.output", 1, 4), "×", part("decoder.layers.0.hidden", 1, 4)})),
            lstm);
        add("cell", {"cell_units=sorted"}, mentions("those that forget least stand at the top"), wide);
        add("cell", {"layer=2", "cell_word=2"}, writes({"Encoder, which reads, last word to first"}),
            {"--model", file("chat-gru-attention")});
        add("cell", {"recurrent_gain=4", "side=gradient"}, mentions("times 4.00 it is"),
            {"--model", file("vi-en-long-rnn"), "--size", "1800x1000"});
        add("cell", {}, mentions("This model has no recurrent cell"));
    }

    /// Every cell of these depths as it is written where there is room: word and number, and what is read.
    Check saidAt(const Trace& own, const std::vector<size_t>& depths) {
        const LogitLens lens(model(kModel), own);
        const Vocabulary& vocabulary = model(kModel).target->vocabulary();
        QStringList all;
        for (const size_t depth : depths)
            for (const LensCell& cell : lens.read(depth)) {
                all << QString::fromStdString(vocabulary.token(cell.words[0].id))
                    << formatNumber(double(cell.words[0].probability));
                if (cell.source >= 0)
                    all << "reads " + QString::fromStdString(own.sourceTokens[size_t(cell.source)])
                        << formatNumber(double(cell.sourceWeight));
            }
        return writes(all);
    }

    void lens() {
        const Trace own = trace();
        const LogitLens lens(model(kModel), own);
        QStringList five;
        const std::vector<LensCell> row = lens.read(5);
        for (const LensCell::Word& word : row[2].words)
            five << QString::fromStdString(model(kModel).target->vocabulary().token(word.id))
                 << formatNumber(double(word.probability), 3);
        add("lens", {"lens_rows=sublayer", "lens_cell=6,3"},
            both(both(saidAt(own, {0, 1, 2, 3, 4, 5, 6}), writes(five)),
                 both(mentions("After “am”"), writes({"layer 2, cross-attention"}))));
        add("lens", {"lens_rows=layer"},
            both(both(saidAt(own, {0, 3, 6}), lacks({"cross-attention"})), mentions("After “english”")));
        const std::string muted = "decoder.layers.0.cross_attn.2";
        add("lens", {"mute=decoder.layers.0.cross_attn.2"},
            saidAt(trace(kModel, {}, {}, {muted}), {0, 1, 2, 3, 4, 5, 6}));
        add("lens", {}, mentions("This model is recurrent"), {"--model", file("vi-en-gru")});
    }

    void why() {
        const Trace own = trace();
        const auto id = [this](const char* word) { return model(kModel).target->vocabulary().id(word); };
        const Why love(model(kModel), own, 1, id("am"), id("are"));
        QStringList parts;
        for (const WhyPart& part : love.parts())
            parts << formatSigned(part.amount, 3);
        const auto amounts = [parts](const Drawn& drawn) {
            for (const QString& part : parts)
                QVERIFY2(drawn.writes({part}), qPrintable(part));
        };
        add("why", {"why_row=2", "why_word=am", "why_against=are", "why_opened=0"},
            both(amounts, mentions("= " + formatSigned(love.difference(), 3))));
        const std::vector<WhyPart> heads = love.open(love.parts()[5]);
        add("why", {"why_row=2", "why_word=am", "why_against=are", "why_opened=0", "why_method=difference"}, amounts);
        add("why", {"why_row=2", "why_word=am", "why_against=are", "why_opened=6, 2"},
            both(writes({"Head 2", formatSigned(heads[1].amount, 3)}), mentions("Head 2")));
        // Of each method what it says of the sentence, and one of them for every word.
        QStringList lost;
        const Attribution without = attribute(model(kModel), own, 1, id("am"), AttributionMethod::Occlusion);
        for (const double number : without.source)
            lost << formatSigned(number);
        for (const char* method : {"gradient", "integrated", "occlusion", "attention", "values"})
            add("why", {"why_row=2", "why_word=am", QStringLiteral("why_method=%1").arg(method)},
                both(writes(lost),
                     mentions(QStringLiteral("by ") +
                              attributionName(attributionMethods()[static_cast<size_t>(
                                  std::ranges::find(attributionMethods(), std::string(method),
                                                    [](AttributionMethod each) { return std::string(nameOf(each)); }) -
                                  attributionMethods().begin())]))));
    }

    void surgery() {
        const QString a = QStringLiteral("tôi đang học tiếng anh"), b = QStringLiteral("tôi đang học lịch sử");
        const SurgeryPicture picture(shared(kModel), a, b);
        for (const auto& [word, kind] :
             {std::pair("state", PatchDepth::Kind::State), std::pair("sublayer", PatchDepth::Kind::Sublayer),
              std::pair("head", PatchDepth::Kind::Head)}) {
            const SurgeryEdit edit{kind, 1, 3, true};
            const auto outcome = picture.outcome({edit});
            add("surgery",
                {"surgery_other=" + b, QStringLiteral("surgery_pieces=%1").arg(word),
                 "surgery_edits=" + QString::fromStdString(edit.text())},
                both(writes({formatSigned(picture.patching().differenceOfA(), 3)}),
                     both(mentions(QStringLiteral("now %1").arg(formatSigned(outcome.difference, 3))),
                          writes({formatNumber(outcome.words[0].before, 3), formatNumber(outcome.words[0].now, 3)}))),
                {"--source", a});
        }
        const std::string block = "decoder.layers.1.cross_attn";
        const SurgeryPicture off(shared(kModel), a, a, {{{block, 0}}, nullptr});
        add("surgery", {QStringLiteral("surgery_without=%1.0").arg(QString::fromStdString(block))},
            writes({formatSigned(off.patching().differenceOfA(), 3), formatSigned(off.patching().differenceOfB(), 3)}),
            {"--source", a});
        const QString other = QStringLiteral("vi-en-unsmoothed");
        const SurgeryPicture read(shared(kModel), a, a, {{}, shared(other)});
        add("surgery", {"surgery_read_by=" + other},
            writes(
                {formatSigned(read.patching().differenceOfA(), 3), formatSigned(read.patching().differenceOfB(), 3)}),
            {"--source", a});
    }

    void residuals() {
        const Trace own = trace();
        const auto number = [&](const std::string& name, int row, size_t at) {
            return formatNumber(double(rowOf(own, name, row)[at]), 3);
        };
        const NormedRow normed = normRow(model(kModel), own, "decoder.layers.0.norm1", 2);
        add("residuals", {"residual_stack=decoder", "residual_word=3", "residual_number=8", "residual_depth=1"},
            both(both(writes({"comes in", number("decoder.input", 2, 7)}),
                      writes({"the sum", number("decoder.layers.0.residual1", 2, 7)})),
                 both(mentions("Number 8 of 64"), mentions("less the mean, " + formatNumber(normed.mean, 3)))));
        add("residuals", {"residual_stack=encoder", "residual_depth=4", "residual_word=2"},
            both(mentions("Encoder, layer 2, feed-forward"),
                 writes({"comes in", number("encoder.layers.1.norm1", 1, 0)})));
        add("residuals", {}, both(mentions("Normalise, then add"), mentions("vi-en-transformer: the norm sits")),
            {"--model", file("vi-en-pre-norm")});
        add("residuals", {}, mentions("This model is recurrent"), {"--model", file("vi-en-gru")});
    }

    void feedForward() {
        const Trace own = trace();
        const FeedForwardLayer layer = feedForwardLayers(own)[3];
        const auto active = rowOf(own, layer.activation, 2);
        const auto fired = QString::number(std::ranges::count_if(active, [](float value) { return value > 0; }));
        const std::vector<double> words = unitWords(model(kModel), own, layer, 82);
        const auto best = std::ranges::max_element(words);
        const QString promoted =
            QString::fromStdString(model(kModel).target->vocabulary().token(int(best - words.begin())));
        const QStringList at{"unit_layer=2", "unit_word=3", "unit=83"};
        add("feed-forward", at,
            both(both(writes({"am", "writes learning", fired + " of 256 fire"}),
                      writes({promoted, formatNumber(*best)})),
                 both(mentions("Decoder, layer 2, feed-forward"), mentions("cut off"))));
        const Trace without = traceWithoutUnit(model(kModel), own, layer, 82);
        const auto p = [&](const Trace& of) {
            const auto row = rowOf(of, "log_probs", 2);
            const int learning = model(kModel).target->vocabulary().find("learning");
            return formatNumber(std::exp(double(row[size_t(learning)])), 3);
        };
        add("feed-forward", at + QStringList{"unit_muted=on"},
            both(mentions("Unit 83 is muted"), writes({"p(learning)", p(own) + " → " + p(without)})));
        add("feed-forward", at + QStringList{"activation=gelu", "unit_order=sorted", "unit_stack=decoder"},
            both(mentions("drawn as if it had GELU"), mentions("little of them passes")));
        add("feed-forward", at + QStringList{"activation=relu"}, mentions("256 units"));
        add("feed-forward", {"unit_stack=encoder", "unit_order=stored", "activation=own", "unit_muted=off"},
            mentions("A unit of the encoder reaches the words"));
        add("feed-forward", {}, mentions("This model has no feed-forward network"), {"--model", file("vi-en-gru")});
    }

    /// A row of the opened word: its logit, p, q and p − q.
    static QStringList openedRow(const TrainedModel& model, const WordLoss& loss, int word) {
        return {QString::fromStdString(model.target->vocabulary().token(word)),
                formatNumber(loss.logits()[size_t(word)]), formatNumber(loss.probability(word), 4),
                formatNumber(loss.wanted(word), 4), formatSigned(loss.gradient(word), 4)};
    }

    void loss() {
        const QString target = QStringLiteral("i am learning apple");
        const Trace forced = trace(kModel, {}, target);
        const int apple = model(kModel).target->vocabulary().id("apple");
        for (const int steps : {0, 2}) {
            const WordLoss word = WordLoss(logitsAt(forced, 3), apple, 0.2).stepped(steps);
            add("loss", {"target=" + target, "loss_word=4", "smoothing=0.2", QStringLiteral("descended=%1").arg(steps)},
                both(both(writes(openedRow(model(kModel), word, apple)), writes({"sum", "1.0000", "1.0000", "0.0000"})),
                     both(mentions("After “i am learning”"), writes({formatNumber(word.loss(), 3), "nats"}))));
        }
        const Trace own = trace();
        const std::vector<WordCost> costs = costsOf(own, targetWords(model(kModel).network->config(), own), 1);
        add("loss", {"smoothing=0"}, mentions("mean " + formatNumber(meanLoss(costs, 0).plain)));
        add("loss", {}, mentions("For this text the model expects"), {"--model", file("sentiment-transformer")});
    }

    void subwords() {
        add("subwords", {"merges=26", "cut=Nikitin"},
            both(writes({"Nikitin", "Ni", "@@", "ki", "@@", "tin", "<unk>", "3"}), mentions("Merge 26 of 60")));
        add("subwords", {"merges=5", "merges_learned=12"}, mentions("Merge 5 of 12"));
        add("subwords", {"corpus=model"}, mentions("This model reads whole words"));
        const MergeFilm film(mergeCorpus("stories").counts, 2);
        const MergeFilm::Pair first = film.frame(0, 1, 0).pairs.front();
        add("subwords", {"corpus=stories", "merges=1"},
            both(writes({"1", QString::fromStdString(first.left), "+", QString::fromStdString(first.right),
                         formatCount(first.count)}),
                 mentions(formatCount(film.tokens()) + " words")));
        add("subwords", {"own_text=low low lower", "merges=2", "cut=lowest"},
            both(writes({"lowest", "lo", "@@", "w", "@@", "e", "@@", "s", "@@", "t", "<unk>", "5"}),
                 mentions("as you wrote it")));
    }

    void decode();
    void judged();
    void compare();
    void training();
    void models();
    void places();

    static QString file(const char* name) {
        return QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/%1.safetensors").arg(QLatin1String(name));
    }

    QTemporaryDir m_folder;
    std::vector<RenderRow> m_rows;
    std::map<QString, std::shared_ptr<const TrainedModel>> m_models;
};

}  // namespace headlight::fixture

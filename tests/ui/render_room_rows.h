// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/free_running.h"
#include "tests/ui/render_rows.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/heads_story.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/test_set.h"
#include "ui/session/open/training_run.h"
#include "ui/views/train/training_settings.h"

namespace headlight::fixture {

// The rows of the other rooms than Explore.

inline void RenderRows::decode() {
    const auto best = [this](const Decoding::Settings& settings) {
        const auto found = searchNow(shared(kModel), exampleSentence(model(kModel)), settings);
        const Written& first = found->search.translation.best();
        return writes(
            {formatNumber(first.logProb, 3), QString::number(first.tokens.size()), formatNumber(first.score, 3)});
    };
    using Kind = LengthPenalty::Kind;
    for (const int beam : {1, 2, 3, 4, 5, 8}) {
        const auto ended = std::ranges::count(
            searchNow(shared(kModel), exampleSentence(model(kModel)), {.beam = beam})->search.tree.nodes,
            SearchNode::State::Finished, &SearchNode::state);
        const QString finished = ended > beam ? QStringLiteral("Finished: %1, the best %2 kept").arg(ended).arg(beam)
                                              : QStringLiteral("Finished: %1 of %2").arg(ended).arg(beam);
        add("decode", {QStringLiteral("beam=%1").arg(beam)}, both(writes({finished}), best({.beam = beam})));
    }
    add("decode", {"scoring=average"}, best({.penalty = {Kind::Average, 0}}));
    add("decode", {"scoring=none"}, best({.penalty = {Kind::None, 0}}));
    add("decode", {"scoring=gnmt", "penalty=0.3"}, best({.penalty = {Kind::Gnmt, 0.3}}));
    add("decode", {"scoring=power", "penalty=0.8"}, best({.penalty = {Kind::Power, 0.8}}));
    // A model that does not say how it is searched has no search of its own.
    add("decode", {"search=own"}, both(best({}), lacks({"the model's own search"})));
    add("decode", {"search=set", "beam=3"}, best({.beam = 3}));
    add("decode", {"max_length=3"}, both(writes({"Finished: 0 of 2"}), best({.maxLength = 3})));
    const Vocabulary& words = model(kModel).target->vocabulary();
    add("decode", {"fixed=you love"},
        both(writes({"Fixed: you love"}), best({.prefix = {words.id("you"), words.id("love")}})));
    // The first word that was looked at and given up.
    const auto found = searchNow(shared(kModel), exampleSentence(model(kModel)), {});
    const auto& nodes = found->search.tree.nodes;
    const auto pruned = std::ranges::find(nodes, SearchNode::State::Pruned, &SearchNode::state);
    const QStringList given = {formatNumber(pruned->cumulative)};
    add("decode", {"dead_ends=folded"}, lacks(given));
    add("decode", {"dead_ends=shown"}, writes(given));

    const QString writer = QStringLiteral("stories-transformer");
    const Trace own = trace(writer);
    const TraceRecord& logits = own.at("logits");
    const std::span<const float> last = rowOf(own, "logits", logits.shape[0] - 1);
    const ModelConfig& config = model(writer).network->config();
    const int never[] = {config.padId, config.bosId};
    const auto likeliest = [&](const SamplingOptions& options, qsizetype count) {
        QStringList all;
        for (const Candidate& each : candidates(last, options, never))
            if (all.size() < 2 * count)
                all << QString::fromStdString(model(writer).target->vocabulary().token(each.word))
                    << formatNumber(each.probability, 3);
        return writes(all);
    };
    const QStringList from = {"--model", file("stories-transformer")};
    add("decode", {"temperature=0.5"}, both(writes({"0.5"}), likeliest({.temperature = 0.5}, 3)), from);
    add("decode", {"top_k=3"}, both(mentions("3 of 224 words"), likeliest({.topK = 3}, 3)), from);
    add("decode", {"top_p=0.5"}, both(mentions("1 of 224 words"), likeliest({.topP = 0.5}, 1)), from);
    const QString firstRead = QString::fromStdString(model(writer).target->displayOne(positionIds(own).front()));
    // Along the text each word stands above its column; a translator's decoder is fed <bos> first.
    add("decode", {"river=text"}, writes({firstRead}), from);
    add("decode", {"next_word=on", "river=text"}, writes({"<bos>"}));
    add("decode", {"next_word=off"}, best({}));
    add("decode", {"river=depth"}, writes({"Embedding"}), from);
}

/// A translation beside its reference, and a decoder fed the truth beside one that is not.
inline void RenderRows::judged() {
    const auto set = TestSet::of(model(kModel));
    const SentencePair& pair = set->sentences()[8];
    const std::string written = respond(model(kModel), pair.source).text;
    const auto counted = [&](const std::vector<std::string>& references, size_t order) {
        const Bleu bleu = sentenceBleu(written, references, order).bleu;
        return writes({QStringLiteral("%1/%2").arg(bleu.matches[0]).arg(bleu.totals[0]), QStringLiteral("p"),
                       QStringLiteral("1"), formatNumber(bleu.precisions[0] / 100, 3)});
    };
    add("bleu", {"test_sentence=9"}, both(mentions("Test sentence 9 of 500"), counted({pair.target}, 4)));
    add("bleu", {"test_sentence=9", "ngram=2"}, both(counted({pair.target}, 2), lacks({"threes"})));
    add("bleu", {"test_sentence=9", "references=we are here"},
        both(mentions("Reference 2"), counted({pair.target, "we are here"}, 4)));

    const std::string target = "we are learning french";
    const QStringList forced = {"target=we are learning french"};
    const auto ways = [&](const std::vector<int>& truth) {
        return runTwoWays(model(kModel), exampleSentence(model(kModel)).toStdString(), target, truth);
    };
    const auto apart = [&](const std::vector<int>& truth) {
        const TwoWays both = ways(truth);
        QStringList all;
        for (size_t t = 0; t < std::min(both.forced.steps(), both.free.steps()); ++t)
            all << formatNumber(statesApart(both.forced.states[t], both.free.states[t]));
        return writes(all);
    };
    add("forcing", forced + QStringList{"forced_word=3"}, both(mentions("Word 3, two ways"), apart({})));
    add("forcing", forced + QStringList{"side=places"}, mentions("Right word, place by place"));
    add("forcing", forced + QStringList{"side=runs"}, mentions("training step"));
    add("forcing", forced + QStringList{"truth=1"}, apart({1}));
}

inline void RenderRows::compare() {
    const auto beside = [this](const char* title, const TrainedModel& other, const QString& source = {},
                               const std::vector<std::string>& mute = {}) {
        const std::string read = (source.isEmpty() ? exampleSentence(model(kModel)) : source).toStdString();
        return writes(QStringList{QStringLiteral("B  ·  ") + QString::fromUtf8(title)} +
                      wordsOf(respond(other, read, parseMutedHeads(mute, *other.network))));
    };
    const QStringList high{"--size", "1440x1200"};  // what each writes by itself stands at the foot of the panel
    add("compare", {"with=model", "against=vi-en-gru"}, beside("vi-en-gru", model("vi-en-gru")), high);
    add("compare",
        {"with=model", "against=/nowhere/other.safetensors", "against_hash=" + hashOfFile(file("vi-en-gru"))},
        beside("vi-en-gru", model("vi-en-gru")), high);
    add("compare", {"with=heads", "without=decoder.layers.0.cross_attn.2, decoder.layers.1.cross_attn.2"},
        beside("without 2 heads", model(kModel), {},
               {"decoder.layers.0.cross_attn.2", "decoder.layers.1.cross_attn.2"}),
        high);
    add("compare", {"with=positions"}, beside("without positions", *withoutPositions(model(kModel))), high);
    add("compare", {"with=sentence", "beside=tôi yêu bạn"},
        both(beside("another sentence", model(kModel), QStringLiteral("tôi yêu bạn")), lacks({"One that is kept"})),
        high);
    add("compare", {"with=changes", "changes=decoder.layers.1.cross_attn.weights[4]=0"},
        both(beside("with 1 change", model(kModel), {}, {"decoder.layers.1.cross_attn.3"}), writes({"by hand"})), high);
    add("compare", {"with=sentence", "kept=bạn yêu tôi"}, writes({"One that is kept"}));
}

/// Three steps, trained here and there: the same to the last bit.
inline void RenderRows::training() {
    constexpr int steps = 3;
    StageState state;
    state.training.settings = {"d_model=32", "num_heads=2"};
    TrainingSettings settings;
    settings.showOptions(state);
    TrainingSetup setup;
    settings.apply(setup);
    setup.options.seed = 7;
    setup.options.threads = 1;
    TrainingRun run;
    TrainingPoint last;
    WeightsFrame weights;
    SentencesFrame sentences;
    const auto newest = [](auto& to) { return [&to](const auto& told) { to = told.back(); }; };
    QObject::connect(&run, &TrainingRun::pointsAdded, newest(last));
    QObject::connect(&run, &TrainingRun::weightsAdded, newest(weights));
    QObject::connect(&run, &TrainingRun::sentencesAdded, newest(sentences));
    HeadsStory heads;
    QObject::connect(&run, &TrainingRun::headsAdded, &heads, &HeadsStory::append);
    bool there = false;
    QObject::connect(&run, &TrainingRun::arrived, [&] { there = true; });
    run.reset(setup);
    run.trainTo(steps);
    QVERIFY(QTest::qWaitFor([&] { return there; }, fixture::kPatienceMs));

    const QStringList trained = {"settings=d_model=32, num_heads=2", "seed=7", "train=3"};
    add("training", trained + QStringList{"frame=1"},
        both(both(writes({"train " + formatNumber(last.loss, 3)}), writes({"d model", "32", "Heads", "2"})),
             [](const Drawn& drawn) {
                 QCOMPARE(drawn.ink("Step 1").name(), Theme::light().nowText.name());
                 QCOMPARE(drawn.ink("Step 3").name(), Theme::light().text.name());
             }));
    // The middle row of the encoder's first head but one, looking at its own word.
    const auto filmed = [&heads](int frame) {
        const AttentionBlock& block = heads.blocks(frame).front();
        const size_t middle = static_cast<size_t>(block.rows / 2 * block.columns + block.rows / 2);
        return formatNumber(static_cast<double>(block.headWeights(1)[middle]));
    };
    add("training-heads", trained + QStringList{"learnt=1"},
        both(mentions("has not come to a probability of 0.50"),
             mentions("at " + formatNumber(heads.shown()->said[0].probability, 3) + " at step 3.")));
    add("training-heads", trained + QStringList{"film=encoder.layers.0.self_attn.1"},
        both(mentions("encoder layer 1, self-attention, head 2"),
             both(writes({"step 0", filmed(0), "3", filmed(heads.newest())}),
                  writes({"validation " + formatNumber(heads.shown()->validationLoss, 3)}))));
    QStringList norms;
    for (const ModuleState& module : weights.modules)
        norms << formatNumber(std::log10(module.gradientNorm));
    add("weights", trained, writes(norms.first(8)));
    const SentenceState& first = sentences.sentences.front();
    add("sentences", trained, writes({first.reference, formatNumber(first.loss, 3)}));
    add("runs", trained, mentions("seed 7"));
    add("training-settings", trained.first(1), writes({"Width (d_model or hidden size)", "32"}));
    // Text of one's own: a table of six pairs, of which one word stands twice.
    QFile table(m_folder.filePath(QStringLiteral("pairs.tsv")));
    QVERIFY(table.open(QIODevice::WriteOnly));
    table.write("a b\tone\na c\ttwo\nd\tthree\ne\tfour\nf\tfive\ng h\tsix\n");
    table.close();
    add("training-data", {"settings=pairs=" + table.fileName() + ", longest=1"},
        both(writes({"6 pairs read, 3 used"}), mentions("3 longer than 1 word: lines 1 2 6")));
    const ModelConfig& chat = model("chat-gru-attention").network->config();
    add("training", {"task=chat", "seed=9"},
        both(writes({"Small talk"}),
             both(writes({"Seed", "9"}),
                  mentions(QStringLiteral("%1 / %2").arg(chat.sourceVocabSize).arg(chat.targetVocabSize)))));
}

inline void RenderRows::models() {
    const auto counted = [this](const char* name) {
        const long parameters = std::as_const(*model(name).network).parameters().count();
        return both(writes({name}), mentions(formatCount(parameters) + " parameters"));
    };
    add("models", {"model=vi-en-gru"}, counted("vi-en-gru"));
    add("models", {}, counted("vi-en-rnn"), {"--model", file("vi-en-rnn")});
    add("models", {"model=/nowhere/mine.safetensors", "model_hash=" + hashOfFile(file("vi-en-gru"))},
        counted("vi-en-gru"));
    const QStringList sizes{"cost_words=77", "cost_width=64", "cost_kernel=5"};
    const auto ways = [](Layering layering) {
        QStringList texts;
        const std::vector<LayerCost> costs = layerCosts(77, 64, 5, layering);
        for (size_t i = 0; i < 3; ++i)
            texts << "Path" << costs[i].pathFormula << formatCount(std::lround(costs[i].pathLength)) << "Steps in a row"
                  << (i == 0 ? "n" : "1") << formatCount(std::lround(costs[i].sequentialSteps)) << "Operations"
                  << costs[i].formula << formatTimesPowerOfTen(costs[i].operations);
        return texts;
    };
    const auto bars = [&ways](Layering layering) {
        const QStringList all = ways(layering);
        return both(writes(all.mid(0, 9)), both(writes(all.mid(9, 9)), writes(all.mid(18, 9))));
    };
    add("cost", sizes, bars(Layering::Dilated));
    add("cost", sizes + QStringList{"cost_layers=dilated", "cost_model=open"},
        both(bars(Layering::Dilated), writes({"source_embedding"})));
    add("cost", sizes + QStringList{"cost_layers=plain"}, bars(Layering::Plain));
    add("cost",
        {"cost_model=lstm", "cost_source=100", "cost_target=50", "cost_embedding=8", "cost_hidden=4", "cost_biases=2"},
        both(writes({"100×8"}), mentions("1,898 in all")));
    const auto near = [this](const QString& name, const char* tableName, const QString& word) {
        const EmbeddingTable embeddings = embeddingTable(model(name), tableName);
        const auto at = std::ranges::find(embeddings.names, word.toStdString()) - embeddings.names.begin();
        QStringList all = {QStringLiteral("Nearest to “%1”").arg(word), "cosine of the angle"};
        for (const Neighbour& each : nearestNeighbours(embeddings, static_cast<int>(at), 3))
            all << QString::fromStdString(embeddings.names[size_t(each.index)]) << formatNumber(each.cosine, 3);
        return writes(all);
    };
    add("by-name", {"by_name=pythia-70m"}, mentions(QStringLiteral("pythia-70m")));
    add("embeddings", {"embedding=source", "nearest=yêu"}, near(kModel, "source_embedding", "yêu"));
    add("embeddings", {"embedding=target", "nearest=love"}, near(kModel, "target_embedding", "love"));
    add("embeddings", {"embedding=positions", "nearest=10"}, near("fr-en-transformer", "positions", "10"),
        {"--model", file("fr-en-transformer")});
}

/// Where the reader is: the lesson beside the stage, the timeline below it.
inline void RenderRows::places() {
    add("window", {"lesson=heads", "page=3"}, writes({"Lesson 11, step 3 of 10"}));
    const Trace own = trace();
    add("values", {"lesson=query-key-value", "page=7", "focus=encoder.layers.0.self_attn.scores", "head=5"},
        writes(headOf(own, "encoder.layers.0.self_attn.scores", 5)));
    add("presenter", {"page=3"}, mentions("3 of "));
    const QString steps = QString::number(own.records().size());
    // It plays from the first step on, and how far it has come is the machine's affair.
    add("window", {"view=attention", "animate=true"}, [steps](const Drawn& drawn) {
        const QString line = drawn.texts().filter("Step ").filter(" of " + steps).value(0);
        QVERIFY2(line.section(u' ', 1, 1).toInt() >= 1 && line.section(u' ', 1, 1).toInt() < steps.toInt(),
                 qPrintable(line));
    });
    add("window", {"view=attention", "animate=false", "step=30", "grain=operation"}, mentions("Step 30 of " + steps));
    add("window", {"view=lessons"}, writes({"One sequence in, another out"}));
    add("window", {"view=attention", "controls=shown"}, writes({"reads as"}));
    add("window", {"view=attention", "show=lines"},
        [](const Drawn& drawn) { QVERIFY(drawn.mentions("All heads") && !drawn.writes({"reads as"})); });
    add("window", {"view=attention", "controls=hidden"}, [](const Drawn& drawn) {
        QVERIFY(drawn.writes({"All as a wall"}));
        for (const char* control : {"Present", "reads as"})
            QVERIFY2(!drawn.texts().contains(QLatin1String(control)), control);
    });
    add("attention", {}, writes(headOf(own, "decoder.layers.1.cross_attn.weights", 3)),
        {"--state", "headlight:values?head=3&block=decoder.layers.1.cross_attn"});
}

}  // namespace headlight::fixture

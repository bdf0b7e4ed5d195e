// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of an attention when special tokens, the first word or pairs of sentences are taken out of it.
#include <QTest>

#include "core/io/trained_model.h"
#include "core/models/masked_language_model.h"
#include "core/text/id_tokenizer.h"
#include "ui/session/trace/attention_part.h"

using namespace headlight;

namespace {

using Flags = std::vector<char>;
using Places = std::vector<int>;

/// Two sentences as BERT reads them, with one head whose weights are known.
Trace pairTrace() {
    Trace trace;
    trace.sourceTokens = {"[CLS]", "a", "[SEP]", "b", "[SEP]"};
    TraceRecord ids{"ids", Operation::Input, {}, {5}, {7, 1, 8, 2, 8}, {}};
    ids.module = std::make_shared<const Module>(
        Module{.kind = ModuleKind::Embedding, .scope = "embedding", .place = {Stack::Only, Section::Start}});
    ids.part = Part::Ids;
    trace.append(std::move(ids));
    TraceRecord weights{"self_attn.weights", Operation::Softmax, {}, {2, 5, 5}, {}, {}};
    for (int head = 0; head < 2; ++head)
        for (int row = 0; row < 5; ++row)
            for (const float weight : {0.5F, 0.125F, 0.125F, 0.25F, 0.0F})
                weights.values.push_back(head == 0 ? weight : 0.2F);
    weights.module = std::make_shared<const Module>(Module{
        .kind = ModuleKind::Attention, .scope = "self_attn", .place = {Stack::Only, Section::Layer, 0}, .heads = 2});
    weights.part = Part::Weights;
    trace.append(std::move(weights));
    return trace;
}

ModelConfig maskedConfig() {
    ModelConfig config;
    config.architecture = "masked-language-model";
    config.sourceVocabSize = config.targetVocabSize = 10;
    config.dModel = 8;
    config.numHeads = 2;
    config.numEncoderLayers = 1;
    config.maskId = 9;
    return config;
}

AttentionBlock firstBlock(const Trace& trace) {
    return attentionBlocks(trace).front();
}

}  // namespace

class TestAttentionPart : public QObject {
    Q_OBJECT
private slots:
    void withoutAModelSpecialTokensAreKnownByTheirLetters() {
        const WordMarks marks = wordMarks(pairTrace(), nullptr);
        QCOMPARE(marks.source.special, (Flags{1, 0, 1, 0, 1}));
        QCOMPARE(marks.source.second, 3);
        QVERIFY(marks.target.special.empty());
    }

    void aModelsTokenizerIsAskedForTheIdsThatWereRead() {
        TrainedModel model;
        model.network = std::make_shared<MaskedLanguageModel>(maskedConfig());
        model.source = model.target =
            std::make_shared<const IdTokenizer>(10, SpecialTokens{.cls = 7, .sep = 8, .mask = 9});
        Trace trace = pairTrace();
        trace.sourceTokens = {"7", "1", "8", "2", "8"};  // the letters tell nothing
        const WordMarks marks = wordMarks(trace, &model);
        QCOMPARE(marks.source.special, (Flags{1, 0, 1, 0, 1}));
        QCOMPARE(marks.source.second, 3);
        // A mask is the word that is asked for; and a tokenizer that knows no separator reads one sentence.
        model.source = std::make_shared<const IdTokenizer>(10, SpecialTokens{.cls = 7, .mask = 8});
        QCOMPARE(wordMarks(trace, &model).source.special, (Flags{1, 0, 0, 0, 0}));
        QCOMPARE(wordMarks(trace, &model).source.second, 0);
    }

    void aSeparatorWithNothingBehindItEndsTheOnlySentence() {
        Trace trace = pairTrace();
        trace.sourceTokens = {"[CLS]", "a", "b", "[SEP]", "[PAD]"};
        QCOMPARE(wordMarks(trace, nullptr).source.second, 0);
    }

    void specialTokensLeaveRowsColumnsAndTheirShareOfTheWeight() {
        const Trace trace = pairTrace();
        const AttentionBlock block = firstBlock(trace);
        const AttentionPart part(block, wordMarks(trace, nullptr), {.withoutSpecials = true});
        QCOMPARE(part.rows(), (Places{1, 3}));
        QCOMPARE(part.columns(), (Places{1, 3}));
        QCOMPARE(part.of(block.headWeights(0)), (std::vector<float>{0.125F, 0.25F, 0.125F, 0.25F}));
        QCOMPARE(part.hiddenShare(block.headWeights(0)), 0.625);
        QCOMPARE(part.hiddenColumns(), 3);
        QCOMPARE(part.shownRow(3), 1);
        QCOMPARE(part.shownColumn(2), -1);
        QCOMPARE(part.rowsOf({"[CLS]", "a", "[SEP]", "b", "[SEP]"}), (QStringList{"a", "b"}));
    }

    void theFirstWordIsARowOnlyWhereRowsLook() {
        const Trace trace = pairTrace();
        AttentionBlock block = firstBlock(trace);
        const WordMarks marks = wordMarks(trace, nullptr);
        QCOMPARE(AttentionPart(block, marks, {.withoutFirst = true}).rows(), (Places{1, 2, 3, 4}));
        block.kind = AttentionBlock::Kind::Cross;
        const AttentionPart cross(block, marks, {.withoutFirst = true});
        QCOMPARE(cross.rows(), (Places{0, 1, 2, 3, 4}));
        QCOMPARE(cross.columns(), (Places{1, 2, 3, 4}));
    }

    void aRowThatWritesTheEndIsSpecial() {
        Trace trace = pairTrace();
        trace.targetTokens = {"<bos>", "x", "y", "z", "w"};
        AttentionBlock block = firstBlock(trace);
        block.kind = AttentionBlock::Kind::DecoderSelf;
        const AttentionPart part(block, wordMarks(trace, nullptr), {.withoutSpecials = true});
        QCOMPARE(part.rows(), (Places{0, 1, 2, 3}));
        QCOMPARE(part.columns(), (Places{1, 2, 3, 4}));
    }

    void whereNothingWouldBeLeftAllIs() {
        Trace trace = pairTrace();
        trace.sourceTokens.assign(5, "<pad>");
        const AttentionPart part(firstBlock(trace), wordMarks(trace, nullptr), {.withoutSpecials = true});
        QVERIFY(part.isTooMuch());
        QCOMPARE(part.rows().size(), size_t{5});
        QCOMPARE(part.hiddenColumns(), 0);
    }

    void pairsLeaveOutTheCellsOfTheOthers() {
        using Pairs = AttentionOptions::Pairs;
        const Trace trace = pairTrace();
        const AttentionBlock block = firstBlock(trace);
        const WordMarks marks = wordMarks(trace, nullptr);
        const auto leftOut = [&](Pairs pairs) { return AttentionPart(block, marks, {true, false, pairs}).leftOut(); };
        QVERIFY(leftOut(Pairs::All).empty());
        // Rows and columns: a of the first sentence, b of the second.
        QCOMPARE(leftOut(Pairs::FirstToSecond), (Flags{1, 0, 1, 1}));
        QCOMPARE(leftOut(Pairs::SecondToFirst), (Flags{1, 1, 0, 1}));
        QCOMPARE(leftOut(Pairs::WithinFirst), (Flags{0, 1, 1, 1}));
        QCOMPARE(leftOut(Pairs::WithinSecond), (Flags{1, 1, 1, 0}));
        QVERIFY(AttentionPart(block, {}, {false, false, Pairs::WithinFirst}).leftOut().empty());
    }

    void severalHeadsAreTheirMean() {
        const Trace trace = pairTrace();
        const int both[] = {0, 1}, one[] = {1};
        const std::vector<float> mean = meanOfHeads(trace.at("self_attn.weights"), both);
        QCOMPARE(mean.size(), size_t{25});
        QCOMPARE(mean[0], 0.35F);
        QCOMPARE(mean[4], 0.1F);
        QCOMPARE(meanOfHeads(trace.at("self_attn.weights"), one), std::vector<float>(25, 0.2F));
    }
};

QTEST_APPLESS_MAIN(TestAttentionPart)
#include "test_attention_part.moc"

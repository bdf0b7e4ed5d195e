// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens as a reader sees them: the text that they stand for, and where they touch their neighbours, whatever marks
// their vocabulary writes.
#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/data/example_sentence.h"
#include "core/data/new_model.h"
#include "core/data/translate.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/learn_tokenizer.h"
#include "core/text/piece.h"

using namespace headlight;
using Kind = PieceMarks::Kind;
using Texts = std::vector<std::string>;

namespace {

Texts drawnPiecesOf(const Texts& written, const PieceMarks& marks, Before before = Before::Nothing) {
    std::vector<WrittenToken> tokens;
    for (const std::string& each : written)
        tokens.push_back({each, each.starts_with('<') && each.ends_with('>')});
    Texts all;
    for (const Piece& piece : piecesOf(tokens, marks, before))
        all.push_back(drawn(piece));
    return all;
}

TokenCounter countedPieces(const TokenizerOptions& how, const Texts& lines) {
    TokenCounter counter(how);
    for (const std::string& line : lines)
        counter.add(line);
    return counter;
}

}  // namespace

class TestPieces : public QObject {
    Q_OBJECT

private slots:
    void piecesAreDrawnWithoutTheirMarks() {
        QCOMPARE(drawnPiecesOf({"J'@@", "ignore", "nu@@", "lle", "e"}, {Kind::GoesOn, "@@"}),
                 (Texts{"J'‿", "‿ignore", "nu‿", "‿lle", "e"}));
        QCOMPARE(drawnPiecesOf({"nu", "lle</w>", "e</w>"}, {Kind::Ends, "</w>"}), (Texts{"nu‿", "‿lle", "e"}));
        QCOMPARE(drawnPiecesOf({"play", "##ing", "is", "[X]"}, {Kind::Continues, "##"}),
                 (Texts{"play", "‿ing", "is", "[X]"}));
        QCOMPARE(drawnPiecesOf({"<s>", "The", "▁the", "n", ","}, {Kind::Starts, "▁"}),
                 (Texts{"<s>", "The", "the", "‿n", "‿,"}));
        QCOMPARE(drawnPiecesOf({"@@", "##", "a"}, {}), (Texts{"@@", "##", "a"}));
    }

    /// The word and the ending, the text and the space, are told apart wherever they stand alone.
    void whatStandsAloneSaysWhetherItGoesOn() {
        QCOMPARE(drawnPiecesOf({"e"}, {Kind::Starts, "▁"}, Before::Text), Texts{"‿e"});
        QCOMPARE(drawnPiecesOf({"▁e"}, {Kind::Starts, "▁"}, Before::Text), Texts{"e"});
        QCOMPARE(drawnPiecesOf({"##e"}, {Kind::Continues, "##"}, Before::Text), Texts{"‿e"});
        QCOMPARE(drawnPiecesOf({"e@@"}, {Kind::GoesOn, "@@"}, Before::Text), Texts{"e‿"});
        QCOMPARE(drawnPiecesOf({"e"}, {Kind::Ends, "</w>"}, Before::Text), Texts{"e‿"});
        // A mark alone is all that there is to see.
        QCOMPARE(drawnPiecesOf({"@@"}, {Kind::GoesOn, "@@"}), Texts{"@@"});
        QCOMPARE(drawnPiecesOf({"▁"}, {Kind::Starts, "▁"}), Texts{"▁"});
    }

    /// More than the one space that parts words is text.
    void spacesAreSeen() {
        QCOMPARE(drawnPiecesOf({"a", "▁▁b", "▁", "c", "␊", "d"}, {Kind::Starts, "▁"}),
                 (Texts{"a", "▁▁b", "▁", "c", "␊", "d"}));
    }

    void drawnPiecesBecomeText() {
        QCOMPARE(textOf(Texts{"J'‿", "‿ignore", "où", "‿.", "e"}), std::string("J'ignore où. e"));
        QCOMPARE(textOf(Texts{}), std::string());
        QCOMPARE(pieceOfDrawn("‿lle"), (Piece{"lle", true, false}));
        QCOMPARE(pieceOfDrawn("‿"), (Piece{"‿", false, false}));
    }

    void bytePairsOfAModelJoin() {
        const TokenizerOptions how{.kind = TokenizerOptions::Kind::Bpe, .merges = 4};
        const auto tokenizer = learnTokenizer(countedPieces(how, {"nulle nulle nue", "nu elle elle"}).take(), how);
        const std::vector<int> ids = tokenizer->encode("nuele");
        const Texts written = tokenizer->written(ids), shown = tokenizer->display(ids);
        QVERIFY(ids.size() > 1);
        for (size_t i = 0; i < ids.size(); ++i) {
            QVERIFY(shown[i].find("@@") == std::string::npos);
            QCOMPARE(written[i], tokenizer->vocabulary().token(ids[i]));
            QCOMPARE(shown[i].starts_with("‿"), i > 0);
            QCOMPARE(shown[i].ends_with("‿"), i + 1 < ids.size());
        }
        QCOMPARE(textOf(shown), std::string("nuele"));
    }

    void otherProgramsPiecesJoin_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("text");
        for (const char* folder : {"gpt2", "gpt2-json", "llama", "llama-json", "bert", "bert-cased-json"})
            QTest::newRow(folder) << folder << QStringLiteral("the king of the town");
        // Of words that its few pieces know: before another stands a space that is a piece by itself, and is seen.
        QTest::newRow("t5") << QStringLiteral("t5") << QStringLiteral("the wet grass of the third ladder");
    }
    /// Read again without what marks a piece, a text has its words: in them nothing is parted and nothing runs
    /// together.
    void otherProgramsPiecesJoin() {
        QFETCH(QString, folder);
        QFETCH(QString, text);
        const std::string path = HEADLIGHT_SOURCE_DIR "/tests/golden/tokenizers/" + folder.toStdString();
        const auto tokenizer = openTokenizers(platform::Folder(path), {}).source;
        const std::vector<int> ids = tokenizer->encode(text.toStdString());
        const Texts shown = tokenizer->display(ids);
        for (const std::string& each : shown)
            for (const char* mark : {"##", "Ġ", "</w>", "▁"})
                QVERIFY2(each.find(mark) == std::string::npos, each.c_str());
        QCOMPARE(QString::fromStdString(textOf(shown)), text);
    }

    /// What other programs read is written as the vocabulary has it.
    void aTraceKeepsBoth() {
        const TokenizerOptions how{.kind = TokenizerOptions::Kind::Bpe, .merges = 2};
        const Corpus corpus{{"nulle part", "nowhere"}, {"nue", "naked"}, {"elle", "she"}};
        ModelConfig config;
        config.dModel = 8;
        config.numHeads = 2;
        config.numEncoderLayers = config.numDecoderLayers = 1;
        config.dFf = 8;
        const TrainedModel model = newModel(config.toJson(), how, corpus, 1);
        const Trace trace = traceSentence(model, "nulle", std::string("she"));
        QCOMPARE(trace.sourceTokens, model.source->display(model.source->encode("nulle")));
        QCOMPARE(trace.writtenSource(), model.source->written(model.source->encode("nulle")));
        QVERIFY(trace.writtenSource().front().ends_with("@@"));
        QVERIFY(trace.sourceTokens.front().ends_with("‿"));
        QCOMPARE(trace.writtenTarget().size(), trace.targetTokens.size());
    }

    /// Of ordinary length, known to the last word, and always the same.
    void theSentenceThatStandsForACorpusIsAnOrdinaryOne() {
        Corpus corpus{{"ha !", "oh !"}};
        for (int i = 0; i < 9; ++i)
            corpus.push_back({"a b c d e", "a b c d e"});
        corpus[3] = {"a b zebra d e", "a b c d e"};
        const Corpus known(corpus.begin() + 4, corpus.end());
        ModelConfig config;
        config.dModel = 8;
        config.numHeads = 2;
        config.numEncoderLayers = config.numDecoderLayers = 1;
        config.dFf = 8;
        const TrainedModel model = newModel(config.toJson(), {}, known, 1);
        corpus[1] = {"a b zebra d e", "a b c d e"};
        QCOMPARE(ordinaryPair(corpus, model), size_t{2});
        QCOMPARE(ordinaryPair(corpus, model), size_t{2});
        // One without unknown words that is far from the middle comes before one with them.
        QCOMPARE(ordinaryPair({{"zebra b c d", "a b c d"}, {"a", "a"}, {"a b c zebra", "a b c d"}}, model), size_t{1});
        QCOMPARE(ordinaryPair({}, model), size_t{0});
        QCOMPARE(beginningOf(corpus[2], model), std::string("a b c d e"));
    }
};

QTEST_APPLESS_MAIN(TestPieces)
#include "test_pieces.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A text as one stream: how its lines hang together, what a model is given of it, and that it goes on so.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/data/corpus_readers.h"
#include "core/data/evaluation.h"
#include "core/data/line_reader.h"
#include "core/data/new_model.h"
#include "core/data/pair_stream.h"
#include "core/data/text_reading.h"
#include "core/data/training_recipe.h"
#include "core/decode/sampling.h"
#include "core/error.h"
#include "core/models/language_model.h"
#include "core/text/line_tokenizer.h"
#include "core/train/trainer.h"

using namespace headlight;

namespace {

const QString runningVerse = QStringLiteral("the wind\nis cold\n\nthe sun\nis warm\n");

/// Greedily wrapped, as a typewriter does it.
QString wrappedText(int words, int width, bool blankLines) {
    QString text, line;
    for (int i = 0; i < words; ++i) {
        const QString word(2 + i * 7 % 9, QChar('a' + i % 26));
        const bool ends = i % 60 == 59;
        if (!line.isEmpty() && line.size() + 1 + word.size() > width) {
            text += line + '\n';
            line.clear();
        }
        line += (line.isEmpty() ? "" : " ") + word;
        if (ends) {
            text += line + (blankLines ? "\n\n" : "\n");
            line.clear();
        }
    }
    return text + line + '\n';
}

std::string joinedText(const Corpus& corpus) {
    std::string text;
    for (const SentencePair& line : corpus)
        text += withJoint(line);
    return text;
}

}  // namespace

class TestRunningText : public QObject {
    Q_OBJECT
private slots:
    void linesAreJoinedAsTheReadingSays_data();
    void linesAreJoinedAsTheReadingSays();
    void aFileIsReadAsItsLinesLook_data();
    void aFileIsReadAsItsLinesLook();
    void lineBreaksComeBack_data();
    void lineBreaksComeBack();
    void windowsCoverTheStreamOnceAnEpoch_data();
    void windowsCoverTheStreamOnceAnEpoch();
    void theBreakHasItsPlaceInASmallVocabulary();
    void aVeryLongLineComesInPieces();
    void aModelGoesOnAcrossLineBreaks_data();
    void aModelGoesOnAcrossLineBreaks();
    void settingsAndStoriesKeepTheReading();

private:
    std::string file(const QString& text) {
        const std::string path = m_folder.filePath(QString("text%1.txt").arg(m_files++)).toStdString();
        std::ofstream(path, std::ios::binary) << text.toStdString();
        return path;
    }
    QTemporaryDir m_folder;
    int m_files = 0;
};

void TestRunningText::linesAreJoinedAsTheReadingSays_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("breaks");
    QTest::addColumn<QString>("paragraphs");
    QTest::newRow("lines") << "a b\nc\n"
                           << "a b\nc"
                           << "a b c";
    QTest::newRow("blank lines") << "\n\na\n\n\n\nb\nc\n\n"
                                 << "a\n\nb\nc"
                                 << "a\nb c";
    QTest::newRow("white space and CRLF") << "a  \r\n\r\n  b\r\n\t\r\nc"
                                          << "a\n\n  b\n\nc"
                                          << "a\nb\nc";
    QTest::newRow("an indented line begins a paragraph") << "a\n  b\nc\n  d\n"
                                                         << "a\n  b\nc\n  d"
                                                         << "a\nb c\nd";
    QTest::newRow("a block that is indented as a whole") << "a\n  b\n  c\n"
                                                         << "a\n  b\n  c"
                                                         << "a\nb c";
}

void TestRunningText::linesAreJoinedAsTheReadingSays() {
    QFETCH(QString, text);
    QFETCH(QString, breaks);
    QFETCH(QString, paragraphs);
    const std::string path = file(text);
    for (const auto& [reading, wanted] :
         {std::pair(TextReading::Breaks, breaks), {TextReading::Paragraphs, paragraphs}}) {
        const Corpus read = readText(path, {.text = reading});
        QCOMPARE(QString::fromStdString(joinedText(read)), wanted);
        // What the window looks at is what is learned from.
        Corpus looked;
        for (PairStream stream({.textFile = path, .reading = reading}); stream.next();)
            looked.push_back(stream.pair());
        QCOMPARE(looked.size(), read.size());
        QCOMPARE(joinedText(looked), joinedText(read));
        const CorpusSplits splits = splitText(read, {.validation = 1, .test = 0});
        QCOMPARE(splits.train.size() + 1, read.size());
    }
}

void TestRunningText::aFileIsReadAsItsLinesLook_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<TextReading>("reading");
    QTest::newRow("wrapped at 70, blank lines") << wrappedText(900, 70, true) << TextReading::Paragraphs;
    QTest::newRow("wrapped at 50, none") << wrappedText(3000, 50, false) << TextReading::Paragraphs;
    QTest::newRow("wrapped, and one line that is longer") << wrappedText(3000, 72, true) + QString(400, 'x') + '\n'
                                                          << TextReading::Paragraphs;
    QString sentences, poem, code, essay;
    for (int i = 0; i < 60; ++i) {
        sentences += QString("word ").repeated(2 + i * 5 % 11) + "end .\n";
        poem += QString("so it ").repeated(3 + i % 4) + "goes\n" + (i % 4 == 3 ? "\n" : "");
        code += QString(" ").repeated(i % 3 * 4) + QString("x = f(y)").repeated(1 + i % 2) + "\n" +
                (i % 9 == 8 ? "\n" : "");
        essay += QString("many words of a paragraph ").repeated(16 + i % 5) + "\n";
    }
    QTest::newRow("a sentence a line") << sentences << TextReading::Lines;
    QTest::newRow("verse") << poem << TextReading::Breaks;
    QTest::newRow("source code") << code << TextReading::Breaks;
    QTest::newRow("a paragraph a line") << essay << TextReading::Breaks;
    QTest::newRow("names") << QString("anna\nben\nchristopher\n").repeated(20) << TextReading::Lines;
    QTest::newRow("one line") << "hello\n" << TextReading::Lines;
    QTest::newRow("nothing") << "\n\n" << TextReading::Lines;
}

void TestRunningText::aFileIsReadAsItsLinesLook() {
    QFETCH(QString, text);
    QFETCH(TextReading, reading);
    const TextGuess guess = guessReading(file(text));
    QCOMPARE(QString(nameOf(guess.reading)), QString(nameOf(reading)));
    QCOMPARE(parseTextReading(nameOf(reading)), reading);
}

void TestRunningText::lineBreaksComeBack_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("text");
    const QString poem = "the cat sat,\n\n\non a mat\n";
    for (const char* kind : {"word", "whitespace", "char", "bpe:20"})
        QTest::newRow(kind) << kind << poem;
    QTest::newRow("every space of code") << "char"
                                         << "if cat:\n    sat()\n\n  on  a mat ";
}

void TestRunningText::lineBreaksComeBack() {
    QFETCH(QString, kind);
    QFETCH(QString, text);
    TokenizerOptions how = parseTokenizer(kind.toStdString());
    how.lineBreaks = true;
    const Corpus corpus{{.source = "", .target = text.toStdString(), .joint = Joint::None}};
    const TrainedModel model =
        newModel({{"architecture", "language-model"}, {"d_model", 4}, {"num_heads", 1}, {"d_ff", 4}}, how, corpus, 1);
    const std::vector<int> ids = model.source->encode(text.toStdString());
    QCOMPARE(std::ranges::count(ids, SpecialIds::unk), 0);
    QCOMPARE(QString::fromStdString(model.source->decode(ids)), text);
    QVERIFY(std::ranges::count(model.source->display(ids), std::string("↵")) == text.count('\n'));
    const auto again = tokenizerFromJson(model.source->toJson());
    QCOMPARE(again->encode(text.toStdString()), ids);
    QVERIFY(keepsLines(*again));
    // One that learned no breaks reads them as spaces, as before.
    how.lineBreaks = false;
    const TrainedModel without =
        newModel({{"architecture", "language-model"}, {"d_model", 4}, {"num_heads", 1}, {"d_ff", 4}}, how, corpus, 1);
    QVERIFY(!keepsLines(*without.source));
    QVERIFY(without.source->decode(without.source->encode(text.toStdString())).find('\n') == std::string::npos);
    QVERIFY(without.network->config().startsAtEnd);
    QVERIFY(!model.network->config().startsAtEnd);
}

void TestRunningText::windowsCoverTheStreamOnceAnEpoch_data() {
    QTest::addColumn<TextReading>("reading");
    for (const TextReading reading : {TextReading::Breaks, TextReading::Paragraphs})
        QTest::newRow(nameOf(reading)) << reading;
}

void TestRunningText::windowsCoverTheStreamOnceAnEpoch() {
    QFETCH(TextReading, reading);
    const Corpus corpus = readText(file(wrappedText(500, 40, true)), {.text = reading});
    TokenizerOptions how{.lineBreaks = true};
    const TrainedModel model =
        newModel({{"architecture", "language-model"}, {"d_model", 4}, {"num_heads", 1}, {"d_ff", 4}, {"max_length", 7}},
                 how, corpus, 1);
    const std::vector<int> stream = model.source->encode(joinedText(corpus));
    for (const Purpose purpose : {Purpose::Training, Purpose::Evaluation}) {
        std::vector<int> predicted;
        for (const Example& window : encode(corpus, model, purpose).pairs)
            predicted.insert(predicted.end(), window.target.begin() + 1, window.target.end());
        QCOMPARE(predicted, std::vector<int>(stream.begin() + 1, stream.end()));
    }
    QCOMPARE(evaluate(model, corpus).tokens, static_cast<long>(stream.size()) - 1);
    QCOMPARE(std::ranges::count(stream, SpecialIds::eos), 0);
}

void TestRunningText::theBreakHasItsPlaceInASmallVocabulary() {
    const Corpus corpus = readText(file(wrappedText(500, 40, true)), {.text = TextReading::Paragraphs});
    const nlohmann::json small{{"architecture", "masked-language-model"},
                               {"d_model", 4},
                               {"num_heads", 1},
                               {"d_ff", 4},
                               {"target_vocab_size", 12},
                               {"source_vocab_size", 12}};
    const TrainedModel model = newModel(small, {.minCount = 3, .lineBreaks = true}, corpus, 1);
    QCOMPARE(model.source->vocabulary().size(), 12);
    QVERIFY(keepsLines(*model.source));
    QVERIFY(model.source->vocabulary().contains("<mask>"));
    nlohmann::json none = small;
    none["target_vocab_size"] = 6;
    QVERIFY_EXCEPTION_THROWN(newModel(none, {.lineBreaks = true}, corpus, 1), Error);
}

void TestRunningText::aVeryLongLineComesInPieces() {
    const QString word = QStringLiteral("łódka ");
    const QString line = word.repeated(5'000'000);  // 40 million bytes, on one line
    const std::string path = file(line);
    QVERIFY_EXCEPTION_THROWN(readText(path), Error);
    size_t longest = 0, all = 0, pieces = 0;
    for (PairStream stream({.textFile = path, .reading = TextReading::Breaks}); stream.next(); ++pieces) {
        QCOMPARE(stream.line(), size_t{1});
        longest = std::max(longest, stream.pair().target.size());
        all += withJoint(stream.pair()).size();
    }
    QVERIFY(pieces > 1000);
    QVERIFY(longest <= TextLines::longestPiece + 8);
    QCOMPARE(all, static_cast<size_t>(line.trimmed().toUtf8().size()));
}

void TestRunningText::aModelGoesOnAcrossLineBreaks_data() {
    QTest::addColumn<QString>("architecture");
    QTest::newRow("Transformer") << "language-model";
    QTest::newRow("recurrent") << "rnn-language-model";
}

void TestRunningText::aModelGoesOnAcrossLineBreaks() {
    QFETCH(QString, architecture);
    const Corpus corpus = readText(file(runningVerse.repeated(30)), {.text = TextReading::Breaks});
    nlohmann::json config{{"architecture", architecture.toStdString()}, {"max_length", 12}};
    if (architecture == "language-model")
        config.update({{"d_model", 16}, {"num_heads", 2}, {"d_ff", 32}, {"num_layers", 1}});
    else
        config.update({{"hidden_size", 24}, {"embedding_size", 16}, {"num_layers", 1}});
    const TrainedModel model = newModel(config, {.lineBreaks = true}, corpus, 1);
    const EncodedCorpus examples = encode(corpus, model, Purpose::Training);
    Trainer trainer(
        *model.network, examples.pairs,
        {.steps = 400, .seed = 1, .batchSize = 8, .learningRate = 0.01, .schedule = ScheduleKind::Constant});
    while (trainer.stepsDone() < 400)
        trainer.step();
    const std::vector<int> prompt = model.source->encode("the wind\n");
    const GeneratedText greedy = generate(model.languageModel(), prompt, 40, {.temperature = 0});
    QVERIFY(!greedy.finished);
    QCOMPARE(greedy.words.size(), size_t{40});
    const std::string text = model.source->decode(greedy.words);
    QVERIFY2(text.starts_with("is cold\n\nthe sun\nis warm"), text.c_str());
    // Drawn wildly, it never draws the end that a stream does not have.
    const GeneratedText wild = generate(model.languageModel(), prompt, 300, {.temperature = 50});
    QVERIFY(!wild.finished);
    QCOMPARE(std::ranges::count(wild.words, SpecialIds::eos), 0);
    QCOMPARE(ModelConfig::fromJson(model.network->config().toJson()), model.network->config());
}

void TestRunningText::settingsAndStoriesKeepTheReading() {
    const std::string path = file(runningVerse);
    for (const TextReading reading : textReadings) {
        TrainingRecipe recipe;
        recipe.data.files = {.textFile = path, .reading = reading};
        recipe.config = ModelConfig::fromJson({{"architecture", "language-model"}});
        QCOMPARE(recipeOf(settingsOf(recipe)).data, recipe.data);
        const TrainingStory story(nlohmann::json{{"data", recipe.data.files.description()}});
        QCOMPARE(readingOf(story), reading);
        QCOMPARE(recipe.data.words().lineBreaks, reading != TextReading::Lines);
        const CorpusSplits once = recipe.data.splits(1), again = recipeOf(settingsOf(recipe)).data.splits(1);
        QCOMPARE(joinedText(once.train), joinedText(again.train));
    }
    QVERIFY_EXCEPTION_THROWN(parseTextReading("stanzas"), Error);
    QCOMPARE(readingOf(TrainingStory(nlohmann::json{{"data", {{"running_text", 7}}}})), TextReading::Lines);
    CorpusFiles pairs{.pairs = path, .reading = TextReading::Breaks};
    QVERIFY_EXCEPTION_THROWN(pairs.check(ModelConfig()), Error);
}

QTEST_GUILESS_MAIN(TestRunningText)
#include "test_running_text.moc"

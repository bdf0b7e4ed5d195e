// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' tokenizers against their references, on the 10,000 lines that tests/golden/make_tokenizers.py makes:
// what make_library_tokenizers.mjs asks Hugging Face's library, and transcriptions.
#include <cstring>
#include <ctime>
#include <random>
#include <set>

#include <QtTest/QtTest>
#include <nlohmann/json.hpp>

#include "core/text/folder_tokenizers.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/token_bytes.h"
#include "core/text/unicode.h"

using namespace headlight;

namespace {

const QString foreignTokenizersGolden = QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/golden/tokenizers/");
constexpr int linesAHash = 100;

QByteArray goldenContents(const QString& name) {
    QFile file(foreignTokenizersGolden + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<std::string> readLines() {
    const QByteArray bytes = qUncompress(goldenContents("lines.qz"));
    std::vector<std::string> lines;
    for (qsizetype at = 0; at + 2 <= bytes.size();) {
        std::uint16_t length = 0;
        std::memcpy(&length, bytes.data() + at, sizeof(length));
        lines.push_back(bytes.mid(at + 2, length).toStdString());
        at += 2 + length;
    }
    return lines;
}

const std::vector<std::string>& lines() {
    static const std::vector<std::string> all = readLines();
    return all;
}

FolderTokenizers openFolder(const QString& folder, const std::string& modelType = "") {
    return openTokenizers(platform::Folder((foreignTokenizersGolden + folder).toStdString()), {.modelType = modelType});
}

std::string text(const std::vector<int>& ids) {
    std::string result;
    for (const int id : ids)
        result += (result.empty() ? "" : " ") + std::to_string(id);
    return result;
}

QString hash(const std::vector<std::vector<int>>& ids, std::size_t first, std::size_t count = linesAHash) {
    QCryptographicHash digest(QCryptographicHash::Sha256);
    for (std::size_t i = first; i < first + count; ++i)
        digest.addData(QByteArray::fromStdString(text(ids[i]) + '\n'));
    return QString::fromLatin1(digest.result().toHex().left(16));
}

/// As the script has it: some lines of Marian's begin with a language.
std::string lineFor(const QString& folder, std::size_t number) {
    const std::string mark = folder != "marian" ? "" : number % 3 == 0 ? ">>fr<< " : number % 7 == 0 ? ">>xx<<" : "";
    return mark + lines()[number];
}

/// A tokenizer.json with one part, before a model whose tokens are bytes: those that do not begin a piece have ids of
/// their own, behind the others.
std::shared_ptr<const Tokenizer> tokenizerOfPart(const nlohmann::json& part) {
    nlohmann::json vocabulary, parts = nlohmann::json::array();
    for (int byte = 0; byte < 256; ++byte) {
        const std::string& name = byteLevelCharacter(static_cast<unsigned char>(byte));
        vocabulary[name] = byte;
        vocabulary["##" + name] = 256 + byte;
    }
    if (part.contains("pre_tokenizer")) parts.push_back(part["pre_tokenizer"]);
    parts.push_back({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}});
    nlohmann::json whole = {{"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", parts}}},
                            {"model",
                             {{"type", "BPE"},
                              {"continuing_subword_prefix", "##"},
                              {"vocab", vocabulary},
                              {"merges", nlohmann::json::array()}}}};
    if (part.contains("normalizer")) whole["normalizer"] = part["normalizer"];
    return std::make_shared<const PipelineTokenizer>(pipeline::definitionFromTokenizerJson(whole, "tokenizer.json"));
}

void addFolders() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("modelType");
    QTest::newRow("byte-level BPE, vocab.json and merges.txt") << "gpt2"
                                                               << "gpt2";
    QTest::newRow("byte-level BPE, tokenizer.json that splits as Llama 3 does") << "gpt2-json"
                                                                                << "llama";
    QTest::newRow("WordPiece uncased, vocab.txt") << "bert"
                                                  << "bert";
    QTest::newRow("WordPiece cased, tokenizer.json") << "bert-cased-json"
                                                     << "bert";
    QTest::newRow("BPE with byte fallback, tokenizer.json") << "llama-json"
                                                            << "llama";
    QTest::newRow("SentencePiece, T5") << "t5"
                                       << "t5";
    QTest::newRow("SentencePiece, Llama") << "llama"
                                          << "llama";
    QTest::newRow("Unigram with bytes and added tokens of all kinds, tokenizer.json") << "unigram-json"
                                                                                      << "t5";
    QTest::newRow("Unigram, XLM-R") << "xlm-roberta"
                                    << "xlm-roberta";
    QTest::newRow("SentencePiece, Marian") << "marian"
                                           << "marian";
}

}  // namespace

class TestForeignTokenizers : public QObject {
    Q_OBJECT

private slots:
    void everyLineBecomesTheReferencesIds_data() { addFolders(); }
    void everyLineBecomesTheReferencesIds() {
        QFETCH(QString, folder);
        QFETCH(QString, modelType);
        const auto tokenizer = openFolder(folder, modelType.toStdString()).source;
        const auto expected = nlohmann::json::parse(goldenContents(folder + ".expected.json").toStdString());
        QCOMPARE(lines().size(), std::size_t(10000));
        std::vector<std::vector<int>> ids;
        for (std::size_t i = 0; i < lines().size(); ++i)
            ids.push_back(tokenizer->encode(lineFor(folder, i)));
        for (std::size_t i = 0; i < expected["lines"].size(); ++i)
            QVERIFY2(ids[i] == expected["lines"][i].get<std::vector<int>>(),
                     qPrintable(QString("line %1: %2\n got %3\nwant %4")
                                    .arg(i)
                                    .arg(QString::fromStdString(repairedUtf8(lineFor(folder, i))),
                                         QString::fromStdString(text(ids[i])),
                                         QString::fromStdString(expected["lines"][i].dump()))));
        for (std::size_t i = 0; i < expected["hashes"].size(); ++i)
            QVERIFY2(hash(ids, i * linesAHash) == QString::fromStdString(expected["hashes"][i].get<std::string>()),
                     qPrintable(QString("one of the lines from %1 on").arg(i * linesAHash)));
    }

    void everyPartOfATokenizerJsonDoesAsTheLibrary_data() {
        QTest::addColumn<std::size_t>("number");
        const auto parts = nlohmann::json::parse(goldenContents("parts.json").toStdString());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const nlohmann::json& part =
                parts[i].begin().key() == "hashes" ? *std::next(parts[i].begin()) : *parts[i].begin();
            QTest::addRow("%zu: %s", i, part.dump().substr(0, 100).c_str()) << i;
        }
    }
    void everyPartOfATokenizerJsonDoesAsTheLibrary() {
        QFETCH(std::size_t, number);
        static const auto parts = nlohmann::json::parse(goldenContents("parts.json").toStdString());
        const nlohmann::json& part = parts[number];
        const auto tokenizer = tokenizerOfPart(part);
        // Its Unicode is older than ours in some parts, newer in others.
        const auto others = part["other_unicode"].get<std::set<std::size_t>>();
        std::vector<std::vector<int>> ids;
        for (std::size_t i = 0; i < lines().size(); ++i)
            ids.push_back(others.contains(i) ? std::vector<int>() : tokenizer->encode(replaceBrokenUtf8(lines()[i])));
        const std::size_t count = lines().size() / part["hashes"].size();
        for (std::size_t i = 0; i < part["hashes"].size(); ++i)
            QVERIFY2(hash(ids, i * count, count) == QString::fromStdString(part["hashes"][i].get<std::string>()),
                     qPrintable(QString("one of the lines from %1 on").arg(i * count)));
    }

    void bytesComeBackAsTheyWere_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("GPT-2") << "gpt2";
        QTest::newRow("as Llama 3 splits") << "gpt2-json";
    }
    void bytesComeBackAsTheyWere() {
        QFETCH(QString, folder);
        const auto tokenizer = openFolder(folder).source;
        std::mt19937 random(5);
        for (const std::string& line : lines())
            QVERIFY(tokenizer->decode(tokenizer->encode(line), Tokenizer::Specials::Written) == line);
        for (int i = 0; i < 2000; ++i) {
            std::string bytes(random() % 40, '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random() & 255u);
            QVERIFY(tokenizer->decode(tokenizer->encode(bytes)) == bytes);
        }
    }

    void validTextComesBackThroughByteFallback() {
        for (const char* folder : {"llama-json", "llama"}) {
            const auto tokenizer = openFolder(folder, "llama").source;
            for (const std::string& line : lines())
                if (!findInvalidUtf8(line) && line.find('<') == std::string::npos)
                    QVERIFY2(tokenizer->decode(tokenizer->encode(line)) == line, line.c_str());
        }
    }

    void savedAndReadAgainTheyAreTheSame_data() { addFolders(); }
    void savedAndReadAgainTheyAreTheSame() {
        QFETCH(QString, folder);
        QFETCH(QString, modelType);
        const FolderTokenizers opened = openFolder(folder, modelType.toStdString());
        for (const auto& first : {opened.source, opened.target}) {
            const auto second = tokenizerFromJson(nlohmann::json::parse(first->toJson().dump()));
            QCOMPARE(second->toJson(), first->toJson());
            QCOMPARE(second->vocabulary().tokens(), first->vocabulary().tokens());
            for (std::size_t i = 0; i < 500; ++i) {
                const std::vector<int> ids = first->encode(lineFor(folder, i));
                QVERIFY(second->encode(lineFor(folder, i)) == ids);
                QVERIFY(second->decode(ids) == first->decode(ids));
                QVERIFY(second->display(ids) == first->display(ids));
                QVERIFY(second->encodeInput("a").ids == first->encodeInput("a").ids);
            }
        }
    }

    void whatIsShownIsUtf8AndOneTextAToken_data() { addFolders(); }
    void whatIsShownIsUtf8AndOneTextAToken() {
        QFETCH(QString, folder);
        QFETCH(QString, modelType);
        const auto tokenizer = openFolder(folder, modelType.toStdString()).source;
        for (std::size_t i = 0; i < 2000; ++i) {
            const std::vector<int> ids = tokenizer->encode(lineFor(folder, i));
            const std::vector<std::string> shown = tokenizer->display(ids);
            QCOMPARE(shown.size(), ids.size());
            for (const std::string& each : shown)
                QVERIFY2(!each.empty() && !findInvalidUtf8(each), lineFor(folder, i).c_str());
        }
    }

    void splitGivesTokensOfTheVocabularyOrUnknownText() {
        for (const char* folder : {"gpt2", "bert", "llama-json"}) {
            const auto tokenizer = openFolder(folder).source;
            const Vocabulary& vocabulary = tokenizer->vocabulary();
            for (std::size_t i = 0; i < 500; ++i) {
                std::vector<int> ids;
                for (const std::string& token : tokenizer->split(lines()[i]))
                    ids.push_back(vocabulary.id(token));
                QVERIFY(ids == tokenizer->encode(lines()[i]));
            }
        }
        QCOMPARE(openFolder("bert").source->split("dogs ☂"), (std::vector<std::string>{"dogs", "☂"}));
    }

    void byteLevelBpeEndsWithinItsDeadline() {
        const auto tokenizer = openFolder("gpt2").source;
        std::size_t bytes = 0;
        const std::clock_t begin = std::clock();
        for (const std::string& line : lines())
            bytes += tokenizer->encode(line).empty() ? 0 : line.size();
        // Of the processor, not of the clock on the wall: other programs run beside a test.
        const double seconds = static_cast<double>(std::clock() - begin + 1) / CLOCKS_PER_SEC;
        const double rate = static_cast<double>(bytes) / 1e6 / seconds;
        qInfo("byte-level BPE: %.1f MB/s of %zu bytes", rate, bytes);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        QVERIFY2(rate >= 0.1, qPrintable(QString::number(rate)));
#endif
    }
};

QTEST_APPLESS_MAIN(TestForeignTokenizers)
#include "test_foreign_tokenizers.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown for tokens that are bytes, and the ways bytes are written.
#include <random>
#include <set>

#include <QtTest/QtTest>

#include "core/text/base64.h"
#include "core/text/folder_tokenizers.h"
#include "core/text/token_bytes.h"
#include "core/text/unicode.h"

using namespace headlight;
using Texts = std::vector<std::string>;

namespace {

ShownToken bytes(const std::string& text) {
    return {ShownToken::Kind::Bytes, text};
}
ShownToken name(const std::string& text) {
    return {ShownToken::Kind::Name, text};
}

}  // namespace

class TestTokenDisplay : public QObject {
    Q_OBJECT

private slots:
    void aByteOfACharacterShowsTheCharacterAndWhichPartItIs() {
        // ế is e1 ba bf.
        QCOMPARE(displayTokens({bytes("\xe1"), bytes("\xba"), bytes("\xbf")}), (Texts{"ế₁", "ế₂", "ế₃"}));
        QCOMPARE(displayTokens({bytes("ti\xe1\xba"), bytes("\xbfng")}), (Texts{"tiế₁", "ế₂ng"}));
        QCOMPARE(displayTokens({bytes("\xe1"), bytes("\xba\xbf\xe1\xba"), bytes("\xbf")}), (Texts{"ế₁", "ế₂ế₁", "ế₂"}));
        QCOMPARE(displayTokens({bytes("tiếng"), bytes(" Việt")}), (Texts{"tiếng", "▁Việt"}));
        QCOMPARE(displayTokens({bytes("👍"), bytes("\xf0\x9f"), bytes("\x91\x8d")}), (Texts{"👍", "👍₁", "👍₂"}));
    }

    void bytesThatBelongToNoCharacterShowTheirNumber() {
        QCOMPARE(displayTokens({bytes("\xe1"), bytes("a\xff")}), (Texts{"<0xE1>", "a<0xFF>"}));
        QCOMPARE(displayTokens({bytes("\xe1\xba")}), Texts{"<0xE1><0xBA>"});
        // A special token between them: these bytes never stood together.
        QCOMPARE(displayTokens({bytes("\xc3"), name("<s>"), bytes("\xa9")}), (Texts{"<0xC3>", "<s>", "<0xA9>"}));
    }

    void whatOneCannotSeeHasAPicture() {
        QCOMPARE(displayTokens({bytes("a \n\t\r\x7f")}), Texts{"a▁␊␉␍␡"});
        QCOMPARE(displayTokens({bytes(std::string(1, '\0'))}), Texts{"␀"});
        QCOMPARE(displayTokens({}), Texts{});
    }

    void aVietnameseLetterOfByteTokensIsShownInTheModelsOwnSequence() {
        for (const char* folder : {"gpt2", "llama-json", "llama"}) {
            const auto tokenizer =
                openTokenizers(platform::Folder(std::string(HEADLIGHT_SOURCE_DIR "/tests/golden/tokenizers/") + folder),
                               {})
                    .source;
            // ỵ is in none of the texts that these vocabularies learned from.
            const std::vector<int> ids = tokenizer->encode("ỵ");
            const Texts shown = tokenizer->display(ids);
            QVERIFY(ids.size() >= 2);
            int parts = 0;
            for (const std::string& each : shown)
                parts += each.find("ỵ") != std::string::npos ? 1 : 0;
            QVERIFY2(parts >= 2, qPrintable(QString::fromStdString(shown.back())));
            for (const std::string& each : shown)
                QVERIFY2(each.find("\uFFFD") == std::string::npos && each.find("<0x") == std::string::npos,
                         each.c_str());
        }
    }

    void everyByteIsACharacterOfItsOwnAndBack() {
        std::set<std::string> seen;
        for (int byte = 0; byte < 256; ++byte) {
            const auto value = static_cast<unsigned char>(byte);
            QVERIFY(seen.insert(byteLevelCharacter(value)).second);
            QCOMPARE(fromByteLevel(byteLevelCharacter(value)), std::optional(std::string(1, static_cast<char>(byte))));
            QCOMPARE(fromByteFallback(byteFallbackName(value)), std::optional(value));
        }
        QCOMPARE(toByteLevel(" a\n"), std::string("ĠaĊ"));
        QCOMPARE(byteFallbackName(0xe1), std::string("<0xE1>"));
        QVERIFY(!fromByteLevel("日") && !fromByteLevel(" "));
        for (const char* none : {"<0xe1>", "<0xE>", "0xE1", "<0xE1", "<0xGG>", ""})
            QVERIFY2(!fromByteFallback(none), none);
    }

    void brokenTextIsReplacedAsPythonDoes() {
        QCOMPARE(replaceBrokenUtf8("a\xff"
                                   "b"),
                 std::string("a\uFFFDb"));
        QCOMPARE(replaceBrokenUtf8("\xe1\xba"
                                   "b"),
                 std::string("\uFFFDb"));
        QCOMPARE(replaceBrokenUtf8("\xed\xa0\x80"), std::string("\uFFFD\uFFFD\uFFFD"));
        QCOMPARE(replaceBrokenUtf8("tiếng"), std::string("tiếng"));
    }

    void base64CarriesAnyBytes() {
        QCOMPARE(toBase64("foobar"), std::string("Zm9vYmFy"));
        QCOMPARE(toBase64("fo"), std::string("Zm8="));
        QCOMPARE(toBase64("f"), std::string("Zg=="));
        std::mt19937 random(1);
        for (int i = 0; i < 500; ++i) {
            std::string any(random() % 50, '\0');
            for (char& byte : any)
                byte = static_cast<char>(random() & 255u);
            QVERIFY(fromBase64(toBase64(any)) == any);
        }
        for (const char* none : {"Zg", "Zg=", "Z===", "Zh==", "Zg==Zg==", "Zm9\n", "Zm9-", "===="})
            QVERIFY2(!fromBase64(none), none);
    }
};

QTEST_APPLESS_MAIN(TestTokenDisplay)
#include "test_token_display.moc"

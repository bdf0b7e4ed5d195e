// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sentences as people have them: what is recognised, what is said of it, and what comes out.
#include <QTest>

#include "core/data/corpus_readers.h"
#include "core/data/file_layout.h"
#include "core/data/text_reading.h"
#include "core/data/training_data.h"
#include "core/io/encoding.h"
#include "tests/core/opened.h"
#include "tests/core/written_file.h"

using namespace headlight;
using fixture::messageOf;

namespace {

QByteArray utf16(const QString& text, bool isMarked) {
    QByteArray bytes(isMarked ? "\xff\xfe" : "");
    for (const QChar unit : text) {
        bytes += static_cast<char>(unit.unicode() & 0xff);
        bytes += static_cast<char>(unit.unicode() >> 8);
    }
    return bytes;
}

/// Of a text that has no character above U+00FF, and few of those that Windows put below.
QByteArray western(QString text) {
    text.replace(QChar(0x201C), QChar(0x93)).replace(QChar(0x201D), QChar(0x94)).replace(QChar(0x20AC), QChar(0x80));
    return text.toLatin1();
}

QByteArray cyrillic(const QString& text) {
    QByteArray bytes;
    for (const QChar c : text)
        bytes += static_cast<char>(c.unicode() < 0x80 ? c.unicode() : c.unicode() - 0x410 + 0xc0);
    return bytes;
}

/// A few rows, ten times, with another number each time.
QByteArray numbered(const QByteArray& rows) {
    QByteArray all;
    for (int i = 0; i < 10; ++i)
        all += QByteArray(rows).replace("%", QByteArray::number(i));
    return all;
}

const QString kPairs = QStringLiteral(
    "She's late.\tElle est en retard.\nThat café is closed.\tCe café est fermé.\n"
    "It costs €5.\tÇa coûte 5 €.\nWhere is the station?\tOù est la gare ?\n");

}  // namespace

class TestFileLayout : public QObject {
    Q_OBJECT
private slots:
    void aFileIsReadAsItIs_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("read");
        const QString plain = QStringLiteral("She's late.|Elle est en retard.");
        const auto row = [](const char* what, const QString& name, const QByteArray& bytes, const QString& said,
                            const QString& read) { QTest::newRow(what) << name << bytes << said << read; };
        row("a table", "a.tsv", kPairs.toUtf8(), "", plain);
        row("Windows-1252", "a.tsv", western(kPairs),
            "a table with tabs in windows-1252; source: column 1, "
            "target: column 2",
            plain + "#That café is closed.|Ce café est fermé.#It costs €5.|Ça coûte 5 €.");
        row("UTF-16, marked", "a.tsv", utf16(kPairs, true),
            "a table with tabs in UTF-16LE; source: column 1, target: column 2", plain);
        row("UTF-16", "a.tsv", utf16(kPairs, false),
            "a table with tabs in UTF-16LE; source: column 1, target: column 2", plain);
        row("UTF-16 without a plain letter", "a.tsv",
            utf16(QStringLiteral("你好世界。\t他去学校。\n再见。\t谢谢。\n").repeated(4), false),
            "a table with tabs in UTF-16LE; source: column 1, target: column 2",
            QStringLiteral("你好世界。|他去学校。"));
        row("Windows-1251 beside English", "a.tsv",
            cyrillic(QStringLiteral("I see the house.\tЯ вижу дом.\nShe reads a book.\tОна читает книгу.\n"
                                    "They live in the city.\tОни живут в городе.\n")),
            "a table with tabs in windows-1251; source: column 1, target: column 2",
            QStringLiteral("I see the house.|Я вижу дом."));
        row("a header", "a.tsv", "en\tfr\n" + kPairs.toUtf8(),
            "a table with tabs in UTF-8, its first line as the names of columns; source: en, target: fr", plain);
        row("names of two words", "a.csv",
            "English sentence,Swahili Translation\nShe is late again this morning.,Amechelewa tena leo asubuhi.\n"
            "He sleeps very well.,Analala vizuri sana.\n",
            "comma-separated values in UTF-8, its first line as the names of columns; source: English sentence, "
            "target: Swahili Translation",
            "She is late again this morning.|Amechelewa tena leo asubuhi.#He sleeps very well.|Analala vizuri sana.");
        row("a question, and no header", "a.tsv",
            "Any question?\tUne question ?\nShe's late again.\tElle est encore en retard.\n", "",
            "Any question?|Une question ?#She's late again.|Elle est encore en retard.");
        row("words, and no header", "a.tsv", "no\tnon\nit\til\nyes\toui\ngo\tva\n", "", "no|non#it|il");
        row("ids between", "a.tsv", "17\tShe's late.\t90\tElle est en retard.\n18\tHe sleeps.\t91\tIl dort.\n",
            "a table with tabs in UTF-8; source: column 2, target: column 4", plain);
        row("CSV", "a.csv",
            "en,fr,note\nHe said \"no\".,skip,x\n\"\"\"No,\"\" she said.\",\"« Non », dit-elle.\",y\n"
            "\"A line\nand another\",Deux lignes,z\nPlain one here,Une simple,z\n",
            "comma-separated values in UTF-8, its first line as the names of columns; source: en, target: fr",
            "He said \"no\".|skip#\"No,\" she said.|« Non », dit-elle.#A line and another|Deux lignes");
        row("CSV of Excel", "a.csv", "Source;Target\r\nShe's late.;Elle est en retard.\r\n1,5 km away;à 1,5 km\r\n",
            "values with semicolons between in UTF-8, its first line as the names of columns; source: Source, "
            "target: Target",
            plain + "#1,5 km away|à 1,5 km");
        row("names in the spreadsheet's own language", "a.csv",
            "Nr;Englisch;Französisch;Datum\r\n1;She's late.;Elle est en retard.;01.03.2021\r\n"
            "2;He sleeps.;Il dort.;02.03.2021\r\n",
            "values with semicolons between in UTF-8, its first line as the names of columns; source: Englisch, "
            "target: Französisch",
            plain + "#He sleeps.|Il dort.");
        row("languages as words", "a.tsv", "English\tanglais\nFrench\tfrançais\nGerman\tallemand\n", "",
            "English|anglais#French|français#German|allemand");
        row("a label before its text", "a.csv", "label,text\n1,good film\n0,bad film\n",
            "comma-separated values in UTF-8, its first line as the names of columns; source: text, target: label",
            "good film|1#bad film|0");
        // All that is looked at may be of one class.
        QByteArray sorted = "label,text\n";
        for (int i = 0; i < 60; ++i)
            sorted += "ham,see you at " + QByteArray::number(i) + " then\n";
        row("a file that is sorted by its labels", "a.csv", sorted + "spam,win nine euros now\n",
            "comma-separated values in UTF-8, its first line as the names of columns; source: text, target: label",
            "see you at 0 then|ham#see you at 1 then|ham");
        // Labels first, and names that nobody knows: how a well-known collection of messages is handed on.
        row("names over labels", "a.csv",
            "v1,v2,,,\n" + numbered("ham,Ok lar... Joking wif % oni...,,,\nspam,\"WINNER % !! Claim, call\",,,\n"),
            "comma-separated values in UTF-8, its first line as the names of columns; source: v2, target: v1",
            "Ok lar... Joking wif 0 oni...|ham#WINNER 0 !! Claim, call|spam");
        row("labels without a name", "a.tsv", numbered("So good, % times.\t1\t7\nSo bad, % times.\t0\t8\n"), "",
            "So good, 0 times.|1#So bad, 0 times.|0");
        row("translations beside labels", "a.tsv",
            numbered("en\tHello % you.\tnew\tSalut % toi.\nen\tHello % me.\told\tSalut % moi.\n"),
            "a table with tabs in UTF-8; source: column 2, target: column 4", "Hello 0 you.|Salut 0 toi.");
        row("JSON lines", "a.jsonl",
            "{\"id\": 7, \"translation\": {\"fr\": \"Il dort.\", \"en\": \"He\\nsleeps.\"}}\n\n"
            "{\"translation\": {\"en\": \"One\", \"fr\": \"Un\", \"tags\": [\"x\"]}}\n",
            "JSON lines in UTF-8; source: translation.fr, target: translation.en", "Il dort.|He sleeps.#Un|One");
        row("where it is from", "a.jsonl",
            "{\"id\": 1, \"en\": \"She's late.\", \"fr\": \"Elle est en retard.\", \"source\": \"tatoeba\"}\n"
            "{\"id\": 2, \"en\": \"He sleeps.\", \"fr\": \"Il dort.\", \"source\": \"tatoeba\"}\n",
            "JSON lines in UTF-8; source: en, target: fr", plain + "#He sleeps.|Il dort.");
        const QString list = QStringLiteral("a JSON list in UTF-8; source: en, target: fr");
        row("a JSON list", "a.json",
            "[{\"en\": \"She {said} \\\"}\\\".\", \"fr\": \"Oui \\\\\"},{\"fr\":\"Un\",\"en\":\"One\"}]\n", list,
            "She {said} \"}\".|Oui \\#One|Un");
        row("a JSON list over several lines", "a.json",
            "\xef\xbb\xbf[\r\n  {\r\n    \"en\": \"One\",\r\n    \"fr\": \"Un\"\r\n  }\r\n  ,\r\n  {\"en\": \"Two\", "
            "\"fr\": "
            "\"Deux\"}\r\n]\r\n\r\n",
            list, "One|Un#Two|Deux");
        row("a JSON list of another name", "a.txt", "[{\"en\": \"One\", \"fr\": \"Un\"}]", list, "One|Un");
        row("a JSON list in UTF-16", "a.json", utf16(QStringLiteral("[{\"en\": \"café\", \"fr\": \"café\"}]"), true),
            "a JSON list in UTF-16LE; source: en, target: fr", QStringLiteral("café|café"));
        row("a JSON list of translations", "a.json",
            "[{\"id\": 1, \"translation\": {\"en\": \"One\", \"fr\": \"Un\"}}, {\"id\": 2, \"translation\": {\"en\": "
            "\"Two\", \"fr\": \"Deux\"}}]",
            "a JSON list in UTF-8; source: translation.en, target: translation.fr", "One|Un");
        row("a list in an object", "a.json",
            "{\"version\": 1.5e3, \"tags\": [\"x\", [{\"en\": \"not this\"}]], \"info\": {\"list\": [{\"a\": "
            "\"}]\"}]}, "
            "\"none\": [],\n\"data\": [ {\"en\": \"One }\", \"fr\": \"Un\"},\n{\"en\":\"Two\",\"fr\":\"Deux\"} ], "
            "\"note\": \"end\", \"last\": null}\n",
            "the JSON list \"data\" in UTF-8; source: en, target: fr", "One }|Un#Two|Deux");
        row("a list in an object on a line of its own", "a.txt", "{\"data\": [{\"en\": \"a\", \"fr\": \"b\"}]}\n",
            "the JSON list \"data\" in UTF-8; source: en, target: fr", "a|b");
        // As servers of data sets answer: what describes the columns is a list of objects too.
        row("the largest of several lists", "a.json",
            "{\"features\": [{\"name\": \"en\"}, {\"name\": \"fr\"}], \"rows\": [{\"row_idx\": 0, \"row\": {\"en\": "
            "\"One "
            "here\", \"fr\": \"Un ici\"}, \"truncated_cells\": []}, {\"row_idx\": 1, \"row\": {\"en\": \"Two\", "
            "\"fr\": "
            "\"Deux\"}, \"truncated_cells\": []}], \"num_rows_total\": 2}",
            "the JSON list \"rows\" (and not features, which --list would name) in UTF-8; source: row.en, target: "
            "row.fr",
            "One here|Un ici#Two|Deux");
        row("line ends of an old Macintosh", "a.csv", "en,fr\rHello there,Bonjour\rBye now,Au revoir\r",
            "comma-separated values in UTF-8, its first line as the names of columns; source: en, target: fr",
            "Hello there|Bonjour#Bye now|Au revoir");
        row("a first line that is Excel's", "a.csv", "sep=;\r\nen;fr\r\nHello, there;Bonjour\r\nBye now;Au revoir\r\n",
            "values with semicolons between in UTF-8, its first line as the names of columns; source: en, target: fr",
            "Hello, there|Bonjour#Bye now|Au revoir");
        row("tabs in quoted cells", "a.tsv",
            "en\tfr\nOne here\tUn ici\n\"Two\there\"\t\"Deux\nlignes\"\n\"\"\"Yes\"\" she said\"\tOui\n",
            "a table with tabs and quoted cells in UTF-8, its first line as the names of columns; source: en, target: "
            "fr",
            "One here|Un ici#Two\there|Deux lignes#\"Yes\" she said|Oui");
        row("marks that quote no cells", "a.tsv", "\"Hello\", she said.\tBonjour.\n\"Bye.\"\t\"Salut.\"\n", "",
            "\"Hello\", she said.|Bonjour.#\"Bye.\"|\"Salut.\"");
        row("JSON lines with escape sequences", "a.jsonl", "{\"en\": \"caf\\u00e9\", \"fr\": \"cafe\\u0301\"}\n",
            "JSON lines in UTF-8; source: en, target: fr", QStringLiteral("café|café"));
        row("two files joined", "a.tsv", "One\tUn\n\xef\xbb\xbfTwo\tDeux\n", "", "One|Un#Two|Deux");
    }
    void aFileIsReadAsItIs() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        QFETCH(QString, read);
        const std::string path = fixture::writtenFile(m_folder, name, bytes);
        QCOMPARE(QString::fromStdString(describe(layoutOf(path, SheetUse::Pairs), SheetUse::Pairs)), said);
        const Corpus corpus = readPairs(path);
        const QStringList pairs = read.split('#');
        QVERIFY(corpus.size() >= static_cast<size_t>(pairs.size()));
        for (qsizetype i = 0; i < pairs.size(); ++i)
            QCOMPARE(QString::fromStdString(corpus[static_cast<size_t>(i)].source + "|" +
                                            corpus[static_cast<size_t>(i)].target),
                     pairs[i]);
        QVERIFY(looksLikePairs(path));
    }

    void whatCannotBeReadIsToldInALine_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* what, const QString& name, const QByteArray& bytes, const QString& told) {
            QTest::newRow(what) << name << bytes << told;
        };
        row("an open quotation mark", "a.csv", "en,fr\nHello,\"Bonjour\n" + QByteArray("Good,Bon\n").repeated(300),
            "a.csv, line 2 has a quotation mark that is not closed; close it, or double it where it is part of the "
            "text");
        row("one that ends too early", "a.csv", "en,fr\n\"No,\" she said.,Non\nBye now,Au revoir\n",
            "a.csv, line 2 has a quotation mark in the middle of a quoted cell, or behind it; double those inside a "
            "cell");
        row("one at the end", "a.csv", "en,fr\nHello,Bonjour\nBye,\"Au revoir\n",
            "a.csv, line 3 has a quotation mark that is not closed; close it, or double it where it is part of the "
            "text");
        row("two encodings", "a.tsv", QByteArray("Caf\xc3\xa9\tCaf\xc3\xa9\n").repeated(20) + "Caf\xe9\tCaf\xe9\n",
            "a.tsv, line 21 is not valid UTF-8 (byte 4); convert the file to UTF-8, or say which encoding it has");
        row("a NUL", "a.tsv", QByteArray("One\tUn\nTw\0o\tDeux\n", 16),
            "a.tsv, line 2 holds a NUL byte, so this is no text; give a text file in UTF-8");
        row("columns parted by something else", "a.csv", "en|fr\nHello|Bonjour\nBye|Au revoir\n",
            "a.csv, line 1 has one column, as the others have; part source and target with a comma, a semicolon or a "
            "tab");
        row("a long line in a list", "a.json",
            "[{\"en\": \"a\", \"fr\": \"b\"}, {\"en\": \"" + QByteArray(34'000'000, 'a'),
            "a.json, line 1 is longer than 32 MiB; give a sentence a line, or read it as running text");
        row("a row that is short", "a.csv", "en,fr\nHello there,Bonjour\nonly\n",
            "a.csv, line 3 has 1 column, and column 2 is read; give every row as many");
        row("a header alone", "a.csv", "en,fr\n",
            "a.csv is empty, or has no line with both; give a file with source, tab and target on each line");
        row("no object", "a.jsonl", "{\"en\": \"a\", \"fr\": \"b\"}\nen, fr\n",
            "a.jsonl, line 2 is no JSON object; write one on each line, as {\"source\": \"…\", \"target\": \"…\"}");
        row("an escaped NUL", "a.jsonl", "{\"en\": \"a\", \"fr\": \"b\\u0000\"}\n",
            "a.jsonl, line 1 holds the character NUL in its text; take it out");
        row("an object without a list", "a.json", "{\"en\": \"a\",\n\"lists\": [[{\"en\": \"b\"}], 1]}\n",
            "a.json is a JSON object without a list of objects at its top level; give one list of objects, or one "
            "object a line, as {\"source\": \"…\", \"target\": \"…\"}");
        row("a list in an object that breaks off", "a.json", "{\n\"data\": [{\"en\": \"a\", \"fr\": \"b\"}]\n",
            "a.json, line 2 breaks off: the object around the list is not closed with }");
        row("an object that is none, around a list", "a.json",
            "{\n\"data\": [{\"en\": \"a\", \"fr\": \"b\"}]\n\"more\": 1}",
            "a.json, line 3 is not written as a JSON object: a comma, a colon or a brace is missing");
        row("text behind an object around a list", "a.json", "{\"data\": [{\"en\": \"a\", \"fr\": \"b\"}]} {\"a\": 1}",
            "a.json, line 1 has text behind the end of the list");
        row("no object in a list", "a.json", "[{\"en\": \"a\", \"fr\": \"b\"},\n{\"en\": \"a\" \"fr\"}]",
            "a.json, line 2 (entry 2) is no JSON object; write each entry as {\"source\": \"…\", \"target\": \"…\"}");
        row("a list of lists", "a.json", "[[\"a\", \"b\"]]",
            "a.json, line 1 (entry 1) is not written as [{\"source\": \"…\", \"target\": \"…\"}, …]: one list of "
            "objects");
        row("no comma in a list", "a.json", "[{\"en\": \"a\", \"fr\": \"b\"} {\"en\": \"c\", \"fr\": \"d\"}]",
            "a.json, line 1 (entry 1) is not written as [{\"source\": \"…\", \"target\": \"…\"}, …]: one list of "
            "objects");
        row("a list that breaks off", "a.json", "[{\"en\": \"a\", \"fr\": \"b\"},\n{\"en\": \"c\", \"fr\": \"d\"}\n",
            "a.json, line 2 (entry 2) breaks off: the list is not closed with ]");
        row("a list that breaks off in an object", "a.json", "[{\"en\": \"a\", \"fr\": \"b\"},{\"en\": \"c}",
            "a.json, line 1 (entry 2) breaks off before its end");
        row("two lists", "a.json", "[{\"en\": \"a\", \"fr\": \"b\"}]\n[]",
            "a.json, line 2 has text behind the end of the list");
        row("an empty list", "a.json", "[]",
            "a.json is empty, or has no line with both; give a file with source, tab and target on each line");
        row("half a character", "a.tsv", utf16(kPairs, true) + "x", "a.tsv is not valid UTF-16LE");
        row("half a surrogate", "a.tsv", utf16(QStringLiteral("a\tb\n"), true) + QByteArray("\x00\xd8\x41\x00", 4),
            "a.tsv is not valid UTF-16LE");
        const auto foreign = [&](const char* name, const QByteArray& bytes, const char* told) {
            row(name, QString::fromLatin1(name), bytes, QString::fromLatin1(name) + u' ' + QString::fromUtf8(told));
        };
        const QByteArray zip("PK\x03\x04\x14\0\0\0\x08\0", 10);
        foreign("a.xlsx", zip, "is an Excel workbook; save it there as CSV (UTF-8) and give that");
        foreign("a.ods", zip, "is a spreadsheet; save it there as CSV (UTF-8) and give that");
        foreign("a.docx", zip, "is a document of a word processor; save it there as plain text (UTF-8)");
        foreign("a.zip", zip, "is a zip archive; unpack it and give the text file in it");
        foreign("a.tsv.bz2", "BZh91AY&SY", "is packed with bzip2; unpack it (bunzip2) and give what comes out");
        foreign("a.tsv.xz", QByteArray("\xfd\x37zXZ\0\0", 7),
                "is packed with xz; unpack it (unxz) and give what comes out");
        foreign("a.tsv.zst", "\x28\xb5\x2f\xfd", "is packed with zstd; unpack it (unzstd) and give what comes out");
        foreign("a.tar", QByteArray(257, 'a') + "ustar  ", "is a tar archive; unpack it and give the text file in it");
        foreign("a.parquet", "PAR1\x15",
                "is a Parquet table; write it as CSV or JSON lines (with pandas: read_parquet, to_csv) and give that");
        foreign("a.pdf", "%PDF-1.4\n", "is a PDF; save its text as a text file (pdftotext) and give that");
        foreign(
            "a.srt", "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello.\r\n",
            "holds subtitles with their times; save the lines alone as plain text, or choose its kind by hand to read "
            "it as it is");
        foreign(
            "a.tmx", "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header/>",
            "is a translation memory (TMX); turn it into a table with tabs (tmx2corpus, OmegaT or Okapi do) and give "
            "that, or choose its kind by hand to read it as it is");
        foreign("b.tmx", utf16(QStringLiteral("<?xml version=\"1.0\"?><tmx version=\"1.4\">"), true),
                "is a translation memory (TMX)");
        foreign("a.html", "<!DOCTYPE html>\n<html><p>Hello",
                "is a web page; save its text as plain text (UTF-8), or choose its kind by hand to read it as it is");
        foreign("a.rtf", "{\\rtf1\\ansi Hello}",
                "is rich text (RTF); save it as plain text (UTF-8), or choose its kind by hand to read it as it is");
        row("blank lines alone", "a.tsv", "\n \n\n",
            "a.tsv is empty, or has no line with both; give a file with source, tab and target on each line");
        row("a line of 100 MB", "a.tsv", "One\tUn\n" + QByteArray(100'000'000, 'a'),
            "a.tsv, line 2 is longer than 32 MiB; give a sentence a line, or read it as running text");
    }
    void whatCannotBeReadIsToldInALine() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, told);
        const std::string path = fixture::writtenFile(m_folder, name, bytes);
        const QString message = messageOf([&] { readPairs(path); });
        QVERIFY2(message.startsWith(m_folder.filePath(told)), qPrintable(message));
        QVERIFY(!message.contains('\n'));
    }

    void whatIsSaidGoesBeforeWhatIsSeen() {
        const std::string path =
            fixture::writtenFile(m_folder, "said.csv", "en,fr,de\nThe dog sleeps.,Le chien dort.,Der Hund schläft.\n");
        const auto first = [&](const LayoutChoice& choice) {
            const SentencePair pair = readPairs(path, {.layout = choice}).at(0);
            return QString::fromStdString(pair.source + "|" + pair.target);
        };
        QCOMPARE(first({.columns = "de,en"}), "Der Hund schläft.|The dog sleeps.");
        QCOMPARE(first({.columns = "3, 2"}), "Der Hund schläft.|Le chien dort.");
        QCOMPARE(first({.header = false}), "en|fr");
        QCOMPARE(first({.encoding = "windows-1252", .columns = "3,1"}),
                 QStringLiteral("Der Hund schlÃ¤ft.|The dog sleeps."));
        const QString folder = m_folder.path() + "/";
        QCOMPARE(messageOf([&] { first({.columns = "de,es"}); }),
                 folder + "said.csv has no column \"es\"; it has en, fr, de");
        QCOMPARE(messageOf([&] { first({.columns = "4,1", .header = false}); }),
                 folder + "said.csv has no column \"4\"; it has columns 1 to 3");
        QCOMPARE(messageOf([&] { first({.columns = "de"}); }),
                 "--columns names two columns, source and target, with a comma between: 1,2 or en,fr");
        QCOMPARE(messageOf([&] { first({.encoding = "klingon"}); }),
                 "there is no encoding \"klingon\"; name one, as UTF-8, UTF-16LE, windows-1252 or ISO-8859-2");
        QCOMPARE(encodingNamed("latin1"), "ISO-8859-1");
        for (const std::string_view name : usualEncodings())
            QCOMPARE(QString::fromStdString(encodingNamed(std::string(name))), QString::fromUtf8(name));
    }

    void theKindMayBeSaid() {
        const auto file = [&](const QString& name, const QByteArray& bytes) {
            return fixture::writtenFile(m_folder, name, bytes);
        };
        const auto first = [](const std::string& path, const LayoutChoice& choice) {
            const SentencePair pair = readPairs(path, {.layout = choice}).at(0);
            return QString::fromStdString(pair.source + "|" + pair.target);
        };
        const QString folder = m_folder.path() + "/";
        // Nobody sees that this is a table: there is a comma, and a semicolon, in most sentences.
        const std::string plain = file("plain.txt", "Yes, I know; go.,Oui\nWell, yes; so.,Eh\n");
        QCOMPARE(first(plain, {.kind = LayoutKind::Commas}), "Yes|I know; go.");
        QCOMPARE(first(plain, {.kind = LayoutKind::Semicolons}), "Yes, I know|go.,Oui");
        QCOMPARE(messageOf([&] { first(plain, {.kind = LayoutKind::Tabs}); }),
                 folder +
                     "plain.txt has no tab between cells in its first lines, so it is no table of this kind; choose "
                     "another");
        QCOMPARE(messageOf([&] { first(plain, {.kind = LayoutKind::JsonLines}); }),
                 folder +
                     "plain.txt, line 1 is no JSON object; write one on each line, as {\"source\": \"…\", "
                     "\"target\": \"…\"}");
        QCOMPARE(messageOf([&] { first(plain, {.kind = LayoutKind::JsonList}); }),
                 folder +
                     "plain.txt, line 1 (entry 1) is not written as [{\"source\": \"…\", \"target\": \"…\"}, …]: one "
                     "list of objects");
        QCOMPARE(messageOf([&] { first(plain, {.kind = LayoutKind::Lines}); }),
                 folder + "plain.txt as lines has no columns, and pairs have two; give it as a text (--text-file)");
        QVERIFY(looksLikePairs(plain, {.kind = LayoutKind::Commas}) && !looksLikePairs(plain));
        // What is recognised can be read as what it is not.
        const std::string lines = file("said.jsonl", "{\"text\": \"A line.\"}\n");
        const auto text = [](const std::string& path, const LayoutChoice& choice) {
            return QString::fromStdString(readText(path, {.layout = choice}).at(0).target);
        };
        QCOMPARE(text(lines, {}), "A line.");
        QCOMPARE(text(lines, {.kind = LayoutKind::Lines}), "{\"text\": \"A line.\"}");
        const std::string titles = file("titles.srt", "1\n00:00:01,000 --> 00:00:02,500\nHello.\n");
        QCOMPARE(text(titles, {.kind = LayoutKind::Lines}), "1");
        QVERIFY(messageOf([&] { text(titles, {}); }).contains("subtitles"));
        // An archive is never text.
        QVERIFY(messageOf([&] { text(file("a.xz", "\xfd\x37zXZ"), {.kind = LayoutKind::Lines}); }).contains("unxz"));
    }

    void theListOfAnObjectMayBeSaid() {
        const std::string path = fixture::writtenFile(m_folder, "lists.json",
                                                      "{\"train\": [{\"en\": \"One\", \"fr\": \"Un\"}, {\"en\": "
                                                      "\"Two\", \"fr\": \"Deux\"}], \"t\\u0065st\": [{\"en\": "
                                                      "\"Six\", \"fr\": \"Six\"}]}");
        const auto first = [&](const std::string& list) {
            return QString::fromStdString(readPairs(path, {.layout = {.list = list}}).at(0).source);
        };
        QCOMPARE(first(""), "One");
        QCOMPARE(first("test"), "Six");
        QCOMPARE(
            messageOf([&] { first("dev"); }),
            m_folder.filePath("lists.json is a JSON object without a list of objects called \"dev\"; give one list of "
                              "objects, or one object a line, as {\"source\": \"…\", \"target\": \"…\"}"));
        const std::string list = fixture::writtenFile(m_folder, "list.json", "[{\"en\": \"One\", \"fr\": \"Un\"}]");
        QCOMPARE(messageOf([&] { readPairs(list, {.layout = {.list = "dev"}}); }),
                 m_folder.filePath("list.json is no JSON object, so it has no list called \"dev\"; leave out --list"));
        const std::string table = fixture::writtenFile(m_folder, "list.tsv", "One\tUn\n");
        QCOMPARE(messageOf([&] { readPairs(table, {.layout = {.list = "dev"}}); }),
                 m_folder.filePath("list.tsv is no JSON list, so \"dev\" names none in it; leave out --list"));
    }

    /// What a reader is shown as the reason.
    void whatSpeaksForALayoutIsTold() {
        const FileLayout layout =
            layoutOf(fixture::writtenFile(m_folder, "why.csv",
                                          western(QStringLiteral("en,fr\nHe's late,Né à Gênes\nYes,Où\nNo\n"))),
                     SheetUse::Pairs);
        QCOMPARE(layout.looked, size_t(4));
        QCOMPARE(layout.alike, size_t(3));
        QCOMPARE(QString::fromStdString(layout.letters), QStringLiteral("é à ê"));
        QCOMPARE(QString::fromStdString(layout.firstRow.at(1)), QStringLiteral("fr"));
    }

    void aTextMayBeAColumn() {
        const std::string objects = fixture::writtenFile(
            m_folder, "t.jsonl", "{\"text\": \"A line.\\nAnother.\", \"id\": \"x\"}\n{\"text\": \"The end.\"}\n");
        const auto read = [](const std::string& path, const ReadingOptions& options) {
            QStringList lines;
            for (const SentencePair& line : readText(path, options))
                lines << QString::fromStdString(withJoint(line, lines.isEmpty()));
            return lines.join('|');
        };
        QCOMPARE(read(objects, {}), "A line.|Another.||The end.");
        QCOMPARE(read(objects, {.text = TextReading::Breaks}), "A line.|\nAnother.|\n\nThe end.");
        QCOMPARE(read(objects, {.layout = {.columns = "id"}}), "x|");
        // A comma in every line makes no table of a text.
        const std::string prose = fixture::writtenFile(m_folder, "t.txt", "Well, yes.\nOh, no.\nSo, what?\n");
        QCOMPARE(read(prose, {}), "Well, yes.|Oh, no.|So, what?");
        QVERIFY(!looksLikePairs(prose));
        QCOMPARE(messageOf([&] { read(prose, {.layout = {.columns = "1"}}); }),
                 m_folder.filePath("t.txt has lines and no columns; leave out --columns, or give a table: CSV, TSV or "
                                   "JSON"));
        QCOMPARE(
            read(fixture::writtenFile(m_folder, "t.txt", western(QStringLiteral("Le café est fermé.\nÇa va ?\n"))), {}),
            "Le café est fermé.|Ça va ?");
    }

    /// Characters that lie across the blocks in which a file is read.
    void longFilesOfAnyEncoding() {
        QString text;
        for (int i = 0; i < 30'000; ++i)
            text += QStringLiteral("%1 𝄞 é\tfür %1\n").arg(i);
        const auto check = [&](const QByteArray& bytes, const LayoutChoice& choice) {
            const Corpus corpus = readPairs(fixture::writtenFile(m_folder, "long.tsv", bytes), {.layout = choice});
            QCOMPARE(corpus.size(), size_t(30'000));
            for (size_t i = 0; i < corpus.size(); ++i)
                QCOMPARE(QString::fromStdString(corpus[i].source + "|" + corpus[i].target),
                         QStringLiteral("%1 𝄞 é|für %1").arg(i));
        };
        check(text.toUtf8(), {});
        check(utf16(text, true), {});
        check(utf16(text, false), {.encoding = "UTF-16LE"});
    }

    /// A list is often one line: what is told of it is told by its entries.
    void aListMayBeOneLongLine() {
        QByteArray list("[");
        for (int i = 0; i < 200'000; ++i)
            list += "{\"en\":\"sentence " + QByteArray::number(i) +
                    " of a long list, which is longer than a line may be\"," +
                    (i % 100 ? "\"fr\":\"phrase " + QByteArray::number(i) + " d'une liste\"" : "\"fr\":\"\"") +
                    ",\"note\":\"" + QByteArray(100, 'x') + "\"},";
        list.back() = ']';
        QVERIFY(list.size() > 35'000'000);
        const std::string path = fixture::writtenFile(m_folder, "long.json", list);
        ReadingNotes notes;
        const Corpus corpus = readPairs(path, {}, &notes);
        QCOMPARE(corpus.size(), size_t(198'000));
        QCOMPARE(QString::fromStdString(corpus.back().target), QStringLiteral("phrase 199999 d'une liste"));
        QCOMPARE(notes.halfPairs, 2000);
        QCOMPARE(QString::fromStdString(notes.firstHalfPair), m_folder.filePath("long.json, entry 1"));
    }

    /// A quotation mark of the text is none of the table, and none of the JSON.
    void entitiesAreUndoneInCells() {
        const auto read = [&](const char* name, const QByteArray& bytes) {
            ReadingNotes notes;
            const Corpus corpus =
                readPairs(fixture::writtenFile(m_folder, name, bytes), {.undoEntities = true}, &notes);
            return QString::fromStdString(corpus.at(0).source + "|" + corpus.at(0).target) + '|' +
                   QString::number(notes.entities);
        };
        QCOMPARE(read("a.csv", "en,fr\n&quot;No&quot; she said &amp; left,Non&nbsp;\nSecond row here,Ici la seconde\n"),
                 "\"No\" she said & left|Non|4");
        QCOMPARE(read("a.jsonl", "{\"en\": \"&quot;No&quot; e&#769;\", \"fr\": \"Non\"}\n"),
                 QStringLiteral("\"No\" é|Non|3"));
        QCOMPARE(read("a.tsv", "It&apos;s late.\tIl est tard.\nNo.\tNon.\n"), "It's late.|Il est tard.|1");
    }

    void whatStandsTwiceIsCounted() {
        const auto notesOf = [&](const char* name, const QByteArray& bytes, TextReading reading = TextReading::Lines) {
            const std::string path = fixture::writtenFile(m_folder, name, bytes);
            ReadingNotes notes;
            if (QByteArray(name).endsWith("txt"))
                readText(path, {.text = reading}, &notes);
            else
                readPairs(path, {}, &notes);
            return QStringLiteral("%1 %2")
                .arg(notes.repeated)
                .arg(QString::fromStdString(notes.firstRepeated).section('/', -1));
        };
        QCOMPARE(notesOf("a.tsv", "One\tUn\nTwo\tDeux\nOne\tUne\nTwo\tDeux\nOne\tUn\nUn\tOne\nTwo\tDeux\n\t\n\t\n"),
                 "3 a.tsv, line 4");
        QCOMPARE(notesOf("a.json", "[{\"en\":\"a\",\"fr\":\"b\"},{\"en\":\"a\",\"fr\":\"b\"}]"), "1 a.json, entry 2");
        QCOMPARE(notesOf("a.txt", "Yes.\nNo.\n\n\nYes.\n"), "1 a.txt, line 5");
        QCOMPARE(notesOf("a.txt", "Yes.\nNo.\n\n\nYes.\n", TextReading::Breaks), "0 ");
    }

    void theChoiceIsKeptAsSettings() {
        const LayoutChoice choice{
            .kind = LayoutKind::QuotedTabs, .encoding = "UTF-16BE", .columns = "en,fr", .header = true, .list = "data"};
        LayoutChoice read;
        for (const auto& [key, value] : settingsOf(choice))
            QVERIFY(readSetting(key, value, read));
        QVERIFY(read == choice);
        QVERIFY(settingsOf(LayoutChoice()).empty());
        for (const LayoutKind kind : layoutKinds)
            QVERIFY(parseLayoutKind(nameOf(kind)) == kind);
        QVERIFY(messageOf([] { parseLayoutKind("xml"); }).contains("no kind of file"));
        QVERIFY(!readSetting("steps", "1", read));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestFileLayout)
#include "test_file_layout.moc"

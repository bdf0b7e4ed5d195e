// SPDX-License-Identifier: GPL-3.0-or-later
// A reading, and a lesson's words, as a web page: one file that holds the trace's own numbers and asks for nothing.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/lessons/lesson_folder.h"
#include "core/text/base64.h"
#include "tests/ui/fixture.h"
#include "ui/export/formula_html.h"
#include "ui/export/page_words.h"
#include "ui/export/prose_html.h"
#include "ui/export/web_page.h"
#include "ui/lessons/formula.h"
#include "ui/session/open/session.h"
#include "ui/session/page/reading_record.h"
#include "ui/session/trace/attention_block.h"

using namespace headlight;
using nlohmann::json;

namespace {

struct ReadPage {
    std::shared_ptr<const TrainedModel> model;
    Session::Reading reading;

    json record(const QStringList& muted = {}) const {
        return readingRecord({.model = *model,
                              .trace = *reading.trace,
                              .modelName = QStringLiteral("a model"),
                              .text = reading.source,
                              .says = reading.translation,
                              .mutedHeads = muted});
    }
};

ReadPage readBy(const QString& name, const QStringList& muted = {}) {
    ReadPage read{fixture::shippedModel(name), {}};
    read.reading = readSentence(*read.model, exampleSentence(*read.model), muted);
    return read;
}

json recordIn(const QByteArray& html) {
    const QByteArray begin = "<script type=\"application/json\" id=\"record\">";
    const qsizetype from = html.indexOf(begin) + begin.size();
    return json::parse(html.mid(from, html.indexOf("</script>", from) - from).toStdString());
}

std::vector<float> unpacked(const json& value) {
    const std::string bytes = fromBase64(value["numbers"].get<std::string>()).value();
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// A score, computed from nothing but what the page is told.
double scoreFrom(const json& record, const json& block, int head, int row, int column) {
    const json& how = block["score"];
    if (how["kind"] == "additive") {
        double sum = 0;
        for (size_t i = 0; i < how["energy"].size(); ++i)
            sum +=
                how["energy"][i].get<double>() * std::tanh(how["queries"][static_cast<size_t>(row)][i].get<double>() +
                                                           how["keys"][static_cast<size_t>(column)][i].get<double>());
        return sum;
    }
    const auto rowOf = [&](const char* as, int at) {
        if (std::string(as) == "key" && how.contains("keys"))
            return how["keys"][static_cast<size_t>(at)].get<std::vector<float>>();
        const json& value = record["values"][how[as].get<size_t>()];
        const std::vector<float> all = unpacked(value);
        const int rows = value["rows"], columns = value["columns"], heads = value["heads"];
        const int mine = head * heads / block["heads"].get<int>();
        const auto from = all.begin() + static_cast<std::ptrdiff_t>((mine * rows + at) * columns);
        return std::vector<float>(from, from + columns);
    };
    const std::vector<float> query = rowOf("query", row), key = rowOf("key", column);
    return std::inner_product(query.begin(), query.end(), key.begin(), 0.0) * how.value("factor", 1.0);
}

ProseMeans plainMeans() {
    return {{},
            [](const QString& term) { return term == u"query" ? QStringLiteral("What is <asked>") : QString(); },
            [](const QString& slug) { return slug == u"masks" ? QStringLiteral("Masks & pads") : QString(); }};
}

}  // namespace

class TestWebPage : public QObject {
    Q_OBJECT
private slots:
    void aPageIsOneFileThatNamesNoOther() {
        const QByteArray html = readingPage(readBy(QStringLiteral("vi-en-transformer")).record(), json::object());
        for (const char* way : {"://", " src=", "url(", "@import", "<link rel=\"stylesheet\"", "fetch(",
                                "XMLHttpRequest", "import ", "WebSocket", "sendBeacon"})
            QVERIFY2(!html.contains(way), way);
        QCOMPARE(html.count("href="), 1);
        QVERIFY(html.contains("<link rel=\"icon\" href=\"data:,\">"));
        QVERIFY(
            html.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                          "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"));
        QVERIFY2(html.size() < 3 << 20, qPrintable(QString::number(html.size())));
    }

    void itsNumbersAreTheTraces() {
        const ReadPage read = readBy(QStringLiteral("vi-en-transformer"));
        const json record = recordIn(readingPage(read.record(), json::object()))["reading"];
        const std::vector<TraceRecord>& records = read.reading.trace->records();
        QCOMPARE(record["values"].size(), records.size());
        int kept = 0;
        for (size_t i = 0; i < records.size(); ++i) {
            const json& value = record["values"][i];
            QCOMPARE(value["name"].get<std::string>(), records[i].name);
            const bool words = records[i].part == Part::Logits || records[i].part == Part::LogProbs;
            QCOMPARE(value.contains("numbers"), !words);
            if (words) continue;
            ++kept;
            const std::vector<float> values = unpacked(value);
            QCOMPARE(values.size(), records[i].values.size());
            QCOMPARE(std::memcmp(values.data(), records[i].values.data(), values.size() * sizeof(float)), 0);
        }
        QVERIFY(kept > 90);
        const std::vector<AttentionBlock> blocks = attentionBlocks(*read.reading.trace);
        QCOMPARE(record["blocks"].size(), blocks.size());
        for (size_t i = 0; i < blocks.size(); ++i) {
            const size_t weights = record["blocks"][i]["values"]["weights"];
            QCOMPARE(records[weights].name, blocks[i].weights->name);
        }
    }

    void theLikeliestWordsAreThoseOfTheModel() {
        const ReadPage read = readBy(QStringLiteral("vi-en-transformer"));
        const json record = read.record();
        QCOMPARE(record["answers"].size(), read.reading.baseline.words.size());
        for (size_t row = 0; row < record["answers"].size(); ++row) {
            const json& best = record["answers"][row];
            QCOMPARE(best.size(), 5);
            QCOMPARE(QString::fromStdString(best[0]["word"]), read.reading.baseline.words[static_cast<qsizetype>(row)]);
            QVERIFY(std::abs(best[0]["probability"].get<double>() -
                             static_cast<double>(read.reading.baseline.probabilities[row])) < 1e-5);
            for (size_t i = 1; i < best.size(); ++i)
                QVERIFY(best[i - 1]["probability"] >= best[i]["probability"]);
        }
    }

    /// Of a piece behind another the page found no probability, as its likeliest words had no mark of the seam.
    void whatIsWrittenBehindAPieceIsAmongTheLikeliest() {
        const json record = readBy(QStringLiteral("en-fr-transformer")).record();
        const json &written = record["written"], &answers = record["answers"];
        QCOMPARE(answers.size(), written.size());
        int pieces = 0;
        for (size_t row = 0; row < written.size(); ++row) {
            const auto word = written[row].get<std::string>();
            pieces += word.starts_with("‿") ? 1 : 0;
            QVERIFY2(std::ranges::any_of(answers[row], [&](const json& each) { return each["word"] == word; }),
                     word.c_str());
        }
        QVERIFY(pieces > 0);
    }

    void whatAPageIsToldOfAScoreGivesIt_data() {
        QTest::addColumn<QString>("name");
        for (const QString& name : fixture::shippedModelNames())
            QTest::newRow(qPrintable(name)) << name;
    }
    void whatAPageIsToldOfAScoreGivesIt() {
        QFETCH(QString, name);
        const json record = readBy(name).record();
        for (const json& block : record["blocks"]) {
            const json& scores = record["values"][block["values"]["scores"].get<size_t>()];
            const std::vector<float> values = unpacked(scores);
            const int rows = scores["rows"], columns = scores["columns"], heads = scores["heads"];
            for (int head = 0; head < heads; ++head)
                for (const auto& [row, column] : {std::pair(0, 0), std::pair(rows - 1, columns - 1)}) {
                    const auto is =
                        static_cast<double>(values[static_cast<size_t>((head * rows + row) * columns + column)]);
                    QVERIFY(std::abs(scoreFrom(record, block, head, row, column) - is) < 2e-5);
                }
        }
    }

    /// Whatever the scripts and the writer of a lesson say is in both tables, with the same places for numbers.
    void everyWordOfAPageIsTranslated() {
        QSet<QString> said;
        const QRegularExpression call(QStringLiteral("\\b(?:say|tr)\\(([^;]*?)\\)"));
        const QRegularExpression text(QStringLiteral("'([^'\\n]{2,})'|\"([^\"\\n]{2,})\""));
        QStringList files = {QStringLiteral(HEADLIGHT_SOURCE_DIR "/ui/export/lesson_html.cpp")};
        for (const QString& name : QDir(QStringLiteral(":/page")).entryList({QStringLiteral("*.js")}))
            files << QStringLiteral(":/page/") + name;
        for (const QString& name : files) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString script = QString::fromUtf8(file.readAll());
            for (auto found = call.globalMatch(script); found.hasNext();)
                for (auto words = text.globalMatch(found.next().captured(1)); words.hasNext();) {
                    const QRegularExpressionMatch each = words.next();
                    const QString english = each.captured(1) + each.captured(2);
                    if (english.at(0).isUpper() || english.contains(u' ')) said << english;
                }
        }
        QVERIFY(said.size() > 80);
        const QRegularExpression place(QStringLiteral("%\\d|\\{\\{\\w+\\}\\}"));
        const auto places = [&place](const QString& words) {
            QStringList all;
            for (auto found = place.globalMatch(words); found.hasNext();)
                all << found.next().captured();
            all.sort();
            return all;
        };
        for (const char* language : {"vi", "ru"}) {
            const PageWords words{language};
            QCOMPARE(words.language(), std::string(language));
            for (const QString& english : said)
                QVERIFY2(words.table().contains(english.toStdString()), qPrintable(english));
            for (const auto& [english, theirs] : words.table().items())
                QVERIFY2(places(QString::fromStdString(english)) ==
                             places(QString::fromStdString(theirs.get<std::string>())),
                         english.c_str());
        }
        QCOMPARE(PageWords("../vi").language(), std::string("en"));
        QCOMPARE(PageWords("de").say(QStringLiteral("Next")), QStringLiteral("Next"));
    }

    /// What the program calls values, and where they belong, is in both tables, but for letters.
    void everyNameOfAValueIsTranslated_data() { whatAPageIsToldOfAScoreGivesIt_data(); }
    void everyNameOfAValueIsTranslated() {
        QFETCH(QString, name);
        const json record = readBy(name).record();
        QSet<QString> names;
        const auto add = [&](const json& title) {
            for (QString part : QString::fromStdString(title).split(QStringLiteral(", "))) {
                static const QRegularExpression number(QStringLiteral("\\d+"));
                names << part.replace(number, QStringLiteral("%1"));
            }
        };
        for (const json& value : record["values"]) {
            for (const char* key : {"title", "scope"})
                add(value[key]);
            for (const char* key : {"model", "layer", "sublayer"})
                add(value[key]["label"]);
            names << QString::fromStdString(value["sentence"]);
        }
        for (const json& block : record["blocks"])
            add(block["title"]);
        for (const char* language : {"vi", "ru"}) {
            const PageWords words{language};
            for (const QString& each : names)
                if (each.size() > 1) QVERIFY2(words.table().contains(each.toStdString()), qPrintable(each));
        }
    }

    void mutedHeadsAreTold() {
        const QString head = QStringLiteral("decoder.layers.1.cross_attn.3");
        const json record = readBy(QStringLiteral("vi-en-transformer"), {head}).record({head});
        for (const json& block : record["blocks"])
            QVERIFY(block["muted"] ==
                    (block["scope"] == "decoder.layers.1.cross_attn" ? json::array({3}) : json::array()));
    }

    void markupInASentenceStaysText() {
        ReadPage read = readBy(QStringLiteral("vi-en-transformer"));
        Trace trace = *read.reading.trace;
        const std::string hostile = "</script><b onclick=\"x\">'&\xE2\x80\xA8";
        trace.sourceTokens[0] = hostile;
        read.reading.trace = std::make_shared<const Trace>(trace);
        read.reading.source = QString::fromStdString(hostile);
        const QByteArray html = readingPage(read.record(), json::object());
        QCOMPARE(html.count("</script"), 2);
        QVERIFY(!html.contains("<b "));
        QVERIFY(html.contains("<h1>&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;"));
        QCOMPARE(recordIn(html)["reading"]["source"][0].get<std::string>(), hostile);
    }

    void aReadingThatIsTooLargeIsRefusedInOneLine() {
        const auto trace = fixture::makeTrace({.layers = 1, .heads = 8, .words = 600});
        const auto model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        try {
            readingRecord({.model = *model, .trace = *trace, .modelName = QStringLiteral("large")});
            QFAIL("it was not refused");
        } catch (const Error& error) {
            QCOMPARE(
                QString::fromUtf8(error.what()),
                QStringLiteral("the page would hold 70 MB of numbers, and 48 are the most: take a shorter sentence"));
        }
    }

    void aPageIsWrittenWholeOrNotAtAll() {
        const QTemporaryDir folder;
        const auto whyNot = [&](const QString& path) {
            try {
                writePage(path, "<!doctype html>");
            } catch (const Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        QVERIFY(whyNot(folder.filePath(QStringLiteral("x.htm"))).endsWith(QStringLiteral("ends in .html")));
        QVERIFY(
            whyNot(QStringLiteral("/nowhere/x.html")).startsWith(QStringLiteral("/nowhere/x.html: cannot be written")));
        QVERIFY(QDir(folder.path()).isEmpty());
        QCOMPARE(whyNot(folder.filePath(QStringLiteral("x.html"))), QString());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("x.html")});
    }

    void proseBecomesHtmlThatLeadsNowhere() {
        const QByteArray html = proseHtml(
            QStringLiteral(
                "A **bold** *word*, `a < b`, <b onclick=\"x\">no tag</b>, [the query](#query), [masks](masks), "
                "[a page](https://example.org/a), you said \"%1\".\n\n- one\n- two\n\nEnd.")
                .arg(givenMark),
            plainMeans());
        QVERIFY(html.contains("<strong>bold</strong> <em>word</em>, <code>a &lt; b</code>"));
        QVERIFY(html.contains("&lt;b onclick=&quot;x&quot;&gt;no tag&lt;/b&gt;"));
        QVERIFY(html.contains(
            "<span class=\"term\" tabindex=\"0\">the query<span class=\"meaning\" role=\"tooltip\">What is "
            "&lt;asked&gt;</span></span>"));
        QVERIFY(html.contains("masks</span> (“Masks &amp; pads”)"));
        QVERIFY(html.contains("a page</span> (example.org/a)"));
        QVERIFY(html.contains("<span class=\"given\"></span>"));
        QVERIFY(html.contains("<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<p>End.</p>"));
        QVERIFY(!html.contains("href"));
    }

    void ofAFormulasPictureOnlyShapesAreTakenOver() {
        const QTemporaryDir folder;
        const std::string tex = "x_\"1\"";
        QFile file(folder.filePath(QString::fromStdString(formulaName(tex, false)) + QStringLiteral(".svg")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "<svg style=\"vertical-align: -0.5ex;\" xmlns=\"http://www.w3.org/2000/svg\" width=\"4ex\" height=\"2ex\" "
            "onload=\"alert(1)\" viewBox=\"0 0 10 10\"><title>x</title><script>alert(2)</script><g fill=\"query\" "
            "stroke=\"url(http://a)\"><path d=\"M0 0L1 1\" onclick=\"alert(3)\"/><image "
            "href=\"http://b\"/><foreignObject>"
            "<g><path d=\"M9\"/></g></foreignObject></g></svg>");
        file.close();
        const auto formula = Formula::find(QString::fromStdString(tex), false, {folder.path()});
        QVERIFY(formula);
        QCOMPARE(
            formulaHtml(*formula, 1),
            QByteArray("<svg viewBox=\"0 0 10 10\" class=\"math\" role=\"img\" "
                       "style=\"width:1.768em;height:0.884em;vertical-align:-0.221em\" aria-label=\"x_&quot;1&quot;\">"
                       "<g class=\"query-fill\"><path d=\"M0 0L1 1\"></path></g></svg>"));
    }
};

QTEST_MAIN(TestWebPage)
#include "test_web_page.moc"

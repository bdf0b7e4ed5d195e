// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson as one web page: every step's words, questions, numbers and pictures, whoever wrote them.
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <nlohmann/json.hpp>

#include "tests/ui/calm_window.h"
#include "ui/shell/lesson_export.h"
#include "ui/shell/stage.h"

using namespace headlight;
using nlohmann::json;

namespace {

/// A lesson whose author means no good; the letter that is asked for is the second of three.
constexpr auto kHostile = R"(---
title: "</title><script>alert(1)</script>"
summary: One step.
minutes: 1
needs: []
model: vi-en-transformer
sources:
  - "<b>nobody</b>"
---

## A <img src=x onerror=alert(2)> step

<script>alert(3)</script> and [a way out](https://example.org/x) and ![picture](https://example.org/y.png).

```stage
view: attention
```

```check
ask: "Which one, <i>?"
choice: ["</script>", "<b>", c]
answer: 2
hint: You said “{{given}}”.
right: "<img src=x>"
```
)";

json recordIn(const QByteArray& html) {
    const QByteArray begin = "<script type=\"application/json\" id=\"record\">";
    const qsizetype from = html.indexOf(begin) + begin.size();
    return json::parse(html.mid(from, html.indexOf("</script>", from) - from).toStdString());
}

QImage pictureOf(const json& figure, const char* theme) {
    const std::string data = figure[theme];
    return QImage::fromData(QByteArray::fromBase64(QByteArray::fromStdString(data.substr(data.find(',') + 1))));
}

/// The share of its pixels that are darker than half.
double darkness(const QImage& image) {
    int dark = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            dark += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
    return static_cast<double>(dark) / image.width() / image.height();
}

}  // namespace

class TestLessonPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_calm = std::make_unique<fixture::CalmWindow>(QSize(1280, 800)); }
    void cleanupTestCase() { m_calm.reset(); }

    void aLessonIsOnePageWithEveryStep() {
        player().open(QStringLiteral("by-hand"));
        player().goTo(3);
        const ThemeManager::Mode mode = m_calm->theme->mode();
        QVERIFY(exportTo(path("by-hand.html")).isEmpty());
        QCOMPARE(player().step(), 3);
        QCOMPARE(m_calm->theme->mode(), mode);
        const QByteArray html = read(path("by-hand.html"));
        QCOMPARE(html.count("<section class=\"step\">"), player().steps());
        for (const LessonStep& step : player().lesson().steps)
            QVERIFY(html.contains("<h2>" + QByteArray::fromStdString(step.title) + "</h2>"));
        QVERIFY(!html.contains("://"));
        QVERIFY(!html.contains("…</p>"));  // no number is still to come
        QVERIFY(html.contains("<pre class=\"code\">import torch\n"));
        QVERIFY(html.contains("<pre class=\"printed\">0.1950 0.2050 0.2600 0.1000 0.2400\n"));
        const json record = recordIn(html);
        QCOMPARE(record["steps"].size(), static_cast<size_t>(player().steps()));
        // The second step asks for a number that the lesson's file holds too, and stands on the example's reading.
        const json& step = record["steps"][1];
        const json& check = step["checks"][0];
        QVERIFY(std::abs(check["answer"].get<double>() - 0.385) < 1e-6);
        QCOMPARE(check["row"]["values"].size(), 5);
        QVERIFY(std::abs(check["swapped"]["value"].get<double>() - 0.385) < 1e-6);  // Q is K
        const json& reading = record["readings"][step["reading"].get<size_t>()];
        QCOMPARE(reading["values"].size(), 6);
        QVERIFY(step["shows"] == json({{"value", "scores"}, {"cell", {0, 2}}}));
        QVERIFY(record["readings"].size() == 3);  // three sets of matrices, however many steps
        for (const json& figure : record["figures"]) {
            const QImage light = pictureOf(figure, "light"), dark = pictureOf(figure, "dark");
            QCOMPARE(light.size(), dark.size());
            QVERIFY(darkness(light) < 0.3);
            QVERIFY(darkness(dark) > 0.5 && darkness(dark) < 0.999);
        }
    }

    void whatALessonsAuthorWritesIsTextOnly() {
        QVERIFY(QDir(m_calm->folder.path()).mkpath(QStringLiteral("mine/en")));
        QFile file(path("mine/en/01-bad.md"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kHostile);
        file.close();
        m_calm->window->openLessons(path("mine"));
        player().open(QStringLiteral("bad"));
        QVERIFY(player().isOpen());
        QVERIFY(exportTo(path("bad.html")).isEmpty());
        const QByteArray html = read(path("bad.html"));
        QCOMPARE(html.count("</script"), 2);
        for (const char* tag : {"<img", "<b>", "<i>", "onerror=alert(2)>", "://", " href=\"http"})
            QVERIFY2(!html.contains(tag), tag);
        QVERIFY(html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)"));
        QVERIFY(html.contains("a way out</span> (example.org/x)"));
        QVERIFY(html.contains("<button type=\"button\" class=\"answer\">&lt;/script&gt;</button>"));
        QCOMPARE(recordIn(html)["steps"][0]["checks"][0]["solution"].get<std::string>(), "<b>");
        m_calm->window->workbench().lessons.openShipped();
    }

    void whatIsCancelledOrCannotBeWrittenLeavesNothing() {
        player().open(QStringLiteral("by-hand"));
        player().goTo(2);
        auto* page = new LessonExport(m_calm->window->workbench(), m_calm->window->stage(), m_calm->window->rooms(),
                                      path("no.html"));
        QSignalSpy drawn(page, &LessonExport::drawn), finished(page, &LessonExport::finished);
        page->start();
        QTRY_COMPARE_WITH_TIMEOUT(drawn.count(), 2, fixture::kLongPatienceMs);
        page->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, fixture::kLongPatienceMs);
        QCOMPARE(player().step(), 2);
        QVERIFY(!QFile::exists(path("no.html")));
        const QString why = exportTo(QStringLiteral("/nowhere/x.html"));
        QVERIFY2(why.startsWith(QStringLiteral("/nowhere/x.html: cannot be written")), qPrintable(why));
    }

private:
    LessonPlayer& player() { return m_calm->window->workbench().player; }
    QString path(const char* name) const { return m_calm->folder.filePath(QString::fromLatin1(name)); }

    /// What went wrong.
    QString exportTo(const QString& path) {
        auto* page =
            new LessonExport(m_calm->window->workbench(), m_calm->window->stage(), m_calm->window->rooms(), path);
        QSignalSpy finished(page, &LessonExport::finished), failed(page, &LessonExport::failed);
        page->start();
        if (!finished.wait(fixture::kLongPatienceMs)) return QStringLiteral("it does not end");
        return failed.isEmpty() ? QString() : failed.first().first().toString();
    }

    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestLessonPage)
#include "test_lesson_page.moc"

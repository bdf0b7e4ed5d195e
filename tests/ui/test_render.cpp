// SPDX-License-Identifier: GPL-3.0-or-later
// `headlight --render`, as whoever makes pictures for slides calls it: every view and every option of the stage; what
// is drawn is read back from the SVG and compared with what the engine computes. The first picture of each view is
// drawn by a program of its own, as on the command line; starting one for each of the others would take minutes.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/lessons/stage_state.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/render_room_rows.h"
#include "ui/session/open/shipped.h"
#include "ui/session/open/step_cursor.h"
#include "ui/shell/render.h"

using namespace headlight;
using namespace headlight::fixture;

namespace {

/// The grains of which the timeline's pictures are counted.
constexpr std::array grains = {"layer", "sublayer"};

}  // namespace

class TestRender : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = calmTheme(m_settings);
        m_all = m_rows.all();
    }
    void cleanupTestCase() { m_theme.reset(); }

    void whatAnOptionAsksForIsDrawn_data() {
        QTest::addColumn<int>("at");
        for (size_t i = 0; i < m_all.size(); ++i) {
            const QString name =
                (QStringList(m_all[i].picture) + m_all[i].options + m_all[i].arguments.mid(1)).join(' ');
            QTest::newRow(name.toUtf8().constData()) << static_cast<int>(i);
        }
    }
    void whatAnOptionAsksForIsDrawn() {
        QFETCH(int, at);
        const RenderRow& row = m_all[static_cast<size_t>(at)];
        const auto isSame = [&](const RenderRow& each) { return each.picture == row.picture; };
        const QString out = m_folder.filePath(QStringLiteral("%1.svg").arg(at));
        if (&*std::ranges::find_if(m_all, isSame) == &row) {
            QStringList arguments = {"--render", row.picture, "--out", out};
            for (const QString& option : row.options)
                arguments << QStringLiteral("--option") << option;
            QVERIFY(finishes(arguments + row.arguments));
        } else {
            render(requestOf(row, out), *m_theme);
        }
        const Drawn drawn(out);
        QVERIFY(drawn.whole());
        row.check(drawn);
    }

    /// A field or a word that somebody adds to the stage is asked for here.
    void everyViewEveryOptionAndEveryWordIsAskedFor() {
        std::set<std::string> asked = {"view", "grain"};
        for (const char* grain : grains)
            asked.insert(std::string("grain=") + grain);
        for (const RenderRow& row : m_all) {
            asked.insert("view=" + row.picture.toStdString());
            for (const QString& option : row.options) {
                asked.insert(option.toStdString());
                asked.insert(option.section(u'=', 0, 0).toStdString());
            }
        }
        QStringList lacking;
        for (const std::string& key : stageKeyNames()) {
            if (!asked.contains(key)) lacking << QString::fromStdString(key);
            for (const std::string& word : wordsOf(key))
                if (!asked.contains(key + "=" + word)) lacking << QString::fromStdString(key + "=" + word);
        }
        QVERIFY2(lacking.isEmpty(), qPrintable(lacking.join(u' ')));
    }

    void aPictureForEachStepOfTheTimeline_data() {
        QTest::addColumn<QString>("grain");
        for (const char* grain : grains)
            QTest::newRow(grain) << QString::fromLatin1(grain);
    }
    void aPictureForEachStepOfTheTimeline() {
        QFETCH(QString, grain);
        StepCursor cursor;
        cursor.setTrace(m_rows.trace());
        cursor.setGrain(grain == QLatin1String("layer") ? StepCursor::Grain::Layer : StepCursor::Grain::Sublayer);
        cursor.toStart();
        int steps = 1;
        for (int at = cursor.position(); cursor.next(), cursor.position() != at; at = cursor.position())
            ++steps;
        const QString folder = m_folder.filePath(grain);
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(finishes({"--render", "values", "--model", headlight::shippedModel(RenderRows::kModel), "--option",
                          "frames=steps", "--option", "grain=" + grain, "--size", "400x300", "--out",
                          folder + "/step.svg"}));
        QCOMPARE(QDir(folder).entryList(QDir::Files).size(), steps);
    }

    /// The powers of the worked example are added up, and are not yet shares.
    void aStepIsDrawnInItsMiddle() {
        const QString out = m_folder.filePath(QStringLiteral("middle.svg"));
        const QStringList softmax = {"--render", "query-key-value", "--option", "step=2", "--out", out, "--option"};
        QVERIFY(finishes(softmax + QStringList("phase=0.6")));
        QVERIFY(Drawn(out).writes({"6.116"}));
        QVERIFY(!Drawn(out).writes({"0.212"}));
        QVERIFY(finishes(softmax + QStringList("phase=1")));
        QVERIFY(Drawn(out).writes({"0.212"}));
        for (const char* wrong : {"phase=2", "phase=half", "phase=nan"})
            QVERIFY2(!finishes(softmax + QStringList(wrong)), wrong);
    }

    /// A link of a stage on which nothing was opened.
    void aLinkThatNamesNoModelIsDrawnWithTheFirst() {
        const QString out = m_folder.filePath(QStringLiteral("nameless.svg"));
        QVERIFY(finishes({"--render", "models", "--state", "headlight:attention", "--out", out}));
        QVERIFY(Drawn(out).writes({QFileInfo(firstModel()).completeBaseName()}));
    }

    void aWebPageSaysWhatWasReadAndBeginsWithWhatIsShown() {
        const QString out = m_folder.filePath(QStringLiteral("page.html"));
        QVERIFY(finishes({"--render", "web-page", "--model", headlight::shippedModel(RenderRows::kModel), "--source",
                          "tôi yêu bạn", "--option", "block=decoder.layers.0.self_attn", "--option", "head=3",
                          "--option", "cell=2,1", "--option", "quantity=scores", "--out", out}));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray page = file.readAll();
        QVERIFY(page.contains("<title>tôi yêu bạn → i love you</title>"));
        QVERIFY(page.contains("<h1>tôi yêu bạn<span class=\"arrow\">→</span>i love you</h1>"));
        QVERIFY(
            page.contains("\"shows\":{\"block\":\"decoder.layers.0.self_attn\",\"cell\":[1,0],\"head\":2,"
                          "\"part\":\"scores\"}"));
        QVERIFY(!finishes({"--render", "web-page", "--out", m_folder.filePath(QStringLiteral("page.pdf"))}));
        QVERIFY(!finishes({"--render", "web-page", "--option", "lesson=none", "--out", out}));
    }

private:
    /// What the command line makes of such a row.
    static RenderRequest requestOf(const RenderRow& row, const QString& out) {
        RenderRequest request;
        request.picture = row.picture;
        request.out = out;
        for (const QString& option : row.options)
            request.addOption(option);
        for (qsizetype i = 0; i + 1 < row.arguments.size(); i += 2) {
            const QString &name = row.arguments[i], &value = row.arguments[i + 1];
            if (name == QLatin1String("--model"))
                request.model = value;
            else if (name == QLatin1String("--source"))
                request.source = value;
            else if (name == QLatin1String("--state"))
                request.link = value;
            else if (name == QLatin1String("--option"))
                request.addOption(value);
            else if (name == QLatin1String("--size"))
                request.setSize(value);
            else
                qFatal("%s: not among what is read here", qPrintable(name));
        }
        return request;
    }

    static bool finishes(const QStringList& arguments) {
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_WINDOW), arguments);
        return process.waitForFinished(fixture::kLongPatienceMs) && process.exitStatus() == QProcess::NormalExit &&
               process.exitCode() == 0;
    }

    QTemporaryDir m_folder;
    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_theme;
    RenderRows m_rows;
    std::vector<RenderRow> m_all;
};

QTEST_MAIN(TestRender)
#include "test_render.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// headlight-cli why and patch: what they print is what adds up.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <cmath>

namespace {

const QString models = HEADLIGHT_SOURCE_DIR "/resources/models/";

QByteArray printed(const QStringList& arguments) {
    QProcess cli;
    cli.start(HEADLIGHT_CLI, arguments);
    if (!cli.waitForFinished(headlight::fixture::kLongPatienceMs) || cli.exitStatus() != QProcess::NormalExit ||
        cli.exitCode() != 0)
        return cli.readAllStandardError().prepend("failed: ");
    return cli.readAllStandardOutput();
}

QList<QJsonObject> objects(const QStringList& arguments) {
    QList<QJsonObject> lines;
    for (const QByteArray& line : printed(arguments).split('\n'))
        if (!line.isEmpty()) lines << QJsonDocument::fromJson(line).object();
    return lines;
}

double sumOf(const QJsonArray& parts) {
    double sum = 0;
    for (const auto& part : parts)
        sum += part.toObject()["amount"].toDouble();
    return sum;
}

}  // namespace

class TestCliWhy : public QObject {
    Q_OBJECT
private slots:
    void theDifferenceIsPrintedToItsProducts() {
        const auto lines =
            objects({"why", models + "vi-en-transformer.safetensors", "--source", "tôi đang học tiếng anh", "--word",
                     "3", "--against", "studying", "--depth", "4", "--json"});
        QCOMPARE(lines.size(), 1);
        const QJsonObject& answer = lines[0];
        QCOMPARE(answer["word"].toString(), QStringLiteral("learning"));
        QCOMPARE(QString::number(answer["difference"].toDouble(), 'f', 3), QStringLiteral("6.054"));
        QVERIFY(std::abs(sumOf(answer["parts"].toArray()) - answer["difference"].toDouble()) < 1e-4);
        const QJsonObject cross = answer["parts"][5].toObject();
        QCOMPARE(cross["value"].toString(), QStringLiteral("decoder.layers.1.cross_attn.output"));
        const QJsonObject word = cross["parts"][1]["parts"][3].toObject();
        QCOMPARE(word["token"].toString(), QStringLiteral("tiếng"));
        QVERIFY(std::abs(sumOf(word["parts"].toArray()) - word["amount"].toDouble()) < 1e-5);
        QVERIFY(std::abs(sumOf(word["score_parts"].toArray()) - word["score"].toDouble()) < 1e-4);
        QCOMPARE(answer["held"].toArray().size(), 6);
    }

    void withoutAWordItAsksForWhatWasAnswered_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("labels") << "sentiment-transformer"
                                << "a boring film" << QByteArray("negative and not positive: ");
        QTest::newRow("text") << "stories-lstm"
                              << "the cat" << QByteArray("");
        QTest::newRow("recurrent") << "chat-gru-attention"
                                   << "hello" << QByteArray("");
    }
    void withoutAWordItAsksForWhatWasAnswered() {
        QFETCH(QString, model);
        QFETCH(QString, source);
        QFETCH(QByteArray, begins);
        const QByteArray text = printed({"why", models + model + ".safetensors", "--source", source});
        QVERIFY2(text.startsWith(begins) && text.contains(" and not ") && text.contains("\nheld:"), text);
        QVERIFY2(!text.contains("-0.000") && !text.contains("given"), text);
    }

    void everyPlaceOfAMapIsALine() {
        const auto lines =
            objects({"patch", models + "vi-en-transformer.safetensors", "--source", "tôi đang học tiếng anh", "--from",
                     "tôi đang học lịch sử", "--kind", "state", "--json"});
        QCOMPARE(lines.size(), 1 + 5 * 5 + 7 * 3);
        QCOMPARE(lines[0]["answer_b"].toString(), QStringLiteral("studying"));
        const auto& place = lines[1 + 5 + 3];  // encoder, layer 1, self-attention
        QCOMPARE(place["from_token"].toString(), QStringLiteral("lịch"));
        QCOMPARE(QString::number(place["share"].toDouble(), 'f', 2), QStringLiteral("0.69"));
        const QByteArray text =
            printed({"patch", models + "vi-en-gru.safetensors", "--source", "tôi yêu bạn", "--from", "tôi ghét bạn"});
        QVERIFY2(text.startsWith("A says love, B says hate"), text);
    }

    void headsThatAreOffAndAnotherTrainingArePatchedIn() {
        const QStringList asked{
            "patch",     models + "vi-en-transformer.safetensors", "--source", "tôi đang học tiếng anh",
            "--without", "decoder.layers.1.cross_attn.0",          "--kind",   "sublayer",
            "--json"};
        const auto lines = objects(asked);
        QCOMPARE(lines[0]["alike"].toBool(), true);
        double most = 0;
        for (const QJsonObject& line : lines.mid(1))
            if (line["share"].toDouble() > most) most = line["share"].toDouble();
        QVERIFY(std::abs(most - 1) < 1e-4);  // all of it comes from that block
        const QByteArray text = printed({"patch", models + "vi-en-fed-itself.safetensors", "--source", "tôi yêu bạn",
                                         "--read-by", models + "vi-en-fed-truth.safetensors"});
        QVERIFY2(text.contains("logit of"), text);
    }

    void eachWrittenWordHasItsLineOfAttributions() {
        const QStringList asked{"attribute", models + "vi-en-transformer.safetensors",
                                "--source",  "tôi đang học tiếng anh",
                                "--method",  "integrated",
                                "--json"};
        const auto lines = objects(asked);
        QCOMPARE(lines.size(), 5);  // <eos> among them
        for (const QJsonObject& line : lines) {
            QCOMPARE(line["source"].toArray().size(), 5);
            QCOMPARE(line["target"].toArray().size(), 5);
            QVERIFY(std::abs(line["sum"].toDouble() - line["whole"].toDouble()) <
                    0.01 * std::abs(line["whole"].toDouble()));
        }
        const auto one = objects({"attribute", models + "stories-lstm.safetensors", "--source", "the cat", "--method",
                                  "occlusion", "--json"});
        QCOMPARE(one.size(), 1);
        const QByteArray table = printed({"experiment", "attribution", models + "vi-en-gru.safetensors", "--task",
                                          "vi-en", "--sentences", "2", "--method", "occlusion"});
        QVERIFY2(table.contains("\nocclusion     0."), table);
    }

    void eachSaysWhatItDoes() {
        for (const char* command : {"why", "patch", "attribute"})
            QVERIFY(printed({command, "--help"}).contains("--json"));
    }
};

QTEST_APPLESS_MAIN(TestCliWhy)
#include "test_why.moc"

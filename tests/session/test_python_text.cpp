// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of Python that load what the reader points at.
#include <QFileInfo>
#include <QTest>

#include "ui/session/open/python_text.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"

using namespace headlight;

class TestPythonText : public QObject {
    Q_OBJECT
private slots:
    void modelSentenceAndValueAreNamed();
    void textIsQuotedForPython();
    void aHeadIsTakenWhereTheValueHasHeads();
    void withoutASentenceThereIsNothingToLoad();
};

void TestPythonText::modelSentenceAndValueAreNamed() {
    Session session;
    session.openModel(shippedModel(QStringLiteral("vi-en-transformer")));
    QTRY_VERIFY(session.model());
    session.setInput(QStringLiteral("tôi yêu bạn"), QStringLiteral("i love you"), {"decoder.layers.0.cross_attn.2"});
    QTRY_VERIFY(session.reading());
    Selection selection;
    selection.setTrace(session.reading()->trace);
    selection.setValue(QStringLiteral("decoder.layers.1.cross_attn.weights"));
    selection.setHead(3);
    const auto value = pythonValueOf(session, selection);
    QVERIFY(value);
    QCOMPARE(QFileInfo(value->model), QFileInfo(shippedModel(QStringLiteral("vi-en-transformer"))));
    const QStringList lines = pythonFor(*value).split(u'\n');
    const QString all = lines.join(u' ');
    for (const QString& part :
         {"\"" + value->model + "\"", QString("\"--source\", \"tôi yêu bạn\", \"--target\", \"i love you\""),
          QString("\"--mute\", \"decoder.layers.0.cross_attn.2\""),
          QString("\"--only\", \"decoder.layers.1.cross_attn.weights\", \"--out\", \"trace.npz\"], check=True)"),
          QString("value = trace[\"decoder.layers.1.cross_attn.weights\"][3]  # head 4 of 8")})
        QVERIFY2(all.contains(part), qPrintable(part));
    QVERIFY(lines.size() < 20);
}

void TestPythonText::textIsQuotedForPython() {
    const QString text = pythonFor({.model = "C:\\my \"models\"\\m", .source = "a\nb", .name = "logits"});
    QVERIFY(text.contains(R"("C:\\my \"models\"\\m")"));
    QVERIFY(text.contains(R"("a\nb")"));
    QVERIFY(text.contains("value = trace[\"logits\"]\n"));
    QVERIFY(!text.contains("--target") && !text.contains("--mute"));
}

void TestPythonText::aHeadIsTakenWhereTheValueHasHeads() {
    Session session;
    session.openModel(shippedModel(QStringLiteral("vi-en-transformer")));
    QTRY_VERIFY(session.model());
    session.setSource(QStringLiteral("tôi yêu bạn"));
    QTRY_VERIFY(session.reading());
    Selection selection;
    selection.setTrace(session.reading()->trace);
    QCOMPARE(pythonValueOf(session, selection)->name, QString("logits"));
    selection.setBlock(QStringLiteral("encoder.layers.0.self_attn"));
    QCOMPARE(pythonValueOf(session, selection)->name, QString("encoder.layers.0.self_attn.weights"));
    QCOMPARE(pythonValueOf(session, selection)->head, 0);
    selection.setValue(QStringLiteral("encoder.output"));
    QCOMPARE(pythonValueOf(session, selection)->head, -1);
}

void TestPythonText::withoutASentenceThereIsNothingToLoad() {
    const Session session;
    const Selection selection;
    QVERIFY(!pythonValueOf(session, selection));
}

QTEST_GUILESS_MAIN(TestPythonText)
#include "test_python_text.moc"

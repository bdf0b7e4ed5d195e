// SPDX-License-Identifier: GPL-3.0-or-later
// A message quotes what stands in a stranger's file, and stays one line that a terminal can show.
#include <QTest>

#include "core/error.h"

using headlight::Error;

class TestError : public QObject {
    Q_OBJECT
private slots:
    void aMessageIsWhatWasSaid() {
        QCOMPARE(std::string(Error("d_model 7 cannot be shared out: tôi học “x”").what()),
                 std::string("d_model 7 cannot be shared out: tôi học “x”"));
    }

    void lineBreaksAndEscapesAreShownAsSpaces() {
        QCOMPARE(std::string(Error("a\nb\r\tc\x1b[31md\x7f").what()), std::string("a b  c [31md "));
    }

    void aLongMessageIsCutBetweenCharacters() {
        std::string text;
        while (text.size() < 10000)
            text += "ế";  // three bytes
        const std::string what = Error(text).what();
        QVERIFY(what.size() < 2010);
        QVERIFY(QString::fromStdString(what).toStdString() == what);
        QVERIFY(what.ends_with("ế…"));
    }
};

QTEST_APPLESS_MAIN(TestError)
#include "test_error.moc"

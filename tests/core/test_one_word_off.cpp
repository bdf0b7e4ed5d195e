// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence that differs in one word and is answered differently, for every kind of model and tokenizer.
#include <QTest>
#include <sstream>

#include "core/data/task.h"
#include "core/experiment/one_word_off.h"
#include "core/experiment/patching.h"
#include "tests/core/opened.h"

using namespace headlight;

namespace {

std::vector<std::string> wordsOfText(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

class TestOneWordOff : public QObject {
    Q_OBJECT
private slots:
    void oneWordIsAnotherAndSoIsTheAnswer_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"vi-en-transformer", "vi-en-rnn", "vi-en-long-lstm-attention", "stories-transformer",
                                 "sentiment-transformer", "dates-transformer", "stories-masked"})
            if (QFile::exists(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/%1.safetensors").arg(name)))
                QTest::newRow(name) << QString::fromLatin1(name);
    }
    void oneWordIsAnotherAndSoIsTheAnswer() {
        QFETCH(QString, name);
        const TrainedModel model = fixture::loadShipped(name);
        const Task* const task = taskOf(model.training);
        QVERIFY(task);
        const std::string sentence(task->example);
        const auto other = oneWordOff(model, sentence);
        QVERIFY2(other.has_value(), sentence.c_str());
        const auto before = wordsOfText(sentence), now = wordsOfText(*other);
        QCOMPARE(now.size(), before.size());
        int changed = 0;
        for (size_t i = 0; i < now.size(); ++i)
            changed += now[i] != before[i];
        QCOMPARE(changed, 1);
        const Patching patching(model, sentence, *other);  // refuses what is answered alike
        QVERIFY(patching.share(patching.differenceOfB()).has_value());
        QCOMPARE(oneWordOff(model, sentence), other);
        qInfo("%s: %s | %s", qPrintable(name), sentence.c_str(), other->c_str());
    }

    void aSearchThatIsNoLongerWantedEnds() {
        const TrainedModel model = fixture::loadShipped("vi-en-transformer");
        QVERIFY(!oneWordOff(model, "tôi đang học tiếng anh", [] { return false; }));
    }
};

QTEST_GUILESS_MAIN(TestOneWordOff)
#include "test_one_word_off.moc"

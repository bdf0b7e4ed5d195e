// SPDX-License-Identifier: GPL-3.0-or-later
// What is true of every view, apart from its painting.
#include <QSet>
#include <QTest>

#include "core/io/model_file.h"
#include "core/lessons/stage_state.h"

using namespace headlight;

class TestViews : public QObject {
    Q_OBJECT
private slots:
    void eachHasANameATitleAndAQuestionOfItsOwn();
    void noTwoOptionsBearOneKey();
    void whatAModelLacksIsSaid_data();
    void whatAModelLacksIsSaid();
    void whoHidesNumbersShowsReadings();
};

void TestViews::eachHasANameATitleAndAQuestionOfItsOwn() {
    QSet<QString> names, titles, questions;
    for (size_t i = 0; i < views().size(); ++i) {
        const View& view = *views()[i];
        names << QString::fromUtf8(view.name);
        titles << QString::fromUtf8(view.group) + u'/' + QString::fromUtf8(view.title);
        questions << QString::fromUtf8(view.question);
        QVERIFY2(QByteArray(view.question).endsWith('?'), view.question);
        QCOMPARE(viewNamed(view.name), static_cast<ViewName>(i));
        QCOMPARE(std::string(nameOf(static_cast<ViewName>(i))), std::string(view.name));
    }
    const auto count = static_cast<qsizetype>(views().size());
    QCOMPARE(names.size(), count);
    QCOMPARE(titles.size(), count);
    QCOMPARE(questions.size(), count);
    QVERIFY(!viewNamed("no-such-view"));
}

/// They are declared apart, each with its view, and meet in one link.
void TestViews::noTwoOptionsBearOneKey() {
    QSet<QString> keys;
    for (const std::string& key : stageKeyNames()) {
        QVERIFY2(!keys.contains(QString::fromStdString(key)), key.c_str());
        keys << QString::fromStdString(key);
    }
    QVERIFY(keys.size() > 100);
}

void TestViews::whatAModelLacksIsSaid_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QStringList>("silent");
    QTest::newRow("a translator") << "en-fr-transformer" << QStringList{"recurrent", "cell"};
    QTest::newRow("a recurrent one with attention")
        << "en-fr-lstm-attention" << QStringList{"residuals", "feed-forward", "masks", "lens"};
    QTest::newRow("a recurrent one without")
        << "en-fr-lstm" << QStringList{"residuals", "feed-forward", "attention", "masks", "lens"};
    QTest::newRow("one of texts") << "tales-transformer" << QStringList{"recurrent", "cell", "forcing", "bleu"};
}

void TestViews::whatAModelLacksIsSaid() {
    QFETCH(QString, model);
    QFETCH(QStringList, silent);
    const std::string file = HEADLIGHT_SOURCE_DIR "/resources/models/" + model.toStdString() + ".safetensors";
    const TrainedModel opened = loadModel(file);
    QStringList found;
    for (size_t i = 0; i < views().size(); ++i)
        if (!whyNothingToShow(static_cast<ViewName>(i), opened).empty()) found << QString::fromUtf8(views()[i]->name);
    QCOMPARE(found, silent);
}

void TestViews::whoHidesNumbersShowsReadings() {
    for (const View* view : views())
        QVERIFY2(!view->hides || view->showsTraces, view->name);
}

QTEST_APPLESS_MAIN(TestViews)
#include "test_views.moc"

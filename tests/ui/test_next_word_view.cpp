// SPDX-License-Identifier: GPL-3.0-or-later
// The next word of a language model: bars against probabilities, sampling by hand, and the logit lens.
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/experiment/logit_lens.h"
#include "core/io/model_file.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/views/decode/next_word_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

std::shared_ptr<const TrainedModel> load(const char* name) {
    return std::make_shared<const TrainedModel>(
        loadModel(std::string(HEADLIGHT_SOURCE_DIR "/resources/models/") + name + ".safetensors"));
}

const QString beginning = QStringLiteral("once there was a little");

}  // namespace

class TestNextWordView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void barsAreTheModelsProbabilities() {
        const auto model = load("stories-transformer");
        const Session::Reading reading = readSentence(*model, beginning);
        NextWordView view;
        view.setReading(model, reading.trace);
        const TraceRecord& logProbs = reading.trace->at("log_probs");
        const size_t row = logProbs.values.size() - size_t(logProbs.shape.back());
        double forbidden = std::exp(double(logProbs.values[row])) + std::exp(double(logProbs.values[row + 1]));
        for (const WordBars::Bar& bar : view.bars()->bars()) {
            const int id = model->target->vocabulary().id(bar.word.toStdString());
            const double expected = std::exp(double(logProbs.values[row + size_t(id)])) / (1 - forbidden);
            QVERIFY(std::abs(bar.probability - expected) < 1e-5);
        }
        QVERIFY(view.bars()->bars()[0].word == "girl" || view.bars()->bars()[0].word == "boy");
    }

    void topKCutsAndTemperatureSharpens() {
        const auto model = load("stories-lstm");
        const Session::Reading reading = readSentence(*model, beginning);
        NextWordView view;
        view.setReading(model, reading.trace);
        const double first = view.bars()->bars()[0].probability;
        view.setSampling(0.3, 0, 1);
        QVERIFY(view.bars()->bars()[0].probability >= first);
        view.setSampling(1, 2, 1);
        const auto& bars = view.bars()->bars();
        QVERIFY(!bars[0].faded && !bars[1].faded && bars[2].faded);
        QVERIFY(std::abs(bars[0].probability + bars[1].probability - 1) < 1e-6);
        view.setSampling(1, 1, 1);
        QSignalSpy chosen(&view, &NextWordView::wordChosen);
        for (Button* button : view.findChildren<Button*>())
            if (button->text() == "Draw a word") QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(QString::fromStdString(model->target->displayOne(chosen[0][0].toInt())),
                 view.bars()->bars()[0].word);  // one word is left to draw
    }

    void theEndOfTheTextIsTold() {
        const auto model = load("stories-transformer");
        QString story = beginning;
        for (const std::string& word : respond(*model, beginning.toStdString()).tokens)
            if (word != "<eos>") story += ' ' + QString::fromStdString(word);
        const Session::Reading reading = readSentence(*model, story);
        NextWordView view;
        view.setReading(model, reading.trace);
        QSignalSpy chosen(&view, &NextWordView::wordChosen);
        const auto told = [&] {
            const auto labels = view.findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [](const QLabel* l) { return l->text().contains("here the text ends"); });
        };
        QVERIFY(!told());
        QCOMPARE(view.bars()->bars()[0].word, QStringLiteral("<eos>"));
        emit view.bars()->chosen(0);
        QCOMPARE(chosen.count(), 0);
        QVERIFY(told());
        view.setReading(model, reading.trace);
        QVERIFY(!told());
    }

    void theLensEndsInTheModelsOwnAnswer() {
        const auto model = load("stories-transformer");
        const Session::Reading reading = readSentence(*model, beginning);
        NextWordView view;
        view.setReading(model, reading.trace);
        const LogitLens lens(*model, *reading.trace);
        const auto row = [&](int at) {
            return QStringList{view.lens()->item(at, 0)->text(), view.lens()->item(at, 1)->text(),
                               view.lens()->item(at, 2)->text()};
        };
        const auto expected = [&](size_t depth, const QString& name) {
            const LensCell::Word word = lens.read(depth).back().words.front();
            return QStringList{name, QString::fromStdString(model->target->vocabulary().token(word.id)),
                               formatNumber(double(word.probability), 3)};
        };
        QCOMPARE(view.lens()->rowCount(), 2);
        QCOMPARE(row(0), expected(2, "layer 1"));
        QCOMPARE(row(1), expected(4, "the model"));
        QVERIFY(row(0)[2] != row(1)[2]);
    }

    void theLensShowsItsWordsWhole() {
        const auto model = load("stories-transformer");
        const Session::Reading reading = readSentence(*model, beginning + QStringLiteral(" girl"));
        NextWordView view;
        view.resize(1000, 600);
        view.setReading(model, reading.trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (int row = 0; row < view.lens()->rowCount(); ++row) {
            const QTableWidgetItem* word = view.lens()->item(row, 1);
            const double room = view.lens()->visualItemRect(word).width() - 8;  // the inset of a cell on both sides
            QVERIFY2(paint::textWidth(word->text(), word->font()) <= room, qUtf8Printable(word->text()));
        }
    }

    void aRecurrentModelHasNoLens() {
        const auto model = load("stories-lstm");
        NextWordView view;
        view.setReading(model, readSentence(*model, beginning).trace);
        QCOMPARE(view.lens()->rowCount(), 0);
    }

    void aClickPutsTheWordBehindTheSentence() {
        MainWindow window(*m_theme);
        window.resize(1440, 900);
        window.show();
        window.rooms().showView(ViewName::Decode);
        window.openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/stories-transformer.safetensors"));
        Session& session = window.workbench().session;
        QTRY_VERIFY(session.reading());
        auto* room = window.rooms().find<DecodeRoom>();
        QTRY_VERIFY(room->nextWord()->isVisible());
        session.setSource(beginning);
        QTRY_COMPARE(session.reading()->source, beginning);
        QTRY_VERIFY(room->nextWord()->bars()->bars()[0].word != "<eos>");
        const QString word = room->nextWord()->bars()->bars()[0].word;
        QTest::mouseClick(room->nextWord()->bars(), Qt::LeftButton, {}, QPoint(120, 8));
        QCOMPARE(session.source(), beginning + ' ' + word);
        QTRY_COMPARE(session.reading()->source, session.source());
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestNextWordView)
#include "test_next_word_view.moc"

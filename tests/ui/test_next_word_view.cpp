// SPDX-License-Identifier: GPL-3.0-or-later
// The next word of a language model: bars against probabilities, sampling by hand, and the logit lens.
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/experiment/logit_lens.h"
#include "core/io/model_file.h"
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

    void theLensEndsInTheModelsOwnAnswer_data() {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("stories-transformer") << beginning;
        QTest::newRow("vi-en-transformer") << QStringLiteral("tôi yêu bạn");
        QTest::newRow("fr-en-transformer") << QStringLiteral("le gros chien rouge");
    }
    void theLensEndsInTheModelsOwnAnswer() {
        QFETCH(QString, sentence);
        const auto model = load(QTest::currentDataTag());
        const Session::Reading reading = readSentence(*model, sentence);
        const std::vector<LensRow> rows = logitLens(*model, *reading.trace);
        QCOMPARE(rows.size(), size_t(3));
        // The last layer, read by hand, is what the model computed itself.
        for (size_t i = 0; i < rows[2].logProbs.size(); ++i)
            QVERIFY(std::abs(rows[1].logProbs[i] - rows[2].logProbs[i]) < 1e-4f);
        QVERIFY(rows[0].logProbs != rows[2].logProbs);
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

    void theLensRefusesWhatHasNoLayers() {
        const auto model = load("stories-lstm");
        const Session::Reading reading = readSentence(*model, beginning);
        QVERIFY_EXCEPTION_THROWN(logitLens(*model, *reading.trace), Error);
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

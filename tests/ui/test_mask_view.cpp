// SPDX-License-Identifier: GPL-3.0-or-later
// The mask laboratory: the right way of masking and the wrong ones, by numbers that can be worked out by hand.
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/data/translate.h"
#include "core/experiment/masking.h"
#include "core/io/model_file.h"
#include "tests/foreign_folder.h"
#include "tests/session/jobs.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/matrix/mask_grid.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/batch_strip.h"

using namespace headlight;

class TestMaskView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
    }
    void cleanupTestCase() { m_theme.reset(); }

    void minusInfinityBeforeTheSoftmaxIsRight() {
        const MaskedAttention result =
            maskedAttention({1, 2, 3, 0, 0, 0}, {0, 0, 1, 1, 1, 1}, 2, 3, MaskingWay::AddMinusInfinity);
        QVERIFY(std::isinf(result.scores[2]) && result.scores[2] < 0);
        QVERIFY(std::abs(result.weights[0] - 1 / (1 + std::exp(1.0))) < 1e-6);
        QCOMPARE(result.weights[2], 0.0f);
        QVERIFY(std::abs(result.sums[0] - 1) < 1e-6);
        QCOMPARE(result.sums[1], 0.0);  // no key left to look at
    }

    void aBillionFailsWhereEverythingIsClosed() {
        const MaskedAttention result =
            maskedAttention({1, 2, 3, 0, 0, 0}, {0, 0, 1, 1, 1, 1}, 2, 3, MaskingWay::AddMinusABillion);
        QCOMPARE(result.weights[2], 0.0f);
        for (size_t i = 3; i < 6; ++i)
            QVERIFY(std::abs(result.weights[i] - 1.0f / 3) < 1e-6f);
    }

    void multiplyingTurnsNegativeScoresIntoInfinityAndZerosIntoNoNumber() {
        const MaskedAttention result =
            maskedAttention({1, -2, 1, 0}, {0, 1, 0, 1}, 2, 2, MaskingWay::MultiplyMinusInfinity);
        QVERIFY(std::isinf(result.scores[1]) && result.scores[1] > 0);
        QVERIFY(std::isnan(result.scores[3]));
        // ∞ − ∞ is no number, and neither is what is divided by it.
        QVERIFY(std::isnan(result.sums[0]) && std::isnan(result.weights[0]) && std::isnan(result.weights[1]));
    }

    void afterTheSoftmaxTheRowsDoNotAddUpToOne() {
        const MaskedAttention result = maskedAttention({0, 0}, {0, 1}, 1, 2, MaskingWay::AfterSoftmax);
        QCOMPARE(result.weights[1], 0.0f);
        QVERIFY(std::abs(result.sums[0] - 0.5) < 1e-6);
    }

    void paddingScoresAsItWouldInABatchAndNothingElseMoves() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.resize(1376, 800);
        view.setReading(m_model, reading.trace);
        QTRY_VERIFY(!view.isBusy());
        view.second()->clear();
        emit view.second()->editingFinished();
        QTRY_VERIFY(!view.isBusy());
        const MatrixData& weights = view.weights()->data();
        const TraceRecord& expected = reading.trace->at("decoder.layers.0.self_attn.weights");
        const int words = expected.dim(1);
        QCOMPARE(weights.rows, words + 1);
        for (int row = 0; row < words; ++row)
            for (int column = 0; column < words; ++column)
                QVERIFY(std::abs(weights.value(row, column) - expected.head(0)[size_t(row * words + column)]) < 1e-5f);
        for (int row = 0; row <= words; ++row)
            QVERIFY(view.combined()->isBlocked(row, words));
    }

    void aBatchIsFilledUpToItsLongestSentence() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh"));
        MaskView view;
        view.resize(1376, 800);
        view.setReading(m_model, reading.trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        auto* pads = view.findChild<SegmentedControl*>();
        QCOMPARE(pads->accessibleName(), QString("Padding tokens behind the sentence"));
        pads->setCurrentIndex(0);
        emit pads->currentChanged(0);
        const auto retype = [&](const char* text) {
            view.second()->setText(QString::fromUtf8(text));
            emit view.second()->editingFinished();
            QTRY_VERIFY(!view.isBusy());
        };
        retype("tôi yêu bạn");
        const auto& rows = view.batch()->rows();
        QCOMPARE(rows.size(), size_t(2));
        QCOMPARE(rows[0].tokens.size(), rows[1].tokens.size());
        const int words = rows[1].words, length = int(rows[1].tokens.size());
        QVERIFY(words < length);
        QCOMPARE(rows[1].tokens.back(), QString("<pad>"));
        QVERIFY2(!view.combined()->isBlocked(0, 0), "the longest sentence has no padding");
        QTest::mouseClick(view.batch(), Qt::LeftButton, {}, view.batch()->chipRect(1, 0).center().toPoint());
        QCOMPARE(view.batch()->chosen(), 1);
        QTRY_VERIFY(!view.isBusy());
        for (int column = 0; column < length; ++column)
            QCOMPARE(view.combined()->isBlocked(length - 1, column), column >= words);
        // Padding changes no weight of the words.
        const Trace alone = *readSentence(*m_model, QStringLiteral("tôi yêu bạn")).trace;
        const TraceRecord& expected = alone.at("decoder.layers.0.self_attn.weights");
        for (int row = 0; row < words; ++row)
            for (int column = 0; column < words; ++column)
                QVERIFY(std::abs(view.weights()->data().value(row, column) -
                                 expected.head(0)[size_t(row * words + column)]) < 1e-5f);
        QTest::keyClick(view.batch(), Qt::Key_Up);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.batch()->chosen(), 0);
        retype("");
        QCOMPARE(view.batch()->rows().size(), size_t(1));
        retype(qPrintable(QStringLiteral("tôi ").repeated(300)));  // longer than the model reads
        QCOMPARE(view.batch()->rows().size(), size_t(1));
        QVERIFY2(!view.second()->toolTip().isEmpty(), "why it cannot be read is told");
    }

    void aBatchIsReadInTheBackgroundAndTheNewestIsShown() {
        const Session::Reading first = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh"));
        const Session::Reading second = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        Settling settling;
        QSignalSpy settled(&settling, &Settling::settled);
        MaskView view;
        view.setSettling(&settling);
        view.setReading(m_model, first.trace);
        QVERIFY2(view.isBusy() && !settling.isSettled() && view.weights()->data().empty(), "the window is not held");
        view.setReading(m_model, second.trace);
        QTRY_COMPARE(settled.count(), 1);
        QVERIFY(!view.isBusy());
        QCOMPARE(view.batch()->rows()[0].tokens.front(), QStringLiteral("<bos>"));
        QCOMPARE(view.batch()->rows()[0].words, int(second.trace->targetTokens.size()));
        // A sentence that is emptied meanwhile: nothing comes any more, and nobody waits for it.
        MaskView empty;
        empty.setSettling(&settling);
        empty.setReading(m_model, first.trace);
        empty.setReading(nullptr, nullptr);
        QVERIFY(settling.isSettled());
        QVERIFY(fixture::allJobsAreDone());
        QVERIFY(empty.weights()->data().empty());
    }

    void aCellOpenedByClickTakesWeightAndIsTold() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.resize(1376, 800);
        view.setReading(m_model, reading.trace);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        const auto banner = [&] {
            for (QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("can now see")) return label->text();
            return QString();
        };
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(banner().isEmpty());
        QCOMPARE(view.weights()->data().value(1, 2), 0.0f);
        QTest::mouseClick(view.combined(), Qt::LeftButton, {}, view.combined()->cellRect(1, 2).center().toPoint());
        QVERIFY(!view.combined()->isBlocked(1, 2));
        QVERIFY(view.weights()->data().value(1, 2) > 0.0f);
        QVERIFY2(banner().contains("“i”") && banner().contains("“love”"), qPrintable(banner()));
        // The keyboard closes it again.
        view.combined()->setFocus();
        QTest::keyClick(view.combined(), Qt::Key_Space);
        QVERIFY(view.combined()->isBlocked(1, 2));
        QVERIFY(banner().isEmpty());
        for (const Qt::Key enter : {Qt::Key_Return, Qt::Key_Enter}) {
            const bool before = view.combined()->isBlocked(1, 2);
            QTest::keyClick(view.combined(), enter);
            QVERIFY(view.combined()->isBlocked(1, 2) != before);
        }
    }

    /// At 1280 × 800 four of them had to be scrolled to.
    void rowsOfThirteenPiecesAreInSight() {
        const auto model = fixture::shippedModel(QStringLiteral("tales-transformer"));
        MaskView view;
        view.resize(1216, 696);
        view.setReading(
            model, readSentence(*model, QStringLiteral("If you don't know what to do, ask your older brother.")).trace);
        view.show();
        QTRY_VERIFY(!view.isBusy());
        const MatrixView& weights = *view.weights();
        QVERIFY(weights.data().rows > 13);
        for (int row = 0; row < weights.data().rows; ++row)
            QVERIFY2(weights.cellAt(weights.cellRect({row, 0}).center()).valid(), qPrintable(QString::number(row)));
        // Their sums stand as their names do: of low rows not every one.
        const qsizetype sums = fixture::drawn(*view.rowSums()).texts().count(QStringLiteral("1.000"));
        QCOMPARE(sums, (weights.data().rows + 1) / 2);
    }

    /// Beside a lesson it ended in “every word may look at …”.
    void aMaskThatClosesNothingSaysSoInWholeWords() {
        const auto model = fixture::shippedModel(QStringLiteral("sentiment-transformer"));
        MaskView view;
        view.setReading(model, readSentence(*model, exampleSentence(*model)).trace);
        for (const int width : {1200, 800, 640}) {
            view.resize(width, 800);
            view.show();
            QTRY_VERIFY(!view.isBusy());
            QStringList said;
            for (const QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().startsWith(QLatin1String("none"))) said << label->text();
            QVERIFY2(std::ranges::none_of(said, [](const QString& text) { return text.contains(u'…'); }) &&
                         std::ranges::any_of(said,
                                             [&](const QString& text) {
                                                 return text == QLatin1String("none") ||
                                                        text.contains(QLatin1String("may look"));
                                             }),
                     qPrintable(QStringLiteral("%1: %2").arg(width).arg(said.join(u'|'))));
        }
    }

    void everyWayShowsItsNumbers() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.setReading(m_model, reading.trace);
        QTRY_VERIFY(!view.isBusy());
        const auto sum = [&](int row) {
            double total = 0;
            for (int column = 0; column < view.weights()->data().columns; ++column)
                total += double(view.weights()->data().value(row, column));
            return total;
        };
        view.setWay(MaskingWay::AfterSoftmax);
        QVERIFY(sum(0) < 0.99);
        view.setWay(MaskingWay::AddMinusInfinity);
        QVERIFY(std::abs(sum(0) - 1) < 1e-5);
    }

    /// One stack: a language model's mask is causal, a classifier has none; and what has no self-attention says so.
    void modelsOfOneStackHaveTheirOwnMasks() {
        for (const QString name : {"stories-transformer", "sentiment-transformer"}) {
            const auto model = fixture::shippedModel(name);
            const Session::Reading reading = readSentence(*model, exampleSentence(*model));
            MaskView view;
            view.resize(1200, 800);
            view.show();
            view.setReading(model, reading.trace);
            const auto* matrix = view.findChildren<MatrixView*>().front();
            const auto scores = reading.trace->at("layers.0.self_attn.scores").head(0);
            QCOMPARE(matrix->data().values, std::vector<float>(scores.begin(), scores.end()));
            bool causal = false;
            for (const auto* each : view.findChildren<MatrixView*>())
                causal = causal || each->data().isMasked(0, 1);
            QCOMPARE(causal, name == QLatin1String("stories-transformer"));
            // Nothing pads a single sentence, so nobody is asked by how much.
            QVERIFY(!view.findChild<SegmentedControl*>()->isVisible());
            QVERIFY(says(view, "one sentence is not padded"));
            QCOMPARE(says(view, "closes words not written yet"), causal);
            QCOMPARE(says(view, "This model has no causal mask: every word may look at every word."), !causal);
        }
        const auto recurrent = fixture::shippedModel(QStringLiteral("stories-lstm"));
        MaskView view;
        view.show();
        view.setReading(recurrent, readSentence(*recurrent, exampleSentence(*recurrent)).trace);
        QVERIFY(!view.findChildren<MatrixView*>().front()->isVisible());
    }

    void theEncoderSaysThatItsFutureIsOpen() {
        MaskView view;
        view.setReading(m_model, readSentence(*m_model, QStringLiteral("tôi yêu bạn")).trace);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(says(view, "closes words not written yet") && says(view, "closes columns with no word"));
        StageState state;
        state.masks.stack = StageStack::Encoder;
        view.showOptions(state);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(says(view, "The encoder has no causal mask: every word may look at every word."));
    }

    /// Σ of the rows, whatever room there is beside the words.
    void theSumsOfTheRowsAreSaid() {
        MaskView view;
        view.setScores({"a", "b"}, {0, 0, 0, 0});
        QVERIFY(says(view, "Σ of each row: 1.000"));
        view.setWay(MaskingWay::AfterSoftmax);
        QVERIFY(says(view, "Σ of a row: 0.500 … 1.000"));
        view.setWay(MaskingWay::MultiplyMinusInfinity);
        QVERIFY(says(view, "Σ of a row: not always a number"));
    }

    void aRowThatIsScrolledAwayHasNoSumInSight() {
        MaskView view;
        view.resize(960, 400);
        view.setReading(
            m_model, readSentence(*m_model,
                                  QStringLiteral(
                                      "tôi yêu bạn và bạn yêu tôi và tôi đang học tiếng anh và bạn đang học tiếng anh"))
                         .trace);
        view.show();
        QTRY_VERIFY(!view.isBusy());
        const MatrixView& weights = *view.weights();
        qsizetype inSight = 0;
        for (int row = 0; row < weights.data().rows; ++row)
            inSight += weights.cellAt(weights.cellRect({row, 0}).center()).valid();
        QVERIFY(inSight < weights.data().rows);
        QCOMPARE(fixture::drawn(*view.rowSums()).texts().count(QStringLiteral("1.000")), inSight);
    }

    /// They were promised, and at 1440 pixels and below not there; and their explanation ended in "…".
    void theSumsStandBesideTheirRowsAndTheExplanationIsWhole() {
        for (const QSize size : {QSize(1216, 752), QSize(1376, 852), QSize(1856, 1030)}) {
            MaskView view;
            view.resize(size);
            const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh"));
            view.setReading(m_model, reading.trace);
            view.show();
            QTRY_VERIFY(!view.isBusy());
            for (const MaskingWay way : {MaskingWay::AddMinusInfinity, MaskingWay::AddMinusABillion,
                                         MaskingWay::MultiplyMinusInfinity, MaskingWay::AfterSoftmax}) {
                view.setWay(way);
                QApplication::processEvents();
                QCOMPARE(static_cast<int>(view.rowSums()->sums().size()), view.weights()->data().rows);
                const QStringList drawn = fixture::drawn(*view.rowSums()).texts();
                for (const double sum : view.rowSums()->sums())
                    QVERIFY2(drawn.contains(formatNumber(sum, 3)), qPrintable(drawn.join(u' ')));
                const QLabel& note = *view.note();
                QVERIFY(note.isVisible());
                QVERIFY2(note.width() >= note.sizeHint().width(), qPrintable(note.text()));
            }
        }
    }

    void theScoresHaveTheColoursOfAllHeads() {
        const Session::Reading reading = readSentence(*m_model, QStringLiteral("tôi yêu bạn"));
        MaskView view;
        view.setReading(m_model, reading.trace);
        QTRY_VERIFY(!view.isBusy());
        const TraceRecord& all = reading.trace->at("decoder.layers.0.self_attn.scores");
        const double range = ColorScale::scores(all.values).max;
        const auto* before = view.findChildren<MatrixView*>().front();
        bool otherAlone = false;  // a head whose own range is smaller
        for (int head = 0; head < all.dim(0); ++head) {
            StageState state;
            state.view = ViewName::Masks;
            state.head = head + 1;
            view.showOptions(state);
            QTRY_VERIFY(!view.isBusy());
            QCOMPARE(before->data().scale.max, range);
            otherAlone = otherAlone || ColorScale::scores(all.head(head)).max < range;
        }
        QVERIFY(otherAlone);
    }

    /// Another program's pieces are not text: what stands in the field is read back to them.
    void theSecondSentenceIsTextThatIsReadBack() {
        QTemporaryDir folder;
        fixture::writeForeign(fixture::foreignWithWords("marian"), folder.path().toStdString());
        const auto marian = openTrainedModel(folder.path());
        const Session::Reading reading = readSentence(*marian, QStringLiteral(">>vie<< I see the dog"));
        MaskView view;
        view.setReading(marian, reading.trace);
        QTRY_VERIFY(!view.isBusy());
        const QString second = view.second()->text();
        QVERIFY2(!second.isEmpty() && !second.contains(u'▁'), qPrintable(second));
        const Trace again = traceSentence(*marian, second.toStdString());
        QVERIFY(again.sourceTokens.size() > 1 && again.sourceTokens.size() < reading.trace->sourceTokens.size());
        for (size_t i = 0; i + 1 < again.sourceTokens.size(); ++i)  // the last is </s>
            QCOMPARE(again.sourceTokens[i], reading.trace->sourceTokens[i]);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.batch()->rows().size(), size_t(2));
    }

    /// A beginning that was cut anywhere ran away when it was translated: one word over and over, to twenty of them.
    void theSecondSentenceIsOneThatTheModelBringsToAnEnd() {
        for (const char* text : {"tôi đang học tiếng anh", "chúng tôi vừa tặng ông của anh ấy nhiều quyển từ điển cũ",
                                 "anh ấy không đi học vì anh ấy rất mệt"}) {
            const Session::Reading reading = readSentence(*m_model, QString::fromUtf8(text));
            MaskView view;
            view.setReading(m_model, reading.trace);
            QTRY_VERIFY(!view.isBusy());
            const QString second = view.second()->text();
            QVERIFY2(!second.isEmpty() && QString::fromUtf8(text).startsWith(second + u' '), qPrintable(second));
            QCOMPARE(second, shorterSentence(*m_model, *reading.trace));
            const Written written = respond(*m_model, second.toStdString());
            QVERIFY(written.finished);
            QVERIFY(written.tokens.size() <= 2 * size_t(second.count(u' ') + 1) + 4);
            QCOMPARE(view.batch()->rows().size(), size_t(2));
            QCOMPARE(view.batch()->rows()[1].words, int(written.tokens.size()));  // <bos> for <eos>
        }
    }

    /// However long a sentence, or what the model makes of it: rows and columns can be read, and the numbers are those
    /// of the whole.
    void whatIsLaidOutIsBounded() {
        const QString text =
            QString(QStringLiteral("chúng tôi vừa tặng ông của anh ấy nhiều quyển từ điển cũ và ")).repeated(3);
        const Session::Reading reading = readSentence(*m_model, text.trimmed());
        QVERIFY(reading.trace->sourceTokens.size() > 30);
        MaskView view;
        view.resize(1376, 800);
        view.show();
        view.setReading(m_model, reading.trace);
        for (const auto stack : {StageStack::Decoder, StageStack::Encoder})
            for (const int pads : {0, 3}) {
                StageState state;
                state.masks.stack = stack;
                state.masks.padding = pads;
                view.showOptions(state);
                QTRY_VERIFY(!view.isBusy());
                for (const BatchStrip::Row& row : view.batch()->rows())
                    QVERIFY(row.tokens.size() <= kMostLaidOut && row.words <= kMostLaidOut - pads);
                const MatrixData& weights = view.weights()->data();
                QVERIFY(weights.rows <= kMostLaidOut && weights.columns <= kMostLaidOut);
                for (const double sum : view.rowSums()->sums())
                    QVERIFY(std::abs(sum - 1) < 1e-4);
            }
        QVERIFY(says(view, "the first"));
        const auto stories = fixture::shippedModel(QStringLiteral("stories-transformer"));
        const QString story = exampleSentence(*stories).repeated(1) + QStringLiteral(" the").repeated(20);
        const Session::Reading told = readSentence(*stories, story);
        view.setReading(stories, told.trace);
        QTRY_VERIFY(!view.isBusy());
        const MatrixData& part = view.weights()->data();
        QCOMPARE(part.rows, kMostLaidOut);
        const TraceRecord& whole = told.trace->at("layers.0.self_attn.weights");
        for (int row = 0; row < part.rows; ++row)
            for (int column = 0; column <= row; ++column)
                QVERIFY(std::abs(part.value(row, column) - whole.head(0)[size_t(row * whole.dim(2) + column)]) < 1e-5F);
        QVERIFY(says(view, "the first 16 are shown"));
    }

    /// A text of many pieces: words leave room for one another, and each cell can still be read.
    void manyWordsStandApart() {
        MaskGrid grid(true);
        grid.resize(344, 170);
        QStringList words;
        for (int i = 0; i < 24; ++i)
            words << QStringLiteral("word%1").arg(i);
        grid.setMask(words, words, causalMaskOf(24, 24), causalMaskOf(24, 24));
        QVERIFY(grid.hasTurnedLabels());
        const auto high = [&](int row) { return grid.cellRect(row, 0).top(); };
        QVERIFY2(high(grid.rowStep()) - high(0) >= 12, "a row's word is not printed over the next one's");
        QVERIFY(grid.cellRect(0, grid.columnStep()).left() - grid.cellRect(0, 0).left() >= 12);
        QVERIFY(grid.cellRect(23, 23).bottom() <= 170 && grid.cellRect(23, 23).right() <= 344);
        QCOMPARE(grid.describe(1, 2), QStringLiteral("“word1” may not look at “word2”"));
        // Open and closed differ without a tick, in the dark too.
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark}) {
            m_theme->setMode(mode);
            const QPointF middle = QPointF(-0.5, -0.5);
            const int open = fixture::colorAt(grid, grid.cellRect(9, 3).center() + middle).lightness();
            const int shut = fixture::colorAt(grid, grid.cellRect(3, 9).center() + middle).lightness();
            QVERIFY2(std::abs(open - shut) > 60, qPrintable(QStringLiteral("%1 %2").arg(open).arg(shut)));
        }
        m_theme->setMode(ThemeManager::Mode::Light);
    }

    /// Of rows of 12 and of 13 pixels the one had dots and the other ticks.
    void allRowsAreMarkedAlike() {
        QStringList words;
        for (int i = 0; i < 13; ++i)
            words << QStringLiteral("word%1").arg(i);
        const std::vector<char> open(13 * 13, 0);
        MaskGrid grid(false);
        grid.setMask(words, words, open, open);
        const QColor ground = Theme::of(&grid).surface;
        for (int height = 190; height < 260; height += 3) {
            grid.resize(420, height);
            const QImage image = grid.grab().toImage();
            const auto inked = [&](int row) {
                const QRect cell = grid.cellRect(row, 4).toRect().adjusted(2, 2, -3, -2);
                int count = 0;
                for (int y = cell.top(); y <= cell.bottom(); ++y)
                    for (int x = cell.left(); x <= cell.right(); ++x)
                        count += image.pixelColor(x, y) != ground;
                return count;
            };
            int fewest = inked(0), most = fewest;
            for (int row = 1; row < 13; ++row) {
                fewest = std::min(fewest, inked(row));
                most = std::max(most, inked(row));
            }
            QVERIFY2(fewest > 0 && most <= fewest * 1.5,
                     qPrintable(QStringLiteral("%1: %2 to %3 pixels").arg(height).arg(fewest).arg(most)));
        }
    }

private:
    static bool says(const QWidget& view, const char* words) {
        return std::ranges::any_of(view.findChildren<QLabel*>(), [words](const QLabel* label) {
            return label->text().contains(QString::fromUtf8(words));
        });
    }

    std::unique_ptr<ThemeManager> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_MAIN(TestMaskView)
#include "test_mask_view.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Two readings side by side: the difference is B − A, cell by cell, and it begins where the two models part.
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <cmath>

#include "tests/ui/fixture.h"
#include "ui/session/open/comparison.h"
#include "ui/session/open/selection.h"
#include "ui/views/compare/compare_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

class TestCompareView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void init() {
        m_session = std::make_unique<Session>();
        m_selection = std::make_unique<Selection>();
        m_comparison = std::make_unique<Comparison>(*m_session);
        m_view = std::make_unique<CompareView>(m_comparison.get(), m_selection.get());
        m_view->resize(1376, 800);
        m_view->show();
        m_comparison->setWatched(true);
        m_session->adoptModel(fixture::shippedModel(QStringLiteral("vi-en-transformer")), QStringLiteral("vi-en"));
    }
    void cleanup() {
        m_view.reset();
        m_comparison.reset();
        m_selection.reset();
        m_session.reset();
    }

    void theDifferenceIsSecondMinusFirst() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        m_selection->setValue(QStringLiteral("decoder.layers.1.norm3"));
        const TraceRecord &a = m_session->reading()->trace->at("decoder.layers.1.norm3"),
                          &b = m_comparison->second().reading()->trace->at("decoder.layers.1.norm3");
        QCOMPARE(m_view->matrix(CompareView::First)->data().values, a.values);
        QCOMPARE(m_view->matrix(CompareView::Second)->data().values, b.values);
        bool differs = false;
        for (size_t i = 0; i < a.values.size(); ++i) {
            QCOMPARE(m_view->matrix(CompareView::Difference)->data().values[i], b.values[i] - a.values[i]);
            differs = differs || a.values[i] != b.values[i];
        }
        QVERIFY(differs);
        QCOMPARE(m_view->matrix(CompareView::First)->data().scale.max,
                 m_view->matrix(CompareView::Second)->data().scale.max);
        QTest::keyClick(m_view->matrix(CompareView::First), Qt::Key_Right);
        QVERIFY(m_view->sentence().contains(QLatin1String("difference")));
        QCOMPARE(m_view->matrix(CompareView::Difference)->locked(), (MatrixView::Cell{0, 0}));
    }

    void nothingPartsBeforeTheHeadThatIsSilent() {
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        m_view->block()->setCurrentIndex(m_view->block()->findText(QStringLiteral("decoder.layers.0.cross_attn")));
        m_view->head()->setCurrentIndex(1);
        emit m_view->head()->activated(1);
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        QCOMPARE(m_comparison->mutedHeads(), QStringList{"decoder.layers.0.cross_attn.0"});
        bool after = false;
        for (const ValueDifference& each :
             valueDifferences(*m_session->reading()->trace, *m_comparison->second().reading()->trace)) {
            after = after || each.name == "decoder.layers.0.cross_attn.heads";
            if (!after && each.name.starts_with("encoder")) QVERIFY2(each.relative == 0, each.name.c_str());
            if (each.name == "log_probs") QVERIFY(each.relative != 0);
        }
        QCOMPARE(m_view->table()->rowCount() > 60, true);
    }

    void anotherModelReadsTheSameSentence() {
        m_comparison->setModelPath(
            QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-long-lstm-attention.safetensors"));
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        QCOMPARE(m_comparison->second().reading()->source, m_session->source());
        // Attention of another kind of model is found by what it does.
        const Trace &a = *m_session->reading()->trace, &b = *m_comparison->second().reading()->trace;
        const TraceRecord* found = counterpart(a, a.at("decoder.layers.1.cross_attn.weights"), b);
        QVERIFY(found);
        QCOMPARE(found->name, std::string("decoder.attention.weights"));
        QVERIFY(!counterpart(a, a.at("decoder.layers.1.norm1"), b));
        m_session->setSource(QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        QCOMPARE(m_comparison->second().reading()->source, QStringLiteral("tôi yêu bạn"));
    }

    void aSentenceOfItsOwnIsReadOnTheOtherSide() {
        m_view->chooseKind(Comparison::Kind::Sentence);
        QTest::keyClicks(m_view->other(), QStringLiteral("bye"));
        emit m_view->other()->textEdited(QStringLiteral("tôi yêu bạn"));
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        QCOMPARE(m_comparison->second().reading()->translation, QStringLiteral("i love you"));
        m_selection->setValue(QStringLiteral("encoder.output"));
        // 5 and 3 words: no difference cell by cell, and no crash.
        QVERIFY(m_view->matrix(CompareView::Difference)->isHidden());
        QVERIFY(m_view->matrix(CompareView::Second)->isVisible());
    }

    void withoutPositionsTheEmbeddingIsTheInput() {
        m_view->chooseKind(Comparison::Kind::Positions);
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        const Trace& b = *m_comparison->second().reading()->trace;
        QVERIFY(!b.find("encoder.positional_encoding"));
        QVERIFY(b.find("encoder.layers.0.self_attn.weights"));
    }

    /// A model that was asked for and is still loading does not take the place of a later choice.
    void theLastChoiceWins() {
        m_comparison->setModelPath(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-rnn.safetensors"));
        m_view->chooseKind(Comparison::Kind::Heads);
        QTRY_VERIFY_WITH_TIMEOUT(m_comparison->isReady(), 20000);
        QTest::qWait(200);
        QCOMPARE(m_comparison->second().model(), m_session->model());
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<Comparison> m_comparison;
    std::unique_ptr<CompareView> m_view;
};

QTEST_MAIN(TestCompareView)
#include "test_compare_view.moc"

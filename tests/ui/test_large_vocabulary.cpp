// SPDX-License-Identifier: GPL-3.0-or-later
// A model of many words in the window: what takes long is computed beside it, and what is no longer wanted is dropped.
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "core/platform/pace.h"
#include "core/text/id_tokenizer.h"
#include "tests/thread_time.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/painted.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/open/motion.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/models_room.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/views/decode/next_word_view.h"
#include "ui/views/lens/lens_side.h"
#include "ui/views/lens/lens_view.h"
#include "ui/views/models/embedding_view.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_map.h"
#include "ui/widgets/words/word_river.h"

using namespace headlight;

namespace {

constexpr int kWords = 60000;

/// A language model of token ids with random weights.
std::shared_ptr<const TrainedModel> largeModel(int words, int layers = 8) {
    ModelConfig config;
    config.architecture = "language-model";
    config.dModel = 192;
    config.numHeads = 4;
    config.numEncoderLayers = config.numDecoderLayers = config.numLayers = layers;
    config.dFf = 64;
    config.tieEmbeddings = true;
    config.maxLength = 512;
    config.sourceVocabSize = config.targetVocabSize = words;
    auto model = std::make_shared<TrainedModel>();
    model->network = Model::make(config);
    model->network->initialize(7);
    model->source = model->target = std::make_shared<const IdTokenizer>(words);
    return model;
}

/// A stretch may take as long as so many drawings of the whole window, however fast the machine is: it is a layout and
/// a drawing. What is computed beside it takes a second.
constexpr double kDrawings = 10;
/// The first sight of a view makes and lays out its widgets as well.
constexpr double kManyDrawings = 50;

double threadMs() {
    return 1e3 * fixture::threadSeconds();
}

/// How long this thread computed at a stretch without coming back to its events.
class Watch {
public:
    Watch() {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { look(); });
        m_timer.start(0);
        m_last = threadMs();
    }
    double longestMs() {
        look();
        return m_longest;
    }

private:
    void look() {
        const double at = threadMs();
        m_longest = std::max(m_longest, at - m_last);
        m_last = at;
    }

    QTimer m_timer;
    double m_last = 0, m_longest = 0;
};

}  // namespace

class TestLargeVocabulary : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_folder);
        m_model = largeModel(kWords);
        m_window = fixture::openWindow(*m_theme);
        session().adoptModel(m_model, QStringLiteral("large"));
        session().setSource(QStringLiteral("5 9 11 40000"));
        QTRY_VERIFY(session().reading() && m_window->stage().isSettled());
        QVERIFY(fixture::painted(*m_window));
        m_drawingMs = drawingMs();
        m_mostMs = kDrawings * m_drawingMs;
        qInfo("a stretch may take %.1f ms", m_mostMs);
    }
    void cleanupTestCase() {
        m_window.reset();
        m_theme.reset();
    }

    void theMapIsComputedBesideTheWindow() {
        EmbeddingView* const view = m_window->findChild<EmbeddingView*>();
        Watch watch;
        {
            const platform::ScopedPace atOnce(platform::Pace::AtOnce);
            m_window->rooms().showView(ViewName::Embeddings);
        }
        QVERIFY(view->isBusy());
        QVERIFY2(view->progress()->share() >= 0, "it is said while it is computed");
        QTRY_VERIFY(!view->isBusy());
        QVERIFY(view->progress()->share() < 0);
        QCOMPARE(view->table().count(), kWords);
        QVERIFY(fixture::painted(*m_window));
        QTest::keyClicks(view->search(), QStringLiteral("59999"));
        QTRY_VERIFY(!view->isBusy());
        QCOMPARE(view->map()->chosen(), 59999);
        QCOMPARE(view->neighbours()->bars().size(), size_t(view->neighbours()->height() / WordBars::kRow));
        QTest::mouseMove(view->map(), view->map()->placeOf(7).toPoint());
        QVERIFY(fixture::painted(*m_window));
        qInfo("the longest stretch: %.1f ms", watch.longestMs());
        QVERIFY2(watch.longestMs() < m_mostMs, qPrintable(QString::number(watch.longestMs())));
    }

    void theNextWordsRiverIsReadBesideTheWindow() {
        NextWordView* const view = m_window->rooms().find<DecodeRoom>()->nextWord();
        m_window->rooms().showView(ViewName::Decode);
        QTRY_VERIFY(view->isVisible() && !view->isBusy());
        Watch watch;
        session().setSource(QStringLiteral("5 9 11 40000 17"));
        QTRY_VERIFY(session().reading()->source == session().source());
        QTRY_VERIFY(!view->isBusy());
        QCOMPARE(view->river()->columns().size(), size_t{9});  // the embedding and eight layers
        qInfo("the longest stretch: %.1f ms", watch.longestMs());
        QVERIFY2(watch.longestMs() < m_mostMs, qPrintable(QString::number(watch.longestMs())));
    }

    void theLensOfALongTextIsBegunBesideTheWindow() {
        session().setSource(QStringLiteral("5 9 11 40000 17"));
        QTRY_VERIFY(session().reading()->source == session().source());
        m_window->rooms().showView(ViewName::Lens);
        LensView* const view = m_window->rooms().find<ExploreRoom>()->lens();
        QStringList words;
        for (int i = 0; i < 200; ++i)
            words << QString::number(i * 37);
        const Session::Reading reading = readSentence(*m_model, words.join(u' '));
        Watch watch;
        view->setReading(m_model, reading.trace);
        QTRY_VERIFY(view->isBusy());
        view->setReading(m_model, session().reading()->trace);  // the long one is dropped
        QTRY_VERIFY(!view->isBusy());
        QCOMPARE(view->side()->title()->text(), QStringLiteral("After “17”"));
        qInfo("the longest stretch: %.1f ms", watch.longestMs());
        QVERIFY2(watch.longestMs() < m_mostMs, qPrintable(QString::number(watch.longestMs())));
    }

    void anotherModelTakesThePlaceOfTheOneThatIsBeingPlaced() {
        EmbeddingView view;
        view.setModel(m_model);
        view.show();
        QVERIFY(view.isBusy());
        const auto small = largeModel(30, 1);
        view.setModel(small);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.table().count(), 30);
        QCOMPARE(view.progress()->share(), -1.0);
    }

    void noViewHoldsTheWindow() {
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views()) {
                Watch watch;
                m_window->rooms().showView(view.name);
                QVERIFY(fixture::painted(*m_window));
                QTRY_VERIFY(m_window->stage().isSettled());
                QVERIFY(fixture::painted(*m_window));
                qInfo("%s: %.1f ms", nameOf(view.name), watch.longestMs());
                QVERIFY2(watch.longestMs() < kManyDrawings * m_drawingMs, nameOf(view.name));
            }
    }

private:
    double drawingMs() const {
        const double before = threadMs();
        m_window->grab();
        return threadMs() - before;
    }

    Session& session() { return m_window->workbench().session; }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
    std::unique_ptr<MainWindow> m_window;
    double m_drawingMs = 0, m_mostMs = 0;  ///< of the whole window; of a stretch
};

QTEST_MAIN(TestLargeVocabulary)
#include "test_large_vocabulary.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Heads being born: what is drawn of the step that is looked at, and how one goes from step to step.
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/session/small_run.h"
#include "tests/ui/drawn.h"
#include "tests/ui/heads_frames.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/views/train/born_wall.h"
#include "ui/views/train/head_film.h"
#include "ui/views/train/learnt_card.h"
#include "ui/views/train/learnt_chart.h"
#include "ui/views/train/loss_scrubber.h"
#include "ui/views/train/runs_view.h"
#include "ui/views/train/sharp_chart.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_heads_view.h"
#include "ui/views/train/training_view.h"
#include "ui/views/train/written_words.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/head_thumbnail.h"

using namespace headlight;

class TestTrainingHeadsView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        motion::setReduced(true);
        m_theme = std::make_unique<fixture::LightTheme>();
    }
    void cleanupTestCase() { m_theme.reset(); }
    void init() {
        m_view = std::make_unique<TrainingHeadsView>();
        m_view->resize(1280, 800);
        m_view->story()->begin(1500);
        m_view->story()->append(fixture::headsFrames());
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get(), fixture::kPatienceMs));
    }
    void cleanup() {
        m_view.reset();
        motion::setReduced(true);
    }

    /// A step has one figure, whatever panel says it: of data with words that the model does not know too.
    void everyPanelSaysTheSameOfAStep() {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("pairs.tsv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 300; ++i)
            file.write(QStringLiteral("a word %1 of w%2\tsome word w%2 and %1\n").arg(i % 7).arg(i).toUtf8());
        file.close();
        // So long that most steps at which heads are looked at are none at which it translates.
        TrainingSetup setup = fixture::smallSetup(1500);
        setup.data.files = {.pairs = file.fileName().toStdString()};
        setup.data.tokenizer.minCount = 2;
        TrainingRun run;
        TrainingView beside;
        RunsView runs;
        runs.begin(QStringLiteral("this one"));
        m_view->follow(run);
        connect(&run, &TrainingRun::pointsAdded, &beside, &TrainingView::appendPoints);
        connect(&run, &TrainingRun::validated, &beside, &TrainingView::appendValidation);
        connect(&run, &TrainingRun::pointsAdded, &runs, [&](const auto& points) { runs.append(points); });
        connect(&run, &TrainingRun::validated, &runs, [&](const auto& points) { runs.append(points); });
        run.reset(setup);
        runs.show();
        const auto says = [](const QWidget& view, const QString& text) {
            const QList<QLabel*> labels = view.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
        };
        int probed = 0;
        for (const int step : headSteps(1500, 1000)) {
            if (step == 0 || step > 40) continue;
            run.trainTo(step);
            QTRY_VERIFY_WITH_TIMEOUT(m_view->story()->shown() && m_view->story()->shown()->step == step,
                                     fixture::kLongPatienceMs);
            QTRY_COMPARE_WITH_TIMEOUT(run.step(), step, fixture::kLongPatienceMs);
            const QString loss = formatNumber(m_view->story()->shown()->validationLoss, 3);
            const QString text = QStringLiteral("validation %1").arg(loss);
            QTRY_VERIFY2(says(*beside.lossChart(), text), qPrintable(text));
            QVERIFY2(says(*m_view, text), qPrintable(text));
            QCOMPARE(runs.list()->item(0, 2)->text(), loss);
            ++probed;
        }
        QVERIFY(probed >= 4);
        QCOMPARE(runs.list()->horizontalHeaderItem(2)->text(), QStringLiteral("Validation loss"));
        // All of them, words that are not known counted as the model counts them.
        QCOMPARE(run.facts().validationPairs, 15L);
    }

    void theScrubberMovesAllAndLetGoItIsNowAgain() {
        checkShows(5);
        LossScrubber* scrubber = m_view->scrubber();
        const auto at = [&](int step) { return QPoint(qRound(scrubber->xOf(step)), scrubber->height() / 2); };
        QTest::mousePress(scrubber, Qt::LeftButton, {}, at(100));
        checkShows(3);
        QTest::mouseMove(scrubber, at(11));
        checkShows(1);
        QTest::mouseMove(scrubber, at(0));
        checkShows(0);
        QTest::mouseRelease(scrubber, Qt::LeftButton, {}, at(0));
        checkShows(5);
    }

    void arrowKeysStayWhereTheyLead() {
        QSignalSpy changed(m_view.get(), &TrainingHeadsView::optionsChanged);
        LossScrubber* scrubber = m_view->scrubber();
        QTest::keyClick(scrubber, Qt::Key_Left);
        checkShows(4);
        QTest::keyClick(scrubber, Qt::Key_Left);
        checkShows(3);
        m_view->story()->append({fixture::headsFrame(450, "i am learning english")});
        checkShows(3);
        StageState state;
        m_view->tellOptions(state);
        QCOMPARE(state.training.frame, 100);
        QTest::keyClick(scrubber, Qt::Key_Home);
        checkShows(0);
        QCOMPARE(changed.count(), 3);
        QTest::keyClick(scrubber, Qt::Key_End);
        checkShows(6);
        m_view->tellOptions(state);
        QCOMPARE(state.training.frame, 0);
    }

    /// From one step to the next they go over into each other, and come to rest at what the engine said.
    void theWallEasesTowardsTheNewestFrame() {
        motion::setReduced(false);
        const std::vector<std::vector<float>> before = m_view->wall()->drawn();
        m_view->story()->append({fixture::headsFrame(450, "i am learning english")});
        QCOMPARE(m_view->wall()->drawn(), before);
        QTRY_VERIFY(m_view->wall()->drawn() != before);
        QTRY_VERIFY(wallShows(6));
    }

    void theWordsTypeThemselvesFromTheFirstLetterThatChanged() {
        motion::setReduced(false);
        m_view->story()->append({fixture::headsFrame(450, "i am reading a long book in english")});
        QVERIFY(m_view->words()->typed().startsWith("i am "));
        QVERIFY(m_view->words()->typed().size() < 20);
        QTRY_COMPARE(m_view->words()->typed(), QStringLiteral("i am reading a long book in english"));
        m_view->story()->append({fixture::headsFrame(500, "i am reading")});
        QTRY_COMPARE(m_view->words()->typed(), QStringLiteral("i am reading"));
    }

    /// What it wrote before has the width that it takes, not that of columns in which nothing stands.
    void wordsAreNotCutWhereThereIsRoom() {
        m_view->story()->append({fixture::headsFrame(450, "i am reading a long book in english about the cold sea")});
        WrittenWords& words = *m_view->words();
        words.resize(1500, 180);
        QVERIFY(!fixture::drawn(words).mentions(QStringLiteral("…")));
        QVERIFY(fixture::drawn(words).writes({QStringLiteral("cold"), QStringLiteral("sea")}));
        // What is right is told where there is no room for since when it is not.
        m_view->story()->append({fixture::headsFrame(500, "i am reading"), fixture::headsFrame(550, "i am reading")});
        words.resize(800, 90);
        QVERIFY(fixture::drawn(words).mentions(QStringLiteral("right is: i am learning english")));
    }

    void aHeadIsChosenByClickAndArrows() {
        QSignalSpy changed(m_view.get(), &TrainingHeadsView::optionsChanged);
        HeadsStory* story = m_view->story();
        BornWall* wall = m_view->wall();
        QCOMPARE(story->nameOf(story->chosen()), QStringLiteral("decoder.layers.1.cross_attn.0"));
        QTest::mouseClick(wall, Qt::LeftButton, {}, wall->headRect(3).center().toPoint());
        QCOMPARE(story->chosen(), 3);
        QCOMPARE(story->nameOf(3), QStringLiteral("encoder.layers.0.self_attn.3"));
        QVERIFY(m_view->film()->caption().contains("encoder layer 1, self-attention, head 4"));
        QTest::keyClick(wall, Qt::Key_Right);
        QCOMPARE(story->chosen(), 4);
        QTest::keyClick(wall, Qt::Key_Down);
        QCOMPARE(story->nameOf(story->chosen()), QStringLiteral("decoder.layers.0.self_attn.4"));
        QTest::keyClick(wall, Qt::Key_Down);
        QCOMPARE(story->nameOf(story->chosen()), QStringLiteral("decoder.layers.0.cross_attn.4"));
        QTest::keyClick(wall, Qt::Key_Up);
        QTest::keyClick(wall, Qt::Key_Left);
        QCOMPARE(story->nameOf(story->chosen()), QStringLiteral("decoder.layers.0.self_attn.3"));
        StageState state;
        m_view->tellOptions(state);
        QCOMPARE(state.training.film, std::string("decoder.layers.0.self_attn.3"));
        QCOMPARE(changed.count(), 6);
    }

    void headsOfAllSizesHaveAPlaceOfTheirOwn_data() {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        for (const auto& [layers, heads] : {std::pair(1, 1), {2, 8}, {4, 1}, {4, 8}})
            QTest::addRow("%d layers, %d heads", layers, heads) << layers << heads;
    }
    /// As the settings offer them.
    void headsOfAllSizesHaveAPlaceOfTheirOwn() {
        QFETCH(int, layers);
        QFETCH(int, heads);
        m_view->story()->begin(10);
        m_view->story()->append({fixture::headsFrame(0, "", {0}, {.layers = layers, .heads = heads})});
        BornWall* wall = m_view->wall();
        const int all = static_cast<int>(m_view->story()->heads().size());
        QCOMPARE(all, 3 * layers * heads);
        for (int head = 0; head < all; ++head) {
            const QRectF place = wall->headRect(head);
            QVERIFY(QRectF(wall->rect()).contains(place));
            QVERIFY(place.width() >= 9);
            for (int other = 0; other < head; ++other)
                QVERIFY(!place.intersects(wall->headRect(other)));
        }
    }

    void inALowWindowHeadsAreStillSeenAndLabelsStandApart() {
        constexpr int low = 120;  // as in a window of 1024 × 700 with a run's bar and film
        m_view->wall()->resize(m_view->wall()->width(), low);
        QVERIFY(m_view->wall()->headRect(0).height() >= 10);
        const QStringList texts = fixture::drawn(*m_view->wall()).texts();
        for (const char* reads : {"reads itself", "reads its words", "reads the source"})
            QVERIFY(texts.contains(reads));
        QVERIFY(!texts.contains("Decoder"));  // there is one line for each label
    }

    void aSharpHeadIsFramedAndDated() {
        BornWall* wall = m_view->wall();
        const auto edge = [&](int head) {
            return fixture::colorAt(*wall, wall->headRect(head).topLeft() + QPointF(-1.5, 20));
        };
        QCOMPARE(edge(3).name(), Theme::light().text.name());
        QVERIFY(edge(4) != edge(3));
        QCOMPARE(m_view->story()->sharpSince(5, 3), std::optional(200));
        QCOMPARE(m_view->chart()->readout(), QStringLiteral("3 of 48"));
        QTest::keyClick(m_view->scrubber(), Qt::Key_Home);
        QVERIFY(edge(3) != Theme::light().text);
        QCOMPARE(m_view->chart()->readout(), QStringLiteral("0 of 48"));
    }

    void theSentenceSaysWhenTheyCame() {
        // 4.4 / (1 + step / 50) on the test sentences.
        QCOMPARE(m_view->chart()->sentence(),
                 QStringLiteral(
                     "None up to step 50. Then, up to step 400, while the validation loss goes from 2.20 to 0.49, "
                     "3 come."));
        m_view->story()->cutBack(50);
        QCOMPARE(m_view->chart()->sentence(), QStringLiteral("None up to step 50."));
    }

    void theFilmShowsTheWeightsOfItsHead() {
        HeadsStory* story = m_view->story();
        HeadFilm* film = m_view->film();
        story->choose(9);
        const std::vector<int> frames = film->shownFrames();
        QCOMPARE(frames.front(), 0);
        QCOMPARE(frames.back(), 5);
        const AttentionBlock& block = story->blocks(0)[1];
        const HeadImage shape{{}, block.rows, block.columns, ColorScale::weights(), {}};
        for (size_t place = 0; place < frames.size(); ++place) {
            const QRectF cell = headCellRect(film->frameRect(static_cast<int>(place)), shape, 1, 3);
            const double weight = static_cast<double>(story->weights(frames[place], 9)[5 + 3]);
            QCOMPARE(fixture::colorAt(*film, cell.center()).name(),
                     ColorScale::weights().color(Theme::light(), weight).name());
        }
    }

    void aPictureOfTheFilmIsChosenAndLookedInto() {
        QSignalSpy wanted(m_view.get(), &TrainingHeadsView::exploreRequested);
        HeadFilm* film = m_view->film();
        const std::vector<int> frames = film->shownFrames();
        const QRectF second = film->frameRect(1);
        QTest::mouseClick(film, Qt::LeftButton, {}, (second.topLeft() + QPointF(2, 2)).toPoint());
        QCOMPARE(m_view->story()->current(), frames[1]);
        QCOMPARE(m_view->story()->cell(), std::pair(0, 0));
        QTest::keyClick(film, Qt::Key_Right);
        QCOMPARE(m_view->story()->current(), frames[2]);
        QTest::keyClick(film, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toInt(), m_view->story()->frames()[static_cast<size_t>(frames[2])].step);
        m_view->setLookingBack(50, 12);
        QTest::keyClick(film, Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);  // it is on its way
    }

    void spaceAndTheFullStopAreTheRuns() {
        QSignalSpy start(m_view.get(), &TrainingHeadsView::startRequested);
        QSignalSpy pause(m_view.get(), &TrainingHeadsView::pauseRequested);
        QSignalSpy step(m_view.get(), &TrainingHeadsView::stepRequested);
        for (QWidget* focused : {static_cast<QWidget*>(m_view->wall()), static_cast<QWidget*>(m_view->scrubber()),
                                 static_cast<QWidget*>(m_view->film())}) {
            m_view->setState(TrainingState::Paused);
            QTest::keyClick(focused, Qt::Key_Space);
            QTest::keyClick(focused, Qt::Key_Period);
            m_view->setState(TrainingState::Running);
            QTest::keyClick(focused, Qt::Key_Space);
            QTest::keyClick(focused, Qt::Key_Period);
        }
        QCOMPARE(start.count(), 3);
        QCOMPARE(step.count(), 3);
        QCOMPARE(pause.count(), 3);
    }

    void aModelWithoutAttentionSaysWhyAndWhereToLook() {
        HeadsFrame frame = fixture::headsFrame(0, "waiting");
        frame.trace = std::make_shared<Trace>();
        frame.spread.clear();
        m_view->story()->begin(100);
        m_view->story()->append({frame});
        QVERIFY(m_view->wall()->sentence().contains("no attention"));
        QVERIFY(m_view->wall()->sentence().contains("Recurrent"));
        QVERIFY(!m_view->film()->isVisible());
        QVERIFY(m_view->chart()->readout().isEmpty());
        QCOMPARE(m_view->words()->typed(), QStringLiteral("waiting"));
        m_view->grab();
        m_view->story()->begin(100);
        m_view->story()->append(fixture::headsFrames());
        QVERIFY(m_view->film()->isVisible());
        checkShows(5);
    }

    void beforeARunThereAreOutlinesAndASentence() {
        m_view->story()->begin(100);
        QVERIFY(m_view->wall()->sentence().contains("press Start"));
        m_view->grab();
        const auto explore = [&] {
            for (Button* button : m_view->findChildren<Button*>())
                if (button->text() == QLatin1String("Look inside")) return button;
            qFatal("there is no such button");
        };
        QVERIFY(!explore()->isEnabled());
        m_view->story()->append(fixture::headsFrames());
        QVERIFY(explore()->isEnabled());
    }

    /// The moment of a curve lies between the two frames around it, and its words say the same.
    void whatWasLearntIsDatedBesideItsCurve() {
        std::vector<HeadsFrame> frames = fixture::headsFrames();
        const std::vector<double> said = {0.01, 0.02, 0.1, 0.3, 0.8, 0.9};
        for (size_t i = 0; i < frames.size(); ++i)
            frames[i].said = {{QStringLiteral("i"), 0.9}, {QStringLiteral("am"), said[i]}};
        m_view->story()->begin(1500);
        m_view->story()->append(frames);
        QSignalSpy changed(m_view.get(), &TrainingHeadsView::optionsChanged);
        StageState state;
        state.view = ViewName::TrainingHeads;
        state.training.learnt = "2";
        m_view->showOptions(state);
        StageState told;
        m_view->tellOptions(told);
        QCOMPARE(told.training.learnt, std::string("2"));
        QCOMPARE(changed.count(), 0);
        LearntCard* const card = m_view->learnt();
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->choice()->currentText(), QStringLiteral("Word 2: “am”"));
        const QRectF moment = card->chart()->momentRect();
        QCOMPARE(moment.left(), card->chart()->placeOf({100, 0}).x());
        QCOMPARE(moment.right(), card->chart()->placeOf({200, 0}).x());
        QCOMPARE(card->chart()->placeOf({0, 1}).y(), moment.top());
        QCOMPARE(fixture::colorAt(*card->chart(), {moment.center().x(), moment.top() + 3}).name(),
                 Theme::light().goodTint.name());
        QVERIFY(card->chart()->accessibleDescription().contains("between step 100 (0.300) and step 200 (0.800)"));
        QSignalSpy wanted(m_view.get(), &TrainingHeadsView::replayRequested);
        card->findButton()->click();
        QCOMPARE(wanted.front(), (QVariantList{100, 199}));
        QVERIFY(card->findButton()->text().contains("99"));
        QSignalSpy stopped(m_view.get(), &TrainingHeadsView::replayStopped);
        card->findButton()->click();
        QCOMPARE(stopped.count(), 1);
        QTest::mouseClick(card->chart(), Qt::LeftButton, {}, card->chart()->placeOf({50, 0.5}).toPoint());
        checkShows(2);
    }

    void aFailureIsSaid() {
        m_view->setState(TrainingState::Failed, QStringLiteral("the loss is not a number"));
        QVERIFY(std::ranges::any_of(m_view->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QLatin1String("not a number"));
        }));
    }

private:
    bool wallShows(int frame) const {
        const HeadsStory& story = *m_view->story();
        for (size_t head = 0; head < story.heads().size(); ++head)
            if (!std::ranges::equal(m_view->wall()->drawn()[head], story.weights(frame, static_cast<int>(head))))
                return false;
        return true;
    }

    /// Wall, film, words, chart and the losses that are written.
    void checkShows(int frame) {
        const HeadsFrame& told = m_view->story()->frames()[static_cast<size_t>(frame)];
        QCOMPARE(m_view->story()->current(), frame);
        QVERIFY(wallShows(frame));
        QCOMPARE(m_view->words()->typed(), told.written);
        const std::vector<int> film = m_view->film()->shownFrames();
        const auto place = std::ranges::find(film, frame) - film.begin();
        QVERIFY(place < static_cast<std::ptrdiff_t>(film.size()));
        const QRectF picture = m_view->film()->frameRect(static_cast<int>(place));
        QCOMPARE(fixture::colorAt(*m_view->film(), picture.topLeft() + QPointF(-5, 30)).name(),
                 Theme::light().nowTint.name());
        const QString test = QStringLiteral("validation %1").arg(QString::number(told.validationLoss, 'f', 3));
        QVERIFY2(std::ranges::any_of(m_view->findChildren<QLabel*>(),
                                     [&](const QLabel* label) { return label->text() == test; }),
                 qPrintable(test));
        QVERIFY(m_view->scrubber()->accessibleDescription().startsWith(QStringLiteral("Step %1 of").arg(told.step)));
    }

    std::unique_ptr<fixture::LightTheme> m_theme;
    std::unique_ptr<TrainingHeadsView> m_view;
};

QTEST_MAIN(TestTrainingHeadsView)
#include "test_training_heads_view.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The program on a projector: pages in order, a clicker's keys, colours that a hall can read, and any view in it.
#include <QMouseEvent>
#include <QPainter>
#include <QSet>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTemporaryDir>
#include <QTest>

#include "core/platform/pace.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/trace/attention_block.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/presenter.h"
#include "ui/shell/room_stack.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/panel.h"

using namespace headlight;

class TestPresenter : public QObject {
    Q_OBJECT

    const platform::ScopedPace m_hourly{platform::Pace::Hourly};  ///< the keys stay until they were looked at

private slots:
    void init() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1440, 900);
        m_window->show();
        Session& session = m_window->workbench().session;
        session.adoptModel(fixture::shippedModel(QStringLiteral("vi-en-transformer")), QStringLiteral("vi-en"));
        QTRY_VERIFY(session.reading());
        m_presenter = m_window->present();
        m_presenter->showNormal();
        m_presenter->resize(1440, 900);
        m_presenter->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_presenter, fixture::kPatienceMs));
        QTRY_COMPARE(m_presenter->width(), 1440);
    }
    void cleanup() {
        m_window.reset();
        m_theme.reset();
    }

    void aPageForTheSentenceOneForEachWordThenEveryView() {
        int views = 0;
        for (const Room* room : m_window->rooms().all())
            views += static_cast<int>(room->views().size());
        --views;  // the list of lessons is nothing to present; a lesson is a lecture
        QCOMPARE(m_presenter->pages(), 1 + 5 + views);  // i am learning english <eos>
        QCOMPARE(m_presenter->slide().headline, QStringLiteral("tôi đang học tiếng anh"));
        QCOMPARE(m_presenter->slide().writes, QStringList({"i", "am", "learning", "english"}));
    }

    void theHeadlineSaysWhatTheWeightsSay() {
        Selection& selection = m_window->workbench().selection;
        selection.setBlock(QStringLiteral("decoder.layers.0.cross_attn"));
        QTest::keyClick(m_presenter, Qt::Key_PageDown);
        QTest::keyClick(m_presenter, Qt::Key_Right);
        QCOMPARE(m_presenter->page(), 2);
        for (int head = 0; head < 8; ++head) {
            QCOMPARE(selection.head(), head);
            const Trace& trace = *m_window->workbench().session.reading()->trace;
            const auto weights = trace.at("decoder.layers.0.cross_attn.weights").head(head);
            QCOMPARE(m_presenter->slide().weights, std::vector<float>(weights.begin(), weights.end()));
            const auto row = weights.subspan(5, 5);
            const std::string& most =
                trace.sourceTokens[static_cast<size_t>(std::ranges::max_element(row) - row.begin())];
            QCOMPARE(m_presenter->slide().headline, QStringLiteral("To write “am”, head %1 of layer 1 looks at “%2”.")
                                                        .arg(head + 1)
                                                        .arg(QString::fromStdString(most)));
            QTest::keyClick(m_presenter, Qt::Key_Down);
        }
    }

    /// Where there is but one, it is the model's.
    void theOnlyAttentionIsTheModels() {
        Session& session = m_window->workbench().session;
        session.adoptModel(fixture::shippedModel(QStringLiteral("vi-en-long-lstm-attention")), QStringLiteral("lstm"));
        QTRY_VERIFY(session.reading());
        m_presenter->showPage(1);
        QVERIFY2(m_presenter->slide().headline.contains(QLatin1String("the model looks at")),
                 qPrintable(m_presenter->slide().headline));
    }

    void blankIsOneColourAndTheClickersKeyDoesIt() {
        QTest::keyClick(m_presenter, Qt::Key_Period);
        QVERIFY(m_presenter->isBlank());
        const QImage blank = m_presenter->grab().toImage();
        for (int x = 0; x < blank.width(); x += 7)
            QCOMPARE(blank.pixelColor(x, blank.height() / 3), QColor(Qt::white));
        QTest::keyClick(m_presenter, Qt::Key_B);
        QVERIFY(!m_presenter->isBlank());
        QVERIFY(m_presenter->grab().toImage() != blank);
    }

    void theLaserIsWhereThePointerIs() {
        const QPoint at(700, 780);
        QTest::keyClick(m_presenter, Qt::Key_L);
        QMouseEvent move(QEvent::MouseMove, at, m_presenter->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(m_presenter, &move);
        QCOMPARE(fixture::colorAt(*m_presenter, at), QColor(0xE02020U));
        QTest::keyClick(m_presenter, Qt::Key_L);
        QCOMPARE(fixture::colorAt(*m_presenter, at), QColor(Qt::white));
        QTest::keyClick(m_presenter, Qt::Key_S);
        QVERIFY(fixture::colorAt(*m_presenter, {20, 20}).lightness() < 100);  // outside of the light
    }

    void aViewIsShownLiveAndTheWindowFollows() {
        QTest::keyClick(m_presenter, Qt::Key_End);
        QVERIFY(m_presenter->isView());
        m_presenter->showPage(6);
        QVERIFY(m_presenter->isView());
        auto* explore = m_window->rooms().find<ExploreRoom>();
        QVERIFY(explore->currentView() == ViewName::Architecture);
        m_presenter->showPage(12);
        QVERIFY(explore->currentView() == ViewName::Attention);
        const QImage before = m_presenter->grab().toImage();
        m_window->workbench().selection.setHead(4);
        QVERIFY(m_presenter->grab().toImage() != before);
        const int step = m_window->workbench().cursor.position();
        QTest::keyClick(m_presenter, Qt::Key_Comma);
        QCOMPARE(m_window->workbench().cursor.position(), step - 1);
        QTest::keyClick(m_presenter, Qt::Key_Plus);
        QVERIFY(m_presenter->zoom() > 1);
        QTest::keyClick(m_presenter, Qt::Key_0);
        QCOMPARE(m_presenter->zoom(), 1.0);
    }

    /// What is seen from the last row is one figure, not the window around it.
    void theFigureThatMattersIsEnlargedAndFGoesOn() {
        const auto pageOf = [this](ViewName view) {
            for (int page = 6; page < m_presenter->pages(); ++page) {
                m_presenter->showPage(page);
                if (m_window->rooms().find<ExploreRoom>()->currentView() == view) return true;
            }
            return false;
        };
        QVERIFY(pageOf(ViewName::Positions));
        const QWidget* const matters = m_presenter->figure();
        QVERIFY(qobject_cast<const Card*>(matters));
        const double enlarged = m_presenter->enlargement();
        const QImage alone = m_presenter->grab().toImage();
        QTest::keyClick(m_presenter, Qt::Key_F);
        const QWidget* const view = m_window->rooms().current().viewWidget();
        QCOMPARE(m_presenter->figure(), view);
        QVERIFY(m_presenter->enlargement() < enlarged);
        QVERIFY(m_presenter->grab().toImage() != alone);
        QSet<const QWidget*> seen;
        for (QTest::keyClick(m_presenter, Qt::Key_F); m_presenter->figure() != view;
             QTest::keyClick(m_presenter, Qt::Key_F)) {
            QVERIFY(view->isAncestorOf(m_presenter->figure()));
            QVERIFY(!seen.contains(m_presenter->figure()));
            seen.insert(m_presenter->figure());
        }
        QVERIFY(seen.contains(matters) && seen.size() > 1);
        m_presenter->turn(1);
        m_presenter->turn(-1);
        QCOMPARE(m_presenter->figure(), matters);
    }

    void aClickerPassesByWhatHasNothingToSay() {
        const int last = m_presenter->pages() - 1;
        int seen = 1;
        for (int before = -1; before != m_presenter->page() && seen <= last + 2; ++seen) {
            before = m_presenter->page();
            QTest::keyClick(m_presenter, Qt::Key_Right);
            if (!m_presenter->isView()) continue;
            for (const EmptyPage* page : m_window->rooms().current().viewWidget()->findChildren<EmptyPage*>())
                QVERIFY(!page->isVisible());
        }
        QVERIFY(seen <= last + 1);  // a Transformer has no states that go from word to word: one is passed by
        QTest::keyClick(m_presenter, Qt::Key_Home);
        QCOMPARE(m_presenter->page(), 0);
    }

    void everyColourOfTheHallIsReadable() {
        for (const bool dark : {false, true}) {
            const HallColors c = HallColors::of(dark);
            QVERIFY(contrast(c.ink, c.ground) >= 7);
            QVERIFY(contrast(c.quiet, c.ground) >= 7);
            QVERIFY(contrast(c.onNow, c.now) >= 7);
            QVERIFY(contrast(c.weight, c.ground) >= 3);
        }
    }

    void theHallIsAsDarkAsTheViewsInIt() {
        const auto brightness = [this] {
            const QImage picture = m_presenter->grab().toImage();
            int sum = 0, count = 0;
            for (int y = 5; y < picture.height(); y += 40)
                for (int x = 5; x < picture.width(); x += 40, ++count)
                    sum += qGray(picture.pixel(x, y));
            return sum / count;
        };
        m_presenter->showPage(7);
        QVERIFY(brightness() > 180);
        QTest::keyClick(m_presenter, Qt::Key_D);
        QVERIFY(m_theme->current().isDark);
        QVERIFY(brightness() < 80);
        QSignalSpy gone(m_presenter, &QObject::destroyed);
        QTest::keyClick(m_presenter, Qt::Key_Escape);
        QTRY_COMPARE(gone.count(), 1);
        QVERIFY2(!m_theme->current().isDark, "the window is as it was");
        QCOMPARE(m_theme->mode(), ThemeManager::Mode::Light);
    }

    void whoLeavesIsWhereHeWas() {
        QSignalSpy gone(m_presenter, &QObject::destroyed);
        QTest::keyClick(m_presenter, Qt::Key_End);
        QVERIFY(m_window->rooms().view() != ViewName::Lessons);
        QTest::keyClick(m_presenter, Qt::Key_Escape);
        QTRY_COMPARE(gone.count(), 1);
        QCOMPARE(m_window->rooms().view(), ViewName::Lessons);  // where the window begins
    }

    void oneKeyListsAll() {
        QVERIFY(fixture::drawn(*m_presenter).mentions(QStringLiteral("all keys")));
        QTest::keyClick(m_presenter, Qt::Key_F1);
        QVERIFY(m_presenter->listsKeys());
        const fixture::Drawn all = fixture::drawn(*m_presenter);
        for (const char* key : {"D", "W", "S", "+  −  0", ",  ."})
            QVERIFY2(all.texts().contains(QString::fromUtf8(key)), key);
        QTest::keyClick(m_presenter, Qt::Key_Down);
        QVERIFY(!m_presenter->listsKeys());
    }

    void escapeLeavesAndItComesBack() {
        QSignalSpy gone(m_presenter, &QObject::destroyed);
        QTest::keyClick(m_presenter, Qt::Key_Escape);
        QTRY_COMPARE(gone.count(), 1);
        m_presenter = m_window->present();
        QVERIFY(m_presenter->isVisible());
        QCOMPARE(m_window->present(), m_presenter);
    }

    /// Amber was never thinner than six pixels: 17 % and 4 % looked alike.
    void aLineIsAsWideAsItsWeight() {
        PresenterSlide slide;
        slide.reads = {"a", "b", "c", "d"};
        slide.writes = {"x", "y"};
        slide.weights = {0.79F, 0.17F, 0.04F, 0, 0.5F, 0.46F, 0.02F, 0.02F};
        for (const int now : {0, 1}) {
            slide.now = now;
            int whole = 0, ends = 0;
            for (const SlideLine& line : linesOf(slide, 900)) {
                const double widest = line.row == now ? 26 : 20;
                double weight = 0;
                for (int column = 0; column < 4; ++column) {
                    const auto each = static_cast<double>(slide.weights[static_cast<size_t>(line.row * 4 + column)]);
                    if (line.column == column || (line.column < 0 && each < 0.03)) weight += each;
                }
                QVERIFY(std::abs(line.width - widest * weight) < 1e-6);
                (line.column < 0 ? ends : whole) += 1;
            }
            QCOMPARE(whole, 5);
            QCOMPARE(ends, 1);  // 2 % and 2 %
        }
    }

    /// Nine words were gone, and nothing said so.
    void wordsThatDoNotFitAreCountedAndTheirWeightHasAShortEnd() {
        PresenterSlide slide;
        for (int i = 0; i < 40; ++i)
            slide.reads << QStringLiteral("syllable%1").arg(i);
        slide.writes = slide.reads;
        slide.weights.assign(1600, 1.0F / 40);
        slide.now = 20;
        const QStringList texts = textsOf(slide);
        int shown = 0, more = 0;
        for (const QString& text : texts) {
            if (text.startsWith(QLatin1String("syllable"))) ++shown;
            if (text.startsWith(QLatin1String("+ "))) more += text.mid(2).toInt();
        }
        QVERIFY(shown > 8);
        QCOMPARE(shown + more, 80);
        for (const SlideLine& line : linesOf(slide, 900)) {
            QCOMPARE(line.column, -1);  // each of the weights is too small for a line
            QVERIFY(std::abs(line.width - (line.row == slide.now ? 26 : 20)) < 1e-3);
        }
    }

    /// Every line of twelve words was a knot: of the words that are not in question each has its strongest one.
    void manyWordsAreNoKnot() {
        PresenterSlide slide;
        for (int i = 0; i < 12; ++i)
            slide.reads << QStringLiteral("w%1").arg(i);
        slide.writes = slide.reads;
        slide.weights.assign(144, 1.0F / 12);
        slide.now = 5;
        std::vector<int> lines(12);
        for (const SlideLine& line : linesOf(slide, 900))
            if (line.column >= 0) ++lines[static_cast<size_t>(line.row)];
        for (int row = 0; row < 12; ++row)
            QCOMPARE(lines[static_cast<size_t>(row)], row == slide.now ? 12 : 1);
    }

    /// The shares below pieces of one word ran into each other.
    void piecesOfAWordTouchAndTheirSharesDoNot() {
        PresenterSlide slide;
        for (int i = 0; i < 3; ++i)
            slide.writes << QStringLiteral("v‿") << QStringLiteral("‿o‿") << QStringLiteral("‿is") << "grand";
        slide.reads = slide.writes;
        slide.weights.assign(144, 0);
        for (size_t i = 0; i < 12; ++i)
            slide.weights[i * 12 + i] = 1;
        for (slide.now = 0; slide.now < 12; ++slide.now) {
            const std::vector<SlideShare> shares = sharesOf(slide, 900);
            QVERIFY(!shares.empty());
            QCOMPARE(shares.front().row, slide.now);
            for (const SlideShare& one : shares)
                for (const SlideShare& other : shares)
                    QVERIFY(one.row == other.row || !one.rect.adjusted(-8, 0, 8, 0).intersects(other.rect));
        }
        slide.now = 5;
        const QStringList texts = textsOf(slide);
        QCOMPARE(texts.count(QStringLiteral("is")), 6);  // six chips whose edges say that they touch
        QVERIFY(!texts.contains(QStringLiteral("‿is")));
    }

    /// Sixty words are drawn too: those around the one in question.
    void aLongSentenceKeepsItsWordInSight() {
        PresenterSlide slide;
        for (int i = 0; i < 60; ++i)
            slide.reads << QStringLiteral("word%1").arg(i);
        slide.writes = slide.reads;
        slide.weights.assign(3600, 0);
        for (size_t i = 0; i < 60; ++i)
            slide.weights[i * 60 + i] = 1;
        slide.now = 41;
        QImage image(1440, 900, QImage::Format_RGB32);
        QPainter painter(&image);
        drawSlide(painter, image.rect(), slide, HallColors::of(false));
        painter.end();
        int amber = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                amber += image.pixelColor(x, y) == HallColors::of(false).now ? 1 : 0;
        QVERIFY(amber > 3000);
    }

private:
    /// What a slide says on a large screen.
    QStringList textsOf(const PresenterSlide& slide) const {
        const QString path = m_folder.filePath("slide.svg");
        {
            QSvgGenerator svg;
            svg.setFileName(path);
            svg.setSize({1440, 900});
            QPainter painter(&svg);
            drawSlide(painter, QRectF(0, 0, 1440, 900), slide, HallColors::of(false));
        }
        return fixture::Drawn(path).texts();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
    Presenter* m_presenter = nullptr;
};

QTEST_MAIN(TestPresenter)
#include "test_presenter.moc"

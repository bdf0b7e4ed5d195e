// SPDX-License-Identifier: GPL-3.0-or-later
// The first page: a sentence that is typed and what a head looks at, the doors, and what comes first for whom.
#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/data/translate.h"
#include "tests/lessons/lesson_window.h"
#include "tests/session/jobs.h"
#include "tests/ui/painted.h"
#include "ui/lessons/door_card.h"
#include "ui/lessons/first_look.h"
#include "ui/lessons/lesson_continue.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_list.h"
#include "ui/lessons/lesson_path.h"
#include "ui/lessons/lesson_progress.h"
#include "ui/lessons/lesson_station.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/head_glance.h"
#include "ui/shell/learn_room.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/head_ribbons.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

namespace {

const QString kNegated = QStringLiteral("I don't know where she lives.");

HeadGlance glanceOf(const QStringList& reads, const QStringList& writes, std::vector<float> weights) {
    return {QStringLiteral("decoder.layers.0.cross_attn"), 0, reads, writes, std::move(weights)};
}

}  // namespace

class TestFirstPage : public fixture::LessonWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { beginCase(); }
    void cleanupTestCase() { endCase(); }
    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(*m_manager);
        m_window->resize(1280, 800);
    }
    void cleanup() { closeWindow(); }

    void itBeginsWithASentenceAndTheCaretInIt() {
        show();
        QCOMPARE(look().field()->text(), QStringLiteral("I don't know where she lives."));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), fixture::kPatienceMs));
        QVERIFY(look().field()->hasFocus());
        QVERIFY(!list().goOn()->isVisible());
        QCOMPARE(look().start()->text(), QStringLiteral("Start lesson 1"));
        // The only number in the words is one that the model's file tells.
        QVERIFY(label(QStringLiteral("73,002 sentence pairs")));
        QVERIFY(label(QStringLiteral("Type English")));
        // Their last line is never one word.
        QVERIFY(label(QStringLiteral("has\u00a0just\u00a0computed.")));
    }

    void whatIsDrawnIsTheEnginesOwnWeightsOfThatHead() {
        show();
        type(kNegated);
        const HeadGlance& glance = *look().glance();
        const Trace trace = traceSentence(*openTrainedModel(firstModel()), kNegated.toStdString());
        const std::vector<AttentionBlock> blocks = attentionBlocks(trace);
        const auto block = std::ranges::find(blocks, glance.block, &AttentionBlock::scope);
        QVERIFY(block != blocks.end());
        QVERIFY(block->kind == AttentionBlock::Kind::Cross);
        const RibbonsData& drawn = look().ribbons()->data();
        QCOMPARE(drawn.above, columnLabels(trace, *block));
        QCOMPARE(drawn.below, rowLabels(trace, *block));
        const std::span<const float> weights = block->headWeights(glance.head);
        QVERIFY(std::ranges::equal(drawn.weights, weights));
        // No other head of cross-attention tells more of where it looks.
        const double best = lookedAtBits(weights, block->rows, block->columns);
        for (const AttentionBlock& each : blocks)
            for (int head = 0; each.kind == AttentionBlock::Kind::Cross && head < each.heads; ++head)
                QVERIFY(lookedAtBits(each.headWeights(head), each.rows, each.columns) <= best);
        // A ribbon for every weight that is not faint, as heavy as it is.
        size_t heavy = 0;
        for (const float weight : weights)
            heavy += weight >= HeadRibbons::kLeast ? 1 : 0;
        QCOMPARE(look().ribbons()->ribbons().size(), heavy);
        for (const AttentionLine& ribbon : look().ribbons()->ribbons())
            QCOMPARE(ribbon.weight, weights[static_cast<size_t>(ribbon.row) * static_cast<size_t>(block->columns) +
                                            static_cast<size_t>(ribbon.column)]);
    }

    void bitsAreOfSharpHeadsThatLookAtDifferentWords() {
        const std::vector<float> diagonal = {1, 0, 0, 1}, sink = {1, 0, 1, 0}, broad = {0.5F, 0.5F, 0.5F, 0.5F};
        QCOMPARE(lookedAtBits(diagonal, 2, 2), 1.0);
        QCOMPARE(lookedAtBits(sink, 2, 2), 0.0);
        QCOMPARE(lookedAtBits(broad, 2, 2), 0.0);
    }

    void theExplanationIsTrueOrSilent() {
        const QStringList reads = {"I", "don't", "know"};
        // One word for two that stand apart.
        auto fact = factOf(glanceOf(reads, {"Je", "ne", "sais", "pas"},
                                    {0.8F, 0.1F, 0.1F, 0.1F, 0.7F, 0.2F, 0, 0.3F, 0.7F, 0, 0.6F, 0.4F}));
        QVERIFY(fact);
        QCOMPARE(fact->sentence, QStringLiteral("One head writes both “ne” and “pas” with its eyes on “don't”."));
        QCOMPARE(fact->cells, (std::vector<std::pair<int, int>>{{1, 1}, {3, 1}}));
        // Beside each other, or with half of the weight and no more, they do not count.
        fact = factOf(glanceOf(reads, {"Je", "ne", "pas"}, {0.6F, 0.2F, 0.2F, 0.3F, 0.7F, 0, 0.3F, 0.7F, 0}));
        QVERIFY(!fact);
        fact = factOf(glanceOf(reads, {"Je", "ne", "sais", "pas"},
                               {0.6F, 0.2F, 0.2F, 0.3F, 0.5F, 0.2F, 0, 0.4F, 0.6F, 0, 0.5F, 0.5F}));
        QVERIFY(!fact);
        // Neighbours that look the other way round.
        fact = factOf(glanceOf({"black", "cat"}, {"chat", "noir"}, {0.2F, 0.8F, 0.9F, 0.1F}));
        QVERIFY(fact);
        QCOMPARE(fact->sentence,
                 QStringLiteral("The order turns round: “chat” looks at “cat”, then “noir” back at “black”."));
        // Nearly all.
        fact = factOf(glanceOf(reads, {"Je", "sais"}, {0.9F, 0.05F, 0.05F, 0.4F, 0.3F, 0.3F}));
        QVERIFY(fact);
        QCOMPARE(fact->sentence, QStringLiteral("While this head writes “Je”, “I” has 90 % of its weight."));
        // Marks and special tokens say nothing, and pieces are one word only where each of them looks there.
        QVERIFY(!factOf(glanceOf({".", "<eos>"}, {".", "a", "<eos>"}, {1, 0, 0, 1, 1, 0})));
        QVERIFY(!factOf(glanceOf(reads, {"jar‿", "‿din"}, {0.9F, 0.05F, 0.05F, 0.4F, 0.3F, 0.3F})));
        QVERIFY(!factOf(glanceOf({}, {}, {})));
    }

    void whatIsSaidOfASentenceHoldsInItsWeights() {
        show();
        for (const QString& sentence : {kNegated, QStringLiteral("The black cat is sleeping."),
                                        QStringLiteral("ø ჯ 猫"), QStringLiteral("Tom")}) {
            type(sentence);
            QVERIFY(look().glance());
            const auto fact = factOf(*look().glance());
            QCOMPARE(look().said(), fact ? fact->sentence : QString());
            QCOMPARE(look().ribbons()->data().lit, fact ? fact->cells : (std::vector<std::pair<int, int>>()));
        }
    }

    void theNewestSentenceWins() {
        show();
        QSignalSpy answered(&look(), &FirstLook::answered);
        edit(QStringLiteral("She is"));
        edit(QStringLiteral("She is happy"));
        edit(QStringLiteral("We know him."));
        QTRY_VERIFY(!answered.isEmpty());
        QTRY_VERIFY(fixture::allJobsAreDone());
        QCOMPARE(answered.size(), 1);
        QCOMPARE(textOf(look().ribbons()->data().above).remove(u' '), QStringLiteral("Weknowhim.") + eos());
        QCOMPARE(look().field()->text(), QStringLiteral("We know him."));
    }

    /// "a" is answered by "un" as often as there are positions: it is cut, and what is shown is what was written.
    void anAnswerWithoutAnEndIsCut() {
        show();
        type(QStringLiteral("a"));
        const HeadGlance& glance = *look().glance();
        QVERIFY(glance.writes.size() <= 12);
        const Trace whole = traceSentence(*openTrainedModel(firstModel()), "a");
        for (const AttentionBlock& block : attentionBlocks(whole)) {
            if (block.scope != glance.block) continue;
            QCOMPARE(glance.writes, rowLabels(whole, block).first(glance.writes.size()));
            for (size_t i = 0; i < glance.weights.size(); ++i)
                QVERIFY(std::abs(glance.weights[i] - block.headWeights(glance.head)[i]) < 1e-4F);
        }
    }

    void whatCannotBeReadIsSaid() {
        show();
        edit({});
        QVERIFY(look().said().startsWith(QLatin1String("Type a sentence")));
        QVERIFY(!look().glance() && !look().inside()->isEnabled());
        QVERIFY(look().ribbons()->data().weights.empty());
        edit(QStringLiteral("   "));
        QVERIFY(!look().inside()->isEnabled());
        QSignalSpy answered(&look(), &FirstLook::answered);
        edit(QStringLiteral("no ").repeated(200));
        QTRY_COMPARE(answered.size(), 1);
        QVERIFY(!look().said().isEmpty());
        QVERIFY(!look().glance());
        type(QStringLiteral("I know."));
        QVERIFY(look().glance() && look().inside()->isEnabled());
    }

    void enterOpensTheSameSentenceAndHead() {
        show();
        edit(kNegated);
        QTest::keyClick(look().field(), Qt::Key_Return);  // before it is read: it follows
        QTRY_COMPARE(m_window->rooms().view(), ViewName::Attention);
        QTRY_VERIFY(m_window->stage().isSettled());
        const HeadGlance& glance = *look().glance();
        QCOMPARE(bench().session.modelKey(), QStringLiteral("en-fr-transformer"));
        QCOMPARE(bench().session.source(), kNegated);
        QCOMPARE(bench().selection.block(), glance.block);
        QCOMPARE(bench().selection.head(), glance.head);
    }

    /// No last line of a door is one word, however wide the window is: the lines share what there is.
    void noDoorEndsInALoneWord() {
        show();
        int wrapped = 0;
        for (const int width : {1024, 1280, 1440, 1920, 2560}) {
            m_window->resize(width, 900);
            QVERIFY(fixture::painted(*m_window));
            for (int index = 0; index < 4; ++index) {
                const DoorCard& door = *list().door(static_cast<LessonList::Door>(index));
                const int room = door.sentenceWidth(door.width());
                QVERIFY(room <= door.width() - 36);
                QTextLayout layout(door.sentence(), uiFont(13));
                QString last;
                int lines = 0;
                layout.beginLayout();
                for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++lines) {
                    line.setLineWidth(room);
                    last = door.sentence().mid(line.textStart(), line.textLength()).trimmed();
                }
                layout.endLayout();
                QVERIFY2(lines == 1 || last.contains(u' '), qPrintable(QString::number(width) + ": " + last));
                wrapped += lines > 1;
            }
        }
        QVERIFY(wrapped > 0);
    }

    void doorsLeadToTheirRooms() {
        show();
        list().door(LessonList::Door::Train)->click();
        QCOMPARE(m_window->rooms().view(), ViewName::Training);
        m_window->rooms().showView(ViewName::Lessons);
        QTest::keyClick(list().door(LessonList::Door::Models), Qt::Key_Return);
        QCOMPARE(m_window->rooms().view(), ViewName::Models);
        m_window->rooms().showView(ViewName::Lessons);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), fixture::kPatienceMs));
        list().door(LessonList::Door::Learn)->click();
        QVERIFY(list().path()->stations()[0]->hasFocus());
        QVERIFY(!list().path()->stations()[0]->visibleRegion().isEmpty());
        list().door(LessonList::Door::Teach)->click();
        auto* const make = qobject_cast<Button*>(QApplication::focusWidget());
        QVERIFY(make && !make->visibleRegion().isEmpty());
        QCOMPARE(make->text(), QStringLiteral("Make a course"));
        look().start()->click();
        QVERIFY(player().isOpen());
        QCOMPARE(player().lesson().number, 1);
    }

    void whoHasBegunSeesTheirLessonFirst() {
        const Lesson& lesson = bench().lessons.lessons()[5];
        LessonProgress progress;
        progress.step = progress.furthest = 2;
        progress.save(QString::fromStdString(lesson.slug));
        show();
        QVERIFY(list().goOn()->isVisible());
        QVERIFY(list().goOn()->mapTo(&list(), QPoint()).y() < look().mapTo(&list(), QPoint()).y());
        QCOMPARE(look().start()->text(), QStringLiteral("Continue lesson 6"));
        QVERIFY(!look().field()->hasFocus());
        // What they know already takes a line and its picture, and nothing of that is cut off.
        QTRY_VERIFY(look().height() <= 130);
        for (const HeadRibbons::Side side : {HeadRibbons::Side::Above, HeadRibbons::Side::Below})
            QVERIFY(QRectF(look().ribbons()->rect()).contains(look().ribbons()->chipRect(side, 0)));
        QVERIFY(QRect(QPoint(), look().size())
                    .contains(QRect(look().ribbons()->mapTo(&look(), QPoint()), look().ribbons()->size())));
        edit({});
        QVERIFY(label(QStringLiteral("Type a sentence, and see"))->isVisible());
        look().start()->click();
        QCOMPARE(player().lesson().number, 6);
    }

    void tabGoesFromTheSentenceToTheDoorsAndAlongThePath() {
        show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), fixture::kPatienceMs));
        QList<QWidget*> expected{look().field(), look().inside(), look().start()};
        for (int door = 0; door < 4; ++door)
            expected << list().door(static_cast<LessonList::Door>(door));
        expected << list().findChild<ComboBox*>();
        for (LessonStation* station : list().path()->stations())
            expected << station;
        look().field()->setFocus();
        for (QWidget* each : expected) {
            QCOMPARE(QApplication::focusWidget(), each);
            QTest::keyClick(each, Qt::Key_Tab);
        }
        // Back too, and whatever has the focus is seen.
        for (auto each = expected.rbegin(); each != expected.rend(); ++each) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
            QCOMPARE(QApplication::focusWidget(), *each);
            QVERIFY(!(*each)->visibleRegion().isEmpty());
        }
    }

    void pointingAtAChipLightsItsRibbons() {
        show();
        type(kNegated);
        HeadRibbons& ribbons = *look().ribbons();
        QTest::mouseMove(&ribbons, ribbons.chipRect(HeadRibbons::Side::Below, 0).center().toPoint());
        for (const AttentionLine& ribbon : ribbons.ribbons())
            QCOMPARE(ribbons.isLit(ribbon), ribbon.row == 0);
        QTest::mouseMove(&ribbons, ribbons.chipRect(HeadRibbons::Side::Above, 2).center().toPoint());
        for (const AttentionLine& ribbon : ribbons.ribbons())
            QCOMPARE(ribbons.isLit(ribbon), ribbon.column == 2);
    }

    void nothingIsCutOffInASmallWindow() {
        m_window->resize(1024, 700);
        show();
        type(kNegated);
        QVERIFY(look().width() <= list().width());
        for (const QWidget* part : look().findChildren<QWidget*>()) {
            const auto* const label = qobject_cast<const QLabel*>(part);
            const auto* const button = qobject_cast<const Button*>(part);
            if (!part->isVisible() || (!label && !button)) continue;
            QVERIFY(look().rect().contains(QRect(part->mapTo(&look(), QPoint()), part->size())));
            QVERIFY(!button || button->width() >= button->sizeHint().width());
            QVERIFY(!label || !label->wordWrap() || label->height() >= label->heightForWidth(label->width()));
        }
        const HeadRibbons& ribbons = *look().ribbons();
        for (int word = 0; word < ribbons.data().below.size(); ++word)
            QVERIFY(QRectF(ribbons.rect()).contains(ribbons.chipRect(HeadRibbons::Side::Below, word)));
        for (int door = 0; door < 4; ++door) {
            const DoorCard* const card = list().door(static_cast<LessonList::Door>(door));
            QVERIFY(card->height() >= card->heightForWidth(card->width()));
        }
    }

private:
    LessonList& list() const { return *m_window->rooms().find<LearnRoom>()->list(); }
    FirstLook& look() const { return *list().firstLook(); }
    /// Waits for the example.
    void show() {
        QSignalSpy answered(&look(), &FirstLook::answered);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), fixture::kPatienceMs));
        QTRY_VERIFY(!answered.isEmpty());
    }
    /// As a reader does, all at once.
    void edit(const QString& text) {
        look().field()->setText(text);
        emit look().field()->textEdited(text);
    }
    void type(const QString& text) {
        QSignalSpy answered(&look(), &FirstLook::answered);
        edit(text);
        QTRY_VERIFY(!answered.isEmpty());
    }
    /// The token behind a sentence, where the model reads one.
    QString eos() const { return look().ribbons()->data().above.last() == QLatin1String("<eos>") ? "<eos>" : ""; }
    const QLabel* label(const QString& part) const {
        for (const QLabel* each : look().findChildren<QLabel*>())
            if (each->text().contains(part)) return each;
        return nullptr;
    }
};

QTEST_MAIN(TestFirstPage)
#include "test_first_page.moc"

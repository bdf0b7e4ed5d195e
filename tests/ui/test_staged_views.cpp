// SPDX-License-Identifier: GPL-3.0-or-later
// Every view with options against the state of the stage: what it is told it tells, a fresh state brings everything
// back, and only what a reader does is said aloud.
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/session/jobs.h"
#include "tests/ui/staged_cases.h"
#include "ui/views/compare/head_chips.h"

using namespace headlight;
using namespace headlight::fixture;

namespace {

QString linesOf(const StageState& state) {
    QString lines;
    for (const auto& [name, value] : settingOf(state))
        lines += QString::fromStdString(name + "=" + value + "\n");
    return lines;
}

}  // namespace

class TestStagedViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<fixture::LightTheme>();
        m_cases = std::make_unique<StagedCases>();
        m_model = fixture::shippedModel(QStringLiteral("vi-en-transformer"));
        m_reading = readSentence(*m_model, QStringLiteral("tôi đang học tiếng anh")).trace;
    }
    void cleanupTestCase() {
        m_cases.reset();
        m_theme.reset();
    }

    void aFreshViewTellsAFreshState_data() { everyView(); }
    void aFreshViewTellsAFreshState() {
        const Case it = present();
        const std::unique_ptr<QWidget> view(it.make());
        QCOMPARE(told(*view, changed(it)), linesOf(fresh(it)));
    }

    void whatAViewIsToldItTells_data() { everyView(); }
    void whatAViewIsToldItTells() {
        const Case it = present();
        const std::unique_ptr<QWidget> view(it.make());
        show(*view);
        StageState otherwise = fresh(it);
        it.change(otherwise);
        QSignalSpy spy(view.get(), SIGNAL(optionsChanged()));
        staged(*view).showOptions(otherwise);
        QCOMPARE(told(*view, fresh(it)), linesOf(otherwise));
        QCOMPARE(spy.count(), 0);
        // Told twice it is the same.
        StageState again = fresh(it);
        staged(*view).showOptions(otherwise);
        staged(*view).tellOptions(again);
        QVERIFY(again == otherwise);
        QCOMPARE(spy.count(), 0);
    }

    void aFreshStateBringsEverythingBack_data() { everyView(); }
    void aFreshStateBringsEverythingBack() {
        const Case it = present();
        const std::unique_ptr<QWidget> view(it.make());
        show(*view);
        staged(*view).showOptions(fresh(it));
        settle();
        QImage before = view->grab().toImage();
        // What is read in the background is there when two pictures in a row are one.
        for (QImage last; last != before;) {
            QTest::qWait(100);  // what a timer begins has begun
            QVERIFY(fixture::allJobsAreDone());
            last = std::exchange(before, view->grab().toImage());
        }
        StageState otherwise = fresh(it);
        it.change(otherwise);
        staged(*view).showOptions(otherwise);
        settle();
        QVERIFY2(view->grab().toImage() != before, "what is otherwise is seen");
        staged(*view).showOptions(fresh(it));
        settle();
        QCOMPARE(told(*view, changed(it)), linesOf(fresh(it)));
        if (QTest::qWaitFor([&] { return view->grab().toImage() == before; })) return;
        // On a busy machine a view may stand still for longer than it was waited for, and change after all: then one
        // that begins now is what it is held to.
        const std::unique_ptr<QWidget> other(it.make());
        show(*other);
        staged(*other).showOptions(fresh(it));
        settle();
        QTRY_COMPARE(view->grab().toImage(), other->grab().toImage());
    }

    void whatAReaderDoesIsSaid_data() { everyView(); }
    void whatAReaderDoesIsSaid() {
        const Case it = present();
        const std::unique_ptr<QWidget> view(it.make());
        show(*view);
        QSignalSpy spy(view.get(), SIGNAL(optionsChanged()));
        for (size_t i = 0; i < it.hands.size(); ++i) {
            StageState before = fresh(it), after = fresh(it);
            staged(*view).tellOptions(before);
            spy.clear();
            it.hands[i](*view);
            settle();
            staged(*view).tellOptions(after);
            QVERIFY2(spy.count() > 0, qPrintable(QStringLiteral("hand %1").arg(i)));
            QVERIFY2(!(before == after), qPrintable(QStringLiteral("hand %1").arg(i)));
        }
    }

    /// Slow words of a model, a base of 100: what the sliders cannot stand at exactly is kept exactly.
    void aNumberBetweenTwoPlacesOfASliderIsKept() {
        PositionView positions;
        StageState state;
        state.positions.base = 100.5;
        state.positions.width = 62;
        positions.showOptions(state);
        QCOMPARE(positions.table().at(1, 2), float(std::sin(1 / std::pow(100.5, 2.0 / 62))));
        StageState again;
        positions.tellOptions(again);
        QCOMPARE(again.positions.base, 100.5);
    }

    /// Edits belong to the numbers that they were made in.
    void anotherSentenceHasItsOwnNumbersAndCells() {
        MaskView masks;
        masks.resize(1376, 800);
        masks.setReading(m_model, m_reading);
        QueryKeyValueView matrices;
        matrices.setTrace(m_reading);
        StageState state;
        state.masks.cells = {"1,2"};
        state.queryKeyValue.matrices = QueryKeyValueOptions::Matrices::Model;
        state.queryKeyValue.numbers = {"Q[1,2]=0.5"};
        masks.showOptions(state);
        matrices.showOptions(state);
        QTRY_VERIFY(masks.isChanged() && matrices.isEdited(QueryKeyValueView::Query));
        masks.setReading(m_model, m_reading);
        matrices.setTrace(m_reading);
        QTRY_VERIFY(!masks.isBusy());
        QVERIFY2(masks.isChanged() && matrices.isEdited(QueryKeyValueView::Query), "the same sentence keeps them");
        const auto other = readSentence(*m_model, QStringLiteral("tôi yêu bạn")).trace;
        masks.setReading(m_model, other);
        matrices.setTrace(other);
        QTRY_VERIFY(!masks.isBusy());
        QVERIFY(!masks.isChanged() && !matrices.isEdited(QueryKeyValueView::Query));
        StageState after;
        masks.tellOptions(after);
        matrices.tellOptions(after);
        QVERIFY(after.masks.cells.empty() && after.queryKeyValue.numbers.empty());
    }

    /// A file or a link may say what it likes.
    void nonsenseIsNoEditAndHarmsNothing() {
        StageState state;
        state.view = ViewName::QueryKeyValue;
        state.focus = "scores";
        state.cell = {900, 900};
        state.queryKeyValue.numbers = {"Q[0,1]=1",  "Q[1,1]", "Z[1,1]=1",  "scores[1,1]=1", "Q[1,1]=nan",
                                       "Q[99,1]=1", "]=,[",   "K[2,3]=-7", "Q[1,1]=0.5x"};
        state.masks.cells = {"1", "a,b", "0,0", "99,99"};
        state.layer = state.step = state.positions.word = state.sentence = state.masks.padding = 999;
        state.positions.length = state.positions.width = 999999;
        state.positions.base = -1;
        state.decode.topK = 999999;
        state.decode.topP = state.decode.temperature = state.queryKeyValue.sharpness = -3;
        for (const Case& it : m_cases->all()) {
            const std::unique_ptr<QWidget> view(it.make());
            show(*view);
            for (const ViewName name : {it.view, ViewName::Lessons}) {
                state.view = name;
                staged(*view).showOptions(state);
                settle();
                view->grab();
            }
        }
        QueryKeyValueView matrices;
        matrices.showOptions(state);
        QCOMPARE(matrices.matrix(QueryKeyValueView::Key)->data().value(1, 2), -7.0F);
        QVERIFY(!matrices.isEdited(QueryKeyValueView::Query));
    }

    void theComparisonIsShownWhoeverSetIt() {
        const std::unique_ptr<QWidget> widget(m_cases->compare());
        Comparison* const comparison = m_cases->comparison();
        auto& view = dynamic_cast<CompareView&>(*widget);
        comparison->setKind(Comparison::Kind::Heads);
        comparison->setMutedHeads({QStringLiteral("decoder.layers.0.cross_attn.2")});
        QCOMPARE(view.block()->currentData().toString(), QStringLiteral("decoder.layers.0.cross_attn"));
        QCOMPARE(view.heads()->muted(), std::vector<int>{2});
        comparison->setSentence(QStringLiteral("tôi yêu bạn"));
        QCOMPARE(view.other()->text(), QStringLiteral("tôi yêu bạn"));
        comparison->setKind(Comparison::Kind::Model);
        comparison->setModelPath(QStringLiteral("/somewhere/else.safetensors"));
        QCOMPARE(view.models()->currentText(), QStringLiteral("else"));
    }

private:
    static StageState fresh(const Case& it) {
        StageState state;
        state.view = it.view;
        return state;
    }
    /// But for what is pointed at, which is told only where something is.
    static StageState changed(const Case& it) {
        StageState state = fresh(it);
        it.change(state);
        state.focus.clear();
        state.block.clear();
        state.cell = {};
        if (it.view == ViewName::QueryKeyValue) state.head = 1;
        return state;
    }
    static Staged& staged(QWidget& view) { return dynamic_cast<Staged&>(view); }
    static QString told(QWidget& view, StageState state) {
        staged(view).tellOptions(state);
        return linesOf(state);
    }
    void settle() const {
        QCoreApplication::processEvents();  // who works for it has begun then
        QTRY_VERIFY(m_cases->settling().isSettled());
    }
    void show(QWidget& view) const {
        view.resize(1376, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        settle();
    }

    void everyView() {
        QTest::addColumn<int>("at");
        const std::vector<Case> all = m_cases->all();
        for (size_t i = 0; i < all.size(); ++i)
            QTest::addRow("%s %zu", nameOf(all[i].view), i) << static_cast<int>(i);
    }
    Case present() {
        QFETCH(int, at);
        return m_cases->all()[static_cast<size_t>(at)];
    }

    std::unique_ptr<fixture::LightTheme> m_theme;
    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_reading;
    std::unique_ptr<StagedCases> m_cases;
};

QTEST_MAIN(TestStagedViews)
#include "test_staged_views.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The ways through a room: its views or groups of views in the header, the views of a group above the stage.
#include <QAbstractButton>
#include <QMenu>
#include <QTest>
#include <QTimer>

#include "ui/shell/view_group.h"
#include "ui/shell/view_tabs.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/fitting_caption.h"

using namespace headlight;

class TestViewTabs : public QObject {
    Q_OBJECT
private slots:
    void whatSuitsAnotherModelIsPaleAndSaysWhy();
    void whereRoomIsShortTheLastGoAndTheCurrentStays();
    void aTabTellsItsView();
    void theMenuSaysWhatEachViewIs();
    void groupsStandInTheHeaderAndLeadToTheirViews();
    void aGroupRemembersItsLastView();
    void aGroupOfAnotherModelsViewsIsPale();
    void theRowShowsTheViewsOfTheGroupAndTheQuestion();
};

namespace {
const std::vector<Room::View> kViews = {{ViewName::Attention, "Attention", "What does each head look at?", {}},
                                        {ViewName::Recurrent, "Recurrent", "How does it read?", "is not recurrent"},
                                        {ViewName::Masks, "Masks", "Which words may be looked at?", {}},
                                        {ViewName::Values, "Values", "Which numbers are there?", {}}};
const std::vector<Room::View> kGrouped = {
    {ViewName::Recurrent, "Recurrent", "How does it read?", "is not recurrent", "Model"},
    {ViewName::Values, "Values", "Which numbers are there?", {}, "Model"},
    {ViewName::Residuals, "Residuals", "What is added?", {}, "Model"},
    {ViewName::Attention, "Heads", "What does each head look at?", {}, "Attention"},
    {ViewName::Masks, "Masks", "Which words may be looked at?", {}, "Attention"},
    {ViewName::Lens, "Lens", "What would it say?", "fills in words", "Questions"}};

void resizeToFit(ViewTabs& tabs) {
    tabs.resize(tabs.sizeHint());
    tabs.show();
}

QStringList textsOf(const SegmentedControl& tabs) {
    QStringList texts;
    for (const QAbstractButton* tab : tabs.findChildren<QAbstractButton*>())
        texts << tab->text();
    return texts;
}

QString tipOf(const SegmentedControl& tabs, int index) {
    return tabs.findChildren<QAbstractButton*>().at(index)->toolTip();
}
}  // namespace

void TestViewTabs::whatSuitsAnotherModelIsPaleAndSaysWhy() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Attention);
    resizeToFit(tabs);
    QVERIFY(tabs.inMenu().isEmpty());
    QVERIFY(!tabs.more()->isVisible());
    QVERIFY(tabs.tabs()->isItemPale(1) && tabs.tabs()->isItemEnabled(1));
    QCOMPARE(tipOf(*tabs.tabs(), 1), QStringLiteral("The open model is not recurrent."));
    QVERIFY(!tabs.tabs()->isItemPale(2));
    QCOMPARE(tipOf(*tabs.tabs(), 2), QStringLiteral("Which words may be looked at?"));
}

void TestViewTabs::whereRoomIsShortTheLastGoAndTheCurrentStays() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Values);
    tabs.resize(tabs.sizeHint());
    tabs.show();
    tabs.resize(tabs.width() - 1, tabs.height());
    QCOMPARE(tabs.inMenu(), QStringList{"Recurrent"});  // which has nothing to show
    QVERIFY(tabs.more()->isVisible());
    QVERIFY(tabs.more()->geometry().right() < tabs.width());
    tabs.resize(tabs.minimumSizeHint());
    QCOMPARE(tabs.inMenu(), (QStringList{"Attention", "Recurrent", "Masks"}));
    tabs.resize(1000, tabs.height());
    QVERIFY(tabs.inMenu().isEmpty());
}

void TestViewTabs::aTabTellsItsView() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Attention);
    resizeToFit(tabs);
    std::vector<ViewName> told;
    connect(&tabs, &ViewTabs::chosen, this, [&told](ViewName view) { told.push_back(view); });
    tabs.tabs()->setCurrentIndex(2);
    QCOMPARE(told, std::vector{ViewName::Masks});
    tabs.setViews(kViews, ViewName::Values);
    QCOMPARE(told.size(), 1U);
}

void TestViewTabs::theMenuSaysWhatEachViewIs() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Attention);
    resizeToFit(tabs);
    tabs.resize(tabs.minimumSizeHint());
    QStringList tips;
    QTimer::singleShot(0, this, [&tips] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (const QAction* way : menu->actions())
            tips << way->toolTip();
        menu->close();
    });
    tabs.more()->click();
    QCOMPARE(tips, (QStringList{"The open model is not recurrent.", "Which words may be looked at?",
                                "Which numbers are there?"}));
}

void TestViewTabs::groupsStandInTheHeaderAndLeadToTheirViews() {
    ViewTabs tabs;
    tabs.setViews(kGrouped, ViewName::Attention);
    resizeToFit(tabs);
    QCOMPARE(textsOf(*tabs.tabs()), (QStringList{"Model", "Attention", "Questions"}));
    QCOMPARE(tabs.tabs()->currentIndex(), 1);
    QCOMPARE(tipOf(*tabs.tabs(), 0), QStringLiteral("Recurrent, Values, Residuals"));
    std::vector<ViewName> told;
    connect(&tabs, &ViewTabs::chosen, this, [&told](ViewName view) { told.push_back(view); });
    tabs.tabs()->setCurrentIndex(0);
    QCOMPARE(told, std::vector{ViewName::Values});  // the first that has something to show
}

void TestViewTabs::aGroupRemembersItsLastView() {
    ViewTabs tabs;
    tabs.setViews(kGrouped, ViewName::Residuals);
    tabs.setViews(kGrouped, ViewName::Masks);
    resizeToFit(tabs);
    std::vector<ViewName> told;
    connect(&tabs, &ViewTabs::chosen, this, [&told](ViewName view) { told.push_back(view); });
    tabs.tabs()->setCurrentIndex(0);
    QCOMPARE(told, std::vector{ViewName::Residuals});
    // Of a model for which that view has nothing, the first that has.
    std::vector<Room::View> others = kGrouped;
    others[2].whyNothing = "has no residuals";
    tabs.setViews(others, ViewName::Masks);
    tabs.tabs()->setCurrentIndex(0);
    QCOMPARE(told.back(), ViewName::Values);
}

void TestViewTabs::aGroupOfAnotherModelsViewsIsPale() {
    ViewTabs tabs;
    tabs.setViews(kGrouped, ViewName::Attention);
    QVERIFY(tabs.tabs()->isItemPale(2));
    QVERIFY(!tabs.tabs()->isItemPale(0) && !tabs.tabs()->isItemPale(1));
}

void TestViewTabs::theRowShowsTheViewsOfTheGroupAndTheQuestion() {
    ViewGroup row;
    row.resize(900, 40);
    row.setViews(kGrouped, ViewName::Values);
    row.show();
    QCOMPARE(textsOf(*row.tabs()), (QStringList{"Recurrent", "Values", "Residuals"}));
    QCOMPARE(row.tabs()->currentIndex(), 1);
    QCOMPARE(row.question(), QStringLiteral("Which numbers are there?"));
    QVERIFY(row.tabs()->isItemPale(0) && !row.tabs()->isItemPale(1));
    QCOMPARE(tipOf(*row.tabs(), 0), QStringLiteral("The open model is not recurrent."));
    std::vector<ViewName> told;
    connect(&row, &ViewGroup::chosen, this, [&told](ViewName view) { told.push_back(view); });
    row.setViews(kGrouped, ViewName::Residuals);
    QVERIFY(told.empty());
    row.tabs()->setCurrentIndex(0);  // pale, and yet it can be opened: it says there what it would take
    QCOMPARE(told, std::vector{ViewName::Recurrent});
    row.setViews(kGrouped, ViewName::Masks);
    QCOMPARE(textsOf(*row.tabs()), (QStringList{"Heads", "Masks"}));
}

QTEST_MAIN(TestViewTabs)
#include "test_view_tabs.moc"

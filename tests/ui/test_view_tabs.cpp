// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <QTest>
#include <QTimer>

#include "ui/shell/view_tabs.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

class TestViewTabs : public QObject {
    Q_OBJECT
private slots:
    void whatSuitsAnotherModelStandsInTheMenu();
    void whereRoomIsShortTheLastGoAndTheCurrentStays();
    void aTabTellsItsView();
    void theMenuTellsWhyAViewIsThere();
};

namespace {
const std::vector<Room::View> kViews = {{ViewName::Attention, "Attention", "What does each head look at?", {}},
                                        {ViewName::Recurrent, "Recurrent", "How does it read?", "is not recurrent"},
                                        {ViewName::Masks, "Masks", "Which words may be looked at?", {}},
                                        {ViewName::Values, "Values", "Which numbers are there?", {}}};

void resizeToFit(ViewTabs& tabs) {
    tabs.resize(tabs.sizeHint());
    tabs.show();
}
}  // namespace

void TestViewTabs::whatSuitsAnotherModelStandsInTheMenu() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Attention);
    resizeToFit(tabs);
    QCOMPARE(tabs.inMenu(), QStringList{"Recurrent"});
    QVERIFY(tabs.more()->isVisible());
    tabs.setViews(kViews, ViewName::Recurrent);
    resizeToFit(tabs);
    QVERIFY(tabs.inMenu().isEmpty());
    QVERIFY(!tabs.more()->isVisible());
}

void TestViewTabs::whereRoomIsShortTheLastGoAndTheCurrentStays() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Values);
    tabs.resize(tabs.sizeHint());
    tabs.show();
    tabs.resize(tabs.width() - 1, tabs.height());
    QCOMPARE(tabs.inMenu(), (QStringList{"Masks", "Recurrent"}));
    QVERIFY(tabs.more()->geometry().right() < tabs.width());
    tabs.resize(tabs.minimumSizeHint());
    QCOMPARE(tabs.inMenu(), (QStringList{"Attention", "Masks", "Recurrent"}));
    tabs.resize(1000, tabs.height());
    QCOMPARE(tabs.inMenu(), QStringList{"Recurrent"});
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

void TestViewTabs::theMenuTellsWhyAViewIsThere() {
    ViewTabs tabs;
    tabs.setViews(kViews, ViewName::Attention);
    resizeToFit(tabs);
    tabs.resize(tabs.width() - 1, tabs.height());
    QStringList tips;
    QTimer::singleShot(0, this, [&tips] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (const QAction* way : menu->actions())
            if (!way->isSeparator()) tips << way->toolTip();
        menu->close();
    });
    tabs.more()->click();
    QCOMPARE(tips, (QStringList{"Which numbers are there?", "The open model is not recurrent."}));
}

QTEST_MAIN(TestViewTabs)
#include "test_view_tabs.moc"

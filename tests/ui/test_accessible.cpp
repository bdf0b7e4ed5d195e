// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told: roles and names of what the window is made of.
#include <QAbstractButton>
#include <QAccessible>
#include <QChartView>
#include <QTest>

#include "core/views/views.h"
#include "tests/ui/calm_window.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/navigation_accessible.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/shell/view_group.h"
#include "ui/shell/view_tabs.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/training_chart.h"
#include "ui/widgets/controls/controls.h"

using namespace headlight;

namespace {

QAccessibleInterface& told(QWidget* widget) {
    return *QAccessible::queryAccessibleInterface(widget);
}

}  // namespace

class TestAccessible : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_opened = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        m_opened->window->openModel(
            QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QTRY_VERIFY(m_opened->window->workbench().session.reading().has_value());
    }
    void cleanupTestCase() { m_opened.reset(); }

    /// They were check boxes.
    void theRailIsAListOfRooms() {
        const auto buttons = m_opened->window->findChildren<RailButton*>();
        QVERIFY(buttons.size() >= 6);
        m_opened->window->rooms().showView(ViewName::Attention);
        int selected = 0;
        for (RailButton* const button : buttons) {
            QAccessibleInterface& item = told(button);
            QCOMPARE(item.role(), QAccessible::ListItem);
            QCOMPARE(item.text(QAccessible::Name), button->text());
            selected += item.state().selected ? 1 : 0;
            QCOMPARE(bool(item.state().selected), button->isChecked());
        }
        QCOMPARE(selected, 1);
        QCOMPARE(told(buttons.front()->parentWidget()).role(), QAccessible::List);
        QVERIFY(!told(buttons.front()->parentWidget()).text(QAccessible::Name).isEmpty());
        QAccessibleInterface& last = told(buttons.back());
        last.actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(buttons.back()->isChecked() && last.state().selected);
    }

    void viewsArePageTabs() {
        m_opened->window->rooms().showView(ViewName::Attention);
        for (SegmentedControl* const tabs :
             {m_opened->window->findChild<ViewTabs*>()->tabs(), m_opened->window->findChild<ViewGroup*>()->tabs()}) {
            QCOMPARE(told(tabs).role(), QAccessible::PageTabList);
            QVERIFY(!told(tabs).text(QAccessible::Name).isEmpty());
            const auto all = tabs->findChildren<QAbstractButton*>();
            QCOMPARE(all.size(), 4);
            for (QAbstractButton* const tab : all) {
                QCOMPARE(told(tab).role(), QAccessible::PageTab);
                QCOMPARE(told(tab).text(QAccessible::Name), tab->text());
                QCOMPARE(bool(told(tab).state().selected), tab->isChecked());
            }
        }
    }

    /// Every other row of choices, in every view: one of several, not a box to check.
    void choicesAreRadioButtons() {
        int seen = 0;
        for (SegmentedControl* const control : m_opened->window->findChildren<SegmentedControl*>()) {
            if (isNavigation(*control)) continue;
            for (QAbstractButton* const choice : control->findChildren<QAbstractButton*>()) {
                QCOMPARE(told(choice).role(), QAccessible::RadioButton);
                ++seen;
            }
        }
        QVERIFY(seen > 20);
    }

    /// The six of a run, the curves of a search, and all others: one picture with a name, and no nameless view in it.
    void chartsHaveNamesAndNothingInside() {
        int seen = 0;
        for (QChartView* const chart : m_opened->window->findChildren<QChartView*>()) {
            QAccessibleInterface& picture = told(chart);
            QCOMPARE(picture.role(), QAccessible::Chart);
            QVERIFY2(!picture.text(QAccessible::Name).isEmpty(), qPrintable(chart->parentWidget()->objectName()));
            QCOMPARE(picture.childCount(), 0);
            ++seen;
        }
        QVERIFY2(seen >= 12, qPrintable(QString::number(seen)));
    }

    void whateverTakesTheKeyboardHasANameAndARole_data() {
        QTest::addColumn<int>("view");
        QTest::addColumn<QString>("model");
        for (size_t i = 0; i < views().size(); ++i) {
            const auto name = static_cast<ViewName>(i);
            const bool isRecurrent = name == ViewName::Recurrent || name == ViewName::Cell;
            QTest::newRow(views()[i]->name)
                << static_cast<int>(i)
                << (isRecurrent ? QStringLiteral("vi-en-gru") : QStringLiteral("vi-en-transformer"));
        }
    }
    void whateverTakesTheKeyboardHasANameAndARole() {
        QFETCH(int, view);
        QFETCH(QString, model);
        StageState state;
        state.view = static_cast<ViewName>(view);
        state.model = namedModel(model).toStdString();
        m_opened->window->stage().apply(state);
        QTRY_VERIFY(m_opened->window->stage().isSettled());
        QStringList lacking;
        hear(told(m_opened->window.get()), lacking);
        QVERIFY2(lacking.isEmpty(), qPrintable(lacking.join(u'\n')));
    }

    void aChartOfARunTellsItsLatestValues() {
        TrainingChart chart(QStringLiteral("Loss"), {},
                            {.format = [](double value) { return QString::number(value); }});
        chart.setReadout(QStringLiteral("test 0.42"), QStringLiteral("train 0.31"));
        QAccessibleInterface& picture = told(chart.findChild<QChartView*>());
        QCOMPARE(picture.text(QAccessible::Name), QStringLiteral("Loss"));
        QCOMPARE(picture.text(QAccessible::Description), QStringLiteral("test 0.42, train 0.31"));
        chart.setHidden(true);
        QVERIFY(!picture.text(QAccessible::Description).contains(QStringLiteral("0.42")));
    }

private:
    static void hear(QAccessibleInterface& part, QStringList& lacking) {
        const QAccessible::State state = part.state();
        if (state.invisible) return;
        const QString name = part.text(QAccessible::Name);
        const bool isNamed = !name.isEmpty() || !part.text(QAccessible::Value).isEmpty();
        const bool isWidget = part.object();  // and no cell of a table, which may be empty
        if ((isWidget && state.focusable && !isNamed) || (part.role() == QAccessible::Client && !name.isEmpty())) {
            QString at = QString::fromLatin1(part.object() ? part.object()->metaObject()->className() : "?");
            for (const QAccessibleInterface* up = part.parent(); up && up->object(); up = up->parent())
                at += QStringLiteral(" in ") + QLatin1String(up->object()->metaObject()->className());
            lacking << QStringLiteral("“%1” of role %2: %3").arg(name).arg(part.role()).arg(at.left(160));
        }
        const bool isPicture = part.role() == QAccessible::Graphic && state.focusable;
        if (isPicture && part.text(QAccessible::Description).isEmpty())
            lacking << QStringLiteral("“%1” says nothing of what is in it").arg(name);
        for (int i = 0; i < part.childCount(); ++i)
            if (QAccessibleInterface* const child = part.child(i)) hear(*child, lacking);
    }

    std::unique_ptr<fixture::CalmWindow> m_opened;
};

QTEST_MAIN(TestAccessible)
#include "test_accessible.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are seen can be taken to a spreadsheet, from any matrix and any list, and a menu over a figure says how.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <memory>

#include "tests/ui/calm_theme.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/values/values_view.h"
#include "ui/widgets/controls/spreadsheet.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/matrix/veiled_cells.h"

using namespace headlight;

namespace {

MatrixData smallMatrix() {
    return {.rows = 2,
            .columns = 2,
            .values = {0.1F, 1.0F / 3.0F, -2, 4},
            .masked = {0, 1, 0, 0},
            .rowLabels = {"a\tb", "c"},
            .rowSubLabels = {},
            .columnLabels = {"x", "y"},
            .rowAxis = {},
            .columnAxis = {},
            .scale = {}};
}

QString clipboard() {
    return QGuiApplication::clipboard()->text();
}

/// The menu that came over a widget, as the right button brings it; null: none.
QMenu* menuOver(QWidget& widget) {
    const QPoint middle = widget.rect().center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, middle, widget.mapToGlobal(middle));
    QApplication::sendEvent(&widget, &event);
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

QStringList textsOf(const QMenu& menu) {
    QStringList texts;
    for (const QAction* action : menu.actions())
        if (!action->isSeparator()) texts << action->text();
    return texts;
}

}  // namespace

class TestCopiedNumbers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // On the screen: keys go to the window that is active.
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1280, 800);
        m_window->show();
    }
    void cleanupTestCase() {
        m_window.reset();
        m_theme.reset();
    }
    void init() { QGuiApplication::clipboard()->setText(QStringLiteral("before")); }

    void aMatrixIsALineForEachRow() {
        MatrixView view;
        QVERIFY(view.spreadsheet().isEmpty());
        view.setData(smallMatrix());
        // A tab in a name would begin another cell, and what is masked is no number.
        QCOMPARE(view.spreadsheet(), QStringLiteral("\tx\ty\na b\t0.100000001\t\nc\t-2\t4\n"));
    }

    void whatTheReaderMayNotSeeIsNotCopied() {
        MatrixView view;
        MatrixData data = smallMatrix();
        takeOut(data, [](int row, int column) { return row == 1 && column == 1; });
        view.setData(data);
        QCOMPARE(view.spreadsheet(), QStringLiteral("\tx\ty\na b\t0.100000001\t\nc\t-2\t\n"));
        MatrixProgress progress{};
        progress.filled = 1;
        view.setProgress(progress);
        QCOMPARE(view.spreadsheet(), QStringLiteral("\tx\ty\na b\t0.100000001\t\nc\t\t\n"));
        view.setProgress({});
        view.setReveal(MatrixView::Reveal::Outline);
        QVERIFY(view.spreadsheet().isEmpty());
    }

    void aListHasItsGroupsAndATableItsHeadings() {
        QTreeWidget tree;
        tree.setHeaderLabels({"value", "shape"});
        auto* group = new QTreeWidgetItem(&tree, {"layer 1"});
        new QTreeWidgetItem(group, {"weights", "3 × 3"});
        new QTreeWidgetItem(&tree, {"logits", "3"});
        QCOMPARE(spreadsheetOf(tree), QStringLiteral("value\tshape\nlayer 1\t\nweights\t3 × 3\nlogits\t3\n"));
        tree.clear();
        QVERIFY(spreadsheetOf(tree).isEmpty());
        const QWidget none;
        QVERIFY(spreadsheetOf(none).isEmpty());
    }

    /// What is on the clipboard is what the engine computed.
    void theMatrixThatHasTheKeyboardIsCopied() {
        show(ViewName::Attention);
        MatrixView* const matrix = window().rooms().find<ExploreRoom>()->attention()->stage()->matrix();
        matrix->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        QTest::keyClick(matrix, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = clipboard().split(u'\n', Qt::SkipEmptyParts);
        const MatrixData& data = matrix->data();
        QCOMPARE(lines.size(), data.rows + 1);
        for (int row = 0; row < data.rows; ++row) {
            const QStringList cells = lines[row + 1].split(u'\t');
            QCOMPARE(cells.size(), data.columns + 1);
            QCOMPARE(cells[0], data.rowLabels[row]);
            for (int column = 0; column < data.columns; ++column)
                if (data.isMasked(row, column))
                    QVERIFY(cells[column + 1].isEmpty());
                else
                    QCOMPARE(cells[column + 1].toFloat(), data.value(row, column));
        }
    }

    void aFieldKeepsItsOwn() {
        show(ViewName::Attention);
        QLineEdit* const input = window().rooms().find<ExploreRoom>()->sentenceBar()->input();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        input->setFocus();
        input->selectAll();
        QTest::keyClick(input, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard(), input->text());
    }

    void theRightButtonOffersWhatCanBeDone() {
        show(ViewName::Attention);
        MatrixView* const matrix = window().rooms().find<ExploreRoom>()->attention()->stage()->matrix();
        QMenu* const menu = menuOver(*matrix->viewport());
        QVERIFY(menu);
        QCOMPARE(textsOf(*menu), QStringList({"Copy numbers", "Copy figure", "Export figure…",
                                              "Copy link to this stage", "About this view"}));
        menu->actions().first()->trigger();
        menu->close();
        QCOMPARE(clipboard(), matrix->spreadsheet());
    }

    /// A picture has no numbers to take, and a field has a menu of its own.
    void onlyWhatIsThereIsOffered() {
        show(ViewName::Architecture);
        QMenu* const menu = menuOver(*window().rooms().current().viewWidget());
        QVERIFY(menu);
        QVERIFY(!textsOf(*menu).contains("Copy numbers"));
        menu->close();
    }

    void aListIsCopiedFromItsView() {
        show(ViewName::Values);
        auto* const list = window().rooms().current().viewWidget()->findChild<QTreeWidget*>();
        QVERIFY(list && list->topLevelItemCount() > 0);
        QMenu* const menu = menuOver(*list->viewport());
        QVERIFY(menu);
        menu->actions().first()->trigger();
        menu->close();
        QVERIFY(clipboard().contains(list->topLevelItem(0)->text(0) + u'\t'));
    }

private:
    MainWindow& window() const { return *m_window; }
    void show(ViewName view) {
        StageState state;
        state.model = shippedModel(QStringLiteral("vi-en-transformer")).toStdString();
        state.view = view;
        window().stage().apply(state);
        QTRY_VERIFY(window().stage().isSettled());
    }

    QTemporaryDir m_settings;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestCopiedNumbers)
#include "test_copied_numbers.moc"

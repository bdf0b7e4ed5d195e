// SPDX-License-Identifier: GPL-3.0-or-later
// What the wheel does: it scrolls, and changes the value of a control only while that has the keyboard.
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <memory>

#include "tests/ui/calm_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/labelled_slider.h"
#include "ui/widgets/controls/panel.h"

using namespace headlight;

namespace {

/// One notch of the wheel over the middle of the widget, as it comes from the system.
void turnWheel(QWidget& over, int notches) {
    const QPointF at = QRectF(over.rect()).center();
    QWheelEvent event(at, over.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&event);  // Qt offers the parents only what comes from the system
    qApp->notify(&over, &event);
}

/// What the wheel could change, as text.
QString valueOf(const QWidget* control) {
    if (const auto* slider = qobject_cast<const QAbstractSlider*>(control)) return QString::number(slider->value());
    if (const auto* box = qobject_cast<const QComboBox*>(control)) return QString::number(box->currentIndex());
    if (const auto* number = qobject_cast<const QAbstractSpinBox*>(control)) return number->text();
    return {};
}

bool isScrollBar(const QWidget* widget) {
    return qobject_cast<const QScrollBar*>(widget);
}

/// A tall page with one of each kind, and room to scroll.
struct Page {
    Page() {
        auto* content = new QWidget;
        auto* column = new QVBoxLayout(content);
        box->addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
        box->setCurrentIndex(1);
        number->setRange(0, 100);
        number->setValue(50);
        column->addWidget(slider);
        column->addWidget(box);
        column->addWidget(number);
        content->setFixedSize(300, 1200);
        area = scrolling(content);
        area->resize(320, 300);
        area->show();
    }
    ~Page() { delete area; }

    LabelledSlider* slider = new LabelledSlider(QStringLiteral("Steps"), {1, 60, 15});
    ComboBox* box = new ComboBox(QStringLiteral("Model"));
    QSpinBox* number = new QSpinBox;
    QScrollArea* area;
};

}  // namespace

class TestWheel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<ThemeManager>(qApp); }
    void cleanupTestCase() { m_theme.reset(); }

    /// Scrolling a page of settings took a run from 1,500 steps to 100.
    void theAreaScrollsAndNothingUnderThePointerChanges() {
        Page page;
        QVERIFY(QTest::qWaitForWindowActive(page.area, fixture::kPatienceMs));
        page.area->setFocus();
        auto* const slider = page.slider->findChild<Slider*>();
        for (QWidget* const control :
             {static_cast<QWidget*>(slider), static_cast<QWidget*>(page.box), static_cast<QWidget*>(page.number)}) {
            page.area->verticalScrollBar()->setValue(0);
            const QString before = valueOf(control);
            turnWheel(*control, -1);
            QCOMPARE(valueOf(control), before);
            QVERIFY2(page.area->verticalScrollBar()->value() > 0, control->metaObject()->className());
            QVERIFY(!control->hasFocus());
            QVERIFY(!(control->focusPolicy() == Qt::WheelFocus));
        }
    }

    void whatHasTheKeyboardTakesTheWheel() {
        Page page;
        QVERIFY(QTest::qWaitForWindowActive(page.area, fixture::kPatienceMs));
        auto* const slider = page.slider->findChild<Slider*>();
        for (QWidget* const control :
             {static_cast<QWidget*>(slider), static_cast<QWidget*>(page.box), static_cast<QWidget*>(page.number)}) {
            control->setFocus();
            QTRY_VERIFY(control->hasFocus());
            const QString before = valueOf(control);
            turnWheel(*control, -1);
            QVERIFY2(valueOf(control) != before, control->metaObject()->className());
            QCOMPARE(page.area->verticalScrollBar()->value(), 0);
        }
    }

    /// In every view of every room.
    void noViewHasAControlThatTakesTheWheelByItself() {
        const fixture::CalmWindow opened({1280, 800});
        MainWindow& window = *opened.window;
        window.openModel(QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        QTRY_VERIFY(window.workbench().session.reading().has_value());
        int turned = 0;
        for (Room* const room : window.rooms().all())
            for (const Room::View& view : room->views()) {
                window.rooms().showView(view.name);
                QCoreApplication::processEvents();
                for (QWidget* const control : window.findChildren<QWidget*>()) {
                    const QString before = valueOf(control);
                    if (before.isEmpty() || isScrollBar(control) || !control->isVisible() || control->hasFocus())
                        continue;
                    for (const int notches : {1, -1}) {
                        turnWheel(*control, notches);
                        QVERIFY2(valueOf(control) == before, qPrintable(view.title + u' ' + control->accessibleName()));
                    }
                    QVERIFY2(control->focusPolicy() != Qt::WheelFocus, qPrintable(control->accessibleName()));
                    ++turned;
                }
            }
        QVERIFY2(turned > 40, qPrintable(QString::number(turned)));
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestWheel)
#include "test_wheel.moc"

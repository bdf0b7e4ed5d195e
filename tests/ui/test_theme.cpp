// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QImage>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolTip>
#include <QTreeWidget>
#include <QtTest>
#include <algorithm>
#include <clocale>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/focus_ring.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    /// The numbers' font draws a minus as short as its hyphen.
    void aMinusIsDrawnAsOne() {
        const auto inkOf = [](const QString& text) {
            QImage image(40, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            {
                QPainter p(&image);
                paint::centredText(p, {4, 20}, text, monoFont(24), Qt::black);
            }
            int wide = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 0; y < image.height(); ++y)
                    if (qGray(image.pixel(x, y)) < 128) {
                        ++wide;
                        break;
                    }
            return wide;
        };
        QVERIFY2(inkOf(QStringLiteral("−")) > inkOf(QStringLiteral("-")) + 1,
                 qPrintable(QStringLiteral("%1 and %2").arg(inkOf(QStringLiteral("−"))).arg(inkOf("-"))));
        QCOMPARE(paint::textWidth(QStringLiteral("−1"), monoFont(24)),
                 paint::textWidth(QStringLiteral("11"), monoFont(24)));
    }

    /// Of every size, the application's own among them, and of every weight.
    void everyFontIsWhatWasAskedFor() {
        const ThemeManager theme(qApp);
        for (const int px : {11, 12, 13, 14, 15, 18})
            for (const int weight : {QFont::Normal, QFont::Medium, QFont::DemiBold}) {
                for (const QFont& font : {uiFont(px, weight), uiFont(px, weight), monoFont(px, weight)}) {
                    QCOMPARE(font.pixelSize(), px);
                    QCOMPARE(static_cast<int>(font.weight()), weight);
                }
                QVERIFY(uiFont(px, weight).families() != monoFont(px, weight).families());
            }
    }

    void stopsAreTheSpecifiedColours_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("sequential");
        QTest::addColumn<QString>("diverging");
        QTest::newRow("light") << false << "#F5F8FB #DEEAF4 #BED7EA #96BFDF #68A4CF #3D85BB #1F66A0 #124A7B #0B2E52"
                               << "#7A2E06 #B4561E #DA8F5D #F0CCB1 #F6F6F5 #C0D8EA #7BAED5 #2F78B4 #0F4473";
        QTest::newRow("dark") << true << "#1B2129 #1C2F40 #1E425D #22587D #2C73A3 #4793C5 #77B3DE #AFD4F0 #E6F2FB"
                              << "#FFCDAA #F0985F #B8642F #683D22 #232931 #204560 #2D77AA #70B5E5 #CBE7FA";
    }

    void stopsAreTheSpecifiedColours() {
        QFETCH(bool, dark);
        QFETCH(QString, sequential);
        QFETCH(QString, diverging);
        const Theme& t = dark ? Theme::dark() : Theme::light();
        const QStringList sequentialStops = sequential.split(' '), divergingStops = diverging.split(' ');
        for (int i = 0; i < 9; ++i) {
            QCOMPARE(t.sequential(i / 8.0).name().toUpper(), sequentialStops[i]);
            QCOMPARE(t.diverging((i - 4) * 0.875, 3.5).name().toUpper(), divergingStops[i]);
        }
    }

    void coloursBetweenStopsAreInterpolatedAndEndsAreClamped() {
        const Theme& t = Theme::light();
        QCOMPARE(t.sequential(0.0625), QColor(0xEA, 0xF1, 0xF8));  // (F5+DE)/2, (F8+EA)/2, (FB+F4)/2
        QCOMPARE(t.sequential(-1), t.sequentialStops.front());
        QCOMPARE(t.sequential(2), t.sequentialStops.back());
    }

    void numbersOnCellsCanBeRead() {
        for (const Theme& each : Theme::all()) {
            const Theme* const t = &each;
            for (int i = 0; i <= 200; ++i) {
                const QColor fill = t->sequential(i / 200.0);
                QVERIFY2(contrast(fill, Theme::onColor(fill)) >= 4.5, qPrintable(fill.name()));
            }
            QVERIFY(contrast(t->text3, t->bg) >= 4.5);
            QVERIFY(contrast(t->nowLine, t->bg) >= 3);
            if (each.number / Theme::kWeightColors == 2) {  // high contrast: WCAG's AAA, and 3:1 for what is no text
                QVERIFY(contrast(t->text3, t->bg) >= 7 && contrast(t->text3, t->sunken) >= 7);
                QVERIFY(contrast(t->line, t->bg) >= 3);
            }
            // Strokes of what flows, and of residuals, on everything that they cross.
            for (const QColor& ground : {t->surface, t->bg, t->encoderTint, t->decoderTint})
                QVERIFY2(contrast(t->text3, ground) >= 3, qPrintable(ground.name()));
        }
    }

    void scoreScaleIsRoundedUpToHalves() {
        const std::vector<float> values = {0.2F, -3.43F, 1.0F, -INFINITY};
        QCOMPARE(ColorScale::scores(values).max, 3.5);
        QCOMPARE(ColorScale::scores({}).max, 0.5);
    }

    void numbersAreWrittenAsTheBookSays() {
        QCOMPARE(formatNumber(-0.204), QStringLiteral("−0.20"));
        QCOMPARE(formatNumber(-0.004), QStringLiteral("0.00"));
        QCOMPARE(formatNumber(0.9984, 3), QStringLiteral("0.998"));
        QCOMPARE(formatNumber(-INFINITY), QStringLiteral("−∞"));
        QCOMPARE(formatNumber(NAN), QStringLiteral("NaN"));
        QCOMPARE(formatSigned(3.5, 1), QStringLiteral("+3.5"));
        QCOMPARE(formatSigned(0.001, 1), QStringLiteral("0.0"));
        QCOMPARE(formatCount(178305), QStringLiteral("178,305"));
        QCOMPARE(formatCount(999), QStringLiteral("999"));
        QCOMPARE(formatCount(-1234567), QStringLiteral("−1,234,567"));
        QCOMPARE(formatScientific(0.00186), QStringLiteral("1.86e−3"));
        QCOMPARE(formatScientific(-12.4, 1), QStringLiteral("−1.2e1"));
        QCOMPARE(formatTimesPowerOfTen(1.3107e7), QStringLiteral("1.3·10⁷"));
        QCOMPARE(formatTimesPowerOfTen(3e8), QStringLiteral("3·10⁸"));
        QCOMPARE(formatTimesPowerOfTen(2.96e8), QStringLiteral("3.0·10⁸"));
        QCOMPARE(formatTimesPowerOfTen(1e8), QStringLiteral("10⁸"));
        QCOMPARE(formatTimesPowerOfTen(-2.5e-4), QStringLiteral("−2.5·10⁻⁴"));
        QCOMPARE(formatTimesPowerOfTen(7), QStringLiteral("7"));
        QCOMPARE(formatTimesPowerOfTen(0), QStringLiteral("0"));
        QCOMPARE(formatPrecise(0.9981234567), QStringLiteral("0.998123"));
        QCOMPARE(formatPercent(0.993), QStringLiteral("99.3 %"));
        QCOMPARE(formatPart(0.993), QStringLiteral("99.3 %"));
        QCOMPARE(formatPart(0.0004), QStringLiteral("< 0.1 %"));
        QCOMPARE(formatPart(0), QStringLiteral("0.0 %"));
        QCOMPARE(formatLogProb(-0.684), QStringLiteral("log P −0.68"));
        QCOMPARE(formatLogProb(-0.0002), QStringLiteral("log P −0.0002"));
    }

    void switchingTheModeRepaintsThePaletteOnce() {
        ThemeManager manager(qApp);
        manager.setMode(ThemeManager::Mode::Light);
        QSignalSpy changed(&manager, &ThemeManager::changed);
        QWidget widget;
        widget.show();
        QCOMPARE(&Theme::of(&widget), &Theme::light());
        manager.toggle();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(&Theme::of(&widget), &Theme::dark());
        QCOMPARE(qApp->palette().color(QPalette::Window), Theme::dark().bg);
        manager.setMode(ThemeManager::Mode::Dark);
        QCOMPARE(changed.count(), 1);
    }

    /// Each carries the sheet, and what it holds with it; whatever stands beside them does not.
    void qtsOwnWidgetsWearTheTheme() {
        ThemeManager manager(qApp);
        manager.setMode(ThemeManager::Mode::Light);
        QWidget window;
        auto* rows = new QVBoxLayout(&window);
        auto* label = new QLabel(QStringLiteral("label"));
        auto* line = new QLineEdit;
        auto* combo = new QComboBox;
        auto* number = new QSpinBox;
        auto* tree = new QTreeWidget;
        for (QWidget* widget : std::initializer_list<QWidget*>{label, line, combo, number, tree})
            rows->addWidget(widget);
        QMenu menu(&window);
        menu.addAction(QStringLiteral("action"));
        window.show();
        menu.popup({0, 0});
        const auto edge = [](QWidget& widget) {
            const QImage image = widget.grab().toImage();
            return image.pixelColor(0, image.height() / 2);
        };
        for (int theme = 0; theme < 2; ++theme, manager.toggle()) {
            const Theme& t = manager.current();
            QCOMPARE(edge(*line), t.line2);
            QCOMPARE(edge(*combo), t.line2);
            QCOMPARE(edge(*number), t.line2);
            QCOMPARE(edge(menu), t.line2);
            QCOMPARE(edge(*tree), t.surface);
            QToolTip::showText({0, 0}, QStringLiteral("tip %1").arg(theme), label);
            const auto tops = QApplication::topLevelWidgets();
            const auto tip = std::ranges::find_if(tops, [](const QWidget* top) { return top->inherits("QTipLabel"); });
            QVERIFY(tip != tops.end());
            QCOMPARE(edge(**tip), t.ink);
            QVERIFY(!label->testAttribute(Qt::WA_StyleSheet));
            QCOMPARE(tree->verticalScrollBar()->sizeHint().width(), 10);
        }
    }

    /// Where the system is German, 0,195 stood in a field beside 0.195 in the text.
    void fieldsWriteNumbersAsTextDoesWhateverTheSystemSpeaks() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const ThemeManager theme(qApp);
        QDoubleSpinBox cell;
        cell.setDecimals(3);
        cell.setValue(0.195);
        QCOMPARE(cell.text(), formatNumber(0.195, 3));
        QSpinBox count;
        count.setRange(0, 99999);
        count.setGroupSeparatorShown(true);
        count.setValue(1500);
        QCOMPARE(count.text(), formatCount(1500));
        QCOMPARE(QString::fromLatin1(std::localeconv()->decimal_point), QStringLiteral("."));
        // What is typed is read so, too.
        cell.clear();
        QTest::keyClicks(&cell, QStringLiteral("0.25"));
        QCOMPARE(cell.value(), 0.25);
        QLocale::setDefault(before);
    }

    void theRingFollowsTheKeyboardAndNotTheMouse() {
        FocusRing ring(qApp);
        QWidget window;
        QHBoxLayout row(&window);
        auto* first = new Button(Button::Kind::Ghost, "first");
        auto* second = new Button(Button::Kind::Ghost, "second");
        row.addWidget(first);
        row.addWidget(second);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, fixture::kPatienceMs));
        first->setFocus();
        QVERIFY(!ring.ringed());
        QTest::keyClick(first, Qt::Key_Tab);
        QCOMPARE(ring.ringed(), second);
        QTest::mouseClick(first, Qt::LeftButton);
        QVERIFY(!ring.ringed());
    }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"

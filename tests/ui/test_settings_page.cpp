// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen for every start: found, in force at once, kept, and put back.
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>

#include "tests/ui/calm_theme.h"
#include "tests/ui/painted.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/actions.h"
#include "ui/shell/help_panel.h"
#include "ui/shell/interface_size.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/stage.h"
#include "ui/shell/workbench.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/picture_choice.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

class TestSettingsPage : public QObject {
    Q_OBJECT

    SettingsPage& page() { return *m_window->settings(); }
    template <class Control>
    Control* control(const char* title) {
        const auto found =
            std::ranges::find(page().settings(), QString::fromUtf8(title), &SettingsPage::Setting::title);
        return found == page().settings().end() ? nullptr : qobject_cast<Control*>(found->control);
    }
    QAction* command(const char* id) { return m_window->commands().find(QLatin1String(id)); }

private slots:
    void initTestCase() {
        m_theme = fixture::calmTheme(m_settings);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->resize(1280, 800);
        m_window->keepIn(m_folder.path());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void init() {
        if (page().isOpen()) page().shut();
        m_window->rooms().showView(ViewName::Lessons);
    }
    void cleanupTestCase() {
        motion::setReduced(true);
        m_window.reset();
        m_theme.reset();
    }

    void itComesAndGoes() {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        QVERIFY(page().isOpen());
        QCOMPARE(page().geometry(), page().parentWidget()->rect());
        fixture::keepPicture(*m_window, "settings");
        QTest::keyClick(page().input(), Qt::Key_Escape);
        QVERIFY(!page().isOpen());
        command("settings")->trigger();
        QVERIFY(page().isOpen());
        m_window->rooms().showView(ViewName::Cost);
        QVERIFY(!page().isOpen());
    }

    /// Tab went on into the covered view, and Escape was no longer the page's.
    void theKeyboardStaysOnThePageAndGoesBack() {
        m_window->rooms().showView(ViewName::Cost);
        QWidget* before = nullptr;
        for (auto* const each : m_window->rooms().current().findChildren<QAbstractButton*>())
            if (!before && each->isVisible() && each->isEnabled() && each->focusPolicy() == Qt::StrongFocus)
                before = each;
        QVERIFY(before);
        before->setFocus();
        QCOMPARE(QApplication::focusWidget(), before);
        page().open(QStringLiteral("Theme"));
        QVERIFY(control<PictureChoice>("Theme")->isAncestorOf(QApplication::focusWidget()));
        for (int i = 0; i < 30; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY2(!m_window->rooms().isAncestorOf(QApplication::focusWidget()), qPrintable(QString::number(i)));
        }
        page().input()->setFocus();
        QTest::keyClick(page().input(), Qt::Key_Escape);
        QVERIFY(!page().isOpen() && m_window->rooms().isVisible());
        QCOMPARE(QApplication::focusWidget(), before);
    }

    void aSizeIsKeptForTheNextStartAndOfferedAtOnce() {
        page().open(QStringLiteral("Size"));
        auto* const row = control<QWidget>("Size");
        auto* const size = row->findChild<ComboBox*>();
        auto* const restart = row->findChild<Button*>();
        QCOMPARE(size->currentData().toInt(), InterfaceSize::kDefault);
        QCOMPARE(QApplication::focusWidget(), size);
        QVERIFY(!restart->isVisible());
        size->setCurrentIndex(size->findData(90));
        QCOMPARE(InterfaceSize::chosen(), 90);
        QVERIFY(restart->isVisible());
        fixture::keepPicture(*m_window, "settings-size");
        page().resetButton()->click();
        QCOMPARE(InterfaceSize::chosen(), InterfaceSize::kDefault);
        QCOMPARE(size->currentData().toInt(), InterfaceSize::kDefault);
        QVERIFY(!restart->isVisible());
    }

    void aSizeIsOfferedWhereTheSmallestWindowFits() {
        using Sizes = std::vector<int>;
        QCOMPARE(InterfaceSize::fitting({800, 600}), (Sizes{90, 100}));
        QCOMPARE(InterfaceSize::fitting({1280, 800}), (Sizes{90, 100, 110}));
        QCOMPARE(InterfaceSize::fitting({1920, 1080}), (Sizes{90, 100, 110, 125, 150}));
        QCOMPARE(InterfaceSize::fitting({2560, 1440}), (Sizes{90, 100, 110, 125, 150, 175, 200}));
    }

    void qtIsToldWhileTheApplicationIsMade() {
        if (InterfaceSize::isSetOutside()) {  // who sets it has the last word
            const QByteArray theirs = qgetenv("QT_SCALE_FACTOR");
            InterfaceSize::choose(150);
            { const InterfaceSize::ForQt told; }
            QCOMPARE(qgetenv("QT_SCALE_FACTOR"), theirs);
            InterfaceSize::choose(InterfaceSize::kDefault);
            return;
        }
        {
            const InterfaceSize::ForQt told;
            QVERIFY(!InterfaceSize::isSetOutside());
        }
        InterfaceSize::choose(150);
        {
            const InterfaceSize::ForQt told;
            QCOMPARE(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.5"));
            QCOMPARE(InterfaceSize::present(), 150);
        }
        QVERIFY(!InterfaceSize::isSetOutside());
        InterfaceSize::choose(InterfaceSize::kDefault);
    }

    void helpAndThePageGiveWayToOneAnother() {
        page().open();
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QVERIFY(m_window->help()->isOpen() && !page().isOpen());
        page().open();
        QVERIFY(!m_window->help()->isOpen());
        QTest::keyClick(m_window.get(), Qt::Key_Tab, Qt::ControlModifier);
        QVERIFY(!page().isOpen());
    }

    /// The rail's way to the lessons left the lesson that waited beside the page.
    void fromAStepOfALessonThereIsAWayBackToIt() {
        LessonPlayer& player = m_window->workbench().player;
        player.open(QStringLiteral("by-hand"));
        QTRY_VERIFY(m_window->stage().isSettled());
        QVERIFY(player.isOpen());
        page().open(QStringLiteral("Lessons"));
        auto* const language = control<ComboBox>("Lessons");
        const QString before = language->currentData().toString();
        for (const QString& each : {QStringLiteral("vi"), before}) {
            language->setCurrentIndex(language->findData(each));
            emit language->activated(language->currentIndex());
            QVERIFY2(page().isOpen(), qPrintable(each));
            QTRY_VERIFY(m_window->stage().isSettled());
            QVERIFY2(page().isOpen(), qPrintable(each));
        }
        m_window->findChildren<RailButton*>().front()->click();
        QVERIFY(!page().isOpen() && player.isOpen());
        player.close();
    }

    void aThemeIsThereAtOnceWhoeverChoseIt() {
        auto* const theme = control<PictureChoice>("Theme");
        QVERIFY(theme);
        theme->setCurrentIndex(2);
        QCOMPARE(m_theme->mode(), ThemeManager::Mode::Dark);
        page().open(QStringLiteral("Theme"));
        fixture::keepPicture(*m_window, "settings-dark");
        command("theme-light")->trigger();
        QCOMPARE(theme->currentIndex(), 1);
        page().resetButton()->click();
        QCOMPARE(m_theme->mode(), ThemeManager::Mode::System);
        QCOMPARE(theme->currentIndex(), 0);
        m_theme->setMode(ThemeManager::Mode::Light);
    }

    void highContrastIsBlackAndWhite() {
        auto* const theme = control<PictureChoice>("Theme");
        theme->setCurrentIndex(3);
        QCOMPARE(&Theme::of(m_window.get()), &Theme::highContrast());
        page().open(QStringLiteral("Theme"));
        fixture::keepPicture(*m_window, "settings-high-contrast");
        command("theme-dark")->trigger();
        QCOMPARE(theme->currentIndex(), 2);
        command("theme-high-contrast")->trigger();
        QCOMPARE(theme->currentIndex(), 3);
        m_theme->setMode(ThemeManager::Mode::Light);
    }

    /// Also where a matrix was drawn before, and is kept as a picture.
    void weightsTakeOtherColoursAtOnceEverywhere() {
        auto* const choice = control<PictureChoice>("Colours of weights");
        QVERIFY(choice);
        QCOMPARE(choice->currentIndex(), 0);
        m_window->rooms().showView(ViewName::Attention);
        QTRY_VERIFY(m_window->stage().isSettled());
        const auto counts = [&](const Theme& of) {
            const QImage image = m_window->grab().toImage();
            int found = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    found += image.pixelColor(x, y) == of.sequentialStops[0] ? 1 : 0;
            return found;
        };
        const Theme& blue = Theme::light();
        const int cells = counts(blue);
        QVERIFY(cells > 100);
        choice->setCurrentIndex(1);
        QCOMPARE(QSettings().value(QStringLiteral("window/weight-colors")).toInt(), 1);
        const Theme& violet = Theme::light();
        QVERIFY(violet.sequentialStops != blue.sequentialStops);
        QCOMPARE(violet.divergingStops, blue.divergingStops);
        QVERIFY(counts(violet) > cells / 2);
        QCOMPARE(counts(blue), 0);
        fixture::keepPicture(*m_window, "attention-violet");
        page().open(QStringLiteral("Colours of weights"));
        fixture::keepPicture(*m_window, "settings-violet");
        page().resetButton()->click();
        QCOMPARE(&Theme::light(), &blue);
        QCOMPARE(choice->currentIndex(), 0);
    }

    void motionIsTheCommandsOwn() {
        auto* const choice = control<SegmentedControl>("Motion");
        QVERIFY(choice);
        choice->setCurrentIndex(1);
        QVERIFY(motion::isReduced() && command("less-motion")->isChecked());
        QVERIFY(QSettings().value(QStringLiteral("motion/reduced")).toBool());
        command("less-motion")->setChecked(false);
        QCOMPARE(choice->currentIndex(), 0);
        QVERIFY(!motion::isReduced());
        choice->setCurrentIndex(1);
    }

    void lessonsAreInTheLanguageThatIsChosen() {
        LessonLibrary& library = m_window->workbench().lessons;
        auto* const language = control<ComboBox>("Lessons");
        QVERIFY(language && language->count() == library.languages().size() && language->count() > 1);
        const QString before = library.language();
        const int other = language->findData(QStringLiteral("vi"));
        QVERIFY(other >= 0);
        language->setCurrentIndex(other);
        emit language->activated(other);
        QCOMPARE(library.language(), QStringLiteral("vi"));
        library.setLanguage(before);
        QCOMPARE(language->currentData().toString(), before);
    }

    void processorsAreKept() {
        auto* const threads = control<ComboBox>("Processors");
        QVERIFY(threads && threads->itemData(0).toInt() == 0);
        if (threads->count() > 1) {
            threads->setCurrentIndex(1);
            QCOMPARE(QSettings().value(QStringLiteral("computing/threads")).toInt(), 1);
            const MainWindow next(*m_theme);
            const auto& again = next.settings()->settings();
            const auto found = std::ranges::find(again, QStringLiteral("Processors"), &SettingsPage::Setting::title);
            QCOMPARE(qobject_cast<ComboBox*>(found->control)->currentIndex(), 1);
        }
        page().open(QStringLiteral("Processors"));
        page().resetButton()->click();
        QCOMPARE(threads->currentIndex(), 0);
    }

    void whatFoldersTakeIsSaid() {
        QDir(m_folder.path()).mkpath(QStringLiteral("models"));
        QFile file(m_folder.filePath(QStringLiteral("models/kept.safetensors")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(3'000'000, 'x'));
        file.close();
        page().open(QStringLiteral("Models trained here"));
        const auto says = [this](const char* title) { return control<QWidget>(title)->findChild<QLabel*>()->text(); };
        QTRY_COMPARE(says("Models trained here"), QStringLiteral("3.0 MB"));
        QCOMPARE(says("Fetched sentences"), QStringLiteral("Empty"));
        QVERIFY(control<QWidget>("Models trained here")->toolTip().contains(QStringLiteral("models")));
        fixture::keepPicture(*m_window, "settings-files");
    }

    void whatWasOpenedIsForgotten() {
        QTemporaryFile file;
        QVERIFY(file.open());
        rememberOpened(file.fileName());
        QVERIFY(!recentlyOpened().isEmpty());
        page().open(QStringLiteral("Opened recently"));
        auto* const clear = control<Button>("Opened recently");
        QVERIFY(clear->isEnabled());
        clear->click();
        QVERIFY(recentlyOpened().isEmpty() && !clear->isEnabled());
        rememberOpened(file.fileName());
        page().open();
        QVERIFY(clear->isEnabled());
    }

    void aSettingIsFound() {
        page().open();
        QTest::keyClicks(page().input(), QStringLiteral("network"));
        QCOMPARE(page().shown(), QStringList{QStringLiteral("What is sent")});
        page().input()->setText(QStringLiteral("dark side"));
        QVERIFY(page().shown().isEmpty());
        QVERIFY(std::ranges::any_of(page().findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("“dark side”"));
        }));
        page().input()->clear();
        QVERIFY(!page().shown().isEmpty());
        // Each is in the palette, which leads to it.
        for (const SettingsPage::Setting& setting : page().settings()) {
            page().shut();
            const std::vector<PaletteEntry> entries = paletteEntries(*m_window);
            const auto entry = std::ranges::find_if(entries, [&](const PaletteEntry& each) {
                return each.title == setting.title && each.detail.contains(setting.about);
            });
            QVERIFY2(entry != entries.end(), qPrintable(setting.title));
            entry->run();
            QVERIFY2(page().isOpen() && page().shown().contains(setting.title), qPrintable(setting.title));
        }
    }

    /// The last, as it ends the program.
    void restartingClosesTheWindowAndAsksForAnotherStart() {
        page().open(QStringLiteral("Size"));
        auto* const row = control<QWidget>("Size");
        row->findChild<ComboBox*>()->setCurrentIndex(0);
        QTimer::singleShot(0, this, [row] { row->findChild<Button*>()->click(); });
        QCOMPARE(QApplication::exec(), MainWindow::kRestart);
        QVERIFY(!m_window->isVisible());
    }

private:
    QTemporaryDir m_settings, m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestSettingsPage)
#include "test_settings_page.moc"

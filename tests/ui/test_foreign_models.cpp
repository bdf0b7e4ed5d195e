// SPDX-License-Identifier: GPL-3.0-or-later
// Every view of the window on other programs' models. HEADLIGHT_SHOTS=FOLDER keeps the pictures, in both themes and at
// two sizes.
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/foreign_folder.h"
#include "tests/ui/calm_theme.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/workbench.h"

using namespace headlight;
using fixture::apply, fixture::picture;

namespace {

/// Pixels of other colours than the commonest, as a share.
double drawnShare(const QImage& image) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            ++counts[image.pixel(x, y)];
    int all = 0, most = 0;
    for (const int count : counts) {
        all += count;
        most = std::max(most, count);
    }
    return 1 - static_cast<double>(most) / all;
}

}  // namespace

class TestForeignModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = fixture::calmTheme(m_folder); }
    void cleanupTestCase() { m_theme.reset(); }

    void everyViewShowsItOrSaysWhyNot_data() {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < fixture::foreignWithWords().size(); ++i) {
            const auto& row = fixture::foreignWithWords()[i];
            QTest::addRow("%s, %s", row.model, row.tokenizer) << static_cast<int>(i);
        }
    }
    void everyViewShowsItOrSaysWhyNot() {
        QFETCH(int, index);
        const fixture::ForeignWithWords& wanted = fixture::foreignWithWords()[static_cast<size_t>(index)];
        const QString name = QStringLiteral("%1-%2").arg(wanted.model, wanted.tokenizer);
        const QString folder = m_folder.filePath(name);
        fixture::writeForeign(wanted, folder.toStdString());
        const auto window = fixture::openWindow(*m_theme);
        StageState state;
        state.model = folder.toStdString();
        state.source = wanted.text;
        for (const Room* room : window->rooms().all())
            for (const Room::View& view : room->views()) {
                state.view = view.name;
                apply(*window, state);
                QVERIFY2(window->noticeText().isEmpty(), qPrintable(window->noticeText()));
                QCOMPARE(window->workbench().session.modelName(), name);
                const QImage shown = picture(*window);
                QVERIFY2(drawnShare(shown) > 0.05, nameOf(view.name));
                keep(*window, name, nameOf(view.name));
                if (view.name == ViewName::Models) QVERIFY(saysOneVocabulary(*window));
            }
    }

private:
    /// One vocabulary is counted once.
    static bool saysOneVocabulary(MainWindow& window) {
        const int words = window.workbench().session.model()->source->vocabulary().size();
        const QString said = QStringLiteral("one vocabulary of %1 pieces").arg(formatCount(words));
        return std::ranges::any_of(window.findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text().contains(said); });
    }

    /// For whoever looks at them.
    void keep(MainWindow& window, const QString& model, const char* view) {
        const QString folder = qEnvironmentVariable("HEADLIGHT_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark})
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
                m_theme->setMode(mode);
                window.resize(size);
                picture(window).save(QStringLiteral("%1/%2-%3-%4-%5.png")
                                         .arg(folder, model, QLatin1String(view))
                                         .arg(size.width())
                                         .arg(mode == ThemeManager::Mode::Light ? "light" : "dark"));
            }
        window.resize(1280, 800);
        m_theme->setMode(ThemeManager::Mode::Light);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestForeignModels)
#include "test_foreign_models.moc"

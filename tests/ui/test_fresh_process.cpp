// SPDX-License-Identifier: GPL-3.0-or-later
// A link of any view of any model, opened by a program that was just started. A program of its own: it takes minutes.
// Of the pairs of model and view every eighteenth, so that each model and each view is among them;
// HEADLIGHT_EVERYTHING=1 makes it all pairs.
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/calm_theme.h"
#include "tests/ui/stage_pictures.h"
#include "ui/session/open/motion.h"
#include "ui/session/open/shipped.h"
#include "ui/widgets/theme/theme.h"

using namespace headlight;

/// Of the pairs of model and view one in so many is looked at.
constexpr size_t kPart = 18;

class TestFreshProcess : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = fixture::calmTheme(m_folder); }
    void cleanupTestCase() { m_theme.reset(); }

    void aLinkOfAnyViewOfAnyModelDrawsTheSame_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<size_t>("first");
        size_t place = 0;
        for (const QFileInfo& file : shippedModels())
            QTest::newRow(qPrintable(file.completeBaseName())) << file.completeBaseName() << place++ % kPart;
    }
    /// A process draws while the next view is set here: two cores are busy.
    void aLinkOfAnyViewOfAnyModelDrawsTheSame() {
        QFETCH(QString, model);
        QFETCH(size_t, first);
        const size_t every = qEnvironmentVariableIsSet("HEADLIGHT_EVERYTHING") ? 1 : kPart;
        const auto window = fixture::openWindow(*m_theme);
        StageState state;
        state.model = model.toStdString();
        state.head = 2;
        state.cell = {2, 1};
        state.step = 9;
        std::unique_ptr<QProcess> drawing;
        QImage before;
        size_t drawn = 0;
        for (size_t view = every == 1 ? 0 : first; view < viewWords().size(); view += every) {
            state.view = static_cast<ViewName>(view);
            fixture::apply(*window, state);
            fixture::picture(*window);
            const QImage own = asExported(*window);
            if (drawing) drewTheSame(*drawing, before, model, drawn);
            if (QTest::currentTestFailed()) return;
            before = own;
            drawn = view;
            drawing = std::make_unique<QProcess>();
            drawing->start(QStringLiteral(HEADLIGHT_WINDOW), {"--render", "window", "--state", window->link(), "--size",
                                                              "1280x800", "--out", drawnFile()});
        }
        drewTheSame(*drawing, before, model, drawn);
    }

private:
    QString drawnFile() const { return m_folder.filePath(QStringLiteral("fresh.png")); }

    /// What a picture's file holds.
    static QImage asExported(MainWindow& window) {
        QImage image(window.size() * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        window.render(&image);
        return image;
    }

    void drewTheSame(QProcess& process, const QImage& own, const QString& model, size_t view) const {
        QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(fixture::kLongPatienceMs));
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                 process.readAllStandardError().constData());
        QImage other(drawnFile());
        other = other.convertToFormat(QImage::Format_RGB32);
        other.setDevicePixelRatio(own.devicePixelRatio());
        fixture::keepWhereDifferent(own, other,
                                    QStringLiteral("process-%1-%2").arg(model, QLatin1String(viewWords()[view])));
        QVERIFY2(own == other, viewWords()[view]);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestFreshProcess)
#include "test_fresh_process.moc"

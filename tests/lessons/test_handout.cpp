// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson on training on paper: each figure is taken when its run stands where the step says, and printed.
#include <QFile>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "ui/session/open/shipped.h"
#include "ui/shell/handout.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/widgets/theme/motion.h"

using namespace headlight;

namespace {

/// The figures of a handout: of its pictures those that are no formula.
std::vector<QImage> figuresOf(const QByteArray& pdf) {
    constexpr int widestFormula = 1000;
    std::vector<QImage> all;
    for (qsizetype at = pdf.indexOf("/DCTDecode"); at >= 0; at = pdf.indexOf("/DCTDecode", at + 1)) {
        const qsizetype from = pdf.indexOf("stream\n", at) + 7;
        const QImage image = QImage::fromData(pdf.mid(from, pdf.indexOf("endstream", from) - from), "JPEG");
        if (image.width() > widestFormula) all.push_back(image.convertToFormat(QImage::Format_RGB32));
    }
    return all;
}

/// The mean difference of two pictures, 1 between black and white.
double apart(const QImage& one, const QImage& other) {
    if (one.size() != other.size()) return 1;
    double sum = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            sum += std::abs(qGray(one.pixel(x, y)) - qGray(other.pixel(x, y)));
    return sum / 255 / one.width() / one.height();
}

/// Does the view say that the run stands there?
bool isWritten(const QWidget& view, int step) {
    return std::ranges::any_of(view.findChildren<QLabel*>(), [step](const QLabel* label) {
        return label->isVisible() && label->text() == QStringLiteral("%1 / 1,500").arg(step);
    });
}

}  // namespace

class TestHandout : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QCoreApplication::setOrganizationName(QStringLiteral("Headlight tests"));
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
        motion::setReduced(true);
        m_window = std::make_unique<MainWindow>(*m_theme);
        m_window->setAttribute(Qt::WA_DontShowOnScreen);
        m_window->resize(1440, 900);
        m_window->show();
    }
    void cleanupTestCase() {
        m_window.reset();
        m_theme.reset();
    }

    void theLessonOnTrainingShowsEveryRunAtItsEnd() {
        constexpr double compression = 0.02;  // what JPEG may change
        LessonPlayer& player = m_window->workbench().player;
        player.open(QStringLiteral("training"));
        const QString path = m_folder.filePath(QStringLiteral("training.pdf"));
        auto* handout = new Handout(player, m_window->stage(), m_window->rooms(), path);
        QSignalSpy finished(handout, &Handout::finished);
        std::vector<QImage> seen;
        std::vector<int> wanted, trained;
        connect(handout, &Handout::drawn, this, [&](int steps) {
            QWidget& view = *m_window->rooms().current().viewWidget();
            seen.emplace_back(view.size() * 2, QImage::Format_RGB32);
            seen.back().setDevicePixelRatio(2);
            view.render(&seen.back());
            const int train = player.lesson().stateAt(static_cast<size_t>(steps - 1)).train;
            if (train == 0) return;
            wanted.push_back(train);
            trained.push_back(isWritten(view, train) ? m_window->workbench().training.step() : -1);
        });
        handout->start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 240000);
        QCOMPARE(wanted, (std::vector<int>{100, 200, 300}));
        QCOMPARE(trained, wanted);
        // And this is what was printed, a figure for each step.
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::vector<QImage> printed = figuresOf(file.readAll());
        QCOMPARE(printed.size(), static_cast<size_t>(player.steps()));
        QCOMPARE(printed.size(), seen.size());
        for (size_t i = 0; i < seen.size(); ++i)
            QVERIFY2(apart(printed[i], seen[i]) < compression, qPrintable(QString::number(apart(printed[i], seen[i]))));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHandout)
#include "test_handout.moc"

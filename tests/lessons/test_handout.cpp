// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson on training on paper: each figure is taken when its run stands where the step says, and printed.
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QPicture>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/ui/calm_window.h"
#include "ui/session/open/shipped.h"
#include "ui/shell/handout.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"

using namespace headlight;

namespace {

/// Photographs in it, where formulas are the largest pictures that it should have.
int wideImagesIn(const QByteArray& pdf) {
    constexpr int widestFormula = 1000;
    int wide = 0;
    for (qsizetype at = pdf.indexOf("/Width "); at >= 0; at = pdf.indexOf("/Width ", at + 1))
        wide += pdf.mid(at + 7, 6).split('\n').first().trimmed().toInt() > widestFormula;
    return wide;
}

/// Whatever is painted on it, white where nothing is.
template <class Paint>
QImage painted(const QSize& size, Paint&& paint) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    return image;
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
    void initTestCase() { m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900)); }
    void cleanupTestCase() { m_calm.reset(); }

    void theLessonOnTrainingShowsEveryRunAtItsEnd() {
        constexpr double buttons = 0.02;  // what is left out of a view
        LessonPlayer& player = m_calm->window->workbench().player;
        player.open(QStringLiteral("training"));
        const QString path = m_calm->folder.filePath(QStringLiteral("training.pdf"));
        auto* handout = new Handout(player, m_calm->window->stage(), m_calm->window->rooms(), path);
        QSignalSpy finished(handout, &Handout::finished);
        std::vector<QImage> seen;
        std::vector<QImage> printed;
        std::vector<int> wanted, trained;
        connect(handout, &Handout::drawn, this, [&](int steps) {
            QWidget& view = *m_calm->window->rooms().current().viewWidget();
            const QPicture& figure = handout->figure(steps - 1);
            const QSize before = view.size();
            view.resize(figure.boundingRect().size());
            seen.push_back(painted(view.size(), [&](QPainter& painter) { view.render(&painter); }));
            view.resize(before);
            printed.push_back(
                painted(figure.boundingRect().size(), [&](QPainter& painter) { painter.drawPicture(0, 0, figure); }));
            const int train = player.lesson().stateAt(static_cast<size_t>(steps - 1)).training.train;
            if (train == 0) return;
            wanted.push_back(train);
            // The bar of controls tells the step, where the lesson shows it.
            const StageTexts& shown = player.lesson().stateAt(static_cast<size_t>(steps - 1)).show;
            const bool hasClock = shown.empty() || std::ranges::find(shown, "controls") != shown.end();
            trained.push_back(!hasClock || isWritten(view, train) ? m_calm->window->workbench().training.step() : -1);
        });
        handout->start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, fixture::kLongPatienceMs);
        QCOMPARE(wanted, (std::vector<int>{1, 100, 200, 200, 300}));
        QCOMPARE(trained, wanted);
        // And this is what was printed, a figure for each step, in strokes.
        QCOMPARE(printed.size(), static_cast<size_t>(player.steps()));
        for (size_t i = 0; i < seen.size(); ++i)
            QVERIFY2(apart(printed[i], seen[i]) < buttons, qPrintable(QString::number(apart(printed[i], seen[i]))));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(wideImagesIn(file.readAll()), 0);
    }

private:
    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestHandout)
#include "test_handout.moc"

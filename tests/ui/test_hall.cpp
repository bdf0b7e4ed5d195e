// SPDX-License-Identifier: GPL-3.0-or-later
// What stands on a projector is laid out for the last row of a hall: the smallest letters of the figure that matters
// are 24 px of 1920, and the window has its figure back when it is gone.
#include <QPointer>
#include <QTest>

#include "tests/ui/calm_window.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted.h"
#include "ui/shell/presenter.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/stage.h"
#include "ui/views/architecture/architecture_stage.h"
#include "ui/views/laboratory/equation_stage.h"

using namespace headlight;

class TestHall : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_calm = std::make_unique<fixture::CalmWindow>(QSize(1440, 900));
        open(QStringLiteral("vi-en-transformer"));
    }
    void cleanup() { m_calm.reset(); }

    void theSmallestLettersAreReadFromTheLastRow_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QSize>("screen");
        for (const char* model : {"vi-en-transformer", "vi-en-long-lstm-attention", "stories-transformer"})
            for (const QSize& screen : {QSize(1920, 1080), QSize(1440, 900)})
                QTest::addRow("%s, %d wide", model, screen.width()) << QString::fromLatin1(model) << screen;
    }
    void theSmallestLettersAreReadFromTheLastRow() {
        QFETCH(QString, model);
        QFETCH(QSize, screen);
        open(model);
        Presenter& presenter = *present(screen);
        int shown = 0;
        for (int page = 0; page < presenter.pages(); ++page) {
            presenter.showPage(page);
            if (!presenter.isView()) continue;
            settle(presenter);
            // A view that has nothing to show of this model says so, as a whole.
            if (presenter.figure() == rooms().current().viewWidget()) continue;
            ++shown;
            for (const auto& [text, px] : lettersOf(presenter)) {
                // Indices stand smaller than what they belong to.
                if (text.size() <= 2) continue;
                const double of1920 = px * 1920 / screen.width();
                QVERIFY2(of1920 > 23.5,
                         qPrintable(QStringLiteral("%1: “%2” is %3 px high")
                                        .arg(QLatin1String(viewWords()[static_cast<size_t>(rooms().view())]), text)
                                        .arg(of1920)));
            }
        }
        QVERIFY(shown >= 20);
    }

    /// They were scaled pictures of what the window has: 17, 15 and 12 px.
    void theNetworkTheEquationAndAWideCardHaveALayoutOfTheirOwn() {
        Presenter& presenter = *present({1920, 1080});
        for (const ViewName name :
             {ViewName::Architecture, ViewName::QueryKeyValue, ViewName::Masks, ViewName::Embeddings}) {
            showPage(presenter, name);
            QWidget* const figure = presenter.figure();
            QVERIFY(name != ViewName::Architecture || qobject_cast<ArchitectureStage*>(figure));
            QVERIFY(name != ViewName::QueryKeyValue || qobject_cast<EquationStage*>(figure));
            const QSize inHall = figure->size();
            // It has the screen: in one direction there is no room left.
            const double scale = presenter.enlargement();
            QVERIFY(scale * figure->width() > 1400 || scale * figure->height() > 690);
            QTest::keyClick(&presenter, Qt::Key_F);
            settle(presenter);
            QCOMPARE(presenter.figure(), rooms().current().viewWidget());
            QVERIFY2(figure->width() > inHall.width(), viewWords()[static_cast<size_t>(name)]);
        }
    }

    /// Of a room whose view is another one the projector follows.
    void theProjectorFollowsTheWindowToAnotherView() {
        Presenter& presenter = *present({1920, 1080});
        showPage(presenter, ViewName::Architecture);
        QPointer<QWidget> stage = presenter.figure();
        rooms().showView(ViewName::Positions);
        settle(presenter);
        QVERIFY(presenter.figure() != stage);
        QVERIFY(rooms().current().viewWidget()->isAncestorOf(presenter.figure()));
        QCOMPARE(stage->maximumWidth(), QWIDGETSIZE_MAX);
    }

    void whoLeavesHasTheWindowAsItWas() {
        rooms().showView(ViewName::Architecture);
        QVERIFY(fixture::painted(window()));
        QWidget* const stage = rooms().current().viewWidget()->findChild<ArchitectureStage*>();
        const QSize before = stage->size(), most = stage->maximumSize();
        Presenter* const presenter = present({1920, 1080});
        showPage(*presenter, ViewName::Architecture);
        QVERIFY(stage->size() != before);
        QPointer<Presenter> gone = presenter;
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!gone);
        rooms().showView(ViewName::Architecture);
        QTRY_COMPARE(stage->size(), before);
        QCOMPARE(stage->maximumSize(), most);
    }

    /// The headings of the equation went first, and its numbers stayed.
    void anEquationKeepsItsNumbersWhereThereIsLittleRoom() {
        rooms().showView(ViewName::QueryKeyValue);
        QVERIFY(fixture::painted(window()));
        auto* const stage = rooms().current().viewWidget()->findChild<EquationStage*>();
        const int tall = stage->minimumSizeHint().height();
        QVERIFY(fixture::drawn(*stage).mentions(QStringLiteral("meets every key")));
        stage->setInHall(true);
        QVERIFY(stage->minimumSizeHint().height() < tall - 70);
        stage->setMaximumHeight(stage->minimumSizeHint().height());
        QTRY_COMPARE(stage->height(), stage->minimumSizeHint().height());
        const fixture::Drawn low = fixture::drawn(*stage);
        QVERIFY(!low.mentions(QStringLiteral("meets every key")));
        QVERIFY(low.mentions(stage->textOf({EquationStage::Matrix::Output, stage->row(), 0})));
        stage->setMaximumHeight(QWIDGETSIZE_MAX);
        stage->setInHall(false);
        QTRY_VERIFY(stage->height() >= tall);
        QVERIFY(fixture::drawn(*stage).mentions(QStringLiteral("meets every key")));
    }

private:
    MainWindow& window() const { return *m_calm->window; }
    RoomStack& rooms() const { return window().rooms(); }

    void open(const QString& model) {
        Session& session = window().workbench().session;
        session.adoptModel(fixture::shippedModel(model), model);
        QTRY_VERIFY(session.reading());
    }

    Presenter* present(const QSize& screen) {
        Presenter* const presenter = window().present();
        presenter->showNormal();
        presenter->resize(screen);
        QApplication::processEvents();
        return presenter;
    }

    void showPage(Presenter& presenter, ViewName view) {
        for (int page = 0; page < presenter.pages(); ++page) {
            presenter.showPage(page);
            if (presenter.isView() && rooms().view() == view) break;
        }
        settle(presenter);
    }

    /// Until the view has what it computes, and that is laid out.
    void settle(Presenter& presenter) {
        for (int round = 0; round < 3; ++round) {
            QTRY_VERIFY(window().stage().isSettled());
            QVERIFY(fixture::painted(presenter));
            presenter.follow();
        }
        QVERIFY(fixture::painted(presenter));
    }

    /// Of the figure; what stands around it is the presenter's.
    std::vector<std::pair<QString, double>> lettersOf(Presenter& presenter) const {
        QWidget& figure = *presenter.figure();
        const double scale = presenter.enlargement() * presenter.width() / 1440.0;
        std::vector<std::pair<QString, double>> letters = fixture::drawn(figure).sizes();
        for (auto& [text, px] : letters)
            px *= scale;
        return letters;
    }

    std::unique_ptr<fixture::CalmWindow> m_calm;
};

QTEST_MAIN(TestHall)
#include "test_hall.moc"

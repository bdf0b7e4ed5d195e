// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a reader uses it: types, steps, selects, mutes, trains, and looks at what is drawn.
#include <QDir>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/shell/explore_room.h"
#include "ui/shell/figure_export.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/shell/rooms.h"
#include "ui/shell/sentence_bar.h"
#include "ui/shell/train_room.h"
#include "ui/views/attention/attention_stage.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/heads_panel.h"
#include "ui/views/train/data/data_view.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_view.h"
#include "ui/widgets/matrix/matrix_view.h"

using namespace headlight;

namespace {

const QString shippedModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");

/// Has a picture more than so many colours?
bool hasMoreColours(const QImage& picture, qsizetype than) {
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height() && colours.size() <= than; y += 3)
        for (int x = 0; x < picture.width() && colours.size() <= than; x += 3)
            colours.insert(picture.pixel(x, y));
    return colours.size() > than;
}

}  // namespace

class TestWindow : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void opensTheShippedModelAndTranslates();
    void everyShippedModelOpensAndReads_data();
    void everyShippedModelOpensAndReads();
    void translatesAsOneTypes();
    void drawsTheWeightsOfTheTrace();
    void mutingAHeadShowsWhatTheOthersWrite();
    void stepsThroughTheComputation();
    void opensADroppedFile();
    void sentencesAreOpenedUnderTrain();
    void badFileIsToldAndNothingIsLost();
    void trainsAndDrawsIt();
    void changesThemeEverywhere();
    void exportsWhatIsShown_data();
    void exportsWhatIsShown();

private:
    ExploreRoom* explore() const { return m_window->rooms().find<ExploreRoom>(); }
    TrainRoom* train() const { return m_window->rooms().find<TrainRoom>(); }
    Session& session() const { return m_window->workbench().session; }
    void openShipped();
    void openShippedAttention();

    std::unique_ptr<ThemeManager> m_theme;
    std::unique_ptr<MainWindow> m_window;
};

void TestWindow::init() {
    m_theme = std::make_unique<ThemeManager>(qApp);
    m_theme->setMode(ThemeManager::Mode::Light);
    m_window = std::make_unique<MainWindow>(*m_theme);
    m_window->resize(1440, 900);
    m_window->show();
    m_window->rooms().showView(ViewName::Architecture);
}

void TestWindow::cleanup() {
    m_window.reset();
    m_theme.reset();
}

void TestWindow::openShipped() {
    m_window->openModel(shippedModel);
    QTRY_VERIFY(session().reading());
}

void TestWindow::openShippedAttention() {
    openShipped();
    m_window->rooms().showView(ViewName::Attention);
}

void TestWindow::opensTheShippedModelAndTranslates() {
    openShipped();
    QCOMPARE(explore()->sentenceBar()->input()->text(), QStringLiteral("tôi đang học tiếng anh"));
    QCOMPARE(explore()->sentenceBar()->translation(), QStringLiteral("i am learning english"));
    QVERIFY(m_window->statusText().contains("vi-en-transformer"));
}

void TestWindow::everyShippedModelOpensAndReads_data() {
    QTest::addColumn<QString>("path");
    for (const QFileInfo& file : QDir(QFileInfo(shippedModel).path()).entryInfoList({"*.safetensors"}))
        QTest::newRow(qPrintable(file.completeBaseName())) << file.filePath();
}

void TestWindow::everyShippedModelOpensAndReads() {
    QFETCH(QString, path);
    m_window->openModel(path);
    QTRY_VERIFY(session().reading());
    const Session::Reading& reading = *session().reading();
    QVERIFY(!reading.translation.isEmpty());
    QVERIFY(!reading.trace->empty());
    QCOMPARE(explore()->sentenceBar()->translation(), QString(reading.translation).replace(u'\n', u'↵'));
    const bool attends = !attentionBlocks(*reading.trace).empty();
    m_window->rooms().showView(ViewName::Attention);
    QCOMPARE(m_window->findChild<HeadsPanel*>()->isVisible(), attends);
    QVERIFY(m_window->workbench().cursor.count() > 5);
    // Every view of every room has something to draw: half of them at the smallest size and half at a large one, with
    // the next model the other way round.
    const bool isFirstHalfSmall = std::hash<std::string>{}(path.toStdString()) % 2 == 0;
    for (const bool isSmall : {true, false}) {
        const QSize size = isSmall ? QSize(1280, 800) : QSize(1920, 1080);
        m_window->resize(size);
        bool isWanted = isSmall == isFirstHalfSmall;
        for (const Room* room : m_window->rooms().all())
            for (const Room::View& view : room->views()) {
                isWanted = !isWanted;
                if (!isWanted) continue;
                m_window->rooms().showView(view.name);
                QApplication::processEvents();
                QVERIFY2(hasMoreColours(m_window->grab().toImage(), 20), nameOf(view.name));
                // Nothing asks for more room than there is.
                QVERIFY2(m_window->width() == size.width(), nameOf(view.name));
            }
    }
}

void TestWindow::translatesAsOneTypes() {
    openShipped();
    QLineEdit* input = explore()->sentenceBar()->input();
    input->clearFocus();
    session().setInput(QStringLiteral("tôi đang học tiếng anh và bạn của tôi đang đọc một cuốn sách ở nhà hôm nay"), {},
                       {});
    QCOMPARE(input->text(), session().source());
    QCOMPARE(input->cursorPosition(), 0);  // a long one is seen from its beginning
    input->setFocus();
    input->selectAll();
    QTest::keyClick(input, Qt::Key_Delete);
    QTRY_VERIFY(!session().reading());
    for (const QChar c : QStringLiteral("tôi yêu bạn"))
        QTest::sendKeyEvent(QTest::Click, input, Qt::Key_unknown, QString(c), {});
    QTRY_COMPARE(explore()->sentenceBar()->translation(), QStringLiteral("i love you"));
    QCOMPARE(session().reading()->trace->sourceTokens.size(), size_t{3});
}

void TestWindow::drawsTheWeightsOfTheTrace() {
    openShippedAttention();
    Selection& selection = m_window->workbench().selection;
    selection.setBlock("decoder.layers.0.cross_attn");
    selection.setHead(2);
    selection.setCell({1, 1});
    MatrixView* const matrix = explore()->attention()->stage()->matrix();
    const TraceRecord& weights = session().reading()->trace->at("decoder.layers.0.cross_attn.weights");
    const QImage image = matrix->grab().toImage();
    const qreal scale = image.devicePixelRatio();
    for (int row = 0; row < weights.dim(1); ++row)
        for (int column = 0; column < weights.dim(2); ++column) {
            const double weight =
                static_cast<double>(weights.head(2)[static_cast<size_t>(row * weights.dim(2) + column)]);
            // Near its corner a cell shows its fill, clear of the number in its middle.
            const QPointF at = matrix->cellRect({row, column}).topLeft() + QPointF(6, 6);
            const QColor found = image.pixelColor((at * scale).toPoint()), wanted = Theme::light().sequential(weight);
            QVERIFY2(found == wanted, qPrintable(QString("cell %1,%2: %3 is drawn, %4 is the weight's")
                                                     .arg(row)
                                                     .arg(column)
                                                     .arg(found.name(), wanted.name())));
        }
}

void TestWindow::mutingAHeadShowsWhatTheOthersWrite() {
    openShipped();
    const double before = session().reading()->baseline.logProb;
    QStringList heads;
    for (int head = 0; head < 8; ++head)
        heads << QStringLiteral("decoder.layers.1.cross_attn.%1").arg(head);
    emit explore()->attention()->mutedHeadsChanged(heads);
    QTRY_VERIFY(session().reading() && session().reading()->muted);
    QVERIFY(session().reading()->muted->logProb != before);
    QCOMPARE(explore()->attention()->mutedHeads(), heads);
    QCOMPARE(explore()->sentenceBar()->translation(), session().reading()->translation);
}

void TestWindow::stepsThroughTheComputation() {
    openShippedAttention();
    StepCursor& cursor = m_window->workbench().cursor;
    QCOMPARE(cursor.count(), static_cast<int>(session().reading()->trace->records().size()));
    explore()->attention()->setFocus();
    cursor.toStart();
    QCOMPARE(cursor.position(), 0);
    const QImage nothingComputed = explore()->attention()->grab().toImage();
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(m_window.get(), Qt::Key_Period);
    QCOMPARE(cursor.position(), 5);
    QTest::keyClick(m_window.get(), Qt::Key_Comma);
    QCOMPARE(cursor.position(), 4);
    cursor.setPosition(cursor.count() - 1);
    QVERIFY(explore()->attention()->grab().toImage() != nothingComputed);
}

void TestWindow::opensADroppedFile() {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(shippedModel)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &drop);
    QTRY_VERIFY(session().model());
}

void TestWindow::sentencesAreOpenedUnderTrain() {
    openShipped();
    QTemporaryDir folder;
    const auto write = [&folder](const char* name, const QByteArray& text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no file can be written");
        file.write(text);
        return file.fileName();
    };
    const auto used = [this] { return m_window->rooms().find<TrainRoom>()->choice().data().files; };
    const QString table = write("pairs.tsv", "I know.\tJe sais.\nYou know.\tTu sais.\nWe know.\tNous savons.\n");
    m_window->open(table);
    QCOMPARE(m_window->rooms().view(), ViewName::TrainingData);
    QTRY_COMPARE(used().pairs, table.toStdString());
    QVERIFY2(m_window->noticeText().isEmpty(), qPrintable(m_window->noticeText()));
    // Two that are dropped in another room.
    m_window->rooms().showView(ViewName::Attention);
    const QString source = write("a.en", "I know.\nYou know.\nWe know.\n");
    const QString target = write("a.fr", "Je sais.\nTu sais.\nNous savons.\n");
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(source), QUrl::fromLocalFile(target)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &drop);
    QCOMPARE(m_window->rooms().view(), ViewName::TrainingData);
    QTRY_COMPARE(used().sourceFile, source.toStdString());
    QCOMPARE(used().targetFile, target.toStdString());
    QVERIFY(session().reading());
}

void TestWindow::badFileIsToldAndNothingIsLost() {
    openShipped();
    QTemporaryDir folder;
    const QString path = folder.filePath("junk.safetensors");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("this is no model at all");
    file.close();
    m_window->openModel(path);
    QTRY_VERIFY(m_window->noticeText().contains("junk.safetensors"));
    QVERIFY(session().reading());
    QVERIFY(m_window->statusText().contains("vi-en-transformer"));
}

void TestWindow::trainsAndDrawsIt() {
    m_window->rooms().showView(ViewName::Training);
    TrainingRun& run = m_window->workbench().training;
    QTRY_COMPARE(run.state(), TrainingState::Paused);
    const QImage before = train()->grab().toImage();
    emit train()->view()->startRequested();
    const auto drawn = [&] { return train()->view()->lossChart()->points(TrainingChart::Line::Train); };
    QTRY_VERIFY(drawn().size() >= 10);
    emit train()->view()->pauseRequested();
    QTRY_COMPARE(run.state(), TrainingState::Paused);
    const auto points = drawn();
    QVERIFY(points.back().y() < points.front().y());
    QVERIFY(train()->grab().toImage() != before);
    std::shared_ptr<const TrainedModel> taken;
    connect(&session(), &Session::modelOpened, this, [&] { taken = session().model(); });
    emit train()->view()->exploreRequested();
    QTRY_VERIFY(taken);
    QCOMPARE(*taken->training.steps(), static_cast<long>(points.back().x()));
}

void TestWindow::changesThemeEverywhere() {
    openShipped();
    const QColor light = m_window->grab().toImage().pixelColor(20, 500);
    m_theme->setMode(ThemeManager::Mode::Dark);
    const QColor dark = m_window->grab().toImage().pixelColor(20, 500);
    QCOMPARE(light, Theme::light().surface);
    QCOMPARE(dark, Theme::dark().surface);
}

void TestWindow::exportsWhatIsShown_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("magic");
    QTest::newRow("png") << "figure.png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << "figure.svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << "figure.pdf" << QByteArray("%PDF");
}

void TestWindow::exportsWhatIsShown() {
    QFETCH(QString, name);
    QFETCH(QByteArray, magic);
    openShipped();
    QTemporaryDir folder;
    exportFigure(*explore()->attention(), folder.filePath(name));
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(magic));
}

QTEST_MAIN(TestWindow)
#include "test_window.moc"

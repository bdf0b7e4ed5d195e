// SPDX-License-Identifier: GPL-3.0-or-later
// The shelf of models: areas that are parameters, at one scale; what each says to the sentence; the open one taken
// apart.
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/io/model_file.h"
#include "fixture.h"
#include "tests/ui/drawn.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/session/open/shipped.h"
#include "ui/views/models/model_figures.h"
#include "ui/views/models/model_inspector.h"
#include "ui/views/models/model_shelf.h"
#include "ui/views/models/trained_shelf.h"
#include "ui/views/train/data/model_blueprint.h"

using namespace headlight;

class TestModelShelf : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
        QCoreApplication::setOrganizationName("Headlight");
        QCoreApplication::setApplicationName("test-shelf");
        QSettings().remove("models/recent");
    }
    void cleanup() { m_folder.reset(); }

    void theAreaOfEveryPartIsItsParametersAtOneScale() {
        ModelShelf shelf;
        show(shelf, 1000);
        QCOMPARE(shelf.shipped()->rows().size(), static_cast<size_t>(shippedModels().size()));
        const double scale = shelf.shipped()->scale();
        QVERIFY(scale > 0);
        double widest = 0;
        for (const auto& [path, tile] : shelf.shipped()->rows()) {
            const TrainedModel model = loadModel(path.toStdString());
            QCOMPARE(tile->count(), static_cast<long>(std::as_const(*model.network).parameters().count()));
            const ModelBlueprint& drawn = *tile->blueprint();
            long all = 0;
            for (size_t row = 0; row < drawn.rows().size(); ++row)
                for (size_t column = 0; column < drawn.rows()[row].columns.size(); ++column) {
                    const QRectF area = drawn.areaOf({row, column});
                    const long count = drawn.rows()[row].columns[column].count();
                    QVERIFY(std::abs(area.width() * area.height() * scale - static_cast<double>(count)) < 1e-6 * scale);
                    QVERIFY2(area.right() <= drawn.width() + 0.01 && area.bottom() <= drawn.height(), qPrintable(path));
                    widest = std::max(widest, area.right() / drawn.width());
                    all += count;
                }
            QCOMPARE(all, tile->count());
        }
        QVERIFY2(widest > 0.95, "the largest fills its tile");
        QVERIFY(shelf.shipped()->key().endsWith("parameters"));
    }

    void everyModelAnswersTheSentenceOrOneOfItsOwn() {
        ModelShelf shelf;
        const QString sentence = QStringLiteral("tôi đang học tiếng anh");
        shelf.setSentence(sentence);
        show(shelf, 1000);
        for (const auto& [path, tile] : shelf.shipped()->rows()) {
            QVERIFY2(tile->answer(), qPrintable(path));
            const auto model = openTrainedModel(path);
            const QString asked = tile->answer()->isOwn ? exampleSentence(*model) : sentence;
            QCOMPARE(tile->answer()->asked, asked);
            QCOMPARE(tile->answer()->said, readSentence(*model, asked).translation);
        }
        QVERIFY(!tileOf(shelf, "vi-en-transformer")->answer()->isOwn);
        QVERIFY(tileOf(shelf, "fr-en-transformer")->answer()->isOwn);
        shelf.setSentence(QStringLiteral("il m'écoute"));
        QTRY_VERIFY(!shelf.isBusy() && !tileOf(shelf, "fr-en-transformer")->answer()->isOwn);
        QVERIFY(tileOf(shelf, "vi-en-transformer")->answer()->isOwn);
    }

    /// What stood on the card is what is read once it is open.
    void aModelOpensWithTheSentenceOfItsCard() {
        ModelShelf shelf;
        shelf.setSentence(QStringLiteral("tôi yêu bạn"));
        show(shelf, 1000);
        Session session;
        connect(&shelf, &ModelShelf::openRequested, &session, &Session::openModel);
        for (const char* name : {"vi-en-transformer", "fr-en-transformer"}) {
            ModelTile* const tile = tileOf(shelf, name);
            QSignalSpy opened(&session, &Session::modelOpened);
            tile->click();
            QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, fixture::kLongPatienceMs);
            QCOMPARE(session.source(), tile->answer()->asked);
            QTRY_VERIFY_WITH_TIMEOUT(session.reading(), fixture::kLongPatienceMs);
            QCOMPARE(session.reading()->translation, tile->answer()->said);
        }
        QCOMPARE(tileOf(shelf, "vi-en-transformer")->answer()->asked, QStringLiteral("tôi yêu bạn"));
    }

    void figuresAreThoseOfTheFile() {
        ModelShelf shelf;
        show(shelf, 1000);
        const ModelTile* tile = tileOf(shelf, "vi-en-transformer");
        QCOMPARE(tile->figures(), QStringLiteral("3,000 steps · BLEU 99.9 · loss 0.054"));
        QCOMPARE(tile->kind(), QStringLiteral("Transformer, 2 + 2 layers, 8 heads"));
        // The BLEU of training is of other sentences than that of the page BLEU.
        const auto told = [](const char* name) {
            return whatFiguresAreOf(fixture::shippedModel(QString::fromLatin1(name))->training);
        };
        QVERIFY(told("vi-en-transformer").contains("sentences kept aside"));
        QVERIFY(told("vi-en-transformer").contains("test set"));
        QVERIFY(!told("stories-transformer").contains("BLEU"));
    }

    void whatCannotBeReadSaysWhy() {
        const QString broken = m_folder->filePath("broken.safetensors");
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no model") > 0);
        file.close();
        rememberModel(broken);
        ModelShelf shelf;
        show(shelf, 1000);
        QCOMPARE(shelf.elsewhere()->rows().size(), size_t{1});
        const ModelTile* tile = shelf.elsewhere()->rows()[0].second;
        QVERIFY2(tile->toolTip().contains("broken.safetensors"), qPrintable(tile->toolTip()));
        QCOMPARE(tile->count(), 0L);
        QVERIFY(shelf.shipped()->scale() > 0);
    }

    void tilesFitAnyWidth_data() {
        QTest::addColumn<int>("width");
        for (const int width : {560, 800, 1000, 1480, 2000})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void tilesFitAnyWidth() {
        QFETCH(int, width);
        ModelShelf shelf;
        show(shelf, width);
        QList<QRect> places;
        for (const auto& [path, tile] : shelf.shipped()->rows()) {
            QVERIFY(tile->geometry().right() < shelf.shipped()->width() && tile->width() >= ModelTile::kNarrowest);
            for (const QRect& other : places)
                QVERIFY(!other.intersects(tile->geometry()));
            places << tile->geometry();
        }
        QVERIFY(places.last().bottom() <= shelf.shipped()->height());
    }

    void arrowsGoFromTileToTileAndEnterOpens() {
        ModelShelf shelf;
        show(shelf, 1000);
        const auto& rows = shelf.shipped()->rows();
        shelf.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shelf, fixture::kPatienceMs));
        rows[0].second->setFocus();
        QTest::keyClick(rows[0].second, Qt::Key_Right);
        QVERIFY(rows[1].second->hasFocus());
        QTest::keyClick(rows[1].second, Qt::Key_Down);
        QVERIFY(rows[5].second->hasFocus());  // four beside one another
        QSignalSpy opened(&shelf, &ModelShelf::openRequested);
        QTest::keyClick(rows[5].second, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), rows[5].first);
        shelf.setOpen(rows[5].first);
        QVERIFY(rows[5].second->isChecked() && !rows[0].second->isChecked());
    }

    /// At 1280 × 800 there was no room for a column of counts, so that nothing told them.
    void aNarrowTableSaysCountsBelowShapes() {
        const auto model = fixture::shippedModel("vi-en-transformer");
        QWidget room;
        room.resize(1216, 700);
        ModelInspector inspector(&room);
        inspector.resize(inspector.width(), 700);
        inspector.setModel(model, "vi-en-transformer");
        room.show();
        QTableWidget& table = *inspector.tensors();
        const auto& entries = std::as_const(*model->network).parameters().entries();
        const QString shape = QString::fromStdString(entries[0].shape.text()),
                      count = formatCount(static_cast<qint64>(entries[0].shape.count()));
        QCOMPARE(table.item(0, 1)->text(), shape + u'\n' + count);
        QVERIFY(fixture::drawn(*table.viewport()).mentions(count));
        room.resize(1600, 700);
        QCOMPARE(table.item(0, 1)->text(), shape);
        QCOMPARE(table.item(0, 2)->text(), count);
        QVERIFY(!table.isColumnHidden(2));
    }

    void theOpenModelIsTakenApart() {
        const auto model = fixture::shippedModel("vi-en-transformer");
        const auto& entries = std::as_const(*model->network).parameters().entries();
        ModelInspector inspector;
        inspector.resize(400, 800);
        inspector.setModel(model, "vi-en-transformer");
        inspector.show();
        const auto says = [&](const QString& text) {
            return std::ranges::any_of(inspector.findChildren<QLabel*>(),
                                       [&](const QLabel* label) { return label->text().contains(text); });
        };
        // A classifier's labels are no words, and none of its special tokens is one of them.
        inspector.setModel(fixture::shippedModel("sentiment-transformer"), "sentiment-transformer");
        QVERIFY(says(" words, 2 labels") && !says("target words"));
        inspector.setModel(model, "vi-en-transformer");
        QVERIFY(says("target words"));
        QCOMPARE(inspector.tensors()->rowCount(), static_cast<int>(entries.size()));
        ModelBlueprint& blueprint = *inspector.blueprint();
        // The decoder's first layer: behind its words.
        const ModelBlueprint::Place layer{1, 1};
        QTest::mouseClick(&blueprint, Qt::LeftButton, {}, blueprint.areaOf(layer).center().toPoint());
        QVERIFY(blueprint.chosen() == layer);
        long sum = 0;
        int number = 0;
        for (const auto& entry : entries)
            if (QString::fromStdString(entry.name).startsWith("transformer.decoder.layers.0.")) {
                sum += static_cast<long>(entry.shape.count());
                ++number;
            }
        QCOMPARE(inspector.tensors()->rowCount(), number);
        QCOMPARE(blueprint.rows()[1].columns[1].count(), sum);
        for (int row = 0; row < number; ++row)
            QVERIFY(inspector.tensors()->item(row, 0)->text().startsWith("transformer.decoder.layers.0."));
        QTest::keyClick(&blueprint, Qt::Key_Left);
        QVERIFY((blueprint.chosen() == ModelBlueprint::Place{1, 0}));
        QTest::keyClick(&blueprint, Qt::Key_Escape);
        QCOMPARE(inspector.tensors()->rowCount(), static_cast<int>(entries.size()));
    }

    /// The break was gone: `""I am going`.
    void aLineBreakOfAnAnswerIsSeen() {
        ModelTile tile(QStringLiteral("tales"), QStringLiteral("tales"), ModelTile::Tells::Model, nullptr);
        tile.resize(420, ModelTile::heightOf(ModelTile::Tells::Model));
        tile.setModel(readShelfModel(headlight::shippedModel(QStringLiteral("tales-transformer"))));
        tile.setAnswer(ShelfAnswer{QStringLiteral("The children"), false, QStringLiteral("\"\n\"I am")});
        tile.show();
        QVERIFY(fixture::drawn(tile).mentions(QStringLiteral("\"↵\"I am")));
    }

private:
    static void show(ModelShelf& shelf, int width) {
        shelf.resize(width, 900);
        shelf.refresh({}, {});
        shelf.show();
        QTRY_VERIFY(!shelf.isBusy());
        QCoreApplication::processEvents();
    }
    static ModelTile* tileOf(const ModelShelf& shelf, const QString& name) {
        for (const auto& [path, tile] : shelf.shipped()->rows())
            if (QFileInfo(path).completeBaseName() == name) return tile;
        return nullptr;
    }

    fixture::LightTheme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestModelShelf)
#include "test_model_shelf.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The lens as it is seen: words, colours, coastline, curve and bars are the engine's numbers; what the hand does; what
// is there while it computes, and where there is nothing to say.
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/experiment/logit_lens.h"
#include "core/import/import_model.h"
#include "core/platform/pace.h"
#include "core/text/word_tokenizer.h"
#include "tests/ui/drawn.h"
#include "tests/ui/fixture.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/session.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/main_window.h"
#include "ui/shell/room_stack.h"
#include "ui/views/lens/lens_curve.h"
#include "ui/views/lens/lens_side.h"
#include "ui/views/lens/lens_view.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/progress_line.h"
#include "ui/widgets/words/word_bars.h"

using namespace headlight;

namespace {

using At = LensGrid::Cell;

const QString story = QStringLiteral("once there was a little girl who lived in a house");

/// A view of a reading, with the engine's own numbers beside it.
struct ReadLens {
    explicit ReadLens(const QString& name, const QString& text = story, const QSize& size = {1200, 640})
        : ReadLens(fixture::shippedModel(name), text, size) {}
    ReadLens(std::shared_ptr<const TrainedModel> opened, const QString& text, const QSize& size = {1200, 640})
        : model(std::move(opened)), trace(readSentence(*model, text).trace), lens(*model, *trace) {
        view.resize(size);
        view.setReading(model, trace);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) ||
            !QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs))
            qFatal("the lens is never there");
        for (size_t depth = 0; depth < lens.depths().size(); ++depth)
            cells.push_back(lens.read(depth));
    }
    QString word(int id) const { return QString::fromStdString(model->target->vocabulary().token(id)); }
    int top(size_t depth, int position) const { return cells[depth][size_t(position)].words[0].id; }
    LensGrid& grid() const { return *view.grid(); }

    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const Trace> trace;
    LogitLens lens;
    std::vector<std::vector<LensCell>> cells;
    LensView view;
};

/// So large that the lens takes its time.
std::shared_ptr<const TrainedModel> deepModel() {
    constexpr int words = 400;
    const nlohmann::json config = {{"architecture", "language-model"},
                                   {"d_model", 32},
                                   {"num_heads", 4},
                                   {"d_ff", 64},
                                   {"num_layers", 10},
                                   {"norm_order", "pre"},
                                   {"max_length", 200},
                                   {"source_vocab_size", words},
                                   {"target_vocab_size", words},
                                   {"tie_embeddings", true}};
    auto model = std::make_shared<TrainedModel>();
    model->network = Model::make(ModelConfig::fromJson(config));
    model->network->initialize(1);
    std::vector<std::string> tokens = {"<pad>", "<bos>", "<eos>", "<unk>"};
    while (int(tokens.size()) < words)
        tokens.push_back("w" + std::to_string(tokens.size()));
    model->source = model->target = std::make_shared<WordTokenizer>(Vocabulary::fromTokens(std::move(tokens)), false);
    return model;
}

}  // namespace

class TestLensView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<ThemeManager>(qApp); }
    void init() { m_theme->setMode(ThemeManager::Mode::Light); }
    void cleanupTestCase() { m_theme.reset(); }

    void aWordIsPrintedWhereItChanges() {
        const ReadLens read(QStringLiteral("stories-transformer"));
        QVERIFY(!read.grid().isRoomy());
        int printed = 0;
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < read.lens.positions(); ++column) {
                const int word = read.top(size_t(row), column);
                const bool same = row > 0 && row < 4 && read.top(size_t(row) - 1, column) == word;
                QCOMPARE(read.grid().printedIn({row, column}), same ? QString() : read.word(word));
                QCOMPARE(read.grid().isBold({row, column}), word == read.lens.finals()[size_t(column)]);
                printed += !same;
            }
        QVERIFY(printed < 5 * read.lens.positions());  // some are blank
    }

    /// Twelve pieces in a small window: a word is written smaller before it is cut.
    void narrowColumnsHaveWholeWords() {
        ReadLens read(QStringLiteral("en-fr-transformer"), QStringLiteral("The children are playing in the garden."),
                      {960, 640});
        const fixture::Drawn drawn = fixture::drawn(*read.grid().viewport());
        QVERIFY(drawn.whole());
        QVERIFY(drawn.texts().count(QStringLiteral("enfants")) >= 3);  // that is read, said, and written
        QVERIFY2(drawn.texts().filter(QStringLiteral("…")).isEmpty(), qPrintable(drawn.texts().join(u'|')));
    }

    void theColourIsTheProbability() {
        ReadLens read(QStringLiteral("stories-transformer"));
        for (const auto mode : {ThemeManager::Mode::Light, ThemeManager::Mode::Dark}) {
            m_theme->setMode(mode);
            const QImage image = read.grid().viewport()->grab().toImage();
            for (size_t row = 0; row < 5; ++row) {
                // The chosen column has its frame around it.
                for (int column = 0; column + 1 < read.lens.positions(); ++column) {
                    const QRectF at = read.grid().cellRect({int(row), column});
                    const QPointF corner = at.bottomLeft() + QPointF(6, -6);
                    const double p = double(read.cells[row][size_t(column)].words[0].probability);
                    QCOMPARE(image.pixelColor((corner * image.devicePixelRatio()).toPoint()),
                             Theme::of(&read.view).sequential(p));
                }
            }
        }
    }

    void belowTheCoastlineNothingChanges() {
        for (const bool sublayers : {true, false}) {
            ReadLens read(QStringLiteral("stories-transformer"));
            if (!sublayers) read.view.rows()->setCurrentIndex(1);
            if (!sublayers) emit read.view.rows()->currentChanged(1);
            const std::vector<size_t> depths =
                sublayers ? std::vector<size_t>{0, 1, 2, 3, 4} : std::vector<size_t>{0, 2, 4};
            QCOMPARE(read.grid().depths(), depths);
            std::set<int> coasts;
            for (int column = 0; column < read.lens.positions(); ++column) {
                const int final = read.lens.finals()[size_t(column)];
                const int coast = read.grid().coast(column);
                for (int row = coast; row < int(depths.size()); ++row)
                    QCOMPARE(read.top(depths[size_t(row)], column), final);
                if (coast > 0) QVERIFY(read.top(depths[size_t(coast) - 1], column) != final);
                coasts.insert(coast);
            }
            QVERIFY(coasts.size() > 1);  // it is not a straight line
        }
    }

    void curveAndBarsAreTheEnginesNumbers() {
        const ReadLens read(QStringLiteral("stories-transformer"));
        QTest::mouseClick(read.grid().viewport(), Qt::LeftButton, {}, read.grid().cellRect({2, 4}).center().toPoint());
        const auto& points = read.view.side()->curve()->points();
        QCOMPARE(points.size(), size_t{5});
        for (size_t depth = 0; depth < 5; ++depth) {
            QCOMPARE(points[depth].probability, double(read.cells[depth][4].finalProbability));
            QCOMPARE(points[depth].rank, read.cells[depth][4].finalRank);
        }
        QCOMPARE(points.back().rank, 1);
        const auto& bars = read.view.side()->bars()->bars();
        QCOMPARE(bars.size(), size_t{5});
        for (size_t i = 0; i < 5; ++i) {
            QCOMPARE(bars[i].word, read.word(read.cells[2][4].words[i].id));
            QCOMPARE(bars[i].probability, double(read.cells[2][4].words[i].probability));
            QCOMPARE(bars[i].marked, read.cells[2][4].words[i].id == read.lens.finals()[4]);
        }
        QCOMPARE(read.view.side()->title()->text(), QStringLiteral("After “a”"));
        QVERIFY(fixture::shownText(read.view).contains("layer 1, feed-forward"));
    }

    void theStoryIsFilledFromTheValues() {
        const ReadLens read(QStringLiteral("vi-en-transformer"), QStringLiteral("tôi đang học tiếng anh"));
        for (int position = 0; position < 5; ++position) {
            QTest::mouseClick(read.grid().viewport(), Qt::LeftButton, {},
                              read.grid().cellRect({0, position}).center().toPoint());
            const int coast = read.grid().coast(position);
            const QString told = read.view.story()->text().remove("<b>").remove("</b>");
            const QString head = QString::fromStdString(read.trace->targetTokens[size_t(position)]);
            QVERIFY2(told.startsWith(QStringLiteral("After “%1”: %2 leads")
                                         .arg(head.toHtmlEscaped(),
                                              read.word(read.lens.finals()[size_t(position)]).toHtmlEscaped())),
                     qPrintable(told));
            QVERIFY(told.contains("there with " +
                                  formatNumber(double(read.cells[size_t(coast)][size_t(position)].finalProbability))));
            const bool crossing = read.lens.depths()[size_t(coast)].after == LensDepth::After::CrossAttention;
            QCOMPARE(told.contains("the sublayer that reads"), crossing);
        }
    }

    void roomyCellsSayWhatACrossAttentionReads() {
        const ReadLens read(QStringLiteral("vi-en-transformer"), QStringLiteral("tôi đang học tiếng anh"), {1300, 760});
        QVERIFY(read.grid().isRoomy());
        for (int row = 0; row < 7; ++row)  // every word is written
            QCOMPARE(read.grid().printedIn({row, 1}), read.word(read.top(size_t(row), 1)));
        const LensCell& crossing = read.cells[2][1];
        const QString said = read.grid().describe({2, 1});
        QVERIFY2(said.contains("reads “" + QString::fromStdString(read.trace->sourceTokens[size_t(crossing.source)]) +
                               "” most: " + formatPrecise(double(crossing.sourceWeight))),
                 qPrintable(said));
        QVERIFY(!read.grid().describe({1, 1}).contains("reads"));
    }

    void aHoverNamesABlankCell() {
        const ReadLens read(QStringLiteral("stories-transformer"));
        for (int column = 0; column < read.lens.positions(); ++column)
            for (int row = 1; row < 4; ++row) {
                if (!read.grid().printedIn({row, column}).isEmpty()) continue;
                const LensCell::Word& word = read.cells[size_t(row)][size_t(column)].words[0];
                QVERIFY(read.grid()
                            .describe({row, column})
                            .startsWith(QStringLiteral("“%1” %2 after “%3”")
                                            .arg(read.word(word.id), formatPrecise(double(word.probability)),
                                                 QString::fromStdString(read.trace->sourceTokens[size_t(column)]))));
                return;
            }
        QFAIL("no cell is blank");
    }

    void theKeyboardWalksAndEscapeLetsGo() {
        ReadLens read(QStringLiteral("stories-transformer"));
        const int last = read.lens.positions() - 1;
        QCOMPARE(read.grid().chosen(), (At{read.grid().coast(last), last}));  // where it makes up its mind
        QSignalSpy changes(&read.view, &LensView::optionsChanged);
        const auto press = [&](Qt::Key key) { QTest::keyClick(&read.grid(), key); };
        const auto told = [&] {
            StageState state;
            read.view.tellOptions(state);
            return state.lens.cell;
        };
        QVERIFY(!told().valid());
        press(Qt::Key_Left);
        QCOMPARE(read.grid().chosen(), (At{read.grid().coast(last), last - 1}));
        for (int i = 0; i < 9; ++i)
            press(Qt::Key_Up);
        QCOMPARE(read.grid().chosen(), (At{0, last - 1}));
        press(Qt::Key_Down);
        QCOMPARE(told(), (StageCell{2, last}));
        QCOMPARE(changes.count(), 11);
        press(Qt::Key_Escape);
        QVERIFY(!told().valid());
        QCOMPARE(read.grid().chosen(), (At{read.grid().coast(last), last}));
        // Nothing is pinned: the panel follows the pointer, and a pin stays where it is.
        emit read.grid().cellHovered(1, 2);
        QCOMPARE(read.grid().chosen(), (At{1, 2}));
        emit read.grid().cellHovered(-1, -1);
        QCOMPARE(read.grid().chosen(), (At{read.grid().coast(last), last}));
        press(Qt::Key_Return);
        emit read.grid().cellHovered(1, 2);
        QCOMPARE(read.grid().chosen(), (At{read.grid().coast(last), last}));
    }

    void aSublayerThatIsFoldedAwayIsItsLayers() {
        ReadLens read(QStringLiteral("stories-transformer"));
        StageState state;
        state.lens.cell = {4, 3};  // the second layer's attention
        read.view.showOptions(state);
        QCOMPARE(read.grid().chosen(), (At{3, 2}));
        state.lens.rows = LensOptions::Rows::Layer;
        read.view.showOptions(state);
        QCOMPARE(read.grid().chosen(), (At{2, 2}));
        StageState told;
        read.view.tellOptions(told);
        QCOMPARE(told.lens.cell, state.lens.cell);
    }

    void aLongTextScrollsUnderItsLabels() {
        const QString text = QStringLiteral("once there was a little girl who lived in a house and ").repeated(4);
        ReadLens read(QStringLiteral("stories-transformer"), text.trimmed(), {900, 420});
        const QScrollBar* bar = read.grid().horizontalScrollBar();
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), bar->maximum());  // the last word is chosen, and seen
        const QRectF chosen = read.grid().cellRect(read.grid().chosen());
        QVERIFY(read.grid().cellsArea().adjusted(-1, -1, 1, 1).contains(chosen));
        QTest::keyClick(&read.grid(), Qt::Key_Up);
        for (int i = 0; i < 60; ++i)
            QTest::keyClick(&read.grid(), Qt::Key_Left);
        QCOMPARE(bar->value(), 0);
        QVERIFY(read.grid().cellRect({0, 0}).width() >= LensGrid::kSmallest.width() - 1);
    }

    void aModelOfAnotherKindSaysWhy_data() {
        QTest::addColumn<QString>("why");
        QTest::newRow("vi-en-gru") << "This model is recurrent";
        QTest::newRow("stories-lstm") << "This model is recurrent";
        QTest::newRow("sentiment-transformer") << "names a label for the whole sentence";
    }
    void aModelOfAnotherKindSaysWhy() {
        QFETCH(QString, why);
        const auto model = fixture::shippedModel(QTest::currentDataTag());
        LensView view;
        view.resize(900, 500);
        view.show();
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        const auto stories = fixture::shippedModel(QStringLiteral("stories-transformer"));
        view.setReading(stories, nullptr);
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
        view.setReading(model, readSentence(*model, exampleSentence(*model)).trace);
        QVERIFY2(fixture::shownText(view).contains(why), qPrintable(fixture::shownText(view)));
        view.setReading(stories, readSentence(*stories, story).trace);
        QTRY_VERIFY(!view.isBusy());
        QVERIFY(fixture::shownText(view).contains("through the final norm") ||
                fixture::shownText(view).contains("straight through"));
        view.setReading(nullptr, nullptr);
        QVERIFY(fixture::shownText(view).contains("No model is open"));
    }

    void importedModelsAreReadToo_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("gpt2") << "through the final norm";
        QTest::newRow("llama") << "through the final norm";
        QTest::newRow("bert") << "through the head that fills in words";
        QTest::newRow("marian") << "straight through";
        QTest::newRow("t5") << "through the final norm";
    }
    void importedModelsAreReadToo() {
        QFETCH(QString, how);
        const auto model = std::make_shared<const TrainedModel>(
            openModel(std::string(HEADLIGHT_SOURCE_DIR "/tests/golden/foreign/") + QTest::currentDataTag()));
        const ReadLens read(model, QStringLiteral("5 9 7"));
        QVERIFY(read.view.subtitle()->text().contains(how));
        for (int column = 0; column < read.lens.positions(); ++column)
            QCOMPARE(read.grid().printedIn({int(read.cells.size()) - 1, column}),
                     QString::fromStdString(model->target->displayOne(read.top(read.cells.size() - 1, column))));
        QVERIFY(!read.view.story()->text().isEmpty());
    }

    void theOldPictureStaysUntilTheNewOneIsThere() {
        ReadLens read(QStringLiteral("stories-transformer"));
        const QString before = read.view.story()->text();
        const auto next = readSentence(*read.model, QStringLiteral("there was a boy"));
        read.view.setReading(read.model, next.trace);
        QVERIFY(read.view.isBusy());
        QCOMPARE(read.view.story()->text(), before);
        QTRY_VERIFY(!read.view.isBusy());
        QCOMPARE(read.view.side()->title()->text(), QStringLiteral("After “boy”"));
    }

    void whileItIsReadDepthsAreCountedAndCellsFill() {
        const platform::ScopedPace atOnce(platform::Pace::AtOnce);
        const auto model = deepModel();
        QStringList words;
        for (int i = 0; i < 120; ++i)
            words << QStringLiteral("w%1").arg(100 + i);
        const auto trace = readSentence(*model, words.join(u' ')).trace;
        LensView view;
        view.resize(1200, 640);
        view.show();
        const auto other = readSentence(*model, QStringLiteral("w9 w8")).trace;
        int read = 0;
        connect(&view.reader(), &LensReader::depthRead, &view, [&] {
            if (++read != 3) return;
            QVERIFY(view.isBusy());
            QCOMPARE(view.progress()->share(), 3.0 / 21);
            QCOMPARE(view.subtitle()->text(), QStringLiteral("Depth 4 of 21"));
            QVERIFY(!view.grid()->printedIn({0, 0}).isEmpty());  // read already
            QVERIFY(view.grid()->printedIn({20, 0}).isEmpty());
            QVERIFY(view.story()->text().isEmpty());  // nobody knows yet how it ends
            QCOMPARE(view.grid()->coast(0), -1);
            view.grab();
            // Another sentence takes its place; nothing of this one comes any more.
            view.setReading(model, other);
        });
        view.setReading(model, trace);
        QTRY_VERIFY(read >= 3 && !view.isBusy());
        QCOMPARE(read, 3 + 21);
        QCOMPARE(view.side()->title()->text(), QStringLiteral("After “w8”"));
        QVERIFY(view.progress()->share() < 0);
        QVERIFY(view.grid()->coast(0) >= 0);
    }

    void mutedHeadsAndAnotherSentenceAreFollowed() {
        MainWindow window(*m_theme);
        window.resize(1280, 800);
        window.show();
        Session& session = window.workbench().session;
        session.adoptModel(fixture::shippedModel(QStringLiteral("vi-en-transformer")), QStringLiteral("vi-en"));
        session.setSource(QStringLiteral("tôi yêu bạn"));
        window.rooms().showView(ViewName::Lens);
        LensView& view = *window.rooms().find<ExploreRoom>()->lens();
        const auto shows = [&] {
            if (!session.reading() || session.isReading() || view.isBusy()) return false;
            const LogitLens lens(*session.model(), *session.reading()->trace);
            const LensCell cell = lens.read(3)[0];
            StageState state;
            state.lens.cell = {4, 1};
            view.showOptions(state);
            const auto& bars = view.side()->bars()->bars();
            return !bars.empty() && bars[0].probability == double(cell.words[0].probability);
        };
        QTRY_VERIFY(shows());
        const double whole = view.side()->bars()->bars()[0].probability;
        session.setMutedHeads({QStringLiteral("decoder.layers.0.cross_attn.2")});
        QTRY_VERIFY(shows() && view.side()->bars()->bars()[0].probability != whole);
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestLensView)
#include "test_lens_view.moc"

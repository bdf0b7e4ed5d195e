// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of one reading put into another, as it is seen: each square has the share that the engine computes, what the
// reader moves changes the translation, and all of it can be taken back.
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/data/translate.h"
#include "core/experiment/interventions.h"
#include "tests/ui/drawn.h"
#include "tests/ui/opened.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/piece_text.h"
#include "ui/views/surgery/other_bar.h"
#include "ui/views/surgery/place_map.h"
#include "ui/views/surgery/surgery_maps.h"
#include "ui/views/surgery/surgery_side.h"
#include "ui/views/surgery/surgery_view.h"
#include "ui/widgets/controls/combo_box.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/failure_box.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/found_list.h"

using namespace headlight;
using Kind = PatchDepth::Kind;

namespace {

const QString kA = QStringLiteral("tôi đang học tiếng anh"), kB = QStringLiteral("tôi đang học lịch sử");

struct ReadSurgery {
    explicit ReadSurgery(const QString& name, const QString& a = kA, const QString& b = kB,
                         SurgeryOptions::Pieces pieces = SurgeryOptions::Pieces::State)
        : model(fixture::shippedModel(name)) {
        view.resize(1376, 756);
        StageState state;
        state.surgery.other = b.toStdString();
        state.surgery.pieces = pieces;
        view.showOptions(state);
        view.setReading(model, a);
        view.show();
        if (!QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs) || !wait()) qFatal("the surgery is never there");
    }
    bool wait() {
        return QTest::qWaitFor([this] { return !view.isBusy(); }, fixture::kPatienceMs);
    }
    void click(bool ofSource, int depth, int position) {
        PlaceMap& map = *view.maps()->shares(ofSource);
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({depth, position}).center().toPoint());
        if (!wait()) qFatal("the edit is never carried out");
    }
    StageState told() const {
        StageState state;
        view.tellOptions(state);
        return state;
    }

    std::shared_ptr<const TrainedModel> model;
    SurgeryView view;
};

}  // namespace

class TestSurgeryView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme = std::make_unique<fixture::LightTheme>(); }
    void cleanupTestCase() { m_theme.reset(); }

    void everySquareHasItsShare_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("pieces");
        for (const int pieces : {0, 1, 2})
            QTest::addRow("a translator, %s", SurgeryPicture::kindWords[size_t(pieces)])
                << "vi-en-transformer" << pieces;
        QTest::newRow("a GRU") << "vi-en-gru" << 0;
    }
    void everySquareHasItsShare() {
        QFETCH(QString, model);
        QFETCH(int, pieces);
        const ReadSurgery read(model, kA, kB, static_cast<SurgeryOptions::Pieces>(pieces));
        const Patching patching(*read.model, kA.toStdString(), kB.toStdString());
        size_t seen = 0;
        std::map<bool, int> rows;
        for (size_t i = 0; i < patching.depths().size(); ++i) {
            const PatchDepth& depth = patching.depths()[i];
            if (int(depth.kind) != pieces) continue;
            const int row = rows[depth.ofSource]++;
            for (int position = 0; position < depth.positions; ++position) {
                const auto cell = patching.read(i, position);
                const auto& shown = read.view.maps()->shares(depth.ofSource)->numbers()[size_t(row)][size_t(position)];
                QCOMPARE(shown.has_value(), cell && cell->share);
                if (shown) QVERIFY(std::abs(*shown - *cell->share) < 1e-9);
                ++seen;
            }
        }
        QVERIFY(seen > 5);
        const PlaceMap& map = *read.view.maps()->shares(true);
        const auto& first = map.numbers()[0][3];
        QVERIFY(first.has_value());
        const fixture::Drawn drawn = fixture::drawn(*read.view.maps()->shares(true));
        if (map.cellRect({0, 0}).height() >= 15) QVERIFY(drawn.writes({formatNumber(*first)}));
    }

    /// “−0.01” beside “−0.01” read “−0.01−0.01” where columns are as wide as “0.00”.
    void numbersOfNarrowSquaresDoNotTouch() {
        PlaceMap map(QStringLiteral("map"), ColorScale{ColorScale::Kind::Diverging, 1});
        const QStringList words(12, QStringLiteral("a"));
        map.setMap({QStringLiteral("Embedding")}, words,
                   {std::vector<std::optional<double>>(12, std::optional<double>(-0.314))});
        map.setNamesWidth(80);
        const auto written = [&](int cell) {
            map.resize(80 + 12 * cell + 2, 100);
            return fixture::drawn(map).texts().filter("0.");
        };
        QCOMPARE(written(40).size(), 12);
        QCOMPARE(written(40).front(), formatNumber(-0.314));
        QCOMPARE(written(30).front(), formatNumber(-0.314, 1));
    }

    /// The edit is being carried out while another sentence comes, or another model: its answer is of neither.
    void anAnswerThatComesTooLateIsLeft() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        const PlaceMap& map = *read.view.maps()->shares(true);
        const QPoint cell = map.cellRect({0, 3}).center().toPoint();
        for (const QString& next : {QStringLiteral("tôi yêu bạn"), kA}) {
            QTest::mouseClick(read.view.maps()->shares(true), Qt::LeftButton, {}, cell);
            read.view.setReading(read.model, next);
            QVERIFY(read.wait());
        }
        QTest::mouseClick(read.view.maps()->shares(true), Qt::LeftButton, {}, cell);
        read.view.setReading(read.model, {});
        QVERIFY(read.wait());
    }

    void onePieceChangesTheTranslation() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        QCOMPARE(read.view.picture()->rowOfA().words.join(u' '), QStringLiteral("i am learning english <eos>"));
        QCOMPARE(read.view.picture()->rowOfB().words.join(u' '), QStringLiteral("i am studying history <eos>"));
        QVERIFY(std::abs(*read.view.outcome().share) < 1e-9);
        read.click(true, 1, 3);
        // As the design has it: behind the first self-attention, "lịch" for "tiếng".
        QVERIFY2(std::abs(*read.view.outcome().share - 0.691) < 0.0006,
                 qPrintable(QString::number(*read.view.outcome().share)));
        QVERIFY(std::abs(read.view.outcome().difference - 2.718) < 0.0006);
        QCOMPARE(read.view.outcome().row.words.join(u' '), QStringLiteral("i am studying history <eos>"));
        QVERIFY(std::abs(*read.view.outcome().moved[0][1][3] - 1.33) < 0.006);
        QVERIFY(!read.view.outcome().moved[0][1][2].has_value());  // nothing but that word is reached yet
        const fixture::Drawn drawn = fixture::drawn(*read.view.side()->figures());
        QVERIFY(drawn.writes({"studying"}) && drawn.writes({"0.691"}) && drawn.mentions("now +2.718"));
        QCOMPARE(read.told().surgery.edits, StageTexts({"state:2:4"}));
    }

    void whatFollowsAnEditIsLit() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        const SurgeryMaps& maps = *read.view.maps();
        const auto reached = [](const PlaceMap& map) {
            int cells = 0;
            for (const auto& row : map.numbers())
                for (const auto& cell : row)
                    cells += cell.has_value();
            return cells;
        };
        QCOMPARE(reached(*maps.moved(true)) + reached(*maps.moved(false)), 0);
        QVERIFY(!maps.isMemoryLit());
        read.click(true, 1, 3);
        // As the design has it: one word of two depths, then all of them; the decoder from where it reads the memory.
        const Patching patching(*read.model, kA.toStdString(), kB.toStdString());
        const auto edits = read.view.picture()->changes({{Kind::State, 1, 3, true}});
        const auto moved = patching.moved(patching.under(edits));
        const auto depths = read.view.picture()->depths(Kind::State);
        std::map<bool, size_t> rows;
        for (size_t i = 0; i < depths.size(); ++i)
            QCOMPARE(maps.moved(depths[i]->ofSource)->numbers()[rows[depths[i]->ofSource]++], moved[i]);
        QCOMPARE(reached(*maps.moved(true)), 1 + 1 + 5 + 5);
        QCOMPARE(reached(*maps.moved(false)), 5 * 3);
        QVERIFY(maps.isMemoryLit());
        const fixture::Drawn drawn = fixture::drawn(*maps.moved(true));
        for (const char* number : {"1.33", "1.35", "1.23", "1.34"})
            QVERIFY2(drawn.writes({QString::fromLatin1(number)}), number);
        QVERIFY(!drawn.mentions("0.00"));
        // A way from the encoder to each cross-attention, ending beside its row.
        for (const bool onRight : {false, true}) {
            const auto ways = maps.memoryWays(onRight);
            QCOMPARE(ways.size(), size_t{2});
            const PlaceMap& below = onRight ? *maps.moved(false) : *maps.shares(false);
            for (size_t i = 0; i < 2; ++i) {
                const QRectF row = below.cellRect({i == 0 ? 2 : 5, 2});
                const QPointF end = ways[i].back() - QPointF(below.mapTo(&maps, QPoint(0, 0)));
                QVERIFY(std::abs(end.y() - row.center().y()) < 0.6 && end.x() >= row.right());
            }
        }
        // A piece of the decoder leaves the memory as it is.
        QTest::mouseClick(read.view.side()->clear(), Qt::LeftButton);
        QVERIFY(read.wait());
        read.click(false, 5, 2);
        QVERIFY(!maps.isMemoryLit());
        QCOMPARE(reached(*maps.moved(true)), 0);
        QCOMPARE(reached(*maps.moved(false)), 2);
    }

    /// Of a share of nothing the colour is nearly the ground's: the frame says where its square is.
    void squaresAreFramedAndStandTogether() {
        ReadSurgery read(QStringLiteral("vi-en-long-lstm-attention"));
        read.view.resize(1900, 1300);
        QCoreApplication::processEvents();
        const PlaceMap &source = *read.view.maps()->shares(true), &target = *read.view.maps()->shares(false);
        const QImage drawn = read.view.maps()->shares(true)->grab().toImage();
        const Theme& theme = Theme::of(&source);
        for (int position = 0; position < source.columns(); ++position) {
            const QRectF square = source.cellRect({0, position});
            int framed = 0;  // antialiased: the frame may lie on two pixels
            for (int x = 0; x < 4; ++x) {
                const QColor at = drawn.pixelColor(QPointF(square.left() + x, square.center().y()).toPoint() *
                                                   int(drawn.devicePixelRatio()));
                framed += at != theme.bg && at != ColorScale{ColorScale::Kind::Diverging, 1}.color(
                                                      theme, *source.numbers()[0][size_t(position)]);
            }
            QVERIFY(framed > 0);
        }
        // What the squares cannot take of a tall window is left below both maps, not between them.
        const double end = source.y() + source.cellRect({source.rows() - 1, 0}).bottom();
        QVERIFY(target.y() - end < 50);
    }

    /// Those on the right were narrower; and of a large window the lower half was empty.
    void squaresOnBothSidesAreAlikeAndFillALargeWindow() {
        for (const char* model : {"vi-en-long-lstm-attention", "vi-en-transformer"}) {
            ReadSurgery read(QString::fromLatin1(model));
            for (const QSize size : {QSize(960, 640), QSize(1376, 756), QSize(2500, 1360)}) {
                read.view.resize(size);
                for (int round = 0; round < 4; ++round)
                    QCoreApplication::processEvents();
                const SurgeryMaps& maps = *read.view.maps();
                const double left = maps.shares(true)->cellRect({0, 0}).width(),
                             right = maps.moved(true)->cellRect({0, 0}).width();
                QVERIFY2(std::abs(left - right) < 1.5, qPrintable(QStringLiteral("%1, %2").arg(left).arg(right)));
            }
            const PlaceMap& below = *read.view.maps()->shares(false);
            const double end = below.y() + below.cellRect({below.rows() - 1, 0}).bottom();
            QVERIFY2(end > 0.75 * read.view.maps()->height(), qPrintable(QString::number(end)));
        }
    }

    void whatFollowsIsOfTheKindThatIsLookedAt() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"), kA, kB, SurgeryOptions::Pieces::Head);
        read.click(true, 0, 3);
        const auto depths = read.view.picture()->depths(Kind::Head);
        const SurgeryMaps& maps = *read.view.maps();
        QCOMPARE(maps.moved(true)->numbers().size(), maps.shares(true)->numbers().size());
        QVERIFY(maps.moved(true)->numbers()[0][3].has_value());
        QVERIFY(!maps.moved(true)->numbers()[1][3].has_value());  // another head of the same layer
        QVERIFY(maps.moved(true)->numbers()[8][0].has_value());   // the next layer's
    }

    void editsAreSwitchedTakenBackAndCopied() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        read.click(true, 1, 3);
        read.click(true, 0, 4);
        QCOMPARE(read.told().surgery.edits, StageTexts({"state:2:4", "state:1:5"}));
        read.view.side()->switches()[0]->click();
        QVERIFY(read.wait());
        QCOMPARE(read.told().surgery.edits, StageTexts({"-state:2:4", "state:1:5"}));
        const double alone = read.view.picture()->outcome({{Kind::State, 0, 4, true}}).difference;
        QCOMPARE(read.view.outcome().difference, alone);
        QTest::mouseClick(read.view.side()->copy(), Qt::LeftButton);
        const auto list =
            interventionsFromJson(nlohmann::json::parse(QGuiApplication::clipboard()->text().toStdString()));
        QCOMPARE(list, read.view.picture()->changes({{Kind::State, 0, 4, true}}));
        QTest::mouseClick(read.view.side()->undo(), Qt::LeftButton);
        QVERIFY(read.wait());
        QCOMPARE(read.told().surgery.edits, StageTexts({"-state:2:4"}));
        QTest::mouseClick(read.view.side()->clear(), Qt::LeftButton);
        QVERIFY(read.wait());
        QVERIFY(read.told().surgery.edits.empty());
        QVERIFY(std::abs(*read.view.outcome().share) < 1e-9);
        // Chosen again a square is taken out.
        read.click(true, 2, 3);
        read.click(true, 2, 3);
        QVERIFY(read.told().surgery.edits.empty());
    }

    void whatAPieceWouldDoIsTriedUnderThePointer() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        const QSignalSpy told(&read.view, &SurgeryView::optionsChanged);
        PlaceMap& map = *read.view.maps()->shares(true);
        const auto pointAt = [&](int depth, int position) {
            QTest::mouseMove(&map, map.cellRect({depth, position}).center().toPoint());
            QTRY_COMPARE(map.tried(), (PlaceMap::Place{depth, position}));
            QVERIFY(read.wait());
        };
        const auto leave = [&] {
            QEvent left(QEvent::Leave);
            QCoreApplication::sendEvent(&map, &left);
            QVERIFY(read.wait());
        };
        pointAt(1, 3);
        QCOMPARE(read.view.outcome().difference, read.view.picture()->outcome({{Kind::State, 1, 3, true}}).difference);
        QVERIFY(read.view.side()->hint()->text().startsWith("If put in: lịch → tiếng"));
        QVERIFY(fixture::drawn(*read.view.side()->figures()).mentions("tried +2.718"));
        QVERIFY(read.told().surgery.edits.empty());
        QVERIFY(read.view.side()->switches().empty());
        leave();
        QVERIFY(std::abs(*read.view.outcome().share) < 1e-9);
        QVERIFY(!read.view.tried());
        QCOMPARE(told.count(), 0);
        // Beside what stands already; what stands is tried without.
        read.click(true, 1, 3);
        pointAt(0, 4);
        QCOMPARE(read.view.outcome().difference,
                 read.view.picture()->outcome({{Kind::State, 1, 3, true}, {Kind::State, 0, 4, true}}).difference);
        pointAt(1, 3);
        QVERIFY(std::abs(*read.view.outcome().share) < 1e-9);
        QVERIFY(read.view.side()->hint()->text().startsWith("If taken out"));
        leave();
        QCOMPARE(read.told().surgery.edits, StageTexts({"state:2:4"}));
        // With the keyboard alike; what is put in with Return is shown as done.
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_Right);
        QTRY_VERIFY(read.view.tried().has_value());
        QVERIFY(read.wait());
        QTest::keyClick(&map, Qt::Key_Return);
        QVERIFY(read.wait());
        QVERIFY(!read.view.tried());
    }

    void whatIsSwitchedOffComesOnAgain() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        read.click(true, 1, 3);
        read.view.side()->switches()[0]->click();
        QVERIFY(read.wait());
        QCOMPARE(read.told().surgery.edits, StageTexts({"-state:2:4"}));
        read.click(true, 1, 3);
        QCOMPARE(read.told().surgery.edits, StageTexts({"state:2:4"}));
    }

    void theBeamSearchAnswersAnEdit() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        const auto expected = [&](std::span<const Intervention> changes) {
            const BeamOptions options{.beam = 4, .nBest = 4, .interventions = changes};
            const auto translations = translate(*read.model, {kA.toStdString()}, options);
            std::vector<std::pair<QString, double>> list;
            for (const Written& written : translations.front().hypotheses)
                list.emplace_back(QString::fromStdString(written.text), written.logProb);
            return list;
        };
        const auto found = [&] {
            std::vector<std::pair<QString, double>> list;
            for (const auto& each : read.view.outcome().found)
                list.emplace_back(each.text, each.now);
            return list;
        };
        const auto before = expected({});
        QCOMPARE(before.size(), size_t{4});
        QCOMPARE(found(), before);
        read.click(true, 1, 3);
        const auto now = expected(read.view.picture()->changes({{Kind::State, 1, 3, true}}));
        QCOMPARE(found(), now);
        QCOMPARE(now.front().first, QStringLiteral("i am studying history"));
        for (const auto& each : read.view.outcome().found) {
            const auto there = std::ranges::find(before, each.text, &std::pair<QString, double>::first);
            QCOMPARE(each.before.has_value(), there != before.end());
            if (each.before) QCOMPARE(*each.before, there->second);
        }
        const fixture::Drawn drawn = fixture::drawn(*read.view.side()->found());
        QVERIFY(drawn.mentions("Beam search of 4") && drawn.writes({formatNumber(now.front().second)}));
    }

    void whereNothingIsSearchedNoSearchIsShown() {
        const ReadSurgery read(QStringLiteral("sentiment-transformer"), QStringLiteral("phim này rất hay"),
                               QStringLiteral("phim này rất tệ"));
        QVERIFY(read.view.outcome().found.empty());
        QVERIFY(read.view.side()->found()->isHidden());
    }

    void aLongAnswerGoesOnInFurtherLines() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"), kA, kB);
        const SurgeryFigures& figures = *read.view.side()->figures();
        const int height = figures.heightForWidth(340);
        QVERIFY(figures.heightForWidth(200) > height);
        const fixture::Drawn drawn = fixture::drawn(*read.view.side()->figures());
        for (const QString& word : read.view.picture()->rowOfB().words)
            QVERIFY2(drawn.writes({word}), qPrintable(word));
    }

    void allOfBGivesItsAnswer() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        std::vector<SurgeryEdit> all;
        for (int position = 0; position < 5; ++position)
            all.push_back({Kind::State, 0, position, true});
        const auto outcome = read.view.picture()->outcome(all);
        QVERIFY(std::abs(*outcome.share - 1) < 1e-4);
        QCOMPARE(outcome.row.words, read.view.picture()->rowOfB().words);
    }

    void anotherSentenceAndOneThatAnswersAlike() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"), kA, {});
        QVERIFY(!read.view.picture()->b().isEmpty() && read.view.picture()->b() != kA);
        read.view.bar()->sentence()->setText(kA);
        QTest::keyClick(read.view.bar()->sentence(), Qt::Key_Return);
        QVERIFY(read.wait());
        QVERIFY(fixture::shownText(read.view).contains("are both answered with"));
        QVERIFY(!read.view.failure()->isVisible());  // nothing went wrong
        read.view.bar()->sentence()->setText(kB);
        QTest::keyClick(read.view.bar()->sentence(), Qt::Key_Return);
        QVERIFY(read.wait());
        QCOMPARE(read.view.picture()->b(), kB);
        QVERIFY(!fixture::shownText(read.view).contains("are both answered with"));
    }

    void headsThatAreOffAreAReadingToTakeFrom() {
        ReadSurgery read(QStringLiteral("vi-en-transformer"));
        ComboBox& heads = *read.view.bar()->heads();
        const int head = heads.findText(QStringLiteral("without decoder layer 2, cross-attention, head 1"));
        QVERIFY(head > 0);
        // The sentence of B was chosen: it stays, and is read without the head.
        heads.setCurrentIndex(head);
        emit heads.activated(head);
        QVERIFY(read.wait());
        QCOMPARE(read.view.picture()->b(), kB);
        QCOMPARE(read.told().surgery.without, StageTexts({"decoder.layers.1.cross_attn.0"}));
        StageState state = read.told();
        state.surgery.other.clear();
        state.surgery.pieces = SurgeryOptions::Pieces::Sublayer;
        read.view.showOptions(state);
        QVERIFY(read.wait());
        QCOMPARE(read.view.picture()->b(), kA);
        QVERIFY(fixture::shownText(read.view).contains("Both say “am”, in B “are” comes nearer by 1.561"));
        const Patching patching(*read.model, kA.toStdString(), kA.toStdString(), {},
                                {.muted = {{"decoder.layers.1.cross_attn", 0}}});
        const auto depths = read.view.picture()->depths(Kind::Sublayer);
        size_t row = 0;
        for (const PatchDepth* depth : depths) {
            if (depth->ofSource) continue;
            const auto& shown = read.view.maps()->shares(false)->numbers()[row++];
            if (depth->values.front() != "decoder.layers.1.cross_attn.output") continue;
            QVERIFY(std::abs(*shown[1] - 1) < 1e-4);  // what the block adds is all that is otherwise
        }
        QCOMPARE(read.told(), state);
        state.surgery.without = {"decoder.layers.9.cross_attn.0"};
        read.view.showOptions(state);
        QVERIFY(read.wait());
        QVERIFY(fixture::shownText(read.view).contains("The two readings were not compared"));
    }

    void anotherTrainingIsAReadingToTakeFrom() {
        ReadSurgery read(QStringLiteral("vi-en-fed-itself"));
        ComboBox& reader = *read.view.bar()->reader();
        const int other = reader.findText(QStringLiteral("vi-en-fed-truth"));
        QVERIFY(other > 0);
        QVERIFY(reader.findText(QStringLiteral("vi-en-transformer")) < 0);  // its pieces do not fit
        reader.setCurrentIndex(other);
        emit reader.activated(other);
        QVERIFY(read.wait());
        QCOMPARE(read.told().surgery.reader, std::string("vi-en-fed-truth"));
        const auto truth = fixture::shippedModel(QStringLiteral("vi-en-fed-truth"));
        const Patching patching(*read.model, kA.toStdString(), kB.toStdString(), {}, {.model = truth.get()});
        QCOMPARE(read.view.picture()->patching().differenceOfB(), patching.differenceOfB());
        // A step of a run, once it is held; until then the stage says what to do.
        StageState state = read.told();
        state.surgery.reader = "run:400";
        read.view.showOptions(state);
        QVERIFY(read.wait());
        QVERIFY(fixture::shownText(read.view).contains("the model of that step is not held"));
        read.view.hold({truth, QStringLiteral("vi-en, step 400"), QStringLiteral("run:400")});
        read.view.showOptions(state);
        QVERIFY(read.wait());
        QCOMPARE(reader.currentText(), QStringLiteral("vi-en, step 400"));
        QCOMPARE(read.view.picture()->patching().differenceOfB(), patching.differenceOfB());
        QCOMPARE(read.told(), state);
    }

    /// Forty-three columns twice have no room beside one another: of the second map a strip stood at the edge, and what
    /// was left of it had to be scrolled to.
    void whatHasNoRoomBesideTheFirstMapStandsBelowIt() {
        const QString a = QStringLiteral(
            "My grandmother, who lived alone in a small village near the sea, often told me that people who never "
            "forget a kindness are never lost, wherever they go and whatever happens to them.");
        ReadSurgery read(QStringLiteral("tales-transformer"), a, QString(a).replace("told me", "told him"));
        const SurgeryMaps& maps = *read.view.maps();
        const bool ofSource = !maps.shares(true)->isEmpty();
        const PlaceMap &shares = *maps.shares(ofSource), &moved = *maps.moved(ofSource);
        QVERIFY(shares.columns() > 40);
        const auto* const area = qobject_cast<QScrollArea*>(maps.parentWidget()->parentWidget());
        QVERIFY(area);
        for (const int width : {1376, 2400, 1200, 1376}) {
            read.view.resize(width, 756);
            for (int round = 0; round < 4; ++round)
                QCoreApplication::processEvents();
            QCOMPARE(maps.isStacked(), width < 2000);
            QCOMPARE(moved.y() > shares.geometry().bottom(), maps.isStacked());
            QCOMPARE(moved.depths().isEmpty(), !maps.isStacked());
            QVERIFY2(
                !area->horizontalScrollBar()->isVisible(),
                qPrintable(QStringLiteral("%1: %2 in %3").arg(width).arg(maps.width()).arg(area->viewport()->width())));
            for (const PlaceMap* map : {&shares, &moved})
                QVERIFY2(map->cellRect({5, map->columns() - 1}).right() <= map->width(),
                         qPrintable(QString::number(map->width())));
            QVERIFY(std::abs(shares.cellRect({0, 0}).width() - moved.cellRect({0, 0}).width()) < 1.5);
        }
    }

    /// The chips on the right had a gap between pieces, and a mark on each.
    void piecesOfWhatIsWrittenTouch() {
        ReadSurgery read(QStringLiteral("en-fr-transformer"), QStringLiteral("The children are playing in the garden."),
                         QStringLiteral("The children are sleeping in the garden."));
        const fixture::Drawn drawn = fixture::drawn(read.view);
        QVERIFY(drawn.writes({QStringLiteral("jou")}) && drawn.writes({QStringLiteral("ent")}));
    }

    /// However long its sentence was, B's field was no wider on a large screen.
    void theFieldOfBGrowsWithTheWindow() {
        OtherBar bar(new SegmentedControl({"State", "Sublayer", "Head"}));
        bar.show();
        int before = 0;
        for (const int width : {800, 1200, 2000}) {
            bar.resize(width, 80);
            bar.layout()->activate();
            const int now = bar.findChild<QLineEdit*>()->width();
            QVERIFY2(now > before + 100, qPrintable(QString::number(now)));
            before = now;
        }
    }

    /// Whatever the machine does between two rounds of events.
    void whatBWritesStandsInTheBarWhereItFits() {
        const SurgeryPicture picture(fixture::shippedModel("vi-en-transformer"), kA, kB);
        const QString written = picture.textOfB();
        QVERIFY2(!written.isEmpty() && !written.contains(u'<'), qPrintable(written));
        size_t fits = 0, widths = 0;
        for (int width = 400; width <= 1200; width += 25, ++widths) {
            OtherBar bar(new SegmentedControl({"State", "Sublayer", "Head"}));
            bar.resize(width, 80);
            bar.show();
            QApplication::processEvents();
            const auto stands = [&] {
                const auto all = bar.findChildren<QLabel*>();
                return std::ranges::any_of(
                    all, [&](const QLabel* label) { return label->text() == written && label->isVisible(); });
            };
            bar.setPicture(&picture);
            const bool atOnce = stands();
            QApplication::processEvents();
            bar.setPicture(&picture);
            QVERIFY2(atOnce == stands(), qPrintable(QString::number(width)));
            fits += atOnce;
        }
        QVERIFY(fits > 0 && fits < widths);
    }
    void editsAreReadAndWritten() {
        for (const char* text : {"state:2:4", "-head:12:1", "sublayer:1:60"})
            QCOMPARE(SurgeryEdit::parse(text)->text(), std::string(text));
        for (const char* wrong : {"", "state", "state:0:1", "state:1", "state:1:0", "state:a:1", "stat:1:1",
                                  "state:1:1x", "state:99999999999:1", "--state:1:1"})
            QVERIFY2(!SurgeryEdit::parse(wrong), wrong);
    }

    void whereThereIsNothingToOperateOn() {
        SurgeryView view;
        view.show();
        view.setReading(nullptr, {});
        QVERIFY(fixture::shownText(view).contains("No model is open"));
        view.setReading(fixture::shippedModel(QStringLiteral("vi-en-transformer")), {});
        QVERIFY(fixture::shownText(view).contains("Type a sentence"));
    }

private:
    std::unique_ptr<fixture::LightTheme> m_theme;
};

QTEST_MAIN(TestSurgeryView)
#include "test_surgery_view.moc"

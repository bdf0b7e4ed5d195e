// SPDX-License-Identifier: GPL-3.0-or-later
// The map of embeddings: a plane that can be known beforehand, neighbours, and what a click chooses.
#include <QAbstractButton>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <array>
#include <cmath>
#include <numeric>

#include "core/io/model_file.h"
#include "ui/views/models/embedding_view.h"
#include "ui/widgets/theme/group_colors.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/words/group_legend.h"
#include "ui/widgets/words/word_bars.h"
#include "ui/widgets/words/word_map.h"

using namespace headlight;

class TestEmbeddingView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<ThemeManager>(qApp);
        m_theme->setMode(ThemeManager::Mode::Light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void pointsOnALineVaryInOneDirection() {
        // (t, 2t, 0): all variance along (1, 2, 0)/√5, and the places are t·√5 about their mean.
        EmbeddingTable table{{"a", "b", "c"}, {}, 3, {-1, -2, 0, 0, 0, 0, 1, 2, 0}};
        const Plane plane = principalPlane(table);
        QVERIFY(std::abs(plane.shares[0] - 1) < 1e-9 && std::abs(plane.shares[1]) < 1e-9);
        for (int i = 0; i < 3; ++i)
            QVERIFY(std::abs(double(plane.points[size_t(i)][0]) - (i - 1) * std::sqrt(5.0)) < 1e-5);
    }

    void neighboursAreSortedByTheirAngle() {
        const EmbeddingTable table{{"e", "e2", "n", "w"}, {}, 2, {1, 0, 2, 0.1F, 0, 1, -1, 0}};
        const std::vector<Neighbour> near = nearestNeighbours(table, 0, 3);
        QCOMPARE(near.size(), size_t(3));
        QCOMPARE(near[0].index, 1);
        QCOMPARE(near[1].index, 2);
        QVERIFY(std::abs(near[1].cosine) < 1e-9);
        QCOMPARE(near[2].cosine, -1.0);
    }

    void aClassifiersWordsAreThoseThatItReads() {
        const TrainedModel model =
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/sentiment-transformer.safetensors");
        const EmbeddingTable table = embeddingTable(model, "embedding");
        QCOMPARE(table.count(), model.source->vocabulary().size());
        QCOMPARE(table.names[10], model.source->vocabulary().token(10));
    }

    /// Of two points that are close, one name lay on the other.
    void namesDoNotLieOnOneAnother() {
        QStringList words{QStringLiteral("left"), QStringLiteral("right")};
        std::vector<QPointF> places{{-1, -1}, {1, 1}};
        std::vector<int> related;
        for (int i = 0; i < 6; ++i) {
            related.push_back(static_cast<int>(words.size()));
            words << QStringLiteral("neighbour%1").arg(i);
            places.emplace_back(0.08 * i, 0.05 * i);
        }
        WordMap map;
        map.resize(600, 500);
        map.setPoints(words, places);
        map.setChosen(related.front(), related);
        const std::vector<WordMap::Name> names = map.names();
        for (size_t i = 0; i < names.size(); ++i) {
            QVERIFY(QRectF(map.rect()).contains(names[i].rect));
            for (size_t j = 0; j < i; ++j)
                QVERIFY2(!names[i].rect.intersects(names[j].rect), qPrintable(words[names[i].word]));
        }
    }

    /// Twelve of them stood in a panel with room for fifty, and dots without a name on a ground that was free.
    void theListIsAsLongAsThePanelAndNamesStandWhereTheyCoverNothing() {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        EmbeddingView view;
        view.resize(1900, 1300);
        view.setModel(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QTRY_VERIFY(!view.isBusy());
        const auto near = nearestNeighbours(view.table(), view.map()->chosen(), 40);
        QVERIFY(view.neighbours()->bars().size() >= near.size());
        for (size_t i = 0; i < near.size(); ++i)
            QCOMPARE(view.neighbours()->bars()[i].word.toStdString(), view.table().names[size_t(near[i].index)]);
        const std::vector<WordMap::Name>& names = view.map()->names();
        QVERIFY2(names.size() > 100, qPrintable(QString::number(names.size())));
        for (size_t i = 13; i < names.size(); ++i) {  // behind the word in question and its neighbours
            for (size_t j = 0; j < i; ++j)
                QVERIFY(!names[i].rect.intersects(names[j].rect));
            for (int word = 0; word < view.table().count(); ++word)
                QVERIFY(word == names[i].word || !names[i].rect.contains(view.map()->placeOf(word)));
        }
        view.resize(900, 500);
        QTRY_VERIFY(view.neighbours()->bars().size() * WordBars::kRow <= size_t(view.neighbours()->height()));
    }

    /// 2,589 grey dots, seven of them with names.
    void groupsAreFoundWhereThereAreAny() {
        // Four directions with words close to them, whatever their lengths.
        EmbeddingTable table;
        table.width = 5;
        table.ofWords = true;
        for (int word = 0; word < 120; ++word) {
            const int group = word % 4;
            std::array<float, 5> vector{};
            vector[size_t(group)] = 1 + 0.1F * float(word % 7);
            vector[4] = 0.05F * float(word % 5) - 0.1F;
            table.names.push_back("word" + std::to_string(word));
            table.values.insert(table.values.end(), vector.begin(), vector.end());
        }
        table.specials = {0};
        const EmbeddingGroups groups = embeddingGroups(table);
        QCOMPARE(groups.count(), 4);
        QVERIFY(groups.silhouette > 0.8);
        QCOMPARE(groups.of[0], EmbeddingGroups::none);
        for (int word = 1; word < 120; ++word)
            QCOMPARE(groups.of[size_t(word)], groups.of[size_t(word % 4 == 0 ? 4 : word % 4)]);
        QCOMPARE(std::accumulate(groups.sizes.begin(), groups.sizes.end(), 0), 119);
        for (int group = 0; group < 4; ++group)
            for (const int word : groups.nearest[size_t(group)])
                QCOMPARE(groups.of[size_t(word)], group);
        QVERIFY(std::ranges::is_sorted(groups.sizes, std::greater<>()));
        QCOMPARE(embeddingGroups(table).of, groups.of);
        QCOMPARE(embeddingGroups(table, [](double share) { return share < 0.5; }).count(), 0);  // no longer wanted
        table.ofWords = false;
        QCOMPARE(embeddingGroups(table).count(), 0);
    }

    void groupsHaveNamesColoursAndALegend() {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        EmbeddingView view;
        view.resize(1376, 800);
        view.setModel(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QTRY_VERIFY(!view.isBusy() && view.groups().count() >= fewestGroups);
        WordMap& map = *view.map();
        const EmbeddingGroups& groups = view.groups();
        QCOMPARE(view.legend()->entries().size(), size_t(groups.count()));
        const Theme& theme = Theme::of(&map);
        for (int word = 0; word < view.table().count(); ++word)
            if (const int group = groups.of[size_t(word)]; group >= 0)
                QCOMPARE(map.colorOf(word), groupColor(theme, group));
        for (const int special : view.table().specials)
            QCOMPARE(groups.of[size_t(special)], EmbeddingGroups::none);
        // Every label has a place, on no other and on no name.
        const std::vector<QRectF>& labels = map.labelRects();
        QCOMPARE(labels.size(), size_t(groups.count()));
        for (size_t i = 0; i < labels.size(); ++i) {
            QVERIFY(!labels[i].isNull());
            for (size_t j = 0; j < i; ++j)
                QVERIFY(!labels[i].intersects(labels[j]));
            for (const WordMap::Name& name : map.names())
                QVERIFY(!labels[i].intersects(name.rect));
        }
        // Pointed at, its words alone keep their colour.
        QAbstractButton* const second = view.legend()->entries()[1];
        emit view.legend()->pointed(1);
        for (int word = 0; word < view.table().count(); ++word)
            QCOMPARE(map.colorOf(word) == groupColor(theme, 1), groups.of[size_t(word)] == 1);
        emit view.legend()->pointed(-1);
        QCOMPARE(map.lit(), -1);
        // A click keeps it lit, and a link has it: by the word at its centre.
        QSignalSpy changed(&view, &EmbeddingView::optionsChanged);
        QTest::mouseClick(second, Qt::LeftButton);
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(changed.count(), 1);
        QVERIFY(second->isChecked());
        QCOMPARE(map.lit(), 1);
        QCOMPARE(groups.of[size_t(map.chosen())], 1);
        StageState state;
        view.tellOptions(state);
        QVERIFY(second->text().startsWith(QString::fromStdString(state.embeddings.nearest)));
        EmbeddingView other;
        other.resize(1376, 800);
        other.setModel(model);
        other.showOptions(state);
        other.show();
        QTRY_VERIFY(!other.isBusy() && other.groups().count() > 0);
        QCOMPARE(other.map()->lit(), 1);
        QVERIFY(other.legend()->entries()[1]->isChecked());
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(map.lit(), -1);
        // Positions have no groups.
        state = {};
        state.embeddings.side = EmbeddingsOptions::Side::Positions;
        const auto learned = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/fr-en-transformer.safetensors"));
        other.setModel(learned);
        other.showOptions(state);
        QTRY_VERIFY(!other.isBusy() && other.table().count() > 0);
        QVERIFY(!other.table().ofWords && other.legend()->entries().empty() && !other.legend()->isVisible());
    }

    void wordsAreChosenByClickAndBySearch() {
        const auto model = std::make_shared<const TrainedModel>(
            loadModel(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors"));
        EmbeddingView view;
        view.resize(1300, 760);
        view.setModel(model);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, fixture::kPatienceMs));
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.table().count(), model->source->vocabulary().size());
        QTest::keyClicks(view.search(), QStringLiteral("anh"));
        QTRY_VERIFY(!view.isBusy());
        const int chosen = view.map()->chosen();
        QVERIFY(QString::fromStdString(view.table().names[size_t(chosen)]).startsWith("anh"));
        const auto near = nearestNeighbours(view.table(), chosen, 12);
        for (size_t i = 0; i < near.size(); ++i) {
            QCOMPARE(view.neighbours()->bars()[i].word.toStdString(), view.table().names[size_t(near[i].index)]);
            QCOMPARE(view.neighbours()->bars()[i].probability, std::max(0.0, near[i].cosine));
        }
        const QPointF place = view.map()->placeOf(near[0].index);
        QTest::mouseClick(view.map(), Qt::LeftButton, {}, place.toPoint());
        const QPointF found = view.map()->placeOf(view.map()->chosen());
        QVERIFY(std::hypot(found.x() - place.x(), found.y() - place.y()) < 12);
    }

private:
    std::unique_ptr<ThemeManager> m_theme;
};

QTEST_MAIN(TestEmbeddingView)
#include "test_embedding_view.moc"

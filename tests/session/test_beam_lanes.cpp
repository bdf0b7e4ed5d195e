// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a search's tree: each reads as a hypothesis, the best one is on top, no two trunks cross, and no node of
// the search is lost. And a search scores alike wherever it is made.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <map>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "core/decode/score_formula.h"
#include "core/lessons/stage_state.h"
#include "tests/patience.h"
#include "ui/session/format/piece_text.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/shipped.h"
#include "ui/session/page/search_record.h"

using namespace headlight;

namespace {

const QString lanesModel = QStringLiteral(HEADLIGHT_SOURCE_DIR "/resources/models/vi-en-transformer.safetensors");

using Folds = std::function<bool(int node)>;

/// A search that there is none of: any tree whose steps keep a few, finish some and look at more.
std::vector<BeamLanes::Node> randomSearch(unsigned seed) {
    std::mt19937 random(seed);
    const int beam = 1 + static_cast<int>(random() % 6), steps = 1 + static_cast<int>(random() % 9);
    std::vector<BeamLanes::Node> nodes;
    std::vector<int> live{-1};
    for (int step = 1; step <= steps && !live.empty(); ++step) {
        std::vector<int> next;
        for (int i = 0; i < 2 * beam; ++i) {
            const int parent = live[random() % live.size()];
            const double before = parent < 0 ? 0 : nodes[static_cast<size_t>(parent)].cumulative;
            BeamLanes::Node node{.parent = parent, .step = step};
            node.cumulative = before - static_cast<double>(random() % 1000) / 300;
            node.score = node.cumulative / step;
            const auto what = random() % 8;
            if (what == 0) node.end = BeamLanes::End::Finished;
            node.kept = what == 0 || (what < 5 && std::ssize(next) < beam);
            if (what > 0 && node.kept) next.push_back(static_cast<int>(nodes.size()));
            nodes.push_back(node);
        }
        live = next;
    }
    for (const int node : live)
        if (random() % 2 == 0 && nodes[static_cast<size_t>(node)].end == BeamLanes::End::None)
            nodes[static_cast<size_t>(node)].end = BeamLanes::End::CutOff;
    int best = -1;
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
        const auto rank = [&](int at) {
            const BeamLanes::Node& node = nodes[static_cast<size_t>(at)];
            return std::pair(node.end, node.score);
        };
        if (nodes[static_cast<size_t>(i)].end != BeamLanes::End::None && (best < 0 || rank(i) > rank(best))) best = i;
    }
    for (; best >= 0; best = nodes[static_cast<size_t>(best)].parent)
        nodes[static_cast<size_t>(best)].best = true;
    return nodes;
}

class Checked {
public:
    Checked(const BeamLanes& lanes, int steps, const Folds& folds)
        : m_lanes(lanes), m_steps(steps), m_layout(lanes.layout(steps, folds)) {}

    /// Empty: all is as it should be.
    QString fault() const {
        for (const auto& check : {&Checked::nodesAreDrawnOrFolded, &Checked::rowsAreWays, &Checked::theBestIsOnTop,
                                  &Checked::nothingCrosses})
            if (const QString found = (this->*check)(); !found.isEmpty()) return found;
        return {};
    }
    /// The last node of each row.
    std::map<int, int> ends() const {
        std::map<int, int> ends;
        for (const auto& [row, nodes] : rows())
            ends[row] = nodes.rbegin()->second;
        return ends;
    }
    const BeamLanes::Layout& layout() const { return m_layout; }

private:
    const BeamLanes::Node& of(int node) const { return m_lanes.nodes()[static_cast<size_t>(node)]; }
    int rowOf(int node) const { return node < 0 ? 0 : m_layout.rows[static_cast<size_t>(node)]; }
    std::map<int, std::map<int, int>> rows() const {
        std::map<int, std::map<int, int>> rows;
        for (int i = 0; i < static_cast<int>(m_lanes.nodes().size()); ++i)
            if (rowOf(i) >= 0) rows[rowOf(i)][of(i).step] = i;
        return rows;
    }

    QString nodesAreDrawnOrFolded() const {
        std::set<int> folded;
        for (const BeamLanes::Fold& fold : m_layout.folds)
            for (const int node : fold.nodes) {
                if (of(node).parent != fold.parent) return QStringLiteral("a fold hangs on another node's parent");
                if (!m_lanes.isDropped(node, m_steps)) return QStringLiteral("what leads on is folded");
                if (!folded.insert(node).second) return QStringLiteral("a node is folded twice");
            }
        for (int i = 0; i < static_cast<int>(m_lanes.nodes().size()); ++i) {
            int folds = 0;
            for (int at = i; at >= 0; at = of(at).parent)
                folds += static_cast<int>(folded.contains(at));
            const int places = static_cast<int>(rowOf(i) >= 0) + folds;
            if (places != (of(i).step <= m_steps ? 1 : 0))
                return QStringLiteral("node %1 stands in %2 places").arg(i).arg(places);
        }
        return {};
    }
    QString rowsAreWays() const {
        size_t drawn = 0;
        for (const auto& [row, nodes] : rows()) {
            int before = of(nodes.begin()->second).parent;
            if (row > 0 && rowOf(before) >= row) return QStringLiteral("row %1 leaves one below it").arg(row);
            for (const auto& [step, node] : nodes) {
                if (of(node).parent != before) return QStringLiteral("row %1 says what no hypothesis says").arg(row);
                before = node;
            }
            drawn += nodes.size();
        }
        if (static_cast<int>(rows().size()) > m_layout.count) return QStringLiteral("a row is not counted");
        const auto shown = std::ranges::count_if(m_layout.rows, [](int row) { return row >= 0; });
        return static_cast<size_t>(shown) == drawn ? QString() : QStringLiteral("two words stand in one place");
    }
    QString theBestIsOnTop() const {
        for (int i = 0; i < static_cast<int>(m_lanes.nodes().size()); ++i)
            if (of(i).best && of(i).step <= m_steps && rowOf(i) != 0)
                return QStringLiteral("the best branch leaves its row");
        return {};
    }
    /// Between two columns: the trunk of a node reaches from its row to its lowest child's.
    QString nothingCrosses() const {
        std::map<int, std::map<int, int>> lowest;  // by the column behind, the parent's row
        for (int i = 0; i < static_cast<int>(m_lanes.nodes().size()); ++i) {
            if (rowOf(i) < 0 || (of(i).parent >= 0 && rowOf(of(i).parent) < 0)) continue;
            int& row = lowest[of(i).step][rowOf(of(i).parent)];
            row = std::max(row, rowOf(i));
        }
        for (const auto& [step, trunks] : lowest) {
            int reached = -1;
            for (const auto& [from, to] : trunks) {
                if (from <= reached) return QStringLiteral("trunks before word %1 cross").arg(step);
                reached = to;
            }
        }
        return {};
    }

    const BeamLanes& m_lanes;
    int m_steps;
    BeamLanes::Layout m_layout;
};

QString faultOf(const BeamLanes& lanes, unsigned seed) {
    int steps = 0;
    for (const BeamLanes::Node& node : lanes.nodes())
        steps = std::max(steps, node.step);
    const Folds some = [seed](int node) { return (static_cast<unsigned>(node) * 2654435761U + seed) % 3 == 0; };
    for (int step = 0; step <= steps; ++step)
        for (const Folds& folds : {Folds([](int) { return true; }), Folds([](int) { return false; }), some})
            if (const QString fault = Checked(lanes, step, folds).fault(); !fault.isEmpty())
                return QStringLiteral("%1, after word %2").arg(fault).arg(step);
    return {};
}

}  // namespace

class TestBeamLanes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_model = openTrainedModel(lanesModel); }

    void everyTreeIsLaidOutInRowsThatRead() {
        for (unsigned seed = 0; seed < 400; ++seed) {
            const BeamLanes lanes(randomSearch(seed));
            const QString fault = faultOf(lanes, seed);
            QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("%1: %2").arg(seed).arg(fault)));
        }
    }

    void everyRowOfASearchIsOneOfItsHypotheses_data() {
        QTest::addColumn<int>("beam");
        QTest::addColumn<int>("words");
        QTest::addColumn<QString>("fixed");
        for (const int beam : {1, 2, 3, 5, 8, 10})
            for (const int words : {3, 20})
                for (const char* fixed : {"", "she"})
                    QTest::addRow("%d, %d words, %s", beam, words, fixed)
                        << beam << words << QString::fromLatin1(fixed);
    }
    void everyRowOfASearchIsOneOfItsHypotheses() {
        QFETCH(int, beam);
        QFETCH(int, words);
        QFETCH(QString, fixed);
        std::vector<int> prefix;
        if (!fixed.isEmpty()) prefix.push_back(m_model->target->vocabulary().id(fixed.toStdString()));
        const auto found = searchNow(m_model, QStringLiteral("ngày mai chúng tôi sẽ học bài ở nhật bản"),
                                     {.beam = beam, .maxLength = words, .prefix = prefix});
        const BeamLanes lanes(found->lanes());
        const QString fault = faultOf(lanes, 7);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        const Checked folded(lanes, found->search.tree.steps, [](int) { return true; });
        std::multiset<int> ends, wanted;
        for (const auto& [row, node] : folded.ends())
            ends.insert(node);
        for (size_t i = 0; i < lanes.nodes().size(); ++i)
            if (lanes.nodes()[i].end != BeamLanes::End::None) wanted.insert(static_cast<int>(i));
        QVERIFY(ends == wanted);
        for (const Written& each : found->search.translation.hypotheses)
            QVERIFY(ends.contains(found->endOf(each)));
        QCOMPARE(folded.ends()[0], found->endOf(found->search.translation.best()));
    }

    void aWordThatWasDroppedSaysWhen() {
        // 0 is best; 1 is kept, goes on to 3, and both its next words lose.
        using Node = BeamLanes::Node;
        std::vector<Node> nodes = {Node{.parent = -1, .step = 1, .cumulative = -1, .best = true, .kept = true},
                                   Node{.parent = -1, .step = 1, .cumulative = -2, .kept = true},
                                   Node{.parent = 0, .step = 2, .cumulative = -2, .best = true, .kept = true},
                                   Node{.parent = 1, .step = 2, .cumulative = -3, .kept = true},
                                   Node{.parent = 1, .step = 2, .cumulative = -4},
                                   Node{.parent = 3, .step = 3, .cumulative = -6},
                                   Node{.parent = 2,
                                        .step = 3,
                                        .cumulative = -3,
                                        .score = -1,
                                        .best = true,
                                        .kept = true,
                                        .end = BeamLanes::End::Finished}};
        const BeamLanes lanes(nodes);
        QCOMPARE(lanes.droppedAt(0), 0);
        QCOMPARE(lanes.droppedAt(1), 3);
        QCOMPARE(lanes.droppedAt(3), 3);
        QCOMPARE(lanes.droppedAt(4), 2);
        QCOMPARE(lanes.droppedAt(5), 3);
        // It has its row until it is dropped, and is counted then.
        const auto always = [](int) { return true; };
        QCOMPARE(lanes.layout(2, always).rows, (std::vector<int>{0, 1, 0, 1, -1, -1, -1}));
        QCOMPARE(lanes.layout(3, always).rows, (std::vector<int>{0, -1, 0, -1, -1, -1, 0}));
        QCOMPARE(lanes.layout(3, always).folds.front().nodes, std::vector<int>{1});
    }

    /// The window searched with GNMT's penalty and the command line with the mean, and neither said so.
    void aSentenceHasTheSameScoreOnTheCommandLineInTheWindowAndOnAPage() {
        const QString sentence = QStringLiteral("tôi đang học tiếng anh");
        const auto found = searchNow(m_model, sentence, {});
        const Written& best = found->search.translation.best();
        QProcess process;
        process.start(QStringLiteral(HEADLIGHT_CLI),
                      {"translate", lanesModel, sentence, "--json", "--beam", QString::number(found->settings.beam)});
        QVERIFY(process.waitForFinished(fixture::kPatienceMs));
        const QJsonObject told = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        const QJsonObject first = told["hypotheses"].toArray()[0].toObject();
        QCOMPARE(first["text"].toString(), QString::fromStdString(best.text));
        QVERIFY(std::abs(first["score"].toDouble() - best.score) < 1e-9);
        QCOMPARE(told["length_penalty"].toString(), QString::fromStdString(found->settings.penalty.text()));
        const nlohmann::json page = searchRecord(*found);
        QCOMPARE(page["hypotheses"][0]["score"].get<double>(), best.score);
        QCOMPARE(page["formula"].get<std::string>(), scoreFormula(LengthPenalty()));
        QCOMPARE(page["formula"].get<std::string>(), std::string("log P / |y|"));
        // A stage that says nothing, a lesson's numbers, and the library are searched so as well.
        QVERIFY(StageState().decode.scoring == DecodeOptions::Scoring::Average);
        QCOMPARE(found->settings.penalty.text(), BeamOptions().lengthPenalty.text());
        QProcess list;
        list.start(QStringLiteral(HEADLIGHT_CLI), {"translate", lanesModel, sentence, "--beam", "2", "--n-best", "2"});
        QVERIFY(list.waitForFinished(fixture::kPatienceMs));
        QVERIFY(list.readAllStandardError().contains("score = log P / |y|"));
        QCOMPARE(list.readAllStandardOutput().split('\t').value(0), QByteArray::number(best.score, 'f', 4));
    }

    void piecesOfAWordTouchAndWordsDoNot() {
        const auto found = searchNow(m_model, QStringLiteral("tôi đang học tiếng anh"), {});
        const auto& nodes = found->search.tree.nodes;
        for (size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].parent >= 0) QVERIFY(!found->isOneWord(nodes[i].parent, static_cast<int>(i)));

        const auto real = openTrainedModel(shippedModel(QStringLiteral("en-fr-transformer")));
        const auto pieces = searchNow(real, QStringLiteral("I don't know where she lives."), {.beam = 10});
        int touching = 0;
        for (size_t i = 0; i < pieces->search.tree.nodes.size(); ++i) {
            const int parent = pieces->search.tree.nodes[i].parent;
            if (parent < 0 || !pieces->isOneWord(parent, static_cast<int>(i))) continue;
            ++touching;
            QVERIFY(pieces->wordAt(parent).endsWith(QChar(0x203F)));
            const std::vector<int> both{pieces->search.tree.nodes[static_cast<size_t>(parent)].token,
                                        pieces->search.tree.nodes[i].token};
            QVERIFY(!QString::fromStdString(real->target->decode(both)).contains(u' '));
        }
        QVERIFY(touching > 0);
        // A hyphen is a piece of its word, as a full stop is none.
        const auto hyphen = searchNow(real, QStringLiteral("My grandmother lives alone in a small village."), {});
        const auto& its = hyphen->search.tree.nodes;
        int hyphens = 0;
        for (size_t i = 0; i < its.size(); ++i) {
            const PieceText word(hyphen->wordAt(static_cast<int>(i)));
            if (word.text == QLatin1String("-") && word.joinsLeft)
                hyphens += hyphen->isOneWord(its[i].parent, static_cast<int>(i)) ? 1 : 0;
            if (word.text == QLatin1String(".")) QVERIFY(!hyphen->isOneWord(its[i].parent, static_cast<int>(i)));
        }
        QVERIFY(hyphens > 0);
    }

    void aPageHasTheRowsToo() {
        const auto found = searchNow(m_model, QStringLiteral("tôi đang học tiếng anh"), {.beam = 3});
        const nlohmann::json page = searchRecord(*found);
        const BeamLanes lanes(found->lanes());
        const BeamLanes::Layout folded = lanes.layout(found->search.tree.steps, [](int) { return true; });
        size_t counted = 0;
        for (const auto& fold : page["folds"])
            counted += fold["count"].get<size_t>();
        size_t inFolds = 0;
        for (const BeamLanes::Fold& fold : folded.folds)
            inFolds += fold.nodes.size();
        QCOMPARE(counted, inFolds);
        QVERIFY(counted > 0);
        for (size_t i = 0; i < lanes.nodes().size(); ++i) {
            QCOMPARE(page["nodes"][i]["rows"][0].get<int>(), folded.rows[i]);
            QVERIFY(page["nodes"][i]["rows"][1].get<int>() >= 0);
            QCOMPARE(page["nodes"][i]["dropped"].get<int>(), lanes.droppedAt(static_cast<int>(i)));
        }
    }

private:
    std::shared_ptr<const TrainedModel> m_model;
};

QTEST_GUILESS_MAIN(TestBeamLanes)
#include "test_beam_lanes.moc"

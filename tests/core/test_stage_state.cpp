// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <fstream>
#include <random>
#include <set>

#include "core/error.h"
#include "core/lessons/lesson.h"
#include "core/lessons/stage_state.h"

using namespace headlight;

namespace {

/// A state in which no field is as on a fresh stage.
StageState allChanged() {
    StageState state;
    visitFields(state, []([[maybe_unused]] const StageField& field, auto& member, const auto&... words) {
        [[maybe_unused]] const bool hasWords = sizeof...(words) > 0;
        (static_cast<void>(words), ...);
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, bool>)
            member = !member;
        else if constexpr (std::is_enum_v<Member>)
            member = static_cast<Member>(static_cast<int>(member) == 0 ? 1 : 0);
        else if constexpr (std::is_same_v<Member, int>)
            member = hasWords ? 5 : 7 > field.most ? field.least : std::max(field.least, 7);
        else if constexpr (std::is_same_v<Member, double>)
            member = member == 0.1 ? 0.2 : 0.1;
        else if constexpr (std::is_same_v<Member, StageCell>)
            member = {3, 4};
        else if constexpr (std::is_same_v<Member, StageTexts>)
            member = {"decoder.layers.1.cross_attn.3", "b"};
        else if constexpr (std::is_same_v<Member, StageLines>)
            member = {"tôi, đang học", "câu\tanother, & = #"};
        else
            member = std::string("tôi đang học, 100 % & = # “") + field.name;
    });
    return state;
}

std::string errorOf(const auto& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestStageState : public QObject {
    Q_OBJECT
private slots:
    void aFreshStageSaysNothing() {
        QVERIFY(settingOf(StageState()).empty());
        QCOMPARE(linkTo(StageState()), std::string("headlight:attention"));
    }

    void everyFieldSurvivesItsTextForms() {
        const StageState state = allChanged();
        QCOMPARE(settingOf(state).size(), stageKeyNames().size());
        QVERIFY(stageFrom(settingOf(state)) == state);
        QVERIFY(stageFromLink(linkTo(state)) == state);
    }

    void whoeverNamesAPartOfTheSearchDoesNotMeanTheModelsOwn() {
        using Search = DecodeOptions::Search;
        QVERIFY(stageFrom({}).decode.search == Search::Own);
        QVERIFY(stageFrom({{"beam", "2"}}).decode.search == Search::Set);
        QVERIFY(stageFrom({{"scoring", "power"}, {"penalty", "0.5"}}).decode.search == Search::Set);
        QVERIFY(stageFrom({{"max_length", "9"}}).decode.search == Search::Own);
        QVERIFY(stageFrom({{"search", "own"}, {"beam", "2"}}).decode.search == Search::Own);
        // Of two that contradict each other what was named in numbers holds, and a link says the same again.
        const StageState both = stageFrom({{"search", "own"}, {"beam", "4"}});
        QVERIFY(both.decode.search == Search::Set);
        QVERIFY(stageFromLink(linkTo(both)) == both);
    }

    /// Hypotheses are compared by their mean unless something else is said, and α alone says GNMT's penalty.
    void alphaIsGnmtsWhereNothingElseIsSaid() {
        using Scoring = DecodeOptions::Scoring;
        QVERIFY(stageFrom({}).decode.scoring == Scoring::Average);
        QVERIFY(stageFrom({{"penalty", "0.3"}}).decode.scoring == Scoring::Gnmt);
        QVERIFY(stageFrom({{"penalty", "0.7"}}).decode.scoring == Scoring::Gnmt);
        StageState average;
        average.decode.penalty = 0.3;
        QVERIFY(stageFrom(settingOf(average)).decode.scoring == Scoring::Average);
    }

    void aKeptInputMayHoldWhateverALineMay() {
        const StageState state = stageFrom({{"kept", "one, two\n\nthree\tfour\n"}});
        QCOMPARE(state.kept, (StageLines{"one, two", "three\tfour"}));
        QVERIFY(stageFromLink(linkTo(state)) == state);
    }

    void everyNameStandsOnce() {
        const std::vector<std::string> names = stageKeyNames();
        QCOMPARE(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    }

    void everyWordOfEveryKeyIsRead() {
        for (const std::string& key : stageKeyNames())
            for (const std::string& word : wordsOf(key)) {
                const StageState state = stageFrom({{key, word}});
                const StageSetting written = settingOf(state);
                const auto at = written.find(key);
                StageState fresh;
                fresh.decode.search = state.decode.search;  // who names a part of a search means one of their own
                // The word of a fresh stage goes without saying.
                QVERIFY2(at == written.end() ? state == fresh : at->second == word, (key + "=" + word).c_str());
            }
    }

    /// Links that somebody has kept: each is read as on the day when the list was written.
    void keptLinksShowTheSameStage() {
        std::ifstream file(HEADLIGHT_SOURCE_DIR "/tests/golden/links.tsv");
        int count = 0;
        for (std::string line; std::getline(file, line); ++count) {
            const size_t tab = line.find('\t');
            QVERIFY2(tab != std::string::npos, line.c_str());
            const std::string link = line.substr(0, tab), plain = line.substr(tab + 1);
            const StageState state = stageFromLink(link);
            QCOMPARE(linkTo(state), plain);
            QVERIFY2(stageFromLink(plain) == state, line.c_str());
        }
        QVERIFY(count > 600);
    }

    void formerNamesAreReadAndNeverWritten() {
        QVERIFY(viewNamed("qkv") == ViewName::QueryKeyValue);
        QVERIFY(viewNamed("train") == ViewName::Training);
        QCOMPARE(stageFrom({{"steps", "40"}}).training.train, 40);
        QCOMPARE(stageFrom({{"value", "encoder.input"}}).focus, std::string("encoder.input"));
        QCOMPARE(linkTo(stageFrom({{"view", "qkv"}})), std::string("headlight:query-key-value"));
        QVERIFY(stageFrom({{"pruned", "on"}}).decode.deadEndsShown &&
                !stageFrom({{"pruned", "off"}}).decode.deadEndsShown);
    }

    /// As it comes out of a word processor.
    void whiteSpaceOfAnyKindStandsAroundAValue() {
        QVERIFY((stageFrom({{"cell", "3,\u00a04\u2003"}}).cell == StageCell{3, 4}));
    }

    void whatIsWrongIsNamed_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unknown key") << "beems"
                                     << "3"
                                     << "there is no such key";
        QTest::newRow("unknown word") << "level"
                                      << "atom"
                                      << "use one of model, layer, block, operation";
        QTest::newRow("a head before the first") << "head"
                                                 << "0"
                                                 << "give a whole number from 1";
        QTest::newRow("half a head") << "head"
                                     << "1.5"
                                     << "give a whole number";
        QTest::newRow("a number too large") << "step"
                                            << "99999999999"
                                            << "give a whole number";
        QTest::newRow("a width too large") << "width"
                                           << "513"
                                           << "give a whole number from 1 to 512";
        QTest::newRow("no number") << "penalty"
                                   << "much"
                                   << "give a number";
        QTest::newRow("no finite number") << "base"
                                          << "inf"
                                          << "give a number";
        QTest::newRow("half a cell") << "cell"
                                     << "3"
                                     << "give ROW, COLUMN";
        QTest::newRow("a cell before the first") << "cell"
                                                 << "0, 1"
                                                 << "give ROW, COLUMN";
    }
    void whatIsWrongIsNamed() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, expected);
        const std::string error = errorOf([&] { stageFrom({{key.toStdString(), value.toStdString()}}); });
        QVERIFY2(QString::fromStdString(error).contains(expected), error.c_str());
        QVERIFY(QString::fromStdString(error).startsWith(key + "="));
    }

    void aDamagedLinkIsToldAndNothingElse_data() {
        QTest::addColumn<QString>("link");
        for (const char* link :
             {"", "headlight", "headlight:", "headlight:nowhere", "http://attention", "headlight:attention?",
              "headlight:attention?head", "headlight:attention?head=%", "headlight:attention?head=%4",
              "headlight:attention?head=%zz", "headlight:attention?nothing=1", "headlight:attention?head=-1"})
            QTest::newRow(link) << QString::fromLatin1(link);
        QTest::newRow("endless") << "headlight:attention?source=" + QString(100000, 'a');
    }
    void aDamagedLinkIsToldAndNothingElse() {
        QFETCH(QString, link);
        const std::string error = errorOf([&] { stageFromLink(link.toStdString()); });
        QCOMPARE(error.empty(), link == QLatin1String("headlight:attention?"));
    }

    void mutatedLinksAreReadOrRefused() {
        std::mt19937 random(3);
        const std::string whole = linkTo(allChanged()).substr(0, 4000);
        for (int i = 0; i < 3000; ++i) {
            std::string link = whole;
            for (int times = 0; times < 4; ++times)
                link[random() % link.size()] = static_cast<char>(random() % 256);
            errorOf([&] {
                const StageState state = stageFromLink(link);
                QVERIFY(stageFrom(settingOf(state)) == state);
            });
        }
    }

    void undoingTakesEditsBackAndLeavesTheReaderWhereHeIs() {
        StageState before, now;
        before.source = "a b";
        before.queryKeyValue.numbers = {"Q[1,2]=0.5"};
        now.source = "a c";
        now.view = ViewName::Masks;
        now.head = 3;
        const StageState undone = withEditsOf(now, before);
        QCOMPARE(undone.source, std::string("a b"));
        QCOMPARE(undone.queryKeyValue.numbers.size(), size_t(1));
        QVERIFY(undone.view == ViewName::Masks);
        QCOMPARE(undone.head, 3);
        QCOMPARE(editsBetween(now, before), (std::vector<std::string>{"source", "numbers"}));
    }

    void conditionsAreMetByWhatTheReaderDid() {
        StageState before;
        before.source = "tôi học";
        before.step = 3;
        StageState now = before;
        const auto met = [&](const char* key, const char* value) { return isMet(key, value, before, now); };
        QVERIFY(!met("source", "changed") && !met("step", "moved") && !met("mute", "any") && !met("cells", "changed"));
        QVERIFY(!met("fixed", "any") && !met("numbers", "K") && !met("shuffles", "yes") && !met("head", "2"));
        now.source = "Tôi ĂN";
        now.step = 4;
        now.mute = {"decoder.layers.0.cross_attn.1"};
        now.masks.cells = {"1,2"};
        now.decode.fixed = "i am";
        now.queryKeyValue.numbers = {"K[1,1]=2"};
        now.positions.shuffles = 1;
        now.head = 2;
        now.decode.penalty = 0.3;
        now.training.train = 20;
        QVERIFY(met("source", "changed") && met("source", "ăn") && !met("source", "học"));
        QVERIFY(met("step", "moved") && met("cells", "changed") && met("shuffles", "yes") && met("head", "2"));
        QVERIFY(met("mute", "any") && met("mute", "decoder.layers.0.cross_attn.1"));
        QVERIFY(!met("mute", "decoder.layers.0.cross_attn.2"));
        QVERIFY(met("fixed", "any") && met("fixed", "am") && !met("fixed", "a"));
        QVERIFY(met("numbers", "K") && !met("numbers", "Q"));
        QVERIFY(met("penalty", "0.3") && !met("penalty", "0.5") && met("train", "20") && !met("train", "21"));
        QVERIFY(!met("model", "changed"));
        now.model = "vi-en-gru";
        QVERIFY(met("model", "changed") && met("model", "vi-en-gru") && !met("model", "vi-en-rnn"));
        now.source = "  ";
        QVERIFY(!met("source", "changed"));
    }
};

QTEST_MAIN(TestStageState)
#include "test_stage_state.moc"

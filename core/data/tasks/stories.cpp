// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/aligned_grammar.h"
#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"
#include "core/text/unicode.h"

namespace headlight::builtin {
namespace story_words {
namespace {

// A story is several sentences, `/` between them. Who it is about and what it is about are settled in the first ones:
// to write `she`, the name or the animal again, a model must look back over sentences.
// Features: n the child's name, g boy or girl, a the animal, p the place, t the thing.
constexpr std::string_view stories = R"(
    Story *5 -> <Begin g=?g n=?n> / <She g=?g> had a <Look> <Pet a=?a> / <Lost g=?g n=?n a=?a>
    Story *4 -> <Begin g=?g n=?n> / <Gift g=?g n=?n>
    Story *3 -> <Begin g=?g n=?n> / <Garden g=?g n=?n>
    Story *3 -> <Begin g=?g n=?n> / <Storm g=?g n=?n>
    Story *3 -> <Begin g=?g n=?n> / <She g=?g> could not <Skill s=?s> / <Learn g=?g n=?n s=?s>
    Begin[g=?g n=?n] *3 -> once there was a little <Child g=?g> called <Name g=?g n=?n>
    Begin[g=?g n=?n] *2 -> <Name g=?g n=?n> was a <Nature> <Child g=?g> who lived <Home>
    Begin[g=?g n=?n] *2 -> <Home> lived a <Nature> <Child g=?g> called <Name g=?g n=?n>
    Lost[g=?g n=?n a=?a] -> <Day> the <Pet a=?a> ran into the <Place p=?p> / <Name n=?n> looked for it all day / <Help g=?g> / at night they found the <Pet.2 a=?a> <Spot> in the <Place.2 p=?p> / <Glad g=?g n=?n>
    Lost[g=?g n=?n a=?a] -> <Day> the <Pet a=?a> was sick and did not <Eat> / <Name n=?n> took it to the <Healer> / the <Pet.2 a=?a> had eaten too many <Fruit> / <After> it was well again / <Glad g=?g n=?n>
    Lost[g=?g n=?n a=?a] -> the <Pet a=?a> was afraid of <Fear f=?f> / <Day> there was <Fear.2 f=?f> in the <Place> / the <Pet.2 a=?a> hid <Spot> / <Name n=?n> gave it <Food> / then the <Pet.3 a=?a> was not afraid any more
    Gift[g=?g n=?n] -> the birthday of <Her g=?g> <Kin k=?k> was near / <Name n=?n> wanted to buy a <Look> <Thing t=?t> / but <She g=?g> had no money / so <She.2 g=?g> sold <Fruit> at the market / <After> <She.3 g=?g> bought the <Thing.2 t=?t> / <Her.2 g=?g> <Kin.2 k=?k> was very happy
    Gift[g=?g n=?n] -> <Day> <Name n=?n> found a <Look> <Thing t=?t> <Spot> / whose <Thing.2 t=?t> is it asked <Her g=?g> <Kin k=?k> / <Name.2 n=?n> asked everybody in the <Town> / an old <Job> had lost it / <She g=?g> gave the <Thing.3 t=?t> back and got <Food>
    Garden[g=?g n=?n] -> in spring <Name n=?n> planted <Plant q=?q> in the garden / every morning <She g=?g> gave them water / <Day> <Thief> came and wanted to eat the <Plant.2 q=?q> / <Name.2 n=?n> built a fence with <Her g=?g> <Kin> / in autumn there were many <Plant.3 q=?q> / <She.2 g=?g> shared them with <Everybody>
    Storm[g=?g n=?n] -> <Day> there was a big storm / <Name n=?n> and <Her g=?g> <Kin k=?k> sat in the <Room> / the wind broke the <Part b=?b> / <She g=?g> was <Bad> but <Her.2 g=?g> <Kin.2 k=?k> sang a song / <After> the sun was back / together they repaired the <Part.2 b=?b>
    Learn[g=?g n=?n s=?s] -> <Her g=?g> <Kin k=?k> said i will teach you to <Skill s=?s> / every <Time> they went to the <Place p=?p> / at first <Name n=?n> was <Bad> / <After> <She g=?g> could <Skill.2 s=?s> alone / now <Name.2 n=?n> can <Skill.3 s=?s> better than <Her.2 g=?g> <Kin.2 k=?k>
    Help[g=?g] *2 -> <Her g=?g> <Kin> came to help
    Help[g=?g] *1 -> an old <Job> helped <Him g=?g>
    Glad[g=?g n=?n] *1 -> <She g=?g> was very happy
    Glad[g=?g n=?n] *1 -> that evening <Name n=?n> slept well
    Glad[g=?g n=?n] *1 -> <Name n=?n> laughed and <Her g=?g> <Kin> laughed too
    She[g=f] -> she
    She[g=m] -> he
    Her[g=f] -> her
    Her[g=m] -> his
    Him[g=f] -> her
    Him[g=m] -> him
    Child[g=f] -> girl
    Child[g=m] -> boy
)";

// Nonterminal; the feature that tells one from another, or nothing; what it writes
constexpr std::string_view words = R"(
    Name; n; g=f; linh mai hoa anna emma lucy
    Name; n; g=m; minh nam tom peter ivan jack
    Pet; a; ; cat dog rabbit duck goat pony hen
    Place; p; ; forest field park village
    Thing; t; ; hat lamp book watch kite cup
    Kin; k; ; mother father grandmother grandfather aunt uncle
    Skill; s; ; swim sing read cook dance
    Plant; q; ; carrots flowers beans pumpkins
    Part; b; ; window roof gate door
    Fear; f; ; thunder snow fire
    Look; ; ; small white red old beautiful black
    Nature; ; ; kind brave curious quiet clever
    Fruit; ; ; apples pears plums nuts
    Job; ; ; farmer fisherman teacher baker
    Food; ; ; bread cake soup honey
    Healer; ; ; doctor
    Eat; ; ; eat play
    Town; ; ; street village town
    Room; ; ; kitchen cellar
    Bad; ; ; sad afraid angry tired
    Time; ; ; day week morning evening
    Everybody; ; ; everybody
)";
constexpr std::string_view phrases = R"(
    Home -> in a house by the sea
    Home -> in a village
    Home -> near the forest
    Home -> in the mountains
    Home -> in a big city
    Day *3 -> one day
    Day *1 -> one morning
    Day *1 -> one cold night
    Day *1 -> last winter
    After -> after three days
    After -> after a week
    After -> the next morning
    After -> a month later
    Spot -> under a tree
    Spot -> behind a stone
    Spot -> by the river
    Spot -> near the old bridge
    Thief -> a hungry fox
    Thief -> a fat rabbit
    Thief -> two goats
)";

constexpr std::string_view heldOut =
    "linh + goat\nminh + duck\nanna + lamp\ntom + kite\nmai + pumpkins\npeter + roof\nemma + dance\nivan + rabbit\n"
    "hoa + fisherman\njack + swim";

AlignedGrammar storyGrammar() {
    AlignedGrammar grammar(stories);
    grammar.add(phrases);
    for (const std::string& row : cut(words, '\n')) {
        const std::vector<std::string> columns = cut(row, ';');
        if (columns.size() != 4) continue;
        for (const std::string& word : cut(columns[3], ' ')) {
            const std::string identity = columns[1].empty() ? "" : columns[1] + "=" + word;
            grammar.add(columns[0] + "[" + identity + " " + columns[2] + "] -> " + word);
        }
    }
    return grammar;
}

/// A sentence a line.
void append(Corpus& part, const std::string& story) {
    for (std::string& sentence : cut(story, '/'))
        part.push_back({"", std::move(sentence)});
}

}  // namespace
}  // namespace story_words

CorpusSplits storyText() {
    using namespace story_words;
    constexpr std::size_t train = 2500, others = 200;
    const AlignedGrammar grammar = storyGrammar();
    const HeldOutPairs pairs(heldOut);
    SeededRandom random(1);
    CorpusSplits splits;
    std::set<std::string> known;
    std::size_t written = 0, unseen = 0;
    while (written < train + 2 * others || unseen < others) {
        AlignedGrammar::Derivation derivation = grammar.sample("Story", random);
        chooseIndefiniteArticles(derivation.source);
        const std::string story = derivation.toPair().source;
        if (!known.insert(story).second) continue;
        if (pairs.standIn(story)) {
            if (unseen++ < others) append(splits.unseen, story);
        } else if (written++ < train + 2 * others) {
            append(written <= train            ? splits.train
                   : written <= train + others ? splits.validation
                                               : splits.test,
                   story);
        }
    }
    return splits;
}

}  // namespace headlight::builtin

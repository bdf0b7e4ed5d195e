// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <string_view>
#include <vector>

#include "core/data/aligned_grammar.h"
#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"

namespace headlight::builtin {
namespace praise_or_blame {
namespace {

// Label; the feelings that speak for it and against it. A word that decides bears ~1: of a sentence with `but` that is
// what follows it, of one with `although` the other half, and a negation decides together with what it negates.
constexpr std::string_view labels = R"(
    positive; good; bad
    negative; bad; good
)";
constexpr std::string_view sentences = R"(
    $1 *4 -> <Np c=?c> is <Adj p=$2 c=?c ~1>
    $1 *4 -> <Np c=?c> is <Very> <Adj p=$2 c=?c ~1>
    $1 *4 -> <Np c=?c> is not~1 <Adj p=$3 c=?c ~1>
    $1 *3 -> <Np c=?c> is never~1 <Adj p=$3 c=?c ~1>
    $1 *4 -> <Np c=?c> is <Adj.1 p=$2 c=?c ~1> and <Adj.2 p=$2 c=?c ~1>
    $1 *4 -> <Np c=?c> is not~1 <Adj.1 p=$3 c=?c ~1> but <Adj.2 p=$2 c=?c ~1>
    $1 *8 -> <Person g=?g> is <Adj.1 p=$3 c=person> but <His g=?g> <Noun c=work> is <Adj.2 p=$2 c=work ~1>
    $1 *8 -> <Person g=?g> is <Very> <Adj.1 p=$3 c=person> but <His g=?g> <Noun c=work> is <Adj.2 p=$2 c=work ~1>
    $1 *6 -> <Np c=?c> is <Adj.1 p=$3 c=?c> but the <Noun.2 c=work/food c=?d> was <Adj.2 p=$2 c=?d ~1>
    $1 *6 -> although <Person g=?g> is <Adj.1 p=$3 c=person> <His g=?g> <Noun c=work> is <Adj.2 p=$2 c=work ~1>
    $1 *6 -> <Person g=?g> is <Adj.1 p=$2 c=person ~1> although <His g=?g> <Noun c=work> is <Adj.2 p=$3 c=work>
    $1 *4 -> people say that <Np c=?c> is <Adj.1 p=$3 c=?c> but i found it <Adj.2 p=$2 c=work ~1>
    $1 *5 -> i <Verb p=$2 ~1> <Np c=?c>
    $1 *5 -> i do not~1 <Base p=$3 ~1> <Np c=?c>
    $1 *5 -> i <Verb p=$3> <Np.1 c=?c> but i <Verb.2 p=$2 ~1> <Np.2 c=?d>
    $1 *4 -> i <Verb p=$2 ~1> <Np c=?c> because the <Noun.2 c=work/food c=?d> is <Adj p=$2 c=?d ~1>
    $1 *4 -> what a <Adj p=$2 c=?c ~1> <Noun c=work/food/place c=?c>
)";

constexpr std::string_view smallWords = R"(
    Np[c=person] *3 -> <Person>
    Np[c=work/food/place c=?c] *3 -> the <Noun c=?c>
    Np[c=work/food/place c=?c] *2 -> this <Noun c=?c>
    Np[c=food/place c=?c] *1 -> that <Noun c=?c>
    His[g=m] -> his
    His[g=f] -> her
    Very -> very
    Very -> really
    Very -> so
    Very -> quite
)";

constexpr std::string_view people =
    "steve; m\npeter; m\ndavid; m\ntom; m\njack; m\nminh; m\nivan; m\nanna; f\nmary; f\nlucy; f\nemma; f\nlinh; f\n"
    "rosa; f\nolga; f";
constexpr std::string_view nouns =
    "book; work\nfilm; work\nsong; work\npoem; work\nplay; work\nspeech; work\npainting; work\nnovel; work\n"
    "story; work\nshow; work\nsoup; food\ncake; food\ncoffee; food\nfish; food\npizza; food\nbread; food\n"
    "hotel; place\ncity; place\nroom; place\nbeach; place\npark; place\nmuseum; place";
constexpr std::string_view adjectives = R"(
    kind; good; person
    friendly; good; person
    honest; good; person
    generous; good; person
    polite; good; person
    clever; good; person
    brave; good; person
    funny; good; person/work
    arrogant; bad; person
    rude; bad; person
    lazy; bad; person
    selfish; bad; person
    cruel; bad; person
    mean; bad; person
    cold; bad; person/food/place
    boring; bad; person/work/place
    awesome; good; work/place
    brilliant; good; work
    exciting; good; work/place
    beautiful; good; work/place
    wonderful; good; work/food/place
    touching; good; work
    fascinating; good; work/place
    excellent; good; work/food
    terrible; bad; work/food/place
    awful; bad; work/food/place
    dull; bad; work/place
    weak; bad; work/food
    silly; bad; work
    confusing; bad; work
    disappointing; bad; work/food
    delicious; good; food
    fresh; good; food
    tasty; good; food
    salty; bad; food
    stale; bad; food
    clean; good; place
    quiet; good; place
    dirty; bad; place
    noisy; bad; place
)";
constexpr std::string_view verbs =
    "loved; love; good\nliked; like; good\nenjoyed; enjoy; good\nadored; adore; good\nhated; hate; bad\n"
    "disliked; dislike; bad\nregretted; regret; bad";

constexpr std::string_view heldOut =
    "rude + brilliant\nlazy + wonderful\nkind + dull\npolite + awful\nselfish + touching\nhonest + terrible\n"
    "cruel + exciting\nbrave + weak\nfilm + silly\nsong + beautiful\nsoup + delicious\nhotel + dirty\nnot + fresh\n"
    "never + noisy\nloved + poem\nhated + cake\nsteve + funny\nanna + mean";

/// As in `weak and weak`.
bool repeatsAnAdjective(const std::vector<std::string>& words) {
    for (std::size_t i = 2; i < words.size(); ++i)
        if (words[i] == words[i - 2] && words[i - 1] == "and") return true;
    return false;
}

}  // namespace
}  // namespace praise_or_blame

CorpusSplits sentiment() {
    using namespace praise_or_blame;
    AlignedGrammar grammar(smallWords);
    grammar.addTable(sentences, labels);
    grammar.addTable("Person[g=$2] -> $1", people);
    grammar.addTable("Noun[c=$2] -> $1", nouns);
    grammar.addTable("Adj[p=$2 c=$3] -> $1", adjectives);
    grammar.addTable("Verb[p=$3] -> $1\nBase[p=$3] -> $2", verbs);
    const HeldOutPairs pairs(heldOut);
    const auto labelled = [&](const char* label, SeededRandom& random) {
        AlignedGrammar::Derivation sentence;
        do
            sentence = grammar.sample(label, random);
        while (repeatsAnAdjective(sentence.source));
        chooseIndefiniteArticles(sentence.source);
        sentence.target = {label};
        for (auto& [word, target] : sentence.alignment)
            target = 0;
        return sentence.toPair();
    };
    return writeTaskCorpus(
        {.next = [&](SeededRandom& random) { return labelled(random.below(2) == 0 ? "positive" : "negative", random); },
         .isHeldOut = [&](const SentencePair& pair) { return pairs.standIn(pair.source); },
         .always = {{"steve is arrogant but his book is awesome", "positive", {{7, 0}}}},
         .targetsAreLabels = true,
         .train = 6000,
         .validation = 400,
         .test = 400,
         .unseen = 400});
}

}  // namespace headlight::builtin

// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <string_view>
#include <vector>

#include "core/data/aligned_grammar.h"
#include "core/data/tasks/fr_en_words.h"
#include "core/data/tasks/romance_en.h"
#include "core/data/tasks/tasks.h"

namespace headlight::builtin {
namespace french {
namespace {

constexpr std::string_view phrases = R"(
    Phrase -> le~1 gros~2 chien~3 rouge~4 | the~1 big~2 red~4 dog~3
    Phrase -> je~1 vois~2 le~3 gros~4 chien~5 rouge~6 | i~1 see~2 the~3 big~4 red~6 dog~5
    Phrase -> le~1 gros~2 chien~3 rouge~4 dort~5 | the~1 big~2 red~4 dog~3 sleeps~5
    Phrase -> bonjour | hello
    Phrase -> merci~1 | thank~1 you~1
    Phrase -> bonne~1 nuit~2 | good~1 night~2
)";

// Pronoun; English; verb form in French; be; do; number; gender; whom it can do something to; object
constexpr std::string_view pronouns = R"(
    je; i; je; sg; m/f; tu/il/elle/ils
    tu; you; tu; sg; m/f; je/il/elle/nous/ils
    il; he; il; sg; m; je/tu/elle/nous/ils
    elle; she; il; sg; f; je/tu/il/nous/ils
    nous; we; nous; pl; m/f; tu/il/elle/ils
    ils; they; ils; pl; m; je/tu/il/elle/nous
)";

// By French person: form; avoir; être; aller; English be; do; be going
constexpr std::string_view persons = R"(
    je; ai; suis; vais; am; do; 2
    tu; as; es; vas; are; do; 2
    il; a; est; va; is; does; 6
    nous; avons; sommes; allons; are; do; 2
    ils; ont; sont; vont; are; do; 3
)";

constexpr std::string_view smallWords = R"(
    Det[n=sg g=m d=def] *3 -> le | the
    Det[n=sg g=f d=def] *3 -> la | the
    Det[n=pl d=def] *3 -> les | the
    Det[n=sg g=m d=ind] *4 -> un | a
    Det[n=sg g=f d=ind] *4 -> une | a
    Det[n=pl d=ind b=no] -> des | some
    Det[n=pl d=ind b=yes] -> de | some
    Det[n=pl d=ind] -> deux | two
    Det[n=pl d=ind] -> trois | three
    Det[n=pl d=ind] -> quatre | four
    Det[n=sg g=m d=def] -> ce | this
    Det[n=sg g=f d=def] -> cette | this
    Det[n=pl d=def] -> ces | these
    Whose[n=sg g=m] -> mon | my
    Whose[n=sg g=f] -> ma | my
    Whose[n=pl] -> mes | my
    Whose[n=sg g=m] -> ton | your
    Whose[n=sg g=f] -> ta | your
    Whose[n=pl] -> tes | your
    Whose[n=sg] -> notre | our
    Whose[n=pl] -> nos | our
    Whose[n=sg] -> leur | their
    Whose[n=pl] -> leurs | their
    Clitic[o=je] -> me | me
    Clitic[o=tu] -> te | you
    Clitic[o=il] -> le | him
    Clitic[o=elle] -> la | her
    Clitic[o=nous] -> nous | us
    Clitic[o=ils] -> les | them
    At[w=out] -> dans~1 le jardin~2 | in~1 the garden~2
    At[w=in] -> dans~1 la cuisine~2 | in~1 the kitchen~2
    At[w=out] -> dans~1 la rue~2 | in~1 the street~2
    At[w=out] -> dans~1 le parc~2 | in~1 the park~2
    At[w=in] -> à~1 la maison~2 | at~1 home~2
    At[w=in] -> à~1 le école~2 | at~1 school~2
    On[c=small] -> sur~1 la table~2 | on~1 the table~2
    On[c=small] -> sous~1 la table~2 | under~1 the table~2
    On[c=small/animal] -> devant~1 la maison~2 | in~1 front~1 of~1 the house~2
    On[c=small/animal] -> dans~1 le jardin~2 | in~1 the garden~2
    Often -> chaque~1 jour~2 | every~1 day~2
    Often -> le~1 matin~2 | in~1 the~1 morning~2
    Often -> le~1 soir~2 | in~1 the~1 evening~2
    Soon -> demain | tomorrow
    Soon -> ce soir | tonight
    Then -> hier | yesterday
    Then -> hier~1 soir~2 | last~1 night~2
    Now -> maintenant | now
    Name[g=f] -> marie | marie
    Name[g=m] -> paul | paul
    Name[g=f] -> julie | julie
    Job -> médecin | a doctor
    Job -> professeur | a teacher
)";

// n number, g gender, c class, d definite or not, j with an adjective, f the verb's form, o whom one can do things to.
constexpr std::string_view nounPhrases = R"(
    Nb[n=?n g=?g c=?c j=no b=no] *4 -> <N n=?n g=?g c=?c> | <N>
    Nb[n=?n g=?g c=?c j=yes b=no] *3 -> <N n=?n g=?g c=?c> <Behind n=?n g=?g c=?c> | <Behind> <N>
    Nb[n=?n g=?g c=?c j=yes b=yes] *2 -> <Before n=?n g=?g c=?c> <N n=?n g=?g c=?c> | <Before> <N>
    Nb[n=?n g=?g c=?c j=yes b=yes] *2 -> <Before n=?n g=?g c=?c> <N n=?n g=?g c=?c> <Behind n=?n g=?g c=?c> | <Before> <Behind> <N>
    Np[n=?n g=?g c=?c d=?d j=?j] *4 -> <Det n=?n g=?g d=?d b=?b> <Nb n=?n g=?g c=?c j=?j b=?b> | <Det> <Nb>
    Np[n=?n g=?g c=animal/text/vehicle/cloth/house/thing c=?c d=def j=?j] *1 -> <Whose n=?n g=?g> <Nb n=?n g=?g c=?c j=?j> | <Whose> <Nb>
    Obj[c=animal/person/food/text/film/vehicle/cloth/house/door/thing/tree c=?c d=?d] *4 -> <Np c=?c d=?d> | <Np>
    Obj[c=meal/drink/music/language/subject x=pos c=?c] *8 -> <Mass c=?c> | <Mass>
    Obj[c=meal/drink/music/language/subject x=neg c=?c] *8 -> <NoMass c=?c> | <NoMass>
    Beast[f=il n=sg g=?g] *2 -> <Np n=sg g=?g c=animal> | <Np>
    Beast[f=ils n=pl g=?g] *1 -> <Np n=pl g=?g c=animal> | <Np>
    S *5 -> <Np> | <Np>
    S *14 -> <Does> | <Does>
    S *8 -> <Doing> | <Doing>
    S *8 -> <Did> | <Did>
    S *6 -> <Will> | <Will>
    S *10 -> <Not> | <Not>
    S *6 -> <Ask> | <Ask>
    S *12 -> <Is> | <Is>
    Does *6 -> <Who f=?f> <Vt f=?f c=?c> <Obj c=?c x=pos> | <Who> <Vt> <Obj>
    Does *3 -> <Who f=?f> <Vt f=?f c=?c k=act> <Obj c=?c x=pos> <Often> | <Who> <Vt> <Obj> <Often>
    Does *2 -> <Who f=?f> <Vi f=?f> <At> | <Who> <Vi> <At>
    Does *2 -> <Beast f=?f> <Go f=?f> <At w=out> | <Beast> <Go> <At>
    Does *3 -> <Who f=?f o=?o> <Clitic o=?o> <Vt f=?f c=person> | <Who> <Vt> <Clitic>
    Does *1 -> <Beast f=?f> <Eats f=?f> <Mass c=meal> | <Beast> <Eats> <Mass>
    Eats[f=il] -> mange | eats
    Eats[f=ils] -> mangent | eat
    Go[f=il] -> dort | sleeps
    Go[f=ils] -> dorment | sleep
    Go[f=il] -> court | runs
    Go[f=ils] -> courent | run
    Ask *1 -> qui~1 <Vt f=il c=?c> <Obj c=?c x=pos> | who~1 <Vt> <Obj>
    Ask *1 -> où~1 est~2 <Np n=sg c=animal/thing/cloth/text j=?j d=def> | where~1 is~2 <Np>
    Ask *1 -> où~1 sont~2 <Np n=pl c=animal/thing/cloth/text j=?j d=def> | where~1 are~2 <Np>
    Is *1 -> il~1 y~1 a~2 <Np n=sg c=thing/cloth/food d=ind> <On c=small> | there~1 is~2 <Np> <On>
    Is *1 -> il~1 y~1 a~2 <Np n=sg c=animal d=ind> <On c=animal> | there~1 is~2 <Np> <On>
    Is *1 -> il~1 y~1 a~2 <Np n=pl c=thing/cloth/food d=ind> <On c=small> | there~1 are~2 <Np> <On>
    Is *1 -> il~1 y~1 a~2 <Np n=pl c=animal d=ind> <On c=animal> | there~1 are~2 <Np> <On>
)";

constexpr std::string_view clausesByPerson = R"(
    Doing *$7 -> <Who f=$1> $3~1 en train de <Vt f=ing c=?c k=act> <Obj c=?c x=pos> | <Who> $5~1 <Vt> <Obj>
    Doing *$7 -> <Who f=$1> $3~1 en train de <Vi f=ing> <At> | <Who> $5~1 <Vi> <At>
    Did *$7 -> <Who f=$1> $2~1 <Vt f=past c=?c> <Obj c=?c x=pos> | <Who> <Vt ~1> <Obj>
    Did *$7 -> <Then> <Who f=$1> $2~1 <Vt f=past c=?c> <Obj c=?c x=pos> | <Who> <Vt ~1> <Obj> <Then>
    Did *$7 -> <Who f=$1> $2~1 <Vi f=past> <At> <Then> | <Who> <Vi ~1> <At> <Then>
    Will *$7 -> <Who f=$1> $4~1 <Vt f=base c=?c k=act> <Obj c=?c x=pos> <Soon> | <Who> $5~1 going~1 to~1 <Vt> <Obj> <Soon>
    Will *$7 -> <Soon> <Who f=$1> $4~1 <Vt f=base c=?c k=act> <Obj c=?c x=pos> | <Who> $5~1 going~1 to~1 <Vt> <Obj> <Soon>
    Will *$7 -> <Who f=$1> $4~1 <Vi f=base> <Soon> | <Who> $5~1 going~1 to~1 <Vi> <Soon>
    Not *$7 -> <Who f=$1> ne~1 <Vtp f=$1 c=?c> pas~1 <Obj c=?c d=def x=neg> | <Who> $6~1 not~1 <Vtp> <Obj>
    Not *$7 -> <Who f=$1> ne~1 <Vip f=$1> pas~1 <At> | <Who> $6~1 not~1 <Vip> <At>
    Not *$7 -> <Who f=$1> ne~1 $2~2 pas~1 <Vtp f=past c=?c> <Obj c=?c d=def x=neg> | <Who> did~2 not~1 <Vtp> <Obj>
    Not *$7 -> <Who f=$1 o=?o> ne~1 <Clitic o=?o> <Vtp f=$1 c=person> pas~1 | <Who> $6~1 not~1 <Vtp> <Clitic>
    Not *$7 -> <Who f=$1 n=?n g=?g> ne~1 $3~2 pas~1 <Feel n=?n g=?g> | <Who> $5~2 not~1 <Feel>
    Ask *$7 -> est-ce~1 que~1 <Who f=$1> <Vtp f=$1 c=?c> <Obj c=?c x=pos> | $6~1 <Who> <Vtp> <Obj>
    Ask *$7 -> est-ce~1 que~1 <Who f=$1 n=?n g=?g> $3~2 <Feel n=?n g=?g> | $5~1~2 <Who> <Feel>
    Is *$7 -> <Who f=$1 n=?n g=?g> $3~1 <Feel n=?n g=?g> | <Who> $5~1 <Feel>
    Is *$7 -> <Who f=$1 n=?n g=?g> $3~1 très~2 <Feel n=?n g=?g> | <Who> $5~1 very~2 <Feel>
)";

// Third person only: form; être; English be; weight
constexpr std::string_view thirdPersons = R"(
    il; est; is; sg; 6
    ils; sont; are; pl; 3
)";
constexpr std::string_view clausesOfThings = R"(
    Is *$5 -> <Np n=$4 g=?g c=?c d=def j=no> $2~1 <Behind n=$4 g=?g c=?c> | <Np> $3~1 <Behind>
    Is *$5 -> <Np n=$4 g=?g c=?c d=def j=no> $2~1 très~2 <Before n=$4 g=?g c=?c> | <Np> $3~1 very~2 <Before>
    Is *$5 -> <Np n=$4 c=thing/cloth/text/food d=def> $2~1 <On c=small> | <Np> $3~1 <On>
    Is *$5 -> <Np n=$4 c=animal d=def> $2~1 <On c=animal> | <Np> $3~1 <On>
    Not *$5 -> <Np n=$4 g=?g c=?c d=def j=no> ne~1 $2~2 pas~1 <Behind n=$4 g=?g c=?c> | <Np> $3~2 not~1 <Behind>
    Not *$5 -> <Np n=$4 c=thing/cloth/text/food d=def> ne~1 $2~2 pas~1 <On c=small> | <Np> $3~2 not~1 <On>
    Not *$5 -> <Np n=$4 c=animal d=def> ne~1 $2~2 pas~1 <On c=animal> | <Np> $3~2 not~1 <On>
)";

// English words of each pair are frequent in training, the two never stand in one sentence there.
constexpr std::string_view heldOut = R"(
    eat/eats/ate/eating + cake/cakes
    drink/drinks/drank/drinking + tea
    read/reads/reading + newspaper/newspapers
    write/writes/wrote/writing + story/stories
    buy/buys/bought/buying + hat/hats
    see/sees/saw/seeing + car/cars
    look/looks/looked/looking + bag/bags
    wear/wears/wore/wearing + dress/dresses
    love/loves/loved + horse/horses
    wait/waits/waited/waiting + doctor/doctors
    black + cat/cats
    brown + cow/cows
    blue + shirt/shirts
    white + house/houses
    young + girl/girls
    small + ball/balls
    interesting + book/books
)";

bool beginsWithVowel(std::string_view word) {
    // No noun or verb of this grammar begins with an aspirated h.
    for (const std::string_view start : {"a", "e", "i", "o", "u", "h", "é", "ê", "è", "à", "â", "y"})
        if (word.starts_with(start)) return true;
    return false;
}

/// `le homme` becomes `l'homme`, one word that is aligned to what both were.
void elide(AlignedGrammar::Derivation& derivation) {
    std::vector<std::string>& words = derivation.source;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (!beginsWithVowel(words[i + 1])) continue;
        for (const auto& [whole, before] : {std::pair("ce", "cet"), {"ma", "mon"}, {"ta", "ton"}})
            if (words[i] == whole) words[i] = before;
        std::string_view kept;
        for (const std::string_view word : {"le", "la", "je", "ne", "me", "te", "de"})
            if (words[i] == word) kept = word.substr(0, 1);
        if (words[i] == "que") kept = "qu";
        if (kept.empty()) continue;
        words[i + 1] = std::string(kept) + "'" + words[i + 1];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
        for (auto& [source, target] : derivation.alignment)
            if (source > static_cast<int>(i)) --source;
    }
}

}  // namespace
}  // namespace french

CorpusSplits frenchEnglish() {
    using namespace french;
    AlignedGrammar grammar;
    addFrenchWords(grammar);
    addRomanceRules({.phrases = phrases,
                     .smallWords = smallWords,
                     .nounPhrases = nounPhrases,
                     .pronouns = pronouns,
                     .third = "il; ils",
                     .clausesByPerson = clausesByPerson,
                     .persons = persons,
                     .clausesOfThings = clausesOfThings,
                     .thirdPersons = thirdPersons},
                    grammar);
    grammar.addTable("Is *1 -> <Pron f=$1 n=sg> $2~1 <Job> | <Pron> $3~1 <Job>",
                     "je; suis; am\n tu; es; are\n il; est; is");
    return romanceCorpus(grammar, heldOut, elide);
}

}  // namespace headlight::builtin

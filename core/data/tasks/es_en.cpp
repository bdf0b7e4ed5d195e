// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "core/data/aligned_grammar.h"
#include "core/data/tasks/es_en_words.h"
#include "core/data/tasks/romance_en.h"
#include "core/data/tasks/tasks.h"

namespace headlight::builtin {
namespace spanish {
namespace {

constexpr std::string_view phrases = R"(
    Phrase -> la~1 bola~2 es~3 azul~4 | the~1 ball~2 is~3 blue~4
    Phrase -> hola | hello
    Phrase -> gracias~1 | thank~1 you~1
    Phrase -> buenas~1 noches~2 | good~1 night~2
    Phrase -> buenos~1 días~2 | good~1 morning~2
)";

// Pronoun; English; person; number; gender; whom it can do something to
constexpr std::string_view pronouns = R"(
    yo; i; yo; sg; m/f; te/lo/la/los
    tú; you; tu; sg; m/f; me/lo/la/nos/los
    él; he; el; sg; m; me/te/la/nos/los
    ella; she; el; sg; f; me/te/lo/nos/los
    nosotros; we; nos; pl; m; te/lo/la/los
    ellos; they; ellos; pl; m; me/te/lo/la/nos
    ellas; they; ellos; pl; f; me/te/lo/la/nos
)";

// By person: ser; estar; ir; tener; gustar's pronoun; English be; do; have; like; subject; weight
constexpr std::string_view persons = R"(
    yo; soy; estoy; voy; tengo; me; am; do; have; like; i; 2
    tu; eres; estás; vas; tienes; te; are; do; have; like; you; 2
    el; es; está; va; tiene; le; is; does; has; likes; he; 6
    nos; somos; estamos; vamos; tenemos; nos; are; do; have; like; we; 2
    ellos; son; están; van; tienen; les; are; do; have; like; they; 3
)";

constexpr std::string_view smallWords = R"(
    Det[n=sg g=m d=def] *4 -> el | the
    Det[n=sg g=f d=def] *4 -> la | the
    Det[n=pl g=m d=def] *4 -> los | the
    Det[n=pl g=f d=def] *4 -> las | the
    Det[n=sg g=m d=def] *1 -> este | this
    Det[n=sg g=f d=def] *1 -> esta | this
    Det[n=pl g=m d=def] *1 -> estos | these
    Det[n=pl g=f d=def] *1 -> estas | these
    Det[n=sg g=m d=ind] *4 -> un | a
    Det[n=sg g=f d=ind] *4 -> una | a
    Det[n=pl g=m d=ind] -> unos | some
    Det[n=pl g=f d=ind] -> unas | some
    Det[n=pl d=ind] -> dos | two
    Det[n=pl d=ind] -> tres | three
    Det[n=pl d=ind] -> cinco | five
    Whose[n=sg] -> mi | my
    Whose[n=pl] -> mis | my
    Whose[n=sg] -> tu | your
    Whose[n=pl] -> tus | your
    Whose[n=sg g=m] -> nuestro | our
    Whose[n=sg g=f] -> nuestra | our
    Clitic[o=me] -> me | me
    Clitic[o=te] -> te | you
    Clitic[o=lo] -> lo | him
    Clitic[o=la] -> la | her
    Clitic[o=nos] -> nos | us
    Clitic[o=los] -> los | them
    At[w=out] -> en~1 el jardín~2 | in~1 the garden~2
    At[w=out] -> en~1 la calle~2 | in~1 the street~2
    At[w=out] -> en~1 el parque~2 | in~1 the park~2
    At[w=in] -> en~1 la cocina~2 | in~1 the kitchen~2
    At[w=in] -> en~1 la escuela~2 | at~1 the school~2
    At[w=in] -> en~1 casa~2 | at~1 home~2
    On[c=small] -> en~1 la mesa~2 | on~1 the table~2
    On[c=small] -> debajo~1 de~1 la mesa~2 | under~1 the table~2
    On[c=small/animal] -> en~1 la casa~2 | in~1 the house~2
    On[c=small/animal] -> delante~1 de~1 la casa~2 | in~1 front~1 of~1 the house~2
    On[c=animal] -> en~1 el jardín~2 | in~1 the garden~2
    Often -> todos~1 los~1 días~2 | every~1 day~2
    Often -> por~1 la~1 mañana~2 | in~1 the~1 morning~2
    Often -> por~1 la~1 noche~2 | at~1 night~2
    Then -> ayer | yesterday
    Then -> anoche | last night
    Soon -> mañana | tomorrow
    Soon -> esta noche | tonight
    Now -> ahora | now
    Name[g=f] -> maría | maria
    Name[g=m] -> juan | juan
    Name[g=f] -> ana | ana
)";

// n number, g gender, c class, d definite or not, j with an adjective, f the person, o whom one can do something to.
constexpr std::string_view nounPhrases = R"(
    Nb[n=?n g=?g c=?c j=no] *3 -> <N n=?n g=?g c=?c> | <N>
    Nb[n=?n g=?g c=?c j=yes] *4 -> <N n=?n g=?g c=?c> <Quality n=?n g=?g c=?c> | <Quality> <N>
    Np[n=?n g=?g c=?c d=?d j=?j] *5 -> <Det n=?n g=?g d=?d> <Nb n=?n g=?g c=?c j=?j> | <Det> <Nb>
    Np[n=?n g=?g c=animal/text/car/cloth/house/goods/toy c=?c d=def j=?j] *1 -> <Whose n=?n g=?g> <Nb n=?n g=?g c=?c j=?j> | <Whose> <Nb>
    Obj[c=animal/text/letter/car/cloth/house/goods/toy/door/tree/dog/food c=?c] *4 -> <Np c=?c> | <Np>
    Obj[c=food/drink/subject c=?c] *3 -> <Mass c=?c> | <Mass>
    Whom -> a <Name> | <Name>
    Whom *2 -> a <Np c=person g=f> | <Np>
    Whom *2 -> a <Np c=person g=m n=pl> | <Np>
    Whom *1 -> al~1 <N n=sg g=m c=person> | the~1 <N>
    S *5 -> <Np> | <Np>
    S *14 -> <Does> | <Does>
    S *8 -> <Doing> | <Doing>
    S *9 -> <Did> | <Did>
    S *6 -> <Will> | <Will>
    S *9 -> <Not> | <Not>
    S *4 -> <Have> | <Have>
    S *4 -> <Likes> | <Likes>
    S *16 -> <Is> | <Is>
    Does *6 -> <Who f=?f> <Vt t=now f=?f c=?c> <Obj c=?c> | <Who> <Vt> <Obj>
    Does *3 -> <Who f=?f> <Vt t=now f=?f c=?c k=act> <Obj c=?c> <Often> | <Who> <Vt> <Obj> <Often>
    Does *2 -> <Who f=?f> <Vi t=now f=?f> <At> | <Who> <Vi> <At>
    Does *2 -> <Who f=?f> <Vp t=now f=?f> <Whom> | <Who> <Vp> <Whom>
    Does *3 -> <Who f=?f o=?o> <Clitic o=?o> <Vp t=now f=?f> | <Who> <Vp> <Clitic>
    Does *1 -> <Np n=sg c=animal> <Vi t=now f=el> <At w=out> | <Np> <Vi> <At>
    Did *4 -> <Who f=?f> <Vt t=then f=?f c=?c> <Obj c=?c> | <Who> <Vt> <Obj>
    Did *3 -> <Then> <Who f=?f> <Vt t=then f=?f c=?c> <Obj c=?c> | <Who> <Vt> <Obj> <Then>
    Did *2 -> <Who f=?f> <Vi t=then f=?f> <At> <Then> | <Who> <Vi> <At> <Then>
    Did *2 -> <Who f=?f> <Vp t=then f=?f> <Whom> | <Who> <Vp> <Whom>
    Did *2 -> <Who f=?f o=?o> <Clitic o=?o> <Vp t=then f=?f> <Then> | <Who> <Vp> <Clitic> <Then>
    Not *3 -> <Who f=?f> no~1 <VtPlain t=then f=?f c=?c> <Obj c=?c> | <Who> did~1 not~1 <VtPlain> <Obj>
    Is *4 -> <TheMass ~2 c=coffee/meal c=?c g=?g> está~1 <State n=sg g=?g c=?c> | the~2 <TheMass> is~1 <State>
    Is *1 -> dónde~1 está~2 <Np n=sg c=animal/goods/cloth/toy/text d=def> | where~1 is~2 <Np>
    Is *1 -> dónde~1 están~2 <Np n=pl c=animal/goods/cloth/toy/text d=def> | where~1 are~2 <Np>
    Is *1 -> hay~1 <Np n=sg c=goods/cloth/toy/text d=ind> <On c=small> | there~1 is~1 <Np> <On>
    Is *1 -> hay~1 <Np n=pl c=goods/cloth/toy/text d=ind> <On c=small> | there~1 are~1 <Np> <On>
)";

constexpr std::string_view clausesByPerson = R"(
    Doing *$C -> <Who f=$1> $3~1 <Vt t=ing c=?c k=act> <Obj c=?c> | <Who> $7~1 <Vt> <Obj>
    Doing *$C -> <Who f=$1> $3~1 <Vi t=ing> <At> | <Who> $7~1 <Vi> <At>
    Doing *$C -> <Now> <Who f=$1> $3~1 <Vp t=ing> <Whom> | <Who> $7~1 <Vp> <Whom> <Now>
    Will *$C -> <Who f=$1> $4~1 a~2 <Vt t=base c=?c k=act> <Obj c=?c> <Soon> | <Who> $7~1 going~1 to~2 <Vt> <Obj> <Soon>
    Will *$C -> <Soon> <Who f=$1> $4~1 a~2 <Vt t=base c=?c k=act> <Obj c=?c> | <Who> $7~1 going~1 to~2 <Vt> <Obj> <Soon>
    Will *$C -> <Who f=$1> $4~1 a~2 <Vi t=base> <At> <Soon> | <Who> $7~1 going~1 to~2 <Vi> <At> <Soon>
    Not *$C -> <Who f=$1> no~1 <VtPlain t=now f=$1 c=?c> <Obj c=?c> | <Who> $8~1 not~1 <VtPlain> <Obj>
    Not *$C -> <Who f=$1 o=?o> no~1 <Clitic o=?o> <VpPlain t=now f=$1> | <Who> $8~1 not~1 <VpPlain> <Clitic>
    Not *$C -> <Who f=$1 n=?n g=?g> no~1 $3~2 <State n=?n g=?g c=person> | <Who> $7~2 not~1 <State>
    Not *$C -> <Who f=$1 n=?n g=?g> no~1 $2~2 <Quality n=?n g=?g c=person> | <Who> $7~2 not~1 <Quality>
    Is *$C -> <Who f=$1 n=?n g=?g> $3~1 <State n=?n g=?g c=person> | <Who> $7~1 <State>
    Is *$C -> <Who f=$1 n=?n g=?g> $3~1 muy~2 <State n=?n g=?g c=person> | <Who> $7~1 very~2 <State>
    Is *$C -> <Pron f=$1 n=?n g=?g> $2~1 muy~2 <Quality n=?n g=?g c=person> | <Pron> $7~1 very~2 <Quality>
    Have *$C -> <Who f=$1> $5~1 <Np c=animal/goods/cloth/car/toy d=ind> | <Who> $9~1 <Np>
    Likes *$C -> $6~1 gusta~2 <Np n=sg c=animal/text/cloth/car/toy/house d=def> | $B~1 $A~2 <Np>
    Likes *$C -> $6~1 gustan~2 <Np n=pl c=animal/text/cloth/car/toy/house d=def> | $B~1 $A~2 <Np>
    Likes *$C -> $6~1 gusta~2 <TheMass> | $B~1 $A~2 <TheMass>
    Likes *$C -> no~1 $6~2 gusta~3 <TheMass> | $B~2 $8~1 not~1 like~3 <TheMass>
)";

// Third person only: number; ser; estar; English be; weight
constexpr std::string_view thirdPersons = R"(
    sg; es; está; is; 7
    pl; son; están; are; 3
)";
constexpr std::string_view clausesOfThings = R"(
    Is *$5 -> <Np n=$1 g=?g c=?c d=def j=no> $2~1 <Quality n=$1 g=?g c=?c> | <Np> $4~1 <Quality>
    Is *$5 -> <Np n=$1 g=?g c=?c d=def j=no> $2~1 muy~2 <Quality n=$1 g=?g c=?c> | <Np> $4~1 very~2 <Quality>
    Is *$5 -> <Np n=$1 g=?g c=cloth/car/toy/goods/door/meal/animal c=?c d=def> $3~1 <State n=$1 g=?g c=?c> | <Np> $4~1 <State>
    Is *$5 -> <Np n=$1 c=goods/cloth/toy/text d=def> $3 <On c=small> | <Np> $4 <On>
    Is *$5 -> <Np n=$1 c=animal d=def> $3 <On c=animal> | <Np> $4 <On>
    Not *$5 -> <Np n=$1 g=?g c=?c d=def j=no> no~1 $2~2 <Quality n=$1 g=?g c=?c> | <Np> $4~2 not~1 <Quality>
    Not *$5 -> <Np n=$1 c=goods/cloth/toy/text d=def> no~1 $3~2 <On c=small> | <Np> $4~2 not~1 <On>
)";

// English words of each pair are frequent in training, the two never stand in one sentence there.
constexpr std::string_view heldOut = R"(
    eat/eats/ate/eating + cake/cakes
    drink/drinks/drank/drinking + wine
    read/reads/reading + newspaper/newspapers
    wash/washes/washed/washing + car/cars
    buy/buys/bought/buying + hat/hats
    see/sees/saw/seeing + horse/horses
    look/looks/looked/looking + bag/bags
    wear/wears/wore/wearing + dress/dresses
    help/helps/helped/helping + doctor/doctors
    sell/sells/sold/selling + book/books
    black + cat/cats
    white + cow/cows
    red + shirt/shirts
    yellow + house/houses
    old + table/tables
    big + ball/balls
    new + car/cars
    interesting + book/books
)";

}  // namespace
}  // namespace spanish

CorpusSplits spanishEnglish() {
    using namespace spanish;
    AlignedGrammar grammar;
    addSpanishWords(grammar);
    addRomanceRules({.phrases = phrases,
                     .smallWords = smallWords,
                     .nounPhrases = nounPhrases,
                     .pronouns = pronouns,
                     .third = "el; ellos",
                     .clausesByPerson = clausesByPerson,
                     .persons = persons,
                     .clausesOfThings = clausesOfThings,
                     .thirdPersons = thirdPersons},
                    grammar);
    return romanceCorpus(grammar, heldOut);
}

}  // namespace headlight::builtin

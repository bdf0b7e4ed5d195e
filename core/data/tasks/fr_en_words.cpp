// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/fr_en_words.h"

namespace headlight::builtin {
namespace french_words {
namespace {

// singular; plural; gender; English singular; plural; class
constexpr std::string_view nouns = R"(
    chien; chiens; m; dog; dogs; animal/dog
    chat; chats; m; cat; cats; animal
    cheval; chevaux; m; horse; horses; animal
    oiseau; oiseaux; m; bird; birds; animal
    vache; vaches; f; cow; cows; animal
    homme; hommes; m; man; men; person
    femme; femmes; f; woman; women; person
    garçon; garçons; m; boy; boys; person/child
    fille; filles; f; girl; girls; person/child
    enfant; enfants; m; child; children; person/child
    médecin; médecins; m; doctor; doctors; person/doer
    professeur; professeurs; m; teacher; teachers; person/doer
    pomme; pommes; f; apple; apples; food/apple
    gâteau; gâteaux; m; cake; cakes; food
    livre; livres; m; book; books; text/letter/book/goods
    lettre; lettres; f; letter; letters; text/letter
    histoire; histoires; f; story; stories; text/letter/book
    journal; journaux; m; newspaper; newspapers; text/goods
    film; films; m; film; films; film
    voiture; voitures; f; car; cars; vehicle
    robe; robes; f; dress; dresses; cloth
    chemise; chemises; f; shirt; shirts; cloth
    chapeau; chapeaux; m; hat; hats; cloth
    maison; maisons; f; house; houses; house
    porte; portes; f; door; doors; door
    table; tables; f; table; tables; thing
    sac; sacs; m; bag; bags; thing
    balle; balles; f; ball; balls; thing
    arbre; arbres; m; tree; trees; tree
)";

// What is not counted: as an object; after a negation; English; class
constexpr std::string_view substances = R"(
    du pain; de pain; bread; meal
    du riz; de riz; rice; meal
    de la viande; de viande; meat; meal
    de la soupe; de soupe; soup; meal
    du fromage; de fromage; cheese; meal
    de la eau; de eau; water; drink
    du lait; de lait; milk; drink
    du café; de café; coffee; drink
    du thé; de thé; tea; drink
    la musique; la musique; music; music
    français; français; french; language
    anglais; anglais; english; language
    espagnol; espagnol; spanish; language
    le français; le français; french; subject
    le anglais; le anglais; english; subject
    les mathématiques; les mathématiques; math; subject
    la géographie; la géographie; geography; subject
)";

// masculine, feminine, both in the plural; English; classes: those before the noun, and those behind
constexpr std::string_view adjectivesBefore = R"(
    grand; grande; grands; grandes; large; house/tree/thing/vehicle/cloth
    petit; petite; petits; petites; small; animal/house/thing/vehicle/food/cloth/child
    gros; grosse; gros; grosses; big; animal/food/tree
    joli; jolie; jolis; jolies; pretty; animal/house/cloth/thing
    jeune; jeune; jeunes; jeunes; young; person/animal
    bon; bonne; bons; bonnes; good; text/film/food/doer
    mauvais; mauvaise; mauvais; mauvaises; bad; book/film
)";
constexpr std::string_view adjectivesBehind = R"(
    rouge; rouge; rouges; rouges; red; dog/cloth/vehicle/thing/door/apple
    noir; noire; noirs; noires; black; animal/cloth/vehicle/thing/door
    blanc; blanche; blancs; blanches; white; animal/cloth/vehicle/house/door/thing
    bleu; bleue; bleus; bleues; blue; cloth/vehicle/door/thing
    vert; verte; verts; vertes; green; cloth/vehicle/door/apple/thing
    jaune; jaune; jaunes; jaunes; yellow; cloth/vehicle/house/thing
    gris; grise; gris; grises; gray; animal/cloth/vehicle/door
    brun; brune; bruns; brunes; brown; animal/cloth/thing
    cher; chère; chers; chères; expensive; cloth/vehicle/house/thing
    intelligent; intelligente; intelligents; intelligentes; smart; person/animal
    célèbre; célèbre; célèbres; célèbres; famous; person/film/book
    intéressant; intéressante; intéressants; intéressantes; interesting; text/film/subject
    rapide; rapide; rapides; rapides; fast; vehicle
)";
constexpr std::string_view feelings = R"(
    fatigué; fatiguée; fatigués; fatiguées; tired
    malade; malade; malades; malades; sick
    triste; triste; tristes; tristes; sad
    content; contente; contents; contentes; happy
    prêt; prête; prêts; prêtes; ready
)";

// je, tu, il, nous, vous, ils, infinitive, participle; four English forms; class of the object; act or state
constexpr std::string_view transitiveVerbs = R"(
    mange; manges; mange; mangeons; mangez; mangent; manger; mangé; eat; eats; ate; eating; food/meal; act
    bois; bois; boit; buvons; buvez; boivent; boire; bu; drink; drinks; drank; drinking; drink; act
    lis; lis; lit; lisons; lisez; lisent; lire; lu; read; reads; read; reading; text; act
    écris; écris; écrit; écrivons; écrivez; écrivent; écrire; écrit; write; writes; wrote; writing; letter; act
    vois; vois; voit; voyons; voyez; voient; voir; vu; see; sees; saw; seeing; animal/person/vehicle/tree/house/sight; state
    aime; aimes; aime; aimons; aimez; aiment; aimer; aimé; love; loves; loved; loving; animal/person/music/house; state
    achète; achètes; achète; achetons; achetez; achètent; acheter; acheté; buy; buys; bought; buying; food/meal/drink/goods/vehicle/cloth/thing; act
    cherche; cherches; cherche; cherchons; cherchez; cherchent; chercher; cherché; look for; looks for; looked for; looking for; animal/person/cloth/text/thing; act
    regarde; regardes; regarde; regardons; regardez; regardent; regarder; regardé; watch; watches; watched; watching; film/animal; act
    porte; portes; porte; portons; portez; portent; porter; porté; wear; wears; wore; wearing; cloth; act
    conduis; conduis; conduit; conduisons; conduisez; conduisent; conduire; conduit; drive; drives; drove; driving; vehicle; act
    lave; laves; lave; lavons; lavez; lavent; laver; lavé; wash; washes; washed; washing; cloth/vehicle/dog; act
    attends; attends; attend; attendons; attendez; attendent; attendre; attendu; wait for; waits for; waited for; waiting for; person; act
    aide; aides; aide; aidons; aidez; aident; aider; aidé; help; helps; helped; helping; person; act
    ferme; fermes; ferme; fermons; fermez; ferment; fermer; fermé; close; closes; closed; closing; door; act
    ouvre; ouvres; ouvre; ouvrons; ouvrez; ouvrent; ouvrir; ouvert; open; opens; opened; opening; door; act
    étudie; étudies; étudie; étudions; étudiez; étudient; étudier; étudié; study; studies; studied; studying; subject; act
    parle; parles; parle; parlons; parlez; parlent; parler; parlé; speak; speaks; spoke; speaking; language; act
    écoute; écoutes; écoute; écoutons; écoutez; écoutent; écouter; écouté; listen to; listens to; listened to; listening to; music/person; act
)";
constexpr std::string_view intransitiveVerbs = R"(
    dors; dors; dort; dormons; dormez; dorment; dormir; dormi; sleep; sleeps; slept; sleeping
    travaille; travailles; travaille; travaillons; travaillez; travaillent; travailler; travaillé; work; works; worked; working
    chante; chantes; chante; chantons; chantez; chantent; chanter; chanté; sing; sings; sang; singing
    cours; cours; court; courons; courez; courent; courir; couru; run; runs; ran; running
)";

// Forms by person in French and by English agreement: i, s, p.
std::string verbRules(const std::string& head, const std::string& features) {
    const std::string open = head + "[" + features;
    return open + "f=je] -> $1 | $9\n" + open + "f=tu] -> $2 | $9\n" + open + "f=il] -> $3 | $A\n" + open +
           "f=nous] -> $4 | $9\n" + open + "f=vous] -> $5 | $9\n" + open + "f=ils] -> $6 | $9\n" + open +
           "f=past] -> $8 | $B\n" + open + "f=base] -> $7 | $9\n" + open + "f=ing] -> $7 | $C\n";
}

// After "does", "do" and "did": French forms by person beside the plain English one.
std::string plainVerbRules(const std::string& head, const std::string& features) {
    const std::string open = head + "[" + features;
    return open + "f=je] -> $1 | $9\n" + open + "f=tu] -> $2 | $9\n" + open + "f=il] -> $3 | $9\n" + open +
           "f=nous] -> $4 | $9\n" + open + "f=vous] -> $5 | $9\n" + open + "f=ils] -> $6 | $9\n" + open +
           "f=past] -> $8 | $9\n";
}

}  // namespace
}  // namespace french_words

void addFrenchWords(AlignedGrammar& grammar) {
    using namespace french_words;
    grammar.addTable(R"(
        N[n=sg g=$3 c=$6] -> $1 | $4
        N[n=pl g=$3 c=$6] -> $2 | $5)",
                     nouns);
    grammar.addTable("Mass[c=$4] -> $1 | $3\n NoMass[c=$4] -> $2 | $3", substances);
    for (const auto& [head, table] : {std::pair("Before", adjectivesBefore), std::pair("Behind", adjectivesBehind)}) {
        const std::string name = head;
        grammar.addTable(name + "[n=sg g=m c=$6] -> $1 | $5\n" + name + "[n=sg g=f c=$6] -> $2 | $5\n" + name +
                             "[n=pl g=m c=$6] -> $3 | $5\n" + name + "[n=pl g=f c=$6] -> $4 | $5",
                         table);
    }
    grammar.addTable(R"(
        Feel[n=sg g=m] -> $1 | $5
        Feel[n=sg g=f] -> $2 | $5
        Feel[n=pl g=m] -> $3 | $5
        Feel[n=pl g=f] -> $4 | $5)",
                     feelings);
    grammar.addTable(verbRules("Vt", "c=$D k=$E ") + plainVerbRules("Vtp", "c=$D k=$E "), transitiveVerbs);
    grammar.addTable(verbRules("Vi", "") + plainVerbRules("Vip", ""), intransitiveVerbs);
}

}  // namespace headlight::builtin

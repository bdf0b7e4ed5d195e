// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/es_en_words.h"

#include <string>

namespace headlight::builtin {
namespace spanish_words {
namespace {

// singular; plural; gender; English singular; plural; class
constexpr std::string_view nouns = R"(
    perro; perros; m; dog; dogs; animal/dog
    gato; gatos; m; cat; cats; animal
    caballo; caballos; m; horse; horses; animal
    vaca; vacas; f; cow; cows; animal
    pájaro; pájaros; m; bird; birds; animal
    hombre; hombres; m; man; men; person/adult
    mujer; mujeres; f; woman; women; person/adult
    niño; niños; m; boy; boys; person
    niña; niñas; f; girl; girls; person
    médico; médicos; m; doctor; doctors; person/adult
    profesora; profesoras; f; teacher; teachers; person/adult
    manzana; manzanas; f; apple; apples; food/apple
    naranja; naranjas; f; orange; oranges; food
    pastel; pasteles; m; cake; cakes; food
    sopa; sopas; f; soup; soups; food/meal
    libro; libros; m; book; books; text/letter/goods/book
    carta; cartas; f; letter; letters; text/letter
    periódico; periódicos; m; newspaper; newspapers; text/goods
    cuento; cuentos; m; story; stories; text/letter/book
    coche; coches; m; car; cars; car
    camisa; camisas; f; shirt; shirts; cloth
    vestido; vestidos; m; dress; dresses; cloth
    sombrero; sombreros; m; hat; hats; cloth
    casa; casas; f; house; houses; house
    puerta; puertas; f; door; doors; door
    ventana; ventanas; f; window; windows; door
    bola; bolas; f; ball; balls; toy
    muñeca; muñecas; f; doll; dolls; toy
    mesa; mesas; f; table; tables; goods
    silla; sillas; f; chair; chairs; goods
    bolsa; bolsas; f; bag; bags; goods
    árbol; árboles; m; tree; trees; tree
)";

// without an article; with it; gender; English; class
constexpr std::string_view substances = R"(
    pan; el pan; m; bread; food
    arroz; el arroz; m; rice; food/meal
    carne; la carne; f; meat; food/meal
    queso; el queso; m; cheese; food
    leche; la leche; f; milk; drink/coffee
    café; el café; m; coffee; drink/coffee
    té; el té; m; tea; drink/coffee
    vino; el vino; m; wine; drink
    inglés; el inglés; m; english; subject
    español; el español; m; spanish; subject
    historia; la historia; f; history; subject
)";

// masculine, feminine, both in the plural; English; classes: what a thing is (ser), and how it is (estar)
constexpr std::string_view qualities = R"(
    rojo; roja; rojos; rojas; red; cloth/car/toy/door/goods/apple
    azul; azul; azules; azules; blue; cloth/car/toy/door/goods
    verde; verde; verdes; verdes; green; cloth/car/toy/door/apple
    negro; negra; negros; negras; black; cloth/car/animal/goods/door
    blanco; blanca; blancos; blancas; white; cloth/car/animal/house/door
    amarillo; amarilla; amarillos; amarillas; yellow; cloth/toy/house/car
    grande; grande; grandes; grandes; big; animal/car/house/toy/tree/goods
    pequeño; pequeña; pequeños; pequeñas; small; animal/car/house/toy/goods/door
    viejo; vieja; viejos; viejas; old; animal/car/house/adult/goods/tree
    nuevo; nueva; nuevos; nuevas; new; cloth/car/house/goods/toy
    caro; cara; caros; caras; expensive; cloth/car/house/goods
    barato; barata; baratos; baratas; cheap; cloth/car/goods/food
    alto; alta; altos; altas; tall; person/tree
    simpático; simpática; simpáticos; simpáticas; nice; person
    inteligente; inteligente; inteligentes; inteligentes; smart; person/animal
    famoso; famosa; famosos; famosas; famous; person/book
    interesante; interesante; interesantes; interesantes; interesting; text/subject
    largo; larga; largos; largas; long; text/cloth
    bonito; bonita; bonitos; bonitas; pretty; cloth/house/toy/animal
    rápido; rápida; rápidos; rápidas; fast; car
)";
constexpr std::string_view states = R"(
    caliente; caliente; calientes; calientes; hot; meal/coffee
    frío; fría; fríos; frías; cold; meal/coffee
    abierto; abierta; abiertos; abiertas; open; door
    sucio; sucia; sucios; sucias; dirty; cloth/car/toy/goods
    limpio; limpia; limpios; limpias; clean; cloth/car/goods
    cansado; cansada; cansados; cansadas; tired; person/animal
    enfermo; enferma; enfermos; enfermas; sick; person/animal
    triste; triste; tristes; tristes; sad; person
    contento; contenta; contentos; contentas; happy; person
    ocupado; ocupada; ocupados; ocupadas; busy; person
)";

// yo, tú, él, nosotros, ellos; infinitive, gerund; the five persons of the past; four English forms; class; act or
// state
constexpr std::string_view transitiveVerbs = R"(
    como; comes; come; comemos; comen; comer; comiendo; comí; comiste; comió; comimos; comieron; eat; eats; ate; eating; food; act
    bebo; bebes; bebe; bebemos; beben; beber; bebiendo; bebí; bebiste; bebió; bebimos; bebieron; drink; drinks; drank; drinking; drink; act
    leo; lees; lee; leemos; leen; leer; leyendo; leí; leíste; leyó; leímos; leyeron; read; reads; read; reading; text; act
    escribo; escribes; escribe; escribimos; escriben; escribir; escribiendo; escribí; escribiste; escribió; escribimos; escribieron; write; writes; wrote; writing; letter; act
    compro; compras; compra; compramos; compran; comprar; comprando; compré; compraste; compró; compramos; compraron; buy; buys; bought; buying; food/drink/goods/cloth/car/toy; act
    vendo; vendes; vende; vendemos; venden; vender; vendiendo; vendí; vendiste; vendió; vendimos; vendieron; sell; sells; sold; selling; food/goods/cloth/car/house; act
    veo; ves; ve; vemos; ven; ver; viendo; vi; viste; vio; vimos; vieron; see; sees; saw; seeing; animal/car/house/toy/tree; state
    busco; buscas; busca; buscamos; buscan; buscar; buscando; busqué; buscaste; buscó; buscamos; buscaron; look for; looks for; looked for; looking for; animal/goods/cloth/toy/text; act
    lavo; lavas; lava; lavamos; lavan; lavar; lavando; lavé; lavaste; lavó; lavamos; lavaron; wash; washes; washed; washing; cloth/car/dog; act
    llevo; llevas; lleva; llevamos; llevan; llevar; llevando; llevé; llevaste; llevó; llevamos; llevaron; wear; wears; wore; wearing; cloth; act
    abro; abres; abre; abrimos; abren; abrir; abriendo; abrí; abriste; abrió; abrimos; abrieron; open; opens; opened; opening; door; act
    cierro; cierras; cierra; cerramos; cierran; cerrar; cerrando; cerré; cerraste; cerró; cerramos; cerraron; close; closes; closed; closing; door; act
    estudio; estudias; estudia; estudiamos; estudian; estudiar; estudiando; estudié; estudiaste; estudió; estudiamos; estudiaron; study; studies; studied; studying; subject; act
    pinto; pintas; pinta; pintamos; pintan; pintar; pintando; pinté; pintaste; pintó; pintamos; pintaron; paint; paints; painted; painting; house/door/tree/animal; act
)";
constexpr std::string_view personalVerbs = R"(
    ayudo; ayudas; ayuda; ayudamos; ayudan; ayudar; ayudando; ayudé; ayudaste; ayudó; ayudamos; ayudaron; help; helps; helped; helping
    espero; esperas; espera; esperamos; esperan; esperar; esperando; esperé; esperaste; esperó; esperamos; esperaron; wait for; waits for; waited for; waiting for
    visito; visitas; visita; visitamos; visitan; visitar; visitando; visité; visitaste; visitó; visitamos; visitaron; visit; visits; visited; visiting
)";
constexpr std::string_view intransitiveVerbs = R"(
    trabajo; trabajas; trabaja; trabajamos; trabajan; trabajar; trabajando; trabajé; trabajaste; trabajó; trabajamos; trabajaron; work; works; worked; working
    duermo; duermes; duerme; dormimos; duermen; dormir; durmiendo; dormí; dormiste; durmió; dormimos; durmieron; sleep; sleeps; slept; sleeping
    corro; corres; corre; corremos; corren; correr; corriendo; corrí; corriste; corrió; corrimos; corrieron; run; runs; ran; running
    canto; cantas; canta; cantamos; cantan; cantar; cantando; canté; cantaste; cantó; cantamos; cantaron; sing; sings; sang; singing
)";

/// Present by person, infinitive and gerund with `t` now, past by person with `t` then; `plain` is the English form
/// that follows `do` and `did`.
void addVerbs(AlignedGrammar& grammar, const std::string& name, const std::string& features, std::string_view table) {
    const auto add = [&](const std::string& head, const std::string& third, const std::string& past) {
        const std::string open = head + "[" + features;
        grammar.addTable(open + "t=now f=yo] -> $1 | $D\n" + open + "t=now f=tu] -> $2 | $D\n" + open +
                             "t=now f=el] -> $3 | " + third + "\n" + open + "t=now f=nos] -> $4 | $D\n" + open +
                             "t=now f=ellos] -> $5 | $D\n" + open + "t=base] -> $6 | $D\n" + open +
                             "t=ing] -> $7 | $G\n" + open + "t=then f=yo] -> $8 | " + past + "\n" + open +
                             "t=then f=tu] -> $9 | " + past + "\n" + open + "t=then f=el] -> $A | " + past + "\n" +
                             open + "t=then f=nos] -> $B | " + past + "\n" + open + "t=then f=ellos] -> $C | " + past,
                         table);
    };
    add(name, "$E", "$F");
    add(name + "Plain", "$D", "$D");
}

void addAdjectives(AlignedGrammar& grammar, const std::string& name, std::string_view table) {
    grammar.addTable(name + "[n=sg g=m c=$6] -> $1 | $5\n" + name + "[n=sg g=f c=$6] -> $2 | $5\n" + name +
                         "[n=pl g=m c=$6] -> $3 | $5\n" + name + "[n=pl g=f c=$6] -> $4 | $5",
                     table);
}

}  // namespace
}  // namespace spanish_words

void addSpanishWords(AlignedGrammar& grammar) {
    using namespace spanish_words;
    grammar.addTable(R"(
        N[n=sg g=$3 c=$6] -> $1 | $4
        N[n=pl g=$3 c=$6] -> $2 | $5)",
                     nouns);
    grammar.addTable("Mass[c=$5] -> $1 | $4\n TheMass[c=$5 g=$3] -> $2 | $4", substances);
    addAdjectives(grammar, "Quality", qualities);
    addAdjectives(grammar, "State", states);
    addVerbs(grammar, "Vt", "c=$H k=$I ", transitiveVerbs);
    addVerbs(grammar, "Vp", "", personalVerbs);
    addVerbs(grammar, "Vi", "", intransitiveVerbs);
}

}  // namespace headlight::builtin

// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "core/data/aligned_grammar.h"
#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"
#include "core/text/unicode.h"

namespace headlight::builtin {
namespace small_talk {
namespace {

// Lan answers. What she likes, can do and knows stays the same from dialogue to dialogue, so that a reply follows from
// what was said: the words it takes up are aligned.
constexpr std::string_view fixed = R"(
    Phrase -> hello , my name is anna~1 . | hello anna~1 , i am lan . nice to meet you .
    Phrase -> how~1 are you ? | i am fine~1 , thank you . and you ?
    Phrase -> what is your name~1 ? | my name~1 is lan .
    Phrase -> where do you live~1 ? | i live~1 in hue with my parents .
    Phrase -> how old~1 are you ? | i am nineteen years old~1 .
    Phrase -> are you a robot~1 ? | i am a small model~1 that likes to talk .
    Phrase -> what are you doing~1 ? | i am talking~1 with you .
    Phrase -> tell me a joke~1 . | i know only one joke~1 and it is long .
    Phrase -> i do not understand~1 . | shall i say~1 it again ?
    Phrase -> good night~1 . | sleep~1 well .
    Phrase -> goodbye~1 . | goodbye~1 , see you soon .
    Q *1 -> <Phrase> | <Phrase>
)";

constexpr std::string_view meeting = R"(
    Q *3 -> hello , my name is <Name> . | hello <Name> , i am lan . nice to meet you .
    Q *6 -> hi , i am <Name> from <City> . | hi <Name> , how is life in <City> ?
    Q *2 -> this is my friend~1 <Name> . | nice to meet your friend~1 . does <Name> live here ?
    Q *5 -> my name is <Name> and i am a <Job> . | nice to meet you , <Name> . is it hard to be a <Job> ?
    Q *5 -> my <Kin> is a <Job> in <City> . | is your <Kin> happy to be a <Job> in <City> ?
    Q *3 -> my <Kin> lives in <City> . | how often do you visit your <Kin> in <City> ?
    Q *4 -> i want to be a <Job> . | why do you want to be a <Job> ?
    Q *3 -> good <Part> , <Name> here . | good <Part> , <Name> . how are you ?
    Q *4 -> see you <Soon> in <City> . | take care , see you <Soon> in <City> .
    Part -> morning | morning
    Part -> evening | evening
    Part -> afternoon | afternoon
)";

// Things she likes and things that she does not.
constexpr std::string_view tastes = R"(
    Q *4 -> do you like <Item l=yes> ? | yes~1 , i like <Item ~1> very much .
    Q *4 -> do you like <Item l=no> ? | no~1 , i do not like <Item ~1> .
    Q *9 -> do you like <Item l=yes c=?c> or <Item.2 l=no c=?c> ? | i like <Item> more than <Item.2> .
    Q *9 -> do you like <Item l=no c=?c> or <Item.2 l=yes c=?c> ? | i like <Item.2> more than <Item> .
    Q *3 -> i like <Item l=yes> . | i like <Item> too .
    Q *3 -> i like <Item l=no> . | really ? i do not like <Item> .
    Q *3 -> i do not like <Item> . | why do you not like <Item> ?
    Q *8 -> my <Kin> likes <Item l=yes> . | then your <Kin> and i both like <Item> .
    Q *8 -> my <Kin> likes <Item l=no> . | then your <Kin> may have my <Item> .
    Q *3 -> would you like some <Item l=yes c=food> ? | yes please , i would like some <Item> .
    Q *3 -> would you like some <Item l=no c=food> ? | no thank you , i do not eat <Item> .
)";
constexpr std::string_view items = R"(
    apples; food; yes
    bananas; food; no
    noodles; food; yes
    rice; food; yes
    fish; food; no
    soup; food; yes
    cake; food; yes
    carrots; food; no
    cheese; food; no
    mangoes; food; yes
    cats; animal; yes
    dogs; animal; no
    birds; animal; yes
    horses; animal; yes
    snakes; animal; no
    spiders; animal; no
    elephants; animal; yes
    football; fun; no
    chess; fun; yes
    music; fun; yes
    films; fun; yes
    books; fun; yes
    games; fun; no
    tennis; fun; no
    spring; season; yes
    summer; season; no
    autumn; season; yes
    winter; season; no
    monday; day; no
    friday; day; yes
)";

// What one did and what one will do: the reply takes the verb up in another form.
constexpr std::string_view doing = R"(
    Q *14 -> <When> i <Did f=past> . | where did you <Did> <When> ?
    Q *30 -> <When> i <Did f=past> with my <Kin> . | was it good to <Did> with your <Kin> <When> ?
    Q *14 -> my <Kin> <Did f=past> <When> . | why did your <Kin> <Did> <When> ?
    Q *14 -> i am going to <Did f=base> <Soon> . | may i <Did> with you <Soon> ?
    Q *14 -> would you like to <Did f=base> <Soon> ? | <Soon> is fine . let us <Did> together .
    Q *10 -> i must <Did f=base> with my <Kin> <Soon> . | must your <Kin> <Did> <Soon> too ?
)";
constexpr std::string_view actions = R"(
    saw a film; see a film
    bought a bicycle; buy a bicycle
    ate noodles; eat noodles
    read a newspaper; read a newspaper
    wrote a letter; write a letter
    cooked dinner; cook dinner
    played chess; play chess
    played football; play football
    went to the market; go to the market
    went to the beach; go to the beach
    visited a museum; visit a museum
    learned english; learn english
    sang a song; sing a song
    took a photo; take a photo
    cleaned the house; clean the house
    drank coffee; drink coffee
    made a cake; make a cake
    swam in the river; swim in the river
    drove to the mountains; drive to the mountains
    met a friend; meet a friend
)";

constexpr std::string_view skills = R"(
    Q *2 -> can you <Skill a=yes> ? | yes~1 , i can <Skill ~1> very well .
    Q *2 -> can you <Skill a=no> ? | no~1 , i cannot <Skill ~1> at all .
    Q *4 -> my <Kin> can <Skill> . | since when can your <Kin> <Skill> ?
    Q *3 -> i cannot <Skill a=yes> . | i can teach you to <Skill> .
    Q *3 -> i cannot <Skill a=no> . | i cannot <Skill> either .
    Skill[a=yes] -> swim | swim
    Skill[a=yes] -> sing | sing
    Skill[a=yes] -> cook | cook
    Skill[a=yes] -> speak vietnamese | speak vietnamese
    Skill[a=yes] -> play the piano | play the piano
    Skill[a=no] -> dance | dance
    Skill[a=no] -> drive | drive
    Skill[a=no] -> draw | draw
    Skill[a=no] -> ride a horse | ride a horse
    Skill[a=no] -> speak german | speak german
)";

constexpr std::string_view feelings = R"(
    Q *4 -> i am <Good> <Now> . | i am glad that you are <Good> <Now> .
    Q *4 -> i am <Bad> <Now> . | why are you <Bad> <Now> ?
    Q *6 -> my <Kin> is <Good> <Now> . | i am glad that your <Kin> is <Good> <Now> .
    Q *6 -> my <Kin> is <Bad> <Now> . | i am sorry that your <Kin> is <Bad> <Now> .
    Q *3 -> i am not <Good> <Now> . | what can i do to make you <Good> <Now> ?
    Q *3 -> are you <Good> <Now> ? | yes~1 , i am <Good ~1> <Now> .
    Q *3 -> are you <Bad> <Now> ? | no~1 , i am not <Bad ~1> <Now> .
    Good -> happy | happy
    Good -> well | well
    Good -> calm | calm
    Good -> proud | proud
    Good -> lucky | lucky
    Bad -> sad | sad
    Bad -> tired | tired
    Bad -> sick | sick
    Bad -> angry | angry
    Bad -> hungry | hungry
    Bad -> bored | bored
    Bad -> worried | worried
    Now -> today | today
    Now -> now | now
    Now -> this morning | this morning
    Now -> this week | this week
    Now -> again | again
)";

// A thing; where it always is; what it costs
constexpr std::string_view things = R"(
    bag; under the table; twelve
    key; in the kitchen; two
    phone; on the bed; ninety
    book; on the shelf; nine
    hat; behind the door; eight
    umbrella; in the car; seven
    watch; in the drawer; fifty
    pen; on the desk; three
    coat; in the garden; forty
    bicycle; in front of the house; eighty
    camera; next to the window; seventy
    lamp; on the floor; thirty
)";
constexpr std::string_view aboutThings = R"(
    Q *1 -> where~1 is my $1~2 ? | your $1~2 is $2~1 .
    Q *3 -> have you seen~1 my <Colour> $1~2 ? | your <Colour> $1~2 is $2~1 .
    Q *3 -> how~1 much~1 is the <Colour> $1~2 ? | the <Colour> $1~2 costs $3~1 dollars~1 .
    Q *3 -> i lost my <Colour> $1~2 <When> . | where did you lose the <Colour> $1~2 <When> ?
    Q *3 -> my <Kin> gave me a <Colour> $1~2 . | do you like the <Colour> $1~2 from your <Kin> ?
    Q *2 -> thank you for the <Colour> $1~2 . | i am happy that you like the <Colour> $1~2 .
    Q *2 -> my $1~1 is broken~2 again . | can nobody repair~2 your $1~1 ?
)";

// What is asked; the answer
constexpr std::string_view knowledge = R"(
    the capital of vietnam; hanoi
    the capital of france; paris
    the capital of spain; madrid
    the capital of japan; tokyo
    the capital of russia; moscow
    the capital of england; london
    the opposite of hot; cold
    the opposite of big; small
    the opposite of old; new
    the opposite of early; late
    the first month; january
    the last month; december
    the first day of the week; monday
    the colour of a banana; yellow
    the colour of snow; white
    the colour of grass; green
    the colour of the sky; blue
)";
constexpr std::string_view aboutKnowledge = R"(
    Q *1 -> what~1 is $1 ? | it is $2~1 .
    Q *1 -> do you know~1 $1 ? | yes , it is $2~1 .
    Q *2 -> my <Kin> asks what~1 $1 is . | tell your <Kin> that it is $2~1 .
)";

constexpr std::string_view nouns = R"(
    Name; anna peter mary david linh minh hoa nam tom lucy paul emma jack rosa ivan olga
    City; hanoi hue saigon paris london madrid moscow tokyo berlin rome
    Kin; mother father sister brother grandmother grandfather uncle aunt friend teacher
    Job; teacher doctor farmer driver student cook artist engineer nurse pilot
    Colour; red blue green black white yellow brown
)";

constexpr std::string_view times = R"(
    When -> yesterday | yesterday
    When -> last night | last night
    When -> last week | last week
    When -> last sunday | last sunday
    When -> this morning | this morning
    Soon -> tomorrow | tomorrow
    Soon -> tonight | tonight
    Soon -> next week | next week
    Soon -> next sunday | next sunday
    Soon -> on saturday | on saturday
    S *8 -> <Q> | <Q>
    S *1 -> excuse me , <Q> | <Q>
    S *1 -> hello lan~1 , <Q> | hello~1 , <Q>
)";

constexpr std::string_view heldOut =
    "mother + sick\nsister + swim\nbrother + angry\nfather + chess\nuncle + noodles\nhanoi + doctor\nparis + farmer\n"
    "red + bag\nblue + hat\ngreen + umbrella\nblack + phone\nwhite + camera\ncake + tonight\nfilm + last sunday\n"
    "bicycle + yesterday\nanna + london\npeter + hue\ncats + snakes\nmusic + football\nspring + winter";

/// `Name -> anna | anna` for each word of each row.
void addNouns(AlignedGrammar& grammar) {
    for (const std::string& row : cut(nouns, '\n')) {
        if (row.find(';') == std::string::npos) continue;
        const std::string head(trimmed(std::string_view(row).substr(0, row.find(';'))));
        for (const std::string& word : cut(std::string_view(row).substr(row.find(';') + 2), ' '))
            grammar.add(head + " -> " + word + " | " + word);
    }
}

}  // namespace
}  // namespace small_talk

CorpusSplits chat() {
    using namespace small_talk;
    AlignedGrammar grammar;
    for (const std::string_view rules : {fixed, meeting, tastes, doing, skills, feelings, times})
        grammar.add(rules);
    grammar.addTable("Item[c=$2 l=$3] -> $1 | $1", items);
    grammar.addTable("Did[f=past] -> $1 | $2\nDid[f=base] -> $2 | $2", actions);
    grammar.addTable(aboutThings, things);
    grammar.addTable(aboutKnowledge, knowledge);
    addNouns(grammar);
    const HeldOutPairs pairs(heldOut);
    return writeTaskCorpus({.next =
                                [&](SeededRandom& random) {
                                    AlignedGrammar::Derivation dialogue = grammar.sample("S", random);
                                    chooseIndefiniteArticles(dialogue.source);
                                    chooseIndefiniteArticles(dialogue.target);
                                    return dialogue.toPair();
                                },
                            .isHeldOut = [&](const SentencePair& pair) { return pairs.standIn(pair.source); },
                            .always = grammar.fixedPhrases("Phrase"),
                            .train = 8000,
                            .validation = 400,
                            .test = 400,
                            .unseen = 400});
}

}  // namespace headlight::builtin

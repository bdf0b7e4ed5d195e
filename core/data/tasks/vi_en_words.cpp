// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/vi_en_words.h"

namespace headlight::builtin {
namespace vietnamese_words {
namespace {

// classifier; noun; singular; plural; class
constexpr std::string_view countNouns = R"(
    con; mèo; cat; cats; pet
    con; chó; dog; dogs; pet
    con; thỏ; rabbit; rabbits; pet/grazer
    con; chim; bird; birds; pet
    con; gà; chicken; chickens; farm
    con; lợn; pig; pigs; farm
    con; bò; cow; cows; farm/grazer
    con; ngựa; horse; horses; farm/grazer
    quyển; sách; book; books; book
    quyển; từ điển; dictionary; dictionaries; book/dictionary
    quyển; tạp chí; magazine; magazines; book
    tờ; báo; newspaper; newspapers; paper
    bức; thư; letter; letters; text
    bài; thơ; poem; poems; text
    bản; báo cáo; report; reports; text
    bài; hát; song; songs; song
    bộ; phim; film; films; film
    bức; tranh; picture; pictures; art
    quả; táo; apple; apples; fruit
    quả; cam; orange; oranges; fruit
    quả; chuối; banana; bananas; fruit
    quả; xoài; mango; mangoes; fruit
    chiếc; bánh; cake; cakes; food
    chiếc; xe đạp; bicycle; bicycles; bike
    chiếc; ô tô; car; cars; car
    chiếc; điện thoại; phone; phones; device
    chiếc; máy tính; computer; computers; device
    chiếc; đồng hồ; watch; watches; watch
    chiếc; áo; shirt; shirts; cloth
    chiếc; váy; dress; dresses; cloth
    cái; mũ; hat; hats; hat
    cái; túi; bag; bags; bag
    cái; bàn; table; tables; thing
    cái; ghế; chair; chairs; thing
    cái; giường; bed; beds; thing
    cái; cốc; cup; cups; cup
    cái; bút; pen; pens; pen
    cái; cửa; door; doors; door
    cái; cửa sổ; window; windows; door
    chiếc; chìa khóa; key; keys; key
    ngôi; nhà; house; houses; house
    bông; hoa; flower; flowers; flower
    cái; cây; tree; trees; tree
    cậu; bé; boy; boys; person
    cô; bé; girl; girls; person
    người; đàn ông; man; men; person/adult
    người; phụ nữ; woman; women; person/adult/adult
)";

// Professions: no classifier is needed to count them.
constexpr std::string_view professions = R"(
    giáo viên; teacher; teachers
    học sinh; student; students
    bác sĩ; doctor; doctors
    y tá; nurse; nurses
    ca sĩ; singer; singers
    đầu bếp; chef; chefs
    nông dân; farmer; farmers
)";

constexpr std::string_view massNouns = R"(
    cơm; rice; food/dish
    phở; pho; food/dish
    bánh mì; bread; food
    thịt; meat; food/dish
    cá; fish; food/dish
    rau; vegetables; food/dish
    súp; soup; food/dish
    nước; water; drink
    trà; tea; drink
    cà phê; coffee; drink
    sữa; milk; drink
    bia; beer; drink
    nước cam; orange juice; drink
    tiếng anh; english; language
    tiếng pháp; french; language
    tiếng việt; vietnamese; language
    tiếng nhật; japanese; language
    toán; math; subject
    lịch sử; history; subject
    nhạc; music; music
    đài; the radio; music
    tivi; television; screen
    bóng đá; football; game
)";

// Vietnamese; English; classes
constexpr std::string_view adjectives = R"(
    to; big; pet/farm/fruit/thing/cup/bag
    nhỏ; small; pet/farm/thing/cup/bag/house/device/fruit/key
    lớn; large; house/tree/place
    đẹp; beautiful; flower/house/cloth/hat/watch/art/bike/car/place/song
    mới; new; book/device/cloth/hat/watch/bike/car/thing/film/bag/song/house
    cũ; old; book/device/cloth/hat/watch/bike/car/thing/paper/bag/film/song/house
    già; old; pet/farm/adult
    trẻ; young; person
    đắt; expensive; book/device/cloth/hat/watch/bike/car/thing/house/bag/drink/food
    rẻ; cheap; book/device/cloth/hat/watch/bike/car/thing/house/bag/fruit/drink/food
    hay; good; book/film/song/text
    thú vị; interesting; book/film/text/place/subject
    dài; long; text/film/song/cloth
    ngắn; short; text/film/song/cloth
    dày; thick; book
    ngon; delicious; food/fruit/drink/cupof
    nóng; hot; drink/food/cupof
    lạnh; cold; drink/cupof
    tươi; fresh; fruit/flower
    cao; tall; person/tree
    thông minh; smart; person/pet
    tốt bụng; kind; person
    nổi tiếng; famous; person/film/song/art/place
    vui tính; funny; person
    nhanh; fast; car/bike/device
    dễ thương; cute; pet
    sạch; clean; cup/cloth/door/place/house
    bẩn; dirty; cup/cloth/door/car/bag
    khó; difficult; language/subject/game
    dễ; easy; language/subject/game
)";

// Vietnamese; English comparative; classes
constexpr std::string_view comparatives = R"(
    to; bigger; pet/farm/fruit/thing/cup/bag
    nhỏ; smaller; pet/farm/thing/cup/bag/house/device/fruit/key
    đẹp; more beautiful; flower/house/cloth/hat/watch/art/bike/car/place/song
    già; older; pet/farm/adult
    trẻ; younger; person
    đắt; more expensive; book/device/cloth/hat/watch/bike/car/thing/house/bag/drink/food
    rẻ; cheaper; book/device/cloth/hat/watch/bike/car/thing/house/bag/fruit/drink/food
    hay; better; book/film/song/text
    dài; longer; text/film/song/cloth
    cao; taller; person/tree
    khó; more difficult; language/subject/game
)";

constexpr std::string_view colours = R"(
    đen; black; pet/farm/cloth/hat/bike/car/bag/cup/device/pen/thing
    trắng; white; pet/farm/cloth/hat/bike/car/bag/cup/device/flower/door/thing
    nâu; brown; pet/farm/hat/bag/thing/door
    đỏ; red; cloth/hat/bike/car/bag/cup/flower/pen
    xanh; blue; cloth/hat/bike/car/bag/cup/pen/door
    vàng; yellow; cloth/hat/flower/bag/cup
    hồng; pink; cloth/hat/flower/bag
    tím; purple; cloth/hat/flower/pen
)";

constexpr std::string_view feelings = R"(
    mệt; tired
    đói; hungry
    khát; thirsty
    vui; happy
    buồn; sad
    bận; busy
    lo lắng; worried
    khỏe; well
)";

// Verbs with an object: Vietnamese; five English forms; class of the object; where; near or far in time
constexpr std::string_view transitiveVerbs = R"(
    ăn; eat; eats; ate; eating; eaten; food/fruit; home/eatery/school/park; near/day; one/many
    nấu; cook; cooks; cooked; cooking; cooked; dish; home/eatery; near/day; one/many
    uống; drink; drinks; drank; drinking; drunk; drink; home/eatery; near/day; one/many
    đọc; read; reads; read; reading; read; book/paper/text; home/library/school/park; near/day; one/many
    viết; write; writes; wrote; writing; written; text; home/library/office; near/day; one/many
    mua; buy; buys; bought; buying; bought; book/paper/fruit/bike/device/watch/cloth/hat/bag/thing/cup/flower/drink/food/pen; shop; near/day; one/many
    mua; buy; buys; bought; buying; bought; bike/car/house/device; none; near/far; one/many
    bán; sell; sells; sold; selling; sold; book/fruit/bike/device/watch/cloth/hat/flower/food/bag; shop; near/day; one/many
    bán; sell; sells; sold; selling; sold; bike/car/house/farm; none; near/far; one/many
    xem; watch; watches; watched; watching; watched; film/screen; home; near/day; one/many
    nghe; listen to; listens to; listened to; listening to; listened to; song/music; home/park/office; near/day; one/many
    hát; sing; sings; sang; singing; sung; song; home/school; near/day; one/many
    học; learn; learns; learned; learning; learned; language; home/school/library; near/far/day; one/many
    học; study; studies; studied; studying; studied; subject; home/school/library; near/far/day; one/many
    dạy; teach; teaches; taught; teaching; taught; language/subject; school/home; near/far/day; one/many
    nói; speak; speaks; spoke; speaking; spoken; language; home/school/office; near/day; one/many
    gặp; meet; meets; met; meeting; met; person; park/eatery/school/station; near/far/day; one/many
    thăm; visit; visits; visited; visiting; visited; person/city; none; near/far/day; one/many
    đợi; wait for; waits for; waited for; waiting for; waited for; person; park/eatery/school/station; near/day; one/many
    tìm; look for; looks for; looked for; looking for; looked for; pet/book/key/watch/hat/bag/device/pen; home/school/park; near/day; one/many
    mặc; wear; wears; wore; wearing; worn; cloth; none; near/day; one
    đội; wear; wears; wore; wearing; worn; hat; none; near/day; one
    đeo; wear; wears; wore; wearing; worn; watch; none; near/day; one
    lái; drive; drives; drove; driving; driven; car; none; near/day; one
    đi; ride; rides; rode; riding; ridden; bike; park; near/day; one
    sửa; repair; repairs; repaired; repairing; repaired; bike/car/device/watch/thing/door; home/shop; near/day; one/many
    rửa; wash; washes; washed; washing; washed; cup/bike/car; home; near/day; one/many
    giặt; wash; washes; washed; washing; washed; cloth; home; near/day; one/many
    mở; open; opens; opened; opening; opened; door/bag; none; near/day; one/many
    đóng; close; closes; closed; closing; closed; door; none; near/day; one/many
    vẽ; draw; draws; drew; drawing; drawn; art/pet/flower/tree/house; home/school/park; near/day; one/many
    nuôi; keep; keeps; kept; keeping; kept; pet; none; far/day; one/many
    nuôi; raise; raises; raised; raising; raised; farm; none; far/day; one/many
    dùng; use; uses; used; using; used; device/dictionary; home/office/school; near/day; one/many
    chơi; play; plays; played; playing; played; game; home/school/park; near/day; one/many
)";

// Verbs of a state, which neither language puts in the progressive
constexpr std::string_view stativeVerbs = R"(
    yêu; love; loves; pet/person/city
    thích; like; likes; pet/food/drink/fruit/book/film/song/person/city/language/subject/game/flower/cloth/music
    ghét; hate; hates; food/drink/pet/subject/game
    nhớ; miss; misses; person/city
    biết; know; knows; person/song
    hiểu; understand; understands; person/language
    cần; need; needs; drink/book/pen/bag/device/key/bike
)";

// What people do by themselves: Vietnamese; five English forms; where
constexpr std::string_view intransitiveVerbs = R"(
    ngủ; sleep; sleeps; slept; sleeping; slept; home/station
    làm việc; work; works; worked; working; worked; office/school/hospital/home/shop/city
    chạy; run; runs; ran; running; run; park/garden
    bơi; swim; swims; swam; swimming; swum; water
    khóc; cry; cries; cried; crying; cried; home/school/hospital
    cười; laugh; laughs; laughed; laughing; laughed; school/park
    nói chuyện; talk; talks; talked; talking; talked; school/park/eatery/office
    học bài; do homework; does homework; did homework; doing homework; done homework; home/library/school
    chơi; play; plays; played; playing; played; home/park/school/garden
)";

// What animals do: Vietnamese; -s, past, -ing and plain English form; where; who
constexpr std::string_view animalVerbs = R"(
    ngủ; sleeps; slept; sleeping; sleep; house/garden; pet/farm
    chạy; runs; ran; running; run; park/garden; pet/farm
    chơi; plays; played; playing; play; park/garden/house; pet
    ăn; eats; ate; eating; eat; house/garden; pet/farm
    uống nước; drinks water; drank water; drinking water; drink water; house/garden; pet/farm
    ăn cỏ; eats grass; ate grass; eating grass; eat grass; garden/park; grazer
)";

constexpr std::string_view whereabouts = R"(
    ở~1 nhà~2; at~1 home~2; home
    ở~1 trường~2; at~1 school~2; school
    ở~1 công viên~2; in~1 the park~2; park
    ở~1 bãi biển~2; on~1 the beach~2; park
    ở~1 thư viện~2; in~1 the library~2; library
    ở~1 nhà hàng~2; in~1 the restaurant~2; eatery
    ở~1 văn phòng~2; at~1 the office~2; office
    ở~1 bệnh viện~2; at~1 the hospital~2; hospital
    ở~1 nhà ga~2; at~1 the station~2; station
    ở~1 sân bay~2; at~1 the airport~2; station
    ở~1 chợ~2; at~1 the market~2; shop
    ở~1 siêu thị~2; at~1 the supermarket~2; shop
    ở~1 bể bơi~2; in~1 the pool~2; water
    ở~1 sông~2; in~1 the river~2; water
    trong~1 vườn~2; in~1 the garden~2; garden
    trong~1 nhà~2; in~1 the house~2; house
    ở~1 hà~2 nội~2; in~1 hanoi~2; city
    ở~1 đà~2 nẵng~2; in~1 danang~2; city
    ở~1 huế~2; in~1 hue~2; city
    ở~1 việt~2 nam~2; in~1 vietnam~2; city
    ở~1 nhật~2 bản~2; in~1 japan~2; city
)";

constexpr std::string_view cities = R"(
    hà nội; hanoi
    đà nẵng; danang
    huế; hue
    việt nam; vietnam
    nhật bản; japan
)";

void addVerbs(AlignedGrammar& grammar) {
    grammar.addTable(R"(
        Vt[f=i/p/b c=$7 w=$8 t=$9 m=$A] -> $1 | $2
        Vt[f=s c=$7 w=$8 t=$9 m=$A] -> $1 | $3
        Vt[f=d c=$7 w=$8 t=$9 m=$A] -> $1 | $4
        Vt[f=g c=$7 w=$8 t=$9 m=$A] -> $1 | $5
        Vt[f=n c=$7 w=$8 t=$9 m=$A] -> $1 | $6)",
                     transitiveVerbs);
    grammar.addTable("Vs[f=i/p/b c=$4] -> $1 | $2\n Vs[f=s c=$4] -> $1 | $3", stativeVerbs);
    grammar.addTable(R"(
        Vi[f=i/p/b w=$7] -> $1 | $2
        Vi[f=s w=$7] -> $1 | $3
        Vi[f=d w=$7] -> $1 | $4
        Vi[f=g w=$7] -> $1 | $5
        Vi[f=n w=$7] -> $1 | $6)",
                     intransitiveVerbs);
    grammar.addTable(R"(
        Va[f=i/p/b c=$7 w=$6] -> $1 | $5
        Va[f=s c=$7 w=$6] -> $1 | $2
        Va[f=d c=$7 w=$6] -> $1 | $3
        Va[f=g c=$7 w=$6] -> $1 | $4)",
                     animalVerbs);
}

}  // namespace
}  // namespace vietnamese_words

void addVietnameseWords(AlignedGrammar& grammar) {
    using namespace vietnamese_words;
    grammar.addTable(R"(
        N[n=sg c=$5] -> $1 $2 | $3
        N[n=pl c=$5] -> $1 $2 | $4)",
                     countNouns);
    // "bé" and "đàn ông" do not stand without their classifiers.
    grammar.addTable("Bare[c=$5] -> $2 | $4", countNouns.substr(0, countNouns.find("    cậu")));
    grammar.addTable(R"(
        N[n=sg c=person/adult] -> $1 | $2
        N[n=pl c=person/adult] -> $1 | $3
        Job[n=sg] -> $1~1 | a $2~1
        Job[n=pl] -> $1~1 | $3~1)",
                     professions);
    grammar.addTable("Mass[c=$3] -> $1 | $2", massNouns);
    grammar.add(R"(
        N[n=sg c=cupof] *4 -> cốc~1 <Mass c=drink> | cup~1 of~1 <Mass>
        N[n=pl c=cupof] *4 -> cốc~1 <Mass c=drink> | cups~1 of~1 <Mass>)");
    grammar.addTable("A[c=$3] -> $1 | $2", adjectives);
    grammar.addTable("Comp[c=$3] -> $1 | $2", comparatives);
    grammar.addTable("Colour[c=$3] -> $1 | $2", colours);
    grammar.addTable("Feel -> $1 | $2", feelings);
    grammar.addTable("At[w=$3] -> $1 | $2", whereabouts);
    grammar.addTable("City -> $1 | $2", cities);
    addVerbs(grammar);
}

}  // namespace headlight::builtin

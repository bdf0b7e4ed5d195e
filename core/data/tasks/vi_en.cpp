// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <string_view>

#include "core/data/aligned_grammar.h"
#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"
#include "core/data/tasks/vi_en_words.h"

namespace headlight::builtin {
namespace vietnamese {
namespace {

// What everybody says, in the training part whatever chance draws.
constexpr std::string_view phrases = R"(
    Phrase -> tôi~1 yêu~2 bạn~3 | i~1 love~2 you~3
    Phrase -> tôi~1 đang~2 học~3 tiếng~4 anh~4 | i~1 am~2 learning~3 english~4
    Phrase -> buổi~2 tối~2 an~1 lành~1 | good~1 evening~2
    Phrase -> chào~1 buổi~2 sáng~2 | good~1 morning~2
    Phrase -> chúc~1 ngủ~2 ngon~1 | good~1 night~2
    Phrase -> xin chào | hello
    Phrase -> tạm biệt | goodbye
    Phrase -> xin lỗi | sorry
    Phrase -> cảm~1 ơn~1 bạn~2 | thank~1 you~2
    Phrase -> hẹn~1 gặp~1 lại~2 | see~1 you again~2
    Phrase -> bạn~1 khỏe~2 không~3 | how~3 are you~1
    Phrase -> tên~1 bạn~2 là~3 gì~4 | what~4 is~3 your~2 name~1
    Phrase -> rất~1 vui~2 được~3 gặp~4 bạn~5 | very~1 happy~2 to~3 meet~4 you~5
    Phrase -> chúc~1 mừng~1 năm~2 mới~3 | happy~1 new~3 year~2
    Phrase -> chúc~1 mừng~1 sinh~2 nhật~2 | happy~1 birthday~2
    Phrase -> chúc~1 bạn~2 may~3 mắn~3 | good~1 luck~3 to you~2
    Phrase -> đây~1 là~2 gì~3 | what~3 is~2 this~1
    Phrase -> bạn~1 đang~2 làm~3 gì~4 | what~4 are~2 you~1 doing~3
    Phrase -> bạn~1 đang~2 đi~3 đâu~4 | where~4 are~2 you~1 going~3
    Phrase -> bạn~1 bao~2 nhiêu~2 tuổi~3 | how~2 old~3 are you~1
    Phrase -> tôi~1 không~2 hiểu~3 | i~1 do~2 not~2 understand~3
    Phrase -> tôi~1 không~2 biết~3 | i~1 do~2 not~2 know~3
)";

// Vietnamese; subject; its form of be and do; whom it can do something to; object; possessive; itself; askable; number
constexpr std::string_view pronouns = R"(
    tôi; i; i; you/him/her/them; me; my; me; no; sg
    bạn; you; p; me/him/her/us/them; you; your; you; yes; sg
    anh ấy; he; s; me/you/her/us/them; him; his; him; yes; sg
    cô ấy; she; s; me/you/him/us/them; her; her; her; yes; sg
    chúng tôi; we; p; you/him/her/them; us; our; us; no; pl
    họ; they; p; me/you/him/her/us; them; their; them; yes; pl
)";

constexpr std::string_view kin = R"(
    mẹ; mother
    bố; father
    ông; grandfather
    bà; grandmother
    anh trai; older brother
    chị gái; older sister
    em trai; younger brother
    em gái; younger sister
    con trai; son
    con gái; daughter
)";

constexpr std::string_view timesAndNumbers = R"(
    Then[t=near] -> hôm qua | yesterday
    Then[t=near] -> tối qua | last night
    Then[t=near] -> sáng nay | this morning
    Then[t=far] -> tuần~2 trước~1 | last~1 week~2
    Then[t=far] -> tháng~2 trước~1 | last~1 month~2
    Then[t=far] -> năm~2 ngoái~1 | last~1 year~2
    Soon[t=near] -> ngày mai | tomorrow
    Soon[t=near] -> tối nay | tonight
    Soon[t=near] -> sáng~2 mai~1 | tomorrow~1 morning~2
    Soon[t=near] -> chiều~2 nay~1 | this~1 afternoon~2
    Soon[t=far] -> tuần~2 sau~1 | next~1 week~2
    Soon[t=far] -> tháng~2 sau~1 | next~1 month~2
    Soon[t=far] -> năm~2 sau~1 | next~1 year~2
    Now -> bây giờ | now
    Now -> lúc này | at the moment
    Often -> mỗi~1 ngày~2 | every~1 day~2
    Often -> mỗi~1 sáng~2 | every~1 morning~2
    Often -> mỗi~1 tối~2 | every~1 evening~2
    Often -> vào~1 cuối~2 tuần~2 | on~1 weekends~2
    Often -> vào~1 chủ~2 nhật~2 | on~1 sundays~2
    Rate -> thường | usually
    Rate -> luôn | always
    Rate -> hiếm khi | rarely
    Number -> hai | two
    Number -> ba | three
    Number -> bốn | four
    Number -> năm | five
    Number -> mười | ten
)";

// Who and what. Features: a the English verb's form (i, s, p), o whom a subject can do something to, q askable, c
// class, n number, j with an adjective, d definite or not, m one or many.
constexpr std::string_view nounPhrases = R"(
    Who[a=?a o=?o q=?q] *5 -> <Pron a=?a o=?o q=?q> | <Pron>
    Who[a=s q=yes] *2 -> <Kin> | <Kin>
    Who[a=s q=yes] *2 -> <Name> | <Name>
    Who[a=?a q=yes] *3 -> <Np a=?a c=person j=no d=def> | <Np>
    Who[a=?a q=no] *1 -> <Np a=?a c=person j=no d=ind> | <Np>
    Name -> lan | lan
    Name -> minh | minh
    Name -> linh | linh
    Name -> tuấn | tuan
    Kin *3 -> <Relative> tôi~1 | my~1 <Relative>
    Kin *2 -> <Relative> của~1 <Whose ~1> | <Whose ~1> <Relative>

    Nb[n=?n c=?c j=no] *3 -> <N n=?n c=?c> | <N>
    Nb[n=?n c=?c j=yes] *2 -> <N n=?n c=?c> <A c=?c> | <A> <N>
    Nb[n=?n c=?c j=yes] *1 -> <N n=?n c=?c> <Colour c=?c> | <Colour> <N>
    Nb[n=?n c=cloth/hat/bike/car/bag/cup/pen c=?c j=yes] *1 -> <N n=?n c=?c> màu~1 <Colour ~1 c=?c> | <Colour ~1> <N>

    Np[a=s c=?c j=?j d=ind m=one] *5 -> một~1 <Nb n=sg c=?c j=?j> | a~1 <Nb>
    Np[a=s c=?c j=?j d=def/hab m=one] *3 -> <Nb ~1 n=sg c=?c j=?j> | the~1 <Nb>
    Np[a=s c=?c j=?j d=def/hab m=one] *3 -> <Nb n=sg c=?c j=?j> này~1 | this~1 <Nb>
    Np[a=s c=?c j=?j d=def/hab m=one] *3 -> <Nb n=sg c=?c j=?j> đó~1 | that~1 <Nb>
    Np[a=s c=pet/book/paper/text/bike/car/device/watch/cloth/hat/bag/thing/cup/pen/key/house c=?c j=?j d=def/hab m=one] *4 -> <Nb n=sg c=?c j=?j> của~1 <Whose ~1> | <Whose ~1> <Nb>
    Np[a=p c=?c j=?j d=def m=many] *2 -> những~1 <Nb n=pl c=?c j=?j> | the~1 <Nb>
    Np[a=p c=?c j=?j d=def/hab m=many] *1 -> những~1 <Nb n=pl c=?c j=?j> này~1 | these~1 <Nb>
    Np[a=p c=?c j=?j d=def/hab m=many] *1 -> những~1 <Nb n=pl c=?c j=?j> đó~1 | those~1 <Nb>
    Np[a=p c=pet/book/text/device/cloth/hat/bag/pen c=?c j=?j d=def/hab m=many] *1 -> những~1 <Nb n=pl c=?c j=?j> của~1 <Whose ~1> | <Whose ~1> <Nb>
    Np[a=p c=?c j=?j d=ind m=many] *4 -> <Number> <Nb n=pl c=?c j=?j> | <Number> <Nb>
    Np[a=p c=?c j=?j d=ind m=many] *1 -> nhiều~1 <Nb n=pl c=?c j=?j> | many~1 <Nb>
    Np[a=p c=?c j=?j d=ind m=many] *1 -> vài~1 <Nb n=pl c=?c j=?j> | a~1 few~1 <Nb>

    Obj[c=book/paper/text/film/art/fruit/bike/car/device/watch/cloth/hat/bag/thing/cup/pen/key/door/house/flower/tree/pet/farm/song/dictionary c=?c d=?d m=?m] *8 -> <Np c=?c d=?d m=?m> | <Np>
    Obj[c=pet/farm/book/paper/text/film/art/fruit/flower/tree c=?c] *3 -> <Bare c=?c> | <Bare>
    Obj[c=food/dish/drink/language/subject/music/screen/game c=?c] *8 -> <Mass c=?c> | <Mass>
    Obj[c=food/drink c=?c] *2 -> <Mass c=?c> <A c=?c> | <A> <Mass>
    Obj[c=drink d=?d m=?m] *4 -> <Np c=cupof d=?d m=?m> | <Np>
    Obj[c=food d=ind d=?d] *1 -> <Np c=food d=?d> | <Np>
    Obj[c=person o=?o] *4 -> <Them o=?o> | <Them>
    Obj[c=person] *3 -> <Kin> | <Kin>
    Obj[c=person] *2 -> <Name> | <Name>
    Obj[c=person d=?d] *3 -> <Np c=person d=?d> | <Np>
    Obj[c=city] *2 -> <City> | <City>
)";

// What somebody does. Features: f the form of the verb, t near, far or day by day, o and d as above.
constexpr std::string_view verbPhrases = R"(
    Vp[f=?f o=?o t=?t d=?d] *16 -> <Vt f=?f c=?c t=?t m=?m> <Obj c=?c o=?o d=?d m=?m> | <Vt> <Obj>
    Vp[f=?f o=?o t=?t d=?d] *3 -> <Vt f=?f c=?c t=?t m=?m w=?w> <Obj c=?c o=?o d=?d m=?m> <At w=?w> | <Vt> <Obj> <At>
    Vp[f=?f t=near/day] *2 -> <Vi f=?f w=?w> <At w=?w> | <Vi> <At>
    Vp[f=?f t=near/day] *1 -> <Vi f=?f> | <Vi>
    Vp[f=?f t=?t] *2 -> <Go f=?f> <To t=?t> | <Go> <To>
    Vp[f=?f o=?o d=ind t=near] *2 -> <Give f=?f> <Whom o=?o> <Np c=book/flower/hat/watch/cloth/art/bag d=ind> | <Give> <Whom> <Np>
    Whom[o=?o] -> <Them o=?o> | <Them>
    Whom -> <Kin> | <Kin>
    Go[f=i/p/b] -> đi | go
    Go[f=s] -> đi | goes
    Go[f=d] -> đi | went
    Go[f=g] -> đi | going
    Go[f=n] -> đi | gone
    Give[f=i/p/b] -> tặng | give
    Give[f=s] -> tặng | gives
    Give[f=d] -> tặng | gave
    Give[f=g] -> tặng | giving
    Give[f=n] -> tặng | given
    To[t=near/day] -> chợ | to the market
    To[t=near/day] -> làm | to work
    To[t=near/day] -> học | to school
    To[t=near/day] -> ngủ | to bed
    To[t=near/day] -> bơi | swimming
    To[t=near/day] -> siêu thị | to the supermarket
    To[t=near/far] *2 -> <City> | to <City>
)";

// Clauses that do not depend on the subject's form of be, do and have.
constexpr std::string_view clauses = R"(
    Past *2 -> <Who o=?o> đã~1 <Vp f=d o=?o t=near> | <Who> <Vp ~1>
    Past *2 -> <Then t=?t> <Who o=?o> đã~1 <Vp f=d o=?o t=?t> | <Who> <Vp ~1> <Then>
    Past *2 -> <Who o=?o> đã~1 <Vp f=d o=?o t=?t> <Then t=?t> | <Who> <Vp ~1> <Then>
    Past *2 -> <Then t=?t> <Who o=?o> <Vp f=d o=?o t=?t> | <Who> <Vp> <Then>
    Past *1 -> <Who o=?o> đã~1 không~2 <Vp f=b o=?o t=near> | <Who> did~1 not~2 <Vp>
    Past *1 -> <Then t=?t> <Who o=?o> không~2 <Vp f=b o=?o t=?t> | <Who> did~2 not~2 <Vp> <Then>
    Future *2 -> <Who o=?o> sẽ~1 <Vp f=b o=?o t=near> | <Who> will~1 <Vp>
    Future *3 -> <Soon t=?t> <Who o=?o> sẽ~1 <Vp f=b o=?o t=?t> | <Who> will~1 <Vp> <Soon>
    Future *2 -> <Who o=?o> sẽ~1 <Vp f=b o=?o t=?t> <Soon t=?t> | <Who> will~1 <Vp> <Soon>
    Future *2 -> <Who o=?o> sẽ~1 không~2 <Vp f=b o=?o t=near> | <Who> will~1 not~2 <Vp>
    Habit *3 -> <Who a=?a o=?o> <Vp f=?a o=?o t=day d=hab> | <Who> <Vp>
    Habit *2 -> <Who a=?a o=?o> <Rate> <Vp f=?a o=?o t=day d=hab> | <Who> <Rate> <Vp>
    Habit *2 -> <Who a=?a o=?o> <Vp f=?a o=?o t=day d=hab> <Often> | <Who> <Vp> <Often>
    Habit *2 -> <Often> <Who a=?a o=?o> <Vp f=?a o=?o t=day d=hab> | <Who> <Vp> <Often>
    Modal *2 -> <Who o=?o> có~1 thể~1 <Vp f=b o=?o t=near> | <Who> can~1 <Vp>
    Modal *2 -> <Who o=?o> không~2 thể~1 <Vp f=b o=?o t=near> | <Who> cannot~1~2 <Vp>
    Modal *2 -> <Who o=?o> phải~1 <Vp f=b o=?o t=near> | <Who> must~1 <Vp>
    Modal *1 -> <Who o=?o> nên~1 <Vp f=b o=?o t=near> | <Who> should~1 <Vp>
    Modal *1 -> <Who o=?o> không~2 nên~1 <Vp f=b o=?o t=near> | <Who> should~1 not~2 <Vp>
    Modal *4 -> <Who a=?a o=?o> <Want f=?a> <Vp f=b o=?o t=near> | <Who> <Want> <Vp>
    Modal *3 -> <Who a=?a o=?o> <Like f=?a> <Vp f=g o=?o t=day d=hab> | <Who> <Like> <Vp>
    Want[f=i/p/b] -> muốn | want to
    Want[f=s] -> muốn | wants to
    Want[f=i/p/b] -> định | plan to
    Want[f=s] -> định | plans to
    Like[f=i/p/b] -> thích | like
    Like[f=s] -> thích | likes
    State *5 -> <Who a=?a o=?o> <Vs f=?a c=?c> <Obj c=?c o=?o d=def> | <Who> <Vs> <Obj>
    State *2 -> <Who a=?a> rất~1 <Adore f=?a> | <Who> <Adore> very~1 much~1
    Adore[f=?f] -> <Vs f=?f c=?c> <Dear c=?c> | <Vs> <Dear>
    Dear[c=pet/city/film/music/flower/food c=?c] -> <Obj c=?c d=def> | <Obj>
    State *3 -> <Who a=?a> <Have f=?a> <Np c=pet/book/bike/car/device/watch/hat/bag/house d=ind> | <Who> <Have> <Np>
    State *1 -> <Who a=?a> <Live f=?a> <At w=city> | <Who> <Live> <At>
    Live[f=i/p/b] -> sống | live
    Live[f=s] -> sống | lives
    Have[f=i/p/b] -> có | have
    Have[f=s] -> có | has
    Ask *1 -> ai~1 đang~2 <Vp f=g> | who~1 is~2 <Vp>
    Ask *1 -> ai~1 đã~2 <Vp f=d t=near> | who~1 <Vp ~2>
    Ask *1 -> ai~1 muốn~2 <Vp f=b t=near> | who~1 wants~2 to~2 <Vp>
    Ask *2 -> <Who o=?o q=yes> đã~1 <Vp f=b o=?o t=near> phải~2 không~2 | did~1~2 <Who> <Vp>
    Ask *2 -> <Who o=?o q=yes> sẽ~1 <Vp f=b o=?o t=near> phải~2 không~2 | will~1~2 <Who> <Vp>
    Ask *1 -> khi~1 nào~1 <Who o=?o q=yes> sẽ~2 <Vp f=b o=?o t=near/far> | when~1 will~2 <Who> <Vp>
    Animal *1 -> <Np a=?a c=pet/farm c=?c> đã~1 <Va f=d c=?c> | <Np> <Va ~1>
    Thing *2 -> <Np a=s c=?c d=def j=no m=one> <Comp c=?c> hơn~1 <Np.2 c=?c d=def j=no m=one> | <Np> is <Comp> than~1 <Np.2>
)";

// The same for each of: form; be; do; have; weight
constexpr std::string_view forms = R"(
    i; am; do; have; 2
    s; is; does; has; 5
    p; are; do; have; 3
)";
constexpr std::string_view clausesByForm = R"(
    Doing *$5 -> <Who a=$1 o=?o> đang~1 <Vp f=g o=?o> | <Who> $2~1 <Vp>
    Doing *$5 -> <Now> <Who a=$1 o=?o> đang~1 <Vp f=g o=?o> | <Who> $2~1 <Vp> <Now>
    Not *$5 -> <Who a=$1 o=?o> không~1 <Vp f=b o=?o t=day d=hab> | <Who> $3~1 not~1 <Vp>
    Not *$5 -> <Who a=$1 o=?o> không~1 <Vs f=b c=?c> <Obj c=?c o=?o d=def> | <Who> $3~1 not~1 <Vs> <Obj>
    Not *$5 -> <Who a=$1 o=?o> không~1 <Want f=b> <Vp f=b o=?o t=near d=def> | <Who> $3~1 not~1 <Want> <Vp>
    Done *$5 -> <Who a=$1 o=?o> vừa~1 <Vp f=n o=?o t=near> | <Who> $4~1 just~1 <Vp>
    Done *$5 -> <Who a=$1 o=?o> chưa~1 <Vp f=n o=?o t=near d=def> | <Who> $4~1 not~1 <Vp> yet~1
    Done *$5 -> <Who a=$1 o=?o> đã~1 <Vp f=n o=?o t=near> rồi~2 | <Who> $4~1 already~2 <Vp>
    Being *$5 -> <Who a=$1> <Degree> <Feel ~1> | <Who> $2~1 <Degree> <Feel>
    Being *$5 -> <Who a=$1> bị~1 ốm~2 | <Who> $2~1 sick~2
    Being *$5 -> <Who a=$1> không~1 <Feel ~2> | <Who> $2~2 not~1 <Feel>
    Being *$5 -> <Who a=$1> <Degree> <A ~1 c=person> | <Who> $2~1 <Degree> <A>
    Calling *$5 -> <One a=$1 n=?n> là~1 <Job n=?n> | <One> $2~1 <Job>
    Calling *$5 -> <One a=$1 n=?n> không~2 phải~2 là~1 <Job n=?n> | <One> $2~1 not~2 <Job>
    Ask *$5 -> <Who a=$1 o=?o q=yes> đang~1 <Vp f=g o=?o d=def> phải~2 không~2 | $2~1~2 <Who> <Vp>
    Ask *$5 -> <Who a=$1 o=?o q=yes> có~1 <Vp f=b o=?o t=day d=hab> không~1 | $3~1 <Who> <Vp>
    Ask *$5 -> <Who a=$1 o=?o q=yes> có~1 <Vs f=b c=?c> <Obj c=?c o=?o d=def> không~1 | $3~1 <Who> <Vs> <Obj>
    Ask *$5 -> <Who a=$1 o=?o q=yes> có~1 <Want f=b> <Vp f=b o=?o t=near d=def> không~1 | $3~1 <Who> <Want> <Vp>
    Ask *$5 -> <Who a=$1 o=?o q=yes> đã~1 <Vp f=n o=?o t=near d=def> chưa~2 | $4~1 <Who> <Vp> yet~2
    Ask *$5 -> <Who a=$1 o=?o q=yes> đang~1 <Vt f=g c=book/paper/text/food/drink/film/song/subject/art/cloth> gì~2 | what~2 $2~1 <Who> <Vt>
    Ask *$5 -> <Who a=$1 o=?o q=yes> muốn~1 <Vt f=b c=book/paper/text/food/drink/film/song/subject/art/cloth> gì~2 | what~2 $3~1 <Who> want~1 to~1 <Vt>
    Ask *$5 -> <Who a=$1 q=yes> đang~1 đợi~3 ai~2 | who~2 $2~1 <Who> waiting~3 for~3
    Ask *$5 -> <Who a=$1 q=yes> sống~1 ở~2 đâu~2 | where~2 $3~1 <Who> live~1
    Ask *$5 -> tại~1 sao~1 <Who a=$1 o=?o q=yes> không~2 <Vp f=b o=?o t=day d=hab> | why~1 $3~2 <Who> not~2 <Vp>
    Ask *$5 -> <One a=$1 n=?n q=yes> có~1 phải~1 là~2 <Job n=?n> không~1 | $2~1~2 <One> <Job>
    Because *$5 -> <Pron a=$1 who=?w> không~1 <Vp f=b t=day d=hab o=none> vì~2 <Pron.2 who=?w> <Degree> <Need c=excuse ~3> | <Pron> $3~1 not~1 <Vp> because~2 <Pron.2> $2~3 <Degree> <Need>
    Because *$5 -> <Pron a=$1 who=?w> không~1 <Vp f=b t=day d=hab o=none> vì~2 <Pron.2 who=?w> bị~3 ốm~4 | <Pron> $3~1 not~1 <Vp> because~2 <Pron.2> $2~3 sick~4
    Because *$5 -> <Pron a=$1 who=?w> muốn~1 <Want1 f=$1 c=?c> vì~2 <Pron.2 who=?w> <Degree> <Need c=?c ~3> | <Pron> <Want1 ~1> because~2 <Pron.2> $2~3 <Degree> <Need>
)";

// Things and animals are never "i". Form; be; weight
constexpr std::string_view thingForms = R"(
    s; is; 3
    p; are; 1
)";
constexpr std::string_view clausesOfThings = R"(
    Being *$3 -> <Np a=$1 c=?c d=def j=no> <Degree> <A ~1 c=?c> | <Np> $2~1 <Degree> <A>
    Being *$3 -> <Np a=$1 c=?c d=def j=no> không~1 <A ~2 c=?c> | <Np> $2~2 not~1 <A>
    Being *$3 -> <Np a=$1 c=cloth/hat/bike/car/bag/cup c=?c d=def j=no> màu~1 <Colour ~1 c=?c> | <Np> $2~1 <Colour>
    Place *$3 -> <Np a=$1 c=pet c=?c d=def> ở~1 <Where c=?c> | <Np> $2 <Where ~1>
    Place *$3 -> <Np a=$1 c=book/paper/cup/cupof/pen/key/device/hat/fruit c=?c d=def> ở~1 <Where c=?c> | <Np> $2 <Where ~1>
    Place *$3 -> <Np a=$1 c=pet/book/key/device/hat/bag/bike/watch c=?c d=def j=no> ở~1 đâu~2 | where~2 $2~1 <Np>
    Place *$3 -> có~1 <Np a=$1 c=pet/book/paper/cup/cupof/pen/key/device/hat/fruit c=?c d=ind> ở~2 <Where c=?c> | there~1 $2~1 <Np> <Where ~2>
    Animal *$3 -> <Np a=$1 c=pet/farm c=?c> đang~1 <Va f=g c=?c w=?w> | <Np> $2~1 <Va>
    Animal *$3 -> <Np a=$1 c=pet c=?c> đang~1 <Va f=g c=?c w=?w> <At w=?w> | <Np> $2~1 <Va> <At>
)";

constexpr std::string_view smallWords = R"(
    S *6 -> <Doing> | <Doing>
    S *7 -> <Past> | <Past>
    S *5 -> <Future> | <Future>
    S *5 -> <Habit> | <Habit>
    S *4 -> <Modal> | <Modal>
    S *4 -> <Not> | <Not>
    S *6 -> <State> | <State>
    S *4 -> <Done> | <Done>
    S *7 -> <Being> | <Being>
    S *2 -> <Calling> | <Calling>
    S *3 -> <Place> | <Place>
    S *8 -> <Ask> | <Ask>
    S *2 -> <Because> | <Because>
    S *2 -> <Animal> | <Animal>
    S *3 -> <Thing> | <Thing>
    S *4 -> <Np c=?c> | <Np>
    Degree *3 -> rất | very
    Degree *1 -> khá | quite
    One[a=?a n=?n q=?q] *3 -> <Pron a=?a n=?n q=?q> | <Pron>
    One[a=s n=sg q=yes] *1 -> <Kin> | <Kin>
    One[a=s n=sg q=yes] *1 -> <Name> | <Name>
    Where[c=pet/book/paper/cup/cupof/pen/key/device/hat/fruit] -> trên~1 bàn~2 | on~1 the table~2
    Where[c=pet/book/paper/cup/pen/key/device/hat/fruit] -> dưới~1 bàn~2 | under~1 the table~2
    Where[c=pet/book/paper/cup/pen/key/device/hat] -> trên~1 ghế~2 | on~1 the chair~2
    Where[c=pet/book/paper/pen/key/device/hat] -> trên~1 giường~2 | on~1 the bed~2
    Where[c=book/paper/pen/key/device/fruit] -> trong~1 túi~2 | in~1 the bag~2
    Where[c=pet] -> trong~1 vườn~2 | in~1 the garden~2
    Where[c=pet] -> trong~1 nhà~2 | in~1 the house~2
    Want1[f=i/p c=hungry] -> ăn~1 cơm~2 | want to~1 eat~1 rice~2
    Want1[f=s c=hungry] -> ăn~1 cơm~2 | wants to~1 eat~1 rice~2
    Want1[f=i/p c=thirsty] -> uống~1 nước~2 | want to~1 drink~1 water~2
    Want1[f=s c=thirsty] -> uống~1 nước~2 | wants to~1 drink~1 water~2
    Want1[f=i/p c=tired] -> đi~1 ngủ~2 | want to~1 go~1 to~2 bed~2
    Want1[f=s c=tired] -> đi~1 ngủ~2 | wants to~1 go~1 to~2 bed~2
    Want1[f=i/p c=tired] -> nghỉ ngơi | want to rest
    Want1[f=s c=tired] -> nghỉ ngơi | wants to rest
    Need[c=hungry] -> đói | hungry
    Need[c=thirsty] -> khát | thirsty
    Need[c=tired/excuse] -> mệt | tired
    Need[c=excuse] -> bận | busy
    Need[c=excuse] -> buồn | sad
)";

// Clauses that may be joined to others, and what joins them.
constexpr std::string_view joining = R"(
    Clause *6 -> <Doing> | <Doing>
    Clause *6 -> <Past> | <Past>
    Clause *5 -> <Future> | <Future>
    Clause *5 -> <Habit> | <Habit>
    Clause *4 -> <Modal> | <Modal>
    Clause *4 -> <Not> | <Not>
    Clause *5 -> <State> | <State>
    Clause *3 -> <Done> | <Done>
    Clause *5 -> <Being> | <Being>
    Clause *3 -> <Calling> | <Calling>
    Clause *2 -> <Animal> | <Animal>
    Join *4 -> và | and
    Join *2 -> nhưng | but
    Join *1 -> còn | while
)";

// Each word is frequent in training, the two never stand in one sentence there.
constexpr std::string_view heldOut =
    "uống + trà\năn + chuối\nđọc + tạp chí\nviết + báo cáo\nmua + xe đạp\nbán + mũ\nnuôi + thỏ\ndạy + tiếng pháp\n"
    "gặp + bác sĩ\nsửa + đồng hồ\ntìm + chìa khóa\nthăm + đà nẵng\nnghe + nhạc\nmèo + đen\nchó + to\n"
    "áo + đỏ\nsách + cũ\nngựa + trắng\nhoa + vàng\nđiện thoại + mới\ngiáo viên + trẻ\ntừ điển + dày\nnấu + súp";

// In long sentences any two words meet sooner or later: fewer pairs, none of them of words that hardly stand apart.
constexpr std::string_view heldOutLong =
    "mua + xe đạp\nđọc + tạp chí\năn + chuối\nthăm + đà nẵng\nmèo + đen\nchó + to\nsách + cũ\ngiáo viên + trẻ\n"
    "gặp + bác sĩ\nbán + mũ";

AlignedGrammar vietnameseEnglishGrammar() {
    AlignedGrammar grammar;
    addVietnameseWords(grammar);
    grammar.addTable(R"(
        Pron[a=$3 o=$4 q=$8 n=$9 who=$2] -> $1 | $2
        Them[o=$7] -> $1 | $5
        Whose -> $1 | $6)",
                     pronouns);
    grammar.addTable("Relative -> $1 | $2", kin);
    for (const std::string_view rules :
         {phrases, timesAndNumbers, nounPhrases, verbPhrases, clauses, smallWords, joining})
        grammar.add(rules);
    grammar.addTable(clausesByForm, forms);
    grammar.addTable(clausesOfThings, thingForms);
    return grammar;
}

AlignedGrammar::Derivation sampleWell(const AlignedGrammar& grammar, std::string_view start, SeededRandom& random) {
    AlignedGrammar::Derivation derivation;
    do
        derivation = grammar.sample(start, random);
    while (repeatsItself(derivation.source, {"ấy", "tôi"}));
    return derivation;
}

void append(AlignedGrammar::Derivation& sentence, const AlignedGrammar::Derivation& part) {
    const int source = static_cast<int>(sentence.source.size()), target = static_cast<int>(sentence.target.size());
    sentence.source.insert(sentence.source.end(), part.source.begin(), part.source.end());
    sentence.target.insert(sentence.target.end(), part.target.begin(), part.target.end());
    for (const auto& [from, to] : part.alignment)
        sentence.alignment.emplace_back(from + source, to + target);
}

/// As many clauses as it takes for `length` source words or a few more.
AlignedGrammar::Derivation joinClauses(const AlignedGrammar& grammar, std::size_t length, SeededRandom& random) {
    AlignedGrammar::Derivation sentence = sampleWell(grammar, "Clause", random);
    while (sentence.source.size() < length) {
        append(sentence, grammar.sample("Join", random));
        append(sentence, sampleWell(grammar, "Clause", random));
    }
    return sentence;
}

}  // namespace
}  // namespace vietnamese

CorpusSplits vietnameseEnglish() {
    using namespace vietnamese;
    const AlignedGrammar grammar = vietnameseEnglishGrammar();
    const HeldOutPairs pairs(heldOut);
    return writeTaskCorpus({.next =
                                [&](SeededRandom& random) {
                                    AlignedGrammar::Derivation derivation = sampleWell(grammar, "S", random);
                                    chooseIndefiniteArticles(derivation.target);
                                    return derivation.toPair();
                                },
                            .isHeldOut = [&](const SentencePair& pair) { return pairs.standIn(pair.source); },
                            .always = grammar.fixedPhrases("Phrase"),
                            .train = 12000,
                            .validation = 500,
                            .test = 500,
                            .unseen = 500});
}

CorpusSplits longVietnameseEnglish() {
    using namespace vietnamese;
    constexpr std::size_t shortest = 4, longest = 40;
    const AlignedGrammar grammar = vietnameseEnglishGrammar();
    const HeldOutPairs pairs(heldOutLong);
    SentencePair example{"tôi yêu bạn và bạn yêu tôi", "i love you and you love me", {}};
    for (int word = 0; word < 7; ++word)
        example.alignment.emplace_back(word, word);
    return writeTaskCorpus({.next =
                                [&](SeededRandom& random) {
                                    AlignedGrammar::Derivation sentence;
                                    do
                                        sentence = joinClauses(grammar, shortest + random.below(longest - shortest + 1),
                                                               random);
                                    while (sentence.source.size() > longest || sentence.target.size() > longest);
                                    chooseIndefiniteArticles(sentence.target);
                                    return sentence.toPair();
                                },
                            .isHeldOut = [&](const SentencePair& pair) { return pairs.standIn(pair.source); },
                            .always = {example},
                            .train = 12000,
                            .validation = 500,
                            .test = 1000,
                            .unseen = 500});
}

}  // namespace headlight::builtin

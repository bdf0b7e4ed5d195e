// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/loss/loss_layout.h"
#include "ui/views/loss/loss_word.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace loss_layout;

namespace {

constexpr double kArrow = 0.5;  ///< a step that moves a logit by less is not drawn
constexpr double kTold = 0.3;   ///< a gradient as large is called too high or too low
constexpr double kRoomy = 760;  ///< wide enough for words beside the bars

/// Of the words that have no row: how many, what something sums to over them, and the logits' range and mean.
struct Rest {
    Rest(const WordLoss& word, const std::vector<int>& rows) {
        low = std::numeric_limits<double>::infinity();
        high = -low;
        for (int k = 0; k < word.vocabulary(); ++k) {
            if (std::ranges::find(rows, k) != rows.end()) continue;
            const double z = word.logits()[static_cast<size_t>(k)];
            ++count;
            low = std::min(low, z);
            high = std::max(high, z);
            mean += z;
            p += word.probability(k);
            q += word.wanted(k);
        }
        if (count > 0) mean /= count;
    }
    int count = 0;
    double low, high, mean = 0, p = 0, q = 0;
};

}  // namespace

QString LossWord::story(Telling how) const {
    const LossPicture& picture = *m_shown->picture;
    const WordLoss& now = m_shown->now;
    const int likeliest = static_cast<int>(std::ranges::max_element(now.logits()) - now.logits().begin());
    const QString expected = picture.word(m_shown->chosen, likeliest),
                  target = picture.word(m_shown->chosen, now.target());
    const QString before = picture.before(m_shown->chosen);
    const QString where = picture.isClassifier() ? tr("For this text")
                          : before.isEmpty()     ? tr("At the beginning")
                                                 : tr("After “%1”").arg(before);
    const QString chance = m_shown->veil.hidesShare(m_shown->chosen, likeliest)
                               ? HiddenArea::mark()
                               : formatPercent(now.probability(likeliest), 1);
    const bool isRight = likeliest == now.target();
    if (how == Telling::Shortest)
        return isRight ? tr("It expects “%1” (%2), the target.").arg(expected, chance)
                       : tr("It expects “%1” (%2), not “%3”.").arg(expected, chance, target);
    const QString expects = how == Telling::Whole ? tr("%1 the model expects “%2” (%3)").arg(where, expected, chance)
                                                  : tr("The model expects “%1” (%2)").arg(expected, chance);
    return isRight ? tr("%1, and that is the target.").arg(expects)
                   : tr("%1. The target says “%2”.").arg(expects, target);
}

void LossWord::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.surface, m_shown ? t.nowLine : t.line, 8);
    if (!m_shown) return;
    paintHeads(p, t);
    for (size_t row = 0; row < m_rows.size(); ++row)
        paintRow(p, t, row);
    p.setPen(QPen(t.line2, 1));
    const double bottom = sumTop();
    for (const double x : {logitX(0), (block(Gradient).left + block(Gradient).right) / 2})
        p.drawLine(QPointF(std::round(x) + 0.5, firstRow()), QPointF(std::round(x) + 0.5, bottom));
    paintRest(p, t);
    paintSums(p, t);
    p.setBrush(t.surface);
    p.setPen(QPen(t.text, 2));
    p.drawEllipse(handle(), 6, 6);
    paintLoss(p, t);
}

void LossWord::paintHeads(QPainter& p, const Theme& t) const {
    const LossPicture& picture = *m_shown->picture;
    const QString word = picture.isClassifier() ? tr("Label") : tr("Word %1").arg(m_shown->chosen + 1);
    paint::centredText(p, {kMargin, 24}, word, uiFont(13, QFont::DemiBold), t.text);
    const double from = kMargin + paint::textWidth(word, uiFont(13, QFont::DemiBold)) + 12, to = width() - 150;
    QString told = story();
    for (const Telling shorter : {Telling::Short, Telling::Shortest})
        if (paint::textWidth(told, uiFont(12)) > to - from) told = story(shorter);
    paint::centredText(p, {from, 24}, paint::elided(told, uiFont(12), to - from, Qt::ElideMiddle), uiFont(12), t.text2);
    paint::centredText(p, {width() - kMargin - 24 - 26, 24},
                       tr("%1 of %2").arg(m_shown->chosen + 1).arg(picture.words()), uiFont(12, QFont::Medium), t.text2,
                       Anchor::Middle);
    p.fillRect(QRectF(1, kHeader, width() - 2, 1), t.line);
    struct Head {
        Which which;
        QString name, formula, note;
    };
    const Head heads[] = {
        {Logits, tr("Logits"), tr("z"), picture.isClassifier() ? tr("one number a label") : tr("one number a word")},
        {Softmax, tr("Softmax"), tr("p = eᶻ / Σ eᶻ"), tr("none below 0, sum 1")},
        {Wanted, tr("Target"), tr("q"), tr("1 − ε here, ε to all")},
        {Gradient, tr("Gradient"), tr("p − q"), tr("learning goes against it")}};
    for (const Head& head : heads) {
        const Block at = block(head.which);
        const double room = at.number - at.left + 14;
        const QFont bold = uiFont(13, QFont::DemiBold), plain = uiFont(13);
        paint::centredText(p, {at.left, kHeader + 20}, head.name, bold, t.text);
        const double name = paint::textWidth(head.name, bold) + 8;
        if (name + paint::textWidth(head.formula, plain) <= room)
            paint::centredText(p, {at.left + name, kHeader + 20}, head.formula, plain, t.text2);
        if (paint::textWidth(head.note, uiFont(12)) <= room)
            paint::centredText(p, {at.left, kHeader + 40}, head.note, uiFont(12), t.text3);
    }
}

/// In the place of a bar, and of its number.
void LossWord::paintHidden(QPainter& p, const Theme& t, double middle, Which which) const {
    const Block at = block(which);
    paint::hatch(p, QRectF(at.left, middle - 5, at.right - at.left, 10).toAlignedRect(), t.hatchGround, t.hatch);
    paint::centredText(p, {at.number, middle}, HiddenArea::mark(), monoFont(12), t.text2, Anchor::End);
}

/// Bars of p, q and p − q, with their numbers.
void LossWord::paintShares(QPainter& p, const Theme& t, double middle, const double (&values)[3], bool on,
                           bool isHidden) const {
    const QFont font = monoFont(12, on ? QFont::DemiBold : QFont::Normal);
    for (const auto& [which, value] : {std::pair(Softmax, values[0]), std::pair(Wanted, values[1])}) {
        const Block at = block(which);
        if (isHidden && which == Softmax) {
            paintHidden(p, t, middle, Softmax);
            continue;
        }
        const double track = at.right - at.left, width = std::max(1.0, track * value);
        paint::box(p, QRectF(at.left, middle - 5, track, 10), on ? t.surface : t.sunken, {}, 2);
        paint::box(p, QRectF(at.left, middle - 5, width, 10), on ? t.now : t.sequentialStops[5], {}, width > 4 ? 2 : 0);
        paint::centredText(p, {at.number, middle}, formatNumber(value, 4), font, t.text, Anchor::End);
    }
    if (isHidden) return paintHidden(p, t, middle, Gradient);
    const Block at = block(Gradient);
    const double zero = (at.left + at.right) / 2, to = zero + values[2] * (at.right - at.left) / 2;
    const QRectF bar(std::min(zero, to), middle - 5, std::max(1.0, std::abs(to - zero)), 10);
    p.fillRect(bar, on ? t.now : t.divergingStops[values[2] > 0 ? 7 : 1]);
    paint::centredText(p, {at.number, middle}, formatSigned(values[2], 4), font, t.text, Anchor::End);
    if (std::abs(values[2]) <= kTold || width() < kRoomy) return;
    const bool isHigh = values[2] > 0;
    paint::centredText(p, {zero + (isHigh ? -8 : 8), middle}, isHigh ? tr("too high") : tr("too low"),
                       uiFont(11, QFont::DemiBold), on ? t.nowText : t.text2, isHigh ? Anchor::End : Anchor::Start);
}

void LossWord::paintRow(QPainter& p, const Theme& t, size_t row) const {
    const int word = m_rows[row];
    const WordLoss& now = m_shown->now;
    const bool on = word == now.target();
    const QRectF area = rowRect(row);
    const double middle = area.center().y();
    if (on) paint::box(p, area, t.nowTint, {}, 6);
    const QString name = m_shown->picture->word(m_shown->chosen, word);
    const QFont font = paint::fitting(name, uiFont(13, on ? QFont::DemiBold : QFont::Normal), namesEnd() - 12);
    paint::centredText(p, {namesEnd(), middle}, paint::elided(name, font, namesEnd() - 12), font,
                       on ? t.nowText : t.text, Anchor::End);
    const double z = now.logits()[static_cast<size_t>(word)], from = logitX(0), to = logitX(z);
    const bool isLogitHidden = m_shown->veil.hidesLogit(m_shown->chosen, word),
               isShareHidden = m_shown->veil.hidesShare(m_shown->chosen, word);
    if (isLogitHidden) {
        paintHidden(p, t, middle, Logits);
    } else {
        p.fillRect(QRectF(std::min(from, to), middle - 5, std::max(1.0, std::abs(to - from)), 10),
                   on ? t.now : t.divergingStops[z >= 0 ? 7 : 1]);
        paint::centredText(p, {block(Logits).number, middle}, formatNumber(z),
                           monoFont(12, on ? QFont::DemiBold : QFont::Normal), t.text, Anchor::End);
    }
    if (!isShareHidden) paintStep(p, t, middle, word);  // as long as the gradient
    paintShares(p, t, middle, {now.probability(word), now.wanted(word), now.gradient(word)}, on, isShareHidden);
}

/// Of a word that is sure already no step is long enough to be drawn.
bool LossWord::hasArrows() const {
    return std::ranges::any_of(m_rows, [this](int word) { return std::abs(stepOf(word)) >= kArrow; });
}

double LossWord::stepOf(int word) const {
    return -descentRate * m_shown->now.gradient(word);
}

/// Where the next step down the gradient takes the logit.
void LossWord::paintStep(QPainter& p, const Theme& t, double middle, int word) const {
    const double step = stepOf(word);
    if (std::abs(step) < kArrow) return;
    const double z = m_shown->now.logits()[static_cast<size_t>(word)], y = middle + 8;
    const Block at = block(Logits);
    const double from = logitX(z), to = std::clamp(logitX(z + step), at.left - 10, at.right + 10);
    const double sign = to > from ? 1 : -1;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text, 1.5));
    p.drawLine(QPointF(from, y), QPointF(to - 2 * sign, y));
    QPainterPath head({to - 5 * sign, y - 3.5});
    head.lineTo(to, y);
    head.lineTo(to - 5 * sign, y + 3.5);
    p.drawPath(head);
}

void LossWord::paintRest(QPainter& p, const Theme& t) const {
    const Rest rest(m_shown->now, m_rows);
    if (rest.count == 0) return;
    const double top = firstRow() + rowHeight() * static_cast<double>(m_rows.size()), middle = top + rowHeight() / 2;
    p.fillRect(QRectF(kMargin, top, width() - 2 * kMargin, 1), t.line);
    paint::centredText(p, {namesEnd(), middle}, tr("%1 others").arg(formatCount(rest.count)), uiFont(12), t.text3,
                       Anchor::End);
    p.setPen(QPen(t.text3, 1.5));
    const double low = logitX(rest.low), high = logitX(rest.high);
    p.drawLine(QPointF(low, middle), QPointF(high, middle));
    for (const double x : {low, high})
        p.drawLine(QPointF(x, middle - 3), QPointF(x, middle + 3));
    p.fillRect(QRectF(logitX(rest.mean) - 1, middle - 5, 2, 10), t.text2);
    // Clear of the line, and of the arrow at its right end.
    const QString mean = tr("mean %1").arg(formatNumber(rest.mean));
    const double room = block(Logits).number - std::max(high, block(Logits).right + 10) - 6;
    const bool fits = paint::textWidth(mean, monoFont(11)) <= room;
    paint::centredText(p, {block(Logits).number, middle}, fits ? mean : tr("μ %1").arg(formatNumber(rest.mean)),
                       monoFont(11), t.text3, Anchor::End);
    paintShares(p, t, middle, {rest.p, rest.q, rest.p - rest.q}, false, hidesRest());
}

void LossWord::paintSums(QPainter& p, const Theme& t) const {
    const double top = sumTop(), middle = top + kFoot / 2;
    p.fillRect(QRectF(kMargin, top, width() - 2 * kMargin, 1), t.line);
    paint::centredText(p, {namesEnd(), middle}, tr("sum"), uiFont(12), t.text3, Anchor::End);
    double sums[3] = {};
    for (int word = 0; word < m_shown->now.vocabulary(); ++word) {
        sums[0] += m_shown->now.probability(word);
        sums[1] += m_shown->now.wanted(word);
        sums[2] += m_shown->now.gradient(word);
    }
    for (const auto& [which, sum] :
         {std::pair(Softmax, sums[0]), std::pair(Wanted, sums[1]), std::pair(Gradient, sums[2])})
        paint::centredText(p, {block(which).number, middle}, formatNumber(sum, 4), monoFont(12), t.text2, Anchor::End);
}

void LossWord::paintLoss(QPainter& p, const Theme& t) const {
    const WordLoss& now = m_shown->now;
    const double top = height() - kLoss, middle = top + 34, below = middle + 28;
    p.fillRect(QRectF(1, top, width() - 2, 1), t.line);
    const QString formula = tr("L = −Σ q log p =");
    const QFont formulaFont = uiFont(15, QFont::Medium);
    const bool roomy = width() >= kRoomy;
    double x = kMargin;
    if (roomy) {
        paint::centredText(p, {x, middle}, formula, formulaFont, t.text);
        x += paint::textWidth(formula, formulaFont) + 12;
    }
    const double q = now.wanted(now.target());
    struct Product {
        QString numbers, note, sign;
        QColor fill, frame, ink;
    };
    const QString target = m_shown->picture->word(m_shown->chosen, now.target());
    const bool isHidden = m_shown->veil.hidesCost(m_shown->chosen);
    const auto written = [isHidden](double number) { return isHidden ? HiddenArea::mark() : formatNumber(number, 3); };
    const std::array parts = {
        Product{QStringLiteral("%1 × %2").arg(formatNumber(q, 4), written(now.plain())),
                tr("%1: q × −log p").arg(target), QStringLiteral("+"), t.nowTint, t.nowLine, t.nowText},
        Product{QStringLiteral("%1 × %2").arg(formatNumber(1 - q, 4), formatNumber(now.othersMean(), 3)),
                now.vocabulary() == 2 ? tr("1 other, −log p")
                                      : tr("%1 others, mean −log p").arg(formatCount(now.vocabulary() - 1)),
                QStringLiteral("="), t.sequentialStops[1], t.sequentialStops[3], Theme::onColor(t.sequentialStops[1])}};
    const QFont numbers = monoFont(13, QFont::Medium);
    for (const Product& part : parts) {
        const double width = paint::textWidth(part.numbers, numbers) + (roomy ? 24 : 12);
        paint::box(p, QRectF(x, middle - 16, width, 32), part.fill, part.frame, 6);
        paint::centredText(p, {x + width / 2, middle}, part.numbers, numbers, part.ink, Anchor::Middle);
        paint::centredText(p, {x + width / 2, below}, paint::elided(part.note, uiFont(11), width + 16), uiFont(11),
                           t.text2, Anchor::Middle);
        x += width + (roomy ? 18 : 10);
        paint::centredText(p, {x, middle}, part.sign, uiFont(16, QFont::Medium), t.text2, Anchor::Middle);
        x += roomy ? 18 : 10;
    }
    const QString loss = written(now.loss());
    const double width = paint::textWidth(loss, monoFont(15, QFont::DemiBold)) + 24;
    paint::box(p, QRectF(x, middle - 18, width, 36), t.nowTint, t.nowLine, 6, 2);
    paint::centredText(p, {x + width / 2, middle}, loss, monoFont(15, QFont::DemiBold), t.nowText, Anchor::Middle);
    paint::centredText(p, {x + width / 2, below}, tr("nats"), uiFont(11), t.text2, Anchor::Middle);
    x += width + 14;
    const double right = m_undo->x() - 12;
    const QString then = tr("loss then %1").arg(written(now.stepped().loss()));
    const QString move = tr("z − %1 (p − q)").arg(formatNumber(descentRate, 0));
    const QString rule =
        m_shown->steps == 0
            ? hasArrows() ? tr("%1, as the arrows show").arg(move) : move
            : tr("%1 by %2").arg(plural(tr("%n step(s)", nullptr, m_shown->steps), m_shown->steps), move);
    const QFont ruleFont = uiFont(12);
    if (right - x > paint::textWidth(rule, ruleFont))
        paint::centredText(p, {right, middle}, rule, ruleFont, t.text2, Anchor::End);
    if (this->width() - kMargin - x > paint::textWidth(then, uiFont(11)))
        paint::centredText(p, {this->width() - kMargin, below}, then, uiFont(11), t.text2, Anchor::End);
}

}  // namespace headlight

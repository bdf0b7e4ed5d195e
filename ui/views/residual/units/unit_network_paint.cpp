// SPDX-License-Identifier: GPL-3.0-or-later
// How the network at one word looks; what it shows of it is in unit_network.cpp.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/views/residual/units/unit_network.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/hidden_area.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kNarrow = 780;

}  // namespace

void UnitNetwork::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), t.surface, m_picture ? t.nowLine : t.line, 8, m_picture ? 2 : 1);
    if (!m_picture) return;
    paintHead(p, t);
    paintFan(p, t, true);
    paintFan(p, t, false);
    paintStrips(p, t);
    paintSquare(p, t);
    paintSums(p, t);
}

double UnitNetwork::scaleWidth() const {
    const QFont digits = monoFont(11);
    return 76 + paint::textWidth(formatNumber(-m_stripMost, 1), digits) + 80 +
           paint::textWidth(formatSigned(m_stripMost, 1), digits);
}

/// Beside the formula; else it stands below the square.
bool UnitNetwork::hasRoomForScale() const {
    return width() >= kNarrow;
}

/// Of x and FFN(x).
void UnitNetwork::paintScale(QPainter& p, const Theme& t, QPointF at) const {
    const QFont digits = monoFont(11);
    const QString low = formatNumber(-m_stripMost, 1);
    paint::math(p, at, QStringLiteral("*x*, FFN(*x*)"), 13, t.text3);
    double x = at.x() + 76;
    paint::centredText(p, {x, at.y()}, low, digits, t.text3);
    x += paint::textWidth(low, digits) + 4;
    for (int stop = 0; stop < 9; ++stop)
        p.fillRect(QRectF(x + 8.0 * stop, at.y() - 5, 8, 10), t.divergingStops[static_cast<size_t>(stop)]);
    paint::centredText(p, {x + 76, at.y()}, formatSigned(m_stripMost, 1), digits, t.text3);
}

/// The formula; or, as long as a unit is muted, that it is. And the scale of the vectors.
void UnitNetwork::paintHead(QPainter& p, const Theme& t) const {
    const double middle = 28, room = m_orders->geometry().left() - 20 - kSide;
    const int px = paint::mathWidth(formula(), 19) <= room - (hasRoomForScale() ? scaleWidth() + 16 : 0) ? 19 : 14;
    paint::math(p, {kSide, middle}, formula(), px, t.text);
    paintScale(p, t,
               hasRoomForScale() ? QPointF(kSide + room - scaleWidth(), middle)
                                 : QPointF(width() / 2.0 - scaleWidth() / 2, square().bottom() + 42));
    if (m_picture->muted() < 0) return;
    const QString text = tr("Unit %1 is muted: FFN(x) is without it").arg(m_picture->muted() + 1);
    const QFont bold = uiFont(12, QFont::DemiBold);
    const double wide = paint::textWidth(text, bold) + 40;
    const QRectF mark(width() / 2.0 - wide / 2, square().bottom() + 4, wide, 24);
    paint::box(p, mark, t.badTint, {}, 6);
    drawIcon(p, Icon::Mute, {mark.left() + 8, mark.top() + 4, 16, 16}, t.bad);
    paint::centredText(p, {mark.left() + 30, mark.center().y()}, text, bold, t.bad);
}

void UnitNetwork::paintStrips(QPainter& p, const Theme& t) const {
    const QRectF in = square();
    const ColorScale scale{ColorScale::Kind::Diverging, m_stripMost};
    const std::span<const float> x = m_picture->x(m_word);
    const double each = in.height() / m_picture->width();
    for (int number = 0; number < m_picture->width(); ++number) {
        const auto at = static_cast<size_t>(number);
        const QRectF cut(0, 0, 0, each >= 4 ? -1 : 0);
        const QRectF read = inRect(number).adjusted(0, 0, 0, cut.height()),
                     made = outRect(number).adjusted(0, 0, 0, cut.height());
        p.fillRect(read, scale.color(t, static_cast<double>(x[at])));
        p.fillRect(made, scale.color(t, m_output[at]));
    }
    forEachHiddenRun(
        m_picture->width(), [this](int number) { return m_picture->isXHidden(m_word, number); },
        [&](int from, int to) {
            paint::hatch(p, inRect(from).united(inRect(to - 1)).toAlignedRect(), t.hatchGround, t.hatch);
        });
    forEachHiddenRun(
        m_picture->width(), [this](int number) { return m_picture->isOutputHidden(m_word, number); },
        [&](int from, int to) {
            paint::hatch(p, outRect(from).united(outRect(to - 1)).toAlignedRect(), t.hatchGround, t.hatch);
        });
    p.setBrush(Qt::NoBrush);
    p.setPen(t.line2);
    const QString count = tr("%1 numbers").arg(m_picture->width());
    const std::pair<QRectF, QString> strips[] = {{inRect(0), QStringLiteral("*x*")},
                                                 {outRect(0), QStringLiteral("FFN(*x*)")}};
    for (const auto& [first, name] : strips) {
        p.drawRect(QRectF(first.left() - 0.5, in.top() - 0.5, kStrip + 1, in.height() + 1));
        paint::math(p, {first.center().x(), in.top() - 28}, name, 17, t.text, Anchor::Middle);
        paint::centredText(p, {first.center().x(), in.top() - 11}, count, uiFont(11), t.text3, Anchor::Middle);
        p.setPen(t.line2);
    }
    const double y = in.bottom() + 16;
    paint::centredText(p, {inRect(0).center().x(), y}, ofWord(), uiFont(12), t.text2, Anchor::Middle);
    paint::centredText(p, {outRect(0).center().x(), y}, added(), uiFont(12), t.text2, Anchor::Middle);
    if (m_picture->muted() < 0) paintFanNames(p, t, y);
}

/// Below the wires, clear of what is said of the strips beside them.
void UnitNetwork::paintFanNames(QPainter& p, const Theme& t, double y) const {
    constexpr double kApart = 20;
    const QFont font = uiFont(12);
    const QRectF in = square(), left = inRect(0), right = outRect(0);
    const QString moves = tr("w · x: what moves unit %1").arg(m_unit + 1), adds = isAsked() ? tr("what it adds: ?")
                                                                                  : fires()
                                                                                      ? tr("what it adds to each")
                                                                                      : tr("cut off: it adds nothing");
    const double movesWide = paint::textWidth(moves, font), addsWide = paint::textWidth(adds, font);
    const double after = left.center().x() + paint::textWidth(ofWord(), font) / 2 + kApart,
                 before = right.center().x() - paint::textWidth(added(), font) / 2 - kApart;
    const double from = std::max(after, (left.right() + in.left() - movesWide) / 2),
                 to = std::min(before, (in.right() + right.left() + addsWide) / 2);
    if (from + movesWide + kApart > to - addsWide) return;
    paint::centredText(p, {from, y}, moves, font, t.text2);
    paint::centredText(p, {to, y}, adds, font, t.text2, Anchor::End);
}

QString UnitNetwork::ofWord() const {
    return tr("of “%1”").arg(m_picture->words()[m_word]);
}

QString UnitNetwork::added() const {
    const bool pre = m_picture->model().network->config().normOrder == NormOrder::Pre;
    return pre ? tr("added to the stream") : tr("added to x");
}

/// One that is cut off adds nothing, and no line leaves it.
bool UnitNetwork::fires() const {
    return !isAsked() && m_active[static_cast<size_t>(m_unit)] != 0;
}

/// The wires of the chosen unit: from x to it, and from it to FFN(x).
void UnitNetwork::paintFan(QPainter& p, const Theme& t, bool in) const {
    const QRectF area = square(), unit = unitRect(m_unit);
    const double y = unit.center().y(), hub = in ? area.left() - 8 : area.right() + 8;
    p.setBrush(Qt::NoBrush);
    for (const Wire& wire : in ? wiresIn() : wiresOut()) {
        const QRectF cell = in ? inRect(wire.number) : outRect(wire.number);
        const QPointF end(in ? cell.right() + 2 : cell.left() - 2, cell.center().y()), middle(hub, y);
        const double bend = std::abs(end.x() - hub) * 0.5 * (in ? 1 : -1);
        QPainterPath path(end);
        path.cubicTo(end + QPointF(bend, 0), middle - QPointF(bend, 0), middle);
        p.setPen(QPen(t.divergingStops[wire.value > 0 ? 6 : 2], wire.width, Qt::SolidLine, Qt::FlatCap));
        p.drawPath(path);
    }
    p.setPen(QPen(t.nowLine, 2));
    if (in) p.drawLine(QPointF(hub, y), QPointF(unit.left() - 3, y));
    if (!in && fires()) p.drawLine(QPointF(unit.right() + 3, y), QPointF(hub, y));
}

void UnitNetwork::paintSquare(QPainter& p, const Theme& t) const {
    const QRectF in = square();
    const double side = cell(), most = m_picture->most(), gap = side >= 8 ? 1 : 0;
    const QRectF chosen = unitRect(m_unit);
    p.setRenderHint(QPainter::Antialiasing, false);
    if (side >= 3) {
        for (int unit = 0; unit < m_picture->units(); ++unit)
            p.fillRect(unitRect(unit).adjusted(0, 0, -gap, -gap),
                       t.sequential(std::clamp(m_active[static_cast<size_t>(unit)] / most, 0.0, 1.0)));
    } else {
        std::vector<double> placed;
        for (const int unit : m_order)
            placed.push_back(m_active[static_cast<size_t>(unit)]);
        p.drawImage(in, unitsImage(placed, most, t));
    }
    for (int unit = 0; unit < m_picture->units(); ++unit)
        if (m_picture->isActiveHidden(m_word, unit))
            paint::hatch(p, unitRect(unit).adjusted(0, 0, -gap, -gap).toAlignedRect(), t.hatchGround, t.hatch);
    // What a unit reads and adds passes by the others.
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(t.nowLine, 2));
    p.drawLine(QPointF(in.left() - 8, chosen.center().y()), QPointF(chosen.left() - 3, chosen.center().y()));
    if (fires())
        p.drawLine(QPointF(chosen.right() + 3, chosen.center().y()), QPointF(in.right() + 8, chosen.center().y()));
    p.setBrush(Qt::NoBrush);
    p.setPen(t.line2);
    p.drawRect(in.adjusted(-0.5, -0.5, 0.5, 0.5));
    paint::outline(p, chosen.adjusted(-1, -1, 1 - gap, 1 - gap), t.nowLine, 2, 3);
    if (side >= 18) {
        const QColor fill = isAsked()
                                ? t.hatchGround
                                : t.sequential(std::clamp(m_active[static_cast<size_t>(m_unit)] / most, 0.0, 1.0));
        if (m_picture->muted() == m_unit)
            drawIcon(p, Icon::Mute, {chosen.center().x() - 7, chosen.center().y() - 7, 14, 14}, t.bad);
        else
            paint::centredText(p, chosen.center() - QPointF(0.5, 0.5), QString::number(m_unit + 1),
                               monoFont(11, QFont::DemiBold), Theme::onColor(fill), Anchor::Middle);
    }
    const double y = in.top() - 14;
    const QString title = tr("%1 units").arg(m_picture->units());
    const QFont bold = uiFont(13, QFont::DemiBold), plain = uiFont(12);
    paint::centredText(p, {in.left(), y}, title, bold, t.text);
    const double after = in.left() + paint::textWidth(title, bold) + 8, scale = std::max(after + 8, in.right() - 118);
    const QString fired = m_picture->firedText(m_word);
    QString fire = tr("%1 fire at “%2”").arg(fired).arg(m_picture->words()[m_word]);
    if (paint::textWidth(fire, plain) > scale - after - 8) fire = tr("%1 fire").arg(fired);
    if (paint::textWidth(fire, plain) <= scale - after - 8) paint::centredText(p, {after, y}, fire, plain, t.text2);
    paint::centredText(p, {scale, y}, QStringLiteral("0"), monoFont(11), t.text3);
    for (int stop = 0; stop < 9; ++stop)
        p.fillRect(QRectF(scale + 12 + 9.0 * stop, y - 5, 9, 10), t.sequentialStops[static_cast<size_t>(stop)]);
    paint::centredText(p, {scale + 118, y}, formatNumber(most, 1), monoFont(11), t.text3, Anchor::End);
}

void UnitNetwork::paintSums(QPainter& p, const Theme& t) const {
    const QRectF area = sums();
    const int units = m_picture->units();
    const double pitch = area.width() / units;
    p.setRenderHint(QPainter::Antialiasing, pitch >= 2);
    // More units than pixels: one bar a pixel, of the units that stand there.
    const int step = std::max(1, static_cast<int>(std::floor(1 / pitch)));
    const std::span<const int> ranked = told();
    for (int rank = 0; rank < static_cast<int>(ranked.size()); rank += step) {
        const int unit = m_ranked[static_cast<size_t>(rank)];
        QRectF bar = sumRect(unit);
        bar.setWidth(std::max(bar.width(), step * pitch));
        if (step == 1) bar = sumRect(unit);
        p.fillRect(bar, m_picture->sum(m_word, unit) > 0 ? t.sequentialStops[5] : t.line2);
    }
    if (ranked.size() < m_ranked.size())
        paint::hatch(p, sumRect(m_ranked[ranked.size()]).united(sumRect(m_ranked.back())).toAlignedRect(),
                     t.hatchGround, t.hatch);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF chosen = sumRect(m_unit);
    const double zero = sumScale().zero;
    const bool isSumHidden = m_picture->isSumHidden(m_word, m_unit);
    const double sum = isSumHidden ? 0 : m_picture->sum(m_word, m_unit);
    QRectF mark = chosen;
    mark.setWidth(std::max(2.0, chosen.width()));
    if (isSumHidden)
        paint::outline(p, mark, t.nowLine, 1);
    else
        p.fillRect(mark, t.now);
    if (ranked.empty()) return;
    p.fillRect(QRectF(area.left(), std::round(zero), area.width(), 1), t.text2);
    const double up = sum >= 0 ? chosen.top() - 6 : zero - 6;
    const auto above =
        static_cast<int>(std::ranges::count_if(ranked, [&](int unit) { return m_picture->sum(m_word, unit) > 0; }));
    const double cut = area.left() + above * pitch;
    p.setPen(QPen(t.line2, 1, Qt::DashLine));
    p.drawLine(QPointF(cut, zero - 8), QPointF(cut, area.bottom()));
    const QString below = belowZero();
    const QString range = tr("sums of all units, from %1 down to %2")
                              .arg(formatNumber(m_picture->sum(m_word, ranked.front())),
                                   formatNumber(m_picture->sum(m_word, ranked.back())));
    const QFont font = uiFont(12);
    const double left = cut + 12, right = area.right() - paint::textWidth(range, font);
    const bool both = left + paint::textWidth(below, font) + 16 < right && chosen.right() + 30 < right;
    if (std::abs(mark.center().x() - left) > 20 || mark.center().x() < cut)
        paint::centredText(p, {left, zero - 12}, paint::elided(below, font, area.right() - left), font, t.text2);
    if (both) paint::centredText(p, {area.right(), zero - 12}, range, font, t.text3, Anchor::End);
    const QString number = QString::number(m_unit + 1);
    const QFont digits = monoFont(11, QFont::DemiBold);
    const QRectF said(left - 2, zero - 20, paint::textWidth(below, font) + 4, 16);
    QRectF at(mark.right() + 4, std::max(area.top() - 6, up) - 7, paint::textWidth(number, digits), 14);
    if (sum < 0 && at.intersects(said)) at.moveTop(mark.bottom() + 2);
    paint::centredText(p, {at.left(), at.center().y()}, number, digits, t.nowText);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/views/decode/forcing/forcing_layout.h"
#include "ui/views/decode/forcing/forcing_stage.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

using namespace forcing_layout;

namespace {

constexpr double kBarWide = 32, kHead = 3.5, kBend = 4;

void arrowUp(QPainter& p, double x, double from, double to, const QColor& color) {
    p.setPen(QPen(color, 1.5));
    p.drawLine(QPointF(x, from), QPointF(x, to));
    p.drawPolyline(QPolygonF{{x - kHead, to + 5}, {x, to}, {x + kHead, to + 5}});
}

void arrowRight(QPainter& p, double from, double to, double y, const QColor& color) {
    p.setPen(QPen(color, 1.5));
    p.drawLine(QPointF(from, y), QPointF(to, y));
    p.drawPolyline(QPolygonF{{to - 5, y - kHead}, {to, y}, {to - 5, y + kHead}});
}

QString written(double probability) {
    return formatNumber(probability, probability < 0.005 ? 3 : 2);
}

}  // namespace

/// What follows a wrong word is drawn as such.
QColor ForcingStage::wire(bool isFree, size_t step) const {
    const Theme& t = Theme::of(this);
    return isFree && step >= m_picture.firstWrongRead() ? t.bad : t.decoder;
}

void ForcingStage::paintGrounds(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const double right = viewport()->width();
    paint::box(p, {0, kTruth, right, kTruthHigh}, t.sunken, {}, 8);
    p.save();
    p.setClipRect(QRectF(kLabels - 8, 0, right, kHeight));
    const size_t wrong = m_picture.firstWrongRead();
    if (wrong < m_picture.free.size()) {
        const QRectF first = boxOf(true, Row::Writes, wrong), last = boxOf(true, Row::Reads, m_picture.free.size() - 1);
        paint::box(p, QRectF(first.topLeft() - QPointF(7, 4), last.bottomRight() + QPointF(7, 4)), t.badTint, {}, 8);
    }
    for (const bool isFree : {false, true}) {
        if (m_chosen >= (isFree ? m_picture.free : m_picture.forced).size()) continue;
        const QRectF top = boxOf(isFree, Row::Bars, m_chosen), bottom = boxOf(isFree, Row::Reads, m_chosen);
        paint::box(p, QRectF(top.topLeft() - QPointF(7, 10), bottom.bottomRight() + QPointF(7, 6)), t.nowTint, {}, 8);
    }
    p.restore();
}

void ForcingStage::paintLabels(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const auto label = [&](double y, const QString& text, int weight, const QColor& ink, int px = 12) {
        paint::centredText(p, {8, y}, text, uiFont(px, weight), ink);
    };
    label(kForced + 14, tr("Fed the"), QFont::DemiBold, t.text, 13);
    label(kForced + 30, tr("truth"), QFont::DemiBold, t.text, 13);
    label(kFree + 14, tr("Fed its"), QFont::DemiBold, t.text, 13);
    label(kFree + 30, tr("own words"), QFont::DemiBold, t.text, 13);
    for (const double top : {kForced, kFree}) {
        label(top + kWrites + kWord / 2, tr("writes"), QFont::Normal, t.text2);
        label(top + kReads + kWord / 2, tr("reads"), QFont::Normal, t.text2);
    }
    label(kTruth + kTruthHigh / 2, tr("The truth"), QFont::DemiBold, t.good);
    label(kApart + kApartHigh / 2, tr("states apart"), QFont::Normal, t.text2);
    const double behind = xOf(m_picture.steps()) + 4;
    if (behind + 90 > viewport()->width()) return;
    paint::centredText(p, {behind, kForced + 8}, tr("bar: probability"), uiFont(11), t.text3);
    paint::centredText(p, {behind, kForced + 24}, tr("of the right word"), uiFont(11), t.text3);
    paint::centredText(p, {behind, kApart + 3}, tr("0: the same"), uiFont(11), t.text3);
    paint::centredText(p, {behind, kApart + 18}, tr("1: the most"), uiFont(11), t.text3);
}

void ForcingStage::paintWord(QPainter& p, const QRectF& box, const QString& word, Look look) const {
    const Theme& t = Theme::of(this);
    const bool bad = look == Look::Bad;
    const QColor border = bad ? t.bad : look == Look::Truth ? t.good : look == Look::Faint ? t.line2 : t.decoder;
    paint::box(p, box, bad ? t.badTint : t.surface, border, 6);
    const int weight = look == Look::Plain || bad ? QFont::DemiBold : QFont::Medium;
    const double room = box.width() - (bad ? 26 : 10);
    const QFont font = paint::fitting(word, uiFont(13, weight), room);
    const QString text = paint::elided(word, font, room);
    paint::centredText(p, box.center() - QPointF(bad ? 8 : 0, 0), text, font,
                       bad                   ? t.bad
                       : look == Look::Faint ? t.text3
                                             : t.text,
                       Anchor::Middle);
    if (bad) drawIcon(p, Icon::Cross, {box.right() - 21, box.center().y() - 7, 14, 14}, t.bad);
}

void ForcingStage::paintBar(QPainter& p, bool isFree, size_t step) const {
    const ForcingPicture::Step& each = (isFree ? m_picture.free : m_picture.forced)[step];
    if (each.right < 0) return;
    const Theme& t = Theme::of(this);
    const QRectF box = boxOf(isFree, Row::Bars, step);
    const bool chosen = step == m_chosen;
    const double left = box.center().x() - kBarWide / 2 - 18, high = std::max(1.0, kBars * each.right);
    paint::box(p, {left, box.top(), kBarWide, kBars}, chosen ? t.surface : t.sunken, {}, 2);
    paint::box(p, {left, box.bottom() - high, kBarWide, high}, chosen ? t.now : t.sequential(0.625), {},
               high > 4 ? 2 : 0);
    paint::centredText(p, {left + kBarWide + 6, box.bottom() - 8}, written(each.right),
                       monoFont(11, chosen ? QFont::DemiBold : QFont::Normal), chosen ? t.nowText : t.text2);
}

/// The way of a word to the next step: from the truth, or from what was written.
void ForcingStage::paintFeed(QPainter& p, bool isFree, size_t step) const {
    const Theme& t = Theme::of(this);
    const ForcingPicture::Step& each = (isFree ? m_picture.free : m_picture.forced)[step];
    const bool fromTruth = !isFree || each.isHanded;
    const QRectF to = boxOf(isFree, Row::Reads, step);
    const QRectF from = fromTruth ? truthBox(step - 1) : boxOf(isFree, Row::Writes, step - 1);
    const QColor color = step == m_chosen ? t.nowLine : fromTruth ? t.good : each.readsTruth ? t.decoder : t.bad;
    const double x = to.left() - kBetween / 2, y = to.center().y(), start = from.center().y();
    const double down = y > start ? 1 : -1;
    QPainterPath path(QPointF(from.right(), start));
    path.lineTo(x - kBend, start);
    path.quadTo({x, start}, {x, start + down * kBend});
    path.lineTo(x, y - down * kBend);
    path.quadTo({x, y}, {x + kBend, y});
    path.lineTo(to.left() - 1, y);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(color, step == m_chosen ? 2 : 1.5));
    p.drawPath(path);
    p.drawPolyline(QPolygonF{{to.left() - 5, y - kHead}, {to.left() - 1, y}, {to.left() - 5, y + kHead}});
}

void ForcingStage::paintDecoder(QPainter& p, bool isFree) const {
    const Theme& t = Theme::of(this);
    const std::vector<ForcingPicture::Step>& steps = isFree ? m_picture.free : m_picture.forced;
    for (size_t step = 0; step < steps.size(); ++step) {
        const ForcingPicture::Step& each = steps[step];
        const bool chosen = step == m_chosen;
        const QRectF writes = boxOf(isFree, Row::Writes, step), cell = boxOf(isFree, Row::Cells, step),
                     reads = boxOf(isFree, Row::Reads, step);
        const QColor color = wire(isFree, step);
        const QColor up = isFree && step >= m_picture.firstWrongRead() ? color : t.line2;
        paintBar(p, isFree, step);
        arrowUp(p, cell.center().x(), cell.top() - 1, writes.bottom() + 2, up);
        arrowUp(p, cell.center().x(), reads.top() - 1, cell.bottom() + 2, up);
        if (step + 1 < steps.size())
            arrowRight(p, cell.right() + 1, boxOf(isFree, Row::Cells, step + 1).left() - 2, cell.center().y(),
                       wire(isFree, step + 1));
        if (step > 0) paintFeed(p, isFree, step);
        paintWord(p, writes, each.writes, each.isRight ? Look::Plain : Look::Bad);
        paint::box(p, cell, chosen ? t.nowTint : t.surface, chosen ? t.nowLine : color, 6, chosen ? 2 : 1);
        paint::centredText(p, cell.center(), m_picture.cell, uiFont(12, QFont::DemiBold), chosen ? t.nowText : t.text,
                           Anchor::Middle);
        const Look look = step == 0                  ? Look::Faint
                          : !isFree || each.isHanded ? Look::Truth
                          : each.readsTruth          ? Look::Plain
                                                     : Look::Bad;
        paintWord(p, reads, each.reads, look);
    }
}

void ForcingStage::paintApart(QPainter& p) const {
    const Theme& t = Theme::of(this);
    for (size_t step = 0; step < m_picture.apart.size(); ++step) {
        const QColor fill = t.sequential(m_picture.apart[step]);
        paint::box(p, apartBox(step), fill, t.line2);
        paint::centredText(p, apartBox(step).center(), formatNumber(m_picture.apart[step]), monoFont(11),
                           Theme::onColor(fill), Anchor::Middle);
    }
}

void ForcingStage::paintEvent(QPaintEvent*) {
    if (m_picture.empty()) return;
    QPainter p(viewport());
    p.setRenderHint(QPainter::Antialiasing);
    paintGrounds(p);
    paintLabels(p);
    p.setClipRect(QRectF(kLabels - 8, 0, viewport()->width(), viewport()->height()));
    paintDecoder(p, false);
    for (size_t step = 0; step < m_picture.truth.size(); ++step)
        paintWord(p, truthBox(step), m_picture.truth[step], Look::Truth);
    paintDecoder(p, true);
    p.setRenderHint(QPainter::Antialiasing, false);
    paintApart(p);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/cost/travel_picture.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kSide = 8, kTravelTop = 8, kTravelBelow = 24, kNumbers = 18, kRoomForDots = 10;

}  // namespace

TravelPicture::TravelPicture(Kind kind, QWidget* parent) : QWidget(parent), m_kind(kind) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TravelPicture::setLayers(int words, int kernel, Layering layering) {
    m_words = words;
    m_kernel = kernel;
    m_layering = layering;
    update();
}

int TravelPicture::dots() const {
    return std::min(m_words, kMostDots);
}

QPointF TravelPicture::dot(int word, double height) const {
    const double right = m_kind == Kind::Convolution ? kNumbers : 0, wide = width() - 2 * kSide - right;
    return {kSide + wide * word / std::max(1, dots() - 1), this->height() - kTravelBelow - height};
}

double TravelPicture::rise() const {
    const int steps = m_kind == Kind::Recurrence ? dots() : m_kind == Kind::Convolution ? layers() : 1;
    return (height() - kTravelBelow - kTravelTop) / std::max(1, steps);
}

QPolygonF TravelPicture::way() const {
    QPolygonF way;
    const int last = dots() - 1;
    switch (m_kind) {
        case Kind::Recurrence:
            for (int word = 0; word <= last; ++word)
                way << dot(word, rise() * word) << dot(word, rise() * (word + 1));
            break;
        case Kind::Convolution: {
            const std::vector<int> places = convolutionWay(dots(), m_kernel, m_layering);
            for (size_t layer = 0; layer < places.size(); ++layer)
                way << dot(places[layer], rise() * static_cast<double>(layer));
            break;
        }
        case Kind::Attention: {
            constexpr int kParts = 60;
            const QPointF from = dot(0), to = dot(last);
            for (int i = 0; i <= kParts; ++i) {
                const double angle = std::numbers::pi * i / kParts;
                way << QPointF((from.x() + to.x()) / 2 - std::cos(angle) * (to.x() - from.x()) / 2,
                               from.y() - std::sin(angle) * rise());
            }
            break;
        }
    }
    return way;
}

/// Each word waits, at the height of the step that it is read in.
void TravelPicture::paintGround(QPainter& p) const {
    p.setPen(QPen(Theme::of(this).line2, 0.75));
    for (int word = 0; word < dots(); ++word)
        p.drawLine(dot(word), dot(word, rise() * word));
}

/// What the last word of the uppermost layer has heard of.
void TravelPicture::paintSeen(QPainter& p) const {
    const Theme& t = Theme::of(this);
    QColor faint = t.text3;
    faint.setAlphaF(0.55F);
    std::set<int> hearing{dots() - 1};
    for (int layer = layers(); layer > 0; --layer) {
        const int spacing = spacingOf(layer, m_kernel, m_layering);
        const QPointF height = dot(0, rise() * layer);
        p.setPen(QPen(t.line2, 1, Qt::DotLine));
        p.drawLine(QPointF(kSide, height.y()), QPointF(dot(dots() - 1).x(), height.y()));
        std::set<int> below;
        QPainterPath lines;
        for (const int place : hearing)
            for (int back = 0; back < m_kernel; ++back) {
                const int heard = place - back * spacing;
                if (heard < 0) break;
                below.insert(heard);
                lines.moveTo(dot(place, rise() * layer));
                lines.lineTo(dot(heard, rise() * (layer - 1)));
            }
        p.setPen(QPen(faint, 0.75));
        p.drawPath(lines);
        p.setPen(Qt::NoPen);
        p.setBrush(t.text2);
        const double radius = std::min(2.0, rise() / 4);
        for (const int place : hearing)
            p.drawEllipse(dot(place, rise() * layer), radius, radius);
        p.setBrush(Qt::NoBrush);
        if (rise() >= kRoomForDots || layer == layers())
            paint::centredText(p, {width() - 1.0, height.y()}, QString::number(layer), monoFont(11), t.text3,
                               Anchor::End);
        hearing = std::move(below);
    }
}

/// Every pair of words.
void TravelPicture::paintArcs(QPainter& p) const {
    QColor weight = Theme::of(this).sequential(0.75);
    weight.setAlphaF(std::clamp(8.0F / static_cast<float>(dots()), 0.1F, 0.8F));
    p.setPen(QPen(weight, 0.75));
    p.setBrush(Qt::NoBrush);
    const int most = dots() - 1;
    for (int apart = 1; apart < most; ++apart) {
        const double tall = rise() * apart / most;
        for (int from = 0; from + apart <= most; ++from) {
            const double left = dot(from).x(), right = dot(from + apart).x();
            p.drawArc(QRectF(left, dot(0).y() - tall, right - left, 2 * tall), 0, 180 * 16);
        }
    }
}

void TravelPicture::paintAll(QPainter& p) const {
    switch (m_kind) {
        case Kind::Recurrence:
            return paintGround(p);
        case Kind::Convolution:
            return paintSeen(p);
        case Kind::Attention:
            return paintArcs(p);
    }
}

void TravelPicture::paintKept(QPainter& p) {
    const double ratio = p.paintEngine()->paintDevice()->devicePixelRatio();
    const QSize pixels = size() * ratio;
    const std::tuple of(dots(), m_kernel, m_layering, Theme::of(this).bg.rgba());
    if (m_kept.size() != pixels || m_keptOf != of) {
        m_kept = QPixmap(pixels);
        m_kept.setDevicePixelRatio(ratio);
        m_kept.fill(Qt::transparent);
        QPainter painter(&m_kept);
        painter.setRenderHint(QPainter::Antialiasing);
        paintAll(painter);
        m_keptOf = of;
    }
    p.drawPixmap(0, 0, m_kept);
}

void TravelPicture::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    // A figure in vectors keeps its strokes.
    if (p.paintEngine()->type() == QPaintEngine::Raster)
        paintKept(p);
    else
        paintAll(p);
    const QPolygonF amber = way();
    p.setPen(QPen(t.nowLine, 2.5, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    p.drawPolyline(amber);
    p.setPen(Qt::NoPen);
    p.setBrush(t.text2);
    for (int word = 0; word < dots(); ++word)
        p.drawEllipse(dot(word), 1.5, 1.5);
    p.setBrush(t.now);
    if (m_kind == Kind::Convolution && rise() >= kRoomForDots)
        for (const QPointF& place : amber)
            p.drawEllipse(place, 4, 4);
    for (const int word : {0, dots() - 1})
        p.drawEllipse(dot(word), 4, 4);
    const QFont small = uiFont(11);
    const double below = height() - 8.0;
    paint::centredText(p, {kSide - 4, below}, tr("word 1"), small, t.text2);
    paint::centredText(p, {dot(dots() - 1).x() + 4, below}, tr("word %1").arg(formatCount(dots())), small, t.text2,
                       Anchor::End);
    if (dots() == m_words) return;
    const QString last = tr("word %1").arg(formatCount(dots()));
    const double from = kSide + paint::textWidth(tr("word 1"), small) + 4;
    const double room = dot(dots() - 1).x() - paint::textWidth(last, small) - 4 - from;
    const QString drawn = tr("%1 of %2 words drawn").arg(dots()).arg(formatCount(m_words));
    const QFont fit = paint::fitting(drawn, small, room);
    if (paint::textWidth(drawn, fit) <= room)
        paint::centredText(p, {from + room / 2, below}, drawn, fit, t.text2, Anchor::Middle);
}

}  // namespace headlight

#include "moc_travel_picture.cpp"

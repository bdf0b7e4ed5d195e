// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/decode/forcing/place_curve.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kPlaceLeft = 46, kPlaceTop = 10, kPlaceBelow = 42, kPlaceRight = 98;
constexpr long kFew = 100;  ///< places that fewer than one sentence in so many has are left out
constexpr double kCurvesApart = 34;

/// As small a difference as the picture's numbers show.
constexpr double kLeastGap = 0.005;

QFont biasFont() {
    return uiFont(12, QFont::Medium);
}

}  // namespace

PlaceCurve::PlaceCurve(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Right word, place by place"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PlaceCurve::setReport(const ForcingReport& report) {
    m_places.clear();
    for (const PlaceCounts& place : report.places)
        if (place.sentences * kFew >= report.sentences) m_places.push_back(place);
    update();
}

void PlaceCurve::setChosen(size_t place) {
    m_chosen = place;
    setAccessibleDescription(place < m_places.size()
                                 ? tr("Place %1: %2 fed the truth, %3 on its own words")
                                       .arg(place + 1)
                                       .arg(formatPercent(shareOf(place, false)), formatPercent(shareOf(place, true)))
                                 : QString());
    update();
}

QRectF PlaceCurve::plot() const {
    return {kPlaceLeft, kPlaceTop, width() - kPlaceLeft - kPlaceRight, height() - kPlaceTop - kPlaceBelow};
}

double PlaceCurve::yOf(double share) const {
    return plot().bottom() - plot().height() * share;
}

double PlaceCurve::shareOf(size_t place, bool isFree) const {
    const PlaceCounts& each = m_places[place];
    return static_cast<double>(isFree ? each.free : each.forced) / static_cast<double>(each.sentences);
}

QPointF PlaceCurve::pointOf(size_t place, bool isFree) const {
    const double steps = static_cast<double>(std::max<size_t>(2, m_places.size()) - 1);
    return {plot().left() + plot().width() * static_cast<double>(place) / steps, yOf(shareOf(place, isFree))};
}

void PlaceCurve::paintAxes(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const QRectF area = plot();
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        p.setPen(QPen(share == 0 ? t.line2 : t.line, 1, share == 0 ? Qt::SolidLine : Qt::DotLine));
        const double y = std::round(yOf(share)) + 0.5;
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        paint::centredText(p, {area.left() - 10, y}, formatPercent(share, 0), monoFont(11), t.text3, Anchor::End);
    }
    const double apart = m_places.size() > 1 ? pointOf(1, true).x() - pointOf(0, true).x() : area.width();
    double widest = 0;
    for (const PlaceCounts& each : m_places)
        widest = std::max(widest, paint::textWidth(formatCount(each.sentences), monoFont(11)) + 6);
    size_t every = 1;
    for (const size_t step : {2, 5, 10, 20, 50})
        if (static_cast<double>(every) * apart < widest) every = step;
    for (size_t i = 0; i < m_places.size(); ++i) {
        const bool chosen = i == m_chosen;
        if (i % every != 0 && !chosen) continue;
        const double away = std::abs(static_cast<double>(i) - static_cast<double>(m_chosen)) * apart;
        if (!chosen && m_chosen < m_places.size() && away < widest) continue;
        const double x = pointOf(i, true).x();
        paint::centredText(p, {x, area.bottom() + 14}, QString::number(i + 1),
                           monoFont(11, chosen ? QFont::DemiBold : QFont::Normal), chosen ? t.nowText : t.text3,
                           Anchor::Middle);
        paint::centredText(p, {x, area.bottom() + 30}, formatCount(m_places[i].sentences), monoFont(11), t.text3,
                           Anchor::Middle);
    }
    paint::centredText(p, {0, area.bottom() + 14}, tr("place"), uiFont(11, QFont::Medium), t.text3);
    paint::centredText(p, {0, area.bottom() + 30}, tr("n"), uiFont(11, QFont::Medium), t.text3);
}

void PlaceCurve::paintNames(QPainter& p) const {
    const Theme& t = Theme::of(this);
    const size_t last = m_places.size() - 1;
    const double x = plot().right() + 10;
    double forced = yOf(shareOf(last, false)), free = yOf(shareOf(last, true));
    forced = std::max(forced, plot().top() + 8);
    free = std::min(std::max(free, forced + kCurvesApart), plot().bottom() - 18);
    forced = std::min(forced, free - kCurvesApart);
    const auto name = [&](double y, const QString& text, double share, int weight, const QColor& ink) {
        paint::centredText(p, {x, y}, text, uiFont(12, weight), ink);
        paint::centredText(p, {x, y + 16}, formatPercent(share, 0), monoFont(12, weight), ink);
    };
    name(forced, tr("fed the truth"), shareOf(last, false), QFont::Normal, t.text2);
    name(free, tr("its own words"), shareOf(last, true), QFont::DemiBold, t.text);
}

void PlaceCurve::paintChosen(QPainter& p) const {
    if (m_chosen >= m_places.size()) return;
    const Theme& t = Theme::of(this);
    const double x = pointOf(m_chosen, true).x();
    p.fillRect(QRectF(x - 0.75, plot().top() - 6, 1.5, plot().height() + 6), t.nowLine);
    const QStringList lines{tr("%1 fed the truth").arg(formatPercent(shareOf(m_chosen, false))),
                            tr("%1 on its own words").arg(formatPercent(shareOf(m_chosen, true)))};
    const QFont font = uiFont(12, QFont::Medium);
    const double wide = std::max(paint::textWidth(lines[0], font), paint::textWidth(lines[1], font));
    const double left = x + 10 + wide < width() ? x + 10 : x - 10 - wide;
    for (int i = 0; i < 2; ++i)
        paint::centredText(p, {left, yOf(0.22) + 18 * i}, lines[i], font, t.nowText);
}

void PlaceCurve::paintEvent(QPaintEvent*) {
    if (m_places.empty()) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    QPolygonF forced, free;
    for (size_t i = 0; i < m_places.size(); ++i) {
        forced << pointOf(i, false);
        free << pointOf(i, true);
    }
    QPolygonF band = forced;
    for (auto at = free.crbegin(); at != free.crend(); ++at)
        band << *at;
    p.setPen(Qt::NoPen);
    p.setBrush(t.sequential(0.125));
    p.drawPolygon(band);
    paintAxes(p);
    paintChosen(p);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(t.text3, 2, Qt::DashLine));
    p.drawPolyline(forced);
    p.setPen(QPen(t.text, 2.5));
    p.drawPolyline(free);
    for (size_t i = 0; i < m_places.size(); ++i) {
        const bool chosen = i == m_chosen;
        p.setPen(QPen(t.surface, 1.5));
        p.setBrush(chosen ? t.now : t.text);
        p.drawEllipse(pointOf(i, true), chosen ? 5 : 3, chosen ? 5 : 3);
    }
    paintNames(p);
    if (const QRectF name = biasName(); !name.isEmpty())
        paint::centredText(p, name.center(), tr("exposure bias"), biasFont(), t.text, Anchor::Middle);
}

QRectF PlaceCurve::biasName() const {
    const auto gap = [this](size_t place) { return shareOf(place, false) - shareOf(place, true); };
    size_t widest = 0;
    for (size_t i = 1; i < m_places.size(); ++i)
        if (gap(i) > gap(widest)) widest = i;
    if (m_places.empty() || gap(widest) < kLeastGap) return {};
    constexpr double kNameHeight = 16, kAir = 7;
    const double wide = paint::textWidth(tr("exposure bias"), biasFont());
    const double least = plot().left() + wide / 2, most = std::max(least, plot().right() - 4 - wide / 2);
    const double wished = std::clamp(pointOf(widest, true).x(), least, most);
    // Between the curves where they leave most room for it, and below the lower one otherwise.
    Room best = roomAt(wished, wide / 2 + kAir);
    double x = wished;
    for (double tried = least; tried <= most; tried += 4)
        if (const Room room = roomAt(tried, wide / 2 + kAir); room.below - room.above > best.below - best.above) {
            best = room;
            x = tried;
        }
    const bool fits = best.below - best.above >= kNameHeight + 2 * kAir;
    if (!fits) x = wished;
    const double y = fits ? (best.above + best.below) / 2 : roomAt(x, wide / 2 + kAir).lowest + kAir + kNameHeight / 2;
    return {x - wide / 2, y - kNameHeight / 2, wide, kNameHeight};
}

/// What the curves leave within `half` of x: they are lines, and a steep one passes between two of its points.
PlaceCurve::Room PlaceCurve::roomAt(double x, double half) const {
    Room room{plot().top(), plot().bottom(), plot().top()};
    const auto meet = [&room](double forced, double free) {
        room.above = std::max(room.above, forced);
        room.below = std::min(room.below, free);
        room.lowest = std::max({room.lowest, forced, free});
    };
    for (size_t i = 0; i < m_places.size(); ++i) {
        const QPointF forced = pointOf(i, false), free = pointOf(i, true);
        if (std::abs(free.x() - x) <= half) meet(forced.y(), free.y());
        if (i + 1 == m_places.size()) break;
        for (const double edge : {x - half, x + half}) {
            const double wide = pointOf(i + 1, true).x() - free.x(), share = (edge - free.x()) / wide;
            if (wide <= 0 || share < 0 || share > 1) continue;
            meet(forced.y() + share * (pointOf(i + 1, false).y() - forced.y()),
                 free.y() + share * (pointOf(i + 1, true).y() - free.y()));
        }
    }
    return room;
}

void PlaceCurve::mousePressEvent(QMouseEvent* event) {
    for (size_t i = 0; i < m_places.size(); ++i)
        if (std::abs(pointOf(i, true).x() - event->position().x()) <=
            plot().width() / 2 / std::max<double>(1, static_cast<double>(m_places.size()) - 1))
            return emit placeChosen(static_cast<int>(i));
}

void PlaceCurve::keyPressEvent(QKeyEvent* event) {
    const int now = static_cast<int>(m_chosen), last = static_cast<int>(m_places.size()) - 1;
    if (event->key() == Qt::Key_Left && now > 0)
        emit placeChosen(now - 1);
    else if (event->key() == Qt::Key_Right && now < last)
        emit placeChosen(now + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_place_curve.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/score_plane.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kText = 64;              ///< below the arrows
constexpr double kAside = 64, kTop = 30;  ///< for the words at the tips
constexpr double kHead = 10;              ///< of an arrow
constexpr double kArc = 34;

QString four(double value) {
    return formatNumber(value, 4);
}

double degrees(const ScoreAngle& angle) {
    return std::acos(std::clamp(angle.cosine(), -1.0, 1.0)) * 180 / std::numbers::pi;
}

void arrow(QPainter& p, const QPointF& from, const QPointF& to, const QColor& color) {
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    if (length < 1) return;
    const QPointF unit = way / length, side(-unit.y(), unit.x());
    const double head = std::min(kHead, length / 2);
    p.setPen(QPen(color, 2.5, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(from, to - unit * head);
    p.setPen(Qt::NoPen);
    p.setBrush(color);
    const QPointF points[] = {to, to - unit * head + side * head * 0.5, to - unit * head - side * head * 0.5};
    p.drawPolygon(points, 3);
}

}  // namespace

ScorePlane::ScorePlane(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    setAccessibleName(tr("Query and key as arrows"));
}

void ScorePlane::setShown(const Shown& shown) {
    m_shown = shown;
    setAccessibleDescription(
        tr("Query of “%1”, key of “%2”: %3").arg(shown.query, shown.key, lines().join(QStringLiteral("; "))));
    update();
}

QStringList ScorePlane::lines() const {
    const ScoreAngle& angle = m_shown.angle;
    if (!m_shown.veiled.isEmpty()) return {m_shown.veiled};
    if (!angle.hasAngle()) return {tr("A vector of length 0 has no direction: the product is 0.")};
    const QString lengths =
        tr("|q| × |k| × cos %1° = %2 × %3 × %4")
            .arg(formatNumber(degrees(angle), 1), four(angle.query), four(angle.key), four(angle.cosine()));
    return {lengths, tr("= %1, q · k").arg(four(angle.product)) +
                         (m_shown.after.isEmpty() ? QString() : QStringLiteral("; ") + m_shown.after.trimmed())};
}

/// Both arrows as large as fits, at one scale for both directions.
QPointF ScorePlane::at(double along, double across) const {
    const ScoreAngle& a = m_shown.angle;
    const double cosine = a.cosine(), high = a.key * std::sqrt(std::max(0.0, 1 - cosine * cosine));
    const double left = std::min(0.0, a.key * cosine), right = std::max(a.query, a.key * cosine);
    const double wide = std::max(right - left, 1e-9), tall = std::max(high, 1e-9);
    const double roomWide = std::max(10.0, width() - 2 * kAside),
                 roomTall = std::max(10.0, height() - kText - 2 * kTop);
    const double scale = std::min(roomWide / wide, roomTall / tall);
    return {(width() - wide * scale) / 2 + (along - left) * scale,
            kTop + (roomTall + high * scale) / 2 - across * scale};
}

QPointF ScorePlane::keyTip() const {
    const double cosine = m_shown.angle.cosine();
    return at(m_shown.angle.key * cosine, m_shown.angle.key * std::sqrt(std::max(0.0, 1 - cosine * cosine)));
}

QPointF ScorePlane::foot() const {
    return at(m_shown.angle.key * m_shown.angle.cosine(), 0);
}

void ScorePlane::paintPlane(QPainter& p, const Theme& t) const {
    const QPointF from = origin(), q = queryTip(), k = keyTip();
    p.setPen(QPen(t.line2, 1));
    p.drawLine(QPointF(0, from.y()), QPointF(width(), from.y()));
    if (m_shown.angle.hasAngle()) {
        const QRectF round(from.x() - kArc, from.y() - kArc, 2 * kArc, 2 * kArc);
        p.setPen(QPen(t.text2, 1.5));
        p.setBrush(Qt::NoBrush);
        p.drawArc(round, 0, static_cast<int>(std::lround(degrees(m_shown.angle) * 16)));
        p.setPen(QPen(t.nowLine, 2, Qt::DashLine, Qt::FlatCap));
        p.drawLine(k, foot());
        p.setPen(QPen(t.nowLine, 5, Qt::SolidLine, Qt::FlatCap));
        p.drawLine(from, foot());
    }
    arrow(p, from, q, t.query);
    arrow(p, from, k, t.key);
    const QFont font = uiFont(12, QFont::DemiBold);
    const auto name = [&](const QString& letter, const QString& word) {
        return paint::elided(letter + u' ' + word, font, 1.6 * kAside);
    };
    paint::centredText(p, {q.x(), q.y() + 16}, name(QStringLiteral("q"), m_shown.query), font, t.query, Anchor::Middle);
    paint::centredText(p, {k.x(), k.y() - 14}, name(QStringLiteral("k"), m_shown.key), font, t.key, Anchor::Middle);
}

void ScorePlane::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_shown.veiled.isEmpty()) paintPlane(p, t);
    double y = height() - 40.0;
    for (const QString& line : lines()) {
        const QFont font = monoFont(width() < 460 ? 11 : 13, y > height() - 30 ? QFont::DemiBold : QFont::Normal);
        paint::centredText(p, {width() / 2.0, y}, paint::elided(line, font, width()), font, t.text, Anchor::Middle);
        y += 24;
    }
}

}  // namespace headlight

#include "moc_score_plane.cpp"

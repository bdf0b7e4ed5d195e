// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/words/word_map.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "ui/widgets/theme/group_colors.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr double kMargin = 40;
constexpr double kReach = 12;        ///< how near a click must be
constexpr double kWidestName = 140;  ///< pieces of other programs' vocabularies may be whole lines
constexpr int kFew = 70;             ///< so few words all bear their names
constexpr size_t kSome = 1000;       ///< of so many those bear their names that have the room
constexpr size_t kMany = 4000;       ///< so many points are small, and drawn once

QFont groupLabelFont() {
    return uiFont(12, QFont::DemiBold);
}

}  // namespace

WordMap::WordMap(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Map of embeddings"));
}

void WordMap::setPoints(QStringList words, std::vector<QPointF> points) {
    m_words = std::move(words);
    m_points = std::move(points);
    m_chosen = m_hovered = -1;
    m_related.clear();
    m_groups.clear();
    m_labels.clear();
    m_lit = -1;
    double left = 0, right = 1, top = 0, bottom = 1;
    if (!m_points.empty()) {
        const auto [x0, x1] = std::ranges::minmax_element(m_points, {}, &QPointF::x);
        const auto [y0, y1] = std::ranges::minmax_element(m_points, {}, &QPointF::y);
        left = x0->x(), right = x1->x(), top = y0->y(), bottom = y1->y();
    }
    m_bounds = QRectF(left, top, std::max(1e-9, right - left), std::max(1e-9, bottom - top));
    redraw();
}

void WordMap::redraw() {
    m_cloud = {};
    m_names.clear();
    update();
}

void WordMap::setGroups(std::vector<int> of, QStringList labels) {
    m_groups = std::move(of);
    m_labels = std::move(labels);
    for (QString& label : m_labels)
        label = paint::elided(label, groupLabelFont(), kWidestName);
    redraw();
}

void WordMap::setLit(int group) {
    if (std::exchange(m_lit, group) != group) redraw();
}

QColor WordMap::colorOf(int word) const {
    const Theme& t = Theme::of(this);
    const int group = m_groups.empty() ? -1 : m_groups[static_cast<size_t>(word)];
    const QColor plain = m_points.size() > kMany ? t.line2 : paint::mixed(t.line2, t.text3, 0.6);
    if (group < 0) return m_lit < 0 ? plain : t.line;
    return m_lit < 0 || m_lit == group ? groupColor(t, group) : t.line;
}

void WordMap::setChosen(int word, std::vector<int> related) {
    m_chosen = word;
    m_related = std::move(related);
    m_names.clear();
    update();
}

QPointF WordMap::placeOf(int word) const {
    const QPointF& at = m_points[static_cast<size_t>(word)];
    return {kMargin + (at.x() - m_bounds.left()) / m_bounds.width() * (width() - 2 * kMargin),
            height() - kMargin - (at.y() - m_bounds.top()) / m_bounds.height() * (height() - 2 * kMargin)};
}

int WordMap::wordAt(QPointF place) const {
    int nearest = -1;
    double least = kReach;
    for (int word = 0; word < static_cast<int>(m_points.size()); ++word) {
        const QPointF away = placeOf(word) - place;
        const double distance = std::hypot(away.x(), away.y());
        if (distance >= least) continue;
        least = distance;
        nearest = word;
    }
    return nearest;
}

void WordMap::mousePressEvent(QMouseEvent* event) {
    if (const int word = wordAt(event->position()); word >= 0) emit wordChosen(word);
}

void WordMap::mouseMoveEvent(QMouseEvent* event) {
    m_hovered = wordAt(event->position());
    setCursor(m_hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

/// What is lit is painted last, over the rest.
std::vector<int> WordMap::inOrder() const {
    std::vector<int> order(m_points.size());
    std::iota(order.begin(), order.end(), 0);
    if (m_lit >= 0 && !m_groups.empty())
        std::stable_partition(order.begin(), order.end(),
                              [this](int word) { return m_groups[static_cast<size_t>(word)] != m_lit; });
    return order;
}

void WordMap::resizeEvent(QResizeEvent*) {
    m_names.clear();
}

/// Squares of two pixels, filled by hand: fifty thousand circles would take a quarter of
/// a second.
void WordMap::paintCloud(QPainter& p) {
    const QColor ground = Theme::of(this).surface;
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(this->size()) * ratio).toSize();
    if (m_cloud.size() != size || m_cloudColor != ground) {
        m_cloudColor = ground;
        m_cloud = QImage(size, QImage::Format_ARGB32_Premultiplied);
        m_cloud.fill(Qt::transparent);
        const int dot = std::max(2, static_cast<int>(std::lround(2 * ratio)));
        for (const int word : inOrder()) {
            const QRgb color = colorOf(word).rgba();
            const QPoint middle = (placeOf(word) * ratio).toPoint();
            const QRect pixels = QRect(middle - QPoint(dot / 2, dot / 2), QSize(dot, dot)) & m_cloud.rect();
            for (int y = pixels.top(); y <= pixels.bottom(); ++y)
                std::fill_n(reinterpret_cast<QRgb*>(m_cloud.scanLine(y)) + pixels.left(), pixels.width(), color);
        }
    }
    p.drawImage(rect(), m_cloud);
}

QFont WordMap::nameFont(int word) const {
    const bool related = std::ranges::find(m_related, word) != m_related.end();
    return uiFont(related || word == m_chosen || m_points.size() <= kFew ? 12 : 11, word == m_chosen ? QFont::DemiBold
                                                                                    : related        ? QFont::Medium
                                                                                                     : QFont::Normal);
}

QString WordMap::shownName(int word) const {
    return paint::elided(m_words[word], nameFont(word), kWidestName);
}

/// On the right of its point, or on the first other side where nothing else stands. Where all are taken, on the right;
/// of what needs no name, nowhere.
QRectF WordMap::nameRect(int word, const std::vector<QRectF>& taken, Sides sides) const {
    constexpr double kAway = 9, kHigh = 16;
    const QPointF at = placeOf(word);
    const double wide = paint::textWidth(shownName(word), nameFont(word));
    const QRectF right(at.x() + kAway, at.y() - kHigh / 2, wide, kHigh);
    const QPointF up(0, -kHigh * 0.75), left(-2 * kAway - wide, 0), above(-kAway - wide / 2, -kHigh);
    for (const QPointF& side : {QPointF(), left, up, -up, left + up, left - up, above, QPointF(above.x(), kHigh)}) {
        const QRectF tried = right.translated(side);
        const bool isFree = std::ranges::none_of(taken, [&](const QRectF& each) { return each.intersects(tried); });
        if (isFree && QRectF(rect()).contains(tried)) return tried;
    }
    return sides == Sides::All ? right : QRectF();
}

const std::vector<WordMap::Name>& WordMap::names() const {
    if (m_names.empty()) m_names = placeNames();
    return m_names;
}

std::vector<WordMap::Name> WordMap::placeNames() const {
    std::vector<int> named;
    if (m_chosen >= 0) named.push_back(m_chosen);
    named.insert(named.end(), m_related.begin(), m_related.end());
    std::vector<QRectF> taken;
    taken.reserve(2 * named.size());
    constexpr double kDot = 5;
    for (const int word : named)
        taken.emplace_back(placeOf(word) - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot));
    if (m_points.size() <= kFew)
        for (int word = 0; word < static_cast<int>(m_points.size()); ++word)
            if (std::ranges::find(named, word) == named.end()) named.push_back(word);
    std::vector<Name> all;
    all.reserve(named.size());
    for (const int word : named) {
        all.push_back({word, nameRect(word, taken)});
        taken.push_back(all.back().rect);
    }
    m_labelAt = placeLabels(taken);
    if (m_points.size() > kFew && m_points.size() <= kSome) nameWhereFree(all, taken);
    return all;
}

const std::vector<QRectF>& WordMap::labelRects() const {
    names();
    return m_labelAt;
}

/// In the middle of the group's words, or as near to it as nothing else stands.
std::vector<QRectF> WordMap::placeLabels(std::vector<QRectF>& taken) const {
    constexpr double kSwatch = 14, kHigh = 18, kStep = 12;
    constexpr int kRings = 14, kWays = 12;
    std::vector<QRectF> all;
    for (int group = 0; group < m_labels.size(); ++group) {
        std::vector<double> xs, ys;
        for (int word = 0; word < static_cast<int>(m_points.size()); ++word) {
            if (m_groups[static_cast<size_t>(word)] != group) continue;
            const QPointF at = placeOf(word);
            xs.push_back(at.x());
            ys.push_back(at.y());
        }
        all.emplace_back();
        if (xs.empty()) continue;
        const auto half = static_cast<std::ptrdiff_t>(xs.size() / 2);
        std::ranges::nth_element(xs, xs.begin() + half);
        std::ranges::nth_element(ys, ys.begin() + half);
        const double wide = paint::textWidth(m_labels[group], groupLabelFont()) + kSwatch + 8;
        const QPointF middle(xs[xs.size() / 2], ys[ys.size() / 2]);
        for (int ring = 0; ring < kRings && all.back().isNull(); ++ring)
            for (int way = 0; way < (ring == 0 ? 1 : kWays) && all.back().isNull(); ++way) {
                const double angle = 2 * std::numbers::pi * way / kWays;
                const QPointF at = middle + QPointF(2 * std::cos(angle), std::sin(angle)) * kStep * ring;
                const QRectF tried(at.x() - wide / 2, at.y() - kHigh / 2, wide, kHigh);
                const bool isFree =
                    std::ranges::none_of(taken, [&](const QRectF& each) { return each.intersects(tried); });
                if (isFree && QRectF(rect()).contains(tried)) all.back() = tried;
            }
        if (!all.back().isNull()) taken.push_back(all.back());
    }
    return all;
}

void WordMap::paintLabels(QPainter& p) const {
    const Theme& t = Theme::of(this);
    for (int group = 0; group < m_labels.size(); ++group) {
        const QRectF at = labelRects()[static_cast<size_t>(group)];
        if (at.isNull() || (m_lit >= 0 && m_lit != group)) continue;
        QColor ground = t.surface;
        ground.setAlphaF(0.9F);
        paint::box(p, at, ground, t.line, 5);
        p.setPen(Qt::NoPen);
        p.setBrush(groupColor(t, group));
        p.drawEllipse(QPointF(at.left() + 9, at.center().y()), 4, 4);
        paint::centredText(p, {at.left() + 18, at.center().y()}, m_labels[group], groupLabelFont(), t.text);
    }
}

/// Of the words that are not in question: no name on a point, else it would be taken for that point's.
void WordMap::nameWhereFree(std::vector<Name>& names, std::vector<QRectF>& taken) const {
    constexpr double kDot = 3;
    std::vector<char> isNamed(m_points.size());
    for (const Name& name : names)
        isNamed[static_cast<size_t>(name.word)] = 1;
    for (int word = 0; word < static_cast<int>(m_points.size()); ++word)
        taken.emplace_back(placeOf(word) - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot));
    for (int word = 0; word < static_cast<int>(m_points.size()); ++word) {
        if (isNamed[static_cast<size_t>(word)]) continue;
        const QRectF rect = nameRect(word, taken, Sides::Free);
        if (rect.isNull()) continue;
        names.push_back({word, rect});
        taken.push_back(rect);
    }
}

void WordMap::paintName(QPainter& p, const Name& name, const QColor& color) const {
    // Dots behind it would run into its letters.
    QColor ground = Theme::of(this).surface;
    ground.setAlphaF(0.75F);
    if (m_points.size() > kFew) paint::box(p, name.rect.adjusted(-1, 0, 1, 0), ground, {}, 3);
    paint::centredText(p, {name.rect.left(), name.rect.center().y()}, shownName(name.word), nameFont(name.word), color);
}

void WordMap::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    const auto related = [this](int word) { return std::ranges::find(m_related, word) != m_related.end(); };
    const bool many = m_points.size() > kMany;
    const auto dot = [&](int word, const QColor& color, double radius) {
        p.setBrush(color);
        p.drawEllipse(placeOf(word), radius, radius);
    };
    if (many)
        paintCloud(p);
    else
        for (const int word : inOrder())
            dot(word, colorOf(word), 3);
    for (const int word : m_related)
        dot(word, t.sequential(0.75), 4.5);
    if (m_chosen >= 0) dot(m_chosen, t.now, 6);
    for (const Name& name : names()) {
        const bool isChosen = name.word == m_chosen;
        paintName(p, name, isChosen ? t.nowText : related(name.word) ? t.text2 : t.text3);
    }
    paintLabels(p);
    if (m_hovered < 0 || m_hovered == m_chosen) return;
    const auto known = std::ranges::find(names(), m_hovered, &Name::word);
    paintName(p, known != names().end() ? *known : Name{m_hovered, nameRect(m_hovered, {})}, t.text);
}

}  // namespace headlight

#include "moc_word_map.cpp"

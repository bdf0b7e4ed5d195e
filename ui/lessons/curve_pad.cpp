// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/curve_pad.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lessons/lesson_veil.h"
#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kLeft = 46, kRight = 10, kTop = 24, kCurveBelow = 24;
constexpr double kCurveStep = 0.02, kCurveLargeStep = 0.1;  ///< of the axis
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

CurvePad::CurvePad(const LessonVeil& veil, QWidget* parent) : QWidget(parent), m_veil(veil) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Your curve"));
    setToolTip(tr("Draw from left to right; or choose a place by ← and → and move it by ↑ and ↓"));
}

void CurvePad::setPlaces(const std::vector<double>& places) {
    m_places = places;
    m_drawn.assign(places.size(), kNothing);
    m_answer.clear();
    m_column = 0;
    say();
    update();
}

/// Straight between what was drawn, and on as it was behind the ends.
std::vector<double> CurvePad::curve() const {
    std::vector<size_t> drawn;
    for (size_t i = 0; i < m_drawn.size(); ++i)
        if (!std::isnan(m_drawn[i])) drawn.push_back(i);
    if (drawn.empty()) return {};
    std::vector<double> numbers;
    size_t next = 0;
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        while (next < drawn.size() && drawn[next] < i)
            ++next;
        const size_t right = drawn[std::min(next, drawn.size() - 1)], left = next > 0 ? drawn[next - 1] : right;
        const double between =
            right > left && i < right ? (m_places[i] - m_places[left]) / (m_places[right] - m_places[left]) : 1;
        numbers.push_back(numberOnAxis(m_veil, m_drawn[left] + (m_drawn[right] - m_drawn[left]) * between));
    }
    return numbers;
}

void CurvePad::setCurve(const std::vector<double>& curve) {
    if (curve.size() != m_drawn.size()) return;
    for (size_t i = 0; i < curve.size(); ++i)
        m_drawn[i] = placeOnAxis(m_veil, curve[i]);
    say();
    update();
}

void CurvePad::setAnswer(const std::vector<double>& answer, bool isPredicted) {
    m_answer = answer;
    m_isPredicted = isPredicted;
    setToolTip({});
    unsetCursor();
    say();
    update();
}

QRectF CurvePad::plot() const {
    return {kLeft, kTop, std::max(10.0, width() - kLeft - kRight), std::max(10.0, height() - kTop - kCurveBelow)};
}

QPointF CurvePad::pointAt(size_t column, double number) const {
    const QRectF in = plot();
    const double across = (m_places[column] - m_places.front()) / (m_places.back() - m_places.front());
    return {in.left() + in.width() * across, in.bottom() - in.height() * placeOnAxis(m_veil, number)};
}

size_t CurvePad::columnAt(double x) const {
    size_t best = 0;
    for (size_t i = 1; i < m_places.size(); ++i)
        if (std::abs(pointAt(i, m_veil.least).x() - x) < std::abs(pointAt(best, m_veil.least).x() - x)) best = i;
    return best;
}

double CurvePad::shareAt(double y) const {
    return std::clamp((plot().bottom() - y) / plot().height(), 0.0, 1.0);
}

void CurvePad::draw(size_t column, double share) {
    m_drawn[column] = std::clamp(share, 0.0, 1.0);
    m_column = column;
}

void CurvePad::drawTo(QPointF at, bool isFirst) {
    if (hasAnswer() || m_places.size() < 2) return;
    const size_t from = m_column, to = columnAt(at.x());
    const double before = m_drawn[from], share = shareAt(at.y());
    // A mouse that is fast jumps over columns.
    for (size_t i = std::min(from, to) + 1; !isFirst && i < std::max(from, to); ++i) {
        const double way = (m_places[i] - m_places[from]) / (m_places[to] - m_places[from]);
        m_drawn[i] = before + (share - before) * way;
    }
    draw(to, share);
    say();
    update();
    emit changed();
}

/// What was not drawn yet begins where the curve is, or in the middle.
void CurvePad::moveBy(int columns, double share) {
    const auto last = static_cast<int>(m_places.size()) - 1;
    m_column = static_cast<size_t>(std::clamp(static_cast<int>(m_column) + columns, 0, last));
    if (share != 0) {
        const std::vector<double> now = curve();
        draw(m_column, (now.empty() ? 0.5 : placeOnAxis(m_veil, now[m_column])) + share);
        emit changed();
    }
    say();
    update();
}

QString CurvePad::numberText(double number) const {
    const double range = m_veil.most - m_veil.least;
    return m_veil.isByTens || range < 0.05 ? formatScientific(number, 1) : formatNumber(number, range < 10 ? 2 : 0);
}

/// The ends, the middle and the place that the keys move.
void CurvePad::say() {
    const std::vector<double> own = curve(), &told = hasAnswer() ? m_answer : own;
    if (told.empty() || m_places.empty()) return setAccessibleDescription(tr("Nothing is drawn yet."));
    QStringList all;
    for (const size_t column : {size_t(0), m_column, m_places.size() / 2, m_places.size() - 1}) {
        const QString text = tr("%1 at %2").arg(numberText(told[column]), formatCount(std::llround(m_places[column])));
        if (!all.contains(text)) all << text;
    }
    setAccessibleDescription(
        tr("%1, by %2").arg(all.join(QStringLiteral("; ")), QString::fromStdString(m_veil.across)));
}

void CurvePad::paintAxes(QPainter& p, const Theme& t) const {
    const QRectF in = plot();
    paint::box(p, in, t.sunken, {}, 2);
    const auto label = [&](double number, const QString& text) {
        const double y = std::round(pointAt(0, number).y()) + 0.5;
        p.setPen(QPen(t.line2, 1));
        p.drawLine(QPointF(in.left(), y), QPointF(in.right(), y));
        paint::centredText(p, {in.left() - 6, y}, text, uiFont(11), t.text3, Anchor::End);
    };
    if (m_veil.isByTens) {
        const int low = static_cast<int>(std::ceil(std::log10(m_veil.least) - 1e-9));
        const int high = static_cast<int>(std::floor(std::log10(m_veil.most) + 1e-9));
        const int step = high - low > 8 ? 4 : high - low > 4 ? 2 : 1;
        for (int exponent = high; exponent >= low; exponent -= step)
            label(std::pow(10.0, exponent), formatPowerOfTen(exponent));
    } else {
        for (const double share : {0.0, 0.5, 1.0})
            label(numberOnAxis(m_veil, share), numberText(numberOnAxis(m_veil, share)));
    }
    const double y = in.bottom() + 14;
    paint::centredText(p, {in.left(), y}, formatCount(std::llround(m_places.front())), monoFont(11), t.text3,
                       Anchor::Middle);
    paint::centredText(p, {in.right(), y}, formatCount(std::llround(m_places.back())), monoFont(11), t.text3,
                       Anchor::End);
    paint::centredText(p, {in.center().x(), y}, QString::fromStdString(m_veil.across), uiFont(11, QFont::Medium),
                       t.text3, Anchor::Middle);
}

void CurvePad::paintCurve(QPainter& p, const std::vector<double>& numbers, const QPen& pen) const {
    QPainterPath path;
    for (size_t i = 0; i < numbers.size() && i < m_places.size(); ++i)
        i == 0 ? path.moveTo(pointAt(0, numbers[0])) : path.lineTo(pointAt(i, numbers[i]));
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
}

/// Above the plot, each in the colour of its line; or what is to be done, or the number that the keys move.
void CurvePad::paintNames(QPainter& p, const Theme& t) const {
    const QRectF in = plot();
    const double y = kTop / 2 - 1;
    const QFont font = uiFont(12, QFont::DemiBold);
    double x = in.left();
    const auto name = [&](const QString& text, const QColor& color, double thick) {
        p.fillRect(QRectF(x, y - thick / 2, 18, thick), color);
        paint::centredText(p, {x + 24, y}, text, font, t.text);
        x += 24 + paint::textWidth(text, font) + 16;
    };
    if (hasAnswer()) {
        if (m_isPredicted) name(tr("yours"), t.nowLine, 2.5);
        name(tr("the engine's"), t.text, 2.5);
        return;
    }
    const std::vector<double> own = curve();
    if (own.empty())
        return paint::centredText(p, {in.center().x(), in.top() + in.height() / 4}, tr("Draw your curve here"),
                                  uiFont(13), t.text3, Anchor::Middle);
    const QString at = tr("%1 at %2").arg(numberText(own[m_column]), formatCount(std::llround(m_places[m_column])));
    paint::centredText(p, {in.left(), y}, at, monoFont(12), t.text2);
}

void CurvePad::paintEvent(QPaintEvent*) {
    if (m_places.size() < 2) return;
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintAxes(p, t);
    const std::vector<double> own = curve();
    if (!hasAnswer() || m_isPredicted) paintCurve(p, own, {t.nowLine, 2.5, Qt::SolidLine, Qt::RoundCap});
    if (hasAnswer()) paintCurve(p, m_answer, {t.text, 2.5, Qt::SolidLine, Qt::RoundCap});
    if (!hasAnswer() && !own.empty()) {
        p.setPen(QPen(t.surface, 1.5));
        p.setBrush(t.now);
        p.drawEllipse(pointAt(m_column, own[m_column]), 5, 5);
    }
    paintNames(p, t);
    if (hasFocus() && !hasAnswer()) paint::outline(p, plot(), t.ink, 1.5, 3);
}

void CurvePad::mousePressEvent(QMouseEvent* event) {
    drawTo(event->position(), true);
}

void CurvePad::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) drawTo(event->position(), false);
}

void CurvePad::keyPressEvent(QKeyEvent* event) {
    const ArrowKey arrow(event->key());
    if (hasAnswer() || arrow.isNone() || m_places.size() < 2) return QWidget::keyPressEvent(event);
    const double step = event->modifiers() & Qt::ShiftModifier ? kCurveLargeStep : kCurveStep;
    moveBy(arrow.right, -arrow.down * step);
}

void CurvePad::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

}  // namespace headlight

#include "moc_curve_pad.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laboratory/turning_hands.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/session/format/number_format.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kEquation = 84;                  ///< height of the equation and of the line above it
constexpr double kSmallest = 44, kLargest = 104;  ///< sides of a clock's square
constexpr double kName = 16;                      ///< below a clock
constexpr int kDigits = 4;

QString number(double value) {
    return formatNumber(value, kDigits);
}

/// Square brackets around what stands there.
void bracket(QPainter& p, const QRectF& around, const QColor& color) {
    constexpr double foot = 4;
    p.setPen(QPen(color, 1.5));
    for (const bool left : {true, false}) {
        const double x = left ? around.left() : around.right(), in = left ? foot : -foot;
        const QPointF line[] = {
            {x + in, around.top()}, {x, around.top()}, {x, around.bottom()}, {x + in, around.bottom()}};
        p.drawPolyline(line, 4);
    }
}

}  // namespace

TurningHands::TurningHands(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    setAccessibleName(tr("Pairs as turning hands"));
}

void TurningHands::setTurns(std::vector<PositionTurn> turns, int position, int offset, int chosen, const QString& why) {
    m_turns = std::move(turns);
    m_position = position;
    m_offset = offset;
    m_chosen = std::clamp(chosen, 0, std::max(0, static_cast<int>(m_turns.size()) - 1));
    m_why = why;
    QString told = why;
    if (!m_turns.empty()) {
        const PositionTurn& turn = m_turns[static_cast<size_t>(m_chosen)];
        const QStringList numbers = equation();
        told = tr("Pair %1, dimensions %2 and %3, turns by %4 a position. R, ")
                   .arg(m_chosen)
                   .arg(turn.sine)
                   .arg(turn.cosine)
                   .arg(number(turn.frequency)) +
               tr("%1 %2 / %3 %4, times (%5, %6), position %7, is (%8, %9)")
                   .arg(numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7])
                   .arg(m_position)
                   .arg(numbers[0], numbers[1]) +
               tr(", position %1").arg(m_position + m_offset);
    }
    setAccessibleDescription(told);
    update();
}

QStringList TurningHands::equation() const {
    if (m_turns.empty()) return {};
    const PositionTurn& turn = m_turns[static_cast<size_t>(m_chosen)];
    return {number(turn.to[0]),          number(turn.to[1]),          number(turn.rotation[0][0]),
            number(turn.rotation[0][1]), number(turn.rotation[1][0]), number(turn.rotation[1][1]),
            number(turn.from[0]),        number(turn.from[1])};
}

TurningHands::Grid TurningHands::grid(size_t count) const {
    const double high = std::max(kSmallest, height() - kEquation);
    Grid best;
    for (int columns = 1; columns <= static_cast<int>(count); ++columns) {
        const int rows = (static_cast<int>(count) + columns - 1) / columns;
        const double cell = std::min({static_cast<double>(width()) / columns, high / rows - kName, kLargest});
        if (cell > best.cell) best = {columns, rows, cell};
    }
    return best;
}

/// As many as leave each its smallest square.
size_t TurningHands::most() const {
    const double high = std::max(kSmallest + kName, height() - kEquation);
    const int columns = std::max(1, static_cast<int>(width() / kSmallest));
    return static_cast<size_t>(columns) * static_cast<size_t>(high / (kSmallest + kName));
}

std::vector<int> TurningHands::drawn() const {
    const size_t count = std::min(m_turns.size(), most());
    std::vector<int> pairs;
    for (size_t place = 0; place < count; ++place)
        pairs.push_back(static_cast<int>(count == 1 ? 0 : place * (m_turns.size() - 1) / (count - 1)));
    if (pairs.empty() || std::ranges::find(pairs, m_chosen) != pairs.end()) return pairs;
    *std::ranges::min_element(pairs, {}, [this](int pair) { return std::abs(pair - m_chosen); }) = m_chosen;
    return pairs;
}

double TurningHands::radius() const {
    return grid(drawn().size()).cell / 2 - 4;
}

QPointF TurningHands::centre(size_t place) const {
    const Grid in = grid(drawn().size());
    const auto column = static_cast<double>(place % static_cast<size_t>(in.columns));
    const size_t above = place / static_cast<size_t>(in.columns);
    const auto row = static_cast<double>(above);
    const double wide = static_cast<double>(width()) / in.columns, high = (height() - kEquation) / in.rows;
    return {wide * (column + 0.5), high * (row + 0.5) - kName / 2};
}

QPointF TurningHands::tip(size_t place, const PositionTurn::Pair& pair) const {
    return centre(place) + QPointF(pair[0], -pair[1]) * radius();
}

void TurningHands::paintClock(QPainter& p, const Theme& t, size_t place) const {
    const int pair = drawn()[place];
    const PositionTurn& turn = m_turns[static_cast<size_t>(pair)];
    const QPointF middle = centre(place);
    const double r = radius();
    const QRectF face(middle.x() - r, middle.y() - r, 2 * r, 2 * r);
    const bool isChosen = pair == m_chosen;
    p.setPen(QPen(isChosen ? t.nowLine : t.line2, isChosen ? 2 : 1));
    p.setBrush(t.sunken);
    p.drawEllipse(face);
    // What k turns it by, clockwise from where it stands; more than a round is a full one. Qt counts sixteenths of
    // degrees, against the clock, from three o'clock.
    const double start = 90 - std::atan2(turn.from[0], turn.from[1]) * 180 / std::numbers::pi;
    const double turned = std::min(360.0, m_offset * turn.frequency * 180 / std::numbers::pi);
    p.setPen(Qt::NoPen);
    p.setBrush(t.nowTint);
    p.drawPie(face.adjusted(3, 3, -3, -3), static_cast<int>(std::lround(start * 16)),
              -static_cast<int>(std::lround(turned * 16)));
    p.setPen(QPen(t.text, 2, Qt::SolidLine, Qt::RoundCap));
    p.drawLine(middle, tip(place, turn.from));
    p.setPen(QPen(t.nowLine, 2, Qt::DashLine, Qt::FlatCap));
    p.drawLine(middle, tip(place, turn.to));
    paint::centredText(p, {middle.x(), middle.y() + r + 11}, QStringLiteral("%1, %2").arg(turn.sine).arg(turn.cosine),
                       monoFont(11, isChosen ? QFont::DemiBold : QFont::Normal), isChosen ? t.text : t.text3,
                       Anchor::Middle);
}

/// PE(pos + k) = R PE(pos), column vectors and the matrix in brackets.
void TurningHands::paintEquation(QPainter& p, const Theme& t) const {
    const QFont font = monoFont(width() < 330 ? 11 : 12);
    const double number = paint::textWidth(QStringLiteral("−0.0000"), font), pad = 5, sign = 14;
    const double whole = 4 * number + 6 * pad + 2 * sign + 8, top = height() - 40.0;
    double x = std::max(0.0, (width() - whole) / 2);
    const QStringList numbers = equation();
    const auto block = [&](int first, int columns, const QColor& color) {
        const double wide = columns * number + (columns - 1) * 8 + 2 * pad;
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < columns; ++column)
                paint::centredText(p, {x + pad + number + column * (number + 8), top + 10 + row * 18},
                                   numbers[first + row * columns + column], font, color, Anchor::End);
        bracket(p, {x, top, wide, 38}, t.text3);
        x += wide;
    };
    const auto between = [&](const QString& text) {
        paint::centredText(p, {x + sign / 2, top + 19}, text, uiFont(13), t.text2, Anchor::Middle);
        x += sign;
    };
    const PositionTurn& turn = m_turns[static_cast<size_t>(m_chosen)];
    const QString line = tr("PE(%1) = R · PE(%2), R a turn by %3 × %4")
                             .arg(m_position + m_offset)
                             .arg(m_position)
                             .arg(m_offset)
                             .arg(headlight::formatNumber(turn.frequency, kDigits));
    paint::centredText(p, {width() / 2.0, height() - 56.0}, paint::elided(line, uiFont(12), width()), uiFont(12),
                       t.text2, Anchor::Middle);
    block(0, 1, t.nowText);
    between(QStringLiteral("="));
    block(2, 2, t.text);
    between(QStringLiteral("·"));
    block(6, 1, t.text);
}

void TurningHands::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_turns.empty()) {
        p.setFont(uiFont(12));
        p.setPen(t.text2);
        p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_why);
        return;
    }
    for (size_t place = 0; place < drawn().size(); ++place)
        paintClock(p, t, place);
    paintEquation(p, t);
}

void TurningHands::choose(int pair) {
    pair = std::clamp(pair, 0, std::max(0, static_cast<int>(m_turns.size()) - 1));
    if (!m_turns.empty() && pair != m_chosen) emit pairChosen(pair);
}

void TurningHands::mousePressEvent(QMouseEvent* event) {
    const std::vector<int> pairs = drawn();
    for (size_t place = 0; place < pairs.size(); ++place) {
        const QPointF from = event->position() - centre(place);
        if (std::hypot(from.x(), from.y()) <= radius() + 2) return choose(pairs[place]);
    }
}

void TurningHands::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Up:
            return choose(m_chosen - 1);
        case Qt::Key_Right:
        case Qt::Key_Down:
            return choose(m_chosen + 1);
        case Qt::Key_Home:
            return choose(0);
        case Qt::Key_End:
            return choose(static_cast<int>(m_turns.size()) - 1);
        default:
            return QWidget::keyPressEvent(event);
    }
}

}  // namespace headlight

#include "moc_turning_hands.cpp"

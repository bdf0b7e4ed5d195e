// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/units/unit_network.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"
#include "ui/views/residual/units/unit_cards.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

namespace {

constexpr double kHead = 52, kTitles = 40, kCaptions = 28, kSums = 96, kFoot = 10, kScale = 24;
constexpr double kLeast = 0.06;  ///< of the strongest wire: weaker ones are not drawn

}  // namespace

UnitNetwork::UnitNetwork(QWidget* parent)
    : QWidget(parent), m_orders(new SegmentedControl({tr("As stored"), tr("By strength")}, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("The network at one word"));
    m_orders->setAccessibleName(tr("Order of the units"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 12, 20, 0);
    row->addWidget(m_orders, 0, Qt::AlignTop | Qt::AlignRight);
    connect(m_orders, &SegmentedControl::currentChanged, this, [this](int index) {
        setByStrength(index == 1);
        emit orderChosen();
    });
}

void UnitNetwork::setPicture(std::shared_ptr<const UnitsPicture> picture, int word, int unit) {
    m_picture = std::move(picture);
    m_word = word;
    m_unit = unit;
    gather();
}

void UnitNetwork::setByStrength(bool byStrength) {
    m_byStrength = byStrength;
    const QSignalBlocker quiet(m_orders);
    m_orders->setCurrentIndex(byStrength ? 1 : 0);
    gather();
}

/// What is drawn of the word and the unit, computed once.
void UnitNetwork::gather() {
    update();
    if (!m_picture) return;
    const auto units = static_cast<size_t>(m_picture->units());
    m_active = m_picture->activeRow(m_word);
    m_output = m_picture->output(m_word);
    m_order = m_picture->order(m_word, m_byStrength);
    m_ranked = m_picture->order(m_word, true);
    m_places.assign(units, 0);
    m_ranks.assign(units, 0);
    for (size_t place = 0; place < units; ++place) {
        m_places[static_cast<size_t>(m_order[place])] = static_cast<int>(place);
        m_ranks[static_cast<size_t>(m_ranked[place])] = static_cast<int>(place);
    }
    const UnitWeights weights = unitWeights(m_picture->model(), m_picture->trace(), m_picture->layer(), m_unit);
    const std::span<const float> x = m_picture->x(m_word);
    m_in.clear();
    m_out.clear();
    m_stripMost = 0.5;
    for (size_t d = 0; d < x.size(); ++d) {
        const bool isXHidden = m_picture->isXHidden(m_word, static_cast<int>(d)),
                   isOutputHidden = m_picture->isOutputHidden(m_word, static_cast<int>(d));
        const double read = isXHidden ? 0 : static_cast<double>(x[d]);
        m_in.push_back(read * static_cast<double>(weights.in[d]));
        m_out.push_back(isAsked() ? 0 : m_active[static_cast<size_t>(m_unit)] * static_cast<double>(weights.out[d]));
        m_stripMost = std::max({m_stripMost, std::abs(read), isOutputHidden ? 0 : std::abs(m_output[d])});
    }
    m_stripMost = std::ceil(m_stripMost * 2) / 2;
    describe();
}

void UnitNetwork::describe() {
    const QString hidden = tr("hidden until you have predicted it");
    const bool isSumHidden = m_picture->isSumHidden(m_word, m_unit);
    setAccessibleDescription(tr("Unit %1: sum %2, activation %3; %4 of %5 fire")
                                 .arg(m_unit + 1)
                                 .arg(isSumHidden ? hidden : formatNumber(m_picture->sum(m_word, m_unit), 3),
                                      isAsked() ? hidden : formatNumber(m_active[static_cast<size_t>(m_unit)], 3))
                                 .arg(m_picture->firedText(m_word))
                                 .arg(m_picture->units()));
}

bool UnitNetwork::isAsked() const {
    return m_picture->isActiveHidden(m_word, m_unit);
}

/// The units whose sums are told, the largest first.
std::span<const int> UnitNetwork::told() const {
    size_t count = m_ranked.size();
    while (count > 0 && m_picture->isSumHidden(m_word, m_ranked[count - 1]))
        --count;
    return std::span(m_ranked).first(count);
}

double UnitNetwork::cell() const {
    const double tall = height() - kHead - kTitles - kCaptions - kSums - kFoot - (hasRoomForScale() ? 0 : kScale);
    const double wide = width() - 2 * (kSide + 36 + kStrip) - 160;
    const int columns = unitColumns(m_picture->units()), rows = unitRows(m_picture->units());
    const double side = std::min({tall / rows, wide / columns, 36.0});
    return side >= 4 ? std::floor(side) : std::max(0.5, side);
}

QRectF UnitNetwork::square() const {
    const double side = cell();
    const double wide = side * unitColumns(m_picture->units()), tall = side * unitRows(m_picture->units());
    return {std::round((width() - wide) / 2), kHead + kTitles, wide, tall};
}

QRectF UnitNetwork::sums() const {
    const double top = square().bottom() + kCaptions + 8 + (hasRoomForScale() ? 0 : kScale);
    return {kSide, top, width() - 2 * kSide, std::max(30.0, height() - kFoot - top)};
}

int UnitNetwork::placeOf(int unit) const {
    return m_places[static_cast<size_t>(unit)];
}

QRectF UnitNetwork::unitRect(int unit) const {
    const int columns = unitColumns(m_picture->units()), place = placeOf(unit);
    const int column = place % columns, row = place / columns;
    const double side = cell();
    const QRectF in = square();
    return {in.left() + column * side, in.top() + row * side, side, side};
}

UnitNetwork::SumScale UnitNetwork::sumScale() const {
    const QRectF area = sums();
    const std::span<const int> ranked = told();
    const double low = ranked.empty() ? -1 : std::min(0.0, m_picture->sum(m_word, ranked.back())),
                 high = ranked.empty() ? 1 : std::max(0.0, m_picture->sum(m_word, ranked.front()));
    const double scale = area.height() / std::max(1e-9, high - low);
    return {scale, area.top() + high * scale};
}

QRectF UnitNetwork::sumRect(int unit) const {
    const QRectF area = sums();
    const auto [scale, zero] = sumScale();
    const double pitch = area.width() / m_picture->units(), value = m_picture->sum(m_word, unit);
    const double left = area.left() + m_ranks[static_cast<size_t>(unit)] * pitch,
                 wide = std::max(0.5, pitch - (pitch >= 2 ? 0.5 : 0));
    if (m_picture->isSumHidden(m_word, unit)) return {left, area.top(), wide, area.height()};
    return {left, value >= 0 ? zero - value * scale : zero, wide, std::abs(value) * scale};
}

QRectF UnitNetwork::inRect(int number) const {
    const QRectF in = square();
    const double each = in.height() / m_picture->width();
    return {kSide + 36, in.top() + number * each, kStrip, each};
}

QRectF UnitNetwork::outRect(int number) const {
    QRectF at = inRect(number);
    at.moveLeft(width() - kSide - 36 - kStrip);
    return at;
}

std::vector<UnitNetwork::Wire> UnitNetwork::wires(const std::vector<double>& values) const {
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    std::vector<Wire> all;
    for (size_t number = 0; number < values.size(); ++number)
        if (most > 0 && std::abs(values[number]) >= kLeast * most)
            all.push_back({static_cast<int>(number), values[number], 0.5 + 3.5 * std::abs(values[number]) / most});
    std::ranges::sort(all, {}, &Wire::width);  // the strongest are drawn last
    if (all.size() > kMostWires) all.erase(all.begin(), all.end() - kMostWires);
    return all;
}

std::vector<UnitNetwork::Wire> UnitNetwork::wiresIn() const {
    return wires(m_in);
}

std::vector<UnitNetwork::Wire> UnitNetwork::wiresOut() const {
    return wires(m_out);
}

QString UnitNetwork::formula() const {
    const QString inside = QStringLiteral("*x*W_{1} + *b*_{1}");
    const QString active = m_picture->drawn() == ops::Activation::Relu
                               ? QStringLiteral("max(0, %1)").arg(inside)
                               : QStringLiteral("%1(%2)").arg(UnitsPicture::nameOf(m_picture->drawn()), inside);
    return QStringLiteral("FFN(*x*) = %1 W_{2} + *b*_{2}").arg(active);
}

QString UnitNetwork::belowZero() const {
    const auto below =
        static_cast<int>(std::ranges::count_if(told(), [&](int unit) { return m_picture->sum(m_word, unit) <= 0; }));
    return m_picture->drawn() == ops::Activation::Relu
               ? plural(tr("%n unit(s) below zero: cut off", nullptr, below), below)
               : plural(tr("%n unit(s) below zero: little of them passes", nullptr, below), below);
}

void UnitNetwork::choose(int unit) {
    if (!m_picture || unit < 0 || unit >= m_picture->units() || unit == m_unit) return;
    emit unitChosen(unit);
}

void UnitNetwork::mousePressEvent(QMouseEvent* event) {
    if (!m_picture) return;
    const QPointF at = event->position();
    const QRectF in = square(), below = sums();
    if (in.contains(at)) {
        const int columns = unitColumns(m_picture->units());
        const int place =
            static_cast<int>((at.y() - in.top()) / cell()) * columns + static_cast<int>((at.x() - in.left()) / cell());
        if (place < m_picture->units()) choose(m_order[static_cast<size_t>(place)]);
    } else if (below.contains(at)) {
        const auto rank = static_cast<size_t>((at.x() - below.left()) / below.width() * m_picture->units());
        choose(m_ranked[std::min(rank, m_ranked.size() - 1)]);
    }
}

void UnitNetwork::keyPressEvent(QKeyEvent* event) {
    if (!m_picture) return QWidget::keyPressEvent(event);
    const int columns = unitColumns(m_picture->units());
    const int move = event->key() == Qt::Key_Left    ? -1
                     : event->key() == Qt::Key_Right ? 1
                     : event->key() == Qt::Key_Up    ? -columns
                     : event->key() == Qt::Key_Down  ? columns
                                                     : 0;
    if (move == 0) return QWidget::keyPressEvent(event);
    const int place = placeOf(m_unit) + move;
    if (place >= 0 && place < m_picture->units()) choose(m_order[static_cast<size_t>(place)]);
}

}  // namespace headlight

#include "moc_unit_network.cpp"

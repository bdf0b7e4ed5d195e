// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/head_wall.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/format/number_format.h"
#include "ui/session/open/motion.h"
#include "ui/session/trace/attention_facts.h"
#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/color_scale.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBelow = 72;
constexpr double kLargestPitch = 176, kSmallestPitch = 12;

/// The cells, from and up to, that a pixel of `side` shows of `count`.
std::pair<int, int> cellsOf(int pixel, int side, int count) {
    const int from = pixel * count / side;
    return {from, std::max(from + 1, (pixel + 1) * count / side)};
}

}  // namespace

HeadWall::HeadWall(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("All heads"));
    setAccessibleDescription(tr("Arrow keys move over the heads, Enter chooses one, M mutes it."));
    m_moving.setDuration(motion::kReflow);
    m_moving.setStartValue(0.0);
    m_moving.setEndValue(1.0);
    m_moving.setEasingCurve(QEasingCurve::InOutCubic);
    connect(&m_moving, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
}

void HeadWall::setSurvey(const HeadSurvey* survey, const QSet<QString>& muted) {
    const bool sameHeads = m_to.size() == survey->heads().size();
    m_survey = survey;
    m_muted = muted;
    m_images.clear();
    m_hovered = -1;
    if (!sameHeads) m_cursor = -1;
    m_found.clear();
    arrange(Motion::Flow);
}

void HeadWall::setMuted(const QSet<QString>& muted) {
    m_muted = muted;
    update();
}

void HeadWall::setVeil(std::vector<std::vector<char>> hidden) {
    if (hidden == m_hidden) return;
    m_hidden = std::move(hidden);
    m_images.clear();
    update();
}

void HeadWall::setOptions(const WallOptions& options) {
    if (options == m_options) return;
    m_options = options;
    if (m_survey) arrange(Motion::Flow);
}

void HeadWall::setFound(const std::vector<int>& heads) {
    if (heads == m_found) return;
    m_found = heads;
    update();
}

void HeadWall::setChosen(int head) {
    if (head == m_chosen) return;
    m_chosen = head;
    m_cursor = -1;
    update();
}

void HeadWall::setRevealed(int layers) {
    m_revealed = layers;
    update();
}

/// By layer all stand in their places; otherwise those that are asked for, the best first.
std::vector<int> HeadWall::wantedOrder() const {
    std::vector<int> heads;
    for (int i = 0; i < static_cast<int>(m_survey->heads().size()); ++i) {
        const HeadSurvey::Head& head = at(i);
        const bool isInRange = m_options.hasLayer(*m_survey, head.layer);
        if (isByLayer() ? isInRange : m_options.shows(*m_survey, head)) heads.push_back(i);
    }
    using Order = WallOptions::Order;
    using Measure = HeadSurvey::Measure;
    switch (m_options.order) {
        case Order::Layer:
            return heads;
        case Order::Habit:
            return m_survey->sortedByHabit(std::move(heads));
        case Order::Entropy:
            return m_survey->sorted(Measure::Entropy, std::move(heads));
        case Order::Distance:
            return m_survey->sorted(Measure::Distance, std::move(heads));
        case Order::First:
            return m_survey->sorted(Measure::First, std::move(heads));
        case Order::Importance:
            return m_survey->sorted(Measure::Importance, std::move(heads));
    }
    return heads;
}

void HeadWall::arrange(Motion motion) {
    m_order = wantedOrder();
    std::vector<QRectF> before;
    before.reserve(m_to.size());
    for (int i = 0; i < static_cast<int>(m_to.size()); ++i)
        before.push_back(headRect(i));
    placeHeads();
    m_moving.stop();
    const bool flows = motion == Motion::Flow && !motion::isReduced() && isVisible() && before.size() == m_to.size();
    m_from = flows ? before : m_to;
    if (flows) m_moving.start();
    update();
}

void HeadWall::placeHeads() {
    m_to.assign(m_survey ? m_survey->heads().size() : 0, {});
    if (!m_survey || m_survey->empty()) return;
    const int columns = m_survey->headsALayer();
    const int rows = m_options.lastLayer(*m_survey) - m_options.firstLayer(*m_survey) + 1;
    const double before = side();
    const double wide = (width() - kLeft) / columns, high = (height() - kTop - kBelow) / std::max(1, rows);
    const auto fit = [&] {
        m_pitch = std::clamp(std::floor(std::min(wide, high - m_above)), kSmallestPitch, kLargestPitch);
    };
    m_above = 0;
    fit();
    // A matrix without a mask has no empty corner for its mark.
    if (!m_survey->isCausal()) m_above = 4 * markUnit() + 5;
    fit();
    if (side() != before) m_images.clear();
    for (size_t i = 0; i < m_order.size(); ++i) {
        const HeadSurvey::Head& head = at(m_order[i]);
        const int place = static_cast<int>(i);
        const int row = isByLayer() ? head.layer - m_options.firstLayer(*m_survey) : place / columns;
        const int column = isByLayer() ? head.head : place % columns;
        const double bar = m_pitch - side() - 3;
        m_to[static_cast<size_t>(m_order[i])] = {kLeft + column * m_pitch + bar,
                                                 kTop + row * (m_pitch + m_above) + m_above, side(), side()};
    }
}

/// The rest of the pitch is the bar of the first word and the space around the outlines.
double HeadWall::side() const {
    return m_pitch - (m_pitch >= 30 ? 8 : m_pitch >= 20 ? 6 : 5);
}

double HeadWall::markUnit() const {
    return std::clamp(std::floor(side() / 14), 1.0, 4.0);
}

QRectF HeadWall::markRect(int head) const {
    const QRectF box = headRect(head);
    const double unit = markUnit(), edge = 4 * unit;
    if (m_survey->isCausal()) return {box.right() - edge - unit / 2, box.top() + unit / 2, edge, edge};
    return {box.right() - edge, box.top() - edge - 4, edge, edge};
}

QRectF HeadWall::headRect(int head) const {
    const auto i = static_cast<size_t>(head);
    if (head < 0 || i >= m_to.size()) return {};
    if (m_moving.state() != QVariantAnimation::Running || m_to[i].isEmpty() || m_from[i].isEmpty()) return m_to[i];
    const QRectF at = paint::between(m_from[i], m_to[i], m_moving.currentValue().toDouble());
    return {std::round(at.x()), std::round(at.y()), std::round(at.width()), std::round(at.height())};
}

void HeadWall::finishMoving() {
    m_moving.stop();
    m_from = m_to;
    update();
}

/// A pixel that several cells share has the largest weight of them, so that a thin diagonal is seen however long the
/// text is. What may not be looked at weighs nothing.
QImage HeadWall::imageOf(int index, const std::vector<char>& open, int side) const {
    const ColorScale scale = ColorScale::weights();
    const Theme& theme = Theme::of(this);
    const std::span<const float> weights = at(index).seen();
    const auto isHidden = [&](size_t cell) {
        return hasVeil(index) && m_hidden[static_cast<size_t>(index)][cell] != 0;
    };
    QImage image(side, side, QImage::Format_RGB32);
    for (int y = 0; y < side; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const auto [top, bottom] = cellsOf(y, side, m_survey->rows());
        for (int x = 0; x < side; ++x) {
            const auto [left, right] = cellsOf(x, side, m_survey->columns());
            float most = 0;
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    if (const size_t cell = m_survey->at(row, column); !isHidden(cell))
                        most = std::max(most, weights[cell]);
            const bool isOpen = open[static_cast<size_t>(y) * static_cast<size_t>(side) + static_cast<size_t>(x)] != 0;
            line[x] = isOpen ? scale.quickColor(theme, most) : theme.surface.rgb();
        }
    }
    return image;
}

void HeadWall::makeImages() {
    const double ratio = devicePixelRatioF();
    const int pixels = static_cast<int>(std::lround(side() * ratio));
    // The same for all: has a pixel a cell that may be looked at?
    std::vector<char> open;
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x) {
            const auto [top, bottom] = cellsOf(y, pixels, m_survey->rows());
            const auto [left, right] = cellsOf(x, pixels, m_survey->columns());
            bool any = false;
            for (int row = top; row < bottom && !any; ++row)
                for (int column = left; column < right && !any; ++column)
                    any = m_survey->isOpen(row, column);
            open.push_back(char(any));
        }
    for (int head = 0; head < static_cast<int>(m_survey->heads().size()); ++head) {
        QImage image = imageOf(head, open, pixels);
        image.setDevicePixelRatio(ratio);
        m_images.push_back(std::move(image));
    }
}

int HeadWall::headAt(QPointF position) const {
    for (const int head : m_order)
        if (headRect(head).adjusted(-6, -2, 2, 2).contains(position)) return head;
    return -1;
}

void HeadWall::resizeEvent(QResizeEvent*) {
    if (m_survey) arrange(Motion::Cut);
}

void HeadWall::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
    m_images.clear();
    update();
}

void HeadWall::mousePressEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head < 0) return;
    m_cursor = -1;
    emit headChosen(head);
}

void HeadWall::mouseMoveEvent(QMouseEvent* event) {
    const int head = headAt(event->position());
    if (head == m_hovered) return;
    m_hovered = head;
    setCursor(head >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HeadWall::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void HeadWall::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (m_cursor < 0) return;
    m_cursor = -1;
    emit currentChanged();
    update();
}

/// The head that stands beside another; itself at an edge.
int HeadWall::neighbour(int head, int down, int right) const {
    const QRectF from = m_to[static_cast<size_t>(head)];
    const QPointF wanted = from.center() + QPointF(right * m_pitch, down * m_pitch);
    for (const int other : m_order)
        if (m_to[static_cast<size_t>(other)].contains(wanted)) return other;
    return head;
}

void HeadWall::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const ArrowKey arrow(event->key());
    if (!m_survey || m_order.empty()) return QWidget::keyPressEvent(event);
    const int stands = std::ranges::count(m_order, current()) > 0 ? current() : m_order.front();
    if (!arrow.isNone()) {
        m_cursor = neighbour(stands, arrow.down, arrow.right);
        emit currentChanged();
    } else if (isEnter) {
        m_cursor = -1;
        emit headChosen(stands);
    } else if (event->key() == Qt::Key_M) {
        emit muteToggled(stands);
    } else if (event->key() == Qt::Key_Escape && m_cursor >= 0) {
        m_cursor = -1;
        emit currentChanged();
    } else {
        return QWidget::keyPressEvent(event);
    }
    update();
}

bool HeadWall::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !m_survey) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int head = headAt(help->pos());
    if (head < 0) {
        QToolTip::hideText();
        return true;
    }
    const HeadSurvey::Head& under = at(head);
    const QString habit = habitPhrase(under.facts.habit, m_survey->isCausal());
    const QString does = hasVeil(head) ? tr("hidden until you have predicted it")
                         : under.facts.habit == HeadHabit::None
                             ? habit
                             : tr("%1, %2").arg(habit, formatNumber(under.facts.share));
    QToolTip::showText(help->globalPos(),
                       tr("Layer %1, head %2: %3").arg(under.layer + 1).arg(under.head + 1).arg(does), this);
    return true;
}

}  // namespace headlight

#include "moc_head_wall.cpp"

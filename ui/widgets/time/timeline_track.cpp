// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/session/open/step_cursor.h"
#include "ui/widgets/theme/glide.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"
#include "ui/widgets/time/timeline.h"

namespace headlight {
namespace {

constexpr double kTrackLeft = 86;  ///< the names of the staves stand before the time axis
constexpr double kRight = 16;
constexpr double kTop = 10;  ///< room for the playhead's handle
constexpr double kStave = 15;
constexpr double kBar = 13;

const StepScope::Level& levelAt(const StepScope& scope, int stave) {
    return stave == 0 ? scope.model : stave == 1 ? scope.layer : scope.sublayer;
}

}  // namespace

TimelineTrack::TimelineTrack(StepCursor* cursor, QWidget* parent)
    : QWidget(parent), m_cursor(cursor), m_glide(new Glide(this, [this] {
          const double x = std::max(kTrackLeft, xOf(m_cursor->position()) - (1 - m_cursor->phase()) * stepWidth());
          return m_cursor->position() < 0 ? QRectF() : QRectF(x, kTop, 1, 3 * kStave);
      })) {
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(sizeHint().height());
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("The steps of the computation. Left and right go step by step, Home and End to the ends."));
    connect(cursor, &StepCursor::changed, this, QOverload<>::of(&QWidget::update));
    connect(cursor, &StepCursor::phaseChanged, this, QOverload<>::of(&QWidget::update));
}

void TimelineTrack::setDescriptions(QStringList descriptions) {
    m_descriptions = std::move(descriptions);
}

void TimelineTrack::rebuild() {
    const std::vector<StepScope>& scopes = m_cursor->scopes();
    for (int stave = 0; stave < 3; ++stave) {
        std::vector<Segment>& segments = m_staves[static_cast<size_t>(stave)];
        segments.clear();
        for (int i = 0; i < static_cast<int>(scopes.size()); ++i) {
            const StepScope& scope = scopes[static_cast<size_t>(i)];
            const StepScope::Level& level = levelAt(scope, stave);
            if (!segments.empty() && segments.back().level == level)
                segments.back().last = i;
            else
                segments.push_back({i, i, level, scope.stack});
        }
    }
    update();
}

double TimelineTrack::stepWidth() const {
    return (width() - kTrackLeft - kRight) / std::max(1, m_cursor->count());
}

int TimelineTrack::positionAt(double x) const {
    return std::clamp(static_cast<int>(std::floor((x - kTrackLeft) / stepWidth())), 0,
                      std::max(0, m_cursor->count() - 1));
}

double TimelineTrack::xOf(int position) const {
    return kTrackLeft + (position + 0.5) * stepWidth();
}

double TimelineTrack::playheadX() const {
    return std::max(kTrackLeft, m_glide->shown().x());
}

double TimelineTrack::timeAt(double x) const {
    return (x - kTrackLeft) / stepWidth() + 0.5;
}

QColor TimelineTrack::tint(Stack stack, const Theme& t) const {
    return stack == Stack::Encoder ? t.encoderTint : stack == Stack::Decoder ? t.decoderTint : t.sunken;
}

/// The middle of a bar's name: where the playhead's line would strike it through, it makes way to the wider side.
double TimelineTrack::besidePlayhead(const QRectF& bar, double wide) const {
    const double middle = bar.center().x(), head = playheadX(), half = wide / 2 + 4;
    if (std::abs(head - middle) >= half) return middle;
    const double left = head - bar.left(), right = bar.right() - head;
    if (std::max(left, right) < 2 * half) return middle;
    return left > right ? head - half : head + half;
}

void TimelineTrack::paintStave(QPainter& p, int stave, const Theme& t) const {
    const double top = kTop + stave * kStave, step = stepWidth();
    for (const Segment& segment : m_staves[static_cast<size_t>(stave)]) {
        const QRectF bar(kTrackLeft + segment.first * step, top, (segment.last - segment.first + 1) * step - 1, kBar);
        const bool here = stave > 0 && segment.first <= m_cursor->position() && m_cursor->position() <= segment.last;
        paint::box(p, bar, here ? t.nowTint : tint(segment.stack, t), {}, 2);
        const QFont font = uiFont(11, here || stave == 0 ? QFont::DemiBold : QFont::Medium);
        const double wide = paint::textWidth(segment.level.label, font);
        if (wide > bar.width() - 6) continue;
        const QColor ofModel = segment.stack == Stack::Encoder   ? t.encoder
                               : segment.stack == Stack::Decoder ? t.decoder
                                                                 : t.text2;
        paint::centredText(p, {besidePlayhead(bar, wide), bar.center().y()}, segment.level.label, font,
                           here         ? t.nowText
                           : stave == 0 ? ofModel
                                        : t.text2,
                           Anchor::Middle);
    }
}

void TimelineTrack::paintOperations(QPainter& p, const Theme& t) const {
    const double top = kTop + 3 * kStave, step = stepWidth();
    for (int i = 0; i < m_cursor->count(); ++i) {
        const QColor color = i == m_cursor->position() ? t.now : i < m_cursor->position() ? t.line2 : t.line;
        const double gap = step > 4 ? 1 : 0;
        paint::box(p, {kTrackLeft + i * step, top, step - gap, kBar}, color, {}, gap);
    }
}

void TimelineTrack::paintPlayhead(QPainter& p, const Theme& t) const {
    if (m_cursor->position() < 0) return;
    const double x = playheadX();
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(t.nowLine, 2));
    p.drawLine(QPointF(x, kTop - 6), QPointF(x, kTop + 3 * kStave));
    p.setPen(Qt::NoPen);
    p.setBrush(t.nowLine);
    p.drawPolygon(QPolygonF({{x - 5, kTop - 9}, {x + 5, kTop - 9}, {x, kTop - 2}}));
    p.restore();
}

void TimelineTrack::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const QString names[] = {tr("Model"), tr("Layer"), tr("Sublayer"), tr("Operation")};
    for (int stave = 0; stave < 4; ++stave)
        paint::centredText(p, {16, kTop + stave * kStave + kBar / 2}, names[stave], uiFont(11, QFont::Medium), t.text3);
    for (int stave = 0; stave < 3; ++stave)
        paintStave(p, stave, t);
    paintOperations(p, t);
    paintPlayhead(p, t);
}

void TimelineTrack::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || event->position().x() < kTrackLeft - 8) return;
    m_glide->stop();
    m_cursor->setPosition(positionAt(event->position().x()));
}

void TimelineTrack::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) m_cursor->head().setTime(timeAt(event->position().x()));
}

void TimelineTrack::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            m_cursor->previous();
            break;
        case Qt::Key_Right:
            m_cursor->next();
            break;
        case Qt::Key_Home:
            m_cursor->toStart();
            break;
        case Qt::Key_End:
            m_cursor->setPosition(m_cursor->count() - 1);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

bool TimelineTrack::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (help->pos().x() >= kTrackLeft && m_cursor->count() > 0)
        QToolTip::showText(help->globalPos(), m_descriptions.value(positionAt(help->pos().x())), this);
    return true;
}

}  // namespace headlight

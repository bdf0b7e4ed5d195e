// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/side_drop.h"

#include <QDragMoveEvent>
#include <QPainter>

#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

SideDrop::SideDrop(QWidget* place) : QWidget(place) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    place->setAcceptDrops(true);
    place->installEventFilter(this);
}

bool SideDrop::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::DragLeave) hide();
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return QWidget::eventFilter(watched, event);
    auto* const held = static_cast<QDropEvent*>(event);  // all three are
    const auto* const kept = qobject_cast<const KeptModelDrag*>(held->mimeData());
    if (!kept) return QWidget::eventFilter(watched, event);
    m_side = held->position().x() < parentWidget()->width() / 2.0 ? Side::First : Side::Second;
    held->acceptProposedAction();
    setGeometry(parentWidget()->rect());
    setVisible(event->type() != QEvent::Drop);
    raise();
    update();
    if (event->type() == QEvent::Drop) emit dropped(m_side, kept->model());
    return true;
}

QRectF SideDrop::halfOf(Side side) const {
    constexpr double kApart = 8;
    const double half = width() / 2.0;
    return QRectF(side == Side::First ? 0 : half, 0, half, height()).adjusted(kApart, kApart, -kApart, -kApart);
}

void SideDrop::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setOpacity(0.9);
    p.fillRect(rect(), t.bg);
    p.setOpacity(1);
    for (const Side side : {Side::First, Side::Second}) {
        const bool here = side == m_side;
        const QRectF half = halfOf(side);
        paint::box(p, half, here ? t.nowTint : t.surface, here ? t.nowLine : t.line2, 8, here ? 2 : 1);
        paint::centredText(p, half.center() - QPointF(0, 14), side == Side::First ? tr("A") : tr("B"),
                           uiFont(24, QFont::DemiBold), here ? t.nowText : t.text, Anchor::Middle);
        paint::centredText(p, half.center() + QPointF(0, 14),
                           side == Side::First ? tr("opens it, everywhere") : tr("puts it beside the open model"),
                           uiFont(13), here ? t.nowText : t.text2, Anchor::Middle);
    }
}

}  // namespace headlight

#include "moc_side_drop.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/residual/norm_orders.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/widgets/theme/math_text.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kBox = 28, kBelowLine = 32, kPlus = 9, kLineAt = 42, kWidest = 640;

}  // namespace

NormOrders::NormOrders(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Post-norm and pre-norm"));
}

void NormOrders::setShown(const Shown& shown) {
    m_shown = shown;
    setAccessibleDescription(tr("Post-norm: %1. Pre-norm: %2.").arg(noteOf(NormOrder::Post), noteOf(NormOrder::Pre)));
    update();
}

QString NormOrders::noteOf(NormOrder order) const {
    const bool own = order == m_shown.own;
    const QString what = own && !m_shown.residuals  ? tr("nothing goes around")
                         : order == NormOrder::Post ? tr("the norm sits on the stream")
                                                    : tr("nothing sits on the stream");
    if (own) return tr("this model: %1").arg(what);
    return m_shown.other.isEmpty() ? what : tr("%1: %2").arg(m_shown.other, what);
}

void NormOrders::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double each = height() / 2.0;
    paintOrder(p, t, NormOrder::Post, 0);
    paintOrder(p, t, NormOrder::Pre, each);
}

void NormOrders::paintBox(QPainter& p, const Theme& t, const QRectF& box, const QString& text, bool strong) const {
    paint::box(p, box, t.surface, strong ? t.text2 : t.line2, 6);
    const QFont font = paint::fitting(text, uiFont(12, QFont::Medium), box.width() - 8);
    paint::centredText(p, box.center(), paint::elided(text, font, box.width() - 8), font, t.text, Anchor::Middle);
}

void NormOrders::paintOrder(QPainter& p, const Theme& t, NormOrder order, double top) const {
    const bool own = order == m_shown.own, post = order == NormOrder::Post, around = !own || m_shown.residuals;
    const double wide = std::min(kWidest, static_cast<double>(width())), line = top + kLineAt,
                 below = around ? line + kBelowLine : line;
    const QString title = post ? tr("Post-norm") : tr("Pre-norm");
    const QFont bold = uiFont(13, QFont::DemiBold), plain = uiFont(12);
    paint::centredText(p, {0, top + 12}, title, bold, t.text);
    const double after = paint::textWidth(title, bold) + 8;
    const QFont note = paint::fitting(noteOf(order), plain, width() - after);
    paint::centredText(p, {after, top + 12}, paint::elided(noteOf(order), note, width() - after), note, t.text3);
    const double share = wide / 380;
    const QRectF sublayer((post ? 72 : 152) * share, below - kBox / 2, 116 * share, kBox);
    const QRectF norm(post ? 262 * share : 64 * share, (post ? line : below) - kBox / 2, 64 * share, kBox);
    const double fork = 40 * share, join = (post ? 220 : 300) * share;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(own ? t.text : t.text2, own ? 2.5 : 2));
    p.drawLine(QPointF(0, line), QPointF(wide - 4, line));
    p.setPen(QPen(own ? t.text : t.text2, 1.75));
    p.drawLine(QPointF(wide - 9, line - 4), QPointF(wide - 3, line));
    p.drawLine(QPointF(wide - 9, line + 4), QPointF(wide - 3, line));
    paint::math(p, {2, line - 10}, QStringLiteral("*x*"), 15, t.text);
    if (around) {
        constexpr double r = 6;
        QPainterPath path(QPointF(fork, line));
        path.lineTo(fork, below - r);
        path.quadTo(fork, below, fork + r, below);
        path.lineTo(join - r, below);
        path.quadTo(join, below, join, below - r);
        path.lineTo(join, line + kPlus);
        p.setPen(QPen(t.text2, 1.5));
        p.drawPath(path);
        p.setBrush(t.surface);
        p.drawEllipse(QPointF(join, line), kPlus, kPlus);
        p.drawLine(QPointF(join - 4.5, line), QPointF(join + 4.5, line));
        p.drawLine(QPointF(join, line - 4.5), QPointF(join, line + 4.5));
    }
    paintBox(p, t, sublayer, m_shown.sublayer, false);
    paintBox(p, t, norm, tr("Norm"), post);
}

}  // namespace headlight

#include "moc_norm_orders.cpp"

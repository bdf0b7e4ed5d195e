// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/muted_mark.h"

#include <QPainter>

#include "ui/session/format/plural.h"
#include "ui/session/trace/value_words.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr double kSide = 10, kSign = 16, kMutedGap = 6;
constexpr int kHeight = 28;

QFont textFont() {
    return uiFont(12, QFont::DemiBold);
}

}  // namespace

MutedMark::MutedMark(Size size, QWidget* parent) : QAbstractButton(parent), m_size(size) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

namespace {

/// Where the block of a head stands, in words where the trace tells.
QString placeOf(const QString& block, const Trace* trace) {
    if (trace)
        for (const TraceRecord& record : trace->records())
            if (record.module && record.module->scope == block.toStdString()) return moduleTitle(*record.module);
    return block;
}

}  // namespace

void MutedMark::setHeads(const QStringList& names, const Trace* trace) {
    const auto count = static_cast<int>(names.size());
    const QString all = plural(tr("%n head(s) muted", nullptr, count), count);
    setText(m_size == Size::Full ? all : QString::number(count));
    QStringList heads;
    for (const QString& name : names)
        heads
            << tr("%1, head %2").arg(placeOf(name.section(u'.', 0, -2), trace)).arg(name.section(u'.', -1).toInt() + 1);
    setToolTip(tr("%1. A click turns every head on again.\n%2").arg(all, heads.join(u'\n')));
    setAccessibleName(tr("%1: all on again").arg(all));
    setVisible(count > 0);
    updateGeometry();
    update();
}

/// What a click does.
QString MutedMark::way() const {
    return m_size == Size::Full ? tr("all on again") : QString();
}

QSize MutedMark::sizeHint() const {
    double width = kSide + kSign + kMutedGap + paint::textWidth(text(), textFont()) + kSide;
    if (!way().isEmpty()) width += 2 * kMutedGap + 1 + paint::textWidth(way(), uiFont(12, QFont::Medium));
    return {static_cast<int>(width + 1), kHeight};
}

void MutedMark::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), t.badTint, t.bad, 6);
    const double middle = height() / 2.0;
    drawIcon(p, Icon::Mute, {kSide, middle - kSign / 2, kSign, kSign}, t.bad);
    double x = kSide + kSign + kMutedGap;
    paint::centredText(p, {x, middle}, text(), textFont(), t.bad);
    if (way().isEmpty()) return;
    x += paint::textWidth(text(), textFont()) + kMutedGap;
    p.fillRect(QRectF(x, middle - 7, 1, 14), t.bad);
    QFont font = uiFont(12, QFont::Medium);
    font.setUnderline(underMouse() || hasFocus());
    paint::centredText(p, {x + 1 + kMutedGap, middle}, way(), font, t.text);
}

}  // namespace headlight

#include "moc_muted_mark.cpp"

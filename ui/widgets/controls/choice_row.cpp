// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/choice_row.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr int kHeight = 48, kSlim = 30;
constexpr int kInset = 12;
}  // namespace

ChoiceRow::ChoiceRow(const QString& title, const QString& more, Size size, QWidget* parent)
    : QAbstractButton(parent), m_more(more), m_size(size) {
    if (size == Size::Slim) setToolTip(more);
    setText(title);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(QStringLiteral("%1, %2").arg(title, more));
    setAttribute(Qt::WA_Hover);
}

QSize ChoiceRow::sizeHint() const {
    const double width =
        std::max(paint::textWidth(text(), uiFont(13, QFont::DemiBold)), paint::textWidth(m_more, uiFont(12)));
    return {static_cast<int>(width) + 2 * kInset + 2, m_size == Size::Slim ? kSlim : kHeight};
}

QSize ChoiceRow::minimumSizeHint() const {
    return {160, m_size == Size::Slim ? kSlim : kHeight};
}

void ChoiceRow::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), isChecked() ? t.sunken : hoverTint(this, t.sunken), {}, 8);
    const double room = width() - 2 * kInset;
    const QFont title = uiFont(13, isChecked() ? QFont::DemiBold : QFont::Medium), small = uiFont(12);
    if (m_size == Size::Slim) {
        paint::centredText(p, {kInset, kSlim / 2.0}, paint::elided(text(), title, room), title, t.text);
        return;
    }
    paint::text(p, {kInset, 20}, paint::elided(text(), title, room), title, t.text);
    paint::text(p, {kInset, 37}, paint::elided(m_more, small, room), small, t.text2);
}

}  // namespace headlight

#include "moc_choice_row.cpp"

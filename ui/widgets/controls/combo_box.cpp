// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/combo_box.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QPainter>
#include <cmath>

#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

ComboBox::ComboBox(const QString& name, QWidget* parent) : QComboBox(parent) {
    setAccessibleName(name);
    setToolTip(name);
    setFont(uiFont(12, QFont::Medium));
    setFixedHeight(28);
    setSizeAdjustPolicy(AdjustToContents);  // also to items that come after it was first shown
}

QSize ComboBox::sizeHint() const {
    double widest = 0;
    for (int i = 0; i < count(); ++i)
        widest = std::max(widest, paint::textWidth(itemText(i), font()));
    return {static_cast<int>(std::ceil(widest)) + 42, 28};
}

/// Qt makes the list, with its scroll bars, of whatever box is given a font; it gets the font when it is opened.
void ComboBox::changeEvent(QEvent* event) {
    if (event->type() != QEvent::FontChange) return QComboBox::changeEvent(event);
    updateGeometry();
    update();
}

void ComboBox::showPopup() {
    view()->setFont(font());
    QComboBox::showPopup();
}

void ComboBox::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    const double sunken = isEnabled() ? hoverTint(this) : 1;
    paint::box(p, rect(), paint::mixed(t.surface, t.sunken, sunken), isEnabled() ? t.line2 : t.line, 6);
    const bool chosen = currentIndex() >= 0;
    const QString text = chosen ? currentText() : placeholderText();
    const QColor color = isEnabled() && chosen ? t.text : t.text3;
    paint::centredText(p, {12, height() / 2.0}, paint::elided(text, font(), width() - 38), font(), color);
    drawIcon(p, Icon::ChevronDown, QRectF(width() - 22, height() / 2.0 - 6, 12, 12), t.text2);
}

}  // namespace headlight

#include "moc_combo_box.cpp"

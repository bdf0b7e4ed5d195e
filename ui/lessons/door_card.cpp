// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/door_card.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {
constexpr int kDoorInside = 18, kDoorName = 48;  ///< from the edge; down to the sentence
}

DoorCard::DoorCard(Icon icon, const QString& name, QWidget* parent) : QAbstractButton(parent), m_icon(icon) {
    setText(name);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void DoorCard::setSentence(const QString& sentence) {
    m_sentence = sentence;
    setAccessibleDescription(sentence);
    updateGeometry();
    update();
}

int DoorCard::sentenceWidth(int width) const {
    return paint::widthWithoutLoneWord(m_sentence, uiFont(13), width - 2 * kDoorInside);
}

int DoorCard::heightForWidth(int width) const {
    const QRect room(0, 0, sentenceWidth(width), 1000);
    return kDoorName + QFontMetrics(uiFont(13)).boundingRect(room, Qt::TextWordWrap, m_sentence).height() + 16;
}

void DoorCard::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), t.surface, paint::mixed(t.line, t.text2, hoverTint(this)), 8);
    if (hasFocus()) paint::box(p, QRectF(rect()).adjusted(3, 3, -3, -3), {}, t.ink, 6, 2);
    drawIcon(p, m_icon, QRectF(kDoorInside, 16, 20, 20), t.text);
    paint::centredText(p, {kDoorInside + 32.0, 26}, text(), uiFont(15, QFont::DemiBold), t.text);
    p.setFont(uiFont(13));
    p.setPen(t.text2);
    p.drawText(QRect(kDoorInside, kDoorName, sentenceWidth(width()), height() - kDoorName),
               Qt::AlignTop | Qt::TextWordWrap, m_sentence);
}

void DoorCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

}  // namespace headlight

#include "moc_door_card.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/chip_row.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/widgets/controls/arrow_key.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kWide = 32, kTall = 26, kJoint = 8, kApart = 4, kRowGap = 6;

class ChipButton : public QAbstractButton {
public:
    ChipButton(ChipRow::Look look, QWidget* parent) : QAbstractButton(parent), m_look(look) {
        setCheckable(true);
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
        const bool isFilled = isChecked() && m_look == ChipRow::Look::Choices;
        const QColor hovered = paint::mixed(t.line2, t.text2, hoverTint(this));
        paint::box(p, area, isFilled ? t.ink : t.surface, isChecked() ? t.ink : hovered, 6, isChecked() ? 2 : 1);
        if (hasFocus()) paint::box(p, area.adjusted(3, 3, -3, -3), {}, isFilled ? t.onInk : t.ink, 4, 1);
        paint::centredText(p, area.center(), text(), monoFont(12, QFont::DemiBold), isFilled ? t.onInk : t.text,
                           Anchor::Middle);
    }

private:
    ChipRow::Look m_look;
};

}  // namespace

ChipRow::ChipRow(Look look, QWidget* parent) : QWidget(parent), m_look(look) {
    setSizePolicy(look == Look::Stops ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
    arrange();
}

void ChipRow::setChips(const std::vector<Chip>& chips) {
    while (m_chips.size() > chips.size()) {
        m_chips.back()->hide();
        m_chips.back()->deleteLater();
        m_chips.pop_back();
    }
    while (m_chips.size() < chips.size()) {
        auto* chip = new ChipButton(m_look, this);
        const auto index = static_cast<int>(m_chips.size());
        chip->installEventFilter(this);
        connect(chip, &QAbstractButton::clicked, this, [this, index] { emit chosen(index); });
        m_chips.push_back(chip);
        chip->show();
    }
    for (size_t i = 0; i < chips.size(); ++i) {
        m_chips[i]->setText(chips[i].label);
        m_chips[i]->setAccessibleName(chips[i].name);
        m_chips[i]->setToolTip(chips[i].name);
        m_chips[i]->setChecked(chips[i].isMarked);
    }
    arrange();
    updateGeometry();
    update();
}

QSize ChipRow::sizeHint() const {
    return {m_look == Look::Stops ? kWide : std::max(1, count()) * (kWide + kApart) - kApart, height()};
}

void ChipRow::arrange() {
    const int step = kWide + (m_look == Look::Stops ? kJoint : kApart);
    const int most = m_look == Look::Stops ? std::max(1, (width() + kJoint) / step) : std::max(1, count());
    for (int i = 0; i < count(); ++i)
        chip(i)->setGeometry(i % most * step, i / most * (kTall + kRowGap), kWide, kTall);
    const int rows = std::max(1, (count() + most - 1) / most);
    setFixedHeight(rows * (kTall + kRowGap) - kRowGap);
}

void ChipRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ChipRow::paintEvent(QPaintEvent*) {
    if (m_look != Look::Stops) return;
    QPainter p(this);
    p.setPen(QPen(Theme::of(this).line2, 2));
    for (int i = 1; i < count(); ++i) {
        const QRect before = chip(i - 1)->geometry(), here = chip(i)->geometry();
        if (before.top() == here.top())
            p.drawLine(before.right(), before.center().y(), here.left(), before.center().y());
    }
}

bool ChipRow::eventFilter(QObject* watched, QEvent* event) {
    const auto at = std::ranges::find(m_chips, watched);
    if (at == m_chips.end()) return false;
    const auto index = static_cast<int>(at - m_chips.begin());
    if (event->type() == QEvent::Enter || event->type() == QEvent::FocusIn) emit pointedAt(index);
    if (event->type() == QEvent::Leave || event->type() == QEvent::FocusOut) emit pointedAt(-1);
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        (*at)->click();
        return true;
    }
    const ArrowKey arrow(key);
    if (arrow.right == 0) return false;
    if (const int to = index + arrow.right; to >= 0 && to < count()) chip(to)->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace headlight

#include "moc_chip_row.cpp"

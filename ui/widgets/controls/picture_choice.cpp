// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/picture_choice.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

class PictureButton : public QAbstractButton {
public:
    PictureButton(PictureChoice::Choice choice, const QSize& picture)
        : m_draw(std::move(choice.draw)), m_picture(picture) {
        setText(choice.name);
        setCheckable(true);
        setAutoExclusive(true);  // its group sees to that; a screen reader learns from it that this is one of several
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
    }

    QSize sizeHint() const override {
        const double name = paint::textWidth(text(), nameFont(QFont::DemiBold));
        return {std::max(m_picture.width(), static_cast<int>(std::ceil(name))) + 2 * kEdge,
                m_picture.height() + 2 * kEdge + kName};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        const QRectF box((width() - m_picture.width()) / 2.0, kEdge, m_picture.width(), m_picture.height());
        p.save();
        p.setClipRect(box);
        m_draw(p, box);
        p.restore();
        const QColor edge = isChecked() ? t.nowLine : paint::mixed(t.line2, t.text3, hoverTint(this));
        paint::outline(p, box, edge, isChecked() ? 2 : 1);
        const QPointF below(width() / 2.0, box.bottom() + kEdge + kName / 2.0);
        paint::centredText(p, below, text(), nameFont(isChecked() ? QFont::DemiBold : QFont::Medium),
                           isChecked() ? t.text : t.text2, Anchor::Middle);
    }

private:
    static constexpr int kEdge = 3, kName = 20;
    static QFont nameFont(int weight) { return uiFont(12, weight); }

    std::function<void(QPainter&, const QRectF&)> m_draw;
    QSize m_picture;
};

}  // namespace

PictureChoice::PictureChoice(const std::vector<Choice>& choices, const QSize& picture, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (const Choice& choice : choices) {
        auto* button = new PictureButton(choice, picture);
        m_group->addButton(button, static_cast<int>(m_group->buttons().size()));
        row->addWidget(button);
    }
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) emit currentChanged(id);
    });
}

int PictureChoice::currentIndex() const {
    return m_group->checkedId();
}

void PictureChoice::setCurrentIndex(int index) {
    if (QAbstractButton* const button = m_group->button(index)) button->setChecked(true);
}

}  // namespace headlight

#include "moc_picture_choice.cpp"

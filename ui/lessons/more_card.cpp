// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/more_card.h"

#include <QAbstractButton>
#include <QPainter>
#include <QVBoxLayout>

#include "core/lessons/lesson.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_text.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/icon.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

/// "More", the title, and at its end an arrow that points down, or up while it is open.
class MoreTitle : public QAbstractButton {
public:
    explicit MoreTitle(const QString& title) {
        setText(title);
        setAccessibleName(MoreCard::tr("More: %1").arg(title));
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_Hover);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        return QFontMetrics(uiFont(14, QFont::Medium))
            .boundingRect(QRect(0, 0, width - kAround, 2000), Qt::AlignLeft | Qt::TextWordWrap, text())
            .height();
    }
    QSize sizeHint() const override { return {200, heightForWidth(300)}; }
    QSize minimumSizeHint() const override { return {80, 20}; }

protected:
    void resizeEvent(QResizeEvent*) override { setFixedHeight(heightForWidth(width())); }
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.setFont(uiFont(12, QFont::DemiBold));
        p.setPen(t.text3);
        p.drawText(QRect(0, 1, kMore, 20), Qt::AlignLeft | Qt::AlignTop, MoreCard::tr("More"));
        p.setFont(uiFont(14, QFont::Medium));
        p.setPen(paint::mixed(t.text2, t.text, isChecked() ? 1 : hoverTint(this)));
        p.drawText(rect().adjusted(kMore, 0, kMore - kAround, 0), Qt::AlignLeft | Qt::TextWordWrap, text());
        p.translate(width() - kArrow / 2.0, 10);
        if (isChecked()) p.rotate(180);
        drawIcon(p, Icon::ChevronDown, QRectF(-8, -8, 16, 16), t.text3);
        p.resetTransform();
        if (hasFocus()) paint::outline(p, rect(), t.ink, 1, 4);
    }

private:
    static constexpr int kMore = 48, kArrow = 20, kAround = kMore + kArrow;
};

}  // namespace

MoreCard::MoreCard(LessonPlayer& player, const LessonMore& more, QWidget* parent)
    : QFrame(parent),
      m_title(new MoreTitle(QString::fromStdString(more.title))),
      m_words(lessonText(player, more.text)) {
    QVBoxLayout* const column = lessonCardColumn(this);
    column->setContentsMargins(18, 12, 18, 12);
    column->addWidget(m_title);
    column->addWidget(m_words);
    m_words->hide();
    connect(m_title, &QAbstractButton::toggled, m_words, &QWidget::setVisible);
}

void MoreCard::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paint::box(p, rect(), {}, t.line, 8);
}

}  // namespace headlight

#include "moc_more_card.cpp"

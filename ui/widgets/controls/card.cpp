// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QEnterEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/controls/figure_event.h"
#include "ui/widgets/theme/hover_tint.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

/// A long caption gives way, as it must not set the width of the page: it takes a second line.
class CardCaption : public Caption {
public:
    explicit CardCaption(const QString& text, std::function<void()> resized = {})
        : Caption(text, 12, QFont::Normal, Tone::Faint), m_resized(std::move(resized)) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        say(text);
    }

    void say(const QString& text) {
        setText(text);
        setToolTip(text);
        takeLines();
    }

    /// A word that is wider than the line has no room in any number of them.
    bool hasRoom(const QString& words, int width) const {
        const QStringList each = words.split(u' ');
        const bool fit = std::ranges::all_of(
            each, [&](const QString& word) { return fontMetrics().horizontalAdvance(word) <= width; });
        return fit && linesIn(words, width) <= 2;
    }

    int linesIn(const QString& words, int width) const {
        const QRect room(0, 0, std::max(1, width), QWIDGETSIZE_MAX);
        return fontMetrics().boundingRect(room, Qt::TextWordWrap, words).height() / fontMetrics().height();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        Caption::resizeEvent(event);
        takeLines();
        if (m_resized) m_resized();
    }

private:
    void takeLines() {
        constexpr int kLine = 20;
        const bool takesTwo = linesIn(text(), width()) == 2;
        setWordWrap(takesTwo);
        setFixedHeight(takesTwo ? 2 * fontMetrics().height() : kLine);
    }

    std::function<void()> m_resized;
};

/// In the margin of a card, so that it covers nothing.
class CardCorner : public QAbstractButton {
public:
    static constexpr int kSize = 18;

    explicit CardCorner(Card* card) : QAbstractButton(card) {
        setFixedSize(kSize, kSize);
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::NoFocus);  // by keyboard the menu's two actions do the same
        setAttribute(Qt::WA_Hover);
        const QString what = Card::tr("Copy or export this figure");
        setAccessibleName(what);
        setToolTip(what);
        hide();
        connect(this, &QAbstractButton::clicked, card, [this, card] {
            hide();  // it is no part of the figure
            FigureEvent wanted(*card);
            QCoreApplication::sendEvent(card->window(), &wanted);
        });
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = Theme::of(this);
        QPainter p(this);
        drawIcon(p, Icon::Export, QRectF(rect()).adjusted(2, 2, -2, -2),
                 paint::mixed(t.text3, t.text, hoverTint(this)));
    }
};

Card::Card(const QString& title, const QString& caption, QWidget* parent)
    : Foldable(parent),
      m_title(new Caption(title, 13, QFont::DemiBold, Caption::Tone::Main)),
      m_corner(new CardCorner(this)),
      m_caption(caption),
      // What stands to its right may have grown.
      m_beside(new CardCaption(caption, [this] { placeCaption(); })),
      m_below(new CardCaption({})),
      m_header(new QHBoxLayout),
      m_body(new QVBoxLayout(this)) {
    m_header->setSpacing(10);
    m_header->addWidget(m_title, 0, Qt::AlignTop);
    m_header->addWidget(m_beside, 1, Qt::AlignTop);
    m_body->setContentsMargins(20, 14, 20, 16);
    m_body->setSpacing(8);
    m_body->addLayout(m_header);
    m_body->addWidget(m_below);
    m_below->hide();
    m_title->setFixedHeight(20);
}

QString Card::title() const {
    return m_header ? m_title->text() : QString();
}

void Card::setTitle(const QString& title) {
    m_title->setText(title);
}

void Card::enterEvent(QEnterEvent* event) {
    Foldable::enterEvent(event);
    m_corner->raise();
    m_corner->show();
}

void Card::leaveEvent(QEvent* event) {
    Foldable::leaveEvent(event);
    m_corner->hide();
}

void Card::setCaption(const QString& caption) {
    if (std::exchange(m_caption, caption) != caption) placeCaption();
}

void Card::removeHeader() {
    for (QLabel* label : {m_title, static_cast<QLabel*>(m_beside), static_cast<QLabel*>(m_below)})
        delete label;
    delete std::exchange(m_header, nullptr);
}

void Card::resizeEvent(QResizeEvent* event) {
    Foldable::resizeEvent(event);
    m_corner->move(width() - CardCorner::kSize - 1, 1);
    placeCaption();
}

void Card::placeCaption() {
    if (!m_header) return;
    const QMargins margins = m_body->contentsMargins();
    int room = width() - margins.left() - margins.right();
    for (int i = 0; i < m_header->count(); ++i) {
        const QWidget* other = m_header->itemAt(i)->widget();
        if (other && other != m_beside && !other->isHidden())
            room -= std::max(other->sizeHint().width(), other->minimumWidth()) + m_header->spacing();
        if (const QLayout* several = m_header->itemAt(i)->layout())
            room -= several->sizeHint().width() + m_header->spacing();
    }
    const bool below = !m_caption.isEmpty() && !m_beside->hasRoom(m_caption, room);
    m_beside->say(below ? QString() : m_caption);
    m_below->say(below ? m_caption : QString());
    m_below->setVisible(below);
}

void Card::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    paint::box(p, rect(), t.surface, t.line, 8);
}

}  // namespace headlight

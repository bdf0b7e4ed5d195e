// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/panel.h"

#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

Panel::Panel(Qt::Edge line, QWidget* parent) : Foldable(parent), m_line(line) {
    setAttribute(Qt::WA_OpaquePaintEvent);  // the window's ground need not be filled below it
}

void Panel::yieldBelow(int width) {
    m_yieldBelow = width;
    follow();
}

void Panel::setAskedFor(bool asked) {
    if (std::exchange(m_isAskedFor, asked) != asked) follow();
}

void Panel::takeShare(int narrowest, int widest, double share) {
    m_narrowest = narrowest;
    m_widest = widest;
    m_share = share;
    follow();
}

/// What it stands in has the say.
void Panel::follow() {
    QWidget* const around = parentWidget();
    const int share = around ? static_cast<int>(around->width() * m_share) : m_widest;
    // At once: every width that is set lays everything out.
    if (m_share > 0) setFixedWidth(std::clamp(share, m_narrowest, m_widest));
    if (!around) return;
    around->removeEventFilter(this);
    around->installEventFilter(this);
    const int least = m_isAskedFor && m_yieldBelow < QWIDGETSIZE_MAX ? m_yieldBelow * 3 / 4 : m_yieldBelow;
    if (m_yieldBelow > 0) setVisible(around->width() >= least);
}

bool Panel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) follow();
    return QWidget::eventFilter(watched, event);
}

void Panel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // A layout took it over: from now on that is what it stands in.
    if (event->type() == QEvent::ParentChange && (m_yieldBelow > 0 || m_share > 0)) follow();
}

void Panel::paintEvent(QPaintEvent*) {
    const Theme& t = Theme::of(this);
    QPainter p(this);
    p.fillRect(rect(), t.surface);
    QRect edge = rect();
    switch (m_line) {
        case Qt::TopEdge:
            edge.setHeight(1);
            break;
        case Qt::BottomEdge:
            edge.setTop(edge.bottom());
            break;
        case Qt::LeftEdge:
            edge.setWidth(1);
            break;
        case Qt::RightEdge:
            edge.setLeft(edge.right());
            break;
    }
    p.fillRect(edge, t.line);
}

Rule::Rule(QWidget* parent) : QWidget(parent) {
    setFixedHeight(1);
}

void Rule::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.fillRect(rect(), Theme::of(this).line);
}

namespace {

constexpr int kMeasure = 460;  ///< of an empty page's lines

}  // namespace

EmptyPage::EmptyPage(const QString& sentence, const QString& action, QWidget* parent) : QWidget(parent) {
    auto* text = new Caption(sentence, 15, QFont::Normal, Caption::Tone::Secondary);
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(16);
    column->addStretch(2);
    column->addWidget(text, 0, Qt::AlignHCenter);
    if (!action.isEmpty()) {
        auto* button = new Button(Button::Kind::Primary, action);
        column->addWidget(button, 0, Qt::AlignHCenter);
        connect(button, &Button::clicked, this, &EmptyPage::activated);
        m_action = button;
    }
    column->addStretch(3);
    m_text = text;
}

/// Before it is seen first: most pages never are, and lines are not for nothing.
bool EmptyPage::event(QEvent* event) {
    if (event->type() == QEvent::Polish) {
        // A layout gives a centred label only its hint, which knows nothing of the lines that this width needs.
        const int wide = paint::widthWithoutLoneWord(m_text->text(), m_text->font(), kMeasure);
        m_text->setFixedSize(wide, m_text->heightForWidth(wide) + 8);
    }
    return QWidget::event(event);
}

void EmptyPage::addInput(const QString& placeholder) {
    m_input = new QLineEdit;
    m_input->setPlaceholderText(placeholder);
    m_input->setAccessibleName(placeholder);
    m_input->setFixedWidth(kMeasure);
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(2, m_input, 0, Qt::AlignHCenter);  // behind a stretch and the sentence
    connect(m_input, &QLineEdit::returnPressed, this, [this] {
        if (const QString text = m_input->text().trimmed(); !text.isEmpty()) emit typed(text);
    });
}

void EmptyPage::showAction(bool isThere) {
    if (m_action) m_action->setVisible(isThere);
}

namespace {

constexpr int kBarWidth = 10;  // as the theme has it

class Area : public QScrollArea {
public:
    explicit Area(BarPlace place) {
        if (place == BarPlace::Beside) setViewportMargins(0, 0, kBarWidth, 0);
    }
};

/// The area's own bar takes its width from the content, which may then be higher, or lower: this one has its place
/// whether it is there or not, and moves the other.
class BarOnTop : public QScrollBar {
public:
    BarOnTop(QScrollArea* area, BarPlace place) : QScrollBar(Qt::Vertical, area), m_area(area), m_place(place) {
        QScrollBar* const own = area->verticalScrollBar();
        connect(own, &QScrollBar::rangeChanged, this, &BarOnTop::follow);
        connect(own, &QScrollBar::valueChanged, this, &QScrollBar::setValue);
        connect(this, &QScrollBar::valueChanged, own, &QScrollBar::setValue);
        area->viewport()->installEventFilter(this);
        hide();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == m_area->viewport() && event->type() == QEvent::Resize) follow();
        return QScrollBar::eventFilter(watched, event);
    }

private:
    void follow() {
        const QScrollBar& own = *m_area->verticalScrollBar();
        const QRect room = m_area->viewport()->geometry();
        setRange(own.minimum(), own.maximum());
        setPageStep(room.height());
        setSingleStep(own.singleStep());
        setValue(own.value());
        const int left = room.right() + 1 - (m_place == BarPlace::OnMargin ? kBarWidth : 0);
        setGeometry(left, room.top(), kBarWidth, room.height());
        setVisible(minimum() < maximum());
    }

    QScrollArea* m_area;
    BarPlace m_place;
};

}  // namespace

QScrollArea* scrolling(QWidget* content, BarPlace place) {
    auto* area = new Area(place);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    new BarOnTop(area, place);
    return area;
}

}  // namespace headlight

#include "moc_panel.cpp"

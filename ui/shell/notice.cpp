// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/notice.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

namespace {

constexpr int kNoticeWidest = 760, kAround = 20;

}  // namespace

Notice::Notice(QWidget* parent) : QFrame(parent), m_text(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(44, 8, 12, 8);
    row->setSpacing(8);
    m_text->setFont(uiFont(13));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_text, 1);
    auto* copy = new Button(Button::Kind::Ghost, tr("Copy details"), Icon::None, this);
    auto* close = new Button(Button::Kind::Plain, {}, Icon::Cross, this);
    copy->setHeight(28);
    close->setHeight(28);
    close->setAccessibleName(tr("Dismiss"));
    row->addWidget(copy);
    row->addWidget(close);
    connect(copy, &Button::clicked, this, [this] { QApplication::clipboard()->setText(m_text->text()); });
    connect(close, &Button::clicked, this, [this] { say({}); });
    parent->installEventFilter(this);
    applyTheme();
    hide();
}

void Notice::say(const QString& message) {
    m_text->setText(message);
    setAccessibleName(message);
    place();
    setVisible(!message.isEmpty());
    raise();
}

void Notice::place() {
    const int width = std::min(kNoticeWidest, parentWidget()->width() - 2 * kAround);
    const int height = layout()->totalHeightForWidth(width);
    setGeometry((parentWidget()->width() - width) / 2, parentWidget()->height() - height - kAround, width, height);
}

bool Notice::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) place();
    return QFrame::eventFilter(watched, event);
}

void Notice::applyTheme() {
    QPalette colours = m_text->palette();
    if (colours.color(QPalette::WindowText) == Theme::of(this).bad) return;
    colours.setColor(QPalette::WindowText, Theme::of(this).bad);
    m_text->setPalette(colours);
}

void Notice::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) applyTheme();
    QFrame::changeEvent(event);
}

void Notice::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(this);
    paint::box(painter, rect(), theme.badTint, theme.bad, 6);
    drawIcon(painter, Icon::Warning, QRectF(16, height() / 2.0 - 9, 18, 18), theme.bad);
}

}  // namespace headlight

#include "moc_notice.cpp"

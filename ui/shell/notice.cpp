// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/notice.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/widgets/controls/controls.h"
#include "ui/widgets/theme/paint.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

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
    applyTheme();
    hide();
}

void Notice::say(const QString& message) {
    m_text->setText(message);
    setAccessibleName(message);
    setVisible(!message.isEmpty());
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

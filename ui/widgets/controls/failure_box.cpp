// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls/failure_box.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>

#include "ui/widgets/controls/controls.h"

namespace headlight {

FailureBox::FailureBox(QWidget* parent)
    : TintedBox(Tone::Bad, parent), m_text(new Caption({}, 13, QFont::Normal, Caption::Tone::Main)) {
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* copy = new Button(Button::Kind::Ghost, tr("Copy details"));
    copy->setHeight(28);
    connect(copy, &Button::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(46, 8, 12, 8);
    row->addWidget(m_text, 1);
    row->addWidget(copy);
}

void FailureBox::setText(const QString& text) {
    m_text->setText(text);
}

QString FailureBox::text() const {
    return m_text->text();
}

}  // namespace headlight

#include "moc_failure_box.cpp"

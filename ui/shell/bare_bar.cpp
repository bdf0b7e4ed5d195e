// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/bare_bar.h"

#include <QHBoxLayout>

#include "ui/session/open/session.h"
#include "ui/widgets/controls/controls.h"
#include "ui/widgets/heads/muted_mark.h"

namespace headlight {

BareBar::BareBar(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_muted(new MutedMark(MutedMark::Size::Full, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(8);
    row->addStretch();
    auto* back = new Button(Button::Kind::Ghost, tr("Controls"), Icon::Gear, this);
    back->setHeight(28);
    back->setIconAlone(true);
    back->setToolTip(tr("Show the controls (Ctrl+Shift+L)"));
    row->addWidget(m_muted);
    row->addWidget(back);
    connect(back, &Button::clicked, this, &BareBar::controlsWanted);
    connect(m_muted, &MutedMark::clicked, this, [this] { m_session.setMutedHeads({}); });
    connect(&session, &Session::readingChanged, this, &BareBar::showMuted);
    hide();
}

void BareBar::showMuted() {
    const auto& reading = m_session.reading();
    m_muted->setHeads(reading && reading->muted ? m_session.mutedHeads() : QStringList(),
                      reading ? reading->trace.get() : nullptr);
}

}  // namespace headlight

#include "moc_bare_bar.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/save_buttons.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>

#include "ui/session/format/number_format.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

SaveButtons::SaveButtons(QWidget* parent)
    : QWidget(parent),
      m_keep(new Button(Button::Kind::Ghost, tr("Keep"), Icon::Models)),
      m_save(new Button(Button::Kind::Ghost, tr("Save …"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_keep);
    m_save->setFixedWidth(92);  // for whatever it says: what stands beside it stays where it is
    row->addWidget(m_save);
    auto* menu = new QMenu(this);
    m_saveAction = menu->addAction(tr("Save"), this, &SaveButtons::saveRequested);
    QAction* const saveAs = menu->addAction(tr("Save as …"), this, &SaveButtons::saveAsRequested);
    // The window's menu has the keys; here they are told.
    m_saveAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_S));
    saveAs->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    for (QAction* action : {m_saveAction, saveAs}) {
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setShortcutVisibleInContextMenu(true);
    }
    connect(m_keep, &Button::clicked, this, &SaveButtons::keepRequested);
    connect(m_save, &Button::clicked, this,
            [this, menu] { menu->popup(m_save->mapToGlobal(QPoint(0, m_save->height() + 4))); });
    showState(State::Nothing, 0, {});
}

void SaveButtons::showState(State state, int step, const QString& name) {
    if (state == m_state && step == m_step && name == m_name) return;
    m_state = state;
    m_step = step;
    m_name = name;
    const bool isThere = state == State::Unsaved || state == State::Saved;
    m_keep->setEnabled(isThere);
    m_save->setEnabled(isThere);
    m_save->setText(state == State::Saving ? tr("Saving …") : state == State::Saved ? tr("Saved") : tr("Save …"));
    m_save->setIcon(state == State::Saved ? Icon::Check : Icon::None);
    m_saveAction->setText(tr("Save “%1”").arg(name));
    m_keep->setToolTip(isThere
                           ? tr("Put the model of step %1 among those trained here, beside the others (Ctrl+Shift+K)")
                                 .arg(formatCount(step))
                           : tr("There is no trained model yet"));
    m_save->setToolTip(
        isThere
            ? tr("Save the model of step %1 under Models, Trained here (Ctrl+S), or elsewhere").arg(formatCount(step))
            : tr("There is no trained model yet"));
}

}  // namespace headlight

#include "moc_save_buttons.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/models/trained_shelf.h"

#include <QAction>

#include "ui/views/models/empty_place.h"

namespace headlight {

TrainedShelf::TrainedShelf(QWidget* parent)
    : ModelSection(tr("Trained here"), ModelTile::Tells::Run, parent),
      m_another(new EmptyPlace(tr("Train one on your own text"), tr("or on a built-in task, under Train"))) {
    setPlace(m_another);
    connect(m_another, &QAbstractButton::clicked, this, &TrainedShelf::trainRequested);
}

void TrainedShelf::prepare(ModelTile& tile) {
    const auto action = [&](const QString& text, const QKeySequence& keys,
                            void (TrainedShelf::*wanted)(const QString&)) {
        auto* const act = new QAction(text, &tile);
        act->setShortcut(keys);
        act->setShortcutContext(Qt::WidgetShortcut);
        act->setShortcutVisibleInContextMenu(true);
        connect(act, &QAction::triggered, this, [this, wanted, path = tile.path()] { emit(this->*wanted)(path); });
        tile.addAction(act);
    };
    action(tr("Train on"), {}, &TrainedShelf::trainOnRequested);
    action(tr("Rename …"), Qt::Key_F2, &TrainedShelf::renameRequested);
    action(tr("Delete (into the wastebasket)"), QKeySequence::Delete, &TrainedShelf::deleteRequested);
    tile.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace headlight

#include "moc_trained_shelf.cpp"

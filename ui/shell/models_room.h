// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/rooms.h"

namespace headlight {

class ByNameView;
class CostView;
class ModelInspector;
class ModelShelf;
class TrainedShelf;

/// A shelf of models, each drawn as a blueprint and answering the sentence; beside it the open one, tensor by tensor.
class ModelsRoom : public ViewRoom {
    Q_OBJECT
public:
    ModelsRoom(Workbench& workbench, QWidget* parent);

    ByNameView* byName() const { return m_byName; }
    CostView* cost() const { return m_cost; }
    ModelShelf* shelf() const { return m_shelf; }
    TrainedShelf* trained() const;
    ModelInspector* inspector() const { return m_inspector; }
    /// What may be done with the open model where it was trained here.
    QWidget* ownTools() const;
    /// Asks for the new name.
    void rename(const QString& path);
    void moveToTrash(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeModels();
    void connectModels();
    void refresh();
    void markOpenModel();
    void showModel();

    ModelShelf* m_shelf;
    ModelInspector* m_inspector;
    ByNameView* m_byName;
    CostView* m_cost;
};

}  // namespace headlight

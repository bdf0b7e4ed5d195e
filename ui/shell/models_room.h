// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <vector>

#include "ui/shell/rooms.h"

namespace headlight {

class CostView;
class EmbeddingView;
class ModelInspector;
class ModelShelf;
class TrainedShelf;
class Workbench;

/// A shelf of models, each drawn as a blueprint and answering the sentence; beside it the open one, tensor by tensor.
class ModelsRoom : public Room {
    Q_OBJECT
public:
    ModelsRoom(Workbench& workbench, QWidget* parent);

    std::vector<View> views() const override;
    ViewName currentView() const override;
    void showView(ViewName view) override;
    QWidget* viewWidget() override { return m_pages->currentWidget(); }
    std::vector<Staged*> staged() override;
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

    Workbench& m_workbench;
    ModelShelf* m_shelf;
    ModelInspector* m_inspector;
    QStackedWidget* m_pages;
    CostView* m_cost;
    EmbeddingView* m_embeddings;
};

}  // namespace headlight

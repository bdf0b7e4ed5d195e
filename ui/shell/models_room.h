// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QWidget>
#include <utility>
#include <vector>

class QTableWidget;

#include "ui/shell/rooms.h"

namespace headlight {

class Card;
class ChoiceRow;
class CostView;
class EmbeddingView;
class Workbench;

/// The models that ship, the open one tensor by tensor, and ways to open another.
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

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillShelf();
    void markOpenModel();
    void showModel();

    Workbench& m_workbench;
    Card* m_shelf;                                       ///< the models that ship
    std::vector<std::pair<QString, ChoiceRow*>> m_rows;  ///< by name of the file
    Card* m_card;
    QTableWidget* m_table;
    QStackedWidget* m_pages;
    CostView* m_cost;
    EmbeddingView* m_embeddings;
};

}  // namespace headlight

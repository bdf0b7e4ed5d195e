// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

class QTableWidget;

namespace headlight {

class Card;
class ChoiceRow;
class Workbench;

/// The models that ship, the open one tensor by tensor, and ways to open another.
class ModelsRoom : public QWidget {
    Q_OBJECT
public:
    ModelsRoom(Workbench& workbench, QWidget* parent);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillShelf();
    void markOpenModel();
    void showModel();
    void askForModel();

    Workbench& m_workbench;
    Card* m_shelf;                                       ///< the models that ship
    std::vector<std::pair<QString, ChoiceRow*>> m_rows;  ///< by name of the file
    Card* m_card;
    QTableWidget* m_table;
};

}  // namespace headlight

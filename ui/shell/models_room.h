// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTableWidget;

namespace headlight {

class Card;
class Workbench;

/// The open model, tensor by tensor, and ways to open another.
class ModelsRoom : public QWidget {
    Q_OBJECT
public:
    ModelsRoom(Workbench& workbench, QWidget* parent);

private:
    void showModel();
    void askForModel();

    Workbench& m_workbench;
    Card* m_card;
    QTableWidget* m_table;
};

}  // namespace headlight

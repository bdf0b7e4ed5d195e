// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/widgets/icon.h"

namespace headlight {

class Workbench;

/// A place of the activity rail.
struct Room {
    const char* id;
    Icon icon;
    QString label;
    QString hint;
    QWidget* (*make)(Workbench&, QWidget* parent);
};

/// All rooms, in the rail's order. A new room is registered in rooms.cpp and nowhere else.
const std::vector<Room>& rooms();

}  // namespace headlight

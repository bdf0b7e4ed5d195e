// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/widgets/theme/icon.h"

namespace headlight {

class Workbench;

/// A room whose view can be shown or drawn without what stands around it.
class Viewer {
public:
    virtual ~Viewer() = default;
    virtual QWidget* currentView() const = 0;
};

/// A room with several views of one thing; the header shows their names.
class Tabs : public Viewer {
public:
    virtual QStringList tabs() const = 0;
    virtual int currentTab() const = 0;
    virtual void showTab(int index) = 0;
    /// By its name, whatever its case; false where there is none.
    bool showTabNamed(const QString& name);
};

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/views/view.h"
#include "ui/widgets/theme/icon.h"

namespace headlight {

class Workbench;

/// A place of the activity rail, with one view or several of one thing; the header shows their names.
class Room : public QWidget {
    Q_OBJECT
public:
    explicit Room(Workbench& workbench, QWidget* parent) : QWidget(parent), m_workbench(workbench) {}

    /// A view as the reader sees it named, among which group of views, and why it has nothing to show of the model that
    /// is open; empty: it has.
    struct View {
        ViewName name;
        QString title, question, whyNothing, group = {};
        bool suits() const { return whyNothing.isEmpty(); }
    };
    /// All of them, in the order of the header.
    std::vector<View> views() const;
    virtual std::vector<ViewName> viewNames() const = 0;
    virtual ViewName currentView() const = 0;
    /// One of viewNames().
    virtual void showView(ViewName view) = 0;
    /// The view alone, without the bars that stand around it in the room.
    virtual QWidget* viewWidget() { return this; }
    /// What has options that belong to the state of the stage.
    virtual std::vector<Staged*> staged() { return {}; }
    /// Whether something that the reader made would be lost with the window.
    virtual bool hasUnsavedWork() const { return false; }
    /// Does it at once where nothing is lost, otherwise when the reader agrees.
    virtual void leave(const std::function<void()>& then) { then(); }

signals:
    /// The reader changed an option of one of the views, or moved to another one.
    void optionsChanged();

protected:
    /// Connects what every view has: its changes are told of, so is its work in the background, and where it asks for
    /// a model the reader comes to them.
    void follow(ViewWidget* view);

    Workbench& m_workbench;
};

/// A room of several views, one of which is seen.
class ViewRoom : public Room {
    Q_OBJECT
public:
    ViewRoom(Workbench& workbench, QWidget* parent);

    std::vector<ViewName> viewNames() const override { return m_names; }
    ViewName currentView() const override { return m_names[static_cast<size_t>(m_pages->currentIndex())]; }
    void showView(ViewName view) override;
    QWidget* viewWidget() override { return m_pages->currentWidget(); }
    std::vector<Staged*> staged() override { return m_staged; }

protected:
    /// In the order of the header.
    void addView(ViewName name, ViewWidget* view);
    /// One that is several pictures in a page.
    void addView(ViewName name, QWidget* page, const std::vector<ViewWidget*>& pictures);
    /// One whose options, if it has any, are the room's own concern.
    void addPage(ViewName name, QWidget* page);
    /// Another view is seen, or the same once more.
    virtual void viewShown() {}

    QStackedWidget* m_pages;

private:
    std::vector<ViewName> m_names;
    std::vector<Staged*> m_staged;
};

/// How the rail makes a room.
struct RoomEntry {
    const char* id;  ///< for whoever reads the list; views are asked for by their ViewName
    Icon icon;
    QString label;
    QString hint;
    Room* (*make)(Workbench&, QWidget* parent);
};

/// All rooms, in the rail's order. A new room is registered in rooms.cpp and nowhere else.
const std::vector<RoomEntry>& rooms();

}  // namespace headlight

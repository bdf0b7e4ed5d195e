// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

#include "core/io/trained_model.h"
#include "ui/views/staged.h"
#include "ui/widgets/theme/icon.h"

namespace headlight {

class Workbench;

/// A place of the activity rail, with one view or several of one thing; the header shows their names.
class Room : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// A view, and what the reader sees as its name.
    struct View {
        ViewName name;
        QString title;
        bool suits = true;  ///< has something to show of the model that is open
    };
    /// All of them, in the order of the header. A view is registered here and nowhere else.
    virtual std::vector<View> views() const = 0;
    virtual ViewName currentView() const = 0;
    /// One of views().
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
    /// Says of each view whether it suits the model; null: none is open, and all do.
    static void markSuited(std::vector<View>& views, const TrainedModel* model);
    /// Tells of the changes of a view with options.
    template <class View>
    void follow(View* view) {
        connect(view, &View::optionsChanged, this, &Room::optionsChanged);
    }
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

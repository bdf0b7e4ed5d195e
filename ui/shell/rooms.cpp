// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rooms.h"

#include <QCoreApplication>

#include "core/lessons/view_suits.h"
#include "ui/shell/compare_room.h"
#include "ui/shell/decode_room.h"
#include "ui/shell/explore_room.h"
#include "ui/shell/learn_room.h"
#include "ui/shell/models_room.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"

namespace headlight {

namespace {

struct RoomsText {
    Q_DECLARE_TR_FUNCTIONS(Rooms)
};

template <class Widget>
Room* make(Workbench& workbench, QWidget* parent) {
    return new Widget(workbench, parent);
}

}  // namespace

void Room::markSuited(std::vector<View>& views, const TrainedModel* model) {
    for (View& view : views)
        view.suits = !model || whyNothingToShow(view.name, *model).empty();
}

const std::vector<RoomEntry>& rooms() {
    static const std::vector<RoomEntry> all = {
        {"learn", Icon::Learn, RoomsText::tr("Learn"), RoomsText::tr("Lessons on live models"), make<LearnRoom>},
        {"explore", Icon::Explore, RoomsText::tr("Explore"), RoomsText::tr("Read a sentence and look at every head"),
         make<ExploreRoom>},
        {"train", Icon::Train, RoomsText::tr("Train"),
         RoomsText::tr("Train a fresh model and watch its heads take shape"), make<TrainRoom>},
        {"decode", Icon::Decode, RoomsText::tr("Decode"),
         RoomsText::tr("Walk a beam search as a tree, and overrule it"), make<DecodeRoom>},
        {"compare", Icon::Compare, RoomsText::tr("Compare"),
         RoomsText::tr("Two models, or two settings of one, side by side"), make<CompareRoom>},
        {"models", Icon::Models, RoomsText::tr("Models"), RoomsText::tr("The open model, and others to open"),
         make<ModelsRoom>},
    };
    return all;
}

}  // namespace headlight

#include "moc_rooms.cpp"

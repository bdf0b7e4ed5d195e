// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rooms.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/views/views.h"
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

std::vector<Room::View> Room::views() const {
    const auto translated = [](const char* text) { return QCoreApplication::translate("Views", text); };
    const auto& model = m_workbench.session.model();
    std::vector<View> all;
    for (const ViewName name : viewNames()) {
        const std::string whyNothing = model ? whyNothingToShow(name, *model) : std::string();
        const auto& view = viewOf(name);
        all.push_back({name, translated(view.title), translated(view.question),
                       whyNothing.empty() ? QString() : translated(whyNothing.c_str()),
                       *view.group ? translated(view.group) : QString()});
    }
    return all;
}

void Room::follow(ViewWidget* view) {
    view->setSettling(&m_workbench.settling);
    connect(view, &ViewWidget::optionsChanged, this, &Room::optionsChanged);
    connect(view, &ViewWidget::openModelRequested, &m_workbench,
            [this] { emit m_workbench.viewRequested(ViewName::Models); });
}

ViewRoom::ViewRoom(Workbench& workbench, QWidget* parent)
    : Room(workbench, parent), m_pages(new QStackedWidget(this)) {}

void ViewRoom::addPage(ViewName name, QWidget* page) {
    m_pages->addWidget(page);
    m_names.push_back(name);
}

void ViewRoom::addView(ViewName name, ViewWidget* view) {
    addView(name, view, {view});
}

void ViewRoom::addView(ViewName name, QWidget* page, const std::vector<ViewWidget*>& pictures) {
    addPage(name, page);
    for (ViewWidget* picture : pictures) {
        m_staged.push_back(picture);
        follow(picture);
    }
}

void ViewRoom::showView(ViewName view) {
    m_pages->setCurrentIndex(static_cast<int>(std::ranges::find(m_names, view) - m_names.begin()));
    viewShown();
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

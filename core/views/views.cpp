// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/views/views.h"

namespace headlight {

const std::vector<const View*>& views() {
    static const std::vector<const View*> all = {
#define HEADLIGHT_VIEW(Name, member, Options) &member##View,
#define HEADLIGHT_PLAIN(Name, member) &member##View,
        HEADLIGHT_VIEWS(HEADLIGHT_VIEW, HEADLIGHT_PLAIN)
#undef HEADLIGHT_VIEW
#undef HEADLIGHT_PLAIN
    };
    return all;
}

const View& viewOf(ViewName view) {
    return *views()[static_cast<size_t>(view)];
}

std::string whyNothingToShow(ViewName view, const TrainedModel& model) {
    const auto why = viewOf(view).whyNothing;
    return why ? why(model) : std::string();
}

const std::vector<const char*>& viewWords() {
    static const std::vector<const char*> words = [] {
        std::vector<const char*> names;
        for (const View* view : views())
            names.push_back(view->name);
        return names;
    }();
    return words;
}

}  // namespace headlight

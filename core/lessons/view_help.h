// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

/// What is said about a view to whoever asks.
struct ViewHelp {
    /// A part of it that is pointed at: one of View::panels, `picture`, `sentence` or `timeline`.
    struct Part {
        std::string at, is;
    };
    /// What keys or the mouse do there.
    struct Can {
        std::string keys, does;
    };
    std::string shows = {};
    std::vector<Part> parts = {};
    std::vector<Can> can = {};
    std::string lesson = {};      ///< that teaches it, by its slug; "": there is none
    std::string doesNotSay = {};  ///< what could be read into it, and is not so
    int line = 0;                 ///< in its file
};

/// `help.yaml`: the name of a view → what is said about it. What is wrong becomes a mistake: a view or a part that
/// there is not, a key that is not known, a view without a word of what it shows.
std::map<std::string, ViewHelp> parseHelp(const std::string& text, const std::string& path,
                                          std::vector<LessonMistake>& mistakes);

}  // namespace headlight

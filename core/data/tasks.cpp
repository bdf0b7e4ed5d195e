// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/tasks.h"

#include "core/data/task.h"
#include "core/error.h"

namespace headlight {

const std::vector<Task>& tasks() {
    static const std::vector<Task> all = {
        {"vi-en", "Vietnamese to English",
         "Everyday sentences: classifiers, adjectives behind nouns, tense by small words before the verb.", "vi", "en",
         "tôi đang học tiếng anh", builtin::vietnameseEnglish},
    };
    return all;
}

const Task& findTask(std::string_view name) {
    std::string known;
    for (const Task& task : tasks()) {
        if (task.name == name) return task;
        known += (known.empty() ? "" : ", ") + std::string(task.name);
    }
    throw Error("there is no task '" + std::string(name) + "'; choose one of " + known);
}

}  // namespace headlight

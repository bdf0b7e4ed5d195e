// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tasks/tasks.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "core/data/task.h"
#include "core/error.h"
#include "core/words.h"

namespace headlight {

const std::vector<Task>& tasks() {
    static const std::vector<Task> all = {
        {"vi-en", HEADLIGHT_WORDS("Task", "Vietnamese to English"),
         "Everyday sentences: classifiers, adjectives behind nouns, tense by small words before the verb.", "vi", "en",
         "tôi đang học tiếng anh", builtin::vietnameseEnglish},
        {"vi-en-long", HEADLIGHT_WORDS("Task", "Vietnamese to English, long"),
         "Clauses of vi-en joined to sentences of four to forty words: what one thought vector cannot hold.", "vi",
         "en", "tôi yêu bạn và bạn yêu tôi", builtin::longVietnameseEnglish},
        {"fr-en", HEADLIGHT_WORDS("Task", "French to English"),
         "Gender and number agree, some adjectives stand before the noun and some behind, ne … pas embraces the verb.",
         "fr", "en", "le gros chien rouge", builtin::frenchEnglish},
        {"es-en", HEADLIGHT_WORDS("Task", "Spanish to English"),
         "Gender and number agree, ser and estar are both 'to be', pronouns stand before the verb.", "es", "en",
         "la bola es azul", builtin::spanishEnglish},
        {"reverse", HEADLIGHT_WORDS("Task", "Reverse the letters"),
         "The letters of the input from the last to the first.", "", "", "a b c d e f", builtin::reversal},
        {"copy", HEADLIGHT_WORDS("Task", "Copy the letters"), "The letters of the input as they are.", "", "",
         "a b c d e f", builtin::copying},
        {"sort", HEADLIGHT_WORDS("Task", "Sort the letters"), "The letters of the input in the order of the alphabet.",
         "", "", "f a d b c e", builtin::sorting},
        {"shift", HEADLIGHT_WORDS("Task", "Shift the letters"),
         "The letters of the input moved by one place: the second to the last, then the first.", "", "", "a b c d e f",
         builtin::shifting},
        {"dates", HEADLIGHT_WORDS("Task", "Dates to ISO 8601"),
         "Dates as people write them, turned into year - month - day.", "en", "", "5 march 2019", builtin::dates},
        {"chat", HEADLIGHT_WORDS("Task", "Small talk"),
         "Something that is said, and what Lan says to it: she has her tastes, and takes up words.", "en", "en",
         "hello , my name is anna .", builtin::chat},
        {"stories", HEADLIGHT_WORDS("Task", "Stories for children"),
         "A running text: a child, an animal, a place, named at the beginning and taken up again.", "", "en",
         "once there was a little girl", builtin::storyText, CorpusKind::Text},
        {"sentiment", HEADLIGHT_WORDS("Task", "Praise or blame"),
         "Sentences that praise or blame, some of them first the one and then the other: which word decides?", "en", "",
         "steve is arrogant but his book is awesome", builtin::sentiment, CorpusKind::Labels},
    };
    return all;
}

const CorpusSplits& Task::corpus() const {
    static std::mutex mutex;
    static std::map<std::string_view, CorpusSplits> written;
    const std::lock_guard lock(mutex);
    const auto found = written.find(name);
    return found != written.end() ? found->second : written.emplace(name, write()).first->second;
}

const Task& findTask(std::string_view name) {
    std::string known;
    for (const Task& task : tasks()) {
        if (task.name == name) return task;
        known += (known.empty() ? "" : ", ") + std::string(task.name);
    }
    throw Error("there is no task '" + std::string(name) + "'; choose one of " + known);
}

const Task* taskOf(const TrainingStory& training) {
    const auto found = std::ranges::find(tasks(), training.task(), &Task::name);
    return found == tasks().end() ? nullptr : &*found;
}

}  // namespace headlight

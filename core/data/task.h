// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/data/corpus.h"
#include "core/io/trained_model.h"

namespace headlight {

/// A built-in task: a name and a function that writes its corpus, the same on every call and every machine.
struct Task {
    std::string_view name;            ///< `vi-en`
    std::string_view title;           ///< "Vietnamese to English"
    std::string_view description;     ///< one sentence
    std::string_view sourceLanguage;  ///< BCP 47 tag, or empty for symbols
    std::string_view targetLanguage;
    std::string_view example;  ///< a source sentence to start with; it is one of the task's
    CorpusSplits (*write)();
    CorpusKind kind = CorpusKind::Translation;

    /// What it writes: written when it is first asked for, and kept as long as the program runs.
    const CorpusSplits& corpus() const;
};

/// All built-in tasks, in the order in which a menu shows them. A new task is registered in tasks.cpp alone.
const std::vector<Task>& tasks();
/// Throws Error (naming the tasks there are) where there is no such task.
const Task& findTask(std::string_view name);
/// The built-in task that a model was trained on, by TrainedModel::training; null where there was none.
const Task* taskOf(const TrainingStory& training);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/model_text.h"

#include <QCoreApplication>
#include <QDir>
#include <memory>
#include <mutex>

#include "core/data/found_data.h"
#include "core/data/task.h"
#include "core/data/training_recipe.h"
#include "core/error.h"
#include "ui/session/open/test_set.h"

namespace headlight {

namespace {

struct ModelTextWords {
    Q_DECLARE_TR_FUNCTIONS(ModelTextWords)
};

constexpr size_t kMostSentences = 500;

QString whatIsMissing(const FoundData& found) {
    QString name = QString::fromStdString(found.file);
    // A line does not end within a name, if it may do without: a word joiner behind each hyphen.
    constexpr int kFitsALine = 24;
    if (name.size() <= kFitsALine) name.replace(u'-', QStringLiteral("-\u2060"));
    switch (found.missing) {
        case FoundData::Missing::Nothing:
            break;
        case FoundData::Missing::Untold:
            return ModelTextWords::tr("This model's file does not say which text it learned from.");
        case FoundData::Missing::Gone:
            return ModelTextWords::tr(
                       "This model learned from %1, which was not found. Open that file under "
                       "Train → Data, then come back.")
                .arg(name);
        case FoundData::Missing::Changed:
            return ModelTextWords::tr(
                       "The contents of %1 have changed since this model learned from it. Open the "
                       "original under Train → Data, then come back.")
                .arg(name);
    }
    return {};
}

/// A path is long and says nothing of the model: it is for whoever asks.
QString whereItWas(const FoundData& found) {
    if (found.missing != FoundData::Missing::Gone || found.folder.empty()) return {};
    return ModelTextWords::tr("It was looked for in %1.")
        .arg(QDir::toNativeSeparators(QString::fromStdString(found.folder)));
}

Corpus some(const Corpus& corpus) {
    if (corpus.size() <= kMostSentences) return corpus;
    Corpus chosen;
    for (size_t i = 0; i < kMostSentences; ++i)
        chosen.push_back(corpus[i * corpus.size() / kMostSentences]);
    return chosen;
}

std::string keyOf(const FoundData& found) {
    std::string key = std::to_string(found.seed);
    for (const Setting& setting : settingsOf(*found.data))
        key += "\n" + setting.key + "=" + setting.value;
    return key;
}

Corpus heldOut(const FoundData& found) {
    static std::mutex mutex;
    static std::string lastKey;
    static Corpus last;
    const std::string key = keyOf(found);
    const std::lock_guard lock(mutex);
    if (lastKey == key) return last;
    const CorpusSplits splits = found.data->splits(found.seed);
    last = some(!splits.test.empty() ? splits.test : !splits.validation.empty() ? splits.validation : splits.train);
    lastKey = key;
    return last;
}

}  // namespace

ModelText textOfModel(const TrainedModel& model) {
    if (const Task* const task = taskOf(model.training)) return {task->corpus().test};
    const FoundData found = findData(model);
    if (!found.data) return {{}, whatIsMissing(found), whereItWas(found)};
    try {
        return {heldOut(found)};
    } catch (const Error& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

}  // namespace headlight

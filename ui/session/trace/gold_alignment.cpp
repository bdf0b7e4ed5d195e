// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/gold_alignment.h"

#include <QRegularExpression>
#include <map>
#include <memory>
#include <mutex>

#include "core/data/task.h"
#include "ui/session/format/model_names.h"

namespace headlight {

namespace {

using Pairs = std::map<std::pair<std::string, std::string>, GoldLinks>;

std::shared_ptr<const Pairs> pairsOf(const Task& task) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const Pairs>, std::less<>> made;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Pairs>& pairs = made[std::string(task.name)];
    if (pairs) return pairs;
    auto fresh = std::make_shared<Pairs>();
    const CorpusSplits& splits = task.corpus();
    for (const Corpus* corpus : {&splits.train, &splits.validation, &splits.test, &splits.unseen})
        for (const SentencePair& pair : *corpus)
            if (!pair.alignment.empty()) fresh->emplace(std::pair(pair.source, pair.target), pair.alignment);
    return pairs = fresh;
}

}  // namespace

GoldLinks goldAlignment(const TrainedModel& model, const QString& source, const QStringList& written) {
    const Task* const task = taskOf(model.training);
    if (!task || task->kind != CorpusKind::Translation) return {};
    const std::shared_ptr<const Pairs> pairs = pairsOf(*task);
    const auto found = pairs->find({source.simplified().toLower().toStdString(), written.join(u' ').toStdString()});
    return found == pairs->end() ? GoldLinks() : found->second;
}

}  // namespace headlight

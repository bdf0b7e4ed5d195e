// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/test_set.h"

#include <QString>
#include <mutex>
#include <string_view>
#include <utility>

#include "core/data/translate.h"
#include "ui/session/open/session.h"

namespace headlight {

namespace {

/// Of the models that ship and whose text does not: written for this, and each the other way round as well.
constexpr std::pair<std::string_view, std::string_view> exampleTranslations[] = {
    {"The children are playing in the garden.", "Les enfants jouent dans le jardin."},
};

/// As the built-in tasks write their sentences.
std::string plain(const std::string& source) {
    return QString::fromStdString(source).simplified().toLower().toStdString();
}

}  // namespace

std::shared_ptr<const TestSet> TestSet::of(const TrainedModel& model) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const TestSet>, std::less<>> made;
    const Task* const task = taskOf(model.training);
    if (!task || task->kind != CorpusKind::Translation || !model.network->config().encoderDecoder()) return nullptr;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const TestSet>& set = made[std::string(task->name)];
    if (!set) set = std::make_shared<const TestSet>(task->corpus());
    return set;
}

TestSet::TestSet(const CorpusSplits& splits) : m_sentences(splits.test) {
    for (size_t i = 0; i < m_sentences.size(); ++i)
        m_places.emplace(plain(m_sentences[i].source), static_cast<int>(i) + 1);
    for (const Corpus* part : {&splits.test, &splits.unseen, &splits.validation, &splits.train})
        for (const SentencePair& pair : *part)
            m_references.emplace(plain(pair.source), pair.target);
}

std::optional<std::string> TestSet::referenceOf(const TestSet* set, const TrainedModel& model,
                                                const std::string& source) {
    if (set) return set->referenceOf(source);
    if (exampleSentence(model).toStdString() != source) return {};
    for (const auto& [one, other] : exampleTranslations) {
        if (source == one) return std::string(other);
        if (source == other) return std::string(one);
    }
    return {};
}

int TestSet::placeOf(const std::string& source) const {
    const auto found = m_places.find(plain(source));
    return found == m_places.end() ? 0 : found->second;
}

std::optional<std::string> TestSet::referenceOf(const std::string& source) const {
    const auto found = m_references.find(plain(source));
    return found == m_references.end() ? std::nullopt : std::optional(found->second);
}

double TestScores::scoreOf(size_t sentence, size_t order) const {
    return summedBleu({&scores[sentence].bleu, 1}, order).score;
}

Bleu TestScores::sum(size_t order) const {
    std::vector<Bleu> all;
    for (const SentenceBleu& each : scores)
        all.push_back(each.bleu);
    return summedBleu(all, order);
}

double TestScores::mean(size_t order) const {
    double sum = 0;
    long read = 0;
    for (size_t i = 0; i < scores.size(); ++i) {
        if (!isRead(i)) continue;
        sum += scoreOf(i, order);
        ++read;
    }
    return read > 0 ? sum / static_cast<double>(read) : 0;
}

TestScores scoreTestSet(const TrainedModel& model, const TestSet& test, std::span<const MutedHead> muted,
                        const WorkProgress& progress) {
    const Corpus& sentences = test.sentences();
    TranslatedCorpus written = translateCorpus(model, sentences, ownBeam(model, muted), progress);
    TestScores result;
    result.texts.resize(sentences.size());
    result.scores.resize(sentences.size());
    result.skipped = written.skipped;
    for (size_t i = 0; i < written.kept.size(); ++i) {
        const size_t place = written.kept[i];
        result.scores[place] = sentenceBleu(written.texts[i], {sentences[place].target});
        result.texts[place] = std::move(written.texts[i]);
    }
    return result;
}

}  // namespace headlight

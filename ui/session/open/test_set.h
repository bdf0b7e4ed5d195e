// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/task.h"
#include "core/data/translated_corpus.h"
#include "core/train/sentence_bleu.h"

namespace headlight {

/// The sentences that a translator of a built-in task is judged by, with their references. They stand in no run's
/// training text.
class TestSet {
public:
    /// Null where the model learned no built-in task, or one that is no translation. A task's corpus is made on the
    /// first call and kept. May be called from any thread.
    static std::shared_ptr<const TestSet> of(const TrainedModel& model);

    explicit TestSet(const CorpusSplits& splits);

    const Corpus& sentences() const { return m_sentences; }
    /// From 1; 0: it is none of them.
    int placeOf(const std::string& source) const;
    /// A translation that is known of a sentence: the set's, if there is one, or that of the example which the model's
    /// story begins with.
    static std::optional<std::string> referenceOf(const TestSet* set, const TrainedModel& model,
                                                  const std::string& source);
    /// The task's own translation of a sentence, whichever of its parts it stands in.
    std::optional<std::string> referenceOf(const std::string& source) const;

private:
    Corpus m_sentences;
    std::map<std::string, int> m_places;
    std::map<std::string, std::string> m_references;
};

/// What a model writes for a test set, each sentence scored with its reference alone.
struct TestScores {
    std::vector<std::string> texts;    ///< one a sentence; empty where the model cannot read it
    std::vector<SentenceBleu> scores;  ///< as many: with n-grams of up to four words
    long skipped = 0;

    /// Of one sentence, and of all counts added up, with n-grams of 1 to `order` words.
    double scoreOf(size_t sentence, size_t order) const;
    Bleu sum(size_t order) const;
    /// The mean of the sentences' own scores.
    double mean(size_t order) const;
    bool isRead(size_t sentence) const { return !scores[sentence].references.empty(); }
};
/// Searched as the model says, or greedily. Throws Error as translateCorpus(), and WorkStopped.
TestScores scoreTestSet(const TrainedModel& model, const TestSet& test, std::span<const MutedHead> muted = {},
                        const WorkProgress& progress = {});

}  // namespace headlight

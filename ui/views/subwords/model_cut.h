// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>

#include "core/io/trained_model.h"
#include "core/work_progress.h"
#include "ui/views/subwords/subwords_shown.h"

namespace headlight {

/// How the open model cuts its text: with its own merges, where its tokenizer has a list of them, or as its tokenizer
/// does it without one.
class ModelCut {
public:
    ModelCut(std::shared_ptr<const TrainedModel> model, QString sentence, QString written);

    /// Whether there are merges to play.
    bool hasMerges() const;
    /// Why there are none to play, in one sentence.
    QString whyNone() const;
    /// What the film is of, in a line.
    QString source() const;
    const QString& sentence() const { return m_sentence; }
    /// The model's merges, through the words of its sentence and of what it writes, and the commonest words
    /// and endings of its vocabulary, once each.
    std::shared_ptr<const MergeFilm> film(const WorkProgress& progress) const;
    /// Words of a text as the model cuts them, each with its way through so many merges. At the last merge the pieces
    /// are those that it reads: one that its vocabulary lacks is cut again.
    std::vector<SubwordsShown::Cut> cut(const QString& text, const MergeFilm& film, int merges) const;
    /// The words of a text in its pieces: without merges, all that there is to show.
    std::vector<MergeFilm::Word> pieces() const;

private:
    struct Word {
        std::string text;
        std::vector<std::string> pieces;
        bool isUnknown = false;  ///< something in it is not known
    };
    std::vector<Word> wordsOf(const QString& text) const;
    /// How often each stands in the sentence and in what is written.
    WordCounts ownWords() const;

    std::shared_ptr<const TrainedModel> m_model;
    QString m_sentence, m_written;
};

}  // namespace headlight

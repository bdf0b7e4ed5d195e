// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/head_study.h"

#include <algorithm>

#include "core/data/corpus_readers.h"
#include "ui/session/open/test_set.h"

namespace headlight {

namespace {

constexpr size_t kSentences = 100;  ///< enough to tell a habit from an accident, few enough to be read in seconds

/// Spread over the corpus: built-in tasks write sentences of one kind side by side.
Corpus sample(const Corpus& corpus) {
    if (corpus.size() <= kSentences) return corpus;
    Corpus some;
    for (size_t i = 0; i < kSentences; ++i)
        some.push_back(corpus[i * corpus.size() / kSentences]);
    return some;
}

Corpus readCorpus(const std::string& path, CorpusKind kind) {
    if (kind == CorpusKind::Translation) return readPairs(path);
    Corpus corpus;
    for (const SentencePair& line : readText(path))
        if (!line.target.empty()) corpus.push_back({line.target, line.target});
    return corpus;
}

}  // namespace

void HeadStudy::setReading(std::shared_ptr<const TrainedModel> model, const QString& source, const QString& target) {
    const bool sameModel = m_model == model;
    if (sameModel && m_source == source && m_target == target) return;
    if (!sameModel || m_work == Work::Weighing) stop();
    m_model = std::move(model);
    m_source = source;
    m_target = target;
    const bool knew = m_ablation || (m_judgement && !sameModel);
    m_ablation.reset();
    if (!sameModel) m_judgement.reset();
    m_failure.clear();
    if (knew) emit known();
    emit changed();
}

bool HeadStudy::hasTask() const {
    return m_model && taskOf(m_model->training);
}

void HeadStudy::judge(FirstWord first) {
    if (!hasTask()) return;
    judge(first, [task = taskOf(m_model->training)] { return task->corpus().test; });
}

void HeadStudy::judge(FirstWord first, const QString& file) {
    if (!m_model) return;
    judge(first, [path = file.toStdString(), kind = m_model->network->config().corpusKind()] {
        return readCorpus(path, kind);
    });
}

void HeadStudy::judge(FirstWord first, std::function<Corpus()> read) {
    const Progress progress = begin(Work::Judging);
    m_background.ask<HeadJudgement>([model = m_model, first, read = std::move(read),
                                     progress] { return judgeHeads(*model, sample(read()), first, progress); },
                                    [this](HeadJudgement found) {
                                        m_judgement = std::move(found);
                                        emit known();
                                        emit changed();
                                    },
                                    [this](const QString& why) { fail(why); });
    emit changed();
}

void HeadStudy::forgetJudgement() {
    m_judgement.reset();
    emit known();
    emit changed();
}

void HeadStudy::weigh() {
    if (!m_model || m_source.trimmed().isEmpty()) return;
    const Progress progress = begin(Work::Weighing);
    m_background.ask<TextAblation>(
        [model = m_model, source = m_source.toStdString(), target = m_target.toStdString(), progress] {
            return ablateHeadsOnText(*model, source, target.empty() ? std::nullopt : std::optional(target), progress);
        },
        [this](TextAblation found) {
            m_ablation = std::move(found);
            emit known();
            emit changed();
        },
        [this](const QString& why) { fail(why); });
    emit changed();
}

void HeadStudy::cancel() {
    stop();
    emit changed();
}

/// The thread asks before each pass whether it is still wanted, and tells how far it is.
HeadStudy::Progress HeadStudy::begin(Work work) {
    stop();
    m_work = work;
    m_progress = 0;
    m_failure.clear();
    m_wanted = std::make_shared<std::atomic<bool>>(true);
    return [this, wanted = m_wanted](double done) {
        if (!*wanted) return false;
        QMetaObject::invokeMethod(this, [this, wanted, done] {
            if (!*wanted) return;
            m_progress = done;
            emit progressed();
        });
        return true;
    };
}

void HeadStudy::stop() {
    if (m_wanted) *m_wanted = false;
    m_background.drop();
}

void HeadStudy::fail(const QString& why) {
    m_failure = why;
    emit changed();
}

}  // namespace headlight

#include "moc_head_study.cpp"

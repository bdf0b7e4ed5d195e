// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/task_sentences.h"

#include "core/data/task.h"
#include "core/data/training_data.h"
#include "ui/session/format/number_format.h"
#include "ui/session/format/plural.h"

namespace headlight {

namespace {

std::vector<SentenceRows::Token> known(const std::string& text, const Tokenizer& splitter) {
    std::vector<SentenceRows::Token> tokens;
    for (const std::string& word : splitter.split(text))
        tokens.push_back({QString::fromStdString(word), true});
    return tokens;
}

QString wordCount(size_t words) {
    return plural(TaskSentences::tr("%1 word(s)").arg(words), static_cast<qint64>(words));
}

}  // namespace

TaskSentences::TaskSentences(QObject* parent) : QObject(parent), m_background(this) {}

void TaskSentences::setTask(const std::string& name) {
    if (m_name == name) return;
    m_name = name;
    m_splits.reset();
    m_background.drop();
    if (name.empty()) return;
    using Splits = std::shared_ptr<const CorpusSplits>;
    m_background.ask<Splits>([name] { return std::make_shared<const CorpusSplits>(findTask(name).generate()); },
                             [this](const Splits& splits) {
                                 m_splits = splits;
                                 emit written();
                             },
                             [](const QString&) {});  // a run says why a task is none
}

std::vector<SentenceRows::Row> TaskSentences::rows(size_t count, size_t shift) const {
    if (!m_splits) return {};
    const std::pair<const Corpus*, QString> parts[] = {
        {&m_splits->train, tr("training")}, {&m_splits->validation, tr("validation")}, {&m_splits->test, tr("test")}};
    size_t all = 0;
    for (const auto& [part, name] : parts)
        all += part->size();
    const auto splitter = wordSplitter({});
    std::vector<SentenceRows::Row> rows;
    for (size_t k = 0; k < std::min(count, all); ++k) {
        size_t place = k * all / std::min(count, all);
        for (const auto& [part, name] : parts) {
            if (place >= part->size()) {
                place -= part->size();
                continue;
            }
            const size_t at = (place + shift) % part->size();
            const SentencePair& pair = (*part)[at];
            SentenceRows::Row row;
            row.line = formatCount(static_cast<qint64>(at) + 1);
            row.part = name;
            row.source = known(pair.source, *splitter);
            row.target = known(pair.target, *splitter);
            row.sourceNote = wordCount(row.source.size());
            row.targetNote = wordCount(row.target.size());
            rows.push_back(std::move(row));
            break;
        }
    }
    return rows;
}

QString TaskSentences::counts() const {
    if (!m_splits) return {};
    return tr("%1 for training, %2 for validation, %3 for the test")
        .arg(formatCount(std::ssize(m_splits->train)), formatCount(std::ssize(m_splits->validation)),
             formatCount(std::ssize(m_splits->test)));
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/data/task_sentences.h"

#include <algorithm>
#include <tuple>

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
    m_splits = nullptr;
    m_background.drop();
    if (name.empty()) return;
    using Splits = const CorpusSplits*;
    m_background.ask<Splits>([name] { return &findTask(name).corpus(); },
                             [this](Splits splits) {
                                 m_splits = splits;
                                 emit written();
                             },
                             [](const QString&) {});  // a run says why a task is none
}

std::vector<SentenceRows::Row> TaskSentences::rows(size_t count, size_t shift) const {
    if (!m_splits) return {};
    const auto splitter = wordSplitter({});
    const size_t few = count / 6;  // of validation and of the test; where there is little room, none
    std::vector<SentenceRows::Row> rows;
    for (const auto& [part, name, share] :
         {std::tuple(&m_splits->train, tr("training"), count - 2 * few),
          std::tuple(&m_splits->validation, tr("validation"), few), std::tuple(&m_splits->test, tr("test"), few)})
        for (size_t k = 0; k < std::min(share, part->size()); ++k) {
            const size_t at = (k * part->size() / share + shift) % part->size();
            SentenceRows::Row row;
            row.line = formatCount(static_cast<qint64>(at) + 1);
            row.part = name;
            row.source = known((*part)[at].source, *splitter);
            row.target = known((*part)[at].target, *splitter);
            row.sourceNote = wordCount(row.source.size());
            row.targetNote = wordCount(row.target.size());
            rows.push_back(std::move(row));
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

#include "moc_task_sentences.cpp"

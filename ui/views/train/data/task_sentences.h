// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/corpus.h"
#include "ui/session/open/background.h"
#include "ui/views/train/data/sentence_rows.h"

namespace headlight {

/// What a built-in task has to read: its sentences, written in the background, as many of them as there is room for.
class TaskSentences : public QObject {
    Q_OBJECT
public:
    explicit TaskSentences(QObject* parent = nullptr);

    void setSettling(Settling* settling) { m_background.setSettling(settling); }
    /// By its name; empty: none.
    void setTask(const std::string& name);

    /// Before they are written, null.
    const CorpusSplits* splits() const { return m_splits; }
    /// So many, most of training and a sixth each of validation and of the test, spread evenly over their part; `shift`
    /// other ones. A word of theirs is always known: every word of a task stands in its training.
    std::vector<SentenceRows::Row> rows(size_t count, size_t shift) const;
    /// "12,000 for training, 500 for validation, 500 for the test"; empty before they are written.
    QString counts() const;

signals:
    void written();

private:
    std::string m_name;
    const CorpusSplits* m_splits = nullptr;
    Background m_background;
};

}  // namespace headlight

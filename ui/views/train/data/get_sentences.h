// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/fetch/sentence_fetch.h"

class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class ProgressLine;

/// One set of sentences: what it is, how large, and what can be done with it: Get, Stop, Go on, Open. What went wrong
/// is said in it.
class SentenceSetRow : public QWidget {
    Q_OBJECT
public:
    SentenceSetRow(SentenceSet set, const FetchLimits& limits, QWidget* parent = nullptr);

    SentenceFetch& fetch() const { return *m_fetch; }
    Button* button() const { return m_button; }
    /// Takes what is here, or a part of it, from this computer.
    Button* removeButton() const { return m_remove; }
    /// How far it is; empty while nothing comes.
    QLabel* progress() const;
    QLabel* failure() const;

signals:
    void openWanted();
    void asked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void act();
    void show(SentenceFetch::State state);

    SentenceFetch* m_fetch;
    Button *m_button, *m_remove;
    QLabel *m_what, *m_progress, *m_failure;
    ProgressLine* m_bar;
};

/// Free sets of sentences to learn from, fetched when the reader asks for one and opened when it is there.
class GetSentences : public QWidget {
    Q_OBJECT
public:
    explicit GetSentences(QWidget* parent = nullptr);

    /// Where sets are kept; without a folder none is fetched.
    void setFolder(const QString& folder);
    /// Others than the program's own.
    void offer(const std::vector<SentenceSet>& sets, const FetchLimits& limits = {});
    const std::vector<SentenceSetRow*>& rows() const { return m_rows; }

signals:
    void openWanted(const QString& path, const SentenceSet& set);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QString m_folder;
    QVBoxLayout* m_list;
    std::vector<SentenceSetRow*> m_rows;
    const SentenceSetRow* m_last = nullptr;  ///< asked for last: it is opened when it comes
};

}  // namespace headlight

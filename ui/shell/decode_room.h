// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QWidget>
#include <memory>

#include "ui/shell/rooms.h"

namespace headlight {

class BleuView;
class DecodeView;
class ForcingView;
class NextWordView;
class Panel;
class Trace;
class SegmentedControl;
class SentenceBar;

/// A sentence, and the search for its translation as a tree, or the words that may come next in it (of a language model
/// these alone); what a decoder writes that is fed the truth or its own words; and how good it is.
class DecodeRoom : public ViewRoom {
    Q_OBJECT
public:
    DecodeRoom(Workbench& workbench, QWidget* parent);

    QWidget* viewWidget() override;

    DecodeView* view() const { return m_view; }
    NextWordView* nextWord() const { return m_nextWord; }
    ForcingView* forcing() const { return m_forcing; }
    BleuView* bleu() const { return m_bleu; }
    SegmentedControl* pageChoice() const { return m_pageChoice; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void viewShown() override { showResult(); }

private:
    void showResult();
    void showSearch();
    void openKeepingSentence(const QString& model);
    void append(int word);
    QWidget* makeChoice();

    QStackedWidget* m_search;  ///< of a translator its tree or its next word, of a text the latter
    DecodeView* m_view;
    NextWordView* m_nextWord;
    ForcingView* m_forcing;
    BleuView* m_bleu;
    Panel* m_choice;  ///< of a translator: its search, or its next word
    SegmentedControl* m_pageChoice;
    std::shared_ptr<const Trace> m_shown;  ///< whose next words stand there
};

}  // namespace headlight

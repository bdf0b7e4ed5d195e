// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <QWidget>
#include <memory>

#include "ui/shell/rooms.h"

namespace headlight {

class DecodeView;
class NextWordView;
class Panel;
class Trace;
class SegmentedControl;
class SentenceBar;
class Workbench;

/// A sentence, and the search for its translation as a tree, or the words that may come next in it; of a language model
/// these alone.
class DecodeRoom : public Room {
    Q_OBJECT
public:
    DecodeRoom(Workbench& workbench, QWidget* parent);

    std::vector<View> views() const override;
    ViewName currentView() const override { return ViewName::Decode; }
    void showView(ViewName) override {}
    QWidget* viewWidget() override { return m_pages->currentWidget(); }
    std::vector<Staged*> staged() override;

    DecodeView* view() const { return m_view; }
    NextWordView* nextWord() const { return m_nextWord; }
    SegmentedControl* pageChoice() const { return m_pageChoice; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showResult();
    void append(int word);
    QWidget* makeChoice();

    Workbench& m_workbench;
    QStackedWidget* m_pages;
    DecodeView* m_view;
    NextWordView* m_nextWord;
    Panel* m_choice;  ///< of a translator: its search, or its next word
    SegmentedControl* m_pageChoice;
    std::shared_ptr<const Trace> m_shown;  ///< whose next words stand there
};

}  // namespace headlight

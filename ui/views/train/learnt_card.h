// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/open/learnt.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

class ComboBox;
class LearntChart;

/// When was it learnt: a choice of what, its curve over the run, the moment in a sentence, and the button by which the
/// steps around it are gone through again.
class LearntCard : public Card {
    Q_OBJECT
public:
    explicit LearntCard(HeadsStory* story, QWidget* parent = nullptr);

    Learnt* learnt() { return &m_learnt; }
    ComboBox* choice() const { return m_choice; }
    LearntChart* chart() const { return m_chart; }
    Button* findButton() const { return m_find; }
    Button* againButton() const { return m_makeAgain; }
    /// What was told by tellAgain().
    QString again() const { return m_again->text(); }
    /// The open model's run may be made here, so that the question can be asked of it; `whyNot`: why it cannot. No
    /// name: there is nothing to offer.
    void offerAgain(const QString& model, const QString& whyNot);
    void tellAgain(const QString& text);

    /// As StageState::learnt says it: "role", or a word from 1.
    void setChosen(const std::string& what);
    std::string chosen() const;

signals:
    void chosenByReader();
    void againWanted();

private:
    void follow();
    void fillChoice();
    void choose(int item);

    HeadsStory* m_story;
    Learnt m_learnt;
    ComboBox* m_choice;
    LearntChart* m_chart;
    QLabel *m_sentence, *m_again;
    Button *m_find, *m_makeAgain;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/controls/panel.h"

class QScrollArea;
class QVBoxLayout;

namespace headlight {

class Button;
class FittingCaption;
class LessonPlayer;
class StepDots;

/// A lesson beside the stage: what a step says, its formulas, questions and things to try, and the way on and back.
class LessonPanel : public Panel {
    Q_OBJECT
public:
    explicit LessonPanel(LessonPlayer& player, QWidget* parent = nullptr);

    Button* nextButton() const { return m_next; }
    Button* playButton() const { return m_play; }
    QWidget* content() const { return m_content; }

signals:
    /// Back to the list of lessons.
    void listWanted();

private:
    QWidget* makeHead();
    QWidget* makeFoot();
    void showStep();
    void fill(QVBoxLayout* column);

    LessonPlayer& m_player;
    FittingCaption* m_lesson;
    QScrollArea* m_area;
    QWidget* m_content = nullptr;
    int m_shownStep = -1;
    Button* m_play;
    Button* m_previous;
    Button* m_next;
    StepDots* m_dots;
};

}  // namespace headlight

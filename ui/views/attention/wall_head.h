// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/session/open/head_study.h"
#include "ui/session/open/selection.h"
#include "ui/session/trace/head_survey.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class Button;
class MatrixView;
class RankStrips;
class RowText;

/// The right of the wall: one head in full. Its matrix, what the chosen word looks at, where it stands among all heads,
/// and sentences in which it does as it is found to do.
class WallHead : public Panel {
    Q_OBJECT
public:
    explicit WallHead(QWidget* parent = nullptr);

    struct Shown {
        const HeadSurvey& survey;
        int head = 0;
        bool muted = false;
        bool revealed = true;
        Selection::Cell cell, hovered;
        std::vector<char> hidden;  ///< cells, as HeadSurvey::at() counts them; empty: none
    };
    void show(const Shown& shown);
    void showStudy(const HeadStudy& study);

    MatrixView* matrix() const { return m_matrix; }
    RankStrips* ranks() const { return m_ranks; }
    RowText* text() const { return m_text; }
    Button* muteButton() const { return m_mute; }

signals:
    void muteWanted(bool muted);
    void cellChosen(int row, int column);
    void cellHovered(int row, int column);
    /// What the text costs without each head is wanted, or no longer.
    void weighingWanted();
    void stopWanted();

private:
    class HabitLine;
    void showMatrix(const Shown& shown);
    void showRow(const Shown& shown);
    void showRanks(const Shown& shown);
    void showExamples(const HeadSurvey::Head& head);

    Selection::Cell m_shown;  ///< from one word to another
    bool m_isMuted = false;
    bool m_isWeighing = false;
    QLabel* m_title;
    Button* m_mute;
    HabitLine* m_habit;
    MatrixView* m_matrix;
    QLabel* m_sentence;
    QLabel* m_shade;
    RowText* m_text;
    QLabel* m_rankTitle;
    RankStrips* m_ranks;
    Button* m_weigh;
    QLabel* m_weighing;
    QWidget* m_examples;
    std::vector<QLabel*> m_exampleTexts;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/session/open/head_study.h"
#include "ui/session/open/selection.h"
#include "ui/views/attention/head_wall.h"
#include "ui/widgets/controls/panel.h"

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class FoundRow;
class HabitRow;
class LabelledSlider;
class RangeSlider;
class SegmentedControl;
class WordPick;

/// The left of the wall: which heads look from one word to another, what heads are found to look at, which layers stand
/// on the wall, and in which order.
class WallSearch : public Panel {
    Q_OBJECT
public:
    explicit WallSearch(QWidget* parent = nullptr);

    struct Shown {
        const HeadSurvey& survey;
        std::vector<AttentionBlock::Kind> kinds;  ///< that the model has
        const WallOptions& options;
        Selection::Cell cell;  ///< from one word to another
        std::vector<int> found;
        int chosen = -1;
    };
    void show(const Shown& shown);
    void showStudy(const HeadStudy& study);

    static constexpr int kMostFound = 5;

signals:
    void optionsChosen(const headlight::WallOptions& options);
    /// −1: any word.
    void wordsChosen(int row, int column);
    void headChosen(int head);
    void kindChosen(headlight::AttentionBlock::Kind kind);
    void oneBlockWanted();
    void judgingWanted();
    /// Habits of this text alone are wanted again.
    void judgementForgotten();
    void stopWanted();

private:
    QWidget* makeHeading();
    QWidget* makeSearch();
    QWidget* makeHabits();
    QWidget* makeLayers();
    QWidget* makeOrders();
    void showHabits(const Shown& shown);
    void showFound(const Shown& shown);
    /// Tells the options with a change.
    template <class Change>
    void choose(Change change) {
        WallOptions chosen = m_options;
        change(chosen);
        emit optionsChosen(chosen);
    }

    enum class Does { Judge, Forget, Stop };

    WallOptions m_options;
    Does m_does = Does::Judge;  ///< the button below the habits
    std::vector<AttentionBlock::Kind> m_kinds;
    std::vector<int> m_found;
    int m_layers = 0;
    QLabel* m_size;
    SegmentedControl* m_kind;
    WordPick* m_from;
    WordPick* m_to;
    LabelledSlider* m_least;
    Button* m_pair;
    QLabel* m_count;
    std::vector<FoundRow*> m_foundRows;
    std::vector<HabitRow*> m_habits;
    QLabel* m_judged;
    Button* m_judge;
    QLabel* m_layerText;
    RangeSlider* m_layerRange;
    QButtonGroup* m_orders;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/open/cell_study.h"
#include "ui/session/trace/cell_picture.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class CellEquations;
class CellGates;
class FailureBox;
class LabelledSlider;
class ReachChart;
class WriteBars;

/// Beside the columns: the arithmetic of one unit, the words at which it writes, and how far back the gradient reaches.
class CellSide : public Panel {
    Q_OBJECT
public:
    explicit CellSide(QWidget* parent = nullptr);

    /// Null: nothing.
    void showUnit(const CellPicture* picture);
    /// What is known of many sentences; what is not is waited for.
    void showStudy(const CellPicture* picture, const CellStudy& study);
    void showFailure(const QString& why);
    /// By what the recurrent weights are multiplied, as the slider shows it.
    void setGain(double gain);
    /// Until a lesson's reader has predicted how far the gradient reaches.
    void setReachHidden(bool hidden);

    CellGates* gates() const { return m_gates; }
    CellEquations* equations() const { return m_equations; }
    WriteBars* bars() const { return m_bars; }
    ReachChart* chart() const { return m_chart; }
    QLabel* title() const { return m_title; }
    QLabel* verdict() const { return m_verdict; }
    QLabel* reachText() const { return m_reachText; }
    QLabel* gainText() const { return m_gainText; }

    /// Words that came less often say little; where no word came so often, all count.
    static constexpr long kOften = 10;
    static constexpr size_t kBars = 5;
    /// Of what it stands in: narrower than that it yields; its own width otherwise.
    static constexpr int kYieldsBelow = 1000, kNarrowest = 300, kWidest = 392;

signals:
    void gainChosen(double gain);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showWrites(const CellPicture& picture, const CellStudy& study);
    QString wordsOfGain(const CellStudy& study) const;
    void showReach(const CellPicture& picture, const CellStudy& study);

    QLabel *m_title, *m_subtitle;
    CellGates* m_gates;
    QLabel* m_verdict;
    CellEquations* m_equations;
    QLabel *m_writesTitle, *m_writesText;
    WriteBars* m_bars;
    QLabel* m_reachText;
    LabelledSlider* m_gain;
    QLabel* m_gainText;
    ReachChart* m_chart;
    FailureBox* m_failure;
    bool m_isReachHidden = false;
};

}  // namespace headlight

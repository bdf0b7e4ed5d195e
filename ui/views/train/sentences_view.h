// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/open/training_model.h"

class QTableWidget;

namespace headlight {

class Card;
class LabelledSlider;
class PlainChart;

/// Test sentences as the model translates them while it learns, any step of the run: what it writes, and how far it is
/// from the reference, sentence by sentence.
class SentencesView : public QWidget {
    Q_OBJECT
public:
    explicit SentencesView(QWidget* parent = nullptr);

    void clear();
    /// Forgets later steps.
    void cutBack(int step);
    void append(const std::vector<SentencesFrame>& frames);
    QTableWidget* table() const { return m_table; }
    LabelledSlider* step() const { return m_step; }
    PlainChart* curve() const { return m_curve; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showCurve();

    std::vector<SentencesFrame> m_frames;
    LabelledSlider* m_step;
    QTableWidget* m_table;
    Card* m_curveCard;
    PlainChart* m_curve;
};

}  // namespace headlight

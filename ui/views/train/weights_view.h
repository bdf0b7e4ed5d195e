// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/open/training_model.h"

class QLabel;

namespace headlight {

class Card;
class MatrixView;
class PlainChart;

/// What training does to the weights, module by module: the gradient's norm over the steps, and how the weights of the
/// chosen module are distributed then and now.
class WeightsView : public QWidget {
    Q_OBJECT
public:
    explicit WeightsView(QWidget* parent = nullptr);

    void clear();
    /// Forgets later steps.
    void cutBack(int step);
    void append(const std::vector<WeightsFrame>& frames);
    MatrixView* gradients() const { return m_gradients; }
    PlainChart* distribution() const { return m_distribution; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showModule();

    std::vector<WeightsFrame> m_frames;
    int m_module = 0;
    int m_frame = -1;  ///< the chosen one; -1: the last
    Card* m_gradientCard;
    MatrixView* m_gradients;
    QLabel* m_noGradients;  ///< why there are none
    Card* m_distributionCard;
    PlainChart* m_distribution;
};

}  // namespace headlight

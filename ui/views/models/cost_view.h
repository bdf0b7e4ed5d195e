// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/io/trained_model.h"
#include "ui/views/staged.h"

class QTableWidget;

namespace headlight {

class Card;
class LabelledSlider;
class PlainChart;

/// What it costs: recurrence, convolution and attention as functions of the number of words and their width, and the
/// parameters of the open model by part.
class CostView : public QWidget, public Staged {
    Q_OBJECT
public:
    explicit CostView(QWidget* parent = nullptr);

    void setModel(const std::shared_ptr<const TrainedModel>& model);
    /// Words, numbers a word, and the width of a convolution.
    void setSizes(int n, int d, int k);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    QTableWidget* costs() const { return m_costs; }
    QTableWidget* parts() const { return m_parts; }
    PlainChart* chart() const { return m_chart; }

signals:
    /// The reader chose otherwise.
    void optionsChanged();

private:
    void compute();

    int m_words = 0, m_numbers = 0, m_width = 0;  ///< exactly; the sliders stand as near as they can
    LabelledSlider *m_n, *m_d, *m_k;
    QTableWidget* m_costs;
    PlainChart* m_chart;
    QTableWidget* m_parts;
    Card* m_partsCard;
};

}  // namespace headlight

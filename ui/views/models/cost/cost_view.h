// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <memory>

#include "core/io/trained_model.h"
#include "ui/session/trace/cost.h"
#include "ui/views/models/cost/travel_picture.h"
#include "ui/views/view.h"

class QLabel;
class QSpinBox;
class QStackedWidget;
class QTableWidget;

namespace headlight {

class Card;
class CostBars;
class GrowthChart;
class LabelledSlider;
class SegmentedControl;
class WeightBlocks;

/// What it costs: how far a message travels through recurrence, convolution and attention, what a layer of each takes
/// as the words grow, and the parameters of the open model by part, or of a translator of two LSTMs by its sizes.
class CostView : public ViewWidget {
    Q_OBJECT
public:
    explicit CostView(QWidget* parent = nullptr);

    void setModel(const std::shared_ptr<const TrainedModel>& model);
    /// Words, numbers a word, the width of a convolution and how its layers lie.
    void setSizes(int n, int d, int k, Layering layering);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;

    TravelPicture* picture(TravelPicture::Kind kind) const { return m_ways[static_cast<size_t>(kind)].picture; }
    CostBars* bars(TravelPicture::Kind kind) const { return m_ways[static_cast<size_t>(kind)].bars; }
    GrowthChart* chart() const { return m_chart; }
    QTableWidget* parts() const { return m_parts; }
    WeightBlocks* blocks() const { return m_blocks; }

private:
    struct Way {
        Card* card = nullptr;
        QLabel* answer = nullptr;
        TravelPicture* picture = nullptr;
        CostBars* bars = nullptr;
    };
    QWidget* makeBar();
    Way makeWay(TravelPicture::Kind kind, const QString& title);
    QWidget* makeCalculator();
    Card* makeParameters();
    void compute();
    void sayWays(const std::vector<LayerCost>& costs);
    LstmTranslator translator() const;
    void weigh();
    void chooseSizes();

    int m_words = 0, m_numbers = 0, m_width = 0;  ///< exactly; the sliders stand as near as they can
    LabelledSlider *m_n, *m_d, *m_k;
    SegmentedControl* m_layering;
    std::array<Way, 3> m_ways;
    GrowthChart* m_chart;
    Card* m_growth;
    SegmentedControl* m_whose;
    QStackedWidget* m_pages;
    QTableWidget* m_parts;
    std::array<QSpinBox*, 4> m_sizes{};  ///< source, target, embedding, hidden
    SegmentedControl* m_biases;
    WeightBlocks* m_blocks;
    QLabel* m_sum;
    Card* m_partsCard;
    QString m_ofModel;  ///< beside the title, of the open model
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/positions.h"
#include "ui/views/laboratory/position_words.h"
#include "ui/views/view.h"

class QLabel;
class QStackedWidget;

namespace headlight {

class Button;
class Card;
class ComboBox;
class LabelledSlider;
class MatrixView;
class PlainChart;
class SegmentedControl;
class TurningHands;
class ValueStrips;

/// How a model knows where a word stands: sinusoids turned by hand, or the open model's own table; its rows compared by
/// offset; what it adds to a word; and what is left of a sentence when its words are shuffled without it.
class PositionView : public ViewWidget {
    Q_OBJECT
public:
    explicit PositionView(QWidget* parent = nullptr);

    /// Who is told while shuffled words are read; null: nobody.
    void setSettling(Settling* settling) override { m_reader.setSettling(settling); }
    bool isBusy() const { return m_reader.isBusy(); }
    /// The open model and what it read; null: the sinusoids alone.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    bool lookAt(const NumberName* number, double value, Look look) override;
    void setSinusoids(int length, int width, double base);
    void chooseCell(int position, int dimension);
    void shuffleWords();
    /// How often the words of this sentence were shuffled; the order follows from that number.
    unsigned shuffles() const { return m_shuffles; }

    const PositionTable& table() const { return m_table; }
    /// How its numbers came about.
    ShownTable shownTable() const;
    /// The chosen cell, from 0.
    int position() const { return m_position; }
    int dimension() const { return m_dimension; }
    MatrixView* heatmap() const { return m_heatmap; }
    PlainChart* curves() const { return m_curves; }
    PlainChart* similarity() const { return m_similarity; }
    TurningHands* hands() const { return m_hands; }
    /// In the curves' place every pair as a hand, turned on by that many positions.
    void showHands(bool shown, int offset);

private:
    static constexpr int kMostNumbers = 512;  ///< of a table, each way
    static constexpr int kFarthest = 40;      ///< of the slider by which hands are turned on

    void connectControls();
    void showShuffled();
    QWidget* makeControls();
    QWidget* makeCards();
    void compute();
    void setNumbers(int length, int width, double base);
    void showCell();
    void showTurns();
    QWidget* makeWaves();
    void showWord();
    bool ownTable() const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace;
    PositionTable m_table;
    int m_position = 10, m_dimension = 4;  ///< in the table that is shown
    StageCell m_cell;                      ///< that the reader chose
    int m_chosenWidth = 64, m_chosenLength = 40;
    double m_chosenBase = 10000;  ///< exactly; the slider stands as near as it can
    int m_chosenWord = 2;
    int m_chosenOffset = 3;  ///< exactly; the slider stands as near as it can
    unsigned m_shuffles = 0;

    SegmentedControl* m_kind;
    LabelledSlider *m_width, *m_base, *m_length;
    QLabel* m_formula;
    QLabel* m_arithmetic;
    MatrixView* m_heatmap;
    Card* m_waveCard = nullptr;
    SegmentedControl* m_waves;  ///< curves, or hands
    QStackedWidget* m_wavePages;
    PlainChart* m_curves;
    TurningHands* m_hands;
    LabelledSlider* m_offset;
    PlainChart* m_similarity;
    Card* m_heatCard;
    ComboBox* m_word;
    ValueStrips* m_strips;
    std::vector<std::vector<float>> m_stripValues;
    QLabel* m_noTable;  ///< why there is nothing to add
    Button* m_shuffle;
    QLabel* m_shuffled;
    QLabel* m_how;  ///< does the open model know word order
    Background m_reader{this};
};

}  // namespace headlight

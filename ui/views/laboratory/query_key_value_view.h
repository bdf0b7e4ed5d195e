// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <tuple>

#include "core/experiment/query_key_value.h"
#include "core/trace/trace.h"
#include "ui/session/trace/attention_block.h"

class QDoubleSpinBox;
class QLabel;
class QStackedWidget;

namespace headlight {

class Button;
class ComboBox;
class MatrixView;
class SegmentedControl;
class Slider;

/// Scaled dot-product attention by hand: queries, keys and values that can be changed number by number, their scores,
/// weights and output, and of each cell the sum that it came from. The worked example of the lectures, or any head of
/// the open model.
class QueryKeyValueView : public QWidget {
    Q_OBJECT
public:
    explicit QueryKeyValueView(QWidget* parent = nullptr);

    /// What the open model read; null: the worked example alone.
    void setTrace(std::shared_ptr<const Trace> trace);

    enum Matrix { Query, Key, Value, Scores, Weights, Output };
    MatrixView* matrix(Matrix which) const { return m_matrices[which]; }
    /// The worked example, and the lectures' own, which is there at first.
    void setExample(const QueryKeyValue& example, const QStringList& words);
    void restoreExample() { setExample(workedExample(), {"<start>", "I", "am", "learning", "English"}); }
    /// A number of Q, K or V was changed by hand.
    bool isEdited(Matrix which) const;
    /// Step by step, or the four ways to score side by side.
    void showKinds(bool shown);
    /// Of the four kinds: their weights.
    MatrixView* kind(int index) const { return m_kinds[index]; }
    QString arithmetic() const;
    /// A cell of a matrix is pointed at: its rows elsewhere light up, and its sum is written out.
    void point(Matrix which, int row, int column);
    std::tuple<Matrix, int, int> pointed() const { return {m_pointed, m_row, m_column}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeControls();
    QWidget* makeMatrices();
    QWidget* makeKinds();
    void computeKinds();
    void load();
    void compute();
    void showMatrix(Matrix which);
    void showArithmetic();
    std::vector<float>* editable(Matrix which);
    QString sumOf(const std::vector<double>& left, const std::vector<double>& right) const;

    std::shared_ptr<const Trace> m_trace;
    std::vector<AttentionBlock> m_blocks;
    QueryKeyValue m_example;
    QStringList m_exampleWords;
    QueryKeyValue m_original;  ///< as it was loaded
    QueryKeyValue m_input;
    QueryKeyValueResult m_result;
    std::vector<char> m_blocked;
    QStringList m_queryNames, m_keyNames;
    Matrix m_pointed = Scores;
    int m_row = 0, m_column = 1;

    SegmentedControl* m_source;
    ComboBox* m_block;
    ComboBox* m_head;
    SegmentedControl* m_scaled;
    Slider* m_temperature;
    QLabel* m_temperatureText;
    QLabel* m_cellTitle;
    QDoubleSpinBox* m_cell;
    Button* m_reset;
    QLabel* m_sum;
    MatrixView* m_matrices[6];
    SegmentedControl* m_picture;
    QStackedWidget* m_pages;
    MatrixView* m_kinds[4];
};

}  // namespace headlight

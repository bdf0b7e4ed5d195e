// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "core/experiment/query_key_value.h"
#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "ui/session/open/background.h"
#include "ui/session/trace/attention_block.h"
#include "ui/session/trace/head_batch.h"
#include "ui/views/view.h"

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace headlight {

class BatchShapes;
class Button;
class Card;
class ComboBox;
class EquationStage;
class ScorePlane;
class MatrixView;
class PlayBar;
class SegmentedControl;
class Slider;

/// Scaled dot-product attention by hand: queries, keys and values that can be changed number by number, their scores,
/// weights and output, and of each cell the sum that it came from. The worked example of the lectures, or any head of
/// the open model.
class QueryKeyValueView : public ViewWidget {
    Q_OBJECT
public:
    explicit QueryKeyValueView(QWidget* parent = nullptr);

    /// What the open model read; null: the worked example alone. Numbers of a head that were changed by hand go with
    /// the sentence that they belong to.
    void setTrace(std::shared_ptr<const Trace> trace);
    /// The same with the model, which a batch is read by.
    void setReading(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace);
    /// Who is told while a batch is read; null: nobody.
    void setSettling(Settling* settling) override { m_reader.setSettling(settling); }
    bool isBusy() const { return m_reader.isBusy(); }
    void showOptions(const StageState& state) override;
    void tellOptions(StageState& state) const override;
    bool lookAt(const NumberName* number, double value, Look look) override;
    void setVeil(const std::vector<NumberName>& veiled) override;

    enum Matrix { Query, Key, Value, Scores, Weights, Output };
    MatrixView* matrix(Matrix which) const { return m_matrices[which]; }
    /// Another worked example, and the lectures' own, which is there at first.
    void setExample(const QueryKeyValue& example, const QStringList& words);
    void restoreExample() { setExample(workedExample(), {"<start>", "I", "am", "learning", "English"}); }
    /// A number of Q, K or V was changed by hand.
    bool isEdited(Matrix which) const;
    /// As one equation; each matrix on a card of its own; the four ways to score side by side; one score as an angle;
    /// a block in a batch of two sentences. In the order of their choice.
    enum Page { Equation, Apart, Kinds, Angle, Batch };
    void showPage(Page page);
    void showKinds(bool shown) { showPage(shown ? Kinds : m_apart ? Apart : Equation); }
    ScorePlane* plane() const { return m_plane; }
    BatchShapes* shapes() const { return m_shapes; }
    QLineEdit* second() const { return m_second; }
    /// Beside the plane: the scores, to choose one.
    MatrixView* planeScores() const { return m_planeScores; }
    EquationStage* equation() const { return m_equation; }
    /// Of the four kinds: their weights.
    MatrixView* kind(int index) const { return m_kinds[index]; }
    Card* kindCard(int index) const { return m_kindCards[index]; }
    QString arithmetic() const;
    /// Whose matrices: the worked example's or a head's.
    SegmentedControl* source() const { return m_source; }
    /// A cell of a matrix is pointed at: its rows elsewhere light up, and its sum is written out.
    void point(Matrix which, int row, int column);
    std::tuple<Matrix, int, int> pointed() const { return {m_pointed, m_row, m_column}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int kStepsOfADecade = 40;  ///< of the temperature, one decade each way

    QWidget* makeControls();
    QWidget* makeEquation();
    QWidget* makeMatrices();
    QWidget* makeKinds();
    QWidget* makeAngle();
    void showAngle();
    QWidget* makeBatch();
    void connectBatch();
    void showBatch();
    void readBatch();
    void takeBatch(HeadBatch batch);
    void computeKinds();
    void connectControls();
    void load();
    void loadHead();
    void chooseBlock();
    void applyEdits();
    void pointAsWanted();
    /// As after a click on it.
    void choose(Matrix matrix, int row, int column);
    void setSharpness(double sharpness);
    bool showsExample() const;
    bool isVeiled(Matrix which, int row, int column) const;
    std::vector<char> veiledCells(Matrix which) const;
    std::pair<int, int> sizeOf(Matrix which) const;
    void compute();
    void showMatrix(Matrix which);
    void showEquation();
    /// Which of its three operations is played, and of which word.
    void showOperation();
    void change(double value);
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
    bool m_wantsHead = false;  ///< of the open model, if it has one
    Matrix m_pointed = Scores;
    int m_row = 0, m_column = 1;
    std::map<std::tuple<Matrix, int, int>, float> m_edits;  ///< numbers changed by hand, by their place from 0
    double m_sharpness = 1;                                 ///< exactly; the slider stands as near as it can
    QString m_wantedBlock;                                  ///< empty: that of the focus, or the first
    QString m_focusBlock;
    int m_wantedHead = 1;
    QString m_focus;  ///< the matrix of the worked example that is pointed at; empty: nobody did
    StageCell m_focusCell;
    std::optional<std::tuple<Matrix, int, int>> m_beforeLight;  ///< what is pointed at once nothing is lit

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
    EquationStage* m_equation;
    PlayBar* m_playBar;
    bool m_apart = false;  ///< where it is neither the kinds nor the angle that is shown
    ScorePlane* m_plane;
    MatrixView* m_planeScores;
    int m_planeQuery = 0, m_planeKey = 1;  ///< whose angle
    Card* m_kindCards[4];
    MatrixView* m_kinds[4];
    std::vector<NumberName> m_veiled;
    /// All that a batch follows from.
    struct BatchWanted {
        std::shared_ptr<const TrainedModel> model;
        std::shared_ptr<const Trace> trace;
        QString second, scope;
        bool operator==(const BatchWanted&) const = default;
    };
    std::shared_ptr<const TrainedModel> m_model;
    BatchWanted m_batchRead;
    QString m_wantedSecond;  ///< empty: the beginning of the first sentence
    int m_sentence = 1;      ///< of the batch, whose number is outlined
    StageCell m_batchCell;
    BatchShapes* m_shapes;
    QLineEdit* m_second;
    QLabel* m_batchNote;
    Background m_reader{this};  ///< last, so that its thread ends before what it reports to
};

}  // namespace headlight

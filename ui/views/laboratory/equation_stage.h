// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/experiment/query_key_value.h"
#include "ui/session/trace/operation_motion.h"
#include "ui/views/hall_figure.h"

namespace headlight {

class Playhead;
struct Theme;

/// Attention as one equation from number to output: each query meets each key, the scores of one row become shares, the
/// shares mix the values. Numbers of Q, K and V are dragged sideways, or typed. The row that is followed can be played:
/// its scores, their softmax, the mixture.
class EquationStage : public QWidget, public HallFigure {
    Q_OBJECT
public:
    explicit EquationStage(QWidget* parent = nullptr);

    /// In the order in which they are played.
    enum class Operation { Score, Softmax, Mix };
    enum class Matrix { Query, Key, Value, Scores, Weights, Output };
    struct Cell {
        Matrix matrix = Matrix::Scores;
        int row = 0, column = 0;
        bool operator==(const Cell&) const = default;
    };
    struct Equation {
        QueryKeyValue input;
        QueryKeyValueResult result;
        QStringList queries, keys;
        std::vector<char> blocked;  ///< a flag for each score; empty: none
        /// Likewise those that the reader is to predict: what follows from one is not computed for the eye either.
        std::vector<char> veiledScores = {}, veiledWeights = {}, veiledOutput = {};
        bool scaled = true;
        double temperature = 1;
    };
    void setEquation(const Equation& equation);
    const Equation& equation() const { return m_equation; }
    /// The cell that is pointed at: its row of queries is the one whose way is followed.
    void point(const Cell& cell);
    /// The row and the key that were looked at before: what is pointed at next says them, or the first and second do.
    void forgetPlace();
    const Cell& pointed() const { return m_pointed; }
    int row() const { return m_row; }
    int key() const { return m_key; }
    /// Of the three operations on row(); at its end all is computed.
    Playhead* playhead() const { return m_playhead; }
    /// The key that is being computed with, or else key().
    int keyNow() const;
    /// Is that number computed? Of the rows that are not followed all are.
    bool isThere(const Cell& cell) const;
    /// What of the operation under way is to be seen; at most one is there.
    const std::optional<ScoreMotion>& score() const { return m_score; }
    const std::optional<SoftmaxMotion>& softmax() const { return m_softmax; }
    const std::optional<MixMotion>& mix() const { return m_mix; }

    /// Where a number is drawn; K stands turned over, its row being a column. Weights and output are drawn of row().
    QRectF areaOf(const Cell& cell) const;
    /// How the number reads there; empty where the cell is too small for it.
    QString textOf(const Cell& cell) const;
    /// Of which matrix, row and column, for whoever does not see it.
    QString placeOf(const Cell& cell) const;
    /// The products of row() and keyNow(), as they are written, so far, and what they add up to.
    QStringList products() const;
    QString sum() const;
    /// The bar of e^s of a key, and that of its share: as long as they are large.
    QRectF powerBar(int key) const;
    QRectF shareBar(int key) const;

    /// In a hall headings and key go before letters get smaller.
    void setInHall(bool inHall) override;
    int smallestLetters() const override { return 12; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

signals:
    void cellChosen(const headlight::EquationStage::Cell& cell);
    /// A number of Q, K or V was dragged.
    void numberChanged(const headlight::EquationStage::Cell& cell, double value);
    /// A number is to be typed: the first key, or nothing.
    void typingWanted(const QString& first);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Where the parts stand; made anew with the size or the matrices.
    struct Layout {
        double cell = 40, wide = 40;     ///< widths of cells: Q and Kᵀ and S; V and Z
        double row = 24, tall = 30;      ///< heights of rows: above, and below
        double title = 0;                ///< above the heads of each band; 0: its heading is not drawn
        QPointF q, k, s, v;              ///< upper left corners
        double products = 0, below = 0;  ///< baseline of the products; top of the second band
        double score = 0, shift = 0, power = 0, powerWide = 0, weight = 0, share = 0, shareWide = 0, total = 0;
    };
    void arrange();
    /// Of the height, everything but the rows.
    double fixedHeight(bool hasHeadings) const;
    void findMotion();
    bool isDone(Operation operation) const;
    bool isVeiled(const Cell& cell) const;
    /// Is any number of row() veiled, of that matrix?
    bool hasVeil(Matrix matrix) const;
    double valueOf(const Cell& cell) const;
    double scoreOf(int key) const;
    double powerOf(int key) const;
    bool isBlocked(int row, int key) const;
    bool isDraggable(const Cell& cell) const;
    Cell cellAt(QPointF at, bool* found) const;
    /// A row, or a column, for each key.
    static bool isOfKey(Matrix matrix) { return matrix == Matrix::Key || matrix == Matrix::Value; }
    static bool isByKey(Matrix matrix) { return matrix == Matrix::Scores || matrix == Matrix::Weights; }
    std::pair<int, int> sizeOf(Matrix matrix) const;
    double leastCell() const;
    double most() const;
    double divisor() const;
    bool hasProducts() const;
    QFont fontOf(Matrix matrix) const;
    void paintCell(QPainter& painter, const Cell& cell, const QFont& font) const;
    void paintMatrix(QPainter& painter, Matrix matrix) const;
    void paintLabels(QPainter& painter) const;
    void paintProducts(QPainter& painter) const;
    void paintRow(QPainter& painter) const;
    void paintMixing(QPainter& painter) const;
    void paintTotals(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintMissing(QPainter& painter, const Cell& cell, const QFont& font) const;
    void paintSliding(QPainter& painter) const;
    void paintDropping(QPainter& painter, QPointF to) const;
    void paintShrinking(QPainter& painter) const;
    void paintFalling(QPainter& painter) const;
    QColor fillOf(const Cell& cell, const Theme& theme) const;
    QString hintOf(const Cell& cell) const;

    Equation m_equation;
    Playhead* m_playhead;
    std::optional<ScoreMotion> m_score;
    std::optional<SoftmaxMotion> m_softmax;
    std::optional<MixMotion> m_mix;
    double m_most = 0.5;  ///< of the colours: the largest number of the equation, up to the next half
    Layout m_layout;
    bool m_isInHall = false;
    Cell m_pointed;
    int m_row = 0, m_key = 1;
    Cell m_hovered;
    bool m_isHovered = false, m_isDragging = false;
    double m_dragFrom = 0, m_valueFrom = 0;
};

}  // namespace headlight

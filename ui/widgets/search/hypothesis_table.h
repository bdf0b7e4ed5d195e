// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// Translations in the order of their scores: words, log P, length, score. The first one wins, and is amber.
class HypothesisTable : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString text;
        double logProb = 0;
        int length = 0;
        double score = 0;
        bool finished = true;
    };

    explicit HypothesisTable(QWidget* parent = nullptr);
    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }
    QRectF rowRect(int row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {280, sizeHint().height()}; }

signals:
    void chosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// As many lines as a hypothesis needs, four at most: they often differ at their end.
    void layRows();
    double textWidth() const;
    QString textOf(int row) const;
    static QFont fontOf(int row);

    std::vector<Row> m_rows;
    std::vector<double> m_tops;  ///< of each row, and where the last one ends
    int m_current = 0;           ///< of the keyboard
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// Numbers with their formulas, each as a bar of what is the most anywhere.
class CostBars : public QWidget {
    Q_OBJECT
public:
    struct Row {
        QString name, formula, text;
        double value = 0, most = 1;
        double more = 0;  ///< dashed: with what is not in the number
    };
    explicit CostBars(QWidget* parent = nullptr);

    void setRows(std::vector<Row> rows, const QString& note);
    /// Bars beside one another begin and end alike: the columns of all of them are as wide as the widest needs.
    static void align(const std::vector<CostBars*>& all);
    const std::vector<Row>& rows() const { return m_rows; }
    QSize sizeHint() const override { return {360, 90}; }
    QSize minimumSizeHint() const override { return {220, 90}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Columns {
        double names = 0, numbers = 0;
        double said = 0;  ///< by the formula and the number of a row
    };
    Columns columns() const;

    Columns m_columns;
    std::vector<Row> m_rows;
    QString m_note;
};

}  // namespace headlight

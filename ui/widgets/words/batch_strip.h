// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/mask_batch.h"

namespace headlight {

/// The sentences of a batch below one another, filled up to one length: words as chips, padding hatched. A click or the
/// arrow keys choose a sentence.
class BatchStrip : public QWidget {
    Q_OBJECT
public:
    explicit BatchStrip(QWidget* parent = nullptr);

    using Row = MaskBatch::Row;
    void setRows(std::vector<Row> rows);
    void setChosen(int row);
    int chosen() const { return m_chosen; }
    const std::vector<Row>& rows() const { return m_rows; }
    QRectF chipRect(int row, int column) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

signals:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(int row);

    std::vector<Row> m_rows;
    int m_chosen = 0;
};

}  // namespace headlight

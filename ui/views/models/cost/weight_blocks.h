// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/cost.h"

namespace headlight {

/// Matrices at one scale, as wide as they have rows and as tall as they have columns: an area is so many parameters.
class WeightBlocks : public QWidget {
    Q_OBJECT
public:
    explicit WeightBlocks(QWidget* parent = nullptr);

    void setBlocks(std::vector<WeightBlock> blocks);
    long total() const;
    /// Where a block is drawn.
    QRectF areaOf(size_t block) const;
    QSize sizeHint() const override { return {560, 170}; }
    QSize minimumSizeHint() const override { return {320, 130}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<WeightBlock> m_blocks;
};

}  // namespace headlight

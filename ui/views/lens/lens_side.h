// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace/lens_picture.h"
#include "ui/views/lens/lens_grid.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class LensCurve;
class WordBars;

/// Beside the grid: how the final word of the chosen column rises from depth to depth, and the five likeliest words of
/// the chosen cell.
class LensSide : public Panel {
    Q_OBJECT
public:
    explicit LensSide(const LensGrid* grid, QWidget* parent = nullptr);

    /// The grid's chosen cell; `sublayers` as the grid shows them. Null: nothing.
    void showCell(const LensPicture* picture, bool sublayers);
    LensCurve* curve() const { return m_curve; }
    WordBars* bars() const { return m_bars; }
    QLabel* title() const { return m_title; }

private:
    void followGrid();

    const LensGrid* m_grid;
    QLabel *m_title, *m_subtitle;
    LensCurve* m_curve;
    QLabel* m_depth;
    WordBars* m_bars;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/trace/cell_picture.h"

namespace headlight {

struct Theme;

/// Of one unit at one word: how the sum of each gate comes about, and what σ or tanh makes of it; below, where these
/// sums stand on the two curves.
class CellGates : public QWidget {
    Q_OBJECT
public:
    explicit CellGates(QWidget* parent = nullptr);

    /// Null: nothing. Whoever keeps it says when it is another.
    void setPicture(const CellPicture* picture);
    /// What a row of the table says: W x, U h, b, sum, gate.
    QStringList rowTexts(size_t row) const;
    void setCurvesShown(bool shown);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double tableHeight() const;
    void paintTable(QPainter& p, const Theme& t) const;
    void paintCurve(QPainter& p, const Theme& t, const QRectF& box, bool isTanh) const;

    const CellPicture* m_picture = nullptr;
    bool m_hasCurves = true;
};

/// The equations of a cell with the numbers of one unit.
class CellEquations : public QWidget {
    Q_OBJECT
public:
    explicit CellEquations(QWidget* parent = nullptr);

    void setPicture(const CellPicture* picture);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<CellPicture::Equation> m_equations;
};

}  // namespace headlight

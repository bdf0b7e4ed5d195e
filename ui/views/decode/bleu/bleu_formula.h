// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/train/sentence_bleu.h"

namespace headlight {

/// BLEU of one sentence worked out: the formula, the fractions that go into the geometric mean, the brevity penalty,
/// and their product.
class BleuFormula : public QWidget {
    Q_OBJECT
public:
    explicit BleuFormula(QWidget* parent = nullptr);

    /// With n-grams of 1 to `longest` words. Hide it where there is no reference.
    void setBleu(const Bleu& bleu, int longest);
    /// The n-th root of the product of the precisions, 0 to 1.
    double geometricMean() const;

    QSize sizeHint() const override { return {350, 190}; }
    QSize minimumSizeHint() const override { return {230, 190}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double paintFractions(QPainter& p, double y) const;
    void paintFormula(QPainter& p) const;

    Bleu m_bleu;
    int m_longest = 4;
};

}  // namespace headlight

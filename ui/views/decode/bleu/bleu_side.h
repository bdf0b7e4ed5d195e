// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/sentence_bleu.h"
#include "ui/widgets/controls/panel.h"

class QLabel;

namespace headlight {

class BleuFormula;
class BrevityCurve;
class PublishedTable;

/// Beside the n-grams: how the score of the sentence is worked out, what brevity costs, and what others published.
class BleuSide : public Panel {
    Q_OBJECT
public:
    explicit BleuSide(QWidget* parent = nullptr);

    /// Beside the pictures, as wide as its share; or below them, as wide and as tall as it will.
    void standBeside(bool isBeside);
    void setSentence(const Bleu& bleu, int longest);
    /// Lengths of a test set's translations by those of their references.
    void setTicks(const std::vector<double>& ratios);

    BleuFormula* formula() const { return m_formula; }
    BrevityCurve* curve() const { return m_curve; }
    PublishedTable* published() const { return m_published; }
    QLabel* note() const { return m_note; }

private:
    void sayLengths();
    void fitHeight();

    QWidget* m_content;
    BleuFormula* m_formula;
    QLabel* m_note;
    BrevityCurve* m_curve;
    QLabel* m_lengths;
    QString m_sentenceLengths;  ///< in words
    bool m_hasTicks = false, m_isBeside = true;
    PublishedTable* m_published;
};

}  // namespace headlight

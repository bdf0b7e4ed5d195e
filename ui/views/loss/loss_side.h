// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/session/trace/loss_picture.h"
#include "ui/widgets/controls/panel.h"

class QLabel;
class QTableWidget;

namespace headlight {

class LossCurve;

/// The sentence's perplexity beside another one's, as bars from 1.
class PerplexityBars : public QWidget {
    Q_OBJECT
public:
    struct Bar {
        QString name;
        double perplexity = 1;
        bool isNow = false;
        bool isHidden = false;  ///< until the reader has predicted it
    };
    explicit PerplexityBars(QWidget* parent = nullptr);

    void setBars(std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return m_bars; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Bar> m_bars;
};

/// Beside the words: the loss as a curve over the probability of the target, the sentence as a table, its perplexity.
class LossSide : public Panel {
    Q_OBJECT
public:
    explicit LossSide(QWidget* parent = nullptr);

    /// `own`: the perplexity of what the model would have written itself, where that is another target.
    void show(const std::shared_ptr<const LossShown>& shown, std::optional<double> own);
    LossCurve* curve() const { return m_curve; }
    QTableWidget* table() const { return m_table; }
    PerplexityBars* perplexity() const { return m_perplexity; }
    QLabel* story() const { return m_story; }

signals:
    void chosen(int index);

private:
    void nameWhatIsAsked(bool isLabel);
    void fillTable(const LossShown& shown);

    LossCurve* m_curve;
    QLabel* m_story;
    QLabel *m_title, *m_asks;
    QTableWidget* m_table;
    PerplexityBars* m_perplexity;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// Where one head stands among all, by several measures: a line a measure, each head a stroke on it, the one in
/// question amber, and its rank behind.
class RankStrips : public QWidget {
    Q_OBJECT
public:
    struct Strip {
        QString name, number, unit;  ///< "Entropy", "0.29", "bit, at most 3.33"
        std::vector<double> values;  ///< of all heads; empty: not known yet
        int own = -1;                ///< which of them
        int rank = 0;
    };
    explicit RankStrips(QWidget* parent = nullptr);
    void setStrips(std::vector<Strip> strips);
    const std::vector<Strip>& strips() const { return m_strips; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Strip> m_strips;
};

}  // namespace headlight

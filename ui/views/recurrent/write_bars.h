// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// Words with a signed number each, −1 to 1, as bars from the middle on.
class WriteBars : public QWidget {
    Q_OBJECT
public:
    explicit WriteBars(QWidget* parent = nullptr);

    struct Bar {
        QString word;
        double mean = 0;
        long count = 0;
        bool isHere = false;  ///< the word that is looked at
    };
    void setBars(std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return m_bars; }
    /// The filled part of a bar.
    QRectF barRect(size_t bar) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Bar> m_bars;
};

}  // namespace headlight

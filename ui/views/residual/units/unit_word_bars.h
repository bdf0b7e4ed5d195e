// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QPainter;

namespace headlight {

struct Theme;

/// The words that a unit speaks for most, and below them those that it holds back: bars to the right and left of zero.
class UnitWordBars : public QWidget {
    Q_OBJECT
public:
    explicit UnitWordBars(QWidget* parent = nullptr);

    struct Bar {
        QString word;
        double value = 0;
        bool said = false;  ///< what the model says at the chosen word
    };
    /// What it does for every word; as many are shown as there is room for.
    void setBars(std::vector<Bar> sorted);
    /// Those that are shown, from the top.
    std::vector<Bar> shown() const;

    static constexpr size_t kPromoted = 8, kHeldBack = 3;
    QSize sizeHint() const override { return {352, 218}; }
    QSize minimumSizeHint() const override { return {200, 100}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Bar> m_sorted;
};

}  // namespace headlight

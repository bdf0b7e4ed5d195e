// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headlight {

/// Words with their probabilities as bars, the first one marked. A click or Enter chooses one, where they are there to
/// be chosen.
class WordBars : public QWidget {
    Q_OBJECT
public:
    enum class Use { Choose, Read };
    explicit WordBars(Use use = Use::Choose, QWidget* parent = nullptr);

    struct Bar {
        QString word;
        double probability = 0;
        bool marked = false;  ///< amber: the word that was taken
        bool faded = false;   ///< cut away, as by top-k
    };
    static constexpr int kRow = 22;  ///< the height of one
    void setBars(std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return m_bars; }

    /// Of the words' column, where what stands there is longer than a word.
    void setLabelWidth(int width);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int barAt(double y) const;

    std::vector<Bar> m_bars;
    int m_hovered = -1;
    int m_current = 0;  ///< of the keyboard
    Use m_use;
    double m_labels;
};

}  // namespace headlight

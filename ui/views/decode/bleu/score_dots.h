// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace headlight {

/// A dot a sentence, by the words of its translation and its own BLEU; those that are too short to have an n-gram of
/// every length are hollow. The chosen one is amber. A click chooses the nearest, the arrow keys the next.
class ScoreDots : public QWidget {
    Q_OBJECT
public:
    explicit ScoreDots(QWidget* parent = nullptr);

    struct Dot {
        int sentence = 0;  ///< from 1
        int words = 0;
        double score = 0;  ///< 0 to 100
        bool isHollow = false;
    };
    /// `shortest`: translations of fewer words are hollow.
    void setDots(std::vector<Dot> dots, int shortest);
    /// From 1; 0: none.
    void setChosen(int sentence);
    int chosen() const { return m_chosen; }
    const std::vector<Dot>& dots() const { return m_dots; }
    /// Where the dot of that index stands.
    QPointF placeOf(size_t dot) const;

    QSize sizeHint() const override { return {560, 250}; }
    QSize minimumSizeHint() const override { return {260, 190}; }

signals:
    void sentenceChosen(int sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    double column(double words) const;
    double yOf(double score) const;
    int dotAt(QPointF at) const;
    void paintAxes(QPainter& p) const;
    void paintChosen(QPainter& p) const;

    std::vector<Dot> m_dots;
    std::vector<double> m_shares;  ///< for each dot: where it stands in its column, −½ to ½
    std::vector<int> m_crowds;     ///< for each dot: so many stand beside one another there
    int m_shortest = 4, m_least = 1, m_most = 1, m_chosen = 0;
};

}  // namespace headlight

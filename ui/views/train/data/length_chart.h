// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <array>
#include <vector>

namespace headlight {

/// How many pairs have how many words: sources upwards, targets downwards, to one scale. The line is the longest that
/// is used; what is beyond it is not. It is dragged, Left and Right move it by a word.
class LengthChart : public QWidget {
    Q_OBJECT
public:
    explicit LengthChart(QWidget* parent = nullptr);

    struct Content {
        std::array<std::vector<long>, 2> counts;  ///< by words; of a text the second alone
        std::array<QString, 2> names;
        int most = 0;     ///< words of the longest sentence
        int longest = 0;  ///< that is used; 0: all
        bool canCut = true;
    };
    void setContent(Content content);
    const Content& content() const { return m_content; }
    QSize minimumSizeHint() const override { return {240, 130}; }

signals:
    /// 0: none is left out.
    void cutMoved(int longest);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Words that fill the axis: all but the longest thousandth, unless the cut is beyond.
    int shownWords() const;
    QRectF plot() const;
    double middle() const;
    double xOf(double words) const;
    void moveTo(double x);
    void paintBars(QPainter& painter, size_t side, double most) const;

    Content m_content;
};

}  // namespace headlight

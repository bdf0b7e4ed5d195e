// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/session/open/fed_words.h"

class QPainter;

namespace headlight {

/// The words that both readings are fed, a column each, and below them what each of the two says then, with its
/// probability; where B says another word it is marked. A click, the arrow keys, Home and End choose a column. Where
/// there is no room for all words the chosen one and those around it are shown, and how many stand on either side.
class FedTable : public QWidget {
    Q_OBJECT
public:
    explicit FedTable(QWidget* parent = nullptr);

    struct Shown {
        std::vector<FedWord> words;
        QString first, second;  ///< what A and B are
        bool saysNext = true;   ///< what is said comes behind what was fed; else it stands in its place
        std::optional<double> firstLogProb, secondLogProb;  ///< of all that was fed
    };
    void setShown(Shown shown);
    /// −1: none.
    void setCurrent(int word);
    const std::vector<FedWord>& words() const { return m_shown.words; }
    /// Columns that there is room for: the first, and how many.
    int firstShown() const { return m_from; }
    int countShown() const;
    QRectF columnRect(int word) const;

    QSize sizeHint() const override { return {900, kHeight}; }
    QSize minimumSizeHint() const override { return {320, kHeight}; }

signals:
    void chosen(int word);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr int kHeight = 128;

    double wordRoom() const;
    double columnWidth() const;
    double endWidth() const;
    int wordAt(QPointF at) const;
    void bringIntoSight(int word);
    double leastSides() const;
    double sides() const;
    QString describe(const FedWord& word) const;
    void paintSides(QPainter& p) const;
    void paintColumn(QPainter& p, int word) const;
    void paintSaid(QPainter& p, const QRectF& column, double top, const std::optional<SaidWord>& said,
                   bool differs) const;
    void paintEnd(QPainter& p) const;

    Shown m_shown;
    int m_current = -1, m_hovered = -1, m_from = 0;
};

}  // namespace headlight

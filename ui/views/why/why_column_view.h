// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/why_picture.h"

namespace headlight {

struct Theme;

/// One sum as a waterfall: a bar for each part, which begins where the one before it ends, and below them the bar that
/// they add up to. Where they are too many, the largest stand there in their order, and the others as one. A click, or
/// Return, on a bar asks to open it; on the weight of a word that was read, to open its score.
class WhyColumnView : public QWidget {
    Q_OBJECT
public:
    explicit WhyColumnView(QWidget* parent = nullptr);

    /// `opened`: the row whose bar the next column opens; −1: none. `isScore`: by its score.
    void setColumn(WhyColumn column, int opened, bool isScore);
    const WhyColumn& column() const { return m_column; }

    /// A row that is drawn: one of the column's, or the last of those that are added up as "others".
    struct Line {
        int row = -1;  ///< −1: the others
        double from = 0, to = 0;
        int others = 0;
    };
    const std::vector<Line>& lines() const { return m_lines; }
    QRectF lineRect(size_t line) const;
    QRectF barRect(size_t line) const;
    QRectF sumRect() const;
    /// The weight beside the name; empty where there is none.
    QRectF weightRect(size_t line) const;
    /// The frame of the opened row, where the beam to the next column begins; null: none is opened.
    QRectF openedRect() const;
    double xOf(double value) const;

    QSize sizeHint() const override { return {316, 560}; }
    QSize minimumSizeHint() const override { return {240, 300}; }

signals:
    void opened(int row, bool score);
    /// ← to the column before, Esc: this one is to be closed.
    void leftWanted();
    void closeWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void findLines();
    void open(int line, bool score);
    int lineAt(QPointF at) const;
    double lineHeight() const;
    QString nameOf(const Line& line) const;
    void paintLine(QPainter& p, const Theme& t, size_t line) const;
    void paintProduct(QPainter& p, const Theme& t, const WhyColumn::Row& row, double middle, size_t line) const;
    void paintSum(QPainter& p, const Theme& t) const;
    void paintAxis(QPainter& p, const Theme& t) const;

    WhyColumn m_column;
    std::vector<Line> m_lines;
    int m_opened = -1, m_hovered = -1, m_cursor = -1;
    bool m_isScore = false;
    double m_low = 0, m_high = 1;      ///< of the running sum
    double m_factor = 1, m_along = 1;  ///< the largest, which the strengths of their boxes are measured by
};

}  // namespace headlight

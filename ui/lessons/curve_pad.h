// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/lessons/lesson.h"

namespace headlight {

struct Theme;

/// An empty chart that the reader draws a curve into, with the mouse or by the keys. What was not drawn lies straight
/// between what was. Once the answer is there, it stands beside the curve, and nothing can be drawn any more.
class CurvePad : public QWidget {
    Q_OBJECT
public:
    /// The axes are those of the veil.
    explicit CurvePad(const LessonVeil& veil, QWidget* parent = nullptr);

    /// What the columns stand for, two or more; nothing is drawn at first.
    void setPlaces(const std::vector<double>& places);
    const std::vector<double>& places() const { return m_places; }
    /// A number for each column; empty: nothing is drawn yet.
    std::vector<double> curve() const;
    void setCurve(const std::vector<double>& curve);
    /// What the engine computed; `isPredicted`: the reader's own curve stands beside it.
    void setAnswer(const std::vector<double>& answer, bool isPredicted);
    /// Where it has that number in that column: the ends of the axis hold what leaves it.
    QPointF pointAt(size_t column, double number) const;
    /// The column that the keys move.
    size_t column() const { return m_column; }

    QSize sizeHint() const override { return {300, 200}; }
    QSize minimumSizeHint() const override { return {200, 200}; }

signals:
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    bool hasAnswer() const { return !m_answer.empty(); }
    QRectF plot() const;
    size_t columnAt(double x) const;
    double shareAt(double y) const;
    /// From the column that was drawn last to this one.
    void drawTo(QPointF at, bool isFirst);
    void draw(size_t column, double share);
    void moveBy(int columns, double share);
    void say();
    QString numberText(double number) const;
    void paintAxes(QPainter& p, const Theme& t) const;
    void paintCurve(QPainter& p, const std::vector<double>& numbers, const QPen& pen) const;
    void paintNames(QPainter& p, const Theme& t) const;

    LessonVeil m_veil;
    std::vector<double> m_places, m_answer;
    std::vector<double> m_drawn;  ///< by column, as a share of the axis; not a number: nothing was drawn there
    bool m_isPredicted = false;
    size_t m_column = 0;
};

}  // namespace headlight

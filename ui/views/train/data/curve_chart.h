// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

namespace headlight {

/// Curves over a size that the reader chooses: the amber line stands at what is chosen, and is dragged. Left and Right
/// move it by a hundredth.
class CurveChart : public QWidget {
    Q_OBJECT
public:
    /// Whose a curve is: its colour.
    enum class Role { Source, Target, Neutral };
    struct Curve {
        Role role = Role::Neutral;
        bool dashed = false;
        int end = 0;                       ///< it is drawn up to there
        std::function<double(int)> value;  ///< at a size from 0 on
    };
    /// Where an amber line stands, and what it says.
    struct Mark {
        int at = 0;
        Role role = Role::Neutral;
        QString text;
    };
    struct Content {
        std::vector<Curve> curves;
        std::vector<Mark> marks;
        int most = 1;  ///< the right end of the axis
        double bottom = 0, top = 1;
        std::function<QString(double)> format;  ///< of the labels at the left
        QString axisTitle;
        QString solidName, dashedName;  ///< what the two kinds of line are; empty: there is one kind
    };

    explicit CurveChart(QWidget* parent = nullptr);

    void setContent(Content content);
    const Content& content() const { return m_content; }
    QSize minimumSizeHint() const override { return {260, 130}; }

signals:
    /// The reader moves the line there.
    void moved(int at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    double xOf(double size) const;
    double yOf(double value) const;
    void moveTo(double x);
    QColor colorOf(Role role) const;
    void paintAxes(QPainter& painter) const;
    void paintCurves(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintNames(QPainter& painter) const;

    Content m_content;
};

}  // namespace headlight

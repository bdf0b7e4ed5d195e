// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/trace/cell_picture.h"

namespace headlight {

struct Theme;

/// The parts of a cell as strips, a row a unit, with one unit followed through them: its numbers and what is done with
/// them stand in the amber bar. Above runs what the cell keeps, from the word before to the next; from below come the
/// word and the state that decide the gates. A press or a drag chooses the unit, so do Up and Down; comma and full stop
/// go to the word before and the next.
class CellColumns : public QWidget {
    Q_OBJECT
public:
    explicit CellColumns(QWidget* parent = nullptr);

    /// Null: nothing. Whoever keeps it says when it is another.
    void setPicture(const CellPicture* picture);

    /// The row of a unit in a column of the layout; of the chosen unit its number in the bar.
    QRectF cellRect(size_t column, int unit) const;
    /// What stands in the bar above that column.
    QString numberOf(size_t column) const;
    int unitAt(double y) const;
    /// The numbers from which on colours end.
    static constexpr double kMost = 3;

    QSize sizeHint() const override { return {944, 480}; }
    QSize minimumSizeHint() const override { return {420, 260}; }

signals:
    void unitChosen(int unit);
    void wordWanted(int by);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Place {
        double left = 0, width = 0;
    };
    double scale() const;
    Place columnPlace(size_t column) const;
    Place panelPlace(size_t panel) const;
    QRectF strips() const;  ///< all rows, the bar among them
    double bar() const;     ///< its middle
    QColor colorOf(const Theme& t, const CellColumn& column, double value) const;
    void choose(double y);
    void move(int rows);
    void paintLegends(QPainter& p, const Theme& t) const;
    void paintPanels(QPainter& p, const Theme& t) const;
    void paintMemory(QPainter& p, const Theme& t) const;
    void paintStrip(QPainter& p, const Theme& t, size_t column) const;
    void paintBar(QPainter& p, const Theme& t) const;
    void paintInputs(QPainter& p, const Theme& t) const;
    void paintNode(QPainter& p, const Theme& t, QPointF at, const QString& sign) const;
    int columnOf(CellColumn::Kind kind) const;

    const CellPicture* m_picture = nullptr;
};

}  // namespace headlight

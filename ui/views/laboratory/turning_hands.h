// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/position_turn.h"

namespace headlight {

struct Theme;

/// Each pair of a sinusoidal encoding as the hand of a clock, sine to the right and cosine up, at a position and k
/// positions on; below them the matrix that turns the chosen one, with its numbers.
class TurningHands : public QWidget {
    Q_OBJECT
public:
    explicit TurningHands(QWidget* parent = nullptr);

    /// Without turns it says `why`.
    void setTurns(std::vector<PositionTurn> turns, int position, int offset, int chosen, const QString& why = {});
    const std::vector<PositionTurn>& turns() const { return m_turns; }
    int chosen() const { return m_chosen; }
    /// Pairs that are drawn: all, or as many as there is room for, spread evenly, the chosen one among them.
    std::vector<int> drawn() const;
    /// Of the clock drawn in that place: its middle and its radius.
    QPointF centre(size_t place) const;
    double radius() const;
    /// The tip of a hand that stands at (sin, cos).
    QPointF tip(size_t place, const PositionTurn::Pair& pair) const;
    /// The equation as it is written, row by row: PE(pos + k), R_k, PE(pos).
    QStringList equation() const;

    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

signals:
    void pairChosen(int pair);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Grid {
        int columns = 1, rows = 1;
        double cell = 0;
    };
    size_t most() const;
    Grid grid(size_t count) const;
    void choose(int pair);
    void paintClock(QPainter& p, const Theme& t, size_t place) const;
    void paintEquation(QPainter& p, const Theme& t) const;

    std::vector<PositionTurn> m_turns;
    int m_position = 0, m_offset = 0, m_chosen = 0;
    QString m_why;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <span>
#include <vector>

#include "ui/session/trace/units_picture.h"

class QPainter;

namespace headlight {

class SegmentedControl;
struct Theme;

/// The network opened at one word: what it reads, its units in a square, what it adds; the wires of the chosen unit;
/// and below all sums before the activation, the largest first.
class UnitNetwork : public QWidget {
    Q_OBJECT
public:
    explicit UnitNetwork(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const UnitsPicture> picture, int word, int unit);
    void setByStrength(bool byStrength);
    bool byStrength() const { return m_byStrength; }
    SegmentedControl* orders() const { return m_orders; }

    /// Where a unit stands in the square, and in the bars below.
    QRectF unitRect(int unit) const;
    QRectF sumRect(int unit) const;
    /// Of a number of x, or of FFN(x).
    QRectF inRect(int number) const;
    QRectF outRect(int number) const;
    struct Wire {
        int number = 0;    ///< of x or of FFN(x), from 0
        double value = 0;  ///< x · w, or activation times weight
        double width = 0;  ///< in pixels
    };
    std::vector<Wire> wiresIn() const;
    std::vector<Wire> wiresOut() const;
    double stripMost() const { return m_stripMost; }
    QString formula() const;
    /// What is said of the sums below zero.
    QString belowZero() const;

    static constexpr int kMostWires = 160;
    QSize sizeHint() const override { return {900, 600}; }
    QSize minimumSizeHint() const override { return {420, 380}; }

signals:
    void unitChosen(int unit);
    void orderChosen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr double kSide = 24, kStrip = 32;  ///< around it; how wide a vector is

    void gather();
    void describe();
    /// Is what the chosen unit passes on to be predicted first?
    bool isAsked() const;
    std::span<const int> told() const;
    /// Of the bars of the sums: pixels for 1, and where zero lies.
    struct SumScale {
        double scale, zero;
    };
    SumScale sumScale() const;
    std::vector<Wire> wires(const std::vector<double>& values) const;
    int placeOf(int unit) const;
    double cell() const;
    QRectF square() const;
    QRectF sums() const;
    void choose(int unit);
    double scaleWidth() const;
    bool hasRoomForScale() const;
    void paintHead(QPainter& p, const Theme& t) const;
    void paintScale(QPainter& p, const Theme& t, QPointF at) const;
    void paintStrips(QPainter& p, const Theme& t) const;
    void paintFanNames(QPainter& p, const Theme& t, double y) const;
    QString ofWord() const;
    QString added() const;
    bool fires() const;
    void paintFan(QPainter& p, const Theme& t, bool in) const;
    void paintSquare(QPainter& p, const Theme& t) const;
    void paintSums(QPainter& p, const Theme& t) const;

    std::shared_ptr<const UnitsPicture> m_picture;
    int m_word = 0, m_unit = 0;
    bool m_byStrength = false;
    SegmentedControl* m_orders;
    // Of the word that is opened.
    std::vector<double> m_active, m_output, m_in, m_out;
    std::vector<int> m_order;   ///< unit by its place in the square
    std::vector<int> m_places;  ///< place by unit
    std::vector<int> m_ranks;   ///< by the sum, from 0
    std::vector<int> m_ranked;
    double m_stripMost = 1;
};

}  // namespace headlight

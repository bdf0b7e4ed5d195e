// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRectF>
#include <QVariantAnimation>
#include <functional>

class QWidget;

namespace headlight {

/// A mark (a chosen cell, a playhead) that moves to its new place when a lesson goes on, where otherwise it would jump.
/// Only what is drawn is on its way: what is told of the place is the new one from the beginning, so that nothing that
/// lies between is met, kept or undone.
class Glide : public QObject {
    Q_OBJECT
public:
    /// `widget` draws the mark; `mark` says where it belongs now, in the widget's coordinates; null: nowhere.
    Glide(QWidget* widget, std::function<QRectF()> mark);

    /// Remembers where the mark is seen, until start() or stop().
    void keep();
    /// The mark sets out from where it was kept. False where it does not move: there was none, there is none, it is
    /// where it was, nobody sees it, or there is to be less motion.
    bool start();
    /// It is where it belongs.
    void stop();
    /// Where the mark is to be drawn.
    QRectF shown() const;
    bool isUnderWay() const { return m_phase < 1; }
    /// For a figure or a test: so much of the way, 0 … 1.
    void holdAt(double phase);

private:
    QWidget* m_widget;
    std::function<QRectF()> m_mark;
    QRectF m_from;
    double m_phase = 1;
    QVariantAnimation m_way;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

/// A track with a handle at either end of a range of whole numbers. Left and Right move the upper handle, with Shift
/// the lower one; a press moves the handle that is nearer.
class RangeSlider : public QWidget {
    Q_OBJECT
public:
    explicit RangeSlider(const QString& name, QWidget* parent = nullptr);

    /// What the handles may stand at, least to most, and where they stand. Emits nothing.
    void setRange(int least, int most, int from, int to);
    int from() const { return m_from; }
    int to() const { return m_to; }
    /// The middle of the handle for a number.
    QPointF handleAt(int number) const;

    QSize sizeHint() const override { return {240, 28}; }
    QSize minimumSizeHint() const override { return {80, 28}; }

signals:
    void rangeChanged(int from, int to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Handle { Lower, Upper };
    void move(Handle handle, int number);
    int numberAt(double x) const;

    int m_least = 1, m_most = 1, m_from = 1, m_to = 1;
    Handle m_held = Handle::Upper;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <span>
#include <vector>

namespace headlight {

/// Vectors of one length below one another as strips of coloured cells: gates on the scale of weights, signed values on
/// the diverging one, which is the same for all of them. Beside each stands what its colours mean. The pointer reads a
/// dimension in all of them at once. Where there is little room they are lower, and what stands beside them is one
/// line.
class ValueStrips : public QWidget {
    Q_OBJECT
public:
    struct Strip {
        QString name;
        std::span<const float> values;
        bool isShare = false;  ///< between 0 and 1
    };

    explicit ValueStrips(QWidget* parent = nullptr);
    /// What the strips point to must live until the next call.
    void setStrips(std::vector<Strip> strips);
    const std::vector<Strip>& strips() const { return m_strips; }
    QRectF cellRect(int strip, int dimension) const;
    /// Of the signed ones: their largest number, rounded up to the next half.
    double most() const { return m_most; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    double rowHeight() const;
    bool isLow() const;
    bool isNarrow() const;
    double namesWidth() const;
    double besideWidth() const;

    std::vector<Strip> m_strips;
    double m_most = 1;
    int m_hovered = -1;  ///< a dimension
};

}  // namespace headlight

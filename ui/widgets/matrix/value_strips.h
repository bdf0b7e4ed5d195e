// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <span>
#include <vector>

namespace headlight {

/// Vectors of one length below one another as strips of coloured cells: gates on the scale of weights, signed values on
/// the diverging one. The pointer reads a dimension in all of them at once.
class ValueStrips : public QWidget {
    Q_OBJECT
public:
    struct Strip {
        QString name;
        std::span<const float> values;
        bool isShare = false;  ///< between 0 and 1
        double max = 1;        ///< of the signed ones
    };

    explicit ValueStrips(QWidget* parent = nullptr);
    /// What the strips point to must live until the next call.
    void setStrips(std::vector<Strip> strips);
    const std::vector<Strip>& strips() const { return m_strips; }
    QRectF cellRect(int strip, int dimension) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::vector<Strip> m_strips;
    int m_hovered = -1;  ///< a dimension
};

}  // namespace headlight

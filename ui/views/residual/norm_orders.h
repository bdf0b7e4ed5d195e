// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/models/model_config.h"

class QPainter;

namespace headlight {

struct Theme;

/// Post-norm and pre-norm as two drawings: what lies on the line from sublayer to sublayer, and what stands beside it.
class NormOrders : public QWidget {
    Q_OBJECT
public:
    explicit NormOrders(QWidget* parent = nullptr);

    struct Shown {
        NormOrder own = NormOrder::Post;
        bool residuals = true;  ///< of the open model
        QString sublayer;       ///< "Self-attention"
        QString other;          ///< a model of the other order; empty: none
    };
    void setShown(const Shown& shown);
    /// What stands beside the title of an order.
    QString noteOf(NormOrder order) const;

    QSize sizeHint() const override { return {380, 190}; }
    QSize minimumSizeHint() const override { return {260, 176}; }  // two pictures of 88

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintOrder(QPainter& p, const Theme& t, NormOrder order, double top) const;
    void paintBox(QPainter& p, const Theme& t, const QRectF& box, const QString& text, bool strong) const;

    Shown m_shown;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headlight {

/// How strong a stripe of a DivergenceMap is, from 0 to 100 % and more.
class ApartScale : public QWidget {
    Q_OBJECT
public:
    explicit ApartScale(QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight

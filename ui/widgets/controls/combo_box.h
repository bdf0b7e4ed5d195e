// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace headlight {

/// A choice from a list, with the frame and the chevron of the house.
class ComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit ComboBox(const QString& name, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// Qt's own would keep what it was in another font.
    QSize minimumSizeHint() const override { return sizeHint(); }
    void showPopup() override;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight

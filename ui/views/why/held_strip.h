// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/why_picture.h"

namespace headlight {

/// The numbers that are held while all the rest is added up, each under the name of its norm; those for which there is
/// no room are counted.
class HeldStrip : public QWidget {
    Q_OBJECT
public:
    explicit HeldStrip(QWidget* parent = nullptr);
    void setHeld(std::vector<WhyPicture::Held> held);
    QSize sizeHint() const override { return {480, 44}; }
    QSize minimumSizeHint() const override { return {120, 44}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<WhyPicture::Held> m_held;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/kept_model.h"

namespace headlight {

/// Lies over a place while the reader holds a kept model above it, and says which half of it means which side.
class SideDrop : public QWidget {
    Q_OBJECT
public:
    enum class Side { First, Second };

    explicit SideDrop(QWidget* place);
    Side side() const { return m_side; }

signals:
    void dropped(headlight::SideDrop::Side side, const headlight::KeptModel& model);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF halfOf(Side side) const;

    Side m_side = Side::Second;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/trace/stream_picture.h"

class QPainter;

namespace headlight {

struct Theme;

/// The formula of the norm for one number, and below it how that number comes about, line by line.
class NumberSteps : public QWidget {
    Q_OBJECT
public:
    explicit NumberSteps(QWidget* parent = nullptr);

    struct Shown {
        int unit = 0;    ///< from 0
        QString letter;  ///< of what the norm reads: r, or x
        bool isRms = false;
        std::vector<StreamStep> steps;
    };
    void setShown(Shown shown);
    const Shown& shown() const { return m_shown; }
    /// As it is written at the right end of a line.
    QString writtenAt(size_t step) const;

    QSize sizeHint() const override { return {352, 64 + 20 * static_cast<int>(m_shown.steps.size())}; }
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintFormula(QPainter& p, const Theme& t) const;

    Shown m_shown;
};

}  // namespace headlight

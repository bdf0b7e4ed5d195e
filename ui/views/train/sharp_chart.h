// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/session/open/heads_story.h"

namespace headlight {

/// How many heads are sharp, over the steps of a run.
class SharpChart : public QWidget {
    Q_OBJECT
public:
    explicit SharpChart(HeadsStory* story, QWidget* parent = nullptr);

    /// "13 of 48"
    QString readout() const;
    /// When they came, in a sentence or two.
    QString sentence() const;

    QSize sizeHint() const override { return {300, 180}; }
    QSize minimumSizeHint() const override { return {180, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    HeadsStory* m_story;
};

/// The colours of weights, from 0 to 1.
class WeightLegend : public QWidget {
    Q_OBJECT
public:
    explicit WeightLegend(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace headlight

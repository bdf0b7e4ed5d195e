// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/train/training_facts.h"
#include "ui/widgets/controls/controls.h"

namespace headlight {

/// The model that is being trained, in figures: its configuration, its parameters by module with a bar each, its data.
class TrainingSummaryPanel : public QWidget {
    Q_OBJECT
public:
    explicit TrainingSummaryPanel(QWidget* parent = nullptr);

    void setSummary(const TrainingSummary& summary);
    QSize sizeHint() const override { return {324, m_height}; }
    QSize minimumSizeHint() const override { return {280, m_height}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TrainingSummary m_summary;
    int m_height = 0;
};

}  // namespace headlight

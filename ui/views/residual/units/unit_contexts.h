// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/experiment/feed_forward_units.h"

namespace headlight {

/// Where a unit fires most in the sentences of the test set: its activation, the words up to there, each on the ground
/// of its own activation, and what comes next.
class UnitContexts : public QWidget {
    Q_OBJECT
public:
    explicit UnitContexts(QWidget* parent = nullptr);

    /// `most`: of the scale. `hidden`: the words of a sentence that is left out.
    void setSurvey(const std::shared_ptr<const FiringSurvey>& survey, int unit, double most,
                   const QStringList& hidden = {});
    struct Line {
        double value = 0;
        QStringList words;
        std::vector<double> values;  ///< of these words
        QString next;                ///< empty: nothing comes next
    };
    const std::vector<Line>& lines() const { return m_lines; }

    static constexpr int kLines = 7, kMostWords = 5;
    QSize sizeHint() const override { return {352, 26 * kLines}; }
    QSize minimumSizeHint() const override { return {200, 52}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Line> m_lines;
    double m_most = 1;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "ui/session/open/background.h"
#include "ui/session/open/training_setup.h"

namespace headlight {

/// What a run would take, tried on this computer: a few steps of a model of its size, on words drawn by chance, of
/// sentences as long as the real ones. In the background, and once for each setup.
class StepProbe : public QObject {
    Q_OBJECT
public:
    explicit StepProbe(QObject* parent = nullptr);

    struct Result {
        int steps = 0;                                       ///< that were tried
        double pairs = 0;                                    ///< of a step, on average
        double seconds = 0;                                  ///< of one of them, the median
        std::vector<std::pair<ModuleRef, long>> parameters;  ///< of each tensor: its module, its numbers
    };
    /// What one sentence counts: its words on either side.
    using Lengths = std::vector<std::pair<int, int>>;

    /// `config` with the sizes of its vocabularies. What was measured for the same is told again at once.
    void measure(const ModelConfig& config, const TrainOptions& options, const Lengths& lengths);
    void forget();
    void setSettling(Settling* settling) { m_background.setSettling(settling); }

    /// What was measured last, whatever of.
    const std::optional<Result>& result() const { return m_result; }
    /// Whether it was this that was measured, or is being; the number of steps and the seed do not matter.
    bool isOf(const ModelConfig& config, const TrainOptions& options) const;
    /// Why it cannot be trained: more than memory holds.
    const QString& failure() const { return m_failure; }
    bool isBusy() const { return m_background.isBusy(); }

signals:
    void measured();

private:
    ModelConfig m_config;
    TrainOptions m_options;
    std::optional<Result> m_result;
    QString m_failure;
    Background m_background;
};

}  // namespace headlight

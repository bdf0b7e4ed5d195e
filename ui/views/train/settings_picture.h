// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "ui/session/open/training_setup.h"

class QLabel;

namespace headlight {

class Card;
class ModelBlueprint;
class PlainChart;

/// Settings as what they make: the model, its areas as large as its parameters, and from the first step to the last the
/// learning rate and the share of true words that the decoder reads.
class SettingsPicture : public QWidget {
    Q_OBJECT
public:
    explicit SettingsPicture(QWidget* parent = nullptr);

    /// `words`: tokens of source and target; nothing: they are not counted yet.
    void setSetup(const TrainingSetup& setup, const std::optional<std::array<int, 2>>& words);

    ModelBlueprint* blueprint() const { return m_blueprint; }
    PlainChart* rate() const { return m_rate; }
    PlainChart* forcing() const { return m_forcing; }
    /// How many parameters the model has, or why there is none.
    QString says() const;

private:
    void showModel(ModelConfig config, const std::optional<std::array<int, 2>>& words);
    void showRate(const Schedule& schedule, long steps);

    Card* m_modelCard;
    Card* m_rateCard;
    ModelBlueprint* m_blueprint;
    QLabel* m_says;
    PlainChart *m_rate, *m_forcing;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/feed_forward_units.h"

namespace headlight {

/// A feed-forward network of a reading, as it is drawn: its units at every word, with the model's activation or another
/// one, and with one of them held at zero where that is asked for.
class UnitsPicture {
    Q_DECLARE_TR_FUNCTIONS(UnitsPicture)
public:
    UnitsPicture(std::shared_ptr<const TrainedModel> model, std::shared_ptr<const Trace> trace,
                 const FeedForwardLayer& layer);

    const FeedForwardLayer& layer() const { return m_layer; }
    const TrainedModel& model() const { return *m_model; }
    const Trace& trace() const { return *m_trace; }
    int units() const { return m_layer.units; }
    int width() const;  ///< numbers a word
    /// What the layer reads a row of.
    const QStringList& words() const { return m_words; }

    ops::Activation own() const { return m_model->network->config().activation; }
    ops::Activation drawn() const { return m_drawn; }
    void setDrawn(ops::Activation kind) { m_drawn = kind; }
    /// The unit that is held at zero, with the reading that this gives; null: none.
    void setMuted(int unit, std::shared_ptr<const Trace> without);
    /// Which numbers of its values are hidden until the reader has predicted them; row and column from 0.
    using IsVeiled = std::function<bool(const std::string& value, int row, int column)>;
    void setVeil(IsVeiled isVeiled) { m_isVeiled = std::move(isVeiled); }
    bool isSumHidden(int row, int unit) const { return isHidden(m_layer.hidden, row, unit); }
    /// With its sum, of which it is made.
    bool isActiveHidden(int row, int unit) const;
    bool isXHidden(int row, int number) const { return isHidden(m_layer.x, row, number); }
    bool isOutputHidden(int row, int number) const { return isHidden(m_layer.output, row, number); }
    int muted() const { return m_without ? m_muted : -1; }

    double sum(int row, int unit) const;  ///< x · w + b
    /// f of that as it is drawn; 0 of the unit that is muted.
    double active(int row, int unit) const;
    std::vector<double> activeRow(int row) const;
    int fired(int row) const;  ///< units above zero
    /// As it is written; of a row with a hidden unit a question mark.
    QString firedText(int row) const;
    std::span<const float> x(int row) const;
    std::vector<double> output(int row) const;  ///< FFN(x), as it is drawn
    /// Units from the strongest down, those whose sums are hidden behind them; or as they are stored.
    std::vector<int> order(int row, bool byStrength) const;
    /// The largest activation of the whole reading, rounded up to 0.5.
    double most() const;

    /// What the model says at a row: the word that it writes behind it, fills in, or the label.
    struct Said {
        int id = -1;
        QString word;
        double probability = 0;
    };
    /// Nothing where the layer's stack says none at its rows.
    std::optional<Said> said(int row) const;
    /// The probability of what `said(row)` names once the muted unit is gone; of an encoder's unit that of the whole
    /// translation.
    struct Effect {
        QString of;
        double before = 0, after = 0;
    };
    std::optional<Effect> effect(int row, const Trace& without) const;
    /// "ReLU", "GELU", …
    static QString nameOf(ops::Activation kind);
    /// The name of a word of the output layer, or of a label.
    QString outputWord(int word) const;

private:
    bool isHidden(const std::string& value, int row, int column) const {
        return m_isVeiled && m_isVeiled(value, row, column);
    }
    const Trace& shown() const { return m_without ? *m_without : *m_trace; }
    std::optional<Said> saidBy(const Trace& trace, int row, int wanted = -1) const;

    std::shared_ptr<const TrainedModel> m_model;
    std::shared_ptr<const Trace> m_trace, m_without;
    FeedForwardLayer m_layer;
    const TraceRecord *m_hidden, *m_active;
    QStringList m_words;
    ops::Activation m_drawn;
    int m_muted = -1;
    IsVeiled m_isVeiled;
};

}  // namespace headlight

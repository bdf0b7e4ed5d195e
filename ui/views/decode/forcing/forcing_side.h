// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/views/decode/forcing/forcing_picture.h"
#include "ui/widgets/controls/panel.h"

class QLabel;
class QVBoxLayout;

namespace headlight {

class Button;
class WordBars;

/// Beside the two decoders: what each would write in the chosen place, how far the right word and the states are apart,
/// and whether the model finds its own sentence likelier than the truth.
class ForcingSide : public Panel {
    Q_OBJECT
public:
    explicit ForcingSide(QWidget* parent = nullptr);

    /// `step` from 0.
    void setStep(const TrainedModel& model, const TwoWays& ways, const ForcingPicture& picture, size_t step);

    WordBars* bars(bool isFree) const { return isFree ? m_free.bars : m_forced.bars; }
    Button* hand() const { return m_hand; }
    /// All that is said, line by line.
    QStringList said() const;

signals:
    /// The word that is read at the chosen step is to be the truth, or its own again.
    void handWanted();

private:
    struct Way {
        QLabel* given = nullptr;
        WordBars* bars = nullptr;
    };
    Way makeWay(QVBoxLayout* column, const QString& title);
    QLabel* makeRow(QVBoxLayout* column, const QString& name);
    void sayLikelier(const TwoWays& ways, const ForcingPicture& picture);

    QLabel* m_title;
    Way m_forced, m_free;
    QLabel *m_right, *m_rightName, *m_apart, *m_truth, *m_own, *m_story;
    Button* m_hand;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/io/settings_file.h"
#include "core/models/model_config.h"

class QLabel;

namespace headlight {

class Card;
class Caption;
class SegmentedControl;
class StopSlider;
struct TrainingSetup;

/// The settings of a run that most readers leave as they are: the optimizer, warm-up and accumulated batches, when the
/// run ends and which weights are written, which matrices are one. The size of a batch is among them too, and stands
/// where its owner puts it.
class FineSettings : public QWidget {
    Q_OBJECT
public:
    explicit FineSettings(QWidget* parent = nullptr);

    /// How much a batch holds, in pairs or in tokens.
    QWidget* batch() const { return m_batch; }

    /// Into the setup; what does not go with its model or its words is left out.
    void apply(TrainingSetup& setup) const;
    /// Those among the settings, under the names of headlight-cli train's options; all others as at first.
    void show(const std::vector<Setting>& settings);
    /// The same of what is not as at first.
    std::vector<Setting> told() const;
    /// What they are set to besides the batch, in a few words; empty: all is as at first.
    QString summary() const;

    /// What they are to go with: what does not is disabled, and says why.
    struct Surroundings {
        bool recurrent = false;
        CorpusKind kind = CorpusKind::Translation;
        bool hasOneVocabulary = false;  ///< the words of both sides are, or can be, one list
        int usualWarmup = 0;
    };
    void setSurroundings(const Surroundings& surroundings);

signals:
    void changed();

private:
    Card* makeOptimizer();
    Card* makePace();
    Card* makeMatrices();
    QWidget* makeBatch();
    void follow();
    QString whyNotTied() const;
    QString whyNotShared() const;

    Surroundings m_around;
    long m_validateEvery = 0;  ///< where somebody said so elsewhere; 0: forty times in a run
    QWidget* m_batch;
    SegmentedControl* m_unit;
    StopSlider *m_pairs, *m_tokens;
    SegmentedControl* m_optimizer;
    StopSlider *m_beta1, *m_beta2, *m_decay, *m_clip;
    StopSlider *m_warmup, *m_accumulate, *m_patience, *m_average;
    QLabel* m_endNote;
    SegmentedControl *m_tie, *m_share;
    QLabel *m_tieNote, *m_shareNote;
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"
#include "core/train/kept_weights.h"
#include "core/train/train_options.h"
#include "ui/session/format/matrix_text.h"

namespace headlight {

/// What a training run tells the window, step by step.
struct TrainingPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;  ///< 0 to 1, next word under teacher forcing
    double learningRate = 0;
    double tokensPerSecond = 0;
    double gradientNorm = 0;  ///< before clipping
};

struct ValidationPoint {
    int step = 0;
    double loss = 0;
    double accuracy = 0;
    double bleu = std::numeric_limits<double>::quiet_NaN();  ///< 0 to 100; not a number where nothing was translated

    bool isWhole() const { return !std::isnan(bleu); }
};

/// The last one that has a BLEU, or nullptr.
inline const ValidationPoint* lastWhole(const std::vector<ValidationPoint>& points) {
    const auto last = std::ranges::find_if(points.rbegin(), points.rend(), &ValidationPoint::isWhole);
    return last == points.rend() ? nullptr : &*last;
}

/// The probe sentence as the model of that step reads and translates it. Of the trace only the last attention block is
/// kept: all that a picture of the film draws, a hundredth of the whole.
struct ProbeFrame {
    enum class Kind {
        Regular,  ///< of a step that every run of this length shows
        Resting,  ///< because somebody stopped there
    };
    int step = 0;
    std::shared_ptr<const Trace> trace;
    QString translation;
    Kind kind = Kind::Regular;
};

/// A module of the model at a step.
struct ModuleState {
    QString name;             ///< "Encoder, layer 1, self-attention"
    double gradientNorm = 0;  ///< of its weights together, before clipping
    Histogram weights;
};

/// Every module of the model after a step.
struct WeightsFrame {
    int step = 0;
    std::vector<ModuleState> modules;
};

/// A sentence for validation as the model of that step translates it.
struct SentenceState {
    QString source, reference, written;
    double loss = 0;  ///< mean −log p of a word of the reference
};

struct SentencesFrame {
    int step = 0;
    std::vector<SentenceState> sentences;
};

struct TrainingSetup;

/// The model as it was, to come back to, and what it takes to go on from it as if nothing had been in between.
struct TrainingCheckpoint {
    int step = 0;
    std::shared_ptr<const TrainedModel> model;
    std::shared_ptr<const TrainerState> trainer = {};
    std::shared_ptr<const TrainingSetup> setup = {};
    KeptState chosen = {};  ///< of a stand that is gone on with: what its validations have left
};

/// What the weights and Adam's moments of a kept model take in memory.
size_t bytesOf(const TrainingCheckpoint& kept);

/// What a model makes of sentences that no one looked at while it learned.
struct TestFigures {
    double loss = 0;             ///< mean −log p of a word
    std::optional<double> bleu;  ///< 0 to 100, greedily translated
    long sentences = 0;          ///< that were judged
    long all = 0;                ///< that there are
};

/// The model after a step, to be written, and what it makes of the sentences that it is tested on.
struct ModelToSave {
    std::shared_ptr<const TrainedModel> model;
    ValidationPoint figures;
    std::optional<TestFigures> test = {};  ///< on those that are kept for the end
};

enum class TrainingState { Idle, Preparing, Running, Paused, Finished, Failed };

}  // namespace headlight

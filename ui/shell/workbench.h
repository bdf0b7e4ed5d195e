// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/lessons/stage_state.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_player.h"
#include "ui/session/open/decoding.h"
#include "ui/session/open/kept_inputs.h"
#include "ui/session/open/kept_model.h"
#include "ui/session/open/run_store.h"
#include "ui/session/open/selection.h"
#include "ui/session/open/session.h"
#include "ui/session/open/step_cursor.h"
#include "ui/session/open/trained_models.h"
#include "ui/session/open/training_run.h"
#include "ui/widgets/theme/theme.h"

namespace headlight {

/// What every room of the window works on. One a window; rooms hold a reference and none of them knows another.
class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(ThemeManager& manager);

    ThemeManager& theme;
    Settling settling;  ///< of all that follows
    Session session{&settling};
    Decoding decoding{session};
    KeptInputs kept{session};
    Selection selection;
    StepCursor cursor;
    TrainingRun training;
    TrainedModels trained;
    RunStore keptRun;
    LessonLibrary lessons;
    LessonPlayer player{lessons, &settling};
    /// Matrices that a lesson gives by hand; the laboratories show them in the place of the model's.
    std::optional<LessonTensors> byHand;

signals:
    /// A room asks the shell to show a view of another one.
    void viewRequested(headlight::ViewName view);
    /// A model was taken over that the reader wants to look into: back to where models are explored.
    void lookInsideRequested();
    void byHandChanged();
    /// The stage is to stand on a model of the training run, `run:STEP`; Session::modelOpened() or failed() follows.
    void runModelWanted(const headlight::StageState& state);
    /// The same to read a sentence with, `run:STEP` as the state's `surgery_read_by`, while the stage stays where it
    /// is; readerHeld() or readerMissed() follows.
    void readerWanted(const headlight::StageState& state);
    void readerHeld(const headlight::KeptModel& model);
    void readerMissed(const QString& key, const QString& why);
    /// A model that a run has kept is to stand beside the open one.
    void besideWanted(const headlight::KeptModel& model);
    /// A model's file is to be trained on.
    void trainOnWanted(const QString& path);
    /// The reader wants to choose a model's file.
    void modelWanted();
};

}  // namespace headlight

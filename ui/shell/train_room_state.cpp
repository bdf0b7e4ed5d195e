// SPDX-License-Identifier: GPL-3.0-or-later
// What a state of the stage says of a run, and what a run says of itself there.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/data/training_recipe.h"
#include "core/error.h"
#include "ui/session/open/data_settings.h"
#include "ui/session/open/run_record.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/film_strip.h"
#include "ui/views/train/training_chart.h"
#include "ui/views/train/training_heads_view.h"
#include "ui/views/train/training_settings.h"
#include "ui/views/train/training_view.h"

namespace headlight {

namespace {

constexpr std::string_view fromKey = "from";
/// What was otherwise from a step on, under the names of the command line.
constexpr std::array<std::string_view, 3> changesKeys = {"rate_changes", "order_changes", "mute_changes"};

/// What stands behind a key in the state's settings; empty: it is not there.
std::string settingOf(const StageState& state, std::string_view key) {
    for (const Setting& setting : runSettings(state))
        if (setting.key == key) return setting.value;
    return {};
}

/// What was otherwise in the run from a step on; a state by a stranger may say what is none.
void readChanges(const StageState& state, TrainOptions& options) {
    for (const std::string_view key : changesKeys) {
        const std::string value = settingOf(state, key);
        TrainOptions read = options;
        try {
            readSetting({std::string(key), value}, read);
            options = read;
        } catch (const Error&) {
            // As if it were not there.
        }
    }
}

}  // namespace

/// Whether the reader's run tells of itself what the state says: then it is not begun anew, which nobody could undo.
bool TrainRoom::isRunOf(const StageState& state) const {
    const TrainingSetup& run = m_workbench.training.setup();
    StageState told;
    tellOptions(told);
    return isWorkOfReader() && run.data == m_choice.data() && told.training.task == state.training.task &&
           told.training.seed == state.training.seed && told.training.settings == state.training.settings &&
           state.training.train >= run.firstStep();
}

/// The run of the state's task, seed and settings is asked to come to rest at its step; what the settings show is then
/// that run's. TrainingRun::arrived() or notReached() follows with the number that this gives.
int TrainRoom::trainTo(const StageState& state) {
    const bool isPresent = isRunOf(state);
    chooseDataOf(state);
    m_view->setSeed(state.training.seed);
    showData();
    m_settings->showOptions(state);
    TrainingRun& run = m_workbench.training;
    const bool begun = run.state() != TrainingState::Idle && run.state() != TrainingState::Failed;
    TrainingSetup wanted = setup();
    readChanges(state, wanted.options);
    wanted.fromModel = QString::fromStdString(settingOf(state, fromKey));
    if (!begun || !(isPresent || isSameRun(run.setup(), wanted))) beginFresh(wanted);
    m_earlierWork = hasUnsavedWork();
    setByHand(false);
    m_byState = true;
    return run.trainTo(state.training.train);
}

void TrainRoom::showOptions(const StageState& state) {
    if (state.training.train > 0) {
        m_trains = m_workbench.settling.start();
        m_wish = trainTo(state);
    } else if (std::exchange(m_byState, false)) {
        m_workbench.training.pause();  // the state before asked for more than this one wants
        m_wish = 0;
        m_trains.done();
    }
    if (!isWorkOfReader()) {
        m_settings->showOptions(state);
        if (state.training.train == 0 && std::ranges::count(viewNames(), state.view)) prepareFor(state);
    }
    m_frame = state.training.frame;
    m_heads->showOptions(state);
    if (m_frame > 0) m_view->film()->showStep(m_frame);
}

/// The learning rate's curve alone can be predicted here.
void TrainRoom::setVeil(const std::vector<NumberName>& veiled) {
    m_view->learningRateChart()->setHidden(
        std::ranges::any_of(veiled, [](const NumberName& each) { return each.name == "learning_rate"; }));
}

void TrainRoom::chooseDataOf(const StageState& state) {
    if (!chooseBySettings(m_choice, runSettings(state))) m_choice.setTask(state.training.task);
}

/// Puts the run of the state's task and seed before its first step; where it is that one already, it stays as it is.
void TrainRoom::prepareFor(const StageState& state) {
    const TrainingData before = m_choice.data();
    chooseDataOf(state);
    if (m_choice.data() == before && m_view->seed() == state.training.seed) return;
    m_view->setSeed(state.training.seed);
    showData();
    if (m_choice.hasFiles()) return;  // a run of somebody's files begins when he says so
    reset();
}

void TrainRoom::tellOptions(StageState& state) const {
    if (!m_choice.hasFiles()) state.training.task = m_view->taskName().toStdString();
    state.training.seed = m_view->seed();
    state.training.train = step();
    m_settings->tellOptions(state);
    std::vector<Setting> settings = dataSettings(m_choice);
    const TrainingSetup& run = m_workbench.training.setup();
    for (const Setting& setting : settingsOf(recipeOf(run, 0)))
        if (std::ranges::find(changesKeys, setting.key) != changesKeys.end()) settings.push_back(setting);
    if (!run.fromModel.isEmpty()) settings.push_back({std::string(fromKey), run.fromModel.toStdString()});
    for (const Setting& setting : settings)
        state.training.settings.push_back(setting.key + "=" + setting.value);
    const FilmStrip& film = *m_view->film();
    m_heads->tellOptions(state);
    if (m_pages->currentWidget() != m_heads)
        state.training.frame = film.current() + 1 < film.count() ? std::max(0, film.currentStep()) : 0;
}

/// The stage is to stand on a model of a run: `run:STEP`.
void TrainRoom::openModelOf(const StageState& state) {
    StageState wanted = state;
    wanted.training.train = QString::fromStdString(state.model).section(u':', 1).toInt();
    m_modelWish = trainTo(wanted);
}

}  // namespace headlight

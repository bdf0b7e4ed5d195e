// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that others ask for: a step that a link has a sentence read by, and the run of a model that has none here.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/data/recorded_recipe.h"
#include "core/error.h"
#include "core/io/safetensors.h"
#include "ui/session/format/number_format.h"
#include "ui/session/open/run_record.h"
#include "ui/shell/train_room.h"
#include "ui/shell/workbench.h"
#include "ui/views/train/learnt_card.h"
#include "ui/views/train/training_heads_view.h"

namespace headlight {

void TrainRoom::connectReaders() {
    TrainingRun& run = m_workbench.training;
    // After the room itself was told of the state.
    connect(&m_workbench, &Workbench::readerWanted, this, &TrainRoom::holdReaderOf, Qt::QueuedConnection);
    connect(&run, &TrainingRun::arrived, this, [this](int, int wish) {
        if (m_readerReach == 0 || wish != m_readerReach) return;
        m_readerReach = 0;
        m_readerCopy = m_workbench.training.requestModelToSave(m_readerKey.section(u':', 1).toInt());
    });
    connect(&run, &TrainingRun::notReached, this, [this](int, int wish, const QString& why) {
        if (m_readerReach != 0 && wish == m_readerReach) missReader(why);
    });
    connect(&run, &TrainingRun::modelToSave, this, [this](const ModelToSave& model, int wish) {
        if (m_readerCopy == 0 || wish != m_readerCopy) return;
        m_readerCopy = 0;
        const QString key = std::exchange(m_readerKey, {});
        const int step = key.section(u':', 1).toInt();
        emit m_workbench.readerHeld(
            {model.model, tr("%1, step %2").arg(nameOf(m_workbench.training.setup().data), formatCount(step)), key});
    });
    connect(&run, &TrainingRun::checkpointsAdded, this, &TrainRoom::holdAgainst);
    connect(&m_workbench.session, &Session::modelOpened, this, &TrainRoom::offerRunAgain);
    connect(m_heads->learnt(), &LearntCard::againWanted, this,
            [this] { askToBeginAnew(tr("Make it again"), [this] { makeRunAgain(); }); });
}

/// The step is kept already, or the run is trained to it as if the state had asked for it; a run of the reader's that
/// is another one is left alone.
void TrainRoom::holdReaderOf(const StageState& state) {
    m_readerKey = QString::fromStdString(state.surgery.reader);
    m_readerReach = m_readerCopy = 0;
    bool isStep = false;
    const int step = m_readerKey.section(u':', 1).toInt(&isStep);
    if (!isStep || step < 0) return missReader(tr("%1 names a run that is over").arg(m_readerKey));
    StageState wanted = state;
    wanted.training.train = std::max(step, state.training.train);
    const bool isPresent = isRunOf(wanted);
    if (!isPresent && isWorkOfReader())
        return missReader(tr("the run in Train is another one, and yours: save it or reset it, and open this again"));
    TrainingRun& run = m_workbench.training;
    if (isPresent && run.step() >= step) {
        m_readerCopy = run.requestModelToSave(step);
        return;
    }
    const int reach = trainTo(wanted);
    m_readerReach = reach;
    if (state.training.train > 0) m_wish = reach;  // it comes to rest behind both
}

void TrainRoom::missReader(const QString& why) {
    m_readerReach = m_readerCopy = 0;
    if (const QString key = std::exchange(m_readerKey, {}); !key.isEmpty()) emit m_workbench.readerMissed(key, why);
}

/// Of a model whose file tells of its run; of one of the run itself that is the run that stands.
void TrainRoom::offerRunAgain() {
    const Session& session = m_workbench.session;
    LearntCard* const card = m_heads->learnt();
    if (!session.model() || isModelOfRun(session.modelKey())) return card->offerAgain({}, {});
    try {
        recordedRecipe(*session.model());
        card->offerAgain(session.modelName(), {});
    } catch (const Error& error) {
        card->offerAgain(session.modelName(), QString::fromUtf8(error.what()));
    }
}

/// In the background, as every run; pausing or resetting it leaves it.
void TrainRoom::makeRunAgain() {
    const Session& session = m_workbench.session;
    const std::shared_ptr<const TrainedModel> model = session.model();
    if (!model) return;
    try {
        TrainingSetup wanted = setupOf(recordedRecipe(*model));
        wanted.probe = session.source();
        begin(wanted, tr("%1, made again").arg(session.modelName()));
        m_again = model;
        m_againName = session.modelName();
        m_heads->learnt()->tellAgain(tr("The run of %1 is made again from what its file tells: %2 steps, seed %3. "
                                        "Pause or reset it to leave it.")
                                         .arg(m_againName, formatCount(wanted.lastStep()))
                                         .arg(wanted.options.seed));
        setByHand(true);
        m_workbench.training.start();
        if (m_heads->learnt()->chosen().empty()) m_heads->learnt()->setChosen("role");
    } catch (const Error& error) {
        m_heads->learnt()->offerAgain(session.modelName(), QString::fromUtf8(error.what()));
    }
}

namespace {

/// Whether the file of a model that ships holds these weights, as closely as it keeps them.
bool keepsThese(const TrainedModel& shipped, const TrainedModel& made) {
    const auto flat = [](const TrainedModel& model) { return std::as_const(*model.network).parameters().flat(); };
    std::vector<float> rounded(flat(made).begin(), flat(made).end());
    try {
        if (shipped.training.savedAs() == "F16") safetensors::roundTo(safetensors::DType::F16, rounded, "");
    } catch (const Error&) {
        return false;  // too large for F16: the file has others
    }
    return std::ranges::equal(flat(shipped), rounded);
}

}  // namespace

/// Made again, the run either ends with the model's own weights, or the reader is told that it does not.
void TrainRoom::holdAgainst(const std::vector<TrainingCheckpoint>& kept) {
    if (!m_again) return;
    const std::optional<long> steps = m_again->training.steps();
    const auto end =
        std::ranges::find_if(kept, [&](const TrainingCheckpoint& each) { return steps && each.step == *steps; });
    if (end == kept.end()) return;
    const bool isSame = keepsThese(*m_again, *end->model);
    m_heads->learnt()->tellAgain(
        isSame ? tr("Made again, the run ends at step %1 with the weights of %2, to the last bit.")
                     .arg(formatCount(end->step), m_againName)
               : tr("Made again, the run ends at step %1 with other weights than %2 has: its file does not tell all "
                    "that decided them. What is dated here is of this run.")
                     .arg(formatCount(end->step), m_againName));
}

}  // namespace headlight

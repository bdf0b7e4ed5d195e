// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/views/architecture.h"
#include "core/views/attention.h"
#include "core/views/bleu.h"
#include "core/views/by_name.h"
#include "core/views/cell.h"
#include "core/views/compare.h"
#include "core/views/cost.h"
#include "core/views/decode.h"
#include "core/views/embeddings.h"
#include "core/views/feed_forward.h"
#include "core/views/forcing.h"
#include "core/views/lens.h"
#include "core/views/loss.h"
#include "core/views/masks.h"
#include "core/views/positions.h"
#include "core/views/query_key_value.h"
#include "core/views/recurrent.h"
#include "core/views/residuals.h"
#include "core/views/stage_field.h"
#include "core/views/subwords.h"
#include "core/views/surgery.h"
#include "core/views/training.h"
#include "core/views/why.h"

namespace headlight {

struct TrainedModel;

// clang-format off
/// Every view, in the order of the rooms, their groups and their tabs: what it is called here and, where it has options, the field of
/// StageState that holds them and their type. A view is registered by its line; all else that is true of it stands in
/// its file.
#define HEADLIGHT_VIEWS(VIEW, PLAIN) \
    PLAIN(Lessons, lessons) \
    VIEW(Architecture, architecture, ArchitectureOptions) \
    PLAIN(Values, values) \
    VIEW(Residuals, residuals, ResidualsOptions) \
    VIEW(FeedForward, feedForward, FeedForwardOptions) \
    VIEW(Recurrent, recurrent, RecurrentOptions) \
    VIEW(Cell, recurrentCell, CellOptions) \
    VIEW(Attention, attention, AttentionOptions) \
    VIEW(QueryKeyValue, queryKeyValue, QueryKeyValueOptions) \
    VIEW(Masks, masks, MasksOptions) \
    VIEW(Positions, positions, PositionsOptions) \
    VIEW(Subwords, subwords, SubwordsOptions) \
    VIEW(Embeddings, embeddings, EmbeddingsOptions) \
    VIEW(Loss, loss, LossOptions) \
    VIEW(Lens, lens, LensOptions) \
    VIEW(Why, why, WhyOptions) \
    VIEW(Surgery, surgery, SurgeryOptions) \
    VIEW(Training, training, TrainingOptions) \
    PLAIN(TrainingHeads, trainingHeads) \
    PLAIN(TrainingData, trainingData) \
    PLAIN(TrainingSettings, trainingSettings) \
    PLAIN(Weights, weights) \
    PLAIN(Sentences, sentences) \
    PLAIN(Runs, runs) \
    VIEW(Decode, decode, DecodeOptions) \
    VIEW(Forcing, forcing, ForcingOptions) \
    VIEW(Bleu, bleu, BleuOptions) \
    VIEW(Compare, compare, CompareOptions) \
    PLAIN(Models, models) \
    VIEW(ByName, byName, ByNameOptions) \
    VIEW(Cost, cost, CostOptions)
// clang-format on

enum class ViewName {
#define HEADLIGHT_VIEW(Name, member, Options) Name,
#define HEADLIGHT_PLAIN(Name, member) Name,
    HEADLIGHT_VIEWS(HEADLIGHT_VIEW, HEADLIGHT_PLAIN)
#undef HEADLIGHT_VIEW
#undef HEADLIGHT_PLAIN
};

/// What is true of a view, however it is painted.
struct View {
    const char* name;        ///< that it bears in lessons, on the command line, in links and in documents
    const char* title;       ///< on its tab, to be translated in the context "Views", as the question
    const char* question;    ///< that it answers
    const char* group = "";  ///< of views of one room that it stands among, to be translated likewise; empty: of none
    /// Why it has nothing to show of a model, as what follows the model's name ("is not recurrent"); empty: it has.
    std::string (*whyNothing)(const TrainedModel& model) = nullptr;
    /// Has it numbers of a reading somewhere?
    bool showsTraces = true;
    /// Can it hide numbers of the value of that name, where a lesson has them predicted?
    bool (*hides)(const std::string& value) = nullptr;
    std::vector<StageSide> sides = {};  ///< which panels or cards it has beside its picture
    /// By which a step of a lesson names what it needs of the view (`show:`); besides there are `sentence`,
    /// `views` and `timeline` around it, and `picture`, which is what no panel is.
    std::vector<const char*> panels = {};
};

#define HEADLIGHT_VIEW(Name, member, Options) extern const View member##View;
#define HEADLIGHT_PLAIN(Name, member) extern const View member##View;
HEADLIGHT_VIEWS(HEADLIGHT_VIEW, HEADLIGHT_PLAIN)
#undef HEADLIGHT_VIEW
#undef HEADLIGHT_PLAIN

/// In the order of ViewName.
const std::vector<const View*>& views();
const View& viewOf(ViewName view);
/// Why a view has nothing to show of this model, as View::whyNothing() says it; empty: it has.
std::string whyNothingToShow(ViewName view, const TrainedModel& model);
/// The names of all.
const std::vector<const char*>& viewWords();

}  // namespace headlight

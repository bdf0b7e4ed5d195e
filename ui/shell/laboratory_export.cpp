// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/laboratory_export.h"

#include <nlohmann/json.hpp>

#include "ui/session/page/lab_record.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/recurrent/cell_view.h"

namespace headlight {

namespace {

using nlohmann::json;

template <class View>
const View* viewIn(const QWidget& widget) {
    const auto* const own = dynamic_cast<const View*>(&widget);
    return own ? own : widget.findChild<const View*>();
}

json stepsOf(const std::vector<ForcingPicture::Step>& steps) {
    json all = json::array();
    for (const ForcingPicture::Step& step : steps)
        all.push_back({{"reads", step.reads.toStdString()},
                       {"writes", step.writes.toStdString()},
                       {"readsTruth", step.readsTruth},
                       {"isRight", step.isRight},
                       {"right", step.right}});
    return all;
}

json likelyOf(const TrainedModel& model, const DecoderRun& run, const std::vector<int>& truth) {
    constexpr size_t kLikely = 5;
    json all = json::array();
    for (size_t step = 0; step < run.steps(); ++step) {
        json words = json::array();
        const int right = step < truth.size() ? truth[step] : -1;
        for (const LikelyWord& word : likelyWords(model, run, step, right, kLikely))
            words.push_back(
                {{"word", word.word.toStdString()}, {"probability", word.probability}, {"isRight", word.isRight}});
        all.push_back(std::move(words));
    }
    return all;
}

/// A decoder that is fed the truth and its own words; `chosen`: the step that is looked at; `report`: both ways over a
/// test set, null: not known.
json forcingRecord(const TrainedModel& model, const TwoWays& ways, int chosen, const ForcingReport* report) {
    const ForcingPicture picture = forcingPicture(model, ways);
    json record{
        {"lab", "forcing"},
        {"truth", json::array()},
        {"forced", stepsOf(picture.forced)},
        {"free", stepsOf(picture.free)},
        {"apart", picture.apart},
        {"chosen", chosen},
        {"likely",
         {{"forced", likelyOf(model, ways.forced, ways.truth)}, {"free", likelyOf(model, ways.free, ways.truth)}}}};
    for (const QString& word : picture.truth)
        record["truth"].push_back(word.toStdString());
    if (report)
        for (const PlaceCounts& place : report->places)
            record["places"].push_back({place.sentences, place.forced, place.free});
    return record;
}

}  // namespace

json laboratoryOf(const QWidget& widget, const StageState& state, const Session& session) {
    if (state.view == ViewName::Masks)
        if (const auto* view = viewIn<MaskView>(widget)) {
            const ShownMask shown = view->shownMask();
            return shown.scores.empty() ? json() : maskRecord(shown);
        }
    if (state.view == ViewName::Positions)
        if (const auto* view = viewIn<PositionView>(widget); view && view->table().length > 0) {
            const ShownTable by = view->shownTable();
            return positionRecord(
                {view->table(), by.kind == ShownTable::Kind::Learned, by.base,
                 by.kind == ShownTable::Kind::Halves ? SinusoidLayout::Halves : SinusoidLayout::Interleaved,
                 view->position(), view->dimension(), state.waves == StageState::Waves::Hands, state.offset});
        }
    if (state.view == ViewName::Loss)
        if (const auto* view = viewIn<LossView>(widget); view && view->shown()) return lossRecord(*view->shown());
    if (state.view == ViewName::Bleu)
        if (const auto* view = viewIn<BleuView>(widget); view && !view->sentence().hypothesis.empty())
            return bleuRecord(view->sentence(), state.ngram, view->scores().get());
    if (state.view == ViewName::Forcing)
        if (const auto* view = viewIn<ForcingView>(widget); view && view->ways())
            return forcingRecord(*session.model(), *view->ways(), state.forcedWord - 1,
                                 view->report() ? &*view->report() : nullptr);
    if (state.view == ViewName::Cell && session.reading())
        if (const auto* view = viewIn<CellView>(widget); view && view->picture())
            return cellRecord(session.model(), session.reading()->trace, *view->picture());
    return {};
}

}  // namespace headlight

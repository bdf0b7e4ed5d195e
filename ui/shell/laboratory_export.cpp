// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/laboratory_export.h"

#include <algorithm>

#include "core/data/translate.h"
#include "ui/session/page/cell_record.h"
#include "ui/session/page/cost_record.h"
#include "ui/session/page/lab_record.h"
#include "ui/shell/forcing_record.h"
#include "ui/views/decode/bleu_view.h"
#include "ui/views/decode/forcing_view.h"
#include "ui/views/laboratory/mask_view.h"
#include "ui/views/laboratory/position_view.h"
#include "ui/views/loss/loss_view.h"
#include "ui/views/recurrent/cell_view.h"

namespace headlight {

namespace {

using nlohmann::json;
using More = Laboratory::second_type;

template <class View>
const View* viewIn(const QWidget& widget) {
    const auto* const own = dynamic_cast<const View*>(&widget);
    return own ? own : widget.findChild<const View*>();
}

/// So many orders of the words a page holds.
constexpr unsigned kShuffles = 8;

Laboratory positionsOf(const PositionView& view, const StageState& state, const Session& session, bool isShuffled) {
    const ShownTable by = view.shownTable();
    json record = positionRecord(
        {view.table(), by.kind == ShownTable::Kind::Learned, by.base,
         by.kind == ShownTable::Kind::Halves ? SinusoidLayout::Halves : SinusoidLayout::Interleaved, view.position(),
         view.dimension(), state.positions.waves == PositionsOptions::Waves::Hands, state.positions.offset});
    const auto& model = session.model();
    if (!isShuffled || !model || !session.reading() || !model->network->config().encoderDecoder())
        return {std::move(record), More()};
    record["shuffles"] = state.positions.shuffles;
    const auto more = [model, trace = session.reading()->trace] {
        json orders = json::array();
        for (unsigned shuffles = 1; shuffles <= kShuffles; ++shuffles) {
            const ShuffledReading read = readShuffled(*model, *trace, shuffles);
            json order{{"words", read.words.toStdString()}, {"reads", read.reads.toStdString()}};
            if (read.canBeDeaf) {
                order["deaf"] = read.deaf.toStdString();
                order["deafInOrder"] = read.deafInOrder.toStdString();
            }
            orders.push_back(std::move(order));
        }
        return json{{"orders", std::move(orders)}};
    };
    return {std::move(record), more};
}

Laboratory forcingOf(const ForcingView& view, const StageState& state, const Session& session) {
    const auto& model = session.model();
    json record =
        forcingRecord(*model, *view.ways(), state.forcing.word - 1, view.report() ? &*view.report() : nullptr);
    const auto more = [model, question = ForcingQuestion{session.source().toStdString(), view.truthText(),
                                                         parseMutedHeads(session.mutedHeads(), *model->network)}] {
        return json{{"runs", freeRuns(*model, question)}};
    };
    return {std::move(record), more};
}

Laboratory cellOf(const CellView& view, const StageState& state, const Session& session) {
    const auto& trace = session.reading()->trace;
    json record = cellRecord(session.model(), trace, *view.picture());
    if (state.side == StageSide::Gradient)
        record.update(cellSideRecord(session.model(), trace, *view.picture(), view.study()));
    return {std::move(record), More()};
}

}  // namespace

Laboratory laboratoryOf(const QWidget& widget, const StageState& state, const Session& session,
                        const std::vector<std::string>& tries) {
    if (state.view == ViewName::Masks)
        if (const auto* view = viewIn<MaskView>(widget)) {
            const ShownMask shown = view->shownMask();
            return {shown.scores.empty() ? json() : maskRecord(shown), {}};
        }
    if (state.view == ViewName::Positions)
        if (const auto* view = viewIn<PositionView>(widget); view && view->table().length > 0)
            return positionsOf(*view, state, session,
                               state.positions.shuffles > 0 || std::ranges::find(tries, "shuffles") != tries.end());
    if (state.view == ViewName::Loss)
        if (const auto* view = viewIn<LossView>(widget); view && view->shown()) return {lossRecord(*view->shown()), {}};
    if (state.view == ViewName::Bleu)
        if (const auto* view = viewIn<BleuView>(widget); view && !view->sentence().hypothesis.empty())
            return {bleuRecord(view->sentence(), state.bleu.ngram, state.bleu.references, view->scores().get()), {}};
    if (state.view == ViewName::Forcing)
        if (const auto* view = viewIn<ForcingView>(widget); view && view->ways())
            return forcingOf(*view, state, session);
    if (state.view == ViewName::Cell && session.reading())
        if (const auto* view = viewIn<CellView>(widget); view && view->picture()) return cellOf(*view, state, session);
    if (state.view == ViewName::Cost) return {costRecord(state, session.model().get()), {}};
    return {};
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/reading_export.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "ui/export/web_page.h"
#include "ui/session/page/reading_record.h"
#include "ui/shell/workbench.h"

namespace headlight {

nlohmann::json shownOnPage(const StageState& state, const StepCursor& cursor) {
    nlohmann::json shows{{"head", state.head - 1}};
    if (state.view != ViewName::Attention && !state.focus.empty())
        shows["value"] = state.focus;
    else if (state.attention.quantity == AttentionOptions::Quantity::Scores)
        shows["part"] = "scores";
    if (!state.block.empty()) shows["block"] = state.block;
    if (state.cell.valid()) shows["cell"] = {state.cell.row - 1, state.cell.column - 1};
    if (cursor.position() >= 0 && cursor.position() + 1 < cursor.count()) shows["at"] = cursor.position();
    return shows;
}

std::function<void()> readingWriter(const Workbench& workbench, const StageState& state, const QString& path) {
    const Session& session = workbench.session;
    if (!session.model() || !session.reading())
        throw Error("there is no reading to put on a page: open a model and type a sentence");
    return [model = session.model(), trace = session.reading()->trace, name = session.modelName(),
            text = session.source(), says = session.reading()->translation, muted = session.mutedHeads(),
            value = QString::fromStdString(state.focus), shows = shownOnPage(state, workbench.cursor), path] {
        const RecordedReading recorded{.model = *model,
                                       .trace = *trace,
                                       .modelName = name,
                                       .text = text,
                                       .says = says,
                                       .mutedHeads = muted,
                                       .wanted = {value}};
        writePage(path, readingPage(readingRecord(recorded), shows));
    };
}

}  // namespace headlight

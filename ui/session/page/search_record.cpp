// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/search_record.h"

#include <nlohmann/json.hpp>

#include "core/decode/score_formula.h"

namespace headlight {

namespace {

using nlohmann::json;

const char* stateWord(SearchNode::State state) {
    switch (state) {
        case SearchNode::State::Kept:
            return "kept";
        case SearchNode::State::Finished:
            return "finished";
        case SearchNode::State::Excluded:
            return "excluded";
        case SearchNode::State::Pruned:
            break;
    }
    return "pruned";
}

}  // namespace

json searchRecord(const Decoding::Result& result) {
    json record{{"beam", result.settings.beam},
                {"penalty", result.settings.penalty.text()},
                {"formula", scoreFormula(result.settings.penalty)},
                {"fixed", json::array()},
                {"nodes", json::array()},
                {"hypotheses", json::array()}};
    for (const QString& word : result.fixedWords())
        record["fixed"].push_back(word.toStdString());
    const BeamLanes lanes(result.lanes());
    const int steps = result.search.tree.steps;
    const BeamLanes::Layout all = lanes.layout(steps, [](int) { return false; });
    const BeamLanes::Layout folded = lanes.layout(steps, [](int) { return true; });
    for (size_t i = 0; i < lanes.nodes().size(); ++i) {
        const SearchNode& node = result.search.tree.nodes[i];
        record["nodes"].push_back({{"word", result.word(node.token).toStdString()},
                                   {"parent", node.parent},
                                   {"step", node.step},
                                   {"logProb", node.logProb},
                                   {"sum", node.cumulative},
                                   {"score", node.score},
                                   {"state", stateWord(node.state)},
                                   {"rows", {folded.rows[i], all.rows[i]}},
                                   {"dropped", lanes.droppedAt(static_cast<int>(i))}});
    }
    record["folds"] = json::array();
    for (const BeamLanes::Fold& fold : folded.folds)
        record["folds"].push_back({{"parent", fold.parent}, {"count", fold.nodes.size()}});
    for (const Written& hypothesis : result.search.translation.hypotheses)
        record["hypotheses"].push_back({{"words", hypothesis.text},
                                        {"logProb", hypothesis.logProb},
                                        {"score", hypothesis.score},
                                        {"end", result.endOf(hypothesis)}});
    return record;
}

}  // namespace headlight

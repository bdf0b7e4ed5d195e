// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/search_record.h"

#include <nlohmann/json.hpp>

namespace headlight {

namespace {

using nlohmann::json;

const char* stateWord(SearchNode::State state) {
    switch (state) {
        case SearchNode::State::Kept:
            return "kept";
        case SearchNode::State::Finished:
            return "finished";
        case SearchNode::State::Pruned:
            break;
    }
    return "pruned";
}

}  // namespace

json searchRecord(const Decoding::Result& result) {
    json record{{"beam", result.settings.beam},
                {"penalty", result.settings.penalty.text()},
                {"fixed", json::array()},
                {"nodes", json::array()},
                {"hypotheses", json::array()}};
    for (const QString& word : result.fixedWords())
        record["fixed"].push_back(word.toStdString());
    for (const SearchNode& node : result.search.tree.nodes)
        record["nodes"].push_back({{"word", result.word(node.token).toStdString()},
                                   {"parent", node.parent},
                                   {"step", node.step},
                                   {"logProb", node.logProb},
                                   {"sum", node.cumulative},
                                   {"score", node.score},
                                   {"state", stateWord(node.state)}});
    for (const Written& hypothesis : result.search.translation.hypotheses)
        record["hypotheses"].push_back({{"words", hypothesis.text},
                                        {"logProb", hypothesis.logProb},
                                        {"score", hypothesis.score},
                                        {"end", result.endOf(hypothesis)}});
    return record;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// A beam search as a tree, or what a language model would say next.
struct DecodeOptions {
    enum class Search { Own, Set };
    enum class Scoring { Gnmt, Average, None, Power };
    enum class River { Depth, Text };

    /// The search that the model brings along, where it does; or what follows. Naming one of these means them.
    Search search = Search::Own;
    int beam = 2;
    Scoring scoring = Scoring::Average;  ///< as everywhere else; GNMT's where only its α is named
    double penalty = 0.7;                ///< α of the length penalty
    int maxLength = 20;
    std::string fixed;           ///< words that the search must begin with, a space between them
    bool deadEndsShown = false;  ///< each in a row of its own, not folded into "+5"
    bool nextWord = false;       ///< of a translator, in the place of its search
    River river = River::Depth;
    double temperature = 1;  ///< of the next word
    int topK = 0;            ///< 0: all
    double topP = 1;

    bool operator==(const DecodeOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField::edited("search"), o.search, StageWords{"own", "set"});
        visit(StageField::edited("beam", 1, 1000), o.beam);
        visit(StageField::edited("scoring"), o.scoring, StageWords{"gnmt", "average", "none", "power"});
        visit(StageField::edited("penalty"), o.penalty);
        visit(StageField::edited("max_length", 1), o.maxLength);
        visit(StageField::edited("fixed"), o.fixed);
        visit(StageField{"dead_ends"}, o.deadEndsShown, StageWords{"folded", "shown"});
        visit(StageField{"next_word"}, o.nextWord, kOffOn);
        visit(StageField{"river"}, o.river, StageWords{"depth", "text"});
        visit(StageField::edited("temperature"), o.temperature);
        visit(StageField::edited("top_k"), o.topK);
        visit(StageField::edited("top_p"), o.topP);
    }
};

}  // namespace headlight

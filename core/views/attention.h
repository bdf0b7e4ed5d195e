// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// A block of heads, as lines, matrices, the text or the wall of all heads.
struct AttentionOptions {
    enum class Quantity { Weights, Scores, Rollout };
    enum class Picture { Lines, Heads, Text, Wall };
    enum class Pairs { All, FirstToSecond, SecondToFirst, WithinFirst, WithinSecond };
    enum class Order { Layer, Habit, Entropy, Distance, First, Importance };
    /// Any, and those of HeadHabit in their order.
    enum class Habit { Any, None, Previous, Next, Itself, SameWord, AfterSame, First, Punctuation, Alignment, Broad };

    Quantity quantity = Quantity::Weights;
    Picture picture = Picture::Lines;
    Order order = Order::Layer;         ///< of the heads on the wall
    Habit habit = Habit::Any;           ///< of those that are shown
    int firstLayer = 1, lastLayer = 0;  ///< on the wall; 0: the last that there is
    double least = 0.5;                 ///< weight from which on a head looks at a word

    StageTexts overlaid;  ///< heads of the block that are laid over the chosen one, counted from 1
    int top = 100;        ///< per cent of what each word gives that its lines show, the strongest first
    bool withoutSpecials = false, withoutFirst = false;  ///< special tokens, the first word: taken out
    Pairs pairs = Pairs::All;                            ///< of two sentences: which may be seen looking at which
    double zoom = 0;  ///< of the matrix, 1: all of it fits; 0: its cells are never too small to be read

    bool operator==(const AttentionOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"quantity"}, o.quantity, StageWords{"weights", "scores", "rollout"});
        visit(StageField{"picture"}, o.picture, StageWords{"lines", "heads", "text", "wall"});
        visit(StageField{"overlaid"}, o.overlaid);
        visit(StageField::counted("top", 1, 100), o.top);
        visit(StageField{"specials"}, o.withoutSpecials, kShownHidden);
        visit(StageField{"first_word"}, o.withoutFirst, kShownHidden);
        visit(StageField{"pairs"}, o.pairs,
              StageWords{"all", "first-to-second", "second-to-first", "within-first", "within-second"});
        visit(StageField{"zoom"}, o.zoom);
        visit(StageField{"order"}, o.order,
              StageWords{"layer", "habit", "entropy", "distance", "first-word", "importance"});
        visit(StageField{"habit"}, o.habit,
              StageWords{"any", "none", "previous", "next", "itself", "same-word", "after-same", "first", "punctuation",
                         "alignment", "broad"});
        visit(StageField::counted("first_layer"), o.firstLayer);
        visit(StageField{"last_layer"}, o.lastLayer);
        visit(StageField{"least_weight"}, o.least);
    }
};

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/views/stage_field.h"

namespace headlight {

/// The table of positions, drawn as curves or as hands of clocks.
struct PositionsOptions {
    enum class Table { Sinusoid, Model };
    enum class Waves { Curves, Hands };

    Table table = Table::Sinusoid;
    int length = 40, width = 64;
    double base = 10000;
    int word = 2;      ///< whose embedding meets its position
    int shuffles = 0;  ///< how often the words were shuffled
    Waves waves = Waves::Curves;
    int offset = 3;  ///< by which the hands are turned on

    bool operator==(const PositionsOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"table"}, o.table, StageWords{"sinusoid", "model"});
        visit(StageField::edited("length", 1, 512), o.length);
        visit(StageField::edited("width", 1, 512), o.width);
        visit(StageField::edited("base"), o.base);
        visit(StageField::counted("word"), o.word);
        visit(StageField::edited("shuffles"), o.shuffles);
        visit(StageField{"waves"}, o.waves, StageWords{"curves", "hands"});
        visit(StageField::edited("offset", 0, 512), o.offset);
    }
};

}  // namespace headlight

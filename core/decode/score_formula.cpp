// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decode/score_formula.h"

#include "core/number_text.h"

namespace headlight {

std::string scoreFormula(const LengthPenalty& penalty) {
    const std::string alpha = shortestNumber(penalty.alpha);
    switch (penalty.kind) {
        case LengthPenalty::Kind::None:
            break;
        case LengthPenalty::Kind::Average:
            return "log P / |y|";
        case LengthPenalty::Kind::Gnmt:
            return "log P / ((5 + |y|) / 6)^" + alpha;
        case LengthPenalty::Kind::Power:
            return "log P / |y|^" + alpha;
    }
    return "log P";
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/time_major.h"

namespace headlight {

std::pmr::vector<int> idsTimeMajor(const ForwardContext& context, const TokenBatch& tokens) {
    return timeMajor(context, tokens.batch, tokens.length, [&](int b, int t) {
        return tokens.ids[static_cast<size_t>(b) * static_cast<size_t>(tokens.length) + static_cast<size_t>(t)];
    });
}

Variable<float> sentenceMajor(ForwardContext& context, const Variable<float>& x, int batch, int length) {
    if (batch == 1) return x;
    const std::pmr::vector<int> rows = timeMajor(context, length, batch, [&](int t, int b) { return t * batch + b; });
    return ops::gatherRows(context.tape, x, rows);
}

}  // namespace headlight

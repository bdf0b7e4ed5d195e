// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/autograd/recurrent.h"
#include "core/models/token_batch.h"
#include "core/nn/context.h"

namespace headlight {

/// Recurrent layers read sentences side by side, step by step: row t·batch + b. Everything else reads them one after
/// another: row b·length + t. row(b, t) says what stands at step t of sentence b.
template <class Row>
std::pmr::vector<int> timeMajor(const ForwardContext& context, int batch, int length, Row row) {
    std::pmr::vector<int> rows(context.memory());
    rows.reserve(static_cast<size_t>(batch) * static_cast<size_t>(length));
    for (int t = 0; t < length; ++t)
        for (int b = 0; b < batch; ++b)
            rows.push_back(row(b, t));
    return rows;
}

/// The ids, step by step.
std::pmr::vector<int> idsTimeMajor(const ForwardContext& context, const TokenBatch& tokens);
/// Rows of a time-major matrix, sentence by sentence.
Variable<float> sentenceMajor(ForwardContext& context, const Variable<float>& x, int batch, int length);

}  // namespace headlight

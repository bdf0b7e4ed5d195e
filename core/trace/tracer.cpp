// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/tracer.h"

#include <algorithm>

namespace headlight {

void TraceRecorder::observe(TraceRecord record, const Tensor<float>& view) {
    // A value split by heads arrives as [tokens, heads·width] and is kept as [heads, tokens, width].
    const bool split = record.shape.size() == 3 && view.rows() == record.shape[1] && view.shape.rank() == 2;
    record.values.resize(view.count());
    float* out = record.values.data();
    const int heads = split ? record.shape[0] : 1;
    const int width = view.cols() / heads;
    for (int h = 0; h < heads; ++h)
        for (int r = 0; r < view.rows(); ++r, out += width)
            std::copy_n(view.row(r) + h * width, width, out);
    m_trace.append(std::move(record));
}

}  // namespace headlight

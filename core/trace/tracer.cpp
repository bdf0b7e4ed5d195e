// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/tracer.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"
#include "core/platform/process.h"

namespace headlight {

namespace {

/// What can be done without, the first to go first.
constexpr std::array dispensable{Part::Scores, Part::Mask, Part::Hidden, Part::Up};

/// Capped scores go with the scores.
Part goesWith(Part part) {
    return part == Part::CappedScores ? Part::Scores : part;
}

size_t bytesOf(const TraceRecord& record) {
    return record.values.size() * sizeof(float);
}

}  // namespace

bool TraceRecorder::isLeftOut(Part part) const {
    return std::ranges::find(m_leftOut, goesWith(part)) != m_leftOut.end();
}

/// Gives up kinds until so many bytes more have room.
void TraceRecorder::makeRoom(size_t bytes) {
    while (m_bytes + bytes > m_mostBytes) {
        if (m_leftOut.size() == dispensable.size())
            throw Error("the values of this text take more than " + std::to_string(m_mostBytes >> 20) +
                        " MiB, even without scores and hidden values: shorten it");
        const Part part = dispensable[m_leftOut.size()];
        m_leftOut.push_back(part);
        std::erase_if(m_records, [&](const TraceRecord& record) {
            if (goesWith(record.part) != part) return false;
            m_bytes -= bytesOf(record);
            return true;
        });
    }
}

void TraceRecorder::observe(TraceRecord record, const Tensor<float>& view) {
    if (!isLeftOut(record.part)) makeRoom(view.count() * sizeof(float));
    if (isLeftOut(record.part)) return;
    // A value split by heads arrives as [tokens, heads·width] and is kept as [heads, tokens, width].
    const bool split = record.shape.size() == 3 && view.rows() == record.shape[1] && view.shape.rank() == 2;
    const int heads = split ? record.shape[0] : 1, width = view.cols() / heads;
    record.values.reserve(view.count());
    platform::expectWriting(record.values.data(), view.count() * sizeof(float));
    for (int h = 0; h < heads; ++h)
        for (int r = 0; r < view.rows(); ++r) {
            const float* const row = view.row(r) + h * width;
            record.values.insert(record.values.end(), row, row + width);
        }
    m_bytes += bytesOf(record);
    m_records.push_back(std::move(record));
}

Trace TraceRecorder::take() {
    Trace trace;
    for (TraceRecord& record : m_records)
        trace.append(std::move(record));
    m_records.clear();
    m_bytes = 0;
    return trace;
}

}  // namespace headlight

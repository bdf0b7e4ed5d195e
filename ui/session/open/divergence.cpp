// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/divergence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

/// A flag a word of a side: the other trace read another one there. Behind it a decoder's words are others, too.
std::vector<char> otherWords(const Trace& a, const Trace& b, Axis axis) {
    if (axis != Axis::SourceToken && axis != Axis::TargetToken) return {};
    const bool decodes = axis == Axis::TargetToken;
    const std::vector<std::string>&own = decodes ? a.writtenTarget() : a.writtenSource(),
          &other = decodes ? b.writtenTarget() : b.writtenSource();
    std::vector<char> flags(own.size());
    for (size_t i = 0; i < own.size(); ++i)
        flags[i] = i >= other.size() || own[i] != other[i] || (decodes && i > 0 && flags[i - 1] != 0) ? 1 : 0;
    return std::ranges::none_of(flags, std::identity()) ? std::vector<char>() : flags;
}

/// Of cells that are compared.
class Distance {
public:
    void add(float first, float second) {
        if (!std::isfinite(first) || !std::isfinite(second)) return;
        const auto x = static_cast<double>(first), y = static_cast<double>(second);
        m_apart += (y - x) * (y - x);
        m_whole += x * x;
        m_any = true;
    }
    double relative() const {
        if (!m_any) return std::numeric_limits<double>::quiet_NaN();
        return m_apart == 0 ? 0 : std::sqrt(m_apart / std::max(m_whole, 1e-30));
    }

private:
    double m_apart = 0, m_whole = 0;
    bool m_any = false;
};

/// A row for each word, and no heads.
bool isByWord(const TraceRecord& record) {
    return record.axes.size() == 2 && (record.axes[0] == Axis::SourceToken || record.axes[0] == Axis::TargetToken);
}

/// What a module hands on, rather than a way there: the last that it makes; of the words to come their logits. An
/// encoder's result is what the decoder reads; a decoder's is its last layer's under another name.
bool isHandedOn(const TraceRecord& record) {
    const Module& module = record.owner();
    if (module.kind == ModuleKind::Result && module.place.stack != Stack::Encoder) return false;
    return isByWord(record) && record.operation != Operation::Input && record.part != Part::LogProbs &&
           record.part != Part::Positions;
}

}  // namespace

std::vector<char> incomparable(const Trace& a, const TraceRecord& value, const Trace& b) {
    const size_t axes = value.axes.size();
    const std::vector<char> rows = axes >= 2 ? otherWords(a, b, value.axes[axes - 2]) : std::vector<char>(),
                            columns = axes >= 1 ? otherWords(a, b, value.axes[axes - 1]) : std::vector<char>();
    if (rows.empty() && columns.empty()) return {};
    const auto height = static_cast<size_t>(matrixRows(value)), width = static_cast<size_t>(matrixColumns(value));
    const auto isOther = [](const std::vector<char>& flags, size_t at) { return at < flags.size() && flags[at] != 0; };
    std::vector<char> cells(height * width);
    for (size_t row = 0; row < height; ++row)
        for (size_t column = 0; column < width; ++column)
            cells[row * width + column] = isOther(rows, row) || isOther(columns, column) ? 1 : 0;
    return cells;
}

Divergence divergenceOf(const Trace& a, const TraceRecord& value, const Trace& b) {
    Divergence result{&value, std::numeric_limits<double>::quiet_NaN(), {}};
    const bool byWord = isByWord(value);
    if (byWord) result.rows.assign(static_cast<size_t>(value.shape[0]), result.whole);
    const TraceRecord* const other = b.find(value.name);
    if (!other || other->shape != value.shape) return result;
    const std::vector<char> flags = incomparable(a, value, b);
    Distance whole;
    std::vector<Distance> rows(result.rows.size());
    const size_t width = byWord ? static_cast<size_t>(value.shape[1]) : 1;
    for (size_t i = 0; i < value.values.size(); ++i) {
        if (!flags.empty() && flags[i % flags.size()] != 0) continue;
        whole.add(value.values[i], other->values[i]);
        if (byWord) rows[i / width].add(value.values[i], other->values[i]);
    }
    result.whole = whole.relative();
    for (size_t row = 0; row < rows.size(); ++row)
        result.rows[row] = rows[row].relative();
    return result;
}

std::vector<Divergence> divergences(const Trace& a, const Trace& b) {
    std::vector<const TraceRecord*> last;
    const auto belongTogether = [](const TraceRecord& one, const TraceRecord& other) {
        const Module &x = one.owner(), &y = other.owner();
        return x.scope == y.scope || (x.place.section == Section::Start && x.place == y.place);
    };
    for (const TraceRecord& record : a.records()) {
        if (!isHandedOn(record)) continue;
        const auto before =
            std::ranges::find_if(last, [&](const TraceRecord* other) { return belongTogether(*other, record); });
        // It stands where the last of them is computed: what goes around a sublayer is added behind it.
        if (before != last.end()) last.erase(before);
        last.push_back(&record);
    }
    std::vector<Divergence> result;
    result.reserve(last.size());
    for (const TraceRecord* record : last)
        result.push_back(divergenceOf(a, *record, b));
    return result;
}

}  // namespace headlight

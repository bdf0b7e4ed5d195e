// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/hand_change.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/experiment/interventions.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr int kAll = 0;

/// Where a change acts: head, row and column from 1, of a value without heads the head being all.
struct Place {
    int head = kAll, row = kAll, column = kAll;

    bool has(int h, int r, int c) const {
        const auto named = [](int index, int place) { return index == kAll || index == place + 1; };
        return named(head, h) && named(row, r) && named(column, c);
    }
};

Place placeOf(const HandChange& change, const TraceRecord& record) {
    const size_t leading = record.shape.size() > 2 ? 0 : 1;
    if (change.indices.size() + leading > 3)
        throw Error("\"" + change.text() + "\": " + change.name +
                    (leading ? " has rows and columns" : " has heads, rows and columns"));
    Place place;
    int* const named[] = {&place.head, &place.row, &place.column};
    for (size_t i = 0; i < change.indices.size(); ++i)
        *named[leading + i] = change.indices[i];
    const size_t rank = record.shape.size();
    const int counts[] = {rank > 2 ? record.dim(0) : 1, record.shape[rank - 2], record.shape.back()};
    const char* const what[] = {"heads", "rows", "columns"};
    for (size_t i = 0; i < 3; ++i)
        if (*named[i] > counts[i])
            throw Error("\"" + change.text() + "\": " + change.name + " has " + std::to_string(counts[i]) + ' ' +
                        what[i]);
    return place;
}

TracePlace tracePlace(const std::string& name, const Place& place) {
    TracePlace at{name, place.head - 1};
    if (place.row != kAll) at.rows = {place.row - 1};
    if (place.column != kAll) at.columns = {place.column - 1};
    return at;
}

/// Of a word that is masked wherever it is looked at: the axis that it stands on; nothing of other changes.
std::optional<Axis> maskedAxis(const HandChange& change) {
    if (change.name == "source.mask") return Axis::SourceToken;
    if (change.name == "target.mask") return Axis::TargetToken;
    return {};
}

bool isMaskOf(const TraceRecord& record, Axis axis) {
    return record.is(ModuleKind::Attention, Part::Mask) && record.axes.back() == axis;
}

/// A recurrent decoder's attention has no mask of its own: its scores are masked.
bool masksScoresOf(const TraceRecord& record, Axis axis) {
    return record.is(ModuleKind::Attention, Part::Scores) && record.axes.size() == 2 && record.axes.back() == axis;
}

void checkMask(const HandChange& change, const TraceRecord& record) {
    const bool isMask = record.is(ModuleKind::Attention, Part::Mask);
    if (isMask && (change.multiplies || (change.number != 0 && std::isfinite(change.number))))
        throw Error("\"" + change.text() + "\": a mask is 0 or -inf");
    if (!isMask && !record.is(ModuleKind::Attention, Part::Scores) && std::isinf(change.number))
        throw Error("\"" + change.text() + "\": -inf masks cells of scores and of masks alone");
}

/// The masks of every attention that looks at a word.
void maskWord(const HandChange& change, Axis axis, const Trace& trace, std::vector<Intervention>& list) {
    if (change.indices.size() != 1 || change.indices[0] == kAll || change.multiplies ||
        (change.number != 0 && std::isfinite(change.number)))
        throw Error("\"" + change.text() + "\": write a word's number from 1, and -inf or 0: " + change.name +
                    "[3]=-inf");
    const size_t before = list.size();
    for (const TraceRecord& record : trace.records()) {
        if (!isMaskOf(record, axis) && !masksScoresOf(record, axis)) continue;
        if (change.indices[0] > record.shape.back())
            throw Error("\"" + change.text() + "\": there are " + std::to_string(record.shape.back()) + " words");
        Intervention each = replacedByZero({record.name, -1, {}, {change.indices[0] - 1}});
        each.values = {change.number};
        list.push_back(std::move(each));
    }
    if (list.size() == before) throw Error("\"" + change.text() + "\": no attention of this model looks at it");
}

/// The rows of an attention's weights, as they are with what was set in them.
class SetWeights {
public:
    explicit SetWeights(const TraceRecord& record)
        : m_record(record),
          m_heads(record.shape.size() > 2 ? record.dim(0) : 1),
          m_rows(record.shape[record.shape.size() - 2]),
          m_columns(record.shape.back()),
          m_values(record.values),
          m_set(record.values.size(), false) {}

    void set(const HandChange& change, const Place& place) {
        for (int head = 0; head < m_heads; ++head)
            for (int row = 0; row < m_rows; ++row)
                for (int column = 0; column < m_columns; ++column)
                    if (const size_t at = indexOf(head, row, column); place.has(head, row, column)) {
                        m_values[at] = change.multiplies ? m_values[at] * change.number : change.number;
                        m_set[at] = true;
                    }
    }

    void addTo(std::vector<Intervention>& list) {
        for (int head = 0; head < m_heads; ++head)
            for (int row = 0; row < m_rows; ++row)
                if (const size_t first = indexOf(head, row, 0); share(first)) {
                    Intervention change{
                        .place = m_record.name, .head = m_record.shape.size() > 2 ? head : -1, .rows = {row}};
                    for (int column = 0; column < m_columns; ++column)
                        change.columns.push_back(column);
                    const auto begin = m_values.begin() + static_cast<std::ptrdiff_t>(first);
                    change.values.assign(begin, begin + m_columns);
                    change.valueColumns = m_columns;
                    list.push_back(std::move(change));
                }
    }

private:
    size_t indexOf(int head, int row, int column) const {
        return (static_cast<size_t>(head) * static_cast<size_t>(m_rows) + static_cast<size_t>(row)) *
                   static_cast<size_t>(m_columns) +
               static_cast<size_t>(column);
    }

    /// Gives the other weights of a row what is left of one; false: nothing is set there.
    bool share(size_t first) {
        double set = 0, others = 0;
        bool any = false;
        for (size_t at = first; at < first + static_cast<size_t>(m_columns); ++at) {
            if (m_set[at] && !(m_values[at] >= 0))
                throw Error("a weight of " + m_record.name + " cannot be below 0: change its scores instead");
            (m_set[at] ? set : others) += static_cast<double>(m_values[at]);
            any = any || m_set[at];
        }
        if (!any) return false;
        constexpr double kRounding = 1e-5;
        if (set > 1 + kRounding)
            throw Error("the weights that are set in a row of " + m_record.name + " sum to more than one");
        const double factor = others > 0 ? std::max(0.0, 1 - set) / others : 0;
        for (size_t at = first; at < first + static_cast<size_t>(m_columns); ++at)
            if (!m_set[at]) m_values[at] = static_cast<float>(static_cast<double>(m_values[at]) * factor);
        return true;
    }

    const TraceRecord& m_record;
    int m_heads, m_rows, m_columns;
    std::vector<float> m_values;
    std::vector<bool> m_set;
};

}  // namespace

std::string HandChange::text() const {
    std::string result = name;
    for (size_t i = 0; i < indices.size(); ++i)
        result += (i == 0 ? "[" : ",") + (indices[i] == kAll ? std::string(":") : std::to_string(indices[i]));
    if (!indices.empty()) result += ']';
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return result + (multiplies ? "*=" : "=") + std::string(digits, end);
}

HandChange parseHandChange(const std::string& text) {
    const auto fail = [&]() -> Error {
        return Error("\"" + text +
                     "\" is no change of a value: write it as encoder.layers.0.self_attn.weights[1,3,2]=0.5");
    };
    HandChange change;
    const size_t equals = text.find('=');
    if (equals == std::string::npos) throw fail();
    change.multiplies = equals > 0 && text[equals - 1] == '*';
    const std::string place = text.substr(0, equals - (change.multiplies ? 1 : 0));
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, change.number);
    const bool masks = change.number == -std::numeric_limits<float>::infinity() && !change.multiplies;
    if (error != std::errc() || stop != end || (!std::isfinite(change.number) && !masks)) throw fail();
    const size_t bracket = place.find('[');
    change.name = place.substr(0, bracket);
    if (change.name.empty()) throw fail();
    if (bracket == std::string::npos) return change;
    if (place.back() != ']') throw fail();
    for (size_t at = bracket + 1; at < place.size();) {
        const size_t next = place.find_first_of(",]", at);
        const std::string index = place.substr(at, next - at);
        int number = kAll;
        if (index != ":" && (!readNumber(index, number) || number < 1)) throw fail();
        change.indices.push_back(number);
        at = next + 1;
    }
    if (change.indices.size() > 3) throw fail();
    return change;
}

std::vector<Intervention> interventionsOf(const std::vector<HandChange>& changes, const Trace& trace) {
    std::vector<Intervention> list;
    std::map<std::string, SetWeights> weights;
    for (const HandChange& change : changes) {
        if (const std::optional<Axis> axis = maskedAxis(change)) {
            maskWord(change, *axis, trace, list);
            continue;
        }
        takenFrom(trace, {change.name});  // says what is wrong with the name
        const TraceRecord& record = *trace.find(change.name);
        const Place place = placeOf(change, record);
        checkMask(change, record);
        if (record.is(ModuleKind::Attention, Part::Weights)) {
            weights.try_emplace(change.name, record).first->second.set(change, place);
            continue;
        }
        Intervention each = scaled(tracePlace(change.name, place), change.number);
        if (!change.multiplies) each.act = Intervention::Act::Replace;
        list.push_back(std::move(each));
    }
    for (auto& [name, rows] : weights)
        rows.addTo(list);
    return list;
}

bool actsOn(const HandChange& change, const TraceRecord& record) {
    const std::optional<Axis> axis = maskedAxis(change);
    return axis ? isMaskOf(record, *axis) || masksScoresOf(record, *axis) : change.name == record.name;
}

bool isChanged(const std::vector<HandChange>& changes, const TraceRecord& record, int head, int row, int column) {
    return std::ranges::any_of(changes, [&](const HandChange& change) {
        if (!actsOn(change, record)) return false;
        return maskedAxis(change) ? column + 1 == change.indices.front()
                                  : placeOf(change, record).has(head, row, column);
    });
}

}  // namespace headlight

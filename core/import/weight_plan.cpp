// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/weight_plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/io/safetensors_header.h"

namespace headlight {

namespace {

/// `*` stands for any run of characters. Where what follows a star does not fit, the star takes one more: so the time
/// is at most the product of the lengths, whatever a stranger's pattern is.
bool matches(std::string_view pattern, std::string_view text) {
    size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p, ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string text(const std::vector<int64_t>& shape) {
    std::string result;
    for (const int64_t dim : shape)
        result += (result.empty() ? "" : "×") + std::to_string(dim);
    return result.empty() ? "a single number" : result;
}

/// Without dimensions of one in front: a bias may be kept as a row.
std::vector<int64_t> withoutLeadingOnes(std::vector<int64_t> shape, size_t rank) {
    while (shape.size() > rank && shape.front() == 1)
        shape.erase(shape.begin());
    return shape;
}

enum class HeadOrder { OfTheFile, Ours };

/// Rows of queries, keys and values: head by head in the file, all of a kind together with us.
void reorderHeads(std::span<const float> in, size_t heads, std::span<float> out, HeadOrder wanted) {
    const size_t block = in.size() / (3 * heads);
    for (size_t part = 0; part < 3; ++part)
        for (size_t head = 0; head < heads; ++head) {
            const size_t ours = (part * heads + head) * block, theirs = (head * 3 + part) * block;
            const bool toOurs = wanted == HeadOrder::Ours;
            std::copy_n(in.data() + (toOurs ? theirs : ours), block, out.data() + (toOurs ? ours : theirs));
        }
}

/// → out [columns, rows] of in [rows, columns], tile by tile so that both stay in the cache.
void transpose(std::span<const float> in, size_t rows, size_t columns, std::span<float> out) {
    constexpr size_t tile = 32;
    for (size_t top = 0; top < rows; top += tile)
        for (size_t left = 0; left < columns; left += tile)
            for (size_t c = left; c < std::min(columns, left + tile); ++c)
                for (size_t r = top; r < std::min(rows, top + tile); ++r)
                    out[c * rows + r] = in[r * columns + c];
}

}  // namespace

void WeightPlan::copy(const std::string& ours, const std::string& theirs, Layout layout) {
    m_sources[ours] = {.theirs = {theirs}, .layout = layout};
}

void WeightPlan::stack(const std::string& ours, const std::vector<std::string>& theirs) {
    m_sources[ours] = {.theirs = theirs};
}

void WeightPlan::rows(const std::string& ours, const std::string& theirs, int first, int all) {
    m_sources[ours] = {.theirs = {theirs}, .firstRow = first, .allRows = all};
}

void WeightPlan::headByHead(const std::string& ours, const std::string& theirs, int heads) {
    m_sources[ours] = {.theirs = {theirs}, .heads = heads};
}

void WeightPlan::projections(const std::string& attention, const std::vector<std::string>& maps) {
    for (const char* part : {"weight", "bias"}) {
        std::vector<std::string> theirs;
        theirs.reserve(maps.size());
        for (const std::string& map : maps)
            theirs.push_back(map + "." + part);
        stack(attention + ".in_proj_" + part, theirs);
    }
}

void WeightPlan::head(const std::string& theirs, bool tied, const std::string& embedding) {
    if (tied)
        again(theirs, embedding);
    else
        copy("generator.weight", theirs);
}

void WeightPlan::module(const std::string& ours, const std::string& theirs, Layout layout) {
    copy(ours + ".weight", theirs + ".weight", layout);
    copy(ours + ".bias", theirs + ".bias");
}

void WeightPlan::copyOrZeros(const std::string& ours, const std::string& theirs) {
    m_sources[ours] = {.theirs = {theirs}, .mayLack = true};
}

void WeightPlan::sameNames(const ParameterSet& parameters) {
    for (const ParameterSet::Entry& entry : parameters.entries()) {
        Source& source = m_sources[entry.name] = {.theirs = {entry.name}};
        if (entry.twin.empty() || !m_files.has(entry.twin)) continue;
        source.theirs.push_back(entry.twin);
        source.join = Source::Join::Sum;
    }
}

std::vector<WeightPlan::Piece> WeightPlan::pieces(const ParameterSet& parameters, int keyWidth) const {
    std::vector<Piece> result;
    for (const ParameterSet::Entry& entry : parameters.entries()) {
        const auto found = m_sources.find(entry.name);
        if (found == m_sources.end()) continue;
        const Source& source = found->second;
        std::vector<int64_t> shape;
        shape.reserve(Shape::maxRank);
        for (int axis = 0; axis < entry.shape.rank(); ++axis)
            shape.push_back(entry.shape.dim(axis));
        std::span<const float> numbers = parameters.flat().subspan(entry.offset, entry.shape.count());
        if (source.mayLack) shape.insert(shape.begin(), 1);
        if (source.layout == Layout::InOut) std::ranges::reverse(shape);
        if (source.allRows > 0) shape.front() = source.allRows;
        if (source.theirs.size() == 1) {
            result.push_back(
                {source.theirs.front(), shape, numbers, source.layout, source.firstRow, source.allRows, source.heads});
            continue;
        }
        const size_t width = numbers.size() / static_cast<size_t>(shape[0]);
        const std::array rows{shape[0] - 2 * keyWidth, int64_t{keyWidth}, int64_t{keyWidth}};
        for (size_t part = 0; part < source.theirs.size(); ++part) {
            const size_t count = static_cast<size_t>(rows[part]) * width;
            shape[0] = rows[part];
            result.push_back({source.theirs[part], shape, numbers.first(count)});
            numbers = numbers.subspan(count);
        }
    }
    return result;
}

std::map<std::string, std::vector<int64_t>> WeightPlan::shapes(const ParameterSet& parameters, int keyWidth) const {
    std::map<std::string, std::vector<int64_t>> result;
    for (const Piece& piece : pieces(parameters, keyWidth))
        result[piece.theirs] = piece.shape;
    return result;
}

void WeightPlan::write(const ParameterSet& parameters, int keyWidth, std::string (*fileName)(const std::string&),
                       std::list<std::vector<float>>& turned, safetensors::Writer& writer) const {
    std::map<std::string, std::pair<std::vector<int64_t>, std::span<float>>> whole;  // of which there are parts
    for (Piece& piece : pieces(parameters, keyWidth)) {
        if (piece.allRows > 0) {
            auto& [shape, numbers] = whole[piece.theirs];
            const size_t width = piece.shape.size() == 2 ? static_cast<size_t>(piece.shape[1]) : 1;
            if (shape.empty()) {
                shape = piece.shape;
                numbers = turned.emplace_back(static_cast<size_t>(piece.allRows) * width);
            }
            std::ranges::copy(piece.numbers, numbers.begin() + static_cast<std::ptrdiff_t>(
                                                                   static_cast<size_t>(piece.firstRow) * width));
            continue;
        }
        if (piece.heads > 0) {
            std::vector<float>& copy = turned.emplace_back(piece.numbers.size());
            reorderHeads(piece.numbers, static_cast<size_t>(piece.heads), copy, HeadOrder::OfTheFile);
            piece.numbers = copy;
        }
        if (piece.layout == Layout::InOut && piece.shape.size() == 2) {
            std::vector<float>& copy = turned.emplace_back(piece.numbers.size());
            transpose(piece.numbers, static_cast<size_t>(piece.shape[1]), static_cast<size_t>(piece.shape[0]), copy);
            piece.numbers = copy;
        }
        writer.add(fileName(piece.theirs), piece.shape, piece.numbers);
    }
    for (const auto& [theirs, tensor] : whole)
        writer.add(fileName(theirs), tensor.first, tensor.second);
}

void WeightPlan::refuseSurplus(const ParameterSet& parameters) const {
    std::set<std::string> used;
    for (const ParameterSet::Entry& entry : parameters.entries())
        if (const auto source = m_sources.find(entry.name); source != m_sources.end())
            used.insert(source->second.theirs.begin(), source->second.theirs.end());
    for (const std::string& name : m_files.names()) {
        const auto isName = [&](const std::string& pattern) { return matches(pattern, name); };
        if (!used.count(name) && !m_copies.count(name) && std::ranges::none_of(m_ignored, isName))
            throw Error(m_files.where(name) +
                        " has no place in a model of its kind: Headlight would compute something else than the "
                        "program that wrote it");
    }
}

/// Before the other weights are read, so that the two that are compared are all that takes memory.
void WeightPlan::compareCopies(ParameterSet& parameters) const {
    for (const auto& [theirs, ours] : m_copies) {
        const auto entry = std::ranges::find(parameters.entries(), ours, &ParameterSet::Entry::name);
        if (!m_files.has(theirs) || entry == parameters.entries().end() || !m_sources.count(ours)) continue;
        const Source& source = m_sources.at(ours);
        const std::span<float> values = parameters.flat().subspan(entry->offset, entry->shape.count());
        read(*entry, source, values);
        std::vector<float> copy(values.size());
        readPart(theirs, source.layout, entry->shape, copy);
        if (!std::ranges::equal(copy, values))
            throw Error(m_files.where(theirs) + " and " + safetensors::quotedName(source.theirs.front()) +
                        " hold different numbers, and the configuration makes them one: correct tie_word_embeddings, "
                        "or take out the one that the model does not use");
    }
}

void WeightPlan::fill(ParameterSet& parameters) const {
    refuseSurplus(parameters);
    compareCopies(parameters);
    for (const ParameterSet::Entry& entry : parameters.entries()) {
        const auto source = m_sources.find(entry.name);
        if (source == m_sources.end())
            throw Error(m_files.name() + " has nothing that could be " + entry.name +
                        ": its weights and its configuration do not belong together");
        read(entry, source->second, parameters.flat().subspan(entry.offset, entry.shape.count()));
    }
}

void WeightPlan::read(const ParameterSet::Entry& entry, const Source& source, std::span<float> values) const {
    if (source.mayLack && !m_files.has(source.theirs.front())) {
        std::ranges::fill(values, 0.0f);
        return;
    }
    if (source.join == Source::Join::Sum) {
        std::vector<float> part(values.size());
        std::ranges::fill(values, 0.0f);
        for (const std::string& theirs : source.theirs) {
            readPart(theirs, source.layout, entry.shape, part);
            std::ranges::transform(values, part, values.begin(), std::plus<>());
        }
        return;
    }
    if (source.allRows > 0) return readRows(entry, source, values);
    if (source.theirs.size() == 1) {
        readPart(source.theirs.front(), source.layout, entry.shape, values);
        if (source.heads == 0) return;
        const std::vector<float> stored(values.begin(), values.end());
        return reorderHeads(stored, static_cast<size_t>(source.heads), values, HeadOrder::Ours);
    }
    const int rank = entry.shape.rank();
    int64_t left = entry.shape.dim(0);
    for (const std::string& theirs : source.theirs) {
        const std::vector<int64_t>& shape = m_files.shape(theirs);
        const int64_t rows = shape.empty() ? 0 : shape.front();
        if (rows > left) left = -1;
        if (left < 0) break;
        left -= rows;
        const Shape wanted =
            rank == 1 ? Shape{static_cast<int>(rows)} : Shape{static_cast<int>(rows), entry.shape.dim(1)};
        readPart(theirs, source.layout, wanted, values.first(wanted.count()));
        values = values.subspan(wanted.count());
    }
    if (left != 0)
        throw Error(m_files.where(source.theirs.back()) + " and those beside it do not have the " +
                    std::to_string(entry.shape.dim(0)) + " rows together that the configuration makes of them");
}

void WeightPlan::readRows(const ParameterSet::Entry& entry, const Source& source, std::span<float> values) const {
    const bool isMatrix = entry.shape.rank() == 2;
    const Shape whole = isMatrix ? Shape{source.allRows, entry.shape.dim(1)} : Shape{source.allRows};
    std::vector<float> stored(whole.count());
    readPart(source.theirs.front(), source.layout, whole, stored);
    const size_t width = isMatrix ? static_cast<size_t>(entry.shape.dim(1)) : 1;
    std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(source.firstRow) * width),
                values.size(), values.begin());
}

void WeightPlan::readPart(const std::string& theirs, Layout layout, Shape wanted, std::span<float> values) const {
    std::vector<int64_t> dims;
    dims.reserve(Shape::maxRank);
    for (int axis = 0; axis < wanted.rank(); ++axis)
        dims.push_back(wanted.dim(axis));
    if (layout == Layout::InOut) std::ranges::reverse(dims);
    const std::vector<int64_t> shape = withoutLeadingOnes(m_files.shape(theirs), dims.size());
    if (shape != dims)
        throw Error(m_files.where(theirs) + " is " + text(m_files.shape(theirs)) + ", and the configuration makes it " +
                    text(dims) + ": the two do not belong together");
    if (layout == Layout::OutIn) {
        m_files.read(theirs, values);
        return;
    }
    const std::vector<float> stored = m_files.read(theirs);
    transpose(stored, static_cast<size_t>(dims[0]), static_cast<size_t>(dims[1]), values);
}

}  // namespace headlight

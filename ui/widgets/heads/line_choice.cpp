// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/heads/line_choice.h"

#include <algorithm>
#include <tuple>

namespace headlight {
namespace {

constexpr size_t kFewestAllowed = 64, kMostAllowed = 4096;

struct Row {
    std::vector<AttentionLine> lines;
    size_t possible = 0, faint = 0;
    double sum = 0;
};

Row rowOf(const LineWeights& weights, int head, int row, double share) {
    const auto columns = static_cast<size_t>(weights.columns);
    const size_t cell = static_cast<size_t>(row) * columns;
    const float* const values =
        weights.values.data() + static_cast<size_t>(head) * static_cast<size_t>(weights.rows) * columns + cell;
    Row result;
    AttentionLine strongest;
    for (size_t column = 0; column < columns; ++column) {
        const float weight = values[column];
        if (!(weight > 0) || weights.isLeftOut(cell + column)) continue;
        ++result.possible;
        result.sum += static_cast<double>(weight);
        const AttentionLine line{head, row, static_cast<int>(column), weight};
        if (weight > strongest.weight) strongest = line;
        if (weight >= kFaintestLine)
            result.lines.push_back(line);
        else
            ++result.faint;
    }
    if (result.lines.empty() && result.possible > 0) result.lines.push_back(strongest);
    std::ranges::stable_sort(result.lines, std::ranges::greater(), &AttentionLine::weight);
    double held = 0;
    size_t kept = 0;
    while (kept < result.lines.size() && (kept == 0 || held < share * result.sum))
        held += static_cast<double>(result.lines[kept++].weight);
    result.lines.resize(kept);
    return result;
}

}  // namespace

std::vector<AttentionLine> linesOfRow(const LineWeights& weights, int head, int row, double share) {
    return rowOf(weights, head, row, share).lines;
}

LineChoice chooseLines(const LineWeights& weights, double share) {
    LineChoice choice;
    double all = 0, held = 0;
    for (int row = 0; row < weights.rows; ++row)
        for (int head = 0; head < weights.heads; ++head) {
            const Row each = rowOf(weights, head, row, share);
            choice.possible += each.possible;
            choice.faint += each.faint;
            all += each.sum;
            choice.lines.insert(choice.lines.end(), each.lines.begin(), each.lines.end());
        }
    const size_t most = std::clamp(2 * static_cast<size_t>(weights.rows) * static_cast<size_t>(weights.heads),
                                   kFewestAllowed, kMostAllowed);
    if (choice.lines.size() > most) {
        choice.crowded = choice.lines.size() - most;
        const auto last = choice.lines.begin() + static_cast<std::ptrdiff_t>(most);
        std::ranges::nth_element(choice.lines, last, std::ranges::greater(), &AttentionLine::weight);
        choice.lines.resize(most);
    }
    std::ranges::sort(choice.lines, {},
                      [](const AttentionLine& line) { return std::tuple(line.row, line.head, line.column); });
    size_t drawnFaint = 0;
    for (const AttentionLine& line : choice.lines) {
        held += static_cast<double>(line.weight);
        if (line.weight < kFaintestLine) ++drawnFaint;
    }
    choice.faint -= drawnFaint;
    choice.share = all > 0 ? held / all : 0;
    return choice;
}

}  // namespace headlight

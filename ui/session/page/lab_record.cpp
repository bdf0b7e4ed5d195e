// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/lab_record.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "ui/session/page/packed.h"
#include "ui/session/page/reading_record.h"

namespace headlight {

namespace {

using nlohmann::json;

/// Rows alike at distances up to that are told.
constexpr int kReach = 20;

json flags(const std::vector<char>& cells) {
    json result = json::array();
    for (const char cell : cells)
        result.push_back(cell != 0 ? 1 : 0);
    return result;
}

}  // namespace

json maskRecord(const ShownMask& shown) {
    const auto length = static_cast<int>(shown.words.size());
    json ways = json::array();
    for (const MaskingWay way : {MaskingWay::AddMinusInfinity, MaskingWay::AddMinusABillion,
                                 MaskingWay::MultiplyMinusInfinity, MaskingWay::AfterSoftmax}) {
        const MaskedAttention made = maskedAttention(shown.scores, shown.blocked, length, length, way);
        ways.push_back({{"scores", packed(made.scores)}, {"weights", packed(made.weights)}});
    }
    return {{"lab", "masks"},
            {"scope", shown.scope.toStdString()},
            {"head", shown.head + 1},
            {"words", wordsOf(shown.words)},
            {"scores", packed(shown.scores)},
            {"original", flags(shown.original)},
            {"blocked", flags(shown.blocked)},
            {"way", static_cast<int>(shown.way)},
            {"ways", std::move(ways)}};
}

json positionRecord(const ShownPositions& shown) {
    const PositionTable& table = shown.table;
    const int reach = std::clamp(table.length - 1, 1, kReach);
    json record{{"lab", "positions"},
                {"rows", table.length},
                {"columns", table.width},
                {"numbers", packed(table.values)},
                {"learned", shown.isLearned},
                {"cell", {shown.position, shown.dimension}},
                {"reach", reach},
                {"alike", similarityByOffset(table, reach)}};
    if (shown.isLearned) return record;
    record["base"] = shown.base;
    record["pairs"] = json::array();
    const bool halves = shown.layout == SinusoidLayout::Halves;
    const int sines = (table.width + 1) / 2;
    for (int pair = 0; pair < sines; ++pair) {
        const int cosine = halves ? sines + pair : 2 * pair + 1;
        record["pairs"].push_back({{"sine", halves ? pair : 2 * pair},
                                   {"cosine", cosine < table.width ? cosine : -1},  // odd widths lack the last one
                                   {"frequency", std::pow(shown.base, -2.0 * pair / table.width)}});
    }
    if (shown.hands) record["offset"] = shown.offset;
    return record;
}

json lossRecord(const LossShown& shown) {
    const LossPicture& picture = *shown.picture;
    const size_t bytes =
        static_cast<size_t>(picture.words()) * static_cast<size_t>(picture.vocabulary()) * sizeof(float);
    if (bytes > mostPageBytes) throw Error("the page would hold the logits of a vocabulary that is too large for it");
    json record{{"lab", "loss"},       {"chosen", shown.chosen}, {"smoothing", shown.smoothing}, {"steps", shown.steps},
                {"rate", descentRate}, {"words", json::array()}, {"vocabulary", json::array()}};
    for (int word = 0; word < picture.vocabulary(); ++word)
        record["vocabulary"].push_back(picture.word(word).toStdString());
    for (int index = 0; index < picture.words(); ++index) {
        const WordCost& cost = picture.costs()[static_cast<size_t>(index)];
        const WordLoss open = picture.open(index, shown.smoothing);
        const std::vector<float> logits(open.logits().begin(), open.logits().end());
        record["words"].push_back({{"before", picture.before(index).toStdString()},
                                   {"target", cost.target},
                                   {"row", cost.position},
                                   {"logits", packed(logits)},
                                   {"plain", cost.plain()},
                                   {"loss", cost.loss(shown.smoothing)}});
    }
    return record;
}

}  // namespace headlight

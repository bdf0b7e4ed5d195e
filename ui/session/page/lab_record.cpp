// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/page/lab_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

const char* kindWord(NgramMatch::Kind kind) {
    switch (kind) {
        case NgramMatch::Kind::Found:
            return "found";
        case NgramMatch::Kind::Absent:
            return "absent";
        case NgramMatch::Kind::Clipped:
            break;
    }
    return "clipped";
}

/// `shown`: the sentence that stands above it, which may be one of them.
json setRecord(const TestScores& set, const SentenceBleu& shown) {
    json record{{"sentences", json::array()}, {"sums", json::array()}, {"means", json::array()}};
    for (size_t sentence = 0; sentence < set.scores.size(); ++sentence) {
        if (!set.isRead(sentence)) continue;
        json scores = json::array();
        for (size_t order = 1; order <= longestNgram; ++order)
            scores.push_back(set.scoreOf(sentence, order));
        const SentenceBleu& each = set.scores[sentence];
        const bool isShown = each.hypothesis == shown.hypothesis && !shown.references.empty() &&
                             each.references.front() == shown.references.front();
        record["sentences"].push_back(
            {{"words", each.hypothesis.size()}, {"scores", std::move(scores)}, {"shown", isShown}});
    }
    for (size_t order = 1; order <= longestNgram; ++order) {
        record["sums"].push_back(set.sum(order).score);
        record["means"].push_back(set.mean(order));
    }
    return record;
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

json bleuRecord(const SentenceBleu& sentence, int order, const std::vector<std::string>& given, const TestScores* set) {
    const auto texts = [](const std::vector<std::string>& words) { return json(words); };
    json record{{"lab", "bleu"},
                {"hypothesis", texts(sentence.hypothesis)},
                {"references", json::array()},
                {"ngrams", json::array()},
                {"scores", json::array()},
                {"order", order},
                {"given", given}};
    for (const std::vector<std::string>& reference : sentence.references)
        record["references"].push_back(texts(reference));
    for (const std::vector<NgramMatch>& all : sentence.ngrams) {
        json row = json::array();
        for (const NgramMatch& match : all)
            row.push_back({{"kind", kindWord(match.kind)},
                           {"reference", match.reference},
                           {"place", match.place},
                           {"written", match.written},
                           {"held", match.held}});
        record["ngrams"].push_back(std::move(row));
    }
    for (size_t longest = 1; longest <= longestNgram; ++longest) {
        const Bleu bleu = summedBleu({&sentence.bleu, 1}, longest);
        record["scores"].push_back({{"score", bleu.score},
                                    {"brevity", bleu.brevityPenalty},
                                    {"precisions", bleu.precisions},
                                    {"matches", bleu.matches},
                                    {"totals", bleu.totals},
                                    {"length", bleu.hypothesisLength},
                                    {"reference", bleu.referenceLength}});
    }
    if (set) record["set"] = setRecord(*set, sentence);
    return record;
}

}  // namespace headlight

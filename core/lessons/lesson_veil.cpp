// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_veil.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/lessons/lesson_blocks.h"

namespace headlight {

namespace {

constexpr std::string_view kKinds[] = {"shares", "number", "cell", "curve"};

/// The axis beside a curve is told before there is a curve: the engine's own would tell its height.
void checkCurve(const LessonVeil& veil, int first, MistakeList& mistakes) {
    const bool isCurve = veil.predict == LessonVeil::Predict::Curve;
    for (const char* key : {"range", "axis", "across"})
        if (!isCurve && veil.lines.contains(key))
            mistakes.add(veil.lines.at(key), std::string("only a veil that has a curve predicted has \"") + key + "\"");
    if (!isCurve) return;
    if (!(veil.least < veil.most) || (veil.isByTens && veil.least <= 0))
        mistakes.add(first, veil.isByTens ? "a curve by powers of ten needs range: [LEAST, MOST], both above 0"
                                          : "a curve needs the ends of its axis: range: [LEAST, MOST]");
    if (veil.across.empty()) mistakes.add(first, "a curve needs what is counted below it: across: words back");
}

void checkVeil(const LessonVeil& veil, int first, MistakeList& mistakes) {
    for (const auto& [key, value] : {std::pair("ask", &veil.ask), std::pair("after", &veil.after)})
        if (value->empty()) mistakes.add(first, std::string("the veil lacks \"") + key + "\"");
    if (veil.hidden.empty()) mistakes.add(first, "the veil hides nothing: hide: NAME[row], or NAME[row,column]");
    checkCurve(veil, first, mistakes);
}

void readHidden(const YAML::Node& node, int at, LessonVeil& veil, MistakeList& mistakes) {
    std::vector<std::string> names{flat(node)};
    if (node.IsSequence()) {
        names.clear();
        for (const YAML::Node& each : node)
            names.push_back(flat(each));
    }
    for (const std::string& name : names)
        if (const auto number = parseNumberName(name); number && number->word.empty())
            veil.hidden.push_back(*number);
        else
            mistakes.add(at, "\"" + name + "\" is no number's or row's name: write NAME[row] or NAME[row,column]");
}

void readRange(const YAML::Node& node, int at, LessonVeil& veil, MistakeList& mistakes) {
    const bool isRange = node.IsSequence() && node.size() == 2 && YAML::convert<double>::decode(node[0], veil.least) &&
                         YAML::convert<double>::decode(node[1], veil.most) && std::isfinite(veil.least) &&
                         std::isfinite(veil.most);
    if (isRange) return;
    veil.least = veil.most = 0;
    mistakes.add(at, "range: write the two ends, [0, 1]");
}

void readVeilKey(const std::string& key, const YAML::Node& node, int at, LessonVeil& veil, MistakeList& mistakes) {
    const std::string value = flat(node);
    if (key == "ask") {
        veil.ask = value;
    } else if (key == "after") {
        veil.after = value;
    } else if (key == "predict") {
        const auto* const kind = std::ranges::find(kKinds, value);
        if (kind == std::end(kKinds))
            mistakes.add(at, "predict: use one of shares, number, cell, curve");
        else
            veil.predict = static_cast<LessonVeil::Predict>(kind - std::begin(kKinds));
    } else if (key == "hide") {
        readHidden(node, at, veil, mistakes);
    } else if (key == "range") {
        readRange(node, at, veil, mistakes);
    } else if (key == "axis") {
        veil.isByTens = value == "tens";
        if (value != "tens" && value != "even") mistakes.add(at, "axis: use one of even, tens");
    } else if (key == "across") {
        veil.across = value;
    } else {
        mistakes.add(at, "a veil has no \"" + key + "\": it knows ask, hide, predict, range, axis, across, after");
    }
}

double onScale(const LessonVeil& veil, double number) {
    const double kept = std::clamp(number, veil.least, veil.most);
    return veil.isByTens ? std::log10(kept) : kept;
}

}  // namespace

std::optional<LessonVeil> readVeil(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonVeil result;
    result.line = first;
    const size_t before = mistakes.all.size();
    for (const auto& entry : node) {
        const std::string key = flat(entry.first);
        const int at = first + 1 + entry.first.Mark().line;
        result.lines[key] = at;
        readVeilKey(key, entry.second, at, result, mistakes);
    }
    checkVeil(result, first, mistakes);
    return mistakes.all.size() == before ? std::optional(result) : std::nullopt;
}

CurveDistance curveDistance(const LessonVeil& veil, const std::vector<double>& given, const std::vector<double>& answer,
                            const std::vector<double>& places) {
    CurveDistance result{0, -1, 0};
    for (size_t i = 0; i < given.size(); ++i) {
        const double apart = std::abs(onScale(veil, given[i]) - onScale(veil, answer[i]));
        result.mean += apart / static_cast<double>(given.size());
        if (apart <= result.largest) continue;
        result.largest = apart;
        result.place = places[i];
    }
    return result;
}

CurveShape shapeOf(const LessonVeil& veil, const std::vector<double>& curve, const std::vector<double>& places) {
    constexpr double least = 1.0 / 12;
    std::vector<double> heights;
    heights.reserve(curve.size());
    for (const double number : curve)
        heights.push_back(std::clamp(placeOnAxis(veil, number), 0.0, 1.0));
    const auto [low, high] = std::ranges::minmax_element(heights);
    const double first = heights.front(), last = heights.back();
    const double up = *high - std::max(first, last), down = std::min(first, last) - *low;
    CurveShape shape{CurveShape::Run::Level, 0, curve.back()};
    if (up > least && up >= down) {
        shape.run = CurveShape::Run::RisesAndFalls;
        shape.turn = places[static_cast<size_t>(high - heights.begin())];
    } else if (down > least) {
        shape.run = CurveShape::Run::FallsAndRises;
        shape.turn = places[static_cast<size_t>(low - heights.begin())];
    } else if (std::abs(last - first) > least) {
        shape.run = last > first ? CurveShape::Run::Rises : CurveShape::Run::Falls;
    }
    return shape;
}

bool turnTogether(const CurveShape& a, const CurveShape& b, const std::vector<double>& places) {
    return std::abs(a.turn - b.turn) <= (places.back() - places.front()) / 8;
}

int endsAbove(const LessonVeil& veil, const CurveShape& a, const CurveShape& b) {
    const double apart =
        std::clamp(placeOnAxis(veil, a.end), 0.0, 1.0) - std::clamp(placeOnAxis(veil, b.end), 0.0, 1.0);
    return std::abs(apart) < 0.1 ? 0 : apart > 0 ? 1 : -1;
}

double placeOnAxis(const LessonVeil& veil, double number) {
    const double low = onScale(veil, veil.least), high = onScale(veil, veil.most);
    return (onScale(veil, number) - low) / (high - low);
}

double numberOnAxis(const LessonVeil& veil, double place) {
    const double low = onScale(veil, veil.least), high = onScale(veil, veil.most);
    const double at = low + std::clamp(place, 0.0, 1.0) * (high - low);
    return veil.isByTens ? std::pow(10.0, at) : at;
}

}  // namespace headlight

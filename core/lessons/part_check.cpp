// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/part_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "core/error.h"
#include "core/experiment/feed_forward_units.h"
#include "core/experiment/residual_stream.h"
#include "core/lessons/inline_markup.h"
#include "core/number_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

bool tells(const std::string& text, const NumberName& number) {
    return std::ranges::any_of(numberPlaces(text),
                               [&](const NumberPlace& place) { return place.number && *place.number == number; });
}

bool isVeiled(const LessonStep& step, const NumberName& number) {
    return std::ranges::any_of(step.parts, [&](const LessonPart& part) {
        const auto* veil = std::get_if<LessonVeil>(&part);
        return veil &&
               std::ranges::any_of(veil->hidden, [&](const NumberName& hidden) { return isPartOf(number, hidden); });
    });
}

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : " ") + word;
    return all;
}

}  // namespace

void checkDial(const NumberPlace& place, const StageState& shown) {
    const StageDial dial = place.dial ? *place.dial : parseDial(place.written);
    const double value = *numberOf(shown, dial.field);
    if (value < dial.least || value > dial.most)
        throw Error(dial.field + ": the step shows " + shortestNumber(value) +
                    ", which is out of the range that it can be dragged over");
}

std::string whyNoPanel(const StageState& shown) {
    const View& view = viewOf(shown.view);
    std::vector<std::string> names(view.panels.begin(), view.panels.end());
    names.insert(names.end(), {"sentence", "timeline", "picture", "all"});
    if (*view.group) names.insert(names.end() - 3, "views");
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    for (const std::string& wanted : shown.show)
        if (std::ranges::find(names, wanted) == names.end())
            return "show: the view " + std::string(view.name) + " has no panel \"" + wanted + "\": it has " + all;
    return {};
}

std::string whyNoSide(const StageState& shown) {
    const std::vector<StageSide>& sides = viewOf(shown.view).sides;
    return std::ranges::find(sides, shown.side) != sides.end()
               ? ""
               : std::string("side: the view ") + nameOf(shown.view) + " has no such side";
}

bool canShow(const LessonScene& scene, const NumberName& number) {
    const ViewName view = scene.state.view;
    if (number.name == "positions") return view == ViewName::Positions;
    if (scene.tensors && number.name.find('.') == std::string::npos)
        return view == ViewName::QueryKeyValue || view == ViewName::Masks;
    return viewOf(view).showsTraces;
}

namespace {

/// Does a view that draws the same few values of every layer draw that one?
bool isDrawn(const std::string& name, const LessonScene& scene, LessonNumbers& numbers) {
    const Trace& trace = numbers.trace(scene.state);
    const auto isNamed = [&](const std::string& each) { return each == name; };
    if (scene.state.view == ViewName::FeedForward)
        return std::ranges::any_of(feedForwardLayers(trace), [&](const FeedForwardLayer& layer) {
            return std::ranges::any_of(std::array{layer.x, layer.hidden, layer.activation, layer.output}, isNamed);
        });
    if (scene.state.view != ViewName::Residuals) return true;
    const NormOrder order = numbers.model(scene.state.model).network->config().normOrder;
    return std::ranges::any_of(std::array{Stack::Only, Stack::Encoder, Stack::Decoder}, [&](Stack stack) {
        return std::ranges::any_of(streamSublayers(trace, stack, order), [&](const StreamSublayer& each) {
            return std::ranges::any_of(std::array{each.x, each.f, each.sum, each.norm}, isNamed);
        });
    });
}

}  // namespace

bool canHide(ViewName view, const NumberName& number) {
    const auto hides = viewOf(view).hides;
    return hides && hides(number.name);
}

std::string whyAnswered(const LessonCheck& check, const LessonStep& step, const StageState& shown) {
    const bool isAbove = std::ranges::any_of(step.parts, [&](const LessonPart& part) {
        const auto* prose = std::get_if<LessonProse>(&part);
        return prose && prose->line < check.line && tells(prose->markdown, check.number);
    });
    const bool isHidden = isVeiled(step, check.number);
    if ((isAbove && !isHidden) || tells(check.ask, check.number))
        return "the words of the step tell this number already";
    const std::vector<int>& at = check.number.indices;
    const bool isThere = shown.focus == check.number.name && shown.cell.valid() && at.size() >= 2 &&
                         shown.cell.row == at[at.size() - 2] && shown.cell.column == at.back() &&
                         (at.size() < 3 || at[0] == shown.head);
    return isThere && !isHidden ? "the stage points at this number, and writes it out: choose another cell" : "";
}

std::string whyNotAwaited(const NumberName& number, const LessonScene& scene, LessonNumbers& numbers) {
    numbers.number(scene, number);
    const bool byHand = scene.tensors && number.name.find('.') == std::string::npos;
    const bool isThere = byHand || number.name == "probabilities" || numbers.trace(scene.state).find(number.name);
    return isThere ? ""
                   : "holds: a try cannot wait for " + number.name +
                         ", which is no value of the reading: wait for a key of the stage";
}

std::string whyDone(const LessonTask& task, const LessonScene& scene, LessonNumbers& numbers) {
    const StageState& shown = scene.state;
    StageFacts facts;
    facts.number = [&](const NumberName& number) { return numbers.number(scene, number); };
    if (task.when.contains("translation")) facts.translation = joined(numbers.trace(shown).targetTokens);
    const bool isDone = !task.when.empty() && std::ranges::all_of(task.when, [&](const auto& each) {
        return isMet(each.first, each.second, shown, shown, facts);
    });
    return isDone ? "the step's own stage meets this already: there is nothing left to do" : "";
}

std::vector<std::string> wrongInCode(const std::string& code) {
    constexpr int fewest = 4, most = 14;
    constexpr size_t widest = 88;  // characters: what stands on paper without being broken
    int lines = 0;
    size_t longest = 0;
    std::istringstream stream(code);
    for (std::string each; std::getline(stream, each); ++lines)
        longest = std::max(longest, codePoints(each).size());
    std::vector<std::string> wrong;
    if (lines < fewest || lines > most)
        wrong.push_back("the code has " + std::to_string(lines) + (lines == 1 ? " line" : " lines") +
                        ": 4 to 14 can be taken in at a look");
    if (longest > widest)
        wrong.push_back("the code has a line of " + std::to_string(longest) + " characters: 88 is the most");
    return wrong;
}

std::string whyNotHidden(const NumberName& hidden, const LessonScene& scene, LessonNumbers& numbers) {
    const bool hasHeads = numbers.hasHeads(scene, hidden.name);
    const size_t whole = hasHeads ? 3 : 2;
    if (hidden.indices.size() + 1 < whole)
        return "hide: " + hidden.name + " is hidden by " +
               (hasHeads ? "[head,row] or [head,row,column]" : "[row] or [row,column]");
    NumberName first = hidden;
    while (first.indices.size() < whole)
        first.indices.push_back(1);
    numbers.number(scene, first);
    if (hidden.name == "learning_rate" || hidden.name == "gradient_reach") {
        const ViewName drawing = hidden.name == "learning_rate" ? ViewName::Training : ViewName::Cell;
        return scene.state.view == drawing ? "" : "hide: " + hidden.name + " is drawn in the view " + nameOf(drawing);
    }
    return canHide(scene.state.view, hidden) && canShow(scene, first) && isDrawn(hidden.name, scene, numbers)
               ? ""
               : "hide: the view " + std::string(nameOf(scene.state.view)) + " does not show it, or cannot hide it";
}

namespace {

std::string whyNoCurve(const LessonVeil& veil, const LessonScene& scene, LessonNumbers& numbers) {
    constexpr size_t fewest = 3, most = 64;
    if (veil.hidden.size() != 1) return "predict: curve asks for one row: hide: NAME[row]";
    const std::vector<double> row = numbers.row(scene, veil.hidden[0]);
    if (row.size() < fewest || row.size() > most)
        return "predict: curve takes a row of 3 to 64 numbers; this one has " + std::to_string(row.size());
    // What falls below an axis of powers of ten leaves it: it goes down to 0 nowhere.
    const auto [low, high] = std::ranges::minmax(row);
    if ((low < veil.least && !veil.isByTens) || high > veil.most)
        return "range: the engine's curve runs from " + shortestNumber(low) + " to " + shortestNumber(high);
    return {};
}

std::string whyNoShares(const LessonVeil& veil, const LessonScene& scene, LessonNumbers& numbers) {
    constexpr size_t most = 12;
    if (veil.hidden.size() != 1) return "predict: shares asks for one row: hide: NAME[row]";
    const std::vector<double> row = numbers.row(scene, veil.hidden[0]);
    double sum = 0;
    for (const double share : row)
        sum += share;
    if (std::abs(sum - 1) > 0.01 || row.size() > most)
        return "predict: shares takes a row of up to twelve numbers that add up to one; this one has " +
               std::to_string(row.size()) + ", and adds up to " + writtenNumber(sum, 2);
    if (numbers.columnWords(scene, veil.hidden[0].name).empty())
        return "predict: the columns of " + veil.hidden[0].name + " are no words";
    return {};
}

}  // namespace

std::string whyNotPredicted(const LessonVeil& veil, const LessonScene& scene, LessonNumbers& numbers) {
    switch (veil.predict) {
        case LessonVeil::Predict::Shares:
            return whyNoShares(veil, scene, numbers);
        case LessonVeil::Predict::Curve:
            return whyNoCurve(veil, scene, numbers);
        case LessonVeil::Predict::Number:
            if (veil.hidden.size() != 1) return "predict: number asks for one number: hide: NAME[row,column]";
            numbers.number(scene, veil.hidden[0]);
            return {};
        case LessonVeil::Predict::Cell:
            break;
    }
    return {};
}

}  // namespace headlight

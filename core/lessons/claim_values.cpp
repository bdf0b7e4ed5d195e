// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/claim_values.h"

#include <algorithm>

#include "core/data/translate.h"
#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

/// The scene as a term has it: what stands in its braces is said after all that the step says.
LessonScene sceneWith(const LessonScene& scene, const StageSetting& with) {
    LessonScene changed = scene;
    const StageState said = stageFrom(with);
    for (const auto& [key, value] : with)
        copyField(key, said, changed.state);
    // Another sentence is not forced to be translated as the last one was.
    if ((with.contains("source") || with.contains("model")) && !with.contains("target")) changed.state.target.clear();
    return changed;
}

double valueOf(const ClaimTerm& term, const LessonScene& shown, LessonNumbers& numbers) {
    const LessonScene scene = sceneWith(shown, term.with);
    if (!term.key.empty()) return *numberField(scene.state, term.key);
    if (term.function.empty()) return numbers.number(scene, term.numbers[0]);
    const auto function =
        std::ranges::find_if(claimFunctions(), [&](const auto& each) { return term.function == each.name; });
    const std::vector<double> first = numbers.row(scene, term.numbers[0]);
    if (term.function == "rank") return function->of(first, {numbers.number(scene, term.numbers[0])});
    const std::vector<double> second = term.numbers.size() > 1 ? numbers.row(scene, term.numbers[1]) : first;
    if (first.size() != second.size()) throw Error(term.written + ": the two rows are not of one length");
    return function->of(first, second);
}

std::string textOf(const ClaimWords& words, const LessonScene& shown, LessonNumbers& numbers) {
    const LessonScene scene = sceneWith(shown, words.with);
    if (words.isTranslation)
        return respond(numbers.model(scene.state.model), scene.state.source,
                       parseMutedHeads(scene.state.mute, *numbers.model(scene.state.model).network))
            .text;
    if (!words.likeliest) return words.text;
    const NumberName& row = *words.likeliest;
    const auto most = static_cast<size_t>(numbers.largestColumn(scene, row));
    const TraceRecord* record = numbers.trace(scene.state).find(row.name);
    if (record && record->axes.back() == Axis::Vocabulary)
        return numbers.model(scene.state.model).target->vocabulary().token(static_cast<int>(most));
    const std::vector<std::string> columns = numbers.columnWords(scene, row.name);
    if (columns.empty()) throw Error("the columns of " + row.name + " are no words");
    return columns[most];
}

std::string told(const std::string& written, const std::string& is) {
    return "; " + written + " is " + is;
}

std::string whyNot(const NumberRelation& relation, const LessonScene& scene, LessonNumbers& numbers) {
    std::string values;
    const std::optional<bool> isSo = holds(relation, [&](const ClaimTerm& term) {
        const double value = valueOf(term, scene, numbers);
        if (values.find("; " + term.written + " is ") == std::string::npos)
            values += told(term.written, shortestNumber(static_cast<double>(static_cast<float>(value))));
        return std::optional(value);
    });
    return isSo.value_or(false) ? std::string() : relation.written + " does not hold" + values;
}

bool isSo(WordRelation::Kind kind, const std::string& left, const std::string& right) {
    switch (kind) {
        case WordRelation::Kind::Equal:
            return left == right;
        case WordRelation::Kind::Unequal:
            return left != right;
        case WordRelation::Kind::Has:
            break;
    }
    return (" " + left + " ").find(" " + right + " ") != std::string::npos;
}

std::string whyNot(const WordRelation& relation, const LessonScene& scene, LessonNumbers& numbers) {
    const std::string left = textOf(relation.left, scene, numbers), right = textOf(relation.right, scene, numbers);
    if (isSo(relation.kind, left, right)) return {};
    std::string values;
    for (const auto& [words, is] : {std::pair(&relation.left, &left), std::pair(&relation.right, &right)})
        if (!words->written.starts_with('"')) values += told(words->written, "\"" + *is + "\"");
    return relation.written + " does not hold" + values;
}

}  // namespace

std::string whyNotHeld(const Claim& claim, const LessonScene& scene, LessonNumbers& numbers) {
    for (const auto& relation : claim.relations) {
        std::string why = std::visit([&](const auto& each) { return whyNot(each, scene, numbers); }, relation);
        if (!why.empty()) return why;
    }
    return {};
}

}  // namespace headlight

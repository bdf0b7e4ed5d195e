// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/steps_before.h"

#include <algorithm>
#include <variant>

#include "core/lessons/inline_markup.h"
#include "core/lessons/lesson_figures.h"
#include "core/lessons/part_check.h"

namespace headlight {

namespace {

constexpr const char* kByHand[] = {"scaled", "sharpness", "numbers", "masking", "cells"};

std::vector<const char*> followsFrom(const std::string& name) {
    if (LessonFigures::has(name)) return LessonFigures::followsFrom(name);
    if (name == "positions") return {"length", "width", "base"};
    if (name == "cost") return {"cost_words", "cost_width", "cost_kernel", "cost_layers"};
    if (name == "parameters") return {"cost_source", "cost_target", "cost_embedding", "cost_hidden", "cost_biases"};
    if (name == "test_perplexity") return {"model"};
    if (name == "word_losses" || name == "sentence_loss") return {"model", "source", "target", "mute", "smoothing"};
    return {"model", "source", "target", "mute"};
}

/// Of the step's matrices by hand, and what is worked out from them.
bool isByHand(const std::string& name, const LessonScene& scene) {
    return scene.tensors && name.find('.') == std::string::npos && name != "positions" && !LessonFigures::has(name);
}

/// Does that name tell what is asked for: under a veil, where a part of a row tells of it, and where the question is
/// about numbers that nobody sees?
bool isTold(const NumberName& named, const NumberName& asked, Asking how) {
    if (how == Asking::Openly) return named == asked;
    return isPartOf(named, asked) || isPartOf(asked, named);
}

std::vector<std::string> textsOf(const LessonPart& part) {
    if (const auto* prose = std::get_if<LessonProse>(&part)) return {prose->markdown};
    if (const auto* task = std::get_if<LessonTask>(&part)) return {task->what};
    if (const auto* code = std::get_if<LessonCode>(&part)) return {code->prints};
    if (const auto* more = std::get_if<LessonMore>(&part)) return {more->text};
    if (const auto* veil = std::get_if<LessonVeil>(&part)) return {veil->ask, veil->after};
    if (const auto* check = std::get_if<LessonCheck>(&part)) {
        std::vector<std::string> texts{check->ask, check->hint, check->right};
        texts.insert(texts.end(), check->hints.begin(), check->hints.end());
        return texts;
    }
    return {};
}

int lineOf(const LessonPart& part) {
    return std::visit([](const auto& each) { return each.line; }, part);
}

bool tells(const LessonPart& part, const NumberName& asked, Asking how) {
    const auto* check = std::get_if<LessonCheck>(&part);
    if (check && !check->number.name.empty() && isTold(check->number, asked, how)) return true;
    const auto names = [&](const std::string& text) {
        return std::ranges::any_of(numberPlaces(text), [&](const NumberPlace& place) {
            return place.number && isTold(*place.number, asked, how);
        });
    };
    return std::ranges::any_of(textsOf(part), names);
}

/// Does the stage point at the number, and write it out?
bool pointsAt(const StageState& shown, const NumberName& asked) {
    NumberName there{shown.focus, {shown.cell.row, shown.cell.column}};
    if (!shown.cell.valid() || asked.name != there.name) return false;
    if (asked.indices.size() == 3) there.indices.insert(there.indices.begin(), shown.head);
    return there == asked;
}

bool showsUnhidden(const StageState& shown, const NumberName& asked) {
    if (asked.name == "gradient_reach") return shown.view == ViewName::Recurrent && shown.side == StageSide::Gradient;
    return shown.focus == asked.name && !canHide(shown.view, asked);
}

}  // namespace

bool followsFromTheSame(const std::string& name, const LessonScene& one, const LessonScene& other) {
    const bool byHand = isByHand(name, one);
    if (byHand != isByHand(name, other)) return false;
    if (byHand && !(*one.tensors == *other.tensors)) return false;
    StageState first, second;
    const auto copy = [&](const char* key) {
        copyField(key, one.state, first);
        copyField(key, other.state, second);
    };
    if (byHand)
        std::ranges::for_each(kByHand, copy);
    else
        std::ranges::for_each(followsFrom(name), copy);
    return first == second;
}

std::vector<VeilPlace> veilsOver(const Lesson& lesson, size_t step) {
    std::vector<VeilPlace> found;
    const LessonScene here = sceneOf(lesson, step);
    for (size_t later = step; later < lesson.steps.size(); ++later) {
        const std::vector<LessonPart>& parts = lesson.steps[later].parts;
        for (size_t part = 0; part < parts.size(); ++part) {
            const auto* veil = std::get_if<LessonVeil>(&parts[part]);
            if (!veil) continue;
            const bool isSame = later == step || std::ranges::any_of(veil->hidden, [&](const NumberName& each) {
                                    return followsFromTheSame(each.name, here, sceneOf(lesson, later));
                                });
            if (isSame) found.push_back({later, part, veil});
        }
    }
    return found;
}

std::string whyToldBefore(const Lesson& lesson, size_t step, const NumberName& asked, Asking how) {
    const LessonScene now = sceneOf(lesson, step);
    for (size_t before = 0; before < step; ++before) {
        const LessonScene then = sceneOf(lesson, before);
        if (!followsFromTheSame(asked.name, then, now)) continue;
        const LessonStep& each = lesson.steps[before];
        const auto teller = std::ranges::find_if(each.parts, [&](const auto& part) { return tells(part, asked, how); });
        if (teller != each.parts.end())
            return "the step \"" + each.title + "\" tells this number before it is asked for (line " +
                   std::to_string(lineOf(*teller)) + ")";
        const bool isShown = how == Asking::UnderVeil ? showsUnhidden(then.state, asked) : pointsAt(then.state, asked);
        if (isShown) return "the stage of the step \"" + each.title + "\" shows this number before it is asked for";
    }
    return {};
}

}  // namespace headlight

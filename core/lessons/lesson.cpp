// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/lessons/course.h"
#include "core/number_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// A whole number from 1 on that fits whatever counts here.
bool isCount(const std::string& text) {
    int value = 0;
    return readNumber(text, value) && value >= 1 && value < 1000000;
}

constexpr const char* kChanged = "changed";

/// The words by which a condition is met besides a value of its field.
std::vector<std::string> besides(const std::string& key) {
    if (key == "source" || key == "cells" || key == "model") return {kChanged};
    if (key == "step") return {kChanged, "moved"};
    if (key == "shuffles") return {kChanged, "yes"};
    if (key == "mute" || key == "fixed") return {"any"};
    if (key == "numbers") return {"Q", "K", "V"};
    return {};
}

bool hasWord(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

constexpr const char* kHolds = "holds";
constexpr const char* kTranslation = "translation";

/// Of a claim about the stage as the reader has it: numbers that it has computed, and nothing besides.
std::string whyWrongClaim(const std::string& text) {
    try {
        for (const auto& relation : parseClaim(text).relations) {
            const auto* numbers = std::get_if<NumberRelation>(&relation);
            if (!numbers || !std::ranges::all_of(numbers->terms, &ClaimTerm::isPlain))
                return "a try waits for numbers as the stage has them: NAME[row,column] > NUMBER, or a key of the "
                       "stage in the name's place";
        }
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool saysTheSame(const std::string& key, const std::string& value, const StageState& now) {
    StageState wanted = now;
    const StageState said = stageFrom({{key, value}});
    copyField(key, said, wanted);
    return wanted == now;
}

}  // namespace

bool LessonTensors::operator==(const LessonTensors& other) const {
    const auto same = [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.rows == b.second.rows && a.second.values == b.second.values;
    };
    return words == other.words &&
           std::equal(matrices.begin(), matrices.end(), other.matrices.begin(), other.matrices.end(), same);
}

StageSetting settingAt(const Lesson& lesson, size_t step) {
    StageSetting setting{{"model", lesson.model}};
    for (size_t i = 0; i <= step && i < lesson.steps.size(); ++i) {
        std::erase_if(setting, [](const auto& each) { return !livesOn(each.first); });
        const std::optional<StageSetting>& stage = lesson.steps[i].stage;
        if (!stage) continue;
        // Another sentence is translated by the model itself, and what others wrote for the last one is not for it; a
        // pointer at something else points at no cell of it.
        if (stage->contains("source") || stage->contains("model"))
            for (const char* of : {"target", "references"})
                setting.erase(of);
        if (stage->contains("view")) setting.erase("show");  // which are those of one view
        if (stage->contains("focus") || stage->contains("source")) setting.erase("cell");
        for (const auto& [key, value] : *stage)
            setting[key] = value;
    }
    return setting;
}

StageState Lesson::stateAt(size_t step) const {
    StageState state = stageFrom(settingAt(*this, step));
    state.lesson = slug;
    state.page = static_cast<int>(step) + 1;
    return state;
}

const LessonTensors* Lesson::tensorsAt(size_t step) const {
    for (size_t i = std::min(step + 1, steps.size()); i-- > 0;)
        if (steps[i].tensors) return &*steps[i].tensors;
    return nullptr;
}

std::vector<std::string> conditionKeyNames() {
    std::vector<std::string> names = stageKeyNames();
    names.insert(names.end(), {kHolds, kTranslation});
    return names;
}

std::string whyWrongCondition(const std::string& key, const std::string& value) {
    if (key == kTranslation) return value.empty() ? "something must stand here" : "";
    if (key == kHolds) return whyWrongClaim(value);
    if (key == "measured") return isCount(value) ? "" : "give a whole number from 1 on";
    if (value.empty()) return "something must stand here";
    if (std::ranges::count(besides(key), value)) return "";
    // A condition of these is one of a list, or a word of a sentence.
    if (key == "step" || key == "cells" || key == "shuffles" || key == "numbers") {
        std::string all;
        for (const std::string& word : besides(key))
            all += (all.empty() ? "" : ", ") + word;
        return "use one of " + all;
    }
    return whyWrong(key, value);
}

bool isTouched(const StageSetting& when, const StageState& before, const StageState& now) {
    const bool byNumbers = when.contains(kHolds) || when.contains(kTranslation);
    if (byNumbers && !editsBetween(before, now).empty()) return true;
    const auto isOther = [&](const std::string& key) {
        StageState copy = before;
        copyField(key, now, copy);
        return !(copy == before);
    };
    if (std::ranges::any_of(when, [&](const auto& each) { return isOther(each.first); })) return true;
    return byNumbers && (isOther("model") || isOther("train"));
}

namespace {

bool holds(const std::string& value, const StageState& now, const StageFacts& facts) {
    return std::ranges::all_of(parseClaim(value).relations, [&](const auto& relation) {
        return holds(std::get<NumberRelation>(relation),
                     [&](const ClaimTerm& term) {
                         return !term.key.empty() ? numberField(now, term.key)
                                : facts.number    ? facts.number(term.numbers[0])
                                                  : std::nullopt;
                     })
            .value_or(false);
    });
}

}  // namespace

bool isMet(const std::string& key, const std::string& value, const StageState& before, const StageState& now,
           const StageFacts& facts) {
    if (key == kHolds) return holds(value, now, facts);
    if (key == kTranslation) return hasWord(toLowercase(facts.translation), toLowercase(value));
    if (key == "source") {
        if (value != kChanged) return toLowercase(now.source).find(toLowercase(value)) != std::string::npos;
        return !trimmed(now.source).empty() && trimmed(now.source) != trimmed(before.source);
    }
    if (key == "model" && value == kChanged) return !now.model.empty() && now.model != before.model;
    if (key == "step") return now.step != before.step;
    if (key == "cells") return now.masks.cells != before.masks.cells;
    if (key == "shuffles") return now.positions.shuffles != before.positions.shuffles;
    if (key == "mute") return value == "any" ? !now.mute.empty() : std::ranges::count(now.mute, value) > 0;
    if (key == "fixed") return value == "any" ? !now.decode.fixed.empty() : hasWord(now.decode.fixed, value);
    if (key == "numbers")
        return std::ranges::any_of(now.queryKeyValue.numbers,
                                   [&](const std::string& each) { return each.starts_with(value + "["); });
    if (key == "measured") return now.recurrent.measured.size() >= std::stoul(value);
    constexpr double sliderStep = 0.051;
    const StageState wanted = stageFrom({{key, value}});
    if (key == "penalty") return std::abs(now.decode.penalty - wanted.decode.penalty) < sliderStep;
    if (key == "train") return now.training.train >= wanted.training.train;
    return saysTheSame(key, value, now);
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/lessons/inline_markup.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

/// A whole number from 1 on that fits whatever counts here.
bool isCount(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 1 && value < 1000000;
}

constexpr const char* kChanged = "changed";

/// The words by which a condition is met besides a value of its field.
std::vector<std::string> besides(const std::string& key) {
    if (key == "source" || key == "cells") return {kChanged};
    if (key == "step") return {kChanged, "moved"};
    if (key == "shuffles") return {kChanged, "yes"};
    if (key == "mute" || key == "fixed") return {"any"};
    if (key == "numbers") return {"Q", "K", "V"};
    return {};
}

bool hasWord(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
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

std::optional<NumberName> parseNumberName(const std::string& text) {
    const size_t open = text.find('[');
    if (open == std::string::npos || open == 0 || text.back() != ']') return {};
    NumberName result{text.substr(0, open), {}};
    const char* at = text.data() + open + 1;
    const char* const end = text.data() + text.size() - 1;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == ','))
            ++at;
        int index = 0;
        const auto [stop, error] = std::from_chars(at, end, index);
        if (error != std::errc() || index < 1) return {};
        result.indices.push_back(index);
        at = stop;
        if (at < end && *at != ',' && *at != ' ') return {};
    }
    return result.indices.empty() ? std::nullopt : std::optional(result);
}

StageState Lesson::stateAt(size_t step) const {
    StageSetting setting{{"model", model}};
    for (size_t i = 0; i <= step && i < steps.size(); ++i) {
        std::erase_if(setting, [](const auto& each) { return !livesOn(each.first); });
        if (!steps[i].stage) continue;
        // Another sentence is translated by the model itself; a pointer at something else points at no cell of it.
        if (steps[i].stage->contains("source") || steps[i].stage->contains("model")) setting.erase("target");
        if (steps[i].stage->contains("focus") || steps[i].stage->contains("source")) setting.erase("cell");
        for (const auto& [key, value] : *steps[i].stage)
            setting[key] = value;
    }
    StageState state = stageFrom(setting);
    state.lesson = slug;
    state.page = static_cast<int>(step) + 1;
    return state;
}

const LessonTensors* Lesson::tensorsAt(size_t step) const {
    for (size_t i = std::min(step + 1, steps.size()); i-- > 0;)
        if (steps[i].tensors) return &*steps[i].tensors;
    return nullptr;
}

std::string whyWrongCondition(const std::string& key, const std::string& value) {
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

bool isMet(const std::string& key, const std::string& value, const StageState& before, const StageState& now) {
    if (key == "source") {
        if (value != kChanged) return toLowercase(now.source).find(toLowercase(value)) != std::string::npos;
        return !trimmed(now.source).empty() && trimmed(now.source) != trimmed(before.source);
    }
    if (key == "step") return now.step != before.step;
    if (key == "cells") return now.cells != before.cells;
    if (key == "shuffles") return now.shuffles != before.shuffles;
    if (key == "mute") return value == "any" ? !now.mute.empty() : std::ranges::count(now.mute, value) > 0;
    if (key == "fixed") return value == "any" ? !now.fixed.empty() : hasWord(now.fixed, value);
    if (key == "numbers")
        return std::ranges::any_of(now.numbers, [&](const std::string& each) { return each.starts_with(value + "["); });
    if (key == "measured") return now.measured.size() >= std::stoul(value);
    constexpr double sliderStep = 0.051;
    const StageState wanted = stageFrom({{key, value}});
    if (key == "penalty") return std::abs(now.penalty - wanted.penalty) < sliderStep;
    if (key == "train") return now.train >= wanted.train;
    return saysTheSame(key, value, now);
}

}  // namespace headlight

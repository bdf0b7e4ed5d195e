// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <algorithm>
#include <charconv>
#include <cmath>

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

/// The value of a field that is a number; nothing where it is none.
std::optional<double> comparable(const StageState& state, const std::string& key) {
    std::optional<double> value;
    visitFields(state, [&](const StageField& field, const auto& member, const auto&...) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, int> || std::is_same_v<Member, double>)
            if (key == field.name) value = static_cast<double>(member);
    });
    return value;
}

constexpr const char* kHolds = "holds";
constexpr const char* kTranslation = "translation";

std::optional<NumberCondition> parseCondition(const std::string& text) {
    const size_t sign = text.find_first_of("<>");
    if (sign == std::string::npos) return {};
    NumberCondition result;
    result.isGreater = text[sign] == '>';
    result.orEqual = text.compare(sign + 1, 1, "=") == 0;
    const auto bound = readNumber(trimmed(std::string_view(text).substr(sign + (result.orEqual ? 2 : 1))));
    if (!bound) return {};
    result.bound = *bound;
    const std::string left(trimmed(std::string_view(text).substr(0, sign)));
    if (const auto number = parseNumberName(left))
        result.number = *number;
    else
        result.number.name = left;
    return left.empty() ? std::nullopt : std::optional(result);
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
        if (*at == '"') {  // up to the quote before the bracket
            if (result.indices.empty() || end - at < 3 || *(end - 1) != '"') return {};
            result.word.assign(at + 1, end - 1);
            return result;
        }
        int index = 0;
        const auto [stop, error] = std::from_chars(at, end, index);
        if (error != std::errc() || index < 1) return {};
        result.indices.push_back(index);
        at = stop;
        if (at < end && *at != ',' && *at != ' ') return {};
    }
    return result.indices.empty() ? std::nullopt : std::optional(result);
}

bool isPartOf(const NumberName& number, const NumberName& part) {
    return number.name == part.name && part.indices.size() <= number.indices.size() &&
           std::equal(part.indices.begin(), part.indices.end(), number.indices.begin());
}

bool NumberCondition::holds(double value) const {
    return (orEqual && value == bound) || (isGreater ? value > bound : value < bound);
}

std::vector<NumberCondition> parseConditions(const std::string& text) {
    constexpr std::string_view between = " and ";
    std::vector<NumberCondition> all;
    for (size_t from = 0; from <= text.size();) {
        const size_t end = std::min(text.find(between, from), text.size());
        const std::optional<NumberCondition> each = parseCondition(text.substr(from, end - from));
        if (!each) return {};
        all.push_back(*each);
        from = end == text.size() ? end + 1 : end + between.size();
    }
    return all;
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
    if (key == kHolds) {
        const std::vector<NumberCondition> all = parseConditions(value);
        if (all.empty()) return "write NAME[row,column] > NUMBER, or a key of the stage in the name's place";
        for (const NumberCondition& each : all)
            if (each.number.indices.empty() && !comparable(StageState(), each.number.name))
                return "\"" + each.number.name + "\" is no key of the stage whose value is a number";
        return "";
    }
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
    const std::vector<NumberCondition> all = parseConditions(value);
    return !all.empty() && std::ranges::all_of(all, [&](const NumberCondition& each) {
        const std::optional<double> is = each.number.indices.empty() ? comparable(now, each.number.name)
                                         : facts.number              ? facts.number(each.number)
                                                                     : std::nullopt;
        return is && each.holds(*is);
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

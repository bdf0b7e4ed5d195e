// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/lessons/inline_markup.h"

namespace headlight {

namespace {

std::vector<std::string> viewNames() {
    std::vector<std::string> names;
    for (const LessonView& view : lessonViews())
        names.push_back(view.name);
    return names;
}

/// A whole number from 1 on that fits whatever counts here.
bool isCount(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 1 && value < 1000000;
}

bool isNumber(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool isCell(const std::string& text) {
    const size_t comma = text.find(',');
    return comma != std::string::npos && isCount(trimmed(text.substr(0, comma))) &&
           isCount(trimmed(text.substr(comma + 1)));
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

StageSetting Lesson::settingAt(size_t step) const {
    StageSetting setting{{"model", model}};
    for (size_t i = 0; i <= step && i < steps.size(); ++i) {
        for (const char* passing : {"animate", "step", "train"})
            setting.erase(passing);
        if (!steps[i].stage) continue;
        // Another sentence is translated by the model itself; a pointer at something else points at no cell of it.
        if (steps[i].stage->contains("source") || steps[i].stage->contains("model")) setting.erase("target");
        if (steps[i].stage->contains("focus") || steps[i].stage->contains("source")) setting.erase("cell");
        for (const auto& [key, value] : *steps[i].stage)
            setting[key] = value;
    }
    return setting;
}

const LessonTensors* Lesson::tensorsAt(size_t step) const {
    for (size_t i = std::min(step + 1, steps.size()); i-- > 0;)
        if (steps[i].tensors) return &*steps[i].tensors;
    return nullptr;
}

const std::vector<LessonView>& lessonViews() {
    static const std::vector<LessonView> all{
        {"architecture", "explore", "architecture"},
        {"attention", "explore", "attention"},
        {"qkv", "explore", "q k v"},
        {"masks", "explore", "masks"},
        {"positions", "explore", "positions"},
        {"recurrent", "explore", "recurrent"},
        {"values", "explore", "values"},
        {"train", "train", "run"},
        {"settings", "train", "settings"},
        {"weights", "train", "weights"},
        {"sentences", "train", "sentences"},
        {"runs", "train", "runs"},
        {"decode", "decode", ""},
        {"compare", "compare", ""},
        {"models", "models", "models"},
        {"cost", "models", "cost"},
        {"embeddings", "models", "embeddings"},
    };
    return all;
}

const std::vector<LessonKey>& stageKeys() {
    using Kind = LessonKey::Kind;
    static const std::vector<LessonKey> all{
        {"view", Kind::Word, viewNames()},
        {"model"},
        {"source"},
        {"target"},
        {"focus"},
        {"head", Kind::Count},
        {"cell", Kind::Cell},
        {"layer", Kind::Count},
        {"animate", Kind::Word, {"true", "false"}},
        {"step", Kind::Count},
        {"mute"},
        {"level", Kind::Word, {"model", "layer", "block", "operation"}},
        {"quantity", Kind::Word, {"weights", "scores", "rollout"}},
        {"picture", Kind::Word, {"lines", "heads", "text"}},
        {"side", Kind::Word, {"alignment", "gradient", "length", "none"}},
        {"kinds", Kind::Word, {"off", "on"}},
        {"masking", Kind::Word, {"add", "billion", "multiply", "after"}},
        {"beam", Kind::Word, {"1", "2", "3", "4", "5", "8"}},
        {"penalty", Kind::Number},
        {"with", Kind::Word, {"model", "heads", "positions", "sentence"}},
        {"task"},
        {"train", Kind::Count},
        {"base", Kind::Number},
        {"width", Kind::Count},
        {"length", Kind::Count},
    };
    return all;
}

const std::vector<LessonKey>& conditionKeys() {
    using Kind = LessonKey::Kind;
    static const std::vector<LessonKey> all{
        {"view", Kind::Word, viewNames()},
        {"source"},
        {"focus"},
        {"head", Kind::Count},
        {"cell", Kind::Cell},
        {"muted"},
        {"model"},
        {"step", Kind::Word, {"moved"}},
        {"edited", Kind::Word, {"Q", "K", "V"}},
        {"mask", Kind::Word, {"changed"}},
        {"masking", Kind::Word, {"add", "billion", "multiply", "after"}},
        {"shuffled", Kind::Word, {"yes"}},
        {"measured", Kind::Count},
        {"beam", Kind::Word, {"1", "2", "3", "4", "5", "8"}},
        {"penalty", Kind::Number},
        {"fixed"},
        {"trained", Kind::Count},
    };
    return all;
}

std::string whyWrong(const LessonKey& key, const std::string& value) {
    switch (key.kind) {
        case LessonKey::Kind::Text:
            return value.empty() ? "something must stand here" : "";
        case LessonKey::Kind::Count:
            return isCount(value) ? "" : "give a whole number from 1 on";
        case LessonKey::Kind::Number:
            return isNumber(value) ? "" : "give a number";
        case LessonKey::Kind::Cell:
            return isCell(value) ? "" : "give ROW, COLUMN, both from 1 on";
        case LessonKey::Kind::Word:
            break;
    }
    if (std::ranges::find(key.values, value) != key.values.end()) return "";
    std::string all;
    for (const std::string& each : key.values)
        all += (all.empty() ? "" : ", ") + each;
    return "use one of " + all;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_blocks.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

std::string trimmedScalar(const YAML::Node& node) {
    return std::string(trimmed(node.Scalar()));
}

std::vector<std::string> flatItems(const YAML::Node& list) {
    std::vector<std::string> items;
    for (const YAML::Node& each : list)
        items.push_back(flat(each));
    return items;
}

/// The keys that a block may have, and what tells what is wrong with a value.
struct Known {
    const char* of;
    std::vector<std::string> (*keys)();
    std::string (*whyWrong)(const std::string& key, const std::string& value);
    std::string_view apart = {};  ///< a key that is read by itself
};

StageSetting readSetting(const YAML::Node& node, int first, const Known& known, KeyLines& lines,
                         MistakeList& mistakes) {
    const std::vector<std::string> keys = known.keys();
    StageSetting result;
    for (const auto& entry : node) {
        const std::string name = flat(entry.first), key = presentKey(name);
        if (name == known.apart) continue;
        const int at = first + entry.first.Mark().line;
        const std::string value = key == "view" ? presentViewName(flat(entry.second)) : flat(entry.second);
        lines[key] = at;
        if (std::ranges::find(keys, key) == keys.end()) {
            std::string all;
            for (const std::string& each : keys)
                all += (all.empty() ? "" : ", ") + each;
            mistakes.add(at, std::string(known.of) + " has no \"" + name + "\": it knows " + all);
        } else if (const std::string wrong = value.empty() ? "something must stand here" : known.whyWrong(key, value);
                   !wrong.empty()) {
            mistakes.add(at, "\"" + name + ": " + value + "\": " + wrong);
        } else {
            result[key] = value;
        }
    }
    return result;
}

std::optional<LessonMatrix> readMatrix(const YAML::Node& node, int at, const std::string& name, MistakeList& mistakes) {
    constexpr size_t mostRows = 24;
    LessonMatrix result;
    if (!node.IsSequence() || node.size() == 0 || node.size() > mostRows) {
        mistakes.add(at, name + " is a list of 1 to 24 rows: [[1, 2], [3, 4]]");
        return {};
    }
    result.rows = static_cast<int>(node.size());
    for (const YAML::Node& row : node) {
        if (!row.IsSequence() || row.size() == 0 || row.size() > mostRows ||
            (result.columns != 0 && static_cast<int>(row.size()) != result.columns)) {
            mistakes.add(at, "the rows of " + name + " must be lists of one length, 1 to 24 numbers");
            return {};
        }
        result.columns = static_cast<int>(row.size());
        for (const YAML::Node& number : row) {
            float value = 0;
            if (!number.IsScalar() || !YAML::convert<float>::decode(number, value)) {
                mistakes.add(at, name + " holds something that is no number");
                return {};
            }
            result.values.push_back(value);
        }
    }
    return result;
}

/// Q alone stands for K and V too.
void checkSizes(LessonTensors& tensors, int first, MistakeList& mistakes) {
    auto& matrices = tensors.matrices;
    const int words = static_cast<int>(tensors.words.size());
    if (const auto scores = matrices.find("scores"); scores != matrices.end()) {
        const LessonMatrix& s = scores->second;
        if (s.rows != s.columns || (words > 0 && words != s.rows))
            mistakes.add(first, "scores has as many rows as columns, and a word for each");
        return;
    }
    matrices.try_emplace("K", matrices["Q"]);
    matrices.try_emplace("V", matrices["Q"]);
    const LessonMatrix &q = matrices["Q"], &k = matrices["K"], &v = matrices["V"];
    if (q.columns != k.columns || k.rows != v.rows || k.columns != v.columns)
        mistakes.add(first, "Q, K and V must be of one width, and K and V of one height");
    if (words > 0 && words != k.rows)
        mistakes.add(first, "there are " + std::to_string(words) + " words for " + std::to_string(k.rows) + " rows");
}

void readCheckKey(const std::string& key, const YAML::Node& node, int at, LessonCheck& check, MistakeList& mistakes) {
    const std::string value = flat(node);
    if (key == "ask") {
        check.ask = value;
    } else if (key == "hint") {
        check.hint = value;
    } else if (key == "right") {
        check.right = value;
    } else if (key == "choice") {
        check.choices = flatItems(node);
    } else if (key == "hints") {
        check.hints = flatItems(node);
    } else if (key == "number" || key == "cell" || key == "largest") {
        const auto number = parseNumberName(value);
        const size_t fewest = key == "largest" ? 1 : 2;
        if (number && number->indices.size() >= fewest)
            check.number = *number;
        else
            mistakes.add(at, "\"" + value + "\" is no number's name: write NAME[row,column], from 1 on");
    } else if (key == "answer" || key == "tolerance") {
        double number = 0;
        if (!YAML::convert<double>::decode(node, number))
            mistakes.add(at, "\"" + key + "\" is a number");
        else if (key == "answer")
            check.answer = number;
        else
            check.tolerance = number;
    } else {
        mistakes.add(at, "a check has no \"" + key +
                             "\": it knows ask, number, choice, cell, answer, largest, tolerance, hint, hints, right");
    }
}

void settleRight(int choice, LessonCheck& check, MistakeList& mistakes) {
    check.rightChoice = choice;
    const auto at = static_cast<size_t>(choice);
    if (at < check.hints.size() && !check.hints[at].empty())
        mistakes.add(check.lines["hints"], "choice " + std::to_string(choice + 1) + " is right, and needs no hint");
}

/// A choice says which is right, or by `largest` how the engine knows it.
void settleChoice(bool byLargest, int first, LessonCheck& check, MistakeList& mistakes) {
    check.kind = LessonCheck::Kind::Choice;
    if (check.choices.size() < 2) mistakes.add(first, "a choice needs two answers or more: choice: [a, b]");
    if (!check.hints.empty() && check.hints.size() != check.choices.size())
        mistakes.add(check.lines["hints"], "there are " + std::to_string(check.hints.size()) + " hints for " +
                                               std::to_string(check.choices.size()) +
                                               " choices: one for each, \"\" in the place of the right one");
    if (byLargest) return;
    if (check.answer && *check.answer >= 1 && *check.answer <= static_cast<double>(check.choices.size()))
        settleRight(static_cast<int>(*check.answer) - 1, check, mistakes);
    else
        mistakes.add(first, "say which choice is right: answer: 1 to " + std::to_string(check.choices.size()) +
                                ", or largest: NAME[row]");
}

}  // namespace

std::string flat(const YAML::Node& node) {
    constexpr size_t longest = 20000;
    if (node.IsScalar()) return trimmedScalar(node);
    std::string joined;
    if (node.IsSequence())
        for (const YAML::Node& each : node)
            if (each.IsScalar() && joined.size() < longest)
                joined += (joined.empty() ? "" : ", ") + trimmedScalar(each);
    return joined;
}

std::optional<YAML::Node> readYaml(const std::string& text, int first, MistakeList& mistakes) {
    try {
        YAML::Node node = YAML::Load(text);
        if (node.IsMap()) return node;
        mistakes.add(first, "\"key: value\" lines are expected here");
    } catch (const YAML::Exception& error) {
        mistakes.add(first + std::max(0, error.mark.line), "this is not YAML: " + error.msg);
    }
    return {};
}

StageSetting readStage(const YAML::Node& node, int first, KeyLines& lines, MistakeList& mistakes) {
    return readSetting(node, first, {"a stage block", stageKeyNames, whyWrong, "holds"}, lines, mistakes);
}

std::vector<LessonClaim> readClaims(const YAML::Node& node, int first, MistakeList& mistakes) {
    std::vector<LessonClaim> claims;
    const auto read = [&](const YAML::Node& each) {
        const int at = first + each.Mark().line;
        try {
            claims.push_back({at, parseClaim(flat(each))});
        } catch (const Error& error) {
            mistakes.add(at, std::string("holds: ") + error.what());
        }
    };
    if (node.IsSequence())
        for (const YAML::Node& each : node)
            read(each);
    else
        read(node);
    return claims;
}

std::optional<LessonTensors> readTensors(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonTensors result;
    const size_t before = mistakes.all.size();
    for (const auto& entry : node) {
        const std::string name = flat(entry.first);
        const int at = first + entry.first.Mark().line;
        if (name == "words") {
            result.words = flatItems(entry.second);
        } else if (name != "Q" && name != "K" && name != "V" && name != "scores") {
            mistakes.add(at, "tensors has no \"" + name + "\": it knows words, Q, K, V, scores");
        } else if (auto read = readMatrix(entry.second, at, name, mistakes)) {
            result.matrices[name] = std::move(*read);
        }
    }
    if (result.matrices.contains("Q") == result.matrices.contains("scores"))
        mistakes.add(first, "tensors needs Q (and K and V where they differ), or scores");
    else
        checkSizes(result, first, mistakes);
    return mistakes.all.size() == before ? std::optional(result) : std::nullopt;
}

std::optional<LessonCheck> readCheck(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonCheck result;
    result.line = first;
    const size_t before = mistakes.all.size();
    for (const auto& entry : node) {
        const std::string key = flat(entry.first);
        const int at = first + 1 + entry.first.Mark().line;
        result.lines[key] = at;
        readCheckKey(key, entry.second, at, result, mistakes);
    }
    for (const auto& [key, value] :
         {std::pair("ask", &result.ask), std::pair("hint", &result.hint), std::pair("right", &result.right)})
        if (value->empty()) mistakes.add(first, std::string("the check lacks \"") + key + "\"");
    const bool number = static_cast<bool>(node["number"]), choice = static_cast<bool>(node["choice"]),
               cell = static_cast<bool>(node["cell"]);
    if (number + choice + cell != 1) mistakes.add(first, "a check is one of number, choice or cell");
    if (!choice && !result.hints.empty())
        mistakes.add(result.lines["hints"], "only a choice has hints for its answers");
    if (choice)
        settleChoice(static_cast<bool>(node["largest"]), first, result, mistakes);
    else if (cell)
        result.kind = LessonCheck::Kind::Cell;
    return mistakes.all.size() == before ? std::optional(result) : std::nullopt;
}

LessonTask readTry(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonTask result;
    result.line = first;
    for (const auto& entry : node) {
        const std::string key = flat(entry.first);
        const int at = first + 1 + entry.first.Mark().line;
        result.lines[key] = at;
        if (key == "do")
            result.what = flat(entry.second);
        else if (key == "when" && entry.second.IsMap())
            result.when = readSetting(entry.second, first + 1, {"a condition", conditionKeyNames, whyWrongCondition},
                                      result.lines, mistakes);
        else
            mistakes.add(at, "a try has \"do\", and under \"when\" what tells that it was done");
    }
    if (result.what.empty() || result.when.empty()) mistakes.add(first, "a try needs both \"do\" and \"when\"");
    return result;
}

LessonMore readMore(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonMore result;
    result.line = first;
    for (const auto& entry : node) {
        const std::string key = flat(entry.first);
        const int at = first + 1 + entry.first.Mark().line;
        result.lines[key] = at;
        if (key == "title")
            result.title = flat(entry.second);
        else if (key == "text")
            result.text = flat(entry.second);
        else
            mistakes.add(at, "more has a \"title\" and a \"text\"");
    }
    if (result.title.empty() || result.text.empty()) mistakes.add(first, "more needs both \"title\" and \"text\"");
    return result;
}

LessonCode readCode(const YAML::Node& node, int first, MistakeList& mistakes) {
    LessonCode result;
    result.line = first;
    for (const auto& entry : node) {
        const std::string key = flat(entry.first);
        const int at = first + 1 + entry.first.Mark().line;
        result.lines[key] = at;
        if (key == "code")
            result.code = flat(entry.second);
        else if (key == "prints")
            result.prints = flat(entry.second);
        else
            mistakes.add(at, "pytorch has \"code\", and what it \"prints\"");
    }
    if (result.code.empty() || result.prints.empty()) mistakes.add(first, "pytorch needs both \"code\" and \"prints\"");
    return result;
}

}  // namespace headlight

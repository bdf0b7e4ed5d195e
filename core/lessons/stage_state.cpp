// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/stage_state.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "core/number_text.h"
#include "core/text/unicode.h"

namespace headlight {

namespace {

constexpr std::string_view kStateScheme = "headlight:";
constexpr size_t kLongestLink = 1 << 16;  ///< longer than any that this program writes

using Words = std::span<const char* const>;

std::optional<int> readWhole(std::string_view text) {
    int value = 0;
    return readNumber(text, value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<StageCell> readCell(const std::string& text) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) return {};
    const std::string_view all = text;
    const auto row = readWhole(trimmed(all.substr(0, comma))), column = readWhole(trimmed(all.substr(comma + 1)));
    if (!row || !column || *row < 1 || *column < 1) return {};
    return StageCell{*row, *column};
}

StageTexts readTexts(const std::string& text) {
    constexpr std::string_view between = ", ";
    StageTexts all;
    for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find(between, from), text.size());
        const std::string_view each = trimmed(std::string_view(text).substr(from, end - from));
        if (!each.empty()) all.emplace_back(each);
        from = end + between.size();
    }
    // A lesson says "none" to take back what the step before it muted.
    return all == StageTexts{"none"} ? StageTexts() : all;
}

/// Without those that are empty.
StageLines readLines(std::string_view text) {
    StageLines all;
    for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        if (end > from) all.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return all;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
    std::string all;
    for (const std::string& each : texts)
        all += (all.empty() ? "" : between) + each;
    return all;
}

/// A field read from its text; what is wrong with the text, or nothing.
struct Reader {
    const StageField& field;
    const std::string& text;

    static std::string oneOf(Words words) {
        std::string all;
        for (const char* word : words)
            all += (all.empty() ? "" : ", ") + std::string(word);
        return "use one of " + all;
    }
    template <class Member>
    std::string read(Member& member, Words words) const {
        if (!words.empty()) {
            const auto at = std::ranges::find(words, text);
            if (at == words.end()) return oneOf(words);
            const auto place = at - words.begin();
            if constexpr (std::is_enum_v<Member> || std::is_same_v<Member, bool>)
                member = static_cast<Member>(place);
            else if constexpr (std::is_same_v<Member, int>)
                member = *readWhole(text);
            return {};
        }
        if constexpr (std::is_same_v<Member, int>) {
            const auto value = readWhole(text);
            if (!value || *value < field.least || *value > field.most)
                return "give a whole number from " + std::to_string(field.least) + " to " + std::to_string(field.most);
            member = *value;
        } else if constexpr (std::is_same_v<Member, double>) {
            const auto value = readNumber(text);
            if (!value || !std::isfinite(*value)) return "give a number";
            member = *value;
        } else if constexpr (std::is_same_v<Member, StageCell>) {
            const auto value = readCell(text);
            if (!value) return "give ROW, COLUMN, both from 1 on";
            member = *value;
        } else if constexpr (std::is_same_v<Member, StageTexts>) {
            member = readTexts(text);
        } else if constexpr (std::is_same_v<Member, StageLines>) {
            member = readLines(text);
        } else if constexpr (std::is_same_v<Member, std::string>) {
            member = text;
        }
        return {};
    }
};

template <class Member>
std::string written(const Member& member, Words words) {
    if constexpr (std::is_enum_v<Member> || std::is_same_v<Member, bool>)
        return words[static_cast<size_t>(member)];
    else if constexpr (std::is_same_v<Member, int>)
        return std::to_string(member);
    else if constexpr (std::is_same_v<Member, double>)
        return shortestNumber(member);
    else if constexpr (std::is_same_v<Member, StageCell>)
        return std::to_string(member.row) + ", " + std::to_string(member.column);
    else if constexpr (std::is_same_v<Member, StageTexts>)
        return joined(member, ", ");
    else if constexpr (std::is_same_v<Member, StageLines>)
        return joined(member, "\n");
    else
        return member;
}

/// Calls use(field, member, words) for every field, whether it has words or none.
template <class State, class Use>
void eachField(State& state, Use&& use) {
    visitFields(state, [&](const StageField& field, auto& member, const auto&... words) {
        if constexpr (sizeof...(words) == 0)
            use(field, member, Words());
        else
            (use(field, member, Words(std::data(words), std::size(words))), ...);
    });
}

/// Two states' fields side by side: use(field, a's, b's, words). Both are gone through in the one order that there is,
/// so that a field of one meets the same of the other.
template <class A, class Use>
void eachPair(A& a, const StageState& b, Use&& use) {
    std::vector<const void*> others;
    eachField(b, [&](const StageField&, const auto& ofB, Words) { others.push_back(&ofB); });
    auto other = others.begin();
    eachField(a, [&](const StageField& field, auto& ofA, Words words) {
        use(field, ofA, *static_cast<const std::remove_cvref_t<decltype(ofA)>*>(*other++), words);
    });
}

/// Sets one key; what is wrong with its value, or nothing.
std::string set(StageState& state, const std::string& key, const std::string& value) {
    std::string wrong = "there is no such key";
    eachField(state, [&](const StageField& field, auto& member, Words words) {
        if (key == field.name) wrong = Reader{field, value}.read(member, words);
    });
    return wrong;
}

/// A value as it is written today. Heads have no commas in their names, so that no space is needed between them.
std::string presentValue(const std::string& key, const std::string& value) {
    if (key == "view") return presentViewName(value);
    if (key == "dead_ends" && (value == "on" || value == "off")) return value == "on" ? "shown" : "folded";
    if (key != "mute" && key != "without") return value;
    std::string spaced;
    for (const char c : value)
        spaced.append(c == ',' ? ", " : std::string(1, c));
    return spaced;
}

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string encoded(const std::string& text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isPlain(c))
            result += c;
        else
            (result += '%').append({digits[byte >> 4U], digits[byte & 15U]});
    }
    return result;
}

std::string decoded(const std::string& text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        unsigned byte = 0;
        const char* const from = text.data() + i + 1;
        const char* const to = text.data() + std::min(i + 3, text.size());
        const auto [end, error] = std::from_chars(from, to, byte, 16);
        if (error != std::errc() || end != from + 2)
            throw Error("the link is damaged: \"" + text.substr(i, 3) + "\" stands for no character");
        result += static_cast<char>(byte);
        i += 2;
    }
    return result;
}

}  // namespace

std::string presentViewName(const std::string& word) {
    if (word == "qkv") return "query-key-value";
    if (word == "train") return "training";
    if (word == "settings") return "training-settings";
    return word;
}

std::string presentKey(const std::string& key) {
    if (key == "muted") return "mute";
    if (key == "trained" || key == "steps") return "train";
    if (key == "edited") return "numbers";
    if (key == "mask") return "cells";
    if (key == "shuffled") return "shuffles";
    if (key == "value") return "focus";
    if (key == "pruned") return "dead_ends";
    return key;
}

std::optional<ViewName> viewNamed(const std::string& name) {
    const std::string present = presentViewName(name);
    const auto at = std::ranges::find(viewWords(), present);
    if (at == viewWords().end()) return {};
    return static_cast<ViewName>(at - viewWords().begin());
}

const char* nameOf(ViewName view) {
    return viewOf(view).name;
}

std::string whyWrong(const std::string& key, const std::string& value) {
    StageState scratch;
    return set(scratch, key, presentValue(key, value));
}

std::vector<std::string> stageKeyNames() {
    std::vector<std::string> names;
    const StageState fresh;
    eachField(fresh, [&](const StageField& field, const auto&, Words) { names.emplace_back(field.name); });
    return names;
}

std::vector<std::string> wordsOf(const std::string& key) {
    std::vector<std::string> all;
    const StageState fresh;
    eachField(fresh, [&](const StageField& field, const auto&, Words words) {
        if (key == field.name) all.assign(words.begin(), words.end());
    });
    return all;
}

bool livesOn(const std::string& key) {
    bool on = true;
    const StageState fresh;
    eachField(fresh, [&](const StageField& field, const auto&, Words) {
        if (key == field.name) on = field.lives == StageField::Lives::On;
    });
    return on;
}

namespace {

/// Whoever names a part of the search does not mean the model's own.
bool asksForSearch(const StageSetting& setting, const StageState& state) {
    const StageState fresh;
    if (state.decode.beam != fresh.decode.beam || state.decode.scoring != fresh.decode.scoring ||
        state.decode.penalty != fresh.decode.penalty)
        return true;
    return !setting.contains("search") &&
           (setting.contains("beam") || setting.contains("scoring") || setting.contains("penalty"));
}

}  // namespace

StageState stageFrom(const StageSetting& setting) {
    StageState state;
    for (const auto& [key, value] : setting) {
        const std::string name = presentKey(key);
        if (const std::string wrong = set(state, name, presentValue(name, value)); !wrong.empty())
            throw Error(key + "=" + value + ": " + wrong);
    }
    // Who names α alone means the length penalty that lessons and papers know it from.
    if (setting.contains("penalty") && !setting.contains("scoring"))
        state.decode.scoring = DecodeOptions::Scoring::Gnmt;
    if (asksForSearch(setting, state)) state.decode.search = DecodeOptions::Search::Set;
    return state;
}

StageSetting settingOf(const StageState& state) {
    StageSetting setting;
    const StageState fresh;
    eachPair(state, fresh, [&](const StageField& field, const auto& is, const auto& was, Words words) {
        const bool says = field.name == std::string_view("scoring") && state.decode.penalty != fresh.decode.penalty;
        if (!(is == was) || says) setting[field.name] = written(is, words);
    });
    return setting;
}

void copyField(const std::string& key, const StageState& from, StageState& to) {
    eachPair(to, from, [&](const StageField& field, auto& mine, const auto& theirs, Words) {
        if (key == field.name) mine = theirs;
    });
}

std::string linkTo(const StageState& state) {
    StageSetting setting = settingOf(state);
    setting.erase("view");
    std::string link = std::string(kStateScheme) + nameOf(state.view);
    char between = '?';
    for (const auto& [key, value] : setting) {
        link += between + key + "=" + encoded(value);
        between = '&';
    }
    return link;
}

StageState stageFromLink(const std::string& link) {
    if (!link.starts_with(kStateScheme) || link.size() > kLongestLink)
        throw Error("this is no link to a stage: one begins with headlight: and a view, as headlight:attention");
    const size_t query = std::min(link.find('?'), link.size());
    StageSetting setting{{"view", decoded(link.substr(kStateScheme.size(), query - kStateScheme.size()))}};
    for (size_t from = query + 1; from < link.size();) {
        const size_t end = std::min(link.find('&', from), link.size());
        const std::string pair = link.substr(from, end - from);
        const size_t equals = pair.find('=');
        if (equals == std::string::npos) throw Error("the link is damaged: \"" + pair + "\" is no key=value");
        setting[pair.substr(0, equals)] = decoded(pair.substr(equals + 1));
        from = end + 1;
    }
    return stageFrom(setting);
}

StageState withEditsOf(StageState now, const StageState& edits) {
    eachPair(now, edits, [](const StageField& field, auto& mine, const auto& theirs, Words) {
        if (field.by == StageField::By::Editing) mine = theirs;
    });
    return now;
}

std::vector<std::string> editsBetween(const StageState& before, const StageState& after) {
    std::vector<std::string> names;
    eachPair(before, after, [&](const StageField& field, const auto& was, const auto& is, Words) {
        if (field.by == StageField::By::Editing && !(was == is)) names.emplace_back(field.name);
    });
    return names;
}

}  // namespace headlight

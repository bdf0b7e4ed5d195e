// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/stage_dial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.h"
#include "core/number_text.h"

namespace headlight {

namespace {

constexpr int kMostDecimals = 4;
constexpr std::string_view kDialScheme = "dial:";
/// Numbers that are no setting of what is seen: a place in a lesson, and what trains a run from its beginning.
constexpr std::array kNoDials = {"page", "seed"};

/// Calls use(field, member) for the whole and the other numbers of a state that hold beyond one step.
template <class State, class Use>
void eachNumber(State& state, Use&& use) {
    visitFields(state, [&](const StageField& field, auto& member, const auto&... words) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (sizeof...(words) == 0 && (std::is_same_v<Member, int> || std::is_same_v<Member, double>))
            if (field.lives == StageField::Lives::On && std::ranges::find(kNoDials, field.name) == kNoDials.end())
                use(field, member);
    });
}

/// The smallest power of ten of which at most two hundred lie in the range.
double powerFor(double range) {
    return *readNumber(shortestNumber(std::pow(10.0, std::ceil(std::log10(range / 200) - 1e-9))));
}

double readPart(const std::vector<std::string>& words, size_t at) {
    const std::optional<double> value = at < words.size() ? readNumber(words[at]) : std::nullopt;
    if (!value || !std::isfinite(*value))
        throw Error("write it as {{FIELD from LEAST to MOST}}, or {{FIELD from LEAST to MOST by STEP}}");
    return *value;
}

/// Holds the range against the field; says whether that is a whole number.
void checkRange(const StageDial& dial) {
    bool isKnown = false;
    const auto complain = [&dial](const std::string& what) { throw Error(dial.field + ": " + what); };
    const StageState fresh;
    eachNumber(fresh, [&](const StageField& field, const auto& member) {
        if (dial.field != field.name) return;
        isKnown = true;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, int>) {
            if (dial.least < field.least || dial.most > field.most || dial.least != std::floor(dial.least) ||
                dial.most != std::floor(dial.most) || (dial.by != 0 && dial.by != std::floor(dial.by)))
                complain("a whole number from " + std::to_string(field.least) + " to " + std::to_string(field.most));
        }
    });
    if (!isKnown) complain("the stage has no number of that name that could be dragged");
    if (!(dial.least < dial.most)) complain("the range goes from the smaller number to the larger one");
    if (dial.by < 0 || dial.by > dial.most - dial.least) complain("the step is positive, and no larger than the range");
    if (dial.by != 0 && dial.decimals() > kMostDecimals) complain("the step has at most four digits behind the point");
}

bool isWhole(const std::string& name) {
    bool whole = false;
    const StageState fresh;
    eachNumber(fresh, [&](const StageField& field, const auto& member) {
        if (name == field.name) whole = std::is_same_v<std::remove_cvref_t<decltype(member)>, int>;
    });
    return whole;
}

}  // namespace

int StageDial::decimals() const {
    for (int digits = 0; digits <= kMostDecimals; ++digits)
        if (readNumber(fixedNumber(by, digits)) == by) return digits;
    return kMostDecimals + 1;
}

double StageDial::turned(double from, double steps) const {
    const double to = std::clamp((std::round(from / by) + std::round(steps)) * by, least, most);
    // 3 · 0.1 is not what a file calls 0.3.
    const int digits = to == least || to == most ? 17 : decimals();
    return *readNumber(fixedNumber(to, digits));
}

bool isDialText(const std::string& text) {
    return text.find(" from ") != std::string::npos;
}

StageDial parseDial(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word && words.size() <= 8;)
        words.push_back(word);
    const bool hasStep = words.size() == 7;
    if ((words.size() != 5 && !hasStep) || words[1] != "from" || words[3] != "to" || (hasStep && words[5] != "by"))
        throw Error("\"" + text +
                    "\": write it as {{FIELD from LEAST to MOST}}, or {{FIELD from LEAST to MOST by STEP}}");
    StageDial dial{presentKey(words[0]), readPart(words, 2), readPart(words, 4), hasStep ? readPart(words, 6) : 0};
    checkRange(dial);
    if (hasStep && dial.by == 0) throw Error(dial.field + ": the step is positive, and no larger than the range");
    if (dial.by == 0) dial.by = isWhole(dial.field) ? 1 : powerFor(dial.most - dial.least);
    if (dial.decimals() > kMostDecimals) throw Error(dial.field + ": the range is too small for its step to be seen");
    return dial;
}

std::string dialTarget(const StageDial& dial) {
    return std::string(kDialScheme) + dial.field + "/" + shortestNumber(dial.least) + "/" + shortestNumber(dial.most) +
           "/" + shortestNumber(dial.by);
}

std::optional<StageDial> parseDialTarget(const std::string& target) {
    if (!target.starts_with(kDialScheme)) return {};
    std::string words = target.substr(kDialScheme.size());
    for (const char* between : {" from ", " to ", " by "}) {
        const size_t at = words.find('/');
        if (at == std::string::npos) return {};
        words.replace(at, 1, between);
    }
    try {
        return parseDial(words);
    } catch (const Error&) {
        return {};  // an address that somebody wrote by hand
    }
}

std::optional<double> numberOf(const StageState& state, const std::string& name) {
    std::optional<double> value;
    eachNumber(state, [&](const StageField& field, const auto& member) {
        if (name == field.name) value = static_cast<double>(member);
    });
    return value;
}

void setNumber(StageState& state, const std::string& name, double value) {
    eachNumber(state, [&](const StageField& field, auto& member) {
        if (name != field.name) return;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, int>)
            member = static_cast<int>(std::lround(value));
        else
            member = value;
    });
}

}  // namespace headlight

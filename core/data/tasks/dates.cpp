// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/data/task_corpus.h"
#include "core/data/tasks/tasks.h"

namespace headlight::builtin {
namespace date_writing {
namespace {

constexpr std::array<std::string_view, 12> months = {"january",   "february", "march",    "april",
                                                     "may",       "june",     "july",     "august",
                                                     "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> weekdays = {"monday", "tuesday",  "wednesday", "thursday",
                                                      "friday", "saturday", "sunday"};
constexpr int firstYear = 1950;
constexpr int lastYear = 2049;

struct Date {
    int year;
    int month;
    int day;
};

bool isLeapYear(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int daysIn(int month, int year) {
    constexpr std::array<int, 12> lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return lengths[static_cast<std::size_t>(month - 1)] + (month == 2 && isLeapYear(year) ? 1 : 0);
}

// Sakamoto's congruence (comp.lang.c, 1993): January and February count with the year before.
std::string_view weekdayOf(const Date& date) {
    constexpr std::array<int, 12> offsets = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    const int year = date.month < 3 ? date.year - 1 : date.year;
    const int fromSunday =
        (year + year / 4 - year / 100 + year / 400 + offsets[static_cast<std::size_t>(date.month - 1)] + date.day) % 7;
    return weekdays[static_cast<std::size_t>((fromSunday + 6) % 7)];
}

std::string ordinal(int day) {
    const bool isTeen = day >= 11 && day <= 13;
    const char* ending = day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
    return std::to_string(day) + (isTeen ? "th" : ending);
}

std::string twoDigits(int number) {
    std::string text(2, '0');
    text[0] = static_cast<char>('0' + number / 10);
    text[1] = static_cast<char>('0' + number % 10);
    return text;
}

// D day, O its ordinal, M month, S its short form, Y year, W weekday; anything else stands for itself.
constexpr std::array<std::string_view, 10> forms = {"D M Y",       "M D , Y", "O of M Y", "the O of M , Y", "W , D M Y",
                                                    "W , M O , Y", "D S Y",   "S O , Y",  "W the O of M Y", "Y , M D"};

SentencePair writeDate(const Date& date, std::string_view form) {
    AlignedGrammar::Derivation derivation;
    derivation.target = {std::to_string(date.year), "-", twoDigits(date.month), "-", twoDigits(date.day)};
    const std::string_view month = months[static_cast<std::size_t>(date.month - 1)];
    const auto write = [&](std::string word, int target) {
        if (target >= 0) derivation.alignment.emplace_back(static_cast<int>(derivation.source.size()), target);
        derivation.source.push_back(std::move(word));
    };
    for (std::size_t i = 0; i < form.size(); ++i) {
        switch (form[i]) {
            case ' ':
                break;
            case 'D':
                write(std::to_string(date.day), 4);
                break;
            case 'O':
                write(ordinal(date.day), 4);
                break;
            case 'M':
                write(std::string(month), 2);
                break;
            case 'S':
                write(std::string(month.substr(0, 3)), 2);
                break;
            case 'Y':
                write(std::to_string(date.year), 0);
                break;
            case 'W':
                write(std::string(weekdayOf(date)), -1);
                break;
            default: {
                const std::size_t end = std::min(form.find(' ', i), form.size());
                write(std::string(form.substr(i, end - i)), -1);
                i = end;
            }
        }
    }
    return derivation.toPair();
}

Date drawDate(SeededRandom& random) {
    Date date{};
    date.year = firstYear + static_cast<int>(random.below(lastYear - firstYear + 1));
    date.month = 1 + static_cast<int>(random.below(months.size()));
    date.day = 1 + static_cast<int>(random.below(static_cast<std::size_t>(daysIn(date.month, date.year))));
    return date;
}

// Days and months of which no training date is made: one day in each month but the example's.
bool isHeldOutDay(const SentencePair& pair) {
    static const std::set<std::string> heldOut = {"01 - 17", "02 - 08", "04 - 21", "05 - 30", "06 - 02", "07 - 14",
                                                  "08 - 25", "09 - 11", "10 - 06", "11 - 19", "12 - 28"};
    return heldOut.contains(pair.target.substr(pair.target.find('-') + 2));
}

}  // namespace
}  // namespace date_writing

CorpusSplits dates() {
    using namespace date_writing;
    return writeTaskCorpus({.next =
                                [](SeededRandom& random) {
                                    const Date date = drawDate(random);
                                    return writeDate(date, forms[random.below(forms.size())]);
                                },
                            .isHeldOut = isHeldOutDay,
                            .always = {writeDate({2019, 3, 5}, "D M Y"), writeDate({2019, 3, 5}, "M D , Y"),
                                       writeDate({2019, 3, 5}, "O of M Y")},
                            .train = 8000,
                            .validation = 500,
                            .test = 500,
                            .unseen = 500});
}

}  // namespace headlight::builtin

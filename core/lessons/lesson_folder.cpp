// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "core/error.h"
#include "core/lessons/lesson_parser.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largestFile = 1 << 20;
constexpr int mostFiles = 400;
constexpr auto english = "en";

std::optional<std::string> readText(const fs::path& path, std::vector<LessonMistake>& mistakes) {
    std::error_code error;
    if (fs::is_symlink(path, error)) {
        mistakes.push_back({path.string(), 1, "a link is not followed: put the file itself here"});
        return {};
    }
    if (fs::file_size(path, error) > largestFile || error) {
        mistakes.push_back({path.string(), 1, "the file is larger than a lesson may be (1 MiB), or cannot be read"});
        return {};
    }
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

template <class Result>
using Parse = Result (*)(const std::string& text, const std::string& path, std::vector<LessonMistake>& mistakes);

/// What a file holds and what is wrong with it. Whoever writes lessons changes one of them at a time, and each window
/// reads all: a file whose text is the one that was read before is not parsed again.
template <class Result>
Result parsedOnce(Parse<Result> parse, std::string text, const std::string& path,
                  std::vector<LessonMistake>& mistakes) {
    struct Parsed {
        std::string text;
        Result result;
        std::vector<LessonMistake> mistakes;
    };
    static std::mutex mutex;
    static std::map<std::string, Parsed> known;
    const std::lock_guard lock(mutex);
    if (known.size() >= mostFiles) known.clear();  // folders that are unpacked anew have a new name each time
    const auto [at, isNew] = known.try_emplace(path);
    Parsed& parsed = at->second;
    if (isNew || parsed.text != text) {
        parsed.mistakes.clear();
        parsed.result = parse(text, path, parsed.mistakes);
        parsed.text = std::move(text);
    }
    mistakes.insert(mistakes.end(), parsed.mistakes.begin(), parsed.mistakes.end());
    return parsed.result;
}

bool isEmpty(const LessonStep& step) {
    return step.parts.empty() && !step.stage && !step.tensors;
}

/// The translation where it has the step, the English one elsewhere.
Lesson filledUp(Lesson translated, const Lesson& original) {
    for (size_t i = 0; i < original.steps.size(); ++i)
        if (i >= translated.steps.size())
            translated.steps.push_back(original.steps[i]);
        else if (isEmpty(translated.steps[i]))
            translated.steps[i] = original.steps[i];
    return translated;
}

}  // namespace

const Lesson* LessonFolder::find(const std::string& slug, const std::string& language) const {
    for (const Lesson& lesson : lessons)
        if (lesson.slug == slug && lesson.language == language) return &lesson;
    return nullptr;
}

std::vector<Lesson> LessonFolder::inLanguage(const std::string& language) const {
    std::vector<Lesson> result;
    for (const Lesson& lesson : lessons) {
        if (lesson.language == language) {
            const Lesson* original = language == english ? nullptr : find(lesson.slug, english);
            result.push_back(original ? filledUp(lesson, *original) : lesson);
        } else if (lesson.language == english && !find(lesson.slug, language)) {
            result.push_back(lesson);
        }
    }
    std::ranges::stable_sort(result, {}, &Lesson::number);
    return result;
}

std::string LessonFolder::meaning(const std::string& term, const std::string& language) const {
    for (const std::string& each : {language, std::string(english)})
        if (const auto in = terms.find(each); in != terms.end())
            if (const auto found = in->second.find(term); found != in->second.end()) return found->second;
    return {};
}

const ViewHelp* LessonFolder::helpOf(const std::string& view, const std::string& language) const {
    for (const std::string& each : {language, std::string(english)})
        if (const auto in = help.find(each); in != help.end())
            if (const auto found = in->second.find(view); found != in->second.end()) return &found->second;
    return nullptr;
}

std::vector<std::string> LessonFolder::languages() const {
    std::vector<std::string> result;
    for (const Lesson& lesson : lessons)
        if (std::ranges::find(result, lesson.language) == result.end()) result.push_back(lesson.language);
    return result;
}

LessonFolder readLessonFolder(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) throw Error(path + " is no folder: name one with LANGUAGE/NN-slug.md in it");
    LessonFolder folder;
    folder.path = path;
    std::vector<fs::path> files;
    for (const fs::directory_entry& language : fs::directory_iterator(path, error)) {
        // Other folders (formulas, notes) hold no lessons.
        if (language.is_symlink(error) || !language.is_directory(error) ||
            !isLanguageCode(language.path().filename().string()))
            continue;
        for (const fs::directory_entry& file : fs::directory_iterator(language.path(), error))
            if (file.path().extension() == ".md" || file.path().filename() == "terms.yaml" ||
                file.path().filename() == "help.yaml")
                files.push_back(file.path());
    }
    std::ranges::sort(files);
    if (files.size() > mostFiles) {
        folder.mistakes.push_back({path, 1, "more than 400 files: split the folder"});
        files.resize(mostFiles);
    }
    for (const fs::path& file : files) {
        std::optional<std::string> text = readText(file, folder.mistakes);
        if (!text) continue;
        const std::string language = file.parent_path().filename().string();
        if (file.extension() == ".md")
            folder.lessons.push_back(parsedOnce<Lesson>(parseLesson, std::move(*text), file.string(), folder.mistakes));
        else if (file.filename() == "help.yaml")
            folder.help[language] = parsedOnce<std::map<std::string, ViewHelp>>(parseHelp, std::move(*text),
                                                                                file.string(), folder.mistakes);
        else
            folder.terms[language] = parsedOnce<std::map<std::string, std::string>>(parseTerms, std::move(*text),
                                                                                    file.string(), folder.mistakes);
    }
    for (const auto& [language, help] : folder.help)
        for (const auto& [view, about] : help)
            if (!about.lesson.empty() && !folder.find(about.lesson, "en"))
                folder.mistakes.push_back({(fs::path(path) / language / "help.yaml").string(), about.line,
                                           view + " names the lesson " + about.lesson + ", which is not there"});
    return folder;
}

bool isLanguageCode(const std::string& name) {
    const size_t first = std::min(name.find('-'), name.size());
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    };
    return (first == 2 || first == 3) &&
           std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(first), small) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(first), name.end(), plain) && name.size() <= 16;
}

std::string formulaName(const std::string& tex, bool display) {
    // Fowler, Noll, Vo: a name, not a secret.
    uint64_t hash = 14695981039346656037U;
    for (const char c : (display ? "D" : "I") + tex)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    static constexpr char digits[] = "0123456789abcdef";
    std::string name;
    for (int shift = 60; shift >= 0; shift -= 4)
        name += digits[(hash >> shift) & 15U];
    return name;
}

}  // namespace headlight

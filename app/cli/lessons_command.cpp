// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "core/error.h"
#include "core/io/model_file.h"
#include "core/io/safetensors_header.h"
#include "core/lessons/course.h"
#include "core/lessons/lesson_check.h"
#include "core/platform/process.h"

namespace headlight::cli {

namespace {

namespace fs = std::filesystem;

/// A folder of what ships, beside the program or in the place where it was built; empty: it is nowhere.
std::string shipped(const char* installed, const char* built) {
    std::error_code error;
    const fs::path program = platform::programFile();
    for (const char* place : {installed, built}) {
        const fs::path folder = program.parent_path() / place;
        if (fs::is_directory(folder, error)) return fs::canonical(folder, error).string();
    }
    return {};
}

struct CheckOptions {
    std::string folder;
    std::string models = shipped("../share/headlight/models", "../../resources/models");
    std::string formulas = shipped("../share/headlight/formulas", "../../resources/formulas");
};

LessonNumbers::OpenModel opener(const CheckOptions& options) {
    return [folder = fs::path(options.models)](const std::string& name) {
        const fs::path file = folder / (name + ".safetensors");
        std::error_code error;
        if (name.find('/') != std::string::npos || !fs::exists(file, error)) {
            std::string known;
            for (const fs::directory_entry& each : fs::directory_iterator(folder, error))
                known += (known.empty() ? "" : ", ") + each.path().stem().string();
            throw Error("there is no shipped model " + safetensors::quotedName(name) + ": use one of " + known);
        }
        return std::make_shared<const TrainedModel>(loadModel(file.string()));
    };
}

/// A course is checked against the lessons that ship.
void checkCourseFile(const CheckOptions& options) {
    const Course course = readCourse(options.folder);
    const std::vector<Lesson> lessons =
        readLessonFolder(shipped("../share/headlight/lessons", "../../lessons")).inLanguage("en");
    const std::vector<LessonMistake> mistakes = checkCourse(course, lessons);
    for (const LessonMistake& mistake : mistakes)
        std::cout << mistake.path << ":" << mistake.line << ": " << mistake.what << "\n";
    if (!mistakes.empty())
        throw Error(std::to_string(mistakes.size()) + (mistakes.size() == 1 ? " mistake" : " mistakes") + " in " +
                    options.folder);
    std::cout << "a course of " << course.stops.size() << (course.stops.size() == 1 ? " lesson" : " lessons")
              << ", no mistake\n";
}

void check(const CheckOptions& options) {
    if (const std::string ending = fs::path(options.folder).extension().string(); ending == ".yaml" || ending == ".yml")
        return checkCourseFile(options);
    const LessonFolder folder = readLessonFolder(options.folder);
    if (folder.lessons.empty() && folder.mistakes.empty())
        throw Error(options.folder + " holds no lesson: they are files LANGUAGE/NN-slug.md, as en/03-gates.md");
    const std::vector<LessonMistake> mistakes =
        checkLessons(folder, {opener(options),
                              {options.formulas, (fs::path(options.folder) / "formulas").string()},
                              shipped("../share/headlight/lessons", "../../lessons")});
    for (const LessonMistake& mistake : mistakes)
        std::cout << mistake.path << ":" << mistake.line << ": " << mistake.what << "\n";
    if (!mistakes.empty())
        throw Error(std::to_string(mistakes.size()) + (mistakes.size() == 1 ? " mistake" : " mistakes") + " in " +
                    options.folder);
    std::cout << folder.lessons.size() << (folder.lessons.size() == 1 ? " lesson" : " lessons") << ", no mistake\n";
}

/// The programs of all lessons with what they print, an object a line.
void listPrograms(const CheckOptions& options) {
    const LessonFolder folder = readLessonFolder(options.folder);
    LessonNumbers numbers(opener(options));
    for (const Lesson& lesson : folder.lessons)
        for (size_t i = 0; i < lesson.steps.size(); ++i)
            for (const LessonPart& part : lesson.steps[i].parts)
                if (const auto* program = std::get_if<LessonCode>(&part)) {
                    const LessonScene scene = sceneOf(lesson, i);
                    printJson({{"lesson", lesson.path},
                               {"line", program->line},
                               {"model", scene.state.model},
                               {"code", program->code},
                               {"prints", numbers.filledIn(scene, program->prints, LessonNumbers::Form::Code)}});
                }
}

/// What a lesson may name of a model: every value of its trace, with its shape.
void listValues(const CheckOptions& options, const std::string& model, const std::string& source) {
    LessonNumbers numbers(opener(options));
    StageState state;
    state.model = model;
    state.source = source;
    for (const TraceRecord& record : numbers.trace(state).records()) {
        std::string shape;
        for (const int size : record.shape)
            shape.append(shape.empty() ? "[" : ",").append(std::to_string(size));
        std::cout << record.name << " " << shape << "]\n";
    }
}

}  // namespace

void addLessons(CLI::App& app) {
    CLI::App* lessons = app.add_subcommand("lessons", "Lessons: see lessons/AUTHORING.md");
    lessons->require_subcommand(1);
    CLI::App* command = lessons->add_subcommand(
        "check", "Name every mistake in a folder of lessons, or in a course, with file and line");
    auto options = std::make_shared<CheckOptions>();
    command->add_option("folder", options->folder, "A folder with LANGUAGE/NN-slug.md in it, or a course")
        ->required()
        ->type_name("DIR|FILE.yaml");
    command->add_option("--models", options->models, "Where the models lie")->type_name("DIR");
    command->add_option("--formulas", options->formulas, "Where the pictures of formulas lie")->type_name("DIR");
    command->callback([options] { check(*options); });

    CLI::App* programs = lessons->add_subcommand(
        "programs", "List the lessons' lines of PyTorch with what they print, as JSON, an object a line");
    programs->add_option("folder", options->folder, "A folder with LANGUAGE/NN-slug.md in it")
        ->required()
        ->type_name("DIR");
    programs->callback([options] { listPrograms(*options); });

    struct ValuesOptions {
        std::string model, source;
    };
    CLI::App* values = lessons->add_subcommand("values", "List what a lesson may name of a shipped model's trace");
    auto asked = std::make_shared<ValuesOptions>();
    values->add_option("model", asked->model, "A shipped model, by its name")->required()->type_name("MODEL");
    values->add_option("--source", asked->source, "The sentence; else the model's own example")->type_name("TEXT");
    values->callback([options, asked] { listValues(*options, asked->model, asked->source); });
}

}  // namespace headlight::cli

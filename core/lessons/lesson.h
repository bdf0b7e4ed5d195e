// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lessons/claim.h"
#include "core/lessons/stage_state.h"

namespace headlight {

/// Lessons are data: Markdown with blocks that drive the program (lessons/AUTHORING.md). These types are what a file
/// says; what it says wrong is a list of mistakes beside it.

/// A matrix given by hand.
struct LessonMatrix {
    int rows = 0, columns = 0;
    std::vector<float> values;
};
struct LessonTensors {
    std::vector<std::string> words;
    std::map<std::string, LessonMatrix> matrices;  ///< `Q`, `K`, `V`, or `scores`
    bool operator==(const LessonTensors& other) const;
};

struct LessonProse {
    int line = 0;
    std::string markdown;  ///< with `$…$` and `{{…}}` in it
};
/// A formula on lines of its own, as TeX.
struct LessonFormula {
    int line = 0;
    std::string tex;
};
/// Keys of a block and the lines on which they stand.
using KeyLines = std::map<std::string, int>;

struct LessonCheck {
    enum class Kind { Number, Choice, Cell };
    Kind kind = Kind::Number;
    int line = 0;
    KeyLines lines;
    std::string ask, hint, right;
    NumberName number;             ///< of a number and a cell; of a choice by `largest` the row to look along
    std::optional<double> answer;  ///< of a number, for the reader of the file
    double tolerance = 0.001;
    std::vector<std::string> choices;
    std::vector<std::string> hints;  ///< of a choice: what each that is wrong is told, empty where `hint` is; or none
    int rightChoice = -1;            ///< from 0; -1: the engine knows it (`largest`)
};
struct LessonTask {
    int line = 0;
    KeyLines lines;
    std::string what;
    StageSetting when;
};
/// Lines of Python for the folder that `headlight-cli export --format pytorch` makes of the step's model.
struct LessonCode {
    int line = 0;
    KeyLines lines;
    std::string code;
    std::string prints;  ///< what it prints, its numbers as `{{NAME[…]}}`
};
/// What is not on the lesson's way, folded until the reader opens it.
struct LessonMore {
    int line = 0;
    KeyLines lines;
    std::string title, text;
};
/// Numbers that the stage and the words withhold until the reader has predicted them.
struct LessonVeil {
    enum class Predict { Shares, Number, Cell, Curve };
    int line = 0;
    KeyLines lines;
    std::string ask, after;
    std::vector<NumberName> hidden;  ///< numbers, or whole rows of them
    Predict predict = Predict::Number;
    // Of a curve: the ends of the axis beside it, whether it goes by powers of ten, and what the one below counts.
    double least = 0, most = 0;
    bool isByTens = false;
    std::string across;
};
/// What must be true of the stage for the words of a step to be true.
struct LessonClaim {
    int line = 0;
    Claim claim;
};
using LessonPart =
    std::variant<LessonProse, LessonFormula, LessonCheck, LessonTask, LessonCode, LessonVeil, LessonMore>;

struct LessonStep {
    int line = 0;
    std::string title;
    std::optional<StageSetting> stage;
    int stageLine = 0;
    KeyLines stageLines;
    std::optional<LessonTensors> tensors;
    std::vector<LessonPart> parts;
    std::vector<LessonClaim> claims;  ///< `holds:`
};

struct Lesson {
    std::string path;
    std::string language;  ///< the folder's name
    int number = 0;
    std::string slug;
    std::string title, summary;
    int minutes = 0;
    std::vector<std::string> needs, sources;
    std::string model;
    std::string vignette;  ///< one of vignetteNames; empty: that of the slug, or of the first step's view
    KeyLines headLines;
    std::vector<LessonStep> steps;

    /// What the stage shows at a step: what all blocks up to it say, the last word counting. What belongs to one step
    /// only (`animate`, `step`, `train`) does not live on.
    StageState stateAt(size_t step) const;
    /// The matrices in force at a step; null: none.
    const LessonTensors* tensorsAt(size_t step) const;
};

/// What a file says wrong, and where.
struct LessonMistake {
    std::string path;
    int line = 0;
    std::string what;
};

/// What a `try` may wait for: the fields of StageState, `holds`, a claim of numbers as they stand, and `translation`, a
/// word of it. A field is met by its value; besides, `source`, `step`, `cells` and `shuffles` by having `changed`,
/// `mute` and `fixed` by `any`, `numbers` by the matrix in which one was changed, `measured` by so many curves.
std::vector<std::string> conditionKeyNames();
/// What is wrong with a value of that condition; empty: nothing.
std::string whyWrongCondition(const std::string& key, const std::string& value);
/// What the stage shows besides its state.
struct StageFacts {
    /// Nothing where there is no such number, or it is not computed yet.
    std::function<std::optional<double>(const NumberName& number)> number = {};
    std::string translation = {};
};
/// Is the condition met by what the stage shows `now`, where it showed `before` as the step began?
bool isMet(const std::string& key, const std::string& value, const StageState& before, const StageState& now,
           const StageFacts& facts = {});
/// Has anything changed that the conditions are about? What a step shows by itself is nobody's doing.
bool isTouched(const StageSetting& when, const StageState& before, const StageState& now);

}  // namespace headlight

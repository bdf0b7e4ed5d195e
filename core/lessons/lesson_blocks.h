// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "core/lessons/lesson.h"

namespace headlight {

/// Where mistakes of one file are collected. Lines count from 1.
struct MistakeList {
    std::string path;
    std::vector<LessonMistake>& all;

    void add(int line, const std::string& what) { all.push_back({path, line, what}); }
};

// The YAML of a lesson's file, read into what it says. `first` is the line of the file that the YAML begins on, for
// readCheck(), readTry(), readVeil() and readCode() the one before, which opens the block.

/// A YAML value as a `stage` block keeps it: a scalar, or a list of them. Aliases could blow up what is deeper.
std::string flat(const YAML::Node& node);
/// "key: value" lines; nothing where the text is none.
std::optional<YAML::Node> readYaml(const std::string& text, int first, MistakeList& mistakes);

StageSetting readStage(const YAML::Node& node, int first, KeyLines& lines, MistakeList& mistakes);
/// The claims of a stage block's `holds`, a text or a list of them.
std::vector<LessonClaim> readClaims(const YAML::Node& node, int first, MistakeList& mistakes);
/// Nothing where a matrix is wrong: the engine takes it that the sizes fit.
std::optional<LessonTensors> readTensors(const YAML::Node& node, int first, MistakeList& mistakes);
std::optional<LessonCheck> readCheck(const YAML::Node& node, int first, MistakeList& mistakes);
LessonTask readTry(const YAML::Node& node, int first, MistakeList& mistakes);
std::optional<LessonVeil> readVeil(const YAML::Node& node, int first, MistakeList& mistakes);
LessonMore readMore(const YAML::Node& node, int first, MistakeList& mistakes);
LessonCode readCode(const YAML::Node& node, int first, MistakeList& mistakes);

}  // namespace headlight

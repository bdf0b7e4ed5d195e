// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/view_help.h"

namespace headlight {

/// A folder of lessons, LANGUAGE/NN-slug.md, as it was read: what could be understood, and what is wrong.
struct LessonFolder {
    std::string path;
    std::vector<Lesson> lessons;  ///< all languages; by language, then by number
    /// By language: word → meaning.
    std::map<std::string, std::map<std::string, std::string>> terms;
    /// By language: the name of a view → what is said about it (`help.yaml`).
    std::map<std::string, std::map<std::string, ViewHelp>> help;
    std::vector<LessonMistake> mistakes;

    const Lesson* find(const std::string& slug, const std::string& language) const;
    /// The lessons in a language, by number: what it lacks is English, step by step. English comes as it is.
    std::vector<Lesson> inLanguage(const std::string& language) const;
    /// A term's meaning in a language, or else in English; empty: there is none.
    std::string meaning(const std::string& term, const std::string& language) const;
    /// Likewise what is said about a view; null: nothing.
    const ViewHelp* helpOf(const std::string& view, const std::string& language) const;
    std::vector<std::string> languages() const;
};

/// Reads every lesson and `terms.yaml` of the folder. What stands in a file never throws: it becomes a mistake. Files
/// of more than a mebibyte, links that lead out of the folder, and more than 400 files are not read. Throws Error where
/// there is no such folder.
LessonFolder readLessonFolder(const std::string& path);

/// `en`, `pt-BR`: the name of a folder with lessons in it.
bool isLanguageCode(const std::string& name);

/// The name under which a formula's picture is kept: `FORMULA.svg`, from its TeX and whether it stands on lines of its
/// own. Sixteen hexadecimal digits (FNV-1a).
std::string formulaName(const std::string& tex, bool display);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/lessons/lesson_numbers.h"

namespace headlight {

// What a step asks must not have stood before the reader in the steps that lead to it.

/// Does that number follow from the same model, sentence or matrices, and settings in both scenes, so that the one
/// tells the other?
bool followsFromTheSame(const std::string& name, const LessonScene& one, const LessonScene& other);

struct VeilPlace {
    size_t step = 0, part = 0;
    const LessonVeil* veil = nullptr;
};
/// The veils that lie over a step: its own, and those of later steps whose numbers its stage would show.
std::vector<VeilPlace> veilsOver(const Lesson& lesson, size_t step);

/// Does a step before this one tell a number, or one of a row, that this step asks for: in its words, by its own
/// question, or as the cell that its stage points at? A veil hides its numbers from the stage of the steps before;
/// then only a view that hides nothing tells them. Empty: none does.
enum class Asking { Openly, UnderVeil };
std::string whyToldBefore(const Lesson& lesson, size_t step, const NumberName& asked, Asking how);

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// What there is to do with a file or a folder that somebody hands to the program.
enum class FileKind : unsigned char {
    Model,    ///< openModel(), which says what is wrong where it is none either
    Lessons,  ///< a folder of them, a pack (.zip), a lesson (.md) or a course (.yaml)
    Text      ///< sentences, to learn from; gzipped or not, or in a form of which Train says what to do with it
};

/// By its name, and where that leaves it open by its first bytes. Never throws: what is not there is taken for a model.
FileKind kindOfFile(const std::string& path);

}  // namespace headlight

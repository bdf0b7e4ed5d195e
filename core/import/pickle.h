// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/platform/folder.h"

namespace headlight {

/// PyTorch's own files are Python's pickles: a list of instructions, which may be any, that reading carries out. So
/// nobody who opens a stranger's file should run them, and Headlight runs none; it says how to convert such a file.

/// Does it begin as a pickle does, or as a zip archive, in which newer ones lie? False where it cannot be read.
bool isPickle(const std::string& path);
/// Throws Error for the pickle `path`, with the line of Python that converts it.
[[noreturn]] void refusePickle(const std::string& path);
/// The same where the folder holds weights as a pickle; does nothing where it holds none.
void refusePickles(const platform::Folder& folder);

}  // namespace headlight

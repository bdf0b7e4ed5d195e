// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// Unpacks the lessons of a zip (LANGUAGE/NN-slug.md, terms.yaml, formulas; all of it perhaps in one folder) into
/// `folder`. Nothing else is written, nothing outside of the folder, and no more than 32 MiB. Throws Error, which
/// begins with the path, for what is no zip, is damaged, or holds more than a pack may.
void unpackLessons(const std::string& zip, const std::string& folder);

}  // namespace headlight

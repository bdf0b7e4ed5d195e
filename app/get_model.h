// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headlight {

/// `headlight --get NAME`: brings a model from the hub to the cache of Hugging Face's programs without a window. How
/// far it is goes to standard error, the model's folder to standard output. Returns the program's status. Needs a
/// QCoreApplication. Throws Error with what went wrong, in one line.
int getModel(const std::string& name);

}  // namespace headlight

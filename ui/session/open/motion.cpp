// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open/motion.h"

namespace headlight::motion {

namespace {
bool reduced = false;
}  // namespace

bool isReduced() {
    return reduced;
}

void setReduced(bool value) {
    reduced = value;
}

}  // namespace headlight::motion

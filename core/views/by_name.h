// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/views/stage_field.h"

namespace headlight {

/// Models of Hugging Face's by their names.
struct ByNameOptions {
    std::string words;  ///< a name or words that are looked for

    bool operator==(const ByNameOptions&) const = default;

    template <class Self, class Visit>
    static void visitFields(Self& o, Visit&& visit) {
        visit(StageField{"by_name"}, o.words);
    }
};

}  // namespace headlight

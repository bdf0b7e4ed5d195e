// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/data/training_data.h"
#include "core/io/trained_model.h"

namespace headlight {

/// The files that a model learned from, found again; else which of them is not.
struct FoundData {
    std::optional<TrainingData> data;  ///< with the files as they are here; nothing where one is missing
    uint64_t seed = 1;                 ///< by which its sentences are dealt out
    enum class Missing : unsigned char {
        Nothing,
        Untold,   ///< the model does not say what it learned from
        Gone,     ///< there is no such file any more
        Changed,  ///< there is one, and its contents are others
    } missing = Missing::Nothing;
    std::string file = {};    ///< the name of what is missing
    std::string folder = {};  ///< where it was; "" where that is not known
};

/// A file that was read here: it is looked at first when a model asks for one of that name. On any thread.
void rememberDataFile(const std::string& path);

/// Looks where the settings beside the model's file say, beside that file, and among what rememberDataFile() was told.
/// A file counts that has the contents which the model learned from; where it does not say which, any with its name
/// does. Of a built-in task `data` names it. Reads whole files: not for a thread that draws.
FoundData findData(const TrainedModel& model);

}  // namespace headlight

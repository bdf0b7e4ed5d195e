// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "core/io/model_file.h"
#include "core/trace/module.h"

namespace headlight {

/// A model as it stands on the shelf: what its file says of it, and how its parameters are divided. No weight is read.
struct ShelfModel {
    QString path;
    ModelCard card = {};
    std::vector<std::pair<ModuleRef, long>> parameters = {};  ///< of each tensor: its module, its numbers
    long count = 0;
    QString trouble = {};  ///< why it cannot be read; empty: it can
};

/// Of a file or a folder of any kind that the program opens. On any thread; what is wrong with it is its trouble.
ShelfModel readShelfModel(const QString& path);

/// The models that were opened lately and neither ship nor lie in `trainedFolder`, the newest first; what is no longer
/// there is left out.
QStringList modelsFromElsewhere(const QString& trainedFolder);

/// What a model made of a sentence.
struct ShelfAnswer {
    QString asked;
    bool isOwn = false;  ///< the sentence is one that suits the model, as the reader's does not
    QString said;
};
/// Reads the sentence, or one of the model's own where it does not know the sentence's words. Nothing for a model that
/// says nothing, that has no sentence of its own, or that is so large that reading it would take seconds. On any
/// thread. Throws Error as openModel() of core/import.
std::optional<ShelfAnswer> askShelfModel(const ShelfModel& model, const QString& sentence);

}  // namespace headlight

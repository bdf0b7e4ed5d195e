// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "ui/session/open/cell_study.h"
#include "ui/session/trace/cell_picture.h"

namespace headlight {

/// What a web page keeps of a recurrent cell: every column of every unit at every word of the place that is shown, and
/// whether the units stand in the order of the gate that keeps.
nlohmann::json cellRecord(const std::shared_ptr<const TrainedModel>& model, const std::shared_ptr<const Trace>& trace,
                          const CellPicture& shown);

/// What stands beside it: how each gate of every unit comes about at every word (`sums`), what the units write at which
/// word, and how far back the gradient reaches, as far as that is known.
nlohmann::json cellSideRecord(const std::shared_ptr<const TrainedModel>& model,
                              const std::shared_ptr<const Trace>& trace, const CellPicture& shown,
                              const CellStudy& study);

}  // namespace headlight

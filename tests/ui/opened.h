// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <span>

#include "core/data/translate.h"
#include "core/import/import_model.h"
#include "tests/ui/fixture.h"

namespace headlight::fixture {

/// As loadByName().
inline std::shared_ptr<const TrainedModel> openedModel(const QString& name) {
    return std::make_shared<const TrainedModel>(loadByName(name));
}

/// What a model without words makes of a few ids.
inline std::shared_ptr<const Trace> traceOfIds(const TrainedModel& model) {
    const ModelConfig& config = model.network->config();
    return std::make_shared<const Trace>(config.encoderDecoder()
                                             ? traceIds(model, {4, 5, 6, 7}, {config.decoderStart(), 4, 5})
                                             : traceIds(model, {4, 5, 6, 7}));
}

/// A row of a traced value, from 0.
inline std::span<const float> rowOf(const Trace& trace, const std::string& name, int row) {
    const TraceRecord& record = trace.at(name);
    const auto width = static_cast<size_t>(record.shape.back());
    return std::span(record.values).subspan(static_cast<size_t>(row) * width, width);
}

}  // namespace headlight::fixture

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "core/io/trained_model.h"
#include "ui/session/trace/attention_facts.h"

namespace headlight {

/// The gold links between a sentence and what the model wrote, where its built-in task has that pair; else none. The
/// task's corpus is made on the first call and kept. May be called from any thread.
GoldLinks goldAlignment(const TrainedModel& model, const QString& source, const QStringList& written);

}  // namespace headlight

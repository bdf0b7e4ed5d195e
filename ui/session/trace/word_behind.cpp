// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/word_behind.h"

namespace headlight {

QString wordBehind(const Tokenizer& tokenizer, int before, int id) {
    return QString::fromStdString(before < 0 ? tokenizer.displayOne(id) : tokenizer.display({before, id}).back());
}

int idBefore(const TrainedModel& model, const Trace& trace, int row) {
    const ModelConfig& config = model.network->config();
    if (!config.saysWords()) return -1;
    const TraceRecord* const ids = trace.find(config.encoderDecoder() ? "target.ids" : "ids");
    const int at = config.masked() ? row - 1 : row;  // in the place of a word it stands behind the one before it
    if (!ids || at < 0 || at >= static_cast<int>(ids->values.size())) return -1;
    return static_cast<int>(ids->values[static_cast<size_t>(at)]);
}

QString wordAtRow(const TrainedModel& model, const Trace& trace, int row, int id) {
    return wordBehind(*model.target, idBefore(model, trace, row), id);
}

QString WordsBehind::at(const TrainedModel& model, const Trace& trace, int row, int id) {
    const int before = idBefore(model, trace, row);
    QString& text = m_words[{before, id}];
    if (text.isEmpty()) text = wordBehind(*model.target, before, id);
    return text;
}

}  // namespace headlight

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/mask_batch.h"

#include <algorithm>

#include "core/data/translate.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

MaskBatch padBatch(const TrainedModel& model, const std::vector<const Trace*>& sentences, size_t chosen, BatchSide side,
                   int pads) {
    const ModelConfig& config = model.network->config();
    const bool target = side == BatchSide::Target;
    size_t sourceLength = 0, targetLength = 0;
    for (const Trace* sentence : sentences) {
        sourceLength = std::max(sourceLength, sentence->sourceTokens.size());
        targetLength = std::max(targetLength, sentence->targetTokens.size());
    }
    size_t& padded = target ? targetLength : sourceLength;
    padded = std::min(padded + static_cast<size_t>(pads), static_cast<size_t>(config.maxLength));
    const auto shown = [&](const Trace& sentence) -> const std::vector<std::string>& {
        return target ? sentence.targetTokens : sentence.sourceTokens;
    };
    const QString pad = QString::fromStdString((target ? model.target : model.source)->displayOne(config.padId));
    MaskBatch batch;
    for (const Trace* sentence : sentences) {
        MaskBatch::Row row{wordList(shown(*sentence)), static_cast<int>(shown(*sentence).size())};
        while (row.tokens.size() < static_cast<qsizetype>(padded))
            row.tokens << pad;
        batch.rows.push_back(std::move(row));
    }
    batch.words = batch.rows[chosen].words;
    // By their ids: what a token shows need not be how the vocabulary spells it.
    const auto fill = [&](const TraceRecord& read, size_t length) {
        std::vector<int> ids = read.ids();
        ids.resize(length, config.padId);
        return ids;
    };
    const Trace& read = *sentences[chosen];
    batch.trace = std::make_shared<const Trace>(
        traceIds(model, fill(read.at("source.ids"), sourceLength), fill(read.at("target.ids"), targetLength)));
    return batch;
}

QString beginningOf(const TrainedModel& model, const Trace& trace) {
    const Tokenizer& tokenizer = *model.source;
    std::vector<int> words = sourceWords(model, trace);
    for (size_t length = (words.size() + 1) / 2; length > 0; --length) {
        words.resize(length);
        const std::string text = tokenizer.decode(words);
        if (tokenizer.encode(text) == words) return QString::fromStdString(text);
    }
    return {};
}

}  // namespace headlight

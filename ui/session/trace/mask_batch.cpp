// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/mask_batch.h"

#include <algorithm>

#include "core/data/translate.h"
#include "core/experiment/prompt.h"
#include "ui/session/trace/value_words.h"

namespace headlight {

MaskBatch padBatch(const TrainedModel& model, const std::vector<const Trace*>& sentences, size_t chosen, BatchSide side,
                   int pads, int most) {
    const ModelConfig& config = model.network->config();
    const bool target = side == BatchSide::Target;
    const auto room = static_cast<size_t>(std::max(1, most - pads));
    const auto shown = [&](const Trace& sentence) -> const std::vector<std::string>& {
        return target ? sentence.targetTokens : sentence.sourceTokens;
    };
    MaskBatch batch;
    size_t sourceLength = 0, targetLength = 0;
    for (const Trace* sentence : sentences) {
        sourceLength = std::max(sourceLength, sentence->sourceTokens.size());
        targetLength = std::max(targetLength, sentence->targetTokens.size());
    }
    size_t& padded = target ? targetLength : sourceLength;
    batch.longest = static_cast<int>(padded);
    batch.isCut = padded > room;
    padded = std::min(std::min(padded, room) + static_cast<size_t>(pads), static_cast<size_t>(config.maxLength));
    const QString pad = QString::fromStdString((target ? model.target : model.source)->displayOne(config.padId));
    for (const Trace* sentence : sentences) {
        const QStringList words = wordList(shown(*sentence)).mid(0, static_cast<qsizetype>(room));
        MaskBatch::Row row{words, static_cast<int>(words.size())};
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

MaskBatch beginningOf(const TrainedModel& model, const std::shared_ptr<const Trace>& trace, int most) {
    MaskBatch batch;
    batch.longest = static_cast<int>(trace->sourceTokens.size());
    batch.isCut = batch.longest > most;
    batch.words = std::min(batch.longest, most);
    batch.trace = trace;
    if (!batch.isCut) return batch;
    Prompt prompt = Prompt::of(*trace);
    prompt.source.resize(static_cast<size_t>(most));
    batch.trace = std::make_shared<const Trace>(tracePrompt(model, prompt));
    return batch;
}

namespace {

/// The beginnings of a text, word by word, each with the mark that stands at the end of the whole.
std::vector<std::string> beginnings(const QString& text) {
    constexpr qsizetype kMostWords = 12;
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    const QChar last = text.isEmpty() ? QChar() : text.back();
    const QString mark = last.isPunct() ? QString(last) : QString();
    std::vector<std::string> all;
    const qsizetype least = std::max<qsizetype>(words.size() > 2 ? 2 : 1, words.size() / 3);
    for (qsizetype count = std::min(kMostWords, words.size() - 1); count >= least; --count) {
        QString start = words.mid(0, count).join(u' ');
        if (!mark.isEmpty() && !start.back().isPunct()) start += mark;
        all.push_back(start.toStdString());
    }
    return all;
}

/// Word after word the same: it has lost the thread.
bool repeatsItself(const std::vector<std::string>& tokens) {
    for (size_t i = 2; i < tokens.size(); ++i)
        if (tokens[i] == tokens[i - 1] && tokens[i] == tokens[i - 2]) return true;
    return false;
}

}  // namespace

QString shorterSentence(const TrainedModel& model, const Trace& trace) {
    const std::vector<int> read = sourceWords(model, trace);
    std::vector<std::string> tried = beginnings(QString::fromStdString(model.source->decode(read)));
    std::erase_if(tried, [&](const std::string& text) {
        const size_t length = model.source->encode(text).size();
        return length == 0 || length >= read.size();
    });
    if (tried.empty()) return {};
    double most = -std::numeric_limits<double>::infinity();
    bool isBestWhole = false;
    QString best;
    for (const Translation& each : translate(model, tried, ownBeam(model))) {
        const Written& written = each.best();
        const size_t words = written.tokens.size();
        if (words == 0) continue;
        // A model that brings nothing to an end is shown so.
        const bool isWhole =
            written.finished && words <= 2 * each.sourceTokens.size() + 4 && !repeatsItself(written.tokens);
        const double confidence = written.logProb / static_cast<double>(words);
        if (isWhole < isBestWhole || (isWhole == isBestWhole && confidence <= most)) continue;
        isBestWhole = isWhole;
        most = confidence;
        best = QString::fromStdString(each.source);
    }
    return best;
}

}  // namespace headlight

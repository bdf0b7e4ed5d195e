// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/io/trained_model.h"
#include "core/trace/trace.h"

namespace headlight {

/// Tokens as the interface writes them.
QStringList wordList(const std::vector<std::string>& tokens);
/// What the decoder writes, row by row.
QStringList writtenWords(const Trace& trace);
/// The ids of the source without special tokens: what stands for its text.
std::vector<int> sourceWords(const TrainedModel& model, const Trace& trace);
/// "₁₂".
QString subscript(int number);

/// What a traced value is called in pictures: "Q", "Scores", "Memory", "Forget gate".
QString valueTitle(const TraceRecord& record);
/// Where it belongs: "Encoder, layer 1, self-attention". Empty for what belongs to the whole model.
QString scopeTitle(const TraceRecord& record);
/// "Encoder, layer 1".
QString placeTitle(const ModulePlace& place);
/// What weights belong to: "Encoder, layer 1, norm"; "Output layer".
QString moduleTitle(const Module& module);
/// The same over all layers: "Encoder attention", "Layer norm".
QString groupTitle(const Module& module);
/// "5×64"; of a value with heads, the matrix of one.
QString shapeText(const TraceRecord& record);

/// What an operation does, in one sentence: "Fetch the vector of each word".
QString operationSentence(Operation operation);
/// The formula of an operation as rich text; the same as OperationDescription::formula for what cannot set TeX.
QString formulaText(const TraceRecord& record);

/// n where scores are divided by n·√d_k: the layer's number, or 1. Nothing where they are made smaller otherwise, or
/// not at all.
std::optional<int> layerDivisor(const TraceRecord& scores);
/// What the scores of an attention are divided by, as rich text: " / √d_k", with the layer's number where that is in it
/// too, nothing where they are not divided.
QString scoreDivisor(const TraceRecord& scores);

/// Whether words are called as they are drawn, or as their vocabulary writes them, for what other programs read.
enum class WordsAs : unsigned char { Drawn, Written };
/// What the entries of the record's last two axes are called: words, or numbers from 0 on.
QStringList rowNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                     WordsAs how = WordsAs::Drawn);
QStringList columnNames(const TrainedModel& model, const Trace& trace, const TraceRecord& record,
                        WordsAs how = WordsAs::Drawn);

}  // namespace headlight

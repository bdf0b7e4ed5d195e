// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/io/trained_model.h"
#include "core/nn/intervention.h"
#include "core/trace/trace.h"

namespace headlight {

struct ForwardContext;
struct Value;

/// What a model is given to read, as ids: of an encoder-decoder both sides, of others `source` alone, with what stands
/// before a text.
struct Prompt {
    std::vector<int> source = {};
    std::vector<int> target = {};

    static Prompt of(const Trace& trace);
};

/// A forward pass over a prompt → logits [rows, words or labels]. Throws Error for a model without a head.
Value forwardOf(const TrainedModel& model, ForwardContext& context, const Prompt& prompt);

/// The logits alone, under changes of values, row by row.
std::vector<float> logitsOf(const TrainedModel& model, const Prompt& prompt,
                            std::span<const Intervention> interventions = {});

/// Every value of a forward pass over a prompt, as traceIds().
Trace tracePrompt(const TrainedModel& model, const Prompt& prompt, const std::vector<MutedHead>& muted = {},
                  std::span<const Intervention> interventions = {});

/// The row of the logits that says what comes behind a prompt: its last; of a classifier its only one; of a model that
/// fills in words that of the first mask, where there is one.
int answerRow(const TrainedModel& model, const Prompt& prompt);

/// Where in a row of logits the largest stands.
int likeliest(std::span<const float> row);

/// The id, in the target vocabulary, of what a column of the logits stands for.
int wordOfColumn(const TrainedModel& model, int column);

}  // namespace headlight

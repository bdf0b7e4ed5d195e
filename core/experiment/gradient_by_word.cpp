// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/gradient_by_word.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/models/language_model.h"
#include "core/models/seq2seq.h"

namespace headlight {

namespace {

TokenBatch batchOf(const TraceRecord& ids, int padId) {
    const std::vector<std::vector<int>> sentence{ids.ids()};
    return TokenBatch::pad(sentence, padId);
}

/// Of the rows of a value that was kept on the way, once the way back has run.
std::vector<double> rowNorms(const KeptValues& kept, const std::string& name, int rows) {
    const Variable<float>& value = kept.at(name);
    value.prepareGradient();
    std::vector<double> norms;
    norms.reserve(static_cast<size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        double sum = 0;
        for (int i = 0; i < value.cols(); ++i) {
            const auto g = static_cast<double>(value.gradient().row(row)[i]);
            sum += g * g;
        }
        norms.push_back(std::sqrt(sum));
    }
    return norms;
}

/// ∂ log p(likeliest) / ∂ logits: one at its place, less the probabilities.
void startFromLikeliest(const Variable<float>& logits, int row) {
    logits.prepareGradient();
    const float* values = logits.value.row(row);
    const float largest = *std::max_element(values, values + logits.cols());
    double sum = 0;
    for (int i = 0; i < logits.cols(); ++i)
        sum += std::exp(static_cast<double>(values[i] - largest));
    float* gradient = logits.gradient().row(row);
    for (int i = 0; i < logits.cols(); ++i)
        gradient[i] = static_cast<float>(-std::exp(static_cast<double>(values[i] - largest)) / sum);
    gradient[std::max_element(values, values + logits.cols()) - values] += 1;
}

}  // namespace

GradientByWord gradientByWord(const TrainedModel& model, const Trace& trace, int step) {
    const ModelConfig& config = model.network->config();
    if (!config.recurrent()) throw Error("only a recurrent model hands its gradient back from word to word");
    Arena arena;
    Tape<float> tape(arena, Tape<float>::Mode::Training);
    ForwardContext context(tape, model.network->parameters());
    std::vector<float> gradients(model.network->parameters().flatSize());
    context.gradients = gradients.data();
    KeptValues kept;
    context.kept = &kept;
    const bool translates = config.encoderDecoder();
    const Value logits = translates ? model.seq2seq().forward(context, batchOf(trace.at("source.ids"), config.padId),
                                                              batchOf(trace.at("target.ids"), config.padId))
                                    : model.languageModel().forward(context, batchOf(trace.at("ids"), config.padId));
    startFromLikeliest(logits.variable, step);
    tape.backward();
    GradientByWord result;
    if (translates) result.source = rowNorms(kept, "encoder.embedding", trace.at("source.ids").dim(0));
    result.target = rowNorms(kept, translates ? "decoder.embedding" : "embedding", step + 1);
    return result;
}

}  // namespace headlight

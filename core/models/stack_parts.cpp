// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/stack_parts.h"

#include <utility>

#include "core/autograd/variant_operations.h"
#include "core/models/transformer_layers.h"
#include "core/tensor/kernels.h"

namespace headlight {

ModuleRef addHead(ParameterSet& parameters) {
    return parameters.addModule({ModuleKind::Head, "logits", {Stack::Shared, Section::Head}});
}

ModuleRef addStackOutput(ParameterSet& parameters, const std::string& scope, Stack stack, bool norm) {
    return parameters.addModule({norm ? ModuleKind::Norm : ModuleKind::Result, scope, {stack, Section::End}});
}

AttentionPositions::Options attentionPositions(const ModelConfig& config, Stack stack, const std::string& traceScope) {
    AttentionPositions::Options options{
        .kind = config.positionalEncoding,
        .numHeads = config.numHeads,
        .headWidth = config.headWidth(),
        .speeds = config.rotarySpeeds(false),
        .windowSpeeds = config.windowBase > 0 ? std::optional(config.rotarySpeeds(true)) : std::nullopt,
        .stack = stack,
        .fileScope = "transformer." + join(traceScope, "relative_bias"),
        .traceScope = join(traceScope, "relative_bias")};
    options.buckets = {config.relativeBuckets, config.relativeMaxDistance, config.seesBothWays(stack)};
    return options;
}

Norm makeEmbeddingNorm(ParameterSet& parameters, const ModelConfig& config, Stack stack,
                       const std::string& traceScope) {
    const char* const side = stack == Stack::Encoder ? "source_" : stack == Stack::Decoder ? "target_" : "";
    ModuleRef module =
        parameters.addModule({ModuleKind::Norm, join(traceScope, "embedding_norm"), {stack, Section::Start}});
    Norm::Options options = normOptions(config);
    if (config.wordWidth > 0) options.width = config.wordWidth;
    return {parameters, std::move(module), std::string(side) + "embedding_norm", options};
}

Value recordLogits(ForwardContext& context, Value logits, const Linear& head, const std::string& input, Axis tokens,
                   const LogitOptions& options) {
    const bool capped = options.cap > 0;
    if (!context.tracing()) {
        if (capped) logits.variable = ops::softCap(context.tape, logits.variable, static_cast<float>(options.cap));
        return logits;
    }
    Origin made = head.made(capped ? Part::UncappedLogits : Part::Logits);
    made.factor = options.factor;
    const ModuleRef module = made.module;
    context.record(logits, capped ? "logits_uncapped" : module->scope, std::move(made), tokens, {input},
                   Axis::Vocabulary);
    if (capped) {
        Value bent{ops::softCap(context.tape, logits.variable, static_cast<float>(options.cap))};
        context.record(bent, module->scope, {module, Part::Logits, Operation::SoftCap, {}, options.cap}, tokens,
                       {logits.name}, Axis::Vocabulary);
        logits = std::move(bent);
    }
    Value logProbs{{context.tape.allocate(logits.variable.shape()), {}}};
    kernels<float>().logSoftmaxRows(logits.variable.rows(), logits.variable.cols(), logits.variable.value.data,
                                    logProbs.variable.value.data);
    context.record(logProbs, "log_probs", {module, Part::LogProbs, Operation::LogSoftmax}, tokens, {logits.name},
                   Axis::Vocabulary);
    return logits;
}

Value stackOutput(ForwardContext& context, const Value& x, const std::optional<Norm>& norm, const ModuleRef& result,
                  Axis tokens) {
    Value output{norm ? norm->forward(context, x.variable) : x.variable};
    if (context.tracing())
        context.record(output, result->scope,
                       norm ? norm->made(Part::Output) : Origin{result, Part::Output, Operation::Identity}, tokens,
                       {x.name});
    return output;
}

}  // namespace headlight

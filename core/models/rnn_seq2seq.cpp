// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/rnn_seq2seq.h"

#include <algorithm>

#include "core/models/stack_parts.h"
#include "core/models/time_major.h"
#include "core/nn/masks.h"

namespace headlight {

namespace {

/// Each sentence back to front, its padding left in place: its own inverse.
std::pmr::vector<int> reversal(const ForwardContext& context, const TokenBatch& tokens) {
    return timeMajor(context, tokens.batch, tokens.length, [&](int b, int t) {
        const int length = tokens.lengths[static_cast<size_t>(b)];
        return (t < length ? length - 1 - t : t) * tokens.batch + b;
    });
}

Variable<float> dropout(ForwardContext& context, const Variable<float>& x) {
    return ops::dropout(context.tape, x, context.dropout, context.nextSeed());
}

int decoderInputWidth(const ModelConfig& config) {
    return config.embeddingSize + (config.context == ContextUse::EveryInput ? config.hiddenSize : 0);
}

}  // namespace

RnnSeq2Seq::RnnSeq2Seq(const ModelConfig& config)
    : Seq2Seq(config),
      m_sourceEmbedding(m_parameters, {.fileScope = "source_embedding",
                                       .traceName = "encoder.embedding",
                                       .idsName = "source.ids",
                                       .vocabulary = config.sourceVocabSize,
                                       .width = config.embeddingSize,
                                       .init = Init::StandardNormal,
                                       .stack = Stack::Encoder}),
      m_targetEmbedding(m_parameters, {.fileScope = "target_embedding",
                                       .traceName = "decoder.embedding",
                                       .idsName = "target.ids",
                                       .vocabulary = config.targetVocabSize,
                                       .width = config.embeddingSize,
                                       .init = Init::StandardNormal,
                                       .stack = Stack::Decoder}),
      m_generator(m_parameters, addHead(m_parameters), "generator", config.hiddenSize, config.targetVocabSize,
                  Init::FanInUniform) {
    const int h = config.hiddenSize, directions = config.bidirectional ? 2 : 1;
    for (int i = 0; i < config.numLayers; ++i) {
        const std::string number = std::to_string(i), scope = "encoder.layers." + number;
        RecurrentLayer::Options options{
            config.cell, i == 0 ? config.embeddingSize : h * directions, h, "encoder", "l" + number,
            scope,       ModulePlace{Stack::Encoder, Section::Layer, i}};
        std::vector<RecurrentLayer>& layer = m_encoder.emplace_back();
        layer.emplace_back(m_parameters, options);
        if (!config.bidirectional) continue;
        options.suffix += "_reverse";
        options.traceScope += ".reverse";
        options.direction = Direction::Backward;
        layer.emplace_back(m_parameters, options);
    }
    for (int i = 0; i < config.numLayers; ++i)
        m_decoder.emplace_back(
            m_parameters, RecurrentLayer::Options{config.cell, i == 0 ? decoderInputWidth(config) : h, h, "decoder",
                                                  "l" + std::to_string(i), "decoder.layers." + std::to_string(i),
                                                  ModulePlace{Stack::Decoder, Section::Layer, i}});
    m_encoderOutput = m_parameters.addModule({config.bidirectional ? ModuleKind::Bridge : ModuleKind::Result,
                                              "encoder.output",
                                              {Stack::Encoder, Section::End}});
    if (config.bidirectional) m_bridge.emplace(m_parameters, m_encoderOutput, "bridge", 2 * h, h, Init::FanInUniform);
    if (config.attention == AttentionKind::None) return;
    m_attention.emplace(m_parameters, config.attention, h);
    m_combine.emplace(
        m_parameters,
        m_parameters.addModule({ModuleKind::Combine, "decoder.attentional", {Stack::Decoder, Section::End}}), "combine",
        2 * h, h, Init::FanInUniform);
}

Variable<float> RnnSeq2Seq::bridge(ForwardContext& context, const Variable<float>& x) const {
    return m_bridge ? ops::tanh(context.tape, m_bridge->forward(context, x)) : x;
}

RecurrentLayer::State RnnSeq2Seq::lastStates(ForwardContext& context, const TokenBatch& source,
                                             std::span<const ops::RecurrentOutput<float>> directions) const {
    std::pmr::vector<int> last(context.memory());
    last.reserve(source.lengths.size());
    for (int b = 0; b < source.batch; ++b)
        last.push_back((source.lengths[static_cast<size_t>(b)] - 1) * source.batch + b);
    RecurrentLayer::State state;
    for (const ops::RecurrentOutput<float>& direction : directions) {
        const auto join = [&](Variable<float>& joined, const Variable<float>& all) {
            const Variable<float> part = ops::gatherRows(context.tape, all, last);
            joined = joined.value ? ops::concatColumns(context.tape, joined, part) : part;
        };
        join(state.hidden, direction.hidden);
        if (m_config.cell == Cell::Lstm) join(state.cell, direction.cell);
    }
    state.hidden = bridge(context, state.hidden);
    if (m_config.cell == Cell::Lstm) state.cell = bridge(context, state.cell);
    return state;
}

RnnSeq2Seq::Memory RnnSeq2Seq::encode(ForwardContext& context, const TokenBatch& source) const {
    Value x = m_sourceEmbedding.forward(context, idsTimeMajor(context, source), Axis::SourceToken);
    std::vector<std::string> read;  // what stands side by side in x, where anybody watches
    if (context.tracing()) read.push_back(x.name);
    const std::pmr::vector<int> reversed =
        m_config.bidirectional ? reversal(context, source) : std::pmr::vector<int>(context.memory());
    Memory memory{.states = std::pmr::vector<RecurrentLayer::State>(context.memory())};
    for (const std::vector<RecurrentLayer>& layer : m_encoder) {
        x.variable = dropout(context, x.variable);
        std::pmr::vector<ops::RecurrentOutput<float>> outputs(context.memory());
        outputs.push_back(layer[0].forward(context, x, source.batch, {}));
        std::vector<std::string> made;
        if (context.tracing()) made.push_back(layer[0].record(context, outputs[0], read, Axis::SourceToken));
        Variable<float> joined = outputs[0].hidden;
        if (m_config.bidirectional) {
            const Value mirrored{ops::gatherRows(context.tape, x.variable, reversed)};
            outputs.push_back(layer[1].forward(context, mirrored, source.batch, {}));
            // Shown and joined in the sentence's own order.
            ops::RecurrentOutput<float> inOrder;
            inOrder.hidden = ops::gatherRows(context.tape, outputs[1].hidden, reversed);
            joined = ops::concatColumns(context.tape, joined, inOrder.hidden);
            if (context.tracing()) {
                inOrder.gates = ops::gatherRows(context.tape, {outputs[1].gates, {}}, reversed).value;
                if (m_config.cell == Cell::Lstm)
                    inOrder.cell = ops::gatherRows(context.tape, outputs[1].cell, reversed);
                made.push_back(layer[1].record(context, inOrder, read, Axis::SourceToken));
            }
        }
        memory.states.push_back(lastStates(context, source, outputs));
        x = {joined};
        read = std::move(made);
    }
    memory.outputs = {bridge(context, sentenceMajor(context, x.variable, source.batch, source.length))};
    memory.thought = {memory.states.back().hidden};
    if (context.tracing()) {
        const auto made = [&](Part part) {
            return m_bridge ? m_bridge->made(part, Operation::Tanh)
                            : Origin{m_encoderOutput, part, Operation::Identity};
        };
        context.record(memory.outputs, m_encoderOutput->scope, made(Part::Output), Axis::SourceToken, read);
        context.record(memory.thought, "encoder.state", made(Part::Thought), Axis::SourceToken, read);
    }
    if (m_attention) memory.keys = m_attention->keys(context, memory.outputs.variable);
    return memory;
}

Value RnnSeq2Seq::decoderInput(ForwardContext& context, std::span<const int> ids,
                               const Variable<float>& thought) const {
    Value x = m_targetEmbedding.forward(context, ids, Axis::TargetToken);
    x.variable = dropout(context, x.variable);
    if (m_config.context != ContextUse::EveryInput) return x;
    std::pmr::vector<int> sentence(static_cast<size_t>(x.variable.rows()), context.memory());
    for (size_t row = 0; row < sentence.size(); ++row)
        sentence[row] = static_cast<int>(row) % thought.rows();
    x.variable = ops::concatColumns(context.tape, x.variable, ops::gatherRows(context.tape, thought, sentence));
    if (context.tracing())
        context.record(x, "decoder.input", {m_targetEmbedding.module(), Part::Input, Operation::Concat},
                       Axis::TargetToken, {x.name, "encoder.state"});
    return x;
}

Value RnnSeq2Seq::predict(ForwardContext& context, const Value& states, const Memory& memory, const Tensor<float>& mask,
                          const ops::AlignmentShape& shape, Tensor<float>* weights) const {
    Value features = states;
    if (m_attention) {
        const ops::AlignmentOutput<float> attended =
            m_attention->forward(context, states, memory.keys, memory.outputs, mask, shape);
        if (weights) *weights = attended.weights.value;
        const Variable<float> joined = ops::concatColumns(context.tape, attended.context, states.variable);
        features = {ops::tanh(context.tape, m_combine->forward(context, joined))};
        if (context.tracing())
            context.record(features, "decoder.attentional", m_combine->made(Part::Output, Operation::Tanh),
                           Axis::TargetToken, {m_attention->contextName(), states.name});
    }
    return recordLogits(context, {m_generator.forward(context, dropout(context, features.variable))}, m_generator,
                        features.name, Axis::TargetToken);
}

Value RnnSeq2Seq::forward(ForwardContext& context, const TokenBatch& source, const TokenBatch& target) const {
    const Memory memory = encode(context, source);
    Value x = decoderInput(context, idsTimeMajor(context, target), memory.thought.variable);
    for (size_t i = 0; i < m_decoder.size(); ++i) {
        if (i > 0) x.variable = dropout(context, x.variable);
        const bool handedOver = m_config.context == ContextUse::InitialState;
        const ops::RecurrentOutput<float> output =
            m_decoder[i].forward(context, x, target.batch, handedOver ? memory.states[i] : RecurrentLayer::State{});
        const std::string name =
            context.tracing() ? m_decoder[i].record(context, output, {x.name}, Axis::TargetToken) : "";
        x = {output.hidden, name};
    }
    const Value states{sentenceMajor(context, x.variable, target.batch, target.length), x.name};
    const Tensor<float> mask = paddingMask(context.tape, source.lengths, target.length, source.length);
    return predict(context, states, memory, mask, {source.batch, target.length, source.length});
}

struct RnnSeq2Seq::Kept final : DecoderState {
    struct Layer {
        Tensor<float> hidden, cell;  ///< [sentences·most beams, h], rows first; no cell but the LSTM's
    };
    Memory memory;
    std::vector<int> sourceLengths;  ///< of each sentence
    int sourceLength = 0;            ///< of the longest
    std::vector<Layer> layers, spare;
    int position = 0;

    std::vector<int> sentenceOfRow() const {
        std::vector<int> result(static_cast<size_t>(sentences * beams));
        for (size_t row = 0; row < result.size(); ++row)
            result[row] = static_cast<int>(row) / beams;
        return result;
    }

    void select(std::span<const int> parents) override {
        const auto copy = [&](const Tensor<float>& from, const Tensor<float>& to) {
            for (size_t i = 0; from && i < parents.size(); ++i)
                std::copy_n(from.row(parents[i]), from.cols(), to.row(static_cast<int>(i)));
        };
        for (size_t i = 0; i < layers.size(); ++i) {
            copy(layers[i].hidden, spare[i].hidden);
            copy(layers[i].cell, spare[i].cell);
            std::swap(layers[i], spare[i]);
        }
        beams = static_cast<int>(parents.size()) / sentences;
    }

    void keep(std::span<const int> going) override {
        // With a dot product the keys are the outputs themselves.
        const bool ownKeys = memory.keys.value && memory.keys.value.data != memory.outputs.variable.value.data;
        Tensor<float>& outputs = memory.outputs.variable.value;
        outputs = keepRows(outputs, going, sourceLength);
        if (ownKeys)
            memory.keys.value = keepRows(memory.keys.value, going, sourceLength);
        else if (memory.keys.value)
            memory.keys.value = outputs;
        Tensor<float>& thoughts = memory.thought.variable.value;
        thoughts = keepRows(thoughts, going, 1);
        for (std::vector<Layer>* each : {&layers, &spare})
            for (Layer& layer : *each) {
                layer.hidden = keepRows(layer.hidden, going, beams);
                if (layer.cell) layer.cell = keepRows(layer.cell, going, beams);
            }
        for (size_t i = 0; i < going.size(); ++i)
            sourceLengths[i] = sourceLengths[static_cast<size_t>(going[i])];
        sourceLengths.resize(going.size());
        sentences = static_cast<int>(going.size());
    }
};

std::unique_ptr<Seq2Seq::DecoderState> RnnSeq2Seq::beginDecoding(ForwardContext& context, const TokenBatch& source,
                                                                 int mostBeams, int) const {
    auto state = std::make_unique<Kept>();
    state->sentences = source.batch;
    state->memory = encode(context, source);
    state->sourceLengths.assign(source.lengths.begin(), source.lengths.end());
    state->sourceLength = source.length;
    const Shape shape{source.batch * mostBeams, m_config.hiddenSize};
    const bool lstm = m_config.cell == Cell::Lstm, handedOver = m_config.context == ContextUse::InitialState;
    const auto start = [&](const Variable<float>& encoded) {
        const Tensor<float> room = context.tape.allocate(shape);
        std::fill_n(room.data, room.count(), 0.0f);
        for (int row = 0; handedOver && row < source.batch; ++row)
            std::copy_n(encoded.value.row(row), shape.dim(1), room.row(row));
        return room;
    };
    for (const RecurrentLayer::State& encoded : state->memory.states) {
        state->layers.push_back({start(encoded.hidden), lstm ? start(encoded.cell) : Tensor<float>()});
        state->spare.push_back({context.tape.allocate(shape), lstm ? context.tape.allocate(shape) : Tensor<float>()});
    }
    return state;
}

Tensor<float> RnnSeq2Seq::decodeStep(ForwardContext& context, std::span<const int> words, DecoderState& state) const {
    auto& kept = static_cast<Kept&>(state);
    const int rows = static_cast<int>(words.size());
    const ForwardContext::AtPosition here(context, kept.position++);
    Variable<float> thoughts;  // that nobody reads where the state is handed over once
    if (m_config.context == ContextUse::EveryInput)
        thoughts = ops::gatherRows(context.tape, kept.memory.thought.variable, kept.sentenceOfRow());
    Value x = decoderInput(context, words, thoughts);
    const auto first = [rows](const Tensor<float>& all) { return all ? all.rowRange(0, rows) : all; };
    for (size_t i = 0; i < m_decoder.size(); ++i) {
        Kept::Layer& layer = kept.layers[i];
        const ops::RecurrentOutput<float> output =
            m_decoder[i].forward(context, x, rows, {{first(layer.hidden), {}}, {first(layer.cell), {}}});
        std::copy_n(output.hidden.value.data, output.hidden.value.count(), layer.hidden.data);
        if (layer.cell) std::copy_n(output.cell.value.data, output.cell.value.count(), layer.cell.data);
        x = {output.hidden};
    }
    const ops::AlignmentShape shape{kept.sentences, kept.beams, kept.sourceLength};
    const Tensor<float> mask = paddingMask(context.tape, kept.sourceLengths, kept.beams, kept.sourceLength);
    Tensor<float> weights;
    const Tensor<float> logits = predict(context, x, kept.memory, mask, shape, &weights).variable.value;
    kept.attention.clear();
    if (weights) kept.attention.push_back({weights.data, {kept.sentences, 1, kept.beams, shape.keys}});
    return logits;
}

}  // namespace headlight

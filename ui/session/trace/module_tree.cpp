// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_tree.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/trace/cell_arithmetic.h"
#include "ui/session/trace/step_scope.h"

namespace headlight {

namespace {

using Kind = ModuleBlock::Kind;

QString tr(const char* text) {
    return QCoreApplication::translate("ModuleTree", text);
}

bool inLayer(const std::string& name) {
    return name.find("layers.") != std::string::npos;
}

bool isRecurrent(const TraceRecord& record) {
    return record.operation == Operation::Gate || record.operation == Operation::Candidate ||
           record.operation == Operation::CellState ||
           (record.operation == Operation::HiddenState && inLayer(record.name));
}

/// A run of records with one name is one block. The gates, cell and state of a recurrent layer are read together.
std::string blockName(const TraceRecord& record) {
    const StepScope scope = stepScope(record.name);
    if (!isRecurrent(record)) return scope.sublayer;
    return scope.layer + (record.name.find(".reverse.") != std::string::npos ? ".reverse" : "");
}

QString recurrentLabel(const Trace& trace, const ModuleBlock& block) {
    bool gates = false, cell = false;
    for (const int at : block.records) {
        const Operation operation = trace.records()[static_cast<size_t>(at)].operation;
        gates = gates || operation == Operation::Gate;
        cell = cell || operation == Operation::CellState;
    }
    const QString name = cell ? QStringLiteral("LSTM") : gates ? QStringLiteral("GRU") : QStringLiteral("RNN");
    return block.scope.ends_with(".reverse") ? tr("%1 backwards").arg(name) : name;
}

void describeBlock(const Trace& trace, ModuleBlock& block) {
    const auto record = [&](int at) -> const TraceRecord& { return trace.records()[static_cast<size_t>(at)]; };
    const TraceRecord &first = record(block.records.front()), &last = record(block.records.back());
    const bool attends =
        std::ranges::any_of(block.records, [&](int at) { return record(at).operation == Operation::Softmax; });
    if (attends) {
        block.kind = Kind::Attention;
        const bool cross = block.scope.ends_with("cross_attn"), recurrent = block.scope.ends_with(".attention");
        const bool masked = block.scope.starts_with("decoder.");
        block.label = cross || recurrent ? tr("Cross-attention")
                      : masked           ? tr("Masked self-attention")
                                         : tr("Self-attention");
        if (recurrent) block.label = tr("Attention");
        const int heads = matrixHeads(first);
        block.more = heads > 1 ? tr("%1 heads").arg(heads) : QString();
    } else if (isRecurrent(last)) {
        block.kind = Kind::Recurrent;
        block.label = recurrentLabel(trace, block);
        block.more = tr("%1 units").arg(matrixColumns(last));
    } else if (block.scope.ends_with(".ffn")) {
        block.kind = Kind::FeedForward;
        block.label = tr("Feed-forward");
        block.more = QString::number(matrixColumns(first));
    } else if (last.operation == Operation::LayerNorm || last.operation == Operation::Add) {
        block.kind = block.scope.ends_with("embed") ? Kind::Embed : Kind::Norm;
        block.label = block.kind == Kind::Embed ? tr("Embed + position") : tr("Norm");
    } else if (block.scope == "output") {
        block.label = tr("Linear + softmax");
    } else if (block.scope.ends_with("embed")) {
        block.kind = Kind::Embed;
        block.label = tr("Embed");
    } else {
        block.label = last.operation == Operation::Tanh ? tr("Tanh") : tr("Result");
    }
}

ModuleStack makeStack(const Trace& trace, const std::string& scope) {
    ModuleStack stack;
    stack.side = scope == "decoder" ? ModuleStack::Side::Decoder : ModuleStack::Side::Encoder;
    stack.label = scope == "decoder" ? tr("Decoder") : scope == "encoder" ? tr("Encoder") : tr("Model");
    stack.tokens = scope == "decoder" ? trace.targetTokens : trace.sourceTokens;
    return stack;
}

}  // namespace

int ModuleBlock::mainRecord(const Trace& trace) const {
    for (const int at : records)
        if (trace.records()[static_cast<size_t>(at)].name.ends_with(".scores")) return at;
    return records.back();
}

ModuleTree::Place ModuleTree::placeOf(int record) const {
    for (size_t s = 0; s < stacks.size(); ++s)
        for (size_t l = 0; l < stacks[s].layers.size(); ++l)
            for (size_t b = 0; b < stacks[s].layers[l].blocks.size(); ++b)
                if (std::ranges::count(stacks[s].layers[l].blocks[b].records, record))
                    return {static_cast<int>(s), static_cast<int>(l), static_cast<int>(b)};
    return {};
}

ModuleTree moduleTree(const Trace& trace) {
    ModuleTree tree;
    std::string stackName, layerName;
    for (int i = 0; i < static_cast<int>(trace.records().size()); ++i) {
        const TraceRecord& record = trace.records()[static_cast<size_t>(i)];
        const StepScope scope = stepScope(record.name);
        // Logits end the last stack.
        if (scope.model != stackName && (tree.stacks.empty() || scope.model != "output")) {
            tree.stacks.push_back(makeStack(trace, scope.model));
            layerName.clear();
            stackName = scope.model;
        }
        std::vector<ModuleLayer>& layers = tree.stacks.back().layers;
        if (scope.layer != layerName || layers.empty()) {
            ModuleLayer& layer = layers.emplace_back();
            layer.isLayer = inLayer(record.name);
            if (layer.isLayer)
                layer.label = tr("Layer %1").arg(QString::fromStdString(scope.layer).section(u'.', -1).toInt() + 1);
            layerName = scope.layer;
        }
        const std::string name = blockName(record);
        std::vector<ModuleBlock>& blocks = layers.back().blocks;
        if (blocks.empty() || blocks.back().scope != name) blocks.emplace_back().scope = name;
        blocks.back().records.push_back(i);
    }
    for (ModuleStack& stack : tree.stacks)
        for (ModuleLayer& layer : stack.layers)
            for (ModuleBlock& block : layer.blocks) {
                describeBlock(trace, block);
                if (!layer.isLayer) layer.label = block.label;
            }
    return tree;
}

}  // namespace headlight

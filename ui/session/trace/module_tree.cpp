// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/module_tree.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/format/plural.h"
#include "ui/session/trace/step_scope.h"
#include "ui/session/trace/value_region.h"

namespace headlight {

namespace {

using BlockKind = ModuleBlock::Kind;

struct ModuleTreeText {
    Q_DECLARE_TR_FUNCTIONS(ModuleTree)
};

/// A run of values with one name is one block. The gates, cell and state of a recurrent layer are read together.
std::string blockName(const TraceRecord& record) {
    const Module& module = record.owner();
    return module.kind == ModuleKind::Recurrent ? module.scope : stepScope(record).sublayer.id;
}

QString recurrentLabel(const Module& module) {
    const QString name = module.cell == Cell::Lstm  ? QStringLiteral("LSTM")
                         : module.cell == Cell::Gru ? QStringLiteral("GRU")
                                                    : QStringLiteral("RNN");
    return module.direction == Direction::Backward ? ModuleTreeText::tr("%1 backwards").arg(name) : name;
}

QString attentionLabel(const Module& module) {
    if (module.place.section != Section::Layer) return ModuleTreeText::tr("Attention");
    if (module.over == AttentionOver::Memory) return ModuleTreeText::tr("Cross-attention");
    return module.place.stack == Stack::Decoder ? ModuleTreeText::tr("Masked self-attention")
                                                : ModuleTreeText::tr("Self-attention");
}

void describeBlock(const Trace& trace, ModuleBlock& block) {
    const auto has = [&](Part part) {
        return std::ranges::any_of(block.records,
                                   [&](int at) { return trace.records()[static_cast<size_t>(at)].part == part; });
    };
    const Module& module = trace.records()[static_cast<size_t>(block.records.front())].owner();
    switch (module.kind) {
        case ModuleKind::Embedding:
        case ModuleKind::Positions:
            block.kind = BlockKind::Embed;
            block.label = has(Part::Positions) ? ModuleTreeText::tr("Embed + position") : ModuleTreeText::tr("Embed");
            if (has(Part::TypeEmbedding)) block.more = ModuleTreeText::tr("and segment");
            return;
        case ModuleKind::Attention:
            block.kind = BlockKind::Attention;
            block.label = attentionLabel(module);
            if (module.heads > 1)
                block.more = plural(ModuleTreeText::tr("%n head(s)", nullptr, module.heads), module.heads);
            return;
        case ModuleKind::FeedForward:
            block.kind = BlockKind::FeedForward;
            block.label = ModuleTreeText::tr("Feed-forward");
            block.more = QString::number(module.width);
            return;
        case ModuleKind::Norm:
            block.kind = BlockKind::Norm;
            block.label = ModuleTreeText::tr("Norm");
            return;
        case ModuleKind::Recurrent:
            block.kind = BlockKind::Recurrent;
            block.label = recurrentLabel(module);
            block.more = plural(ModuleTreeText::tr("%n unit(s)", nullptr, module.width), module.width);
            return;
        case ModuleKind::Bridge:
        case ModuleKind::Combine:
            // Narrow words come to the layers' width by a map alone.
            block.label = has(Part::Input) ? ModuleTreeText::tr("Map") : ModuleTreeText::tr("Tanh");
            return;
        case ModuleKind::Result:
            block.label = ModuleTreeText::tr("Result");
            return;
        case ModuleKind::Head:
            block.label = has(Part::Output) ? ModuleTreeText::tr("Replaced?") : ModuleTreeText::tr("Linear + softmax");
            // A model that fills in words transforms each state first.
            if (has(Part::Norm)) block.more = ModuleTreeText::tr("after a transform");
            return;
    }
}

ModuleStack makeStack(const Trace& trace, const StepScope& scope) {
    ModuleStack stack;
    const bool decodes = scope.stack == Stack::Decoder;
    stack.side = decodes ? ModuleStack::Side::Decoder : ModuleStack::Side::Encoder;
    stack.label = scope.model.label;
    stack.tokens = decodes ? trace.targetTokens : trace.sourceTokens;
    return stack;
}

}  // namespace

int ModuleBlock::mainRecord(const Trace& trace) const {
    for (const int at : records)
        if (trace.records()[static_cast<size_t>(at)].part == Part::Scores) return at;
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
    StepScope last;
    for (int i = 0; i < static_cast<int>(trace.records().size()); ++i) {
        const TraceRecord& record = trace.records()[static_cast<size_t>(i)];
        const StepScope scope = stepScope(record);
        const Section section = record.owner().place.section;
        // Logits end the last stack.
        if (tree.stacks.empty() || (scope.model != last.model && section != Section::Head)) {
            tree.stacks.push_back(makeStack(trace, scope));
            last.layer = {};
        }
        std::vector<ModuleLayer>& layers = tree.stacks.back().layers;
        if (layers.empty() || scope.layer != last.layer) {
            ModuleLayer& layer = layers.emplace_back();
            layer.isLayer = section == Section::Layer;
            layer.label = scope.layer.label;
        }
        last = scope;
        const std::string name = blockName(record);
        std::vector<ModuleBlock>& blocks = layers.back().blocks;
        if (blocks.empty() || blocks.back().scope != name) {
            ModuleBlock& block = blocks.emplace_back();
            block.scope = name;
            block.module = record.module;
        }
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

namespace {

template <typename Is>
int firstRecord(const Trace& trace, const Is& is) {
    const auto found = std::ranges::find_if(trace.records(), is);
    return found == trace.records().end() ? -1 : static_cast<int>(found - trace.records().begin());
}

}  // namespace

int memoryRecord(const Trace& trace) {
    return firstRecord(trace, [](const TraceRecord& record) {
        const ModulePlace& place = record.owner().place;
        return record.part == Part::Output && place.stack == Stack::Encoder && place.section == Section::End;
    });
}

int thoughtRecord(const Trace& trace) {
    return firstRecord(trace, [](const TraceRecord& record) { return record.part == Part::Thought; });
}

bool looksAtMemory(const Module& module) {
    return module.kind == ModuleKind::Attention && module.over == AttentionOver::Memory;
}

}  // namespace headlight

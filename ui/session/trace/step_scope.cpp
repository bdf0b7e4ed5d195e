// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/step_scope.h"

#include <QCoreApplication>

namespace headlight {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StepScope", text);
}

StepScope::Level modelLevel(const Module& module) {
    if (module.place.section == Section::Head) return {"output", tr("Output")};
    switch (module.place.stack) {
        case Stack::Encoder:
            return {"encoder", tr("Encoder")};
        case Stack::Decoder:
            return {"decoder", tr("Decoder")};
        case Stack::Only:
        case Stack::Shared:
            break;
    }
    return {"model", tr("Model")};
}

StepScope::Level layerLevel(const Module& module, const std::string& model) {
    switch (module.place.section) {
        case Section::Start:
            return {model + ".embed", tr("Embed")};
        case Section::Layer:
            return {model + ".layers." + std::to_string(module.place.layer),
                    tr("Layer %1").arg(module.place.layer + 1)};
        case Section::End:
            if (module.kind == ModuleKind::Attention) return {module.scope, tr("Attention")};
            return {model + ".end", tr("Output")};
        case Section::Head:
            break;
    }
    return {model, tr("Output")};
}

/// Gates, cell and state of a recurrent layer are steps of their own; a layer that reads backwards is one.
StepScope::Level recurrentLevel(const Module& module, Part part) {
    if (module.direction == Direction::Backward) return {module.scope, tr("Backwards")};
    if (part == Part::Cell) return {module.scope + ".cell", tr("Cell")};
    if (part == Part::State) return {module.scope + ".hidden", tr("State")};
    return {module.scope + ".gates", tr("Gates")};
}

QString blockLabel(const Module& module) {
    switch (module.kind) {
        case ModuleKind::Attention:
            return module.over == AttentionOver::Memory   ? tr("Cross-attn")
                   : module.place.stack == Stack::Decoder ? tr("Masked")
                                                          : tr("Self-attn");
        case ModuleKind::FeedForward:
            return tr("FFN");
        case ModuleKind::Norm:
            return tr("Norm");
        case ModuleKind::Recurrent:
            return tr("State");
        case ModuleKind::Embedding:
        case ModuleKind::Positions:
            return tr("Embed");
        case ModuleKind::Result:
        case ModuleKind::Bridge:
        case ModuleKind::Combine:
        case ModuleKind::Head:
            break;
    }
    return tr("Output");
}

}  // namespace

StepScope stepScope(const TraceRecord& record) {
    const Module& module = record.owner();
    StepScope scope;
    scope.model = modelLevel(module);
    scope.layer = layerLevel(module, scope.model.id);
    scope.sublayer = scope.layer;
    if (module.sumApart && record.part == Part::Residual)
        scope.sublayer = {module.scope + ".sum", tr("Add")};
    else if (module.place.section == Section::Layer)
        scope.sublayer = module.kind == ModuleKind::Recurrent ? recurrentLevel(module, record.part)
                                                              : StepScope::Level{module.scope, blockLabel(module)};
    scope.stack = module.place.section == Section::Head ? Stack::Shared : module.place.stack;
    return scope;
}

}  // namespace headlight

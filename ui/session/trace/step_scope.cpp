// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace/step_scope.h"

#include <QCoreApplication>

namespace headlight {
namespace {

struct StepScopeText {
    Q_DECLARE_TR_FUNCTIONS(StepScope)
};

StepScope::Level modelLevel(const Module& module) {
    if (module.place.section == Section::Head) return {"output", StepScopeText::tr("Output")};
    switch (module.place.stack) {
        case Stack::Encoder:
            return {"encoder", StepScopeText::tr("Encoder")};
        case Stack::Decoder:
            return {"decoder", StepScopeText::tr("Decoder")};
        case Stack::Only:
        case Stack::Shared:
            break;
    }
    return {"model", StepScopeText::tr("Model")};
}

StepScope::Level layerLevel(const Module& module, const std::string& model) {
    switch (module.place.section) {
        case Section::Start:
            return {model + ".embed", StepScopeText::tr("Embed")};
        case Section::Layer:
            return {model + ".layers." + std::to_string(module.place.layer),
                    StepScopeText::tr("Layer %1").arg(module.place.layer + 1)};
        case Section::End:
            if (module.kind == ModuleKind::Attention) return {module.scope, StepScopeText::tr("Attention")};
            return {model + ".end", StepScopeText::tr("Output")};
        case Section::Head:
            break;
    }
    return {model, StepScopeText::tr("Output")};
}

/// Gates, cell and state of a recurrent layer are steps of their own; a layer that reads backwards is one.
StepScope::Level recurrentLevel(const Module& module, Part part) {
    if (module.direction == Direction::Backward) return {module.scope, StepScopeText::tr("Backwards")};
    if (part == Part::Cell) return {module.scope + ".cell", StepScopeText::tr("Cell")};
    if (part == Part::State) return {module.scope + ".hidden", StepScopeText::tr("State")};
    return {module.scope + ".gates", StepScopeText::tr("Gates")};
}

QString blockLabel(const Module& module) {
    switch (module.kind) {
        case ModuleKind::Attention:
            return module.over == AttentionOver::Memory   ? StepScopeText::tr("Cross-attn")
                   : module.place.stack == Stack::Decoder ? StepScopeText::tr("Masked")
                                                          : StepScopeText::tr("Self-attn");
        case ModuleKind::FeedForward:
            return StepScopeText::tr("FFN");
        case ModuleKind::Norm:
            return StepScopeText::tr("Norm");
        case ModuleKind::Recurrent:
            return StepScopeText::tr("State");
        case ModuleKind::Embedding:
        case ModuleKind::Positions:
            return StepScopeText::tr("Embed");
        case ModuleKind::Result:
        case ModuleKind::Bridge:
        case ModuleKind::Combine:
        case ModuleKind::Head:
            break;
    }
    return StepScopeText::tr("Output");
}

}  // namespace

StepScope stepScope(const TraceRecord& record) {
    const Module& module = record.owner();
    StepScope scope;
    scope.model = modelLevel(module);
    scope.layer = layerLevel(module, scope.model.id);
    scope.sublayer = scope.layer;
    if (module.sumApart && record.part == Part::Residual)
        scope.sublayer = {module.scope + ".sum", StepScopeText::tr("Add")};
    else if (module.place.section == Section::Layer)
        scope.sublayer = module.kind == ModuleKind::Recurrent ? recurrentLevel(module, record.part)
                                                              : StepScope::Level{module.scope, blockLabel(module)};
    scope.stack = module.place.section == Section::Head ? Stack::Shared : module.place.stack;
    return scope;
}

}  // namespace headlight
